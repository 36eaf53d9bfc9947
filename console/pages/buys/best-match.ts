import type { MatchContext, NamedAlertMatch, WatchMatch } from "../../../client/assay-client.ts";

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
export function bestContext(row: WatchMatch): MatchContext {
  return bestMatch(row)?.match.match_context ?? {};
}
