import type { ComponentChildren } from "preact";
import type { Listing, ListingMatch } from "../../../../client/assay-client.ts";
import { nameValue } from "../../../filters/value-names.ts";
import { Age } from "../../../parts/age.tsx";
import { Amount } from "../../../parts/amount.tsx";
import { countryOf, regionOf } from "../../../parts/country.ts";
import { Phone } from "../../../parts/phone.tsx";
import { Tag } from "../../../parts/tag.tsx";
import { marketWords } from "../../../words/market.ts";
import { againstCell } from "./against-cell.tsx";
import type { ColumnId } from "./column-ids.ts";

export interface MarketColumn {
  /** Of the room that is left: `2fr`; or fixed: `96px`. */
  readonly width: string;
  readonly isNumber?: boolean;
  readonly cell: (listing: Listing, price: ListingMatch | null | undefined) => ComponentChildren;
}

/** A dealer may put 64 kB into a name; the cell shows one line of it. */
const TEXT_MAX = 120;

/**
 * What each column shows. A new column is an entry here, in `column-ids.ts` and in the words.
 *
 * Cells are functions and not components: a component costs about as much as what it shows, and rows appear while one scrolls.
 */
export const MARKET_COLUMNS: Readonly<Record<ColumnId, MarketColumn>> = {
  watch: { width: "minmax(220px, 2.6fr)", cell: (listing) => watch(listing) },
  year: { width: "56px", isNumber: true, cell: ({ year }) => year ?? none() },
  condition: { width: "80px", cell: ({ condition }) => named("condition", condition) },
  set: { width: "110px", cell: ({ full_set_status }) => named("set", full_set_status[0]) },
  dial: { width: "90px", cell: ({ dial_type }) => textOf(dial_type) ?? none() },
  ask: { width: "136px", isNumber: true, cell: (listing) => ask(listing) },
  market: { width: "120px", isNumber: true, cell: (_, price) => againstCell(price) },
  average: {
    width: "92px",
    isNumber: true,
    cell: (_, price) =>
      Amount({ minor: price?.market_average_eur_minor, currency: "EUR", kind: "threshold" }),
  },
  dealer: { width: "minmax(104px, 1.2fr)", cell: (listing) => dealer(listing) },
  country: {
    width: "72px",
    cell: ({ sender }) => country(sender.country_prefix),
  },
  groups: { width: "minmax(104px, 1.4fr)", cell: (listing) => groups(listing) },
  posts: { width: "56px", isNumber: true, cell: ({ source }) => source.occurrence_count },
  seen: {
    width: "72px",
    isNumber: true,
    cell: ({ source }) => <Age atMs={source.last_seen_at_ms} />,
  },
  sent: {
    width: "72px",
    isNumber: true,
    cell: ({ source }) => <Age atMs={source.message_timestamp_ms} />,
  },
};

function watch(listing: Listing) {
  const { brand, reference, model, year, condition, dial_type, full_set_status } = listing;
  const details = [
    year,
    condition && nameValue("condition", condition),
    full_set_status[0] && nameValue("full_set_status", full_set_status[0]),
    dial_type,
  ];
  return (
    <>
      <a class="watch" href={`/listings/${listing.id}`}>
        <b>{textOf([brand, reference].filter(Boolean).join(" ")) ?? marketWords.noName}</b>{" "}
        {textOf(model)}
      </a>
      {marks(listing)}
      <div class="sub">{details.filter(Boolean).join(" · ")}</div>
    </>
  );
}

function marks({ side, source }: Listing) {
  return [
    side === "want_to_buy" ? <Tag>{marketWords.wanted}</Tag> : null,
    source.is_duplicate ? <Tag>{marketWords.repeated}</Tag> : null,
    source.is_hidden ? <Tag tone="warn">{marketWords.hidden}</Tag> : null,
    source.is_revoked ? <Tag tone="warn">{marketWords.deleted}</Tag> : null,
  ];
}

function ask({ price, price_eur_minor }: Listing) {
  if (price === undefined) return none();
  return (
    <>
      {Amount({ minor: price.amount_minor, currency: price.currency, kind: "price" })}
      {price.currency === "EUR" ? null : (
        <div class="sub">{Amount({ minor: price_eur_minor, currency: "EUR", kind: "price" })}</div>
      )}
    </>
  );
}

function dealer({ sender }: Listing) {
  return textOf(sender.display_name) ?? Phone({ number: sender.phone_number }) ?? none();
}

function country(callingCode: string | undefined) {
  if (callingCode === undefined) return none();
  return <span title={countryOf(callingCode)}>{regionOf(callingCode) ?? `+${callingCode}`}</span>;
}

function groups({ source }: Listing) {
  const { group_names, group_ids } = source;
  return (
    <>
      {textOf(group_names[0]) ?? none()}
      {group_ids.length > 1 ? <div class="sub">{marketWords.groups(group_ids.length)}</div> : null}
    </>
  );
}

/** Isolated, so that a text that is written from right to left does not turn what stands beside it. */
function textOf(text: string | undefined) {
  if (text === undefined || text === "") return null;
  return <bdi>{text.length > TEXT_MAX ? `${text.slice(0, TEXT_MAX)}…` : text}</bdi>;
}

function none() {
  return <span class="faint">–</span>;
}

function named(member: string, value: string | undefined) {
  return value === undefined ? none() : nameValue(member, value);
}
