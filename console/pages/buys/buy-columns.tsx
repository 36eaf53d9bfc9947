/** What each column of the list shows. A new column is an entry here, in `COLUMN_IDS` and in the words. */
import type { ComponentChildren } from "preact";
import type { Listing, WatchMatch } from "../../../client/assay-client.ts";
import { Age, Amount, ProfitShare } from "../../parts/figures.tsx";
import { Tag } from "../../parts/table.tsx";
import { DrawnWatch } from "../../parts/watch/watch-verdict.tsx";
import { DealerCountry, DealerLink, watchDetails, watchTitle } from "../../parts/watch.tsx";
import { isPresenting } from "../../state/preferences.ts";
import { buysWords } from "../../words/buys.ts";
import { formatDay, formatShare, formatThousands, toWhole } from "../../words/formats.ts";
import { readingWords } from "../../words/reading.ts";
import { watchWords } from "../../words/watch.ts";
import type { ColumnId } from "./buys-address.ts";

interface BuyColumn {
  readonly cell: (row: WatchMatch) => ComponentChildren;
  readonly isNumber?: boolean;
  /** Left out where there is no room for all; the watch then says what it would. */
  readonly isOptional?: boolean;
}

/** A fall of less is a rounding. */
const DROP_BPS_MIN = 100;

export const BUY_COLUMNS: Readonly<Record<ColumnId, BuyColumn>> = {
  photo: { cell: ({ listing }) => (listing === undefined ? null : <DrawnWatch watch={listing} />) },
  watch: { cell: (row) => <Watch row={row} /> },
  year: { isNumber: true, isOptional: true, cell: ({ listing }) => listing?.year ?? none() },
  condition: { isOptional: true, cell: ({ listing }) => nameOf(listing?.condition) },
  set: {
    isOptional: true,
    cell: ({ listing }) => (listing === undefined ? none() : <SetOf listing={listing} />),
  },
  dial: { isOptional: true, cell: ({ listing }) => <bdi>{listing?.dial_type ?? none()}</bdi> },
  ask: { isNumber: true, cell: (row) => <Ask row={row} /> },
  landed: {
    isNumber: true,
    isOptional: true,
    cell: ({ price }) => <Amount minor={price?.landed_eur_minor} currency="EUR" kind="threshold" />,
  },
  market: { isNumber: true, cell: (row) => <Market row={row} /> },
  below: { isNumber: true, cell: (row) => <Below row={row} /> },
  offer: { isNumber: true, cell: (row) => <Offer row={row} /> },
  dealer: { isOptional: true, cell: (row) => <Dealer row={row} /> },
  age: { isNumber: true, cell: ({ matched_at_ms }) => <Age atMs={matched_at_ms} /> },
};

/** Reference and model; below it the brand, what the columns that are left out would say, and marks. */
function Watch({ row }: { readonly row: WatchMatch }) {
  const { listing } = row;
  if (listing === undefined) return <b>{buysWords.message}</b>;
  const { reference, model, brand } = listing;
  const hasName = reference !== undefined || model !== undefined;
  return (
    <>
      <a class="watch" href={`/listings/${listing.id}`} title={watchTitle(listing)}>
        <b>{hasName ? (reference ?? model) : watchTitle(listing)}</b>{" "}
        {reference === undefined ? null : model}
      </a>
      <div class="sub watch-line">
        <span class="watch-brand">{hasName ? brand : null}</span>
        <bdi class="watch-dial">{listing.dial_type}</bdi>
        <span class="watch-details">
          {watchDetails(listing)}
          {listing.full_set_status.length === 0 ? (
            <span class="warn-words"> · {watchWords.noSet}</span>
          ) : null}
        </span>
        <Marks row={row} />
      </div>
    </>
  );
}

/** What makes this row differ from others. */
function Marks({ row }: { readonly row: WatchMatch }) {
  const { deal, listing, is_shadow, is_blocked, no_buy_reason } = row;
  return (
    <>
      {deal === undefined ? null : (
        <Tag tone={deal.state === "passed" ? "plain" : "good"}>
          {watchWords.state(deal.state)}
          {deal.updated_by === undefined ? "" : ` ${watchWords.by(deal.updated_by)}`}
        </Tag>
      )}
      <PriceDrop row={row} />
      {is_blocked === true ? <Tag tone="warn">{buysWords.blocked}</Tag> : null}
      {is_shadow ? <span class="tag mark-trial">{buysWords.shadow}</span> : null}
      {listing?.source.is_revoked === true ? <Tag tone="warn">{buysWords.revoked}</Tag> : null}
      {no_buy_reason === undefined ? null : (
        <span class="tag mark-reason">{buysWords.noBuy(no_buy_reason)}</span>
      )}
    </>
  );
}

function PriceDrop({ row: { listing, deal } }: { readonly row: WatchMatch }) {
  const drop = deal?.price_drop ?? listing?.price_drop;
  if (drop === undefined || drop.bps < DROP_BPS_MIN) return null;
  const share = formatShare(drop.bps / 10_000);
  return (
    <span title={buysWords.dropLong(share, formatDay(drop.since_ms))}>
      <Tag tone="warn">{buysWords.drop(share)}</Tag>
    </span>
  );
}

/** Not stated is a question to ask before buying. */
function SetOf({ listing: { full_set_status } }: { readonly listing: Listing }) {
  const [first] = full_set_status;
  if (first === undefined) return <Tag tone="warn">{buysWords.noSet}</Tag>;
  return <span title={readingWords.value(first)}>{buysWords.setOf(first)}</span>;
}

function Ask({ row: { listing } }: { readonly row: WatchMatch }) {
  const price = listing?.price;
  if (price === undefined) return none();
  return (
    <>
      <Amount minor={price.amount_minor} currency={price.currency} kind="price" />
      {price.currency === "EUR" ? null : (
        <div class="sub">
          <Amount minor={listing?.price_eur_minor} currency="EUR" kind="price" />
        </div>
      )}
    </>
  );
}

/** The average, and what stands behind it: how many asks, and between which amounts half of them are. */
function Market({ row: { headline, price } }: { readonly row: WatchMatch }) {
  const average = headline?.market_average_eur_minor;
  const evidence = price?.evidence;
  const counted = evidence?.counted ?? headline?.listing_count ?? 0;
  if (average === undefined) return none();
  return (
    <>
      <Amount minor={toWhole(average)} currency="EUR" kind="threshold" />
      <div class="sub" title={buysWords.asks(counted)}>
        {evidence?.is_thin === true ? (
          <Tag tone="warn">{buysWords.thin(counted)}</Tag>
        ) : (
          <>
            {counted}
            <span class="asks-word"> {buysWords.asksWord(counted)}</span>
          </>
        )}
        {evidence === undefined || evidence.is_thin || isPresenting.value ? null : (
          <span class="spread">
            {` · ${formatThousands(evidence.low_eur_minor)}–${formatThousands(evidence.high_eur_minor)}k`}
          </span>
        )}
      </div>
    </>
  );
}

function Below({ row: { headline, price } }: { readonly row: WatchMatch }) {
  const { profit_opportunity_eur_minor: profit, market_average_eur_minor: average } =
    headline ?? {};
  return (
    <>
      <Amount
        minor={profit === undefined ? undefined : toWhole(profit)}
        currency="EUR"
        kind="profit"
        isBuy={price?.is_buy === true}
      />
      <div class="sub">
        <ProfitShare profitMinor={profit} averageMinor={average} />
      </div>
    </>
  );
}

function Offer({ row: { price } }: { readonly row: WatchMatch }) {
  const offer = price?.offer_up_to;
  if (offer === undefined) return none();
  return (
    <>
      {offer.is_approximate && !isPresenting.value ? "≈ " : null}
      <Amount minor={offer.shown_minor} currency={offer.currency} kind="threshold" />
    </>
  );
}

function Dealer({ row: { listing } }: { readonly row: WatchMatch }) {
  if (listing === undefined) return none();
  const { sender, source } = listing;
  return (
    <>
      <DealerLink sender={sender} />
      <div class="sub facts">
        <DealerCountry callingCode={sender.country_prefix} />
        <span title={source.group_names.join("\n")}>
          {buysWords.groups(source.group_ids.length)}
        </span>
      </div>
    </>
  );
}

function nameOf(name: string | undefined): ComponentChildren {
  return name === undefined ? none() : readingWords.value(name);
}

function none() {
  return <span class="faint">–</span>;
}
