// Filters in words: why a listing does not match one, clause by clause, and what one asks for, in a short line.

import { assertNever } from "../../base/errors.ts";
import { foldWord } from "../../base/text.ts";
import { BUILT_IN_BRANDS } from "../../extraction/catalogue/catalogue.ts";
import type { ListingFacts } from "../../listings/listing.ts";
import { ATTRIBUTES, type AttributeName, NUMBERS } from "./attributes.ts";
import type { Bounds, Clause } from "./clause.ts";
import type { Filter } from "./filter.ts";
import { asksNothing, MEMBERS, withoutEmpty } from "./members.ts";
import { type FilterContext, holds } from "./predicate.ts";

const VALUES_SHOWN_MAX = 5;
/** Clauses and listings have folded words; these are as people write them: `patekphilippe` is `Patek Philippe`. */
const NAMES: Partial<Record<AttributeName, ReadonlyMap<string, string>>> = {
  brand: byFolded(BUILT_IN_BRANDS),
  model: byFolded(BUILT_IN_BRANDS.flatMap(({ models }) => models)),
};

/** A clause that does not hold for a listing, in words. */
export interface Failure {
  readonly member: string;
  /** Such as `at least 2024`. */
  readonly expected: string;
  /** What the listing has instead; absent if it has none. */
  readonly actual?: string;
}

export function listFailures(
  filter: Filter,
  listing: ListingFacts,
  context: FilterContext,
): readonly Failure[] {
  return [
    ...(listing.is_not_offered ? [NOT_OFFERED] : []),
    ...filter.clauses
      .filter((clause) => !holds(clause, listing, context))
      .map((clause) => ({ member: clause.member, ...describeClause(clause, listing) })),
  ];
}

/** No filter selects what was read as talk. */
const NOT_OFFERED: Failure = { member: "is_listing", expected: "an offer", actual: "talk" };

/** How many clauses do not hold, without describing them. */
export function countFailures(
  filter: Filter,
  listing: ListingFacts,
  context: FilterContext,
): number {
  let count = listing.is_not_offered ? 1 : 0;
  for (const clause of filter.clauses) if (!holds(clause, listing, context)) count += 1;
  return count;
}

function describeClause(clause: Clause, listing: ListingFacts): Omit<Failure, "member"> {
  switch (clause.kind) {
    case "any_of":
      return {
        expected: joinValues(clause.values.map(nameIn(clause.attribute))),
        ...describeAttribute(clause.attribute, listing),
      };
    case "none_of":
      return {
        expected: `anything but ${joinValues(clause.values.map(nameIn(clause.attribute)))}`,
        ...describeAttribute(clause.attribute, listing),
      };
    case "absent_or_any_of":
      return {
        expected: `${joinValues(clause.values)}, or nothing said`,
        ...describeAttribute(clause.attribute, listing),
      };
    case "between":
      return {
        expected: describeBounds(clause),
        ...describeNumber(NUMBERS[clause.attribute].read(listing)),
      };
    case "price":
      return {
        expected: `${describeBounds(clause)} in hundredths of ${clause.currency}`,
        ...describePrice(listing),
      };
    case "text":
      return { expected: `the words ${clause.words.join(" ")} (${clause.mode})`, actual: "others" };
    default:
      return assertNever(clause);
  }
}

type Actual = Pick<Failure, "actual">;

function describeAttribute(attribute: AttributeName, listing: ListingFacts): Actual {
  const value = ATTRIBUTES[attribute].read(listing);
  if (value === null || value.length === 0) return {};
  const values = typeof value === "string" ? [value] : value;
  return { actual: joinValues(values.map(nameIn(attribute))) };
}

function describeNumber(value: number | null): Actual {
  return value === null ? {} : { actual: String(value) };
}

function nameIn(attribute: AttributeName): (value: string) => string {
  return (value) => NAMES[attribute]?.get(value) ?? value;
}

function byFolded(named: readonly { readonly name: string }[]): ReadonlyMap<string, string> {
  return new Map(named.map(({ name }) => [foldWord(name), name]));
}

function describePrice(listing: ListingFacts): Actual {
  if (listing.price_amount_minor === null) return {};
  const ask = `${listing.price_amount_minor} in ${listing.price_currency}`;
  if (listing.price_currency === "EUR") return { actual: ask };
  if (listing.price_eur_minor === null) return { actual: `${ask}, and there is no rate to EUR` };
  return { actual: `${ask}, which is ${listing.price_eur_minor} in EUR` };
}

function joinValues(values: readonly string[]): string {
  if (values.length === 0) return "values that no listing can have";
  const shown = values.slice(0, VALUES_SHOWN_MAX).join(" or ");
  const hiddenCount = values.length - VALUES_SHOWN_MAX;
  return hiddenCount > 0 ? `${shown} or ${hiddenCount} more` : shown;
}

function describeBounds({ gte, lte }: Bounds): string {
  if (gte === undefined) return `at most ${lte}`;
  return lte === undefined ? `at least ${gte}` : `${gte} to ${lte}`;
}

const SUMMARY_LENGTH_MAX = 200;

/** Describes a filter object in one short line of English. The object must have passed `parseFilter`. */
export function summarizeFilter(filter: Readonly<Record<string, unknown>>): string {
  const phrases = [...MEMBERS]
    .filter(([member]) => Object.hasOwn(filter, member) && !asksNothing(filter[member]))
    .map(([member, { phrase }]) => phrase(withoutEmpty(filter[member]) as never))
    .filter((phrase) => phrase !== "");
  const line = phrases.join(", ").replace(/\s+/g, " ").trim() || "everything";
  if (line.length <= SUMMARY_LENGTH_MAX) return line;
  // Cut between whole characters: PostgreSQL does not store half of a surrogate pair.
  return `${[...line].slice(0, SUMMARY_LENGTH_MAX - 1).join("")}…`;
}
