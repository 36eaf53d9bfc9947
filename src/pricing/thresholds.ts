import type { SourceMarket } from "../matching/membership-store.ts";
import { isSuspect, shareOf, toAmount } from "./cells/statistics.ts";

/** The cost of importing a watch from Hong Kong: a share of the ask plus a fixed amount. */
export interface HkMarkup {
  readonly rateBps: number;
  readonly fixedEurMinor: number;
}

export interface ComparableAsk {
  readonly originalAskEurMinor: number;
  readonly hkMarkupEurMinor: number;
  readonly comparableAskEurMinor: number;
}

const BPS = 10_000n;

/** The ask as if the watch were in the EU already. All statistics and thresholds use it. */
export function toComparableAsk(
  askEurMinor: number,
  market: SourceMarket,
  markup: HkMarkup,
): ComparableAsk {
  const hkMarkupEurMinor =
    market === "EU" ? 0 : shareOf(askEurMinor, markup.rateBps) + markup.fixedEurMinor;
  return {
    originalAskEurMinor: askEurMinor,
    hkMarkupEurMinor,
    comparableAskEurMinor: askEurMinor + hkMarkupEurMinor,
  };
}

/** The highest comparable ask that leaves the minimum profit; 0 if there is none. */
export function maximumBuy(averageEurMinor: number, minimumProfitEurMinor: number): number {
  return Math.max(0, averageEurMinor - minimumProfitEurMinor);
}

/**
 * The highest ask in Hong Kong whose comparable ask is not above the maximum; 0 if there is none. With r the rate and b
 * the maximum minus the fixed amount, it is the largest integer a with floor(a(1 + r) + 1/2) <= b.
 *
 * Example: with a maximum of 9,820.00 and a mark-up of 5 % + 150.00 it is 9,209.52.
 */
export function maximumHkAsk(maximumBuyEurMinor: number, markup: HkMarkup): number {
  const left = BigInt(maximumBuyEurMinor) - BigInt(markup.fixedEurMinor);
  if (left <= 0n) return 0;
  return toAmount((left * BPS + BPS / 2n - 1n) / (BPS + BigInt(markup.rateBps)));
}

/** With a maximum of 0 no ask qualifies, not even an ask of 0. */
export function meetsThreshold(comparableAskEurMinor: number, maximumBuyEurMinor: number): boolean {
  return maximumBuyEurMinor > 0 && comparableAskEurMinor <= maximumBuyEurMinor;
}

/** `no_prices`: the cell has none. An ask within the maximum that is suspect is no buy. */
export type BuyVerdict = "no_prices" | "above_maximum" | "suspect" | "buy";

export function judgeBuy(
  comparableAskEurMinor: number,
  cell: {
    readonly maximum_buy_eur_minor: number | null;
    readonly plausible_min_eur_minor: number | null;
    readonly plausible_max_eur_minor: number | null;
  },
): BuyVerdict {
  const maximum = cell.maximum_buy_eur_minor;
  if (maximum === null) return "no_prices";
  if (!meetsThreshold(comparableAskEurMinor, maximum)) return "above_maximum";
  return isSuspect(comparableAskEurMinor, cell) ? "suspect" : "buy";
}
