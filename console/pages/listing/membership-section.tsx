import { useSignal } from "@preact/signals";
import type { ExplainedAlert, FailedClause } from "../../../client/assay-client.ts";
import { api } from "../../api.ts";
import { Button } from "../../parts/button.tsx";
import { Section } from "../../parts/layout.tsx";
import { WhenLoaded } from "../../parts/states.tsx";
import { Tag } from "../../parts/table.tsx";
import { useLoad } from "../../state/load.ts";
import { isPresenting } from "../../state/preferences.ts";
import { hidePhones } from "../../words/formats.ts";
import { listingWords } from "../../words/listing.ts";
import { readingWords } from "../../words/reading.ts";
import { formatClause } from "./format-clause.ts";

type Item = Omit<ExplainedAlert, "matched_at_ms"> & { readonly matched_at_ms?: number };

const SHOWN_MAX = 5;
/** Bounds of a price are the dealer's own limits, as thresholds are. */
const SECRET = /price|profit|discount/;

/** What the listing is in, and what it misses by which condition. */
export function MembershipSection(props: { readonly listingId: string; readonly version: number }) {
  const { listingId, version } = props;
  const load = useLoad([listingId, version], (signal) =>
    api.explainListing({ listing_id: listingId }, { signal }),
  );
  return (
    <Section title={listingWords.belongs} class="belongs">
      <WhenLoaded load={load} rows={4}>
        {({ alerts, views, configurations, is_exact }) => (
          <>
            <Memberships title={listingWords.alerts} items={alerts} />
            {is_exact ? null : <p class="sub">{listingWords.notAll}</p>}
            <Memberships title={listingWords.configurations} items={configurations} />
            <Memberships title={listingWords.views} items={views} />
          </>
        )}
      </WhenLoaded>
    </Section>
  );
}

function Memberships(props: { readonly title: string; readonly items: readonly Item[] }) {
  const { title, items } = props;
  const isWhole = useSignal(false);
  const shown = isWhole.value ? items : items.slice(0, SHOWN_MAX);
  return (
    <>
      <h3>{title}</h3>
      {items.length === 0 ? <p class="soft">{listingWords.noneNear}</p> : null}
      <ul class="memberships">
        {shown.map((item) => (
          <Membership key={item.id} item={item} />
        ))}
      </ul>
      {shown.length === items.length ? null : (
        <Button
          onPress={() => {
            isWhole.value = true;
          }}
        >
          {listingWords.showAll(items.length)}
        </Button>
      )}
    </>
  );
}

function Membership({ item }: { readonly item: Item }) {
  const wasMatched = !item.is_match && item.matched_at_ms !== undefined;
  return (
    <li>
      <Tag tone={item.is_match ? "good" : "plain"}>
        {item.is_match ? listingWords.isIn : listingWords.isOut}
      </Tag>
      <div class="membership">
        <bdi>{item.name}</bdi>
        {wasMatched ? <span class="sub"> {listingWords.matchedBefore}</span> : null}
        {item.failures.map((failure) => (
          <Failure key={`${failure.member} ${failure.expected}`} failure={failure} />
        ))}
      </div>
    </li>
  );
}

function Failure({ failure }: { readonly failure: FailedClause }) {
  const { member } = failure;
  const said = formatClause(failure);
  const hidden = SECRET.test(member) ? listingWords.hiddenClause : hidePhones(said);
  return (
    <div class="sub">
      {readingWords.field(member)}: <bdi>{isPresenting.value ? hidden : said}</bdi>
    </div>
  );
}
