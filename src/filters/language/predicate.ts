import { assertNever } from "../../base/assert.ts";
import type { ListingFacts } from "../../listings/listing.ts";
import { FIELD_BREAK, WORD_BREAK } from "../../listings/search-text.ts";
import { type RateOf, toCurrencyMinor } from "../../rates/fx.ts";
import { ATTRIBUTES, NUMBERS } from "./attributes.ts";
import {
  type AttributeName,
  type Bounds,
  type Clause,
  LIGHT_GAP_MAX,
  type TextMode,
} from "./clause.ts";
import type { Filter } from "./filter.ts";

/** What a filter reads besides the listing. */
export interface FilterContext {
  readonly rateOf: RateOf;
}

/** In memory: the reading that SQL and the index must keep. */
export function matches(filter: Filter, listing: ListingFacts, context: FilterContext): boolean {
  for (const clause of filter.clauses) if (!holds(clause, listing, context)) return false;
  return true;
}

export function holds(clause: Clause, listing: ListingFacts, context: FilterContext): boolean {
  switch (clause.kind) {
    case "any_of":
      return hasAny(listing, clause.attribute, clause.values);
    case "none_of":
      return !hasAny(listing, clause.attribute, clause.values);
    case "between":
      return liesWithin(NUMBERS[clause.attribute].read(listing), clause);
    case "price":
      return liesWithin(askIn(clause.currency, listing, context.rateOf), clause);
    case "text":
      return TEXT_READINGS[clause.mode](listing.search_text, clause.words);
    default:
      return assertNever(clause);
  }
}

function hasAny(listing: ListingFacts, name: AttributeName, values: readonly string[]): boolean {
  const { read, index } = ATTRIBUTES[name];
  const own = read(listing);
  if (own === null) return false;
  if (typeof own !== "string") return own.some((value) => values.includes(value));
  if (index.as === "key" && index.has === "prefixes") {
    return values.some((value) => own.startsWith(value));
  }
  return values.includes(own);
}

function liesWithin(value: number | null, { gte, lte }: Bounds): boolean {
  if (value === null) return false;
  return (gte === undefined || value >= gte) && (lte === undefined || value <= lte);
}

/** The ask in a currency: as it was asked, else in euros, else those at the rate of the message's day. */
function askIn(currency: string, listing: ListingFacts, rateOf: RateOf): number | null {
  // An ask in euros is its own price_eur_minor.
  if (currency === "EUR") return listing.price_eur_minor;
  if (listing.price_currency === currency) return listing.price_amount_minor;
  if (listing.price_eur_minor === null) return null;
  const rate = rateOf(currency, listing.message_timestamp_ms);
  return rate === undefined ? null : toCurrencyMinor(listing.price_eur_minor, rate);
}

type TextReading = (searchText: string, words: readonly string[]) => boolean;

const TEXT_READINGS: Readonly<Record<TextMode, TextReading>> = {
  broad: (searchText, words) => words.some((word) => hasWords(searchText, word, false)),
  exact: (searchText, words) => hasWords(searchText, words.join(WORD_BREAK), true),
  exact_light: (searchText, words) =>
    words.every((word) => hasWords(searchText, word, true)) &&
    searchText
      .split(FIELD_BREAK)
      .some((field) => hasInOrder(field.split(WORD_BREAK), words, LIGHT_GAP_MAX)),
};

/** Whether the text has these words from the start of a word on, and, if whole, up to the end of one. */
function hasWords(searchText: string, words: string, isWhole: boolean): boolean {
  for (let at = searchText.indexOf(words); at >= 0; at = searchText.indexOf(words, at + 1)) {
    if (isBreak(searchText, at - 1) && (!isWhole || isBreak(searchText, at + words.length))) {
      return true;
    }
  }
  return false;
}

/** The text's own start and end are breaks too. */
function isBreak(searchText: string, at: number): boolean {
  const character = searchText[at];
  return character === undefined || character === WORD_BREAK || character === FIELD_BREAK;
}

/**
 * Whether the words stand in order with at most `gapMax` others between neighbours. Keeps where each word may stand
 * instead of trying one way after the other, so that repeated words cost no more than others.
 */
function hasInOrder(own: readonly string[], words: readonly string[], gapMax: number): boolean {
  let ends = own.map((_, at) => own[at] === words[0]);
  for (const word of words.slice(1)) {
    ends = own.map((candidate, at) => {
      if (candidate !== word) return false;
      return ends.slice(Math.max(0, at - gapMax - 1), at).includes(true);
    });
  }
  return ends.includes(true);
}
