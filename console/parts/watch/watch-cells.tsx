/**
 * What a row about a watch shows, in Buys and in the market alike.
 *
 * These are functions that return elements, and neither components nor fragments: each of those costs about as much as what it
 * shows, and rows of the market appear while one scrolls.
 */
import type { ComponentChildren } from "preact";
import type { Listing } from "../../../client/assay-client.ts";
import { isPresenting } from "../../state/preferences.ts";
import { formatDay, formatShare, formatThousands, toWhole } from "../../words/formats.ts";
import { paneWords } from "../../words/pane.ts";
import { readingWords } from "../../words/reading.ts";
import { watchWords } from "../../words/watch.ts";
import { Amount, ProfitShare } from "../figures.tsx";
import { Tag } from "../table.tsx";
import { DealerCountry, DealerLink, watchTitle } from "../watch.tsx";
import { photosOf } from "./arriving-photos.ts";
import { whoDecided } from "./deal-line.tsx";
import { WatchPicture } from "./photos.tsx";
import type { WatchRow } from "./verdict.ts";
import { DrawnWatch } from "./watch-verdict.tsx";

/** A fall of less is a rounding. */
const DROP_BPS_MIN = 100;
/** A dealer may put 64 kB into a name; a cell shows one line of it. */
const TEXT_MAX = 120;

export function photoCell(row: WatchRow) {
  const { listing } = row;
  if (listing === undefined) return null;
  const media = photosOf(row);
  return media.length === 0 ? (
    DrawnWatch({ watch: listing })
  ) : (
    <WatchPicture watch={listing} media={media} />
  );
}

/** Reference and model; below it what the caller says, and what makes this row differ from others. */
export function watchCell(row: WatchRow, line: ComponentChildren, more: ComponentChildren) {
  const { listing } = row;
  if (listing === undefined) return <b>{paneWords.message}</b>;
  const { reference, model } = listing;
  const hasName = reference !== undefined || model !== undefined;
  return [
    <a key="watch" class="watch" href={`/listings/${listing.id}`} title={watchTitle(listing)}>
      <b>{isolated(hasName ? (reference ?? model) : watchTitle(listing))}</b>{" "}
      {reference === undefined ? null : isolated(model)}
    </a>,
    <div key="line" class="sub watch-line">
      {line}
      {marks(row)}
      {more}
    </div>,
  ];
}

export function conditionCell({ listing }: WatchRow) {
  return listing?.condition === undefined ? none() : readingWords.value(listing.condition);
}

/** Not stated is a question to ask before buying. */
export function setCell({ listing }: WatchRow) {
  const [first] = listing?.full_set_status ?? [];
  if (listing === undefined || (first === undefined && listing.side !== "for_sale")) return none();
  if (first === undefined) return Tag({ tone: "warn", children: watchWords.noSetShort });
  return <span title={readingWords.value(first)}>{watchWords.setOf(first)}</span>;
}

export function dialCell({ listing }: WatchRow) {
  return isolated(listing?.dial_type) ?? none();
}

/** The ask in its own currency. Below it in euro, or landed where no column says that. */
export function askCell({ listing, price: judged }: WatchRow, isLandedShown: boolean) {
  const { price, price_eur_minor } = listing ?? {};
  if (price === undefined) return none();
  const amount = Amount({ minor: price.amount_minor, currency: price.currency, kind: "price" });
  const landed = judged?.landed_eur_minor;
  if (!isLandedShown && landed !== undefined && landed !== price_eur_minor) {
    return [
      amount,
      <div key="landed" class="sub">
        {Amount({ minor: landed, currency: "EUR", kind: "threshold" })} {watchWords.landed}
      </div>,
    ];
  }
  if (price.currency === "EUR") return amount;
  return [
    amount,
    <div key="eur" class="sub">
      {Amount({ minor: price_eur_minor, currency: "EUR", kind: "price" })}
    </div>,
  ];
}

export function landedCell({ price }: WatchRow) {
  return Amount({ minor: price?.landed_eur_minor, currency: "EUR", kind: "threshold" });
}

/** The average, and what stands behind it: how many asks, and between which amounts half of them are. Or why there is none. */
export function marketCell({ headline, price, reason }: WatchRow, hasSpread: boolean) {
  const average = headline?.market_average_eur_minor;
  const evidence = price?.evidence;
  const counted = evidence?.counted ?? headline?.listing_count ?? 0;
  if (average === undefined) {
    return reason === undefined ? none() : <div class="sub">{watchWords.noPriceShort(reason)}</div>;
  }
  const spread =
    !hasSpread || evidence === undefined || isPresenting.value ? null : (
      <span class="spread">
        {` · ${formatThousands(evidence.low_eur_minor)}–${formatThousands(evidence.high_eur_minor)}k`}
      </span>
    );
  return [
    Amount({ minor: toWhole(average), currency: "EUR", kind: "threshold" }),
    <div key="asks" class="sub" title={watchWords.asks(counted, false)}>
      {evidence?.is_thin === true
        ? Tag({ tone: "warn", children: watchWords.thinCount(counted) })
        : [
            counted,
            <span key="word" class="asks-word">
              {" "}
              {watchWords.asksWord(counted)}
            </span>,
            spread,
          ]}
    </div>,
  ];
}

/** Green only if it is a buy. */
export function belowCell(row: WatchRow) {
  return below(row, null);
}

/** It also says how many asks stand behind it, for a table that may have no room for the market. */
export function belowCellWithAsks(row: WatchRow) {
  return below(row, isPresenting.value ? null : <span class="asks-here"> {asksOf(row)}</span>);
}

function below({ headline, price }: WatchRow, more: ComponentChildren) {
  const { profit_opportunity_eur_minor: profit, market_average_eur_minor: average } =
    headline ?? {};
  if (profit === undefined) return none();
  return [
    Amount({
      minor: toWhole(profit),
      currency: "EUR",
      kind: "profit",
      isBuy: price?.is_buy === true,
    }),
    <div key="share" class="sub">
      {ProfitShare({ profitMinor: profit, averageMinor: average })}
      {more}
    </div>,
  ];
}

function asksOf({ headline, price }: WatchRow) {
  const counted = price?.evidence?.counted ?? headline?.listing_count ?? 0;
  return price?.evidence?.is_thin === true
    ? Tag({ tone: "warn", children: watchWords.thinCount(counted) })
    : `· ${watchWords.asks(counted, false)}`;
}

export function offerCell({ price }: WatchRow) {
  const offer = price?.offer_up_to;
  if (offer === undefined) return none();
  const amount = Amount({
    minor: offer.shown_minor,
    currency: offer.currency,
    kind: "threshold",
  });
  return offer.is_approximate && !isPresenting.value ? ["≈ ", amount] : amount;
}

/** The dealer; below, where he is and in how many groups he posted it. */
export function dealerCell({ listing }: WatchRow, hasPlace: boolean) {
  if (listing === undefined) return none();
  const { sender, source } = listing;
  const dealer = DealerLink({ sender });
  if (!hasPlace) return dealer;
  return [
    dealer,
    <div key="place" class="sub facts">
      {DealerCountry({ callingCode: sender.country_prefix })}
      <span title={source.group_names.join("\n")}>{paneWords.groups(source.group_ids.length)}</span>
    </div>,
  ];
}

export function none() {
  return <span class="faint">–</span>;
}

/** Isolated, so that a text that is written from right to left does not turn what stands beside it. */
export function isolated(text: string | undefined) {
  if (text === undefined || text === "") return undefined;
  return <bdi>{text.length > TEXT_MAX ? `${text.slice(0, TEXT_MAX)}…` : text}</bdi>;
}

function marks({ deal, listing, is_blocked }: WatchRow) {
  return [
    deal === undefined ? null : (
      <Tag key="deal" tone={deal.state === "passed" ? "plain" : "good"}>
        {watchWords.state(deal.state)}
        {deal.updated_by === undefined ? "" : ` ${whoDecided(deal)}`}
      </Tag>
    ),
    priceDrop(deal?.price_drop ?? listing?.price_drop),
    is_blocked === true ? (
      <Tag key="blocked" tone="warn">
        {watchWords.blocked}
      </Tag>
    ) : null,
    listing?.source.is_revoked === true ? (
      <Tag key="revoked" tone="warn">
        {watchWords.revoked}
      </Tag>
    ) : null,
  ];
}

/** `↓ 8.2%`, if the dealer asked more before. */
export function priceDrop(drop: Listing["price_drop"]) {
  if (drop === undefined || drop.bps < DROP_BPS_MIN) return null;
  const share = formatShare(drop.bps / 10_000);
  return (
    <span key="drop" title={watchWords.dropLong(share, formatDay(drop.since_ms))}>
      <Tag tone="warn">{watchWords.drop(share)}</Tag>
    </span>
  );
}
