/**
 * The calculation of a buy as lines, as it stood and as it is now.
 *
 * As it stood: the context of the match, which never changes. Now: what the price engine says. All amounts are hundredths
 * of EUR. The comparable ask is at most the most to pay if it is a buy.
 */
import type { ListingMatch, MatchContext } from "../../../client/assay-client.ts";

export interface LedgerLine {
  readonly id: "ask" | "markup" | "comparable" | "average" | "minimum" | "most" | "profit";
  readonly thenMinor: number | undefined;
  readonly nowMinor: number | undefined;
}

export function toLedger(then: MatchContext, now: ListingMatch | undefined): readonly LedgerLine[] {
  const line = (
    id: LedgerLine["id"],
    thenMinor: number | undefined,
    nowMinor: number | undefined,
  ): LedgerLine => ({ id, thenMinor, nowMinor });
  return [
    line("ask", then.original_ask_eur_minor, now?.original_ask_eur_minor),
    line("markup", then.hk_markup_eur_minor, now?.hk_markup_eur_minor),
    line("comparable", then.comparable_ask_eur_minor, now?.comparable_ask_eur_minor),
    line("average", then.baseline_average_eur_minor, now?.market_average_eur_minor),
    line("minimum", then.minimum_profit_eur_minor, now?.minimum_profit_eur_minor),
    line("most", mostToPay(then), now?.maximum_eu_ask_eur_minor),
    line("profit", then.profit_opportunity_eur_minor, now?.profit_opportunity_eur_minor),
  ];
}

/** The context does not have it, but all that it follows from. */
function mostToPay(then: MatchContext): number | undefined {
  const { baseline_average_eur_minor: average, minimum_profit_eur_minor: minimum } = then;
  if (average === undefined || minimum === undefined) return undefined;
  return Math.max(0, average - minimum);
}

/** Now, by the same configuration; if it does not cover the watch any more, by the one with the highest profit. */
export function chooseNow(
  items: readonly ListingMatch[],
  configurationId: string | undefined,
): ListingMatch | undefined {
  const same = items.find(({ configuration_id }) => configuration_id === configurationId);
  const profitOf = (item: ListingMatch): number =>
    item.profit_opportunity_eur_minor ?? Number.NEGATIVE_INFINITY;
  return same ?? items.toSorted((left, right) => profitOf(right) - profitOf(left))[0];
}
