import type { ComponentChildren } from "preact";
import { Age } from "../../parts/figures.tsx";
import { PageHeading } from "../../parts/layout.tsx";
import { Tag } from "../../parts/table.tsx";
import { referencePath } from "../../parts/watch.tsx";
import { formatCount } from "../../words/formats.ts";
import { referenceWords } from "../../words/reference.ts";
import { countOffers, marketPath, type Offers } from "./market-sections.tsx";
import type { Subject } from "./reference-state.ts";

export function ReferenceHead(props: {
  readonly name: { readonly reference: string; readonly brand: string | undefined };
  readonly subject: Subject;
  /** Undefined while they are read. */
  readonly offers: Offers | undefined;
  /** What can be done with it. */
  readonly children?: ComponentChildren;
}) {
  const { subject, name } = props;
  const { market, brand, configurations } = subject;
  const { reference } = name;
  return (
    <header class="reference-head">
      <div>
        <div class="soft">{[brand, market?.model].filter(Boolean).join(" · ")}</div>
        <div class="row">
          <PageHeading title={[brand, reference].filter(Boolean).join(" ")}>
            <bdi>{reference}</bdi>
          </PageHeading>
          {configurations.length === 0 ? null : <Tag tone="good">{referenceWords.watchingTag}</Tag>}
        </div>
        <Facts subject={subject} offers={props.offers} />
        {subject.otherBrands.map((other) => (
          <div key={other} class="sub">
            <a href={referencePath({ reference, brand: other })}>
              {referenceWords.otherBrand(other)}
            </a>
          </div>
        ))}
      </div>
      <div class="row">
        {props.children}
        {market === undefined ? null : (
          <a class="button" href={marketPath(name)}>
            {referenceWords.inMarket}
          </a>
        )}
        <a class="button" href="/references">
          {referenceWords.toList}
        </a>
      </div>
    </header>
  );
}

function Facts(props: { readonly subject: Subject; readonly offers: Offers | undefined }) {
  const { market } = props.subject;
  if (market === undefined) return <div class="soft">{referenceWords.noAsks}</div>;
  const dealers = formatCount(market.contact_count);
  return (
    <div class="soft facts">
      <span>
        {market.for_sale_count === 1
          ? referenceWords.oneAsk(dealers)
          : referenceWords.summary(formatCount(market.for_sale_count), dealers)}
      </span>
      {(props.offers === undefined ? [] : countOffers(props.offers)).map((text) => (
        <span key={text}>{text}</span>
      ))}
      <span>
        {referenceWords.lastSeen} <Age atMs={market.last_seen_at_ms} />
      </span>
    </div>
  );
}
