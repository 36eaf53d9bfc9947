import type { ListingFacts } from "../../listings/listing.ts";
import { TIMES } from "../language/attributes.ts";
import { grow } from "./int-tables.ts";
import type { IndexKeys } from "./keys.ts";
import {
  GUARD_BITS,
  NO_PRICE,
  NO_YEAR,
  PRICE_MAX,
  packListingValues,
  toListingBits,
} from "./packed-values.ts";
import {
  BLOCK,
  BLOCK_LENGTH,
  CHECK,
  CHECK_CODE_MASK,
  CHECK_COUNT_SHIFT,
  RECORD,
  RECORD_LENGTH,
  type Records,
  TIME_LOW_RANGE,
} from "./records.ts";

// The layout as constants of this file: V8 does not fold imported ones, and `scanBlock` is the hot loop.
const BLOCK_STEP = BLOCK_LENGTH;
const BLOCK_OFFSET = BLOCK.offset;
const BLOCK_COUNT = BLOCK.count;
const RECORD_STEP = RECORD_LENGTH;
const ALLOWED_BITS = RECORD.allowedBits;
const PACKED_BOUNDS = RECORD.packedBounds;
const SLOT = RECORD.slot;
const FIRST_KEY = RECORD.firstKey;
const SECOND_KEY = RECORD.secondKey;
const PRICE_LOW = RECORD.priceLow;
const PRICE_HIGH = RECORD.priceHigh;
const RESIDUAL = RECORD.residual;
const GUARDS = GUARD_BITS;
const END = CHECK.end;
const ANY_KEY = CHECK.anyKey;
const NO_KEY = CHECK.noKey;
const TIME = CHECK.time;
const PHRASE = CHECK.phrase;
const CODE_MASK = CHECK_CODE_MASK;
const COUNT_SHIFT = CHECK_COUNT_SHIFT;
const LOW_RANGE = TIME_LOW_RANGE;

/** The listing as numbers, and the slots that it matches. Kept between listings, so that a match allocates nothing. */
export interface Scan {
  foundSlots: Int32Array;
  foundCount: number;
  /** By slot: the epoch in which a filter with several records was found last. */
  foundEpochs: Int32Array;
  listingBits: number;
  packedValues: number;
  price: number;
  /** The times of the listing in the order of `TIMES`, each as its high and low part. */
  readonly times: Int32Array;
}

interface ScanParts {
  readonly keys: IndexKeys;
  readonly records: Records;
  readonly scan: Scan;
  readonly idBySlot: readonly unknown[];
}

interface ScanInput {
  readonly listing: ListingFacts;
  /** Decides the clauses that only the predicate can read. */
  readonly predicateHolds: (slot: number, listing: ListingFacts) => boolean;
}

export function createScan(): Scan {
  return {
    foundSlots: new Int32Array(1024),
    foundCount: 0,
    foundEpochs: new Int32Array(0),
    listingBits: 0,
    packedValues: 0,
    price: NO_PRICE,
    times: new Int32Array(2 * TIMES.length),
  };
}

/**
 * Compares the listing with every record under its keys, and returns how many slots `foundSlots` now holds. `probe.ts`
 * must have stamped the listing's keys before. Invariant: `foundSlots` has each matching filter exactly once.
 *
 * Example: filter `{brand: ["Rolex"], reference: ["126610LN"], condition: ["NEW"], year: {gte: 2021},
 * price: {lte: 1250000}, country_codes: {exclude: ["852"]}}`. Its one record is in the block of reference:126610LN.
 * The listing is a new Rolex 126610LN of 2023 for 12,000.00 from 447700900123. The record passes, one check at a time:
 *   bits and bounds   NEW is allowed; 2023 and 12,000.00 lie in brackets that are inside
 *   exact price       1200000 <= 1250000, because the bracket alone is too coarse
 *   first key         brand:rolex is stamped; the second key is 0, which is always stamped
 *   residual          noKey country_code:852 is not stamped
 * With a number from 852 the last check fails, and a listing of another reference never reads the record.
 */
export function scanListing(parts: ScanParts, input: ScanInput): number {
  const { keys, records, scan } = parts;
  const { blocks } = records;
  const { listingKeys, listingKeyCount } = keys;
  loadListing(scan, input.listing);
  startScan(parts);
  for (let at = 0; at < listingKeyCount; at += 1) {
    const block = (listingKeys[at] as number) * BLOCK_STEP;
    const recordCount = blocks[block + BLOCK_COUNT];
    // A key under which no filter is stored may lie beyond the end of `blocks`.
    if (recordCount === undefined || recordCount === 0) continue;
    scan.foundSlots = grow(scan.foundSlots, scan.foundCount + recordCount);
    const first = blocks[block + BLOCK_OFFSET] as number;
    scanBlock(parts, input, first, first + recordCount * RECORD_STEP);
  }
  return scan.foundCount;
}

function loadListing(scan: Scan, listing: ListingFacts): void {
  scan.price = Math.min(listing.price_eur_minor ?? NO_PRICE, PRICE_MAX);
  scan.listingBits = toListingBits(listing);
  scan.packedValues = packListingValues(listing.year ?? NO_YEAR, scan.price);
  let at = 0;
  for (const { read } of TIMES) {
    setTime(scan.times, at, read(listing));
    at += 2;
  }
}

/** Splits a time as `toTimeParts` of `records.ts` does, without an array. */
function setTime(times: Int32Array, at: number, ms: number): void {
  const high = Math.floor(ms / LOW_RANGE);
  times[at] = high;
  times[at + 1] = ms - high * LOW_RANGE;
}

function startScan({ keys, scan, idBySlot }: ScanParts): void {
  scan.foundCount = 0;
  scan.foundEpochs = grow(scan.foundEpochs, idBySlot.length);
  // Epochs start again at 1 when they run out. Slots found in an old epoch 1 must not look found in this one.
  if (keys.epoch === 1) scan.foundEpochs.fill(0);
}

/**
 * The hot loop. It is a function of its own because V8 then optimises it early and as a whole. As a part of
 * `scanListing` it stayed half compiled in every second process and was a sixth slower.
 */
function scanBlock(parts: ScanParts, input: ScanInput, first: number, end: number): void {
  const { ints } = parts.records.pool;
  const { stamps, epoch } = parts.keys;
  const { listingBits, packedValues, price, foundSlots, foundEpochs } = parts.scan;
  let count = parts.scan.foundCount;
  for (let at = first; at < end; at += RECORD_STEP) {
    const allowedBits = ints[at + ALLOWED_BITS] as number;
    // Not 0 if a bit is not allowed or a bound fails. One branch for all of it: the processor cannot predict which
    // condition fails, and a wrong prediction costs more than all the comparisons.
    const failed =
      (~allowedBits & listingBits) |
      (~(packedValues - (ints[at + PACKED_BOUNDS] as number)) & GUARDS);
    if (failed !== 0) continue;
    if (price < (ints[at + PRICE_LOW] as number)) continue;
    if (price > (ints[at + PRICE_HIGH] as number)) continue;
    if (stamps[ints[at + FIRST_KEY] as number] !== epoch) continue;
    if (stamps[ints[at + SECOND_KEY] as number] !== epoch) continue;
    const residual = ints[at + RESIDUAL] as number;
    const slot = ints[at + SLOT] as number;
    if (residual !== 0 && !residualHolds(parts, residual, slot, input)) continue;
    // The sign bit: the listing may have found the filter under another key already.
    if (allowedBits < 0) {
      if (foundEpochs[slot] === epoch) continue;
      foundEpochs[slot] = epoch;
    }
    foundSlots[count] = slot;
    count += 1;
  }
  parts.scan.foundCount = count;
}

/** Runs the checks at offset `residual`; `records.ts` describes the encoding. */
function residualHolds(
  parts: ScanParts,
  residual: number,
  slot: number,
  input: ScanInput,
): boolean {
  const { ints } = parts.records.residuals.pool;
  const { stamps, epoch } = parts.keys;
  let at = residual;
  for (;;) {
    const head = ints[at] as number;
    if (head === END) return true;
    const end = at + 1 + (head >> COUNT_SHIFT);
    const code = head & CODE_MASK;
    if (code === ANY_KEY) {
      at += 1;
      while (at < end && stamps[ints[at] as number] !== epoch) at += 1;
      if (at === end) return false;
    } else if (code === NO_KEY) {
      at += 1;
      while (at < end && stamps[ints[at] as number] !== epoch) at += 1;
      if (at < end) return false;
    } else if (code === TIME) {
      if (!isInTime(ints, at + 1, parts.scan.times)) return false;
    } else if (code === PHRASE) {
      if (!hasPhrase(parts, at + 1, end)) return false;
    } else if (!input.predicateHolds(slot, input.listing)) return false;
    at = end;
  }
}

/** Whether the word keys from `start` to `end` stand side by side in the listing's text. */
function hasPhrase({ keys, records }: ScanParts, start: number, end: number): boolean {
  const { ints } = records.residuals.pool;
  const { wordSequence, wordSequenceLength } = keys;
  const firstWord = ints[start] as number;
  const lastPosition = wordSequenceLength - (end - start);
  for (let position = 0; position <= lastPosition; position += 1) {
    if (wordSequence[position] !== firstWord) continue;
    let at = start + 1;
    while (at < end && wordSequence[position + at - start] === ints[at]) at += 1;
    if (at === end) return true;
  }
  return false;
}

/** The operands at `at`: the position in `TIMES`, then low bound and high bound in two parts each. */
function isInTime(ints: Int32Array, at: number, times: Int32Array): boolean {
  const time = 2 * (ints[at] as number);
  const high = times[time] as number;
  const low = times[time + 1] as number;
  const fromHigh = ints[at + 1] as number;
  const toHigh = ints[at + 3] as number;
  if (high < fromHigh || (high === fromHigh && low < (ints[at + 2] as number))) return false;
  return high < toHigh || (high === toHigh && low <= (ints[at + 4] as number));
}
