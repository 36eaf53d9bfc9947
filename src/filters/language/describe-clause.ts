import { assertNever } from "../../base/assert.ts";
import type { ListingFacts } from "../../listings/listing.ts";
import { ATTRIBUTES, NUMBERS } from "./attributes.ts";
import type { Bounds, Clause } from "./clause.ts";
import type { Filter } from "./filter.ts";
import { type FilterContext, holds } from "./predicate.ts";

const VALUES_SHOWN_MAX = 5;

/** Each clause that does not hold, in words: the member, what it asks for, and what the listing has instead. */
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
      return `asks for ${listed(clause.values)}; ${own(ATTRIBUTES[clause.attribute].read(listing))}`;
    case "none_of":
      return `rules out ${listed(clause.values)}; ${own(ATTRIBUTES[clause.attribute].read(listing))}`;
    case "between":
      return `asks for ${bounded(clause)}; ${own(String(NUMBERS[clause.attribute].read(listing) ?? ""))}`;
    case "price":
      return `asks for ${bounded(clause)} in hundredths of ${clause.currency}; ${ownPrice(listing)}`;
    case "text":
      return `asks for the words ${listed(clause.words)} (${clause.mode}); the listing's words do not have them so`;
    default:
      return assertNever(clause);
  }
}

function own(value: string | readonly string[] | null): string {
  if (value === null || value.length === 0) return "the listing has none";
  return `the listing has ${typeof value === "string" ? value : listed(value)}`;
}

function ownPrice(listing: ListingFacts): string {
  if (listing.price_amount_minor === null) return "the listing has no price";
  return `the listing has ${listing.price_amount_minor} in ${listing.price_currency}, ${listing.price_eur_minor ?? "no rate for it"} in EUR`;
}

function listed(values: readonly string[]): string {
  if (values.length === 0) return "nothing that could match";
  const shown = values.slice(0, VALUES_SHOWN_MAX).join(" or ");
  const restCount = values.length - VALUES_SHOWN_MAX;
  return restCount > 0 ? `${shown} or ${restCount} more` : shown;
}

function bounded({ gte, lte }: Bounds): string {
  return `${gte ?? "anything"} to ${lte ?? "anything"}`;
}
