import { useCallback } from "preact/hooks";
import {
  AssayError,
  type Listing,
  type ListingMatch,
  type PopulationAsk,
} from "../../../client/assay-client.ts";
import { api } from "../../api.ts";
import { useCellsChanged } from "../../live/changes.ts";
import { useLoad } from "../../state/load.ts";
import { readingWords } from "../../words/reading.ts";
import { watchWords } from "../../words/watch.ts";
import { Age, Amount } from "../figures.tsx";
import { Section } from "../layout.tsx";
import { WhenLoaded } from "../states.tsx";
import { type Column, Table, Tag } from "../table.tsx";
import { DealerCountry, DealerLink } from "../watch.tsx";
import { findNearest, NEAREST_MAX, type Priced } from "./verdict.ts";

interface Comparable {
  readonly ask: PopulationAsk;
  readonly listing: Listing;
}

type Bucket = "new" | "like_new" | "used";

/** The proof of a verdict: the five asks for the same watch that are nearest to this one. Nothing without a price. */
export function Comparables(props: { readonly listingId: string; readonly priced: Priced }) {
  const { headline } = props.priced;
  if (headline?.market_average_eur_minor === undefined) return null;
  return <Nearest {...props} headline={headline} />;
}

function Nearest(props: {
  readonly listingId: string;
  readonly priced: Priced;
  readonly headline: ListingMatch;
}) {
  const { listingId, headline, priced } = props;
  const { configuration_id: id, year, comparable_ask_eur_minor: landedMinor } = headline;
  const bucket = headline.condition_bucket as Bucket;
  const load = useLoad([listingId, id, year, bucket, landedMinor], async (signal) => {
    const { items } = await api.getPopulation({ id, year, condition_bucket: bucket }, { signal });
    return readListings(findNearest(items, { listingId, landedMinor }), signal);
  });
  useCellsChanged(
    useCallback(() => [id], [id]),
    load.reload,
  );
  return (
    <Section title={watchWords.comparables} class="comparables" note={<Evidence priced={priced} />}>
      <WhenLoaded
        load={load}
        rows={1 + Math.min(NEAREST_MAX, priced.price?.evidence?.counted ?? 0)}
      >
        {(rows) =>
          rows.length === 0 ? (
            <p class="soft">{watchWords.noComparables}</p>
          ) : (
            <Table
              caption={watchWords.comparablesCaption}
              columns={COLUMNS}
              rows={rows}
              keyOf={({ ask }) => ask.listing_id}
            />
          )
        }
      </WhenLoaded>
    </Section>
  );
}

/** How many asks stand behind the average, how far apart they are, and how old. */
function Evidence({ priced: { price } }: { readonly priced: Priced }) {
  const evidence = price?.evidence;
  if (evidence === undefined) return null;
  const { counted, low_eur_minor, high_eur_minor, newest_at_ms } = evidence;
  return (
    <>
      {watchWords.asks(counted, false)}: {watchWords.spread}
      <Amount minor={low_eur_minor} currency="EUR" kind="threshold" />
      {watchWords.to}
      <Amount minor={high_eur_minor} currency="EUR" kind="threshold" />
      {watchWords.newest}
      <Age atMs={newest_at_ms} />
    </>
  );
}

/** One that was removed a moment ago is left out. */
async function readListings(
  asks: readonly PopulationAsk[],
  signal: AbortSignal,
): Promise<readonly Comparable[]> {
  const read = async (ask: PopulationAsk): Promise<readonly Comparable[]> => {
    try {
      return [{ ask, listing: await api.getListing({ listing_id: ask.listing_id }, { signal }) }];
    } catch (error) {
      if (error instanceof AssayError && error.status === 404) return [];
      throw error;
    }
  };
  return (await Promise.all(asks.map(read))).flat();
}

const COLUMNS: readonly Column<Comparable>[] = [
  {
    id: "dealer",
    title: watchWords.dealerAndSet,
    isWide: true,
    cell: ({ ask, listing: { sender } }) => (
      <>
        <DealerLink sender={sender} /> <DealerCountry callingCode={sender.country_prefix} />
        <div class="sub">
          <WatchSet status={ask.full_set_status} />
        </div>
      </>
    ),
  },
  {
    id: "ask",
    title: watchWords.ask,
    isNumber: true,
    cell: ({ ask, listing: { id, price, price_eur_minor } }) => (
      <>
        <a class="watch" href={`/listings/${id}`}>
          <Amount
            minor={price?.amount_minor ?? price_eur_minor}
            currency={price?.currency ?? "EUR"}
            kind="price"
          />
        </a>
        {ask.comparable_ask_eur_minor === price_eur_minor && price?.currency === "EUR" ? null : (
          <div class="sub">
            <Amount minor={ask.comparable_ask_eur_minor} currency="EUR" kind="threshold" />{" "}
            {watchWords.landed}
          </div>
        )}
      </>
    ),
  },
  {
    id: "seen",
    title: watchWords.seen,
    isNumber: true,
    cell: ({ ask }) => <Age atMs={ask.last_seen_at_ms} />,
  },
];

/** A set that is not stated is a question to ask before buying. */
function WatchSet({ status }: { readonly status: readonly string[] }) {
  if (status.length === 0) return <Tag tone="warn">{watchWords.noSet}</Tag>;
  return <>{status.map(readingWords.value).join(", ")}</>;
}
