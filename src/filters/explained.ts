import type { Failure } from "./language/describe-clause.ts";

/** Why a listing does or does not belong to a view, a configuration or an alert. */
export interface Explained {
  readonly id: string;
  readonly name: string;
  readonly is_match: boolean;
  /** Empty if it is a match. */
  readonly failures: Failure[];
}

/** The most that one request shows of each kind. */
export const SHOWN_MAX = 20;

/** First the matches, then those that miss by the fewest clauses; otherwise in the given order. */
export function nearest<Item extends Explained>(items: readonly Item[]): Item[] {
  const rankOf = ({ is_match, failures }: Item): number => (is_match ? -1 : failures.length);
  return items.toSorted((left, right) => rankOf(left) - rankOf(right)).slice(0, SHOWN_MAX);
}
