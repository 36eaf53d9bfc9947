import { median, type SortedAmounts } from "./statistics.ts";

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
