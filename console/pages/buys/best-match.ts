import type { MatchContext, NamedAlertMatch, WatchMatch } from "../../../client/assay-client.ts";
import type { Price } from "../../prices/read-prices.ts";

/** A row of the list. */
export interface Buy extends WatchMatch {
  /** How the ask stands now, for a match without a calculation of its own. */
  readonly price: Price;
}

/** The match that says most about a watch: the one with the highest profit, or else the latest. */
export function bestMatch({ matches }: WatchMatch): NamedAlertMatch | undefined {
  const profitOf = ({ match }: NamedAlertMatch): number =>
    match.match_context.profit_opportunity_eur_minor ?? Number.NEGATIVE_INFINITY;
  return matches.reduce<NamedAlertMatch | undefined>(
    (best, match) => (best === undefined || profitOf(match) > profitOf(best) ? match : best),
    undefined,
  );
}

/** The calculation at the time of that match. */
function bestContext(row: WatchMatch): MatchContext {
  return bestMatch(row)?.match.match_context ?? {};
}

export function hasCalculation({ matches }: Pick<WatchMatch, "matches">): boolean {
  return matches.some(
    ({ match }) => match.match_context.profit_opportunity_eur_minor !== undefined,
  );
}

/** The market average and the profit: of the match, or else of now. */
export function figuresOf(row: Buy): {
  readonly average: number | undefined;
  readonly profit: number | undefined;
} {
  const { baseline_average_eur_minor: average, profit_opportunity_eur_minor: profit } =
    bestContext(row);
  return {
    average: average ?? row.price?.market_average_eur_minor,
    profit: profit ?? row.price?.profit_opportunity_eur_minor,
  };
}
