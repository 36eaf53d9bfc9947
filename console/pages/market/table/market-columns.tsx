import type { ComponentChildren } from "preact";
import type { Listing, ListingMatch } from "../../../../client/assay-client.ts";
import { nameValue } from "../../../filters/value-names.ts";
import { Age } from "../../../parts/age.tsx";
import { Amount } from "../../../parts/amount.tsx";
import { countryOf, regionOf } from "../../../parts/country.ts";
import { Phone } from "../../../parts/phone.tsx";
import { Tag } from "../../../parts/tag.tsx";
import { marketWords } from "../../../words/market.ts";
import { AgainstCell } from "./against-cell.tsx";
import type { ColumnId } from "./column-ids.ts";

export interface MarketColumn {
  /** Of the room that is left: `2fr`; or fixed: `96px`. */
  readonly width: string;
  readonly isNumber?: boolean;
  readonly cell: (listing: Listing, price: ListingMatch | null | undefined) => ComponentChildren;
}

/** A dealer may put 64 kB into a name; the cell shows one line of it. */
const TEXT_MAX = 120;

/** What each column shows. A new column is an entry here, in `column-ids.ts` and in the words. */
export const MARKET_COLUMNS: Readonly<Record<ColumnId, MarketColumn>> = {
  watch: { width: "minmax(220px, 2.6fr)", cell: (listing) => <Watch listing={listing} /> },
  year: { width: "56px", isNumber: true, cell: ({ year }) => year ?? <None /> },
  condition: { width: "80px", cell: ({ condition }) => named("condition", condition) },
  set: { width: "110px", cell: ({ full_set_status }) => named("set", full_set_status[0]) },
  dial: { width: "90px", cell: ({ dial_type }) => <Text text={dial_type} /> },
  ask: { width: "136px", isNumber: true, cell: (listing) => <Ask listing={listing} /> },
  market: { width: "120px", isNumber: true, cell: (_, price) => <AgainstCell price={price} /> },
  average: {
    width: "92px",
    isNumber: true,
    cell: (_, price) => (
      <Amount minor={price?.market_average_eur_minor} currency="EUR" kind="threshold" />
    ),
  },
  dealer: { width: "minmax(104px, 1.2fr)", cell: (listing) => <Dealer listing={listing} /> },
  country: {
    width: "72px",
    cell: ({ sender }) => <Country callingCode={sender.country_prefix} />,
  },
  groups: { width: "minmax(104px, 1.4fr)", cell: (listing) => <Groups listing={listing} /> },
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

function Watch({ listing }: { readonly listing: Listing }) {
  const { brand, reference, model, year, condition, dial_type, full_set_status } = listing;
  const title = [brand, reference].filter(Boolean).join(" ");
  const details = [
    year,
    condition && nameValue("condition", condition),
    full_set_status[0] && nameValue("full_set_status", full_set_status[0]),
    dial_type,
  ];
  return (
    <>
      <a class="watch" href={`/listings/${listing.id}`}>
        <b>{title === "" ? marketWords.noName : <Text text={title} />}</b>{" "}
        <Text text={model} isEmptyOk />
      </a>
      <Marks listing={listing} />
      <div class="sub">{details.filter(Boolean).join(" · ")}</div>
    </>
  );
}

function Marks({ listing: { side, source } }: { readonly listing: Listing }) {
  return (
    <>
      {side === "want_to_buy" ? <Tag>{marketWords.wanted}</Tag> : null}
      {source.is_duplicate ? <Tag>{marketWords.repeated}</Tag> : null}
      {source.is_hidden ? <Tag tone="warn">{marketWords.hidden}</Tag> : null}
      {source.is_revoked ? <Tag tone="warn">{marketWords.deleted}</Tag> : null}
    </>
  );
}

function Ask({ listing: { price, price_eur_minor } }: { readonly listing: Listing }) {
  if (price === undefined) return <None />;
  return (
    <>
      <Amount minor={price.amount_minor} currency={price.currency} kind="price" />
      {price.currency === "EUR" ? null : (
        <div class="sub">
          <Amount minor={price_eur_minor} currency="EUR" kind="price" />
        </div>
      )}
    </>
  );
}

function Dealer({ listing: { sender } }: { readonly listing: Listing }) {
  return sender.display_name === undefined ? (
    <Phone number={sender.phone_number} />
  ) : (
    <Text text={sender.display_name} />
  );
}

function Country({ callingCode }: { readonly callingCode: string | undefined }) {
  if (callingCode === undefined) return <None />;
  return <span title={countryOf(callingCode)}>{regionOf(callingCode) ?? `+${callingCode}`}</span>;
}

function Groups({ listing: { source } }: { readonly listing: Listing }) {
  const { group_names, group_ids } = source;
  const [first] = group_names;
  return (
    <>
      <Text text={first} />
      {group_ids.length > 1 ? <div class="sub">{marketWords.groups(group_ids.length)}</div> : null}
    </>
  );
}

/** Isolated, so that a text that is written from right to left does not turn what stands beside it. */
function Text(props: { readonly text: string | undefined; readonly isEmptyOk?: boolean }) {
  const { text, isEmptyOk } = props;
  if (text === undefined || text === "") return isEmptyOk === true ? null : <None />;
  return <bdi>{text.length > TEXT_MAX ? `${text.slice(0, TEXT_MAX)}…` : text}</bdi>;
}

function None() {
  return <span class="faint">–</span>;
}

function named(member: string, value: string | undefined) {
  return value === undefined ? <None /> : nameValue(member, value);
}
