import { assertNever } from "../../base/assert.ts";
import type { ListingFacts } from "../../listings/listing.ts";
import { ATTRIBUTES, NUMBERS } from "./attributes.ts";
import type { Bounds, Clause } from "./clause.ts";
import type { Filter } from "./filter.ts";
import { type FilterContext, holds } from "./predicate.ts";

const VALUES_SHOWN_MAX = 5;

/**
 * One line for each clause that does not hold: the member, what it asks for, and what the listing has instead, such as
 * `year: asks for at least 2024; the listing has 2023`.
 */
export function describeFailures(
  filter: Filter,
  listing: ListingFacts,
  context: FilterContext,
): readonly string[] {
  return filter.clauses
    .filter((clause) => !holds(clause, listing, context))
    .map((clause) => `${clause.member}: ${describeClause(clause, listing)}`);
}

function describeClause(clause: Clause, listing: ListingFacts): string {
  switch (clause.kind) {
    case "any_of":
      return `asks for ${joinValues(clause.values)}; ${describeValue(ATTRIBUTES[clause.attribute].read(listing))}`;
    case "none_of":
      return `excludes ${joinValues(clause.values)}; ${describeValue(ATTRIBUTES[clause.attribute].read(listing))}`;
    case "between":
      return `asks for ${describeBounds(clause)}; ${describeValue(String(NUMBERS[clause.attribute].read(listing) ?? ""))}`;
    case "price":
      return `asks for ${describeBounds(clause)} in hundredths of ${clause.currency}; ${describePrice(listing)}`;
    case "text":
      return `asks for the words ${clause.words.join(" ")} (${clause.mode}); the listing's text does not match`;
    default:
      return assertNever(clause);
  }
}

function describeValue(value: string | readonly string[] | null): string {
  if (value === null || value.length === 0) return "the listing has none";
  return `the listing has ${typeof value === "string" ? value : joinValues(value)}`;
}

function describePrice(listing: ListingFacts): string {
  if (listing.price_amount_minor === null) return "the listing has no price";
  const ask = `the listing has ${listing.price_amount_minor} in ${listing.price_currency}`;
  if (listing.price_currency === "EUR") return ask;
  if (listing.price_eur_minor === null) return `${ask}, and there is no rate to EUR`;
  return `${ask}, which is ${listing.price_eur_minor} in EUR`;
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
