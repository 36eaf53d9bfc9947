// Filters in words: why a listing does not match one, clause by clause, and what one asks for, in a short line.

import { assertNever } from "../../base/errors.ts";
import { foldWord } from "../../base/text.ts";
import { BUILT_IN_BRANDS } from "../../extraction/catalogue/catalogue.ts";
import type { ListingFacts } from "../../listings/listing.ts";
import { ATTRIBUTES, type AttributeName, NUMBERS } from "./attributes.ts";
import type { Bounds, Clause } from "./clause.ts";
import type { Filter } from "./filter.ts";
import { asksNothing, MEMBERS, type MemberName } from "./members.ts";
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
  return filter.clauses
    .filter((clause) => !holds(clause, listing, context))
    .map((clause) => ({ member: clause.member, ...describeClause(clause, listing) }));
}

/** How many clauses do not hold, without describing them. */
export function countFailures(
  filter: Filter,
  listing: ListingFacts,
  context: FilterContext,
): number {
  let count = 0;
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

const SUMMARY_VALUES_MAX = 3;
const SUMMARY_LENGTH_MAX = 200;

/** Describes a filter object in one short line of English. The object must have passed `parseFilter`. */
export function summarizeFilter(filter: Readonly<Record<string, unknown>>): string {
  const phrases = [...MEMBERS.keys()]
    .filter((member) => Object.hasOwn(filter, member) && !asksNothing(filter[member]))
    .map((member) => PHRASES[member as MemberName](filter[member] as never))
    .filter((phrase) => phrase !== "");
  const line = phrases.join(", ").replace(/\s+/g, " ").trim() || "everything";
  if (line.length <= SUMMARY_LENGTH_MAX) return line;
  // Cut between whole characters: PostgreSQL does not store half of a surrogate pair.
  return `${[...line].slice(0, SUMMARY_LENGTH_MAX - 1).join("")}…`;
}

type GivenValues = readonly (string | number)[];
type GivenBounds = { readonly gte?: number | null; readonly lte?: number | null };

interface GivenSets {
  readonly include?: GivenValues | null;
  readonly exclude?: GivenValues | null;
}

const PHRASES: Readonly<Record<MemberName, (value: never) => string>> = {
  q: (query: string) => `text "${query}"`,
  text_search: ({ query, mode }: { readonly query?: string; readonly mode?: string }) =>
    query ? `text "${query}"${mode && mode !== "broad" ? ` (${mode.replace("_", " ")})` : ""}` : "",
  side: (values: GivenValues) => summarizeValues(values).replaceAll("_", " "),
  message_type: (values: GivenValues) => summarizeValues(values),
  brand: (values: GivenValues) => summarizeValues(values),
  model: (values: GivenValues) => summarizeValues(values),
  reference: (values: GivenValues) => summarizeValues(values),
  year: (year: GivenBounds & { readonly values?: GivenValues | null }) =>
    [summarizeValues(year.values ?? []), summarizeBounds(year, String, "year")]
      .filter(Boolean)
      .join(", "),
  years: (values: GivenValues) => summarizeValues(values),
  price: (price: GivenBounds & { readonly currency?: string }) =>
    summarizeBounds(
      price,
      (minor) => `${toAmount(minor)} ${price.currency?.toUpperCase() ?? "EUR"}`,
      "ask",
    ),
  condition: (values: GivenValues) => summarizeValues(values).toLowerCase().replaceAll("_", " "),
  conditions: (values: GivenValues) => summarizeValues(values).toLowerCase().replaceAll("_", " "),
  full_set_status: (values: GivenValues) =>
    summarizeValues(values).toLowerCase().replaceAll("_", " "),
  full_set_options: (values: GivenValues) =>
    summarizeValues(values).toLowerCase().replaceAll("_", " "),
  dial_type: (values: GivenValues) => summarizeValues(values, "dial "),
  dial_types: (values: GivenValues) => summarizeValues(values, "dial "),
  variant: (values: GivenValues) => summarizeValues(values),
  variants: (values: GivenValues) => summarizeValues(values),
  country_codes: (sets: GivenSets) => summarizeSets(sets, "from country "),
  phone_numbers: (sets: GivenSets) => summarizeSets(sets, "from "),
  phone_numbers_include: (values: GivenValues) => summarizeValues(values, "from "),
  phone_numbers_exclude: (values: GivenValues) => summarizeValues(values, "not from "),
  phone_number: (value: string) => `from ${value}`,
  group_ids: (values: GivenValues) => countValues(values, "group"),
  group_names: (values: GivenValues) => summarizeValues(values, "in "),
  contact_ids: (values: GivenValues) => countValues(values, "contact"),
  contact_id: () => "of 1 contact",
  canonical_message_ids: (values: GivenValues) => countValues(values, "message"),
  canonical_message_id: () => "of 1 message",
  has_media: (hasMedia: boolean) => (hasMedia ? "with media" : "without media"),
  message_timestamp_ms: (bounds: GivenBounds) => summarizeBounds(bounds, toDay, "sent"),
  last_seen_at_ms: (bounds: GivenBounds) => summarizeBounds(bounds, toDay, "seen"),
  from_ms: (fromMs: number) => `sent from ${toDay(fromMs)}`,
  to_ms: (toMs: number) => `sent to ${toDay(toMs)}`,
  include_duplicates: (isIncluded: boolean) => (isIncluded ? "with duplicates" : ""),
  include_hidden: (isIncluded: boolean) => (isIncluded ? "with hidden ones" : ""),
  include_revoked: (isIncluded: boolean) => (isIncluded ? "with revoked ones" : ""),
  exclude_outliers: (isExcluded: boolean) => (isExcluded ? "without outliers" : ""),
};

function summarizeSets(sets: GivenSets, prefix: string): string {
  const phrases = [
    summarizeValues(sets.include ?? [], prefix),
    summarizeValues(sets.exclude ?? [], `not ${prefix}`),
  ];
  return phrases.filter(Boolean).join(", ");
}

/** `A, B or 4 more`. */
function summarizeValues(values: GivenValues, prefix = ""): string {
  if (values.length === 0) return "";
  const shown = values.slice(0, SUMMARY_VALUES_MAX).map(String);
  const restCount = values.length - shown.length;
  const words = restCount > 0 ? [...shown, `${restCount} more`] : shown;
  const last = words.pop() ?? "";
  return prefix + (words.length === 0 ? last : `${words.join(", ")} or ${last}`);
}

function countValues(values: GivenValues, noun: string): string {
  if (values.length === 0) return "";
  return `of ${values.length} ${noun}${values.length === 1 ? "" : "s"}`;
}

function summarizeBounds(
  bounds: GivenBounds,
  show: (value: number) => string,
  noun: string,
): string {
  const { gte, lte } = bounds;
  if (gte != null && lte != null) {
    return gte === lte ? `${noun} ${show(gte)}` : `${noun} ${show(gte)} to ${show(lte)}`;
  }
  if (gte != null) return `${noun} from ${show(gte)}`;
  return lte == null ? "" : `${noun} to ${show(lte)}`;
}

/** `12,500` or `12,500.50`. */
function toAmount(minor: number): string {
  const [whole = "", fraction] = (Math.abs(minor) / 100).toFixed(2).split(".");
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ",");
  return `${minor < 0 ? "-" : ""}${grouped}${fraction === "00" ? "" : `.${fraction}`}`;
}

function toDay(ms: number): string {
  const isDate = Math.abs(ms) <= DATE_MS_MAX;
  return isDate ? new Date(ms).toISOString().slice(0, 10) : String(ms);
}

/** The latest time that a JavaScript Date can hold. */
const DATE_MS_MAX = 8.64e15;
