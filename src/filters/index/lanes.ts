import type { Bounds } from "../language/clause.ts";

/**
 * Four bounds in one number, seven bits each and a free bit above: the least year, the greatest, the least price and
 * the greatest. Greatest ones are kept as their distance from the top, so that all four ask the same of a listing: to
 * be no less. One subtraction answers for all of them: a lane that is less borrows its free bit.
 */
export const LANE_GUARDS = 0x8080_8080 | 0;
const LANE_TOP = 127;

/** A listing without a year or a price has these; no bound that a filter gives lets them pass. */
export const NO_YEAR = 0;
export const NO_PRICE = -1;
/** Of listings; beyond it no bound is needed. */
export const YEAR_MIN = 1;
const YEAR_MAX = 9999;
export const YEAR_ANY = Number.MAX_SAFE_INTEGER;
/** Dearer listings are all recorded as this one. One less than fits, so that a difference of two prices fits too. */
export const PRICE_MAX = 0x7fff_fffe;

/** Years that have a number of their own: all but a few watches. */
const LANE_YEAR_FIRST = 1908;
const LANE_YEAR_LAST = 2031;

interface Ranges {
  readonly yearLow: number;
  readonly yearHigh: number;
  readonly priceLow: number;
  readonly priceHigh: number;
}

/** What a filter asks. */
export function toFilterLanes({ yearLow, yearHigh, priceLow, priceHigh }: Ranges): number {
  return pack(
    toYearLane(yearLow),
    yearHigh === YEAR_ANY ? 0 : LANE_TOP - toYearLane(yearHigh),
    toPriceLane(priceLow),
    priceHigh === PRICE_MAX ? 0 : LANE_TOP - toPriceLane(priceHigh),
  );
}

/** What a listing has, with the free bits set: `(listing - filter) & LANE_GUARDS` keeps them all if it lies within. */
export function toListingLanes(year: number, price: number): number {
  const yearLane = toYearLane(year);
  const priceLane = toPriceLane(price);
  const lanes = pack(yearLane, LANE_TOP - yearLane, priceLane, LANE_TOP - priceLane);
  return lanes | LANE_GUARDS;
}

/** Whether lanes tell these bounds exactly, and not only that a listing may lie within. */
export function isYearExact({ gte, lte }: Bounds): boolean {
  const isLane = (year: number) => year >= LANE_YEAR_FIRST && year <= LANE_YEAR_LAST;
  return (
    (gte === undefined || gte <= YEAR_MIN || isLane(gte)) &&
    (lte === undefined || lte >= YEAR_MAX || isLane(lte))
  );
}

function pack(first: number, second: number, third: number, fourth: number): number {
  return (first << 24) | (second << 16) | (third << 8) | fourth;
}

function toYearLane(year: number): number {
  if (year === NO_YEAR) return 0;
  return Math.min(Math.max(year, LANE_YEAR_FIRST - 1), LANE_YEAR_LAST + 1) - (LANE_YEAR_FIRST - 2);
}

// Four steps for each doubling, in integers: the place of the highest bit, and the two bits below it.
export function toPriceLane(price: number): number {
  if (price === NO_PRICE) return 0;
  const value = price + 1;
  const bit = 31 - Math.clz32(value);
  const below = bit >= 2 ? value >>> (bit - 2) : value << (2 - bit);
  return 1 + bit * 4 + (below & 0b11);
}
