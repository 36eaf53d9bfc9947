import type { ListingFacts } from "../listings/listing.ts";
import type { IndexKeys } from "./index-keys.ts";
import { maskOf, NO_PRICE, NO_YEAR, PRICE_MAX } from "./index-plan.ts";
import {
  RECORD,
  RECORD_WORDS,
  type Records,
  STEP,
  STEP_CODE,
  STEP_SHIFT,
  toTimeParts,
} from "./index-records.ts";
import { grow } from "./int-pool.ts";

/** What one reading of the index needs and leaves behind; kept, so that a match allocates nothing but its answer. */
export interface Scan {
  /** The slots that matched. */
  found: Int32Array;
  /** By slot: the epoch in which it was found at one of its keys. */
  seen: Int32Array;
  /** Of the listing. */
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
  return { found: new Int32Array(1024), seen: new Int32Array(0), times: new Int32Array(4) };
}

/** Compares the listing, whose keys are stamped, with the records of its keys; gives how many slots it found. */
export function scanListing(parts: Parts, question: Question): number {
  const { keys, records, scan } = parts;
  const { listing } = question;
  const { words } = records.pool;
  const { stamps, epoch, hits, hitCount } = keys;
  const mask = maskOf(listing);
  const year = listing.year ?? NO_YEAR;
  const price = Math.min(listing.price_eur_minor ?? NO_PRICE, PRICE_MAX);
  scan.seen = grow(scan.seen, parts.ids.length);
  scan.times.set(toTimeParts(listing.message_timestamp_ms), 0);
  scan.times.set(toTimeParts(listing.last_seen_at_ms), 2);
  let count = 0;
  for (let hit = 0; hit < hitCount; hit += 1) {
    const anchor = hits[hit] as number;
    const recordCount = records.blockCount[anchor];
    // A key that no filter is anchored at may lie beyond the blocks.
    if (recordCount === undefined || recordCount === 0) continue;
    scan.found = grow(scan.found, count + recordCount);
    const { found } = scan;
    const from = records.blockAt[anchor] as number;
    const to = from + recordCount * RECORD_WORDS;
    for (let at = from; at < to; at += RECORD_WORDS) {
      if (((words[at + RECORD.mask] as number) & mask) !== mask) continue;
      const years = words[at + RECORD.years] as number;
      if (year < years >>> 16 || year > (years & 0xffff)) continue;
      if (price < (words[at + RECORD.priceLow] as number)) continue;
      if (price > (words[at + RECORD.priceHigh] as number)) continue;
      const key = words[at + RECORD.key] as number;
      if (key !== 0 && stamps[key] !== epoch) continue;
      const slot = words[at + RECORD.slot] as number;
      const rest = words[at + RECORD.rest] as number;
      if (rest !== 0 && !followSteps(parts, rest, slot, question)) continue;
      found[count] = slot;
      count += 1;
    }
  }
  return count;
}

/** Whether the rest of a filter's conditions holds. */
function followSteps(parts: Parts, rest: number, slot: number, question: Question): boolean {
  const { words } = parts.records.pool;
  let at = rest;
  for (let head = words[at] as number; head !== STEP.end; head = words[at] as number) {
    const end = at + 1 + (head >> STEP_SHIFT);
    switch (head & STEP_CODE) {
      case STEP.anyKey:
        if (!hasKey(parts, at + 1, end)) return false;
        break;
      case STEP.noKey:
        if (hasKey(parts, at + 1, end)) return false;
        break;
      case STEP.time:
        if (!isInTime(words, at + 1, parts.scan.times)) return false;
        break;
      case STEP.verify:
        if (!question.verify(slot, question.listing)) return false;
        break;
      default:
        // Once: a listing that has several of the anchor's values meets the filter at each of them.
        if (parts.scan.seen[slot] === parts.keys.epoch) return false;
        parts.scan.seen[slot] = parts.keys.epoch;
    }
    at = end;
  }
  return true;
}

function hasKey({ keys, records }: Parts, from: number, end: number): boolean {
  const { words } = records.pool;
  const { stamps, epoch } = keys;
  for (let at = from; at < end; at += 1) {
    if (stamps[words[at] as number] === epoch) return true;
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
