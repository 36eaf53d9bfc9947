import { assert } from "../base/assert.ts";

/** Ascending amounts in minor units, none of them negative. */
export type SortedAmounts = readonly number[];

const BPS = 10_000;
/** From this many amounts on quartiles say enough to call one of them an outlier. */
const OUTLIERS_COUNT_MIN = 5;

/**
 * The quantile by linear interpolation between closest ranks (R's type 7, PostgreSQL's `percentile_cont`), exact in
 * integers and then rounded half up.
 */
export function quantile(amounts: SortedAmounts, quantileBps: number): number {
  const last = amounts.length - 1;
  assert(last >= 0, "quantile: there is no amount");
  const rank = last * quantileBps;
  const at = Math.floor(rank / BPS);
  const low = amountAt(amounts, at);
  const high = amountAt(amounts, Math.min(at + 1, last));
  return low + shareOf(high - low, rank - at * BPS);
}

/** Rounded half up. */
export function mean(amounts: readonly number[]): number {
  assert(amounts.length > 0, "mean: there is no amount");
  let sum = 0n;
  for (const amount of amounts) sum += BigInt(amount);
  return toAmount(divideHalfUp(sum, BigInt(amounts.length)));
}

export function median(amounts: SortedAmounts): number {
  return quantile(amounts, BPS / 2);
}

/** Without those that lie beyond one and a half times the range of the middle half. */
export function dropOutliers(amounts: SortedAmounts): SortedAmounts {
  if (amounts.length < OUTLIERS_COUNT_MIN) return amounts;
  const low = BigInt(quantile(amounts, 2_500));
  const high = BigInt(quantile(amounts, 7_500));
  // Twice everything, so that the half stays an integer.
  const reach = 3n * (high - low);
  return amounts.filter((amount) => {
    const twice = 2n * BigInt(amount);
    return twice >= 2n * low - reach && twice <= 2n * high + reach;
  });
}

/** So many ten-thousandths of an amount that is not negative, rounded half up. */
export function shareOf(amountMinor: number, shareBps: number): number {
  const product = amountMinor * shareBps;
  // Up to here doubles are exact; an amount of a few hundred thousand million euros is beyond.
  if (product <= Number.MAX_SAFE_INTEGER - BPS) return Math.floor((product + BPS / 2) / BPS);
  return toAmount(divideHalfUp(BigInt(amountMinor) * BigInt(shareBps), BigInt(BPS)));
}

function divideHalfUp(dividend: bigint, divisor: bigint): bigint {
  return (2n * dividend + divisor) / (2n * divisor);
}

/** What lies beyond 2^53 could not be read back exactly. */
export function toAmount(amountMinor: bigint): number {
  const amount = Number(amountMinor);
  assert(Number.isSafeInteger(amount), "an amount is beyond 2^53");
  return amount;
}

function amountAt(amounts: SortedAmounts, at: number): number {
  const amount = amounts[at];
  assert(amount !== undefined, "quantile: the rank is beyond the amounts");
  return amount;
}
