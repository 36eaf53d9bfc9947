import type { FULL_SET_STATUSES } from "../../listings/listing.ts";
import type { Clause } from "./clause.ts";
import { asksNothing } from "./members.ts";

/**
 * Which sets a price compares: a watch without papers is not worth what a full set is. Left out is an ask that states its
 * set and has no admitted one; an ask that says nothing stays. No member of the filter object says so, because filter objects are
 * part of the API's contract: a profile and a configuration declare it beside their other rules.
 *
 * Example: `papers` leaves out `["WATCH"]`, and keeps `["FULL_SET"]`, `["WATCH_AND_CARD", "WATCH_AND_BOX"]` and `[]`.
 */
export const SETS = ["any", "papers", "complete"] as const;
export type Sets = (typeof SETS)[number];

const ADMITTED: Readonly<
  Record<Exclude<Sets, "any">, readonly (typeof FULL_SET_STATUSES)[number][]>
> = {
  papers: ["FULL_SET", "WATCH_AND_CARD"],
  complete: ["FULL_SET"],
};

export function clausesOfSets(sets: Sets | null): readonly Clause[] {
  if (sets === null || sets === "any") return [];
  const attribute = "full_set_status";
  return [{ member: "sets", kind: "absent_or_any_of", attribute, values: ADMITTED[sets] }];
}

/** The members of a filter object that ask for sets. */
export const SET_MEMBERS = ["full_set_status", "full_set_options"] as const;

/** Returns true if one of the members is there and asks something. */
export function restricts(
  filters: Readonly<Record<string, unknown>>,
  members: readonly string[],
): boolean {
  return members.some((name) => Object.hasOwn(filters, name) && !asksNothing(filters[name]));
}

/** The sets that a configuration compares; a filter of its own that asks for sets decides alone. */
export function effectiveSets(configuration: {
  readonly filters: Readonly<Record<string, unknown>>;
  /** Its own, and null if it has none. */
  readonly sets: Sets | null;
  readonly profileSets: Sets;
}): Sets {
  const { filters, sets, profileSets } = configuration;
  return restricts(filters, SET_MEMBERS) ? "any" : (sets ?? profileSets);
}
