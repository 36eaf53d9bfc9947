import type { ComponentChildren } from "preact";
import { Age, Amount } from "../../parts/figures.tsx";
import { PageHeading } from "../../parts/layout.tsx";
import { Tag } from "../../parts/table.tsx";
import { referencePath } from "../../parts/watch.tsx";
import { formatCount } from "../../words/formats.ts";
import { referenceWords } from "../../words/reference.ts";
import type { Subject } from "./reference-state.ts";

export function ReferenceHead(props: {
  readonly reference: string;
  readonly subject: Subject;
  /** What can be done with it. */
  readonly children?: ComponentChildren;
}) {
  const { reference, subject } = props;
  const { market, brand, configurations } = subject;
  const name = market?.reference ?? configurations[0]?.reference ?? reference;
  const parameters = new URLSearchParams(brand === undefined ? {} : { brand });
  parameters.set("reference", name);
  return (
    <header class="reference-head">
      <div>
        <div class="soft">{[brand, market?.model].filter(Boolean).join(" · ")}</div>
        <div class="row">
          <PageHeading title={[brand, name].filter(Boolean).join(" ")}>
            <bdi>{name}</bdi>
          </PageHeading>
          {configurations.length === 0 ? null : <Tag tone="good">{referenceWords.watchingTag}</Tag>}
        </div>
        <Facts subject={subject} />
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
          <a class="button" href={`/market?${parameters}`}>
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

function Facts({ subject: { market } }: { readonly subject: Subject }) {
  if (market === undefined) return <div class="soft">{referenceWords.noAsks}</div>;
  const dealers = formatCount(market.contact_count);
  return (
    <div class="soft facts">
      <span>
        {market.for_sale_count === 1
          ? referenceWords.oneAsk(dealers)
          : referenceWords.summary(formatCount(market.for_sale_count), dealers)}
      </span>
      {market.min_price_eur_minor === undefined ? null : (
        <span>
          {referenceWords.range}{" "}
          <Amount minor={market.min_price_eur_minor} currency="EUR" kind="price" />{" "}
          {referenceWords.rangeTo}{" "}
          <Amount minor={market.max_price_eur_minor} currency="EUR" kind="price" />
        </span>
      )}
      <span>
        {referenceWords.lastSeen} <Age atMs={market.last_seen_at_ms} />
      </span>
    </div>
  );
}
