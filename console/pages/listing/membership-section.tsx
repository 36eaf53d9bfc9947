import { useSignal } from "@preact/signals";
import type { ExplainedAlert, FailedClause, Listing } from "../../../client/assay-client.ts";
import { api } from "../../api.ts";
import { Button } from "../../parts/button.tsx";
import { WhenLoaded } from "../../parts/states.tsx";
import { Tag } from "../../parts/table.tsx";
import { referencePath } from "../../parts/watch.tsx";
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

/** Of another watch: a filter that misses by one of these is about something else. */
const OTHER_WATCH: readonly string[] = ["reference", "brand", "model", "side"];

/** What the listing is in, and what it misses by one condition. Read when the reader asks for it. */
export function MembershipSection(props: { readonly listing: Listing; readonly version: number }) {
  const isOpen = useSignal(false);
  return (
    <details
      class="block belongs"
      onToggle={(event) => {
        isOpen.value = event.currentTarget.open;
      }}
    >
      <summary>
        <h2>{listingWords.belongs}</h2>
      </summary>
      {isOpen.value ? <Explanation {...props} /> : null}
    </details>
  );
}

function Explanation(props: { readonly listing: Listing; readonly version: number }) {
  const { id: listingId, reference, brand } = props.listing;
  const load = useLoad([listingId, props.version], (signal) =>
    api.explainListing({ listing_id: listingId }, { signal }),
  );
  const toRule = (id: string): string => {
    const path = referencePath({ reference: reference ?? "", brand });
    return `${path}${path.includes("?") ? "&" : "?"}${new URLSearchParams({ price: id })}`;
  };
  return (
    <WhenLoaded load={load} rows={4}>
      {({ alerts, views, configurations, is_exact }) => (
        <>
          <Memberships
            title={listingWords.alerts}
            items={alerts}
            pathOf={(id) => `/alerts/${id}`}
          />
          {is_exact ? null : <p class="sub">{listingWords.notAll}</p>}
          <Memberships
            title={listingWords.configurations}
            items={configurations}
            pathOf={reference === undefined ? undefined : toRule}
          />
          <Memberships title={listingWords.views} items={views} pathOf={undefined} />
        </>
      )}
    </WhenLoaded>
  );
}

/** In it now or once, or missed by a single condition about the same watch. */
function isNear({ is_match, matched_at_ms, failures }: Item): boolean {
  const [only] = failures;
  if (is_match || matched_at_ms !== undefined) return true;
  return failures.length === 1 && only !== undefined && !OTHER_WATCH.includes(only.member);
}

type PathOf = ((id: string) => string) | undefined;

function Memberships(props: {
  readonly title: string;
  readonly items: readonly Item[];
  readonly pathOf: PathOf;
}) {
  const { title, pathOf } = props;
  const items = props.items.filter(isNear);
  const isWhole = useSignal(false);
  const shown = isWhole.value ? items : items.slice(0, SHOWN_MAX);
  return (
    <>
      <h3>{title}</h3>
      {items.length === 0 ? <p class="soft">{listingWords.noneNear}</p> : null}
      <ul class="memberships">
        {shown.map((item) => (
          <Membership key={item.id} item={item} path={pathOf?.(item.id)} />
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

function Membership({ item, path }: { readonly item: Item; readonly path: string | undefined }) {
  const wasMatched = !item.is_match && item.matched_at_ms !== undefined;
  return (
    <li>
      <Tag tone={item.is_match ? "good" : "plain"}>
        {item.is_match ? listingWords.isIn : listingWords.isOut}
      </Tag>
      <div class="membership">
        {path === undefined ? (
          <bdi>{item.name}</bdi>
        ) : (
          <a href={path}>
            <bdi>{item.name}</bdi>
          </a>
        )}
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
