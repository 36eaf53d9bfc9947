import type { ComponentChildren } from "preact";
import type { Listing } from "../../../client/assay-client.ts";
import { nameValue } from "../../filters/clauses.ts";
import { Amount, ageElement } from "../../parts/figures.tsx";
import { Tag } from "../../parts/table.tsx";
import { Phone } from "../../parts/watch.tsx";
import { isPresenting } from "../../state/preferences.ts";
import type { Price } from "../../state/prices.ts";
import { countryOf, regionOf } from "../../words/countries.ts";
import { formatAgo, formatShare, toWhole } from "../../words/formats.ts";
import { marketWords } from "../../words/market.ts";
import type { ColumnId } from "./market-state.ts";

export interface MarketColumn {
  /** Of the room that is left: `2fr`; or fixed: `96px`. */
  readonly width: string;
  readonly isNumber?: boolean;
  /** The text comes from a group or a dealer, so it may be written from right to left. */
  readonly isForeign?: boolean;
  readonly cell: (listing: Listing, price: Price, nowMs: number) => ComponentChildren;
  /** The time of which the cell shows the age. The row is drawn again when an age changes. */
  readonly atMs?: (listing: Listing) => number;
  /** What the cell says more when the mouse rests on it. */
  readonly title?: (listing: Listing, price: Price) => string | undefined;
}

/** A dealer may put 64 kB into a name; the cell shows one line of it. */
const TEXT_MAX = 120;

/**
 * What each column shows. A new column is an entry here, in `COLUMN_IDS` and in the words.
 *
 * Cells are functions that return elements, and neither components nor fragments: each of those costs about as much as what it
 * shows, and rows appear while one scrolls.
 */
export const MARKET_COLUMNS: Readonly<Record<ColumnId, MarketColumn>> = {
  watch: { width: "minmax(220px, 2.6fr)", cell: (listing) => watch(listing) },
  year: { width: "56px", isNumber: true, cell: ({ year }) => year ?? none() },
  condition: { width: "80px", cell: ({ condition }) => named("condition", condition) },
  set: { width: "110px", cell: ({ full_set_status }) => named("set", full_set_status[0]) },
  dial: { width: "90px", isForeign: true, cell: ({ dial_type }) => cut(dial_type) ?? none() },
  ask: { width: "136px", isNumber: true, cell: (listing) => ask(listing) },
  market: {
    width: "120px",
    isNumber: true,
    cell: (_, price) => againstCell(price),
    title: (_, price) => describeCell(price),
  },
  average: {
    width: "92px",
    isNumber: true,
    cell: (_, price) =>
      Amount({ minor: price?.market_average_eur_minor, currency: "EUR", kind: "threshold" }),
  },
  dealer: {
    width: "minmax(104px, 1.2fr)",
    isForeign: true,
    cell: ({ sender }) =>
      cut(sender.display_name) ?? Phone({ number: sender.phone_number }) ?? none(),
  },
  country: {
    width: "72px",
    cell: ({ sender }) => country(sender.country_prefix),
    title: ({ sender }) =>
      sender.country_prefix === undefined ? undefined : countryOf(sender.country_prefix),
  },
  groups: {
    width: "minmax(104px, 1.4fr)",
    isForeign: true,
    cell: (listing) => groups(listing),
  },
  posts: { width: "56px", isNumber: true, cell: ({ source }) => source.occurrence_count },
  seen: ageOf(({ source }) => source.last_seen_at_ms),
  sent: ageOf(({ source }) => source.message_timestamp_ms),
};

function ageOf(atMs: (listing: Listing) => number): MarketColumn {
  const cell = (listing: Listing, _: Price, nowMs: number) => age(atMs(listing), nowMs);
  return { width: "88px", isNumber: true, atMs, cell };
}

function watch(listing: Listing) {
  const { brand, reference, model, year, condition, dial_type, full_set_status } = listing;
  const details = [
    year,
    condition && nameValue("condition", condition),
    full_set_status[0] && nameValue("full_set_status", full_set_status[0]),
    dial_type,
  ];
  return [
    <a key="watch" class="watch" href={`/listings/${listing.id}`}>
      <b>{isolated([brand, reference].filter(Boolean).join(" ")) ?? marketWords.noName}</b>{" "}
      {isolated(model)}
    </a>,
    ...marks(listing),
    <div key="details" class="sub">
      {details.filter(Boolean).join(" · ")}
    </div>,
  ];
}

function marks({ side, source }: Listing) {
  const tags = [
    side === "want_to_buy" && <Tag key="wanted">{marketWords.wanted}</Tag>,
    source.is_duplicate && <Tag key="repeated">{marketWords.repeated}</Tag>,
    source.is_hidden && (
      <Tag key="hidden" tone="warn">
        {marketWords.hidden}
      </Tag>
    ),
    source.is_revoked && (
      <Tag key="deleted" tone="warn">
        {marketWords.deleted}
      </Tag>
    ),
  ];
  return tags.filter((tag) => tag !== false);
}

function ask({ price, price_eur_minor }: Listing) {
  if (price === undefined) return none();
  const amount = Amount({ minor: price.amount_minor, currency: price.currency, kind: "price" });
  if (price.currency === "EUR") return amount;
  return [
    amount,
    <div key="eur" class="sub">
      {Amount({ minor: price_eur_minor, currency: "EUR", kind: "price" })}
    </div>,
  ];
}

/** How an ask stands against the market average of its own year and condition, in EUR and per cent. */
function againstCell(price: Price) {
  if (price === undefined || price === null) return <span class="faint">–</span>;
  const { market_average_eur_minor: average, comparable_ask_eur_minor: ask } = price;
  if (average === undefined || average <= 0) {
    const isPending = price.cell_status === "pending";
    const text = isPending ? marketWords.pending : marketWords.fewAsks(price.listing_count);
    return <span class="sub">{text}</span>;
  }
  const profit = Amount({
    minor: toWhole(average - ask),
    currency: "EUR",
    kind: "profit",
    isSigned: true,
    isBuy: price.meets_buy_threshold,
  });
  if (isPresenting.value) return profit;
  return [
    profit,
    <div key="share" class="sub">
      {describeShare(ask, average)}
    </div>,
  ];
}

function describeShare(ask: number, average: number): string {
  const share = (average - ask) / average;
  // Below a twentieth of a per cent it would be shown as 0.0%.
  if (Math.abs(share) < 0.0005) return marketWords.atMarket;
  const text = formatShare(Math.abs(share));
  return share > 0 ? marketWords.below(text) : marketWords.above(text);
}

/** No figure of the calculation, because presenter mode hides those. */
function describeCell(price: Price): string | undefined {
  if (price === undefined || price === null) return undefined;
  const { year, condition_bucket, listing_count, configuration_label } = price;
  const cell = marketWords.cell({
    year,
    condition: condition_bucket,
    count: listing_count,
    label: configuration_label,
  });
  return price.hk_markup_eur_minor > 0 ? `${cell}; ${marketWords.withMarkup}` : cell;
}

function age(atMs: number, nowMs: number) {
  return ageElement(atMs, formatAgo(nowMs - atMs));
}

function country(callingCode: string | undefined) {
  return callingCode === undefined ? none() : (regionOf(callingCode) ?? `+${callingCode}`);
}

function groups({ source }: Listing) {
  const { group_names, group_ids } = source;
  const first = cut(group_names[0]) ?? none();
  if (group_ids.length < 2) return first;
  return [
    first,
    <div key="count" class="sub">
      {marketWords.groups(group_ids.length)}
    </div>,
  ];
}

function named(member: string, value: string | undefined) {
  return value === undefined ? none() : nameValue(member, value);
}

/** Isolated, so that a text that is written from right to left does not turn what stands beside it. */
function isolated(text: string | undefined) {
  const shown = cut(text);
  return shown === undefined ? undefined : <bdi>{shown}</bdi>;
}

function cut(text: string | undefined): string | undefined {
  if (text === undefined || text === "") return undefined;
  return text.length > TEXT_MAX ? `${text.slice(0, TEXT_MAX)}…` : text;
}

function none() {
  return <span class="faint">–</span>;
}
