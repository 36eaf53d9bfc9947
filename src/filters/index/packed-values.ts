// What a filter asks of the attributes with few values, of the year and of the price, packed into two integers, and the
// listing packed likewise. Most filters are ruled out by comparing these two.

import { assert } from "../../base/errors.ts";
import type { ListingFacts } from "../../listings/listing.ts";
import { ATTRIBUTES, type AttributeName } from "../language/attributes.ts";
import type { Bounds, Clause } from "../language/clause.ts";

/**
 * All attributes with few values (side, condition, media, marks …) as bits of one integer, so that one AND checks all
 * of them. Each attribute has a field of bits. The listing sets the bits of what it has. The filter sets the bits that
 * it allows. The filter holds if it allows every bit of the listing: `(~allowed & listing) === 0`.
 *
 * Example: the field of `condition` has four bits: NEW, LIKE_NEW, USED, and "no condition". The filter
 * `{condition: ["NEW", "USED"]}` allows 0b0101 there. A new watch has 0b0001 and passes. A like-new one has 0b0010,
 * and a watch without a condition has 0b1000: both fail.
 */
interface BitField {
  readonly attribute: AttributeName;
  readonly shift: number;
  readonly width: number;
  readonly read: (listing: ListingFacts) => string | readonly string[] | null;
  readonly words: readonly string[];
  readonly bitByWord: ReadonlyMap<string, number>;
  /** The bit of a listing that has none of the words, or 0 if the field has no such bit. */
  readonly absentBit: number;
  /**
   * A listing with several words at once. Then the field has one bit for each set of words: the set {0, 2} is number
   * 0b101 = 5, so its bit is 1 << 5.
   */
  readonly isSet: boolean;
}

export type ValueClause = Extract<Clause, { kind: "any_of" | "none_of" | "absent_or_any_of" }>;

/** The sign bit stays free: a record uses it for something else. */
const BITS_MAX = 31;
/** Of a filter that asks nothing of these attributes. */
export const ALL_BITS = 0x7fff_ffff;

const FIELDS: readonly BitField[] = layOutFields();

/** The bits of what the listing has. Called for every listing: keep it free of allocations. */
export function toListingBits(listing: ListingFacts): number {
  let bits = 0;
  for (let at = 0; at < FIELDS.length; at += 1) {
    const { read, bitByWord, isSet, absentBit, shift } = FIELDS[at] as BitField;
    const value = read(listing);
    let own = 0;
    if (typeof value === "string") own = bitByWord.get(value) ?? 0;
    else if (value !== null) for (const word of value) own |= bitByWord.get(word) ?? 0;
    bits |= (isSet ? 1 << own : own === 0 ? absentBit : own) << shift;
  }
  return bits;
}

export function isBitAttribute(attribute: AttributeName): boolean {
  return ATTRIBUTES[attribute].index.as === "mask";
}

/** The bits that the clause allows, or undefined if bits cannot express it. */
export function allowedBitsOf({ attribute, kind, values }: ValueClause): number | undefined {
  const field = FIELDS.find((candidate) => candidate.attribute === attribute);
  assert(field !== undefined, `attribute ${attribute} has no bits`);
  const { index } = ATTRIBUTES[attribute];
  // Bits can allow or forbid a mark. They cannot demand one, because a listing without marks sets no bit.
  if (index.as === "mask" && index.holds === "marks" && kind === "any_of") return undefined;
  const all = 2 ** field.width - 1;
  const asked = toWordBits(field.words, values);
  const hit = field.isSet ? setsThatContainAny(asked, field.width) : asked;
  // Number 0 is the set without words.
  const orNothing = kind === "absent_or_any_of" ? 1 : 0;
  const allowed = kind === "none_of" ? all & ~hit : hit | orNothing;
  const otherFields = ~(all << field.shift);
  return otherFields | (allowed << field.shift);
}

function layOutFields(): readonly BitField[] {
  let shift = 0;
  const fields = (Object.keys(ATTRIBUTES) as AttributeName[]).flatMap((attribute) => {
    const { read, index } = ATTRIBUTES[attribute];
    if (index.as !== "mask") return [];
    const { words, holds } = index;
    const field = {
      attribute,
      shift,
      width: widthOf(holds, words.length),
      read,
      words,
      bitByWord: new Map(words.map((word, at) => [word, 1 << at])),
      absentBit: holds === "optional" ? 1 << words.length : 0,
      isSet: holds === "set",
    };
    shift += field.width;
    return [field];
  });
  assert(
    shift <= BITS_MAX,
    `the attributes take ${shift} bits, and a record has ${BITS_MAX}: index a new one by key`,
  );
  return fields;
}

function widthOf(holds: "one" | "optional" | "set" | "marks", wordCount: number): number {
  if (holds === "set") return 2 ** wordCount;
  return holds === "optional" ? wordCount + 1 : wordCount;
}

/** One bit for each set of words that has a word in common with `asked`. */
function setsThatContainAny(asked: number, setCount: number): number {
  let bits = 0;
  for (let set = 0; set < setCount; set += 1) if ((set & asked) !== 0) bits |= 1 << set;
  return bits;
}

function toWordBits(words: readonly string[], values: readonly string[]): number {
  return words.reduce((bits, word, at) => (values.includes(word) ? bits | (1 << at) : bits), 0);
}

/**
 * Year and price bounds of a filter, packed into one integer, so that a single subtraction checks all four.
 *
 * Years and prices are first mapped to brackets from 0 to 127. The order is kept, so a listing whose bracket lies
 * outside cannot match. The packed integer has four bytes: least year, greatest year, least price, greatest price.
 * Each byte holds seven bits and a guard bit on top. "Greatest" is stored as 127 minus the bracket. That turns every
 * bound into "the listing's byte is not less than the filter's byte". A byte that is less borrows its own
 * guard bit and leaves the other bytes alone.
 *
 * Example: the filter asks for years from 2021 (bracket 115), the listing is from 2023 (117). 0x80 + 117 - 115 keeps
 * the guard bit 0x80: the bound holds. For a listing from 2019 (113), 0x80 + 113 - 115 = 0x7e has lost it: no match.
 */
export const GUARD_BITS = 0x8080_8080 | 0;
const BRACKET_MAX = 127;

/** Stand for a listing without a year or a price. They lie below every bound that a filter can have. */
export const NO_YEAR = 0;
export const NO_PRICE = -1;
/** Listings have years from 1 to 9999, so a bound outside of that range excludes no year. */
export const YEAR_MIN = 1;
const YEAR_MAX = 9999;
export const YEAR_UNBOUNDED = Number.MAX_SAFE_INTEGER;
/** Higher prices are stored as this one. It leaves room for the difference to NO_PRICE in a signed 32-bit integer. */
export const PRICE_MAX = 0x7fff_fffe;

/** Each of these years has a bracket of its own. All earlier years share one bracket, and so do all later years. */
const YEAR_BRACKETS_FIRST = 1908;
const YEAR_BRACKETS_LAST = 2031;

interface Ranges {
  readonly yearLow: number;
  readonly yearHigh: number;
  readonly priceLow: number;
  readonly priceHigh: number;
}

export function packFilterBounds({ yearLow, yearHigh, priceLow, priceHigh }: Ranges): number {
  return pack(
    toYearBracket(yearLow),
    yearHigh === YEAR_UNBOUNDED ? 0 : BRACKET_MAX - toYearBracket(yearHigh),
    toPriceBracket(priceLow),
    priceHigh === PRICE_MAX ? 0 : BRACKET_MAX - toPriceBracket(priceHigh),
  );
}

/** With all guard bits set: `(listing - filter) & GUARD_BITS` equals `GUARD_BITS` if the listing may lie within. */
export function packListingValues(year: number, price: number): number {
  const yearBracket = toYearBracket(year);
  const priceBracket = toPriceBracket(price);
  const packed = pack(
    yearBracket,
    BRACKET_MAX - yearBracket,
    priceBracket,
    BRACKET_MAX - priceBracket,
  );
  return packed | GUARD_BITS;
}

/** Whether the packed bounds decide these year bounds alone. If not, years that share a bracket need a second check. */
export function isYearRangeExact({ gte, lte }: Bounds): boolean {
  const hasOwnBracket = (year: number) => year >= YEAR_BRACKETS_FIRST && year <= YEAR_BRACKETS_LAST;
  return (
    (gte === undefined || gte <= YEAR_MIN || hasOwnBracket(gte)) &&
    (lte === undefined || lte >= YEAR_MAX || hasOwnBracket(lte))
  );
}

function pack(first: number, second: number, third: number, fourth: number): number {
  return (first << 24) | (second << 16) | (third << 8) | fourth;
}

function toYearBracket(year: number): number {
  if (year === NO_YEAR) return 0;
  const clamped = Math.min(Math.max(year, YEAR_BRACKETS_FIRST - 1), YEAR_BRACKETS_LAST + 1);
  return clamped - (YEAR_BRACKETS_FIRST - 2);
}

/** Four brackets for each doubling of the price: the position of the highest bit, then the two bits below it. */
export function toPriceBracket(price: number): number {
  if (price === NO_PRICE) return 0;
  const value = price + 1;
  const highestBit = 31 - Math.clz32(value);
  const topThreeBits = highestBit >= 2 ? value >>> (highestBit - 2) : value << (2 - highestBit);
  return 1 + highestBit * 4 + (topThreeBits & 0b11);
}
