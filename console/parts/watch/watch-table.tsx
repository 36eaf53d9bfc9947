/** Watches in a short table, as the page of a listing and of a reference have them, and how they are read. */
import type { FilterMembers, Listing } from "../../../client/assay-client.ts";
import { api } from "../../api.ts";
import { watchWords } from "../../words/watch.ts";
import { Age } from "../figures.tsx";
import { type Column, Table, Tag } from "../table.tsx";
import { DealerCountry, DealerLink, watchDetails, watchTitle } from "../watch.tsx";
import type { WatchRow } from "./verdict.ts";
import { askCell, belowCell, offerCell, priceDrop } from "./watch-cells.tsx";

export type ListedWatch = WatchRow & { readonly listing: Listing };

type Sort = NonNullable<NonNullable<Parameters<typeof api.searchListings>[0]>["sort"]>;

const PAGE_MAX = 100;

/** The watches that a filter selects, each with its price, as many as are asked for. */
export async function readWatches(
  {
    filters,
    sort,
    limit,
  }: {
    readonly filters: FilterMembers;
    readonly sort: Sort;
    readonly limit: number;
  },
  signal: AbortSignal,
): Promise<readonly ListedWatch[]> {
  const found: ListedWatch[] = [];
  let cursor: string | undefined;
  do {
    const page = await api.searchListings(
      {
        filters,
        sort,
        include: ["price"],
        limit: Math.min(PAGE_MAX, limit - found.length),
        ...(cursor === undefined ? {} : { cursor }),
      },
      { signal },
    );
    found.push(...page.items.map((listing, at) => ({ ...page.prices?.[at], listing })));
    cursor = page.next_cursor;
  } while (cursor !== undefined && found.length < limit);
  return found;
}

/** True if the dealer still asks for it, as far as is known. */
export function isOnOffer({ offer_state }: WatchRow): boolean {
  return offer_state !== "replaced" && offer_state !== "gone";
}

export function WatchTable<Row extends WatchRow>(props: {
  readonly caption: string;
  readonly rows: readonly Row[];
  readonly columns: readonly Column<Row>[];
  /** The watch from which the reader comes. */
  readonly ownId?: string | undefined;
}) {
  const idOf = ({ listing }: WatchRow): string => listing?.id ?? "";
  return (
    <Table
      {...props}
      keyOf={idOf}
      isCurrent={(row) => props.ownId !== undefined && idOf(row) === props.ownId}
    />
  );
}

type WatchColumn = Column<WatchRow>;

export const WATCH_COLUMN: WatchColumn = {
  id: "watch",
  title: watchWords.watch,
  isWide: true,
  cell: ({ listing }) =>
    listing === undefined ? null : (
      <>
        <a class="watch" href={`/listings/${listing.id}`}>
          {watchTitle(listing)}
        </a>{" "}
        {listing.reference === undefined ? null : <span class="soft">{listing.model}</span>}
        <div class="sub">
          {watchDetails(listing)} {priceDrop(listing.price_drop)}
        </div>
      </>
    ),
};

/** Where the reference is known, what the watch is besides. */
export const DETAILS_COLUMN: WatchColumn = {
  id: "details",
  title: watchWords.watch,
  isWide: true,
  cell: ({ listing }) =>
    listing === undefined ? null : (
      <a class="watch" href={`/listings/${listing.id}`}>
        {watchDetails(listing) || watchTitle(listing)}
      </a>
    ),
};

/** The same, with a mark on what is a buy now. */
export const BUY_DETAILS_COLUMN: WatchColumn = {
  ...DETAILS_COLUMN,
  cell: (row) => (
    <>
      {DETAILS_COLUMN.cell(row)}{" "}
      {row.price?.is_buy === true && isOnOffer(row) ? (
        <Tag tone="good">{watchWords.buy}</Tag>
      ) : null}
    </>
  ),
};

export const DEALER_COLUMN: WatchColumn = {
  id: "dealer",
  title: watchWords.dealer,
  cell: ({ listing }) =>
    listing === undefined ? null : (
      <>
        <DealerLink sender={listing.sender} />{" "}
        <DealerCountry callingCode={listing.sender.country_prefix} />
      </>
    ),
};

export const ASK_COLUMN: WatchColumn = {
  id: "ask",
  title: watchWords.ask,
  isNumber: true,
  cell: (row) => askCell(row, false),
};

export const BELOW_COLUMN: WatchColumn = {
  id: "profit",
  title: watchWords.belowMarket,
  isNumber: true,
  // Without a price it says why, because a dash would look like a fault.
  cell: (row) =>
    row.headline === undefined && row.reason !== undefined ? (
      <span class="sub">{watchWords.noPriceShort(row.reason)}</span>
    ) : (
      belowCell(row)
    ),
};

export const OFFER_COLUMN: WatchColumn = {
  id: "offer",
  title: watchWords.offerUpTo,
  isNumber: true,
  isOptional: true,
  cell: offerCell,
};

export const SEEN_COLUMN: WatchColumn = {
  id: "seen",
  title: watchWords.seen,
  isNumber: true,
  isOptional: true,
  cell: ({ listing }) =>
    listing === undefined ? null : <Age atMs={listing.source.last_seen_at_ms} />,
};
