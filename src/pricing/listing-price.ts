/**
 * What a rule says about one ask, in the words of a dealer: what the watch costs landed, whether it is a buy, up to which amount
 * it would be one, and how much stands behind the price. Of several rules one is the headline: the one that sends buys, then
 * the more specific one. Counts and amounts do not decide it, so it does not flip.
 *
 * Example: a watch in Hong Kong is asked at HK$ 80,000. At 9.05 that is 8,839.78, landed 9,431.77 with a mark-up of
 * 5 % + 150.00. The cell has an average of 10,320.00 and a maximum of 9,820.00, so the watch is a buy. The highest ask in
 * Hong Kong is 9,209.52, which is HK$ 83,346.20; a page shows HK$ 83,340.
 */
import { DAY_MS } from "../base/clock.ts";
import { sql } from "../db/sql.ts";
import { isOnOffer, type OfferState } from "../listings/offers.ts";
import type { SourceMarket } from "../matching/membership-store.ts";
import { type DatedRate, type DatedRateOf, toEurPrice } from "../rates/fx.ts";
import { hkMarkupOf } from "./cells/cell.ts";
import { isSuspect } from "./cells/statistics.ts";
import { judgeBuy, maximumHkAsk, toComparableAsk } from "./thresholds.ts";

/** What orders the rules of a listing. */
export interface HeadlineRank {
  readonly buy_signals_enabled: boolean;
  readonly specificity: number;
  readonly configuration_key: string;
}

/** The headline comes first. Only rules with an available cell take part. */
export function compareHeadlines(left: HeadlineRank, right: HeadlineRank): number {
  if (left.buy_signals_enabled !== right.buy_signals_enabled)
    return left.buy_signals_enabled ? -1 : 1;
  if (left.specificity !== right.specificity) return right.specificity - left.specificity;
  // By bytes, as the store orders them.
  return Buffer.compare(Buffer.from(left.configuration_key), Buffer.from(right.configuration_key));
}

/** The same order in SQL, over the row `configuration`. */
export const HEADLINE_ORDER = sql`
  configuration.buy_signals_enabled desc, configuration.specificity desc, configuration.configuration_key collate "C"`;

/** An ask as the dealer wrote it, with the time whose rate converts it. */
export interface WrittenAsk {
  readonly amountMinor: number;
  readonly currency: string;
  readonly askedAtMs: number;
}

/** What of a cell and of its rules decides whether an ask is a buy. */
export interface BuyTerms {
  readonly hk_markup_rate_bps: number;
  readonly hk_markup_fixed_eur_minor: number;
  readonly maximum_buy_eur_minor: number | null;
  readonly plausible_min_eur_minor: number | null;
  readonly plausible_max_eur_minor: number | null;
}

/** The part of a cell and of its rules that responses show. */
export interface PricedCell extends BuyTerms {
  readonly maximum_hk_ask_eur_minor: number | null;
  readonly listing_count: number;
  readonly quartile_low_eur_minor: number | null;
  readonly quartile_high_eur_minor: number | null;
  readonly newest_at_ms: number | null;
}

export interface OfferUpTo {
  /** Exact: one minor unit more is no buy. */
  readonly amount_minor: number;
  /** What people see: the lower of the amounts at the rates of that day and of today, rounded down to four digits. */
  readonly shown_minor: number;
  readonly currency: string;
  /** The day of the rate. */
  readonly rate_day_ms: number;
  /** The rate is built in, or a peg without a guarantee. */
  readonly is_approximate: boolean;
}

export interface Evidence {
  readonly counted: number;
  readonly low_eur_minor: number;
  readonly high_eur_minor: number;
  readonly newest_at_ms: number;
  readonly is_thin: boolean;
}

/** Why a watch with a price is no buy. */
export const NO_BUY_REASONS = [
  "above_maximum",
  "signals_off",
  "stale",
  "suspect",
  "replaced",
  "gone",
] as const;
export type NoBuyReason = (typeof NO_BUY_REASONS)[number];

const THIN_BELOW = 5;

interface JudgedRule {
  readonly cell: BuyTerms;
  readonly market: SourceMarket;
  readonly sendsBuys: boolean;
  readonly isStale: boolean;
}

/** Undefined if the ask is a buy by this rule. The cell must be available. */
export function findNoBuyReason(
  askEurMinor: number,
  { cell, market, sendsBuys, isStale }: JudgedRule,
  offerState: OfferState,
): NoBuyReason | undefined {
  if (!isOnOffer(offerState)) return offerState === "gone" ? "gone" : "replaced";
  const landed = toLanded(askEurMinor, market, cell);
  if (isSuspect(landed, cell)) return "suspect";
  if (judgeBuy(landed, cell) !== "buy") return "above_maximum";
  if (!sendsBuys) return "signals_off";
  return isStale ? "stale" : undefined;
}

function toLanded(askEurMinor: number, market: SourceMarket, cell: BuyTerms): number {
  return toComparableAsk(askEurMinor, market, hkMarkupOf(cell)).comparableAskEurMinor;
}

/** Undefined if the cell has no prices. */
export function toEvidence(cell: PricedCell): Evidence | undefined {
  const { quartile_low_eur_minor: low, quartile_high_eur_minor: high, newest_at_ms } = cell;
  if (low === null || high === null || newest_at_ms === null) return undefined;
  return {
    counted: cell.listing_count,
    low_eur_minor: low,
    high_eur_minor: high,
    newest_at_ms,
    is_thin: cell.listing_count < THIN_BELOW,
  };
}

/**
 * The highest ask in the currency of the ask that is a buy by the cell as it was calculated, at the rate of the ask's day.
 * Undefined if no ask is one, if there is no rate, or if the ask, or an ask of that amount, is suspect.
 */
export function findOfferUpTo(
  ask: WrittenAsk,
  { cell, market }: Pick<JudgedRule, "cell" | "market">,
  { rateOf, nowMs }: { readonly rateOf: DatedRateOf; readonly nowMs: number },
): OfferUpTo | undefined {
  const { maximum_buy_eur_minor: landed } = cell;
  if (landed === null) return undefined;
  const maximum = market === "EU" ? landed : maximumHkAsk(landed, hkMarkupOf(cell));
  if (maximum === 0) return undefined;
  const { currency, askedAtMs, amountMinor } = ask;
  const isEuro = currency === "EUR";
  const rate = isEuro ? undefined : rateOf(currency, askedAtMs);
  if (!isEuro && rate === undefined) return undefined;
  const amount = toHighestAmount(maximum, rate);
  const today = toHighestAmount(maximum, isEuro ? undefined : (rateOf(currency, nowMs) ?? rate));
  const isDoubtful = (askMinor: number) => {
    const eur = toEurPrice({ amountMinor: askMinor, currency }, askedAtMs, rateOf);
    return eur === undefined || isSuspect(toLanded(eur.eurMinor, market, cell), cell);
  };
  if (amount === 0 || !Number.isSafeInteger(amount)) return undefined;
  if (isDoubtful(amountMinor) || isDoubtful(amount)) return undefined;
  return {
    amount_minor: amount,
    shown_minor: roundDown(Math.min(amount, today)),
    currency,
    rate_day_ms: (rate?.dayNumber ?? Math.floor(askedAtMs / DAY_MS)) * DAY_MS,
    is_approximate: rate?.isApproximate ?? false,
  };
}

/**
 * The highest amount that is not above the euros after the conversion, which rounds half up: with d / v the rate, the largest
 * a with floor(a v / d + 1/2) <= m, so a v / d < m + 1/2.
 */
function toHighestAmount(maximumEurMinor: number, rate: DatedRate | undefined): number {
  if (rate === undefined) return maximumEurMinor;
  const twice = rate.digits * (2n * BigInt(maximumEurMinor) + 1n);
  return Number((twice - 1n) / (2n * rate.divisor));
}

const DIGITS_SHOWN = 4;

/** Down to four significant digits: 8,334,620 becomes 8,334,000. */
function roundDown(amountMinor: number): number {
  const unit = 10 ** Math.max(0, String(amountMinor).length - DIGITS_SHOWN);
  return Math.floor(amountMinor / unit) * unit;
}
