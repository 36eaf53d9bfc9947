import type { ComponentChildren } from "preact";
import type { Listing } from "../../../client/assay-client.ts";
import { nameValue } from "../../filters/clauses.ts";
import { ageElement } from "../../parts/figures.tsx";
import { Tag } from "../../parts/table.tsx";
import { offersPath } from "../../parts/watch/wanted.ts";
import {
  askCell,
  belowCell,
  conditionCell,
  dealerCell,
  dialCell,
  isolated,
  landedCell,
  marketCell,
  none,
  offerCell,
  photoCell,
  setCell,
  watchCell,
} from "../../parts/watch/watch-cells.tsx";
import { watchTitle } from "../../parts/watch.tsx";
import { countryOf, regionOf } from "../../words/countries.ts";
import { formatAgo } from "../../words/formats.ts";
import { marketWords } from "../../words/market.ts";
import { watchWords } from "../../words/watch.ts";
import type { MarketRow } from "./market-rows.ts";
import type { ColumnId, Sort } from "./market-state.ts";

/** What is shown beside a cell, and now. */
interface Shown {
  readonly columns: readonly ColumnId[];
  readonly nowMs: number;
}

export interface MarketColumn {
  /** Of the room that is left: `2fr`; or fixed: `96px`. */
  readonly width: string;
  readonly isNumber?: boolean;
  /** The text comes from a group or a dealer, so it may be written from right to left. */
  readonly isForeign?: boolean;
  readonly cell: (row: MarketRow, shown: Shown) => ComponentChildren;
  /** The time of which the cell shows the age. The row is drawn again when an age changes. */
  readonly atMs?: (listing: Listing) => number;
  /** What the cell says more when the mouse rests on it. */
  readonly title?: (row: MarketRow) => string | undefined;
  /** The orders by this column, the first one at the first press. */
  readonly sorts?: readonly Sort[];
}

/** What each column shows. A new column is an entry here and in the words, which have the order. */
export const MARKET_COLUMNS: Readonly<Record<ColumnId, MarketColumn>> = {
  photo: { width: "52px", cell: photoCell },
  watch: { width: "minmax(150px, 2.8fr)", cell: watch },
  year: {
    width: "58px",
    isNumber: true,
    sorts: ["year_desc"],
    cell: ({ listing }) => listing.year ?? none(),
  },
  condition: { width: "78px", cell: conditionCell },
  set: { width: "84px", cell: setCell },
  dial: { width: "minmax(64px, 0.6fr)", isForeign: true, cell: dialCell },
  ask: {
    width: "108px",
    isNumber: true,
    sorts: ["price_asc", "price_desc"],
    cell: (row, { columns }) =>
      askCell(row, columns.includes("landed") || !columns.includes("below")),
  },
  landed: { width: "88px", isNumber: true, cell: landedCell },
  market: {
    width: "92px",
    isNumber: true,
    cell: (row) => marketCell(row, false),
    title: (row) => describeCell(row),
  },
  below: {
    width: "140px",
    isNumber: true,
    sorts: ["profit", "profit_bps"],
    cell: belowCell,
  },
  offer: { width: "108px", isNumber: true, cell: offerCell },
  dealer: {
    width: "minmax(104px, 1fr)",
    isForeign: true,
    cell: (row, { columns }) => dealerCell(row, !columns.includes("country")),
  },
  country: {
    width: "68px",
    cell: ({ listing }) => country(listing.sender.country_prefix),
    title: ({ listing: { sender } }) =>
      sender.country_prefix === undefined ? undefined : countryOf(sender.country_prefix),
  },
  // Names of groups begin alike, so a cut one says nothing.
  groups: {
    width: "66px",
    isNumber: true,
    cell: ({ listing }) => listing.source.group_ids.length,
    title: ({ listing }) => listing.source.group_names.join("\n"),
  },
  posts: { width: "56px", isNumber: true, cell: ({ listing }) => listing.source.occurrence_count },
  seen: { ...ageOf(({ source }) => source.last_seen_at_ms), sorts: ["newest", "oldest"] },
  sent: ageOf(({ source }) => source.message_timestamp_ms),
  offers: {
    width: "130px",
    cell: ({ listing }) => {
      const path = offersPath(listing);
      if (path === undefined) return none();
      return (
        <a href={path} aria-label={marketWords.offersOf(watchTitle(listing))}>
          {marketWords.offers}
        </a>
      );
    },
  },
};

function ageOf(atMs: (listing: Listing) => number): MarketColumn {
  return {
    width: "92px",
    isNumber: true,
    atMs,
    cell: ({ listing }, { nowMs }) => ageElement(atMs(listing), formatAgo(nowMs - atMs(listing))),
  };
}

/** Below the name the brand, and in their one order what no column says. */
function watch(row: MarketRow, { columns }: Shown) {
  const { listing } = row;
  const { brand, reference, model, year, condition, full_set_status, dial_type, sender } = listing;
  const [set] = full_set_status;
  const isSaid = (id: ColumnId): boolean => columns.includes(id);
  const line = [
    reference === undefined && model === undefined ? undefined : brand,
    isSaid("year") ? undefined : year,
    isSaid("condition") || condition === undefined ? undefined : nameValue("condition", condition),
    isSaid("set") || set === undefined ? undefined : watchWords.setOf(set),
    isSaid("dial") ? undefined : dial_type,
    isSaid("dealer") ? undefined : (sender.display_name ?? undefined),
  ];
  const text = line.filter((part) => part !== undefined && part !== "").join(" · ");
  return watchCell(row, <span class="watch-brand">{isolated(text)}</span>, marks(row));
}

function marks({ listing: { side, source }, offer_state }: MarketRow) {
  return [
    side === "want_to_buy" ? <Tag key="wanted">{marketWords.wanted}</Tag> : null,
    offer_state === "replaced" ? <Tag key="replaced">{marketWords.replaced}</Tag> : null,
    source.is_duplicate ? <Tag key="repeated">{marketWords.repeated}</Tag> : null,
    source.is_hidden ? (
      <Tag key="hidden" tone="warn">
        {marketWords.hidden}
      </Tag>
    ) : null,
  ];
}

/** By which rule. No figure of the calculation, because presenter mode hides those. */
function describeCell({ headline, reason }: MarketRow): string | undefined {
  if (headline === undefined) {
    return reason === undefined ? undefined : watchWords.noPrice(reason);
  }
  return headline.configuration_label;
}

function country(callingCode: string | undefined) {
  return callingCode === undefined ? none() : (regionOf(callingCode) ?? `+${callingCode}`);
}
