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

const BPS = 10_000;

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

// In bigint: an ask of a few million euros times the rate would still fit a double, a mistyped one need not.
function shareOf(amountMinor: number, rateBps: number): number {
  return Number((BigInt(amountMinor) * BigInt(rateBps) + BigInt(BPS / 2)) / BigInt(BPS));
}
