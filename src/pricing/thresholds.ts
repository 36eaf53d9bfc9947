import { shareOf, toAmount } from "./statistics.ts";

export type SourceMarket = "EU" | "HK";

/** What it costs to bring a watch from Hong Kong: a share of the ask and a fixed sum. */
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

/** All statistics and thresholds compare asks as if the watch stood in the EU already. */
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

/** What a watch may cost at most, all included; 0 when no ask leaves the profit. */
export function maximumBuy(averageEurMinor: number, minimumProfitEurMinor: number): number {
  return Math.max(0, averageEurMinor - minimumProfitEurMinor);
}

/**
 * The largest ask in Hong Kong whose comparable ask is not above the maximum; 0 when there is none. With r the rate and
 * b the maximum less the fixed sum, floor(a(1 + r) + 1/2) <= b holds exactly up to this a.
 */
export function maximumHkAsk(maximumBuyEurMinor: number, markup: HkMarkup): number {
  const left = BigInt(maximumBuyEurMinor) - BigInt(markup.fixedEurMinor);
  if (left <= 0n) return 0;
  return toAmount((left * BPS + BPS / 2n - 1n) / (BPS + BigInt(markup.rateBps)));
}

/** A maximum of 0 says that no ask qualifies, not even one of nothing. */
export function meetsThreshold(comparableAskEurMinor: number, maximumBuyEurMinor: number): boolean {
  return maximumBuyEurMinor > 0 && comparableAskEurMinor <= maximumBuyEurMinor;
}
