import type { Bounds } from "../language/clause.ts";

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
