import type { ListingFacts } from "../../listings/listing.ts";
import { grow } from "./int-pool.ts";
import type { IndexKeys } from "./keys.ts";
import { LANE_GUARDS, NO_PRICE, NO_YEAR, PRICE_MAX, toListingLanes } from "./lanes.ts";
import { maskOf } from "./plan.ts";
import { BLOCK, BLOCK_WORDS, RECORD, RECORD_WORDS, type Records } from "./records.ts";
import { STEP, STEP_CODE, STEP_SHIFT, TIME_PART } from "./rests.ts";

// The layout as constants of this file: V8 does not fold what comes through an import, and this is the hot loop.
const BLOCK_STEP = BLOCK_WORDS;
const AT = BLOCK.at;
const COUNT = BLOCK.count;
const RECORD_STEP = RECORD_WORDS;
const MASK = RECORD.mask;
const LANES = RECORD.lanes;
const SLOT = RECORD.slot;
const FIRST_KEY = RECORD.firstKey;
const SECOND_KEY = RECORD.secondKey;
const PRICE_LOW = RECORD.priceLow;
const PRICE_HIGH = RECORD.priceHigh;
const REST = RECORD.rest;
const GUARDS = LANE_GUARDS;
const END = STEP.end;
const ANY_KEY = STEP.anyKey;
const NO_KEY = STEP.noKey;
const TIME = STEP.time;
const PHRASE = STEP.phrase;
const CODE = STEP_CODE;
const SHIFT = STEP_SHIFT;
const PART = TIME_PART;

/** What one reading of the index needs and leaves behind; kept, so that a match allocates nothing but its answer. */
export interface Scan {
  /** The slots that matched. */
  found: Int32Array;
  foundCount: number;
  /** By slot: the epoch in which it was found at one of its keys. */
  seen: Int32Array;
  /** Of the listing. */
  mask: number;
  lanes: number;
  price: number;
  readonly times: Int32Array;
}

interface Parts {
  readonly keys: IndexKeys;
  readonly records: Records;
  readonly scan: Scan;
  readonly ids: readonly unknown[];
}

/** What the steps of a record's rest ask. */
interface Question {
  readonly listing: ListingFacts;
  readonly verify: (slot: number, listing: ListingFacts) => boolean;
}

export function createScan(): Scan {
  return {
    found: new Int32Array(1024),
    foundCount: 0,
    seen: new Int32Array(0),
    mask: 0,
    lanes: 0,
    price: NO_PRICE,
    times: new Int32Array(4),
  };
}

/** Compares the listing, whose keys are stamped, with the records of its keys; gives how many slots it found. */
export function scanListing(parts: Parts, question: Question): number {
  const { keys, records, scan } = parts;
  const { listing } = question;
  const { blocks } = records;
  const { hits, hitCount } = keys;
  scan.price = Math.min(listing.price_eur_minor ?? NO_PRICE, PRICE_MAX);
  scan.mask = maskOf(listing);
  scan.lanes = toListingLanes(listing.year ?? NO_YEAR, scan.price);
  setTime(scan.times, 0, listing.message_timestamp_ms);
  setTime(scan.times, 2, listing.last_seen_at_ms);
  scan.seen = grow(scan.seen, parts.ids.length);
  // Epochs begin anew when they run out; what was seen then must not look as if it was seen now.
  if (keys.epoch === 1) scan.seen.fill(0);
  scan.foundCount = 0;
  for (let hit = 0; hit < hitCount; hit += 1) {
    const block = (hits[hit] as number) * BLOCK_STEP;
    const recordCount = blocks[block + COUNT];
    // A key that no filter is anchored at may lie beyond the blocks.
    if (recordCount === undefined || recordCount === 0) continue;
    scan.found = grow(scan.found, scan.foundCount + recordCount);
    const first = blocks[block + AT] as number;
    scanBlock(parts, question, first, first + recordCount * RECORD_STEP);
  }
  return scan.foundCount;
}

/** A function of its own, because it is called often: so the compiler sees soon and wholly what it is like. */
function scanBlock(parts: Parts, question: Question, first: number, end: number): void {
  const { words } = parts.records.pool;
  const { stamps, epoch } = parts.keys;
  const { mask, lanes, price, found, seen } = parts.scan;
  let count = parts.scan.foundCount;
  for (let at = first; at < end; at += RECORD_STEP) {
    const bits = words[at + MASK] as number;
    // Not zero if a bit is missing or a lane is less. One jump for all of it: which condition fails cannot be
    // predicted, and a wrong guess of the processor costs more than all the comparisons.
    const failed = (~bits & mask) | (~(lanes - (words[at + LANES] as number)) & GUARDS);
    if (failed !== 0) continue;
    if (price < (words[at + PRICE_LOW] as number)) continue;
    if (price > (words[at + PRICE_HIGH] as number)) continue;
    if (stamps[words[at + FIRST_KEY] as number] !== epoch) continue;
    if (stamps[words[at + SECOND_KEY] as number] !== epoch) continue;
    const rest = words[at + REST] as number;
    const slot = words[at + SLOT] as number;
    if (rest !== 0 && !followSteps(parts, rest, slot, question)) continue;
    if (bits < 0) {
      if (seen[slot] === epoch) continue;
      seen[slot] = epoch;
    }
    found[count] = slot;
    count += 1;
  }
  parts.scan.foundCount = count;
}

/** As `toTimeParts`, without an array. */
function setTime(times: Int32Array, at: number, ms: number): void {
  const high = Math.floor(ms / PART);
  times[at] = high;
  times[at + 1] = ms - high * PART;
}

/** Whether the rest of a filter's conditions holds. */
function followSteps(parts: Parts, rest: number, slot: number, question: Question): boolean {
  const { words } = parts.records.rests.pool;
  const { stamps, epoch } = parts.keys;
  let at = rest;
  for (;;) {
    const head = words[at] as number;
    if (head === END) return true;
    const end = at + 1 + (head >> SHIFT);
    const code = head & CODE;
    if (code === ANY_KEY) {
      at += 1;
      while (at < end && stamps[words[at] as number] !== epoch) at += 1;
      if (at === end) return false;
    } else if (code === NO_KEY) {
      at += 1;
      while (at < end && stamps[words[at] as number] !== epoch) at += 1;
      if (at < end) return false;
    } else if (code === TIME) {
      if (!isInTime(words, at + 1, parts.scan.times)) return false;
    } else if (code === PHRASE) {
      if (!hasPhrase(parts, at + 1, end)) return false;
    } else if (!question.verify(slot, question.listing)) return false;
    at = end;
  }
}

/** Whether the listing's words have these side by side. */
function hasPhrase({ keys, records }: Parts, from: number, end: number): boolean {
  const { words } = records.rests.pool;
  const { sequence, sequenceLength } = keys;
  const first = words[from] as number;
  const lastStart = sequenceLength - (end - from);
  for (let start = 0; start <= lastStart; start += 1) {
    if (sequence[start] !== first) continue;
    let at = from + 1;
    while (at < end && sequence[start + at - from] === words[at]) at += 1;
    if (at === end) return true;
  }
  return false;
}

function isInTime(words: Int32Array, at: number, times: Int32Array): boolean {
  const which = 2 * (words[at] as number);
  const high = times[which] as number;
  const low = times[which + 1] as number;
  const fromHigh = words[at + 1] as number;
  const toHigh = words[at + 3] as number;
  if (high < fromHigh || (high === fromHigh && low < (words[at + 2] as number))) return false;
  return high < toHigh || (high === toHigh && low <= (words[at + 4] as number));
}
