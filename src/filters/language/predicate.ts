import { assertNever } from "../../base/errors.ts";
import type { ListingFacts } from "../../listings/listing.ts";
import { FIELD_BREAK, WORD_BREAK } from "../../listings/search-text.ts";
import { type RateOf, toCurrencyMinor } from "../../rates/fx.ts";
import { ATTRIBUTES, type AttributeName, NUMBERS } from "./attributes.ts";
import {
  type Bounds,
  type Clause,
  LIGHT_GAP_MAX,
  type TextClause,
  type TextMode,
} from "./clause.ts";
import type { Filter } from "./filter.ts";

/** What a filter needs besides the listing. */
export interface FilterContext {
  readonly rateOf: RateOf;
}

/**
 * The meaning of a filter. `compileSql` and the reverse index must select the same listings. None selects what was read as talk.
 * @public Only tests and benchmarks call it: they compare the other two readings with it.
 */
export function matches(filter: Filter, listing: ListingFacts, context: FilterContext): boolean {
  if (listing.is_not_offered) return false;
  for (const clause of filter.clauses) if (!holds(clause, listing, context)) return false;
  return true;
}

export function holds(clause: Clause, listing: ListingFacts, context: FilterContext): boolean {
  switch (clause.kind) {
    case "any_of":
      return hasAny(listing, clause.attribute, clause.values);
    case "none_of":
      return !hasAny(listing, clause.attribute, clause.values);
    case "absent_or_any_of":
      return (
        listing.full_set_status.length === 0 || hasAny(listing, clause.attribute, clause.values)
      );
    case "between":
      return liesWithin(NUMBERS[clause.attribute].read(listing), clause);
    case "price":
      return liesWithin(askIn(clause.currency, listing, context.rateOf), clause);
    case "text":
      return holdsText(clause, listing.search_text);
    default:
      return assertNever(clause);
  }
}

export function holdsText({ mode, words }: TextClause, searchText: string): boolean {
  return TEXT_MATCHES[mode](searchText, words);
}

function hasAny(listing: ListingFacts, name: AttributeName, values: readonly string[]): boolean {
  const { read, index } = ATTRIBUTES[name];
  const listingValue = read(listing);
  if (listingValue === null) return false;
  if (typeof listingValue !== "string") return listingValue.some((one) => values.includes(one));
  if (index.as === "key" && index.has === "prefixes") {
    return values.some((value) => listingValue.startsWith(value));
  }
  return values.includes(listingValue);
}

function liesWithin(value: number | null, { gte, lte }: Bounds): boolean {
  if (value === null) return false;
  return (gte === undefined || value >= gte) && (lte === undefined || value <= lte);
}

/**
 * The asking price in a currency. An ask in another currency is converted from euros, at the rate of the message's day.
 * Returns null if there is no price or no rate.
 */
function askIn(currency: string, listing: ListingFacts, rateOf: RateOf): number | null {
  // For an ask in euros, price_eur_minor is the ask itself.
  if (currency === "EUR") return listing.price_eur_minor;
  if (listing.price_currency === currency) return listing.price_amount_minor;
  if (listing.price_eur_minor === null) return null;
  const rate = rateOf(currency, listing.message_timestamp_ms);
  return rate === undefined ? null : toCurrencyMinor(listing.price_eur_minor, rate);
}

type TextMatch = (searchText: string, words: readonly string[]) => boolean;

const TEXT_MATCHES: Readonly<Record<TextMode, TextMatch>> = {
  broad: (searchText, words) => words.some((word) => hasWords(searchText, word, false)),
  all: (searchText, words) => words.every((word) => hasWords(searchText, word, false)),
  exact: (searchText, words) => hasWords(searchText, words.join(WORD_BREAK), true),
  exact_light: (searchText, words) =>
    words.every((word) => hasWords(searchText, word, true)) &&
    searchText
      .split(FIELD_BREAK)
      .some((field) => hasInOrder(field.split(WORD_BREAK), words, LIGHT_GAP_MAX)),
};

/** Whether `words` occurs in the text at the start of a word and, with `isWhole`, ends at the end of a word. */
function hasWords(searchText: string, words: string, isWhole: boolean): boolean {
  for (let at = searchText.indexOf(words); at >= 0; at = searchText.indexOf(words, at + 1)) {
    if (isBreak(searchText, at - 1) && (!isWhole || isBreak(searchText, at + words.length))) {
      return true;
    }
  }
  return false;
}

/** The start and the end of the text are breaks too. */
function isBreak(searchText: string, at: number): boolean {
  const character = searchText[at];
  return character === undefined || character === WORD_BREAK || character === FIELD_BREAK;
}

/**
 * Whether the words occur in order, with at most `gapMax` other words between two of them. For each word it marks every
 * position where the words so far can end, instead of trying one combination after the other. So repeated words cost no
 * more than others.
 *
 * Example: "a c" in "a b a c" with gap 1. For "a" the ends are positions 0 and 2. "c" is at 3, and 2 is near enough.
 */
function hasInOrder(
  textWords: readonly string[],
  words: readonly string[],
  gapMax: number,
): boolean {
  let canEndAt = textWords.map((textWord) => textWord === words[0]);
  for (const word of words.slice(1)) {
    canEndAt = textWords.map((textWord, at) => {
      if (textWord !== word) return false;
      return canEndAt.slice(Math.max(0, at - gapMax - 1), at).includes(true);
    });
  }
  return canEndAt.includes(true);
}
