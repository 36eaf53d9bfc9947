import { assert } from "../../base/errors.ts";

/** Ascending amounts in minor units, none of them negative. */
export type SortedAmounts = readonly number[];

const BPS = 10_000;

/** With fewer amounts the quartiles are too rough to find outliers. */
const OUTLIERS_COUNT_MIN = 5;

/**
 * The quantile by linear interpolation between closest ranks (R's type 7, PostgreSQL's `percentile_cont`), exact in
 * integers and then rounded half up.
 */
export function quantile(amounts: SortedAmounts, quantileBps: number): number {
  const last = amounts.length - 1;
  assert(last >= 0, "quantile: there are no amounts");
  const rank = last * quantileBps;
  const at = Math.floor(rank / BPS);
  const low = amountAt(amounts, at);
  const high = amountAt(amounts, Math.min(at + 1, last));
  return low + shareOf(high - low, rank - at * BPS);
}

/** Rounded half up. */
export function mean(amounts: readonly number[]): number {
  assert(amounts.length > 0, "mean: there are no amounts");
  let sum = 0n;
  for (const amount of amounts) sum += BigInt(amount);
  return toAmount(divideHalfUp(sum, BigInt(amounts.length)));
}

export function median(amounts: SortedAmounts): number {
  return quantile(amounts, BPS / 2);
}

/** The lowest and the highest amount that is no outlier. */
export interface Fences {
  readonly low: number;
  readonly high: number;
}

/**
 * An outlier lies more than 1.5 times the interquartile range below the first or above the third quartile. A fence that ends
 * in half a minor unit is rounded inwards, which separates the same integers. Returns undefined if the amounts are too few.
 */
export function findFences(amounts: SortedAmounts): Fences | undefined {
  if (amounts.length < OUTLIERS_COUNT_MIN) return undefined;
  const low = BigInt(quantile(amounts, 2_500));
  const high = BigInt(quantile(amounts, 7_500));
  // All values are doubled, so that 1.5 times the range is an integer.
  const reach = 3n * (high - low);
  const twiceLow = 2n * low - reach;
  return {
    low: twiceLow <= 0n ? 0 : Number((twiceLow + 1n) / 2n),
    // No amount is above 2^53, so a higher fence means the same.
    high: Math.min(Number((2n * high + reach) / 2n), Number.MAX_SAFE_INTEGER),
  };
}

export function isOutlier(amount: number, { low, high }: Fences): boolean {
  return amount < low || amount > high;
}

/** `shareBps` ten-thousandths of a non-negative amount, rounded half up. */
export function shareOf(amountMinor: number, shareBps: number): number {
  const product = amountMinor * shareBps;
  // Doubles are exact up to here. Only amounts of many billion euros need the slower path.
  if (product <= Number.MAX_SAFE_INTEGER - BPS) return Math.floor((product + BPS / 2) / BPS);
  return toAmount(divideHalfUp(BigInt(amountMinor) * BigInt(shareBps), BigInt(BPS)));
}

function divideHalfUp(dividend: bigint, divisor: bigint): bigint {
  return (2n * dividend + divisor) / (2n * divisor);
}

/** Throws above 2^53, because such an amount could not be read back exactly. */
export function toAmount(amountMinor: bigint): number {
  const amount = Number(amountMinor);
  assert(Number.isSafeInteger(amount), "an amount is above 2^53");
  return amount;
}

function amountAt(amounts: SortedAmounts, at: number): number {
  const amount = amounts[at];
  assert(amount !== undefined, "quantile: the rank is out of range");
  return amount;
}

/**
 * Finds asks that were most likely misread: a year taken for a price, US dollars for Hong Kong dollars. An ask is suspect if
 * it lies below or above given shares of the median of all asks of its cell. The median of at least three asks holds, even
 * if one of them is misread.
 *
 * The median of an even number of asks can end in half a minor unit. So the bounds are calculated from twice the median, as
 * integers, and rounded inwards: an integer is below a fraction exactly if it is below the next integer above the fraction.
 *
 * Example (50 % and 300 %): the asks are 202, 9,900, 10,000 and 10,100. The median is 9,950, the plausible range is 4,975 to
 * 29,850, and 202 is suspect.
 */

/** In minor units of EUR, as comparable asks. Both bounds are plausible themselves. */
export interface PlausibleRange {
  readonly plausible_min_eur_minor: number;
  readonly plausible_max_eur_minor: number;
  /** Of all asks, rounded half up. */
  readonly ask_median_eur_minor: number;
}

/** The bounds as shares of the median. */
export interface PlausibilityRules {
  readonly implausible_below_bps: number;
  readonly implausible_above_bps: number;
}

/** With two asks it is impossible to tell which of them is wrong. */
const ASKS_COUNT_MIN = 3;

const TWICE_BPS = 20_000n;

/** Returns undefined if the asks are too few, or if their median is 0. */
export function findPlausibleRange(
  asks: SortedAmounts,
  rules: PlausibilityRules,
): PlausibleRange | undefined {
  if (asks.length < ASKS_COUNT_MIN) return undefined;
  const twice = twiceMedian(asks);
  if (twice === 0n) return undefined;
  const below = twice * BigInt(rules.implausible_below_bps);
  const above = twice * BigInt(rules.implausible_above_bps);
  return {
    plausible_min_eur_minor: Number((below + TWICE_BPS - 1n) / TWICE_BPS),
    // No ask is above 2^53, so a higher bound means the same.
    plausible_max_eur_minor: Math.min(Number(above / TWICE_BPS), Number.MAX_SAFE_INTEGER),
    ask_median_eur_minor: median(asks),
  };
}

/** Takes the bounds of a cell. Without bounds no ask is suspect. */
export function isSuspect(
  comparableAskEurMinor: number,
  cell: {
    readonly plausible_min_eur_minor: number | null;
    readonly plausible_max_eur_minor: number | null;
  },
): boolean {
  const { plausible_min_eur_minor: min, plausible_max_eur_minor: max } = cell;
  if (min === null || max === null) return false;
  return comparableAskEurMinor < min || comparableAskEurMinor > max;
}

function twiceMedian(asks: SortedAmounts): bigint {
  const lower = asks[Math.floor((asks.length - 1) / 2)] ?? 0;
  const upper = asks[Math.floor(asks.length / 2)] ?? 0;
  return BigInt(lower) + BigInt(upper);
}
