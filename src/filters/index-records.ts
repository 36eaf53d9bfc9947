import type { IndexPlan, TimeClause } from "./index-plan.ts";
import { allocate, createIntPool, exponentFor, grow, type IntPool, release } from "./int-pool.ts";

/**
 * A filter's record: eight numbers, so that a cache line holds two. The records of one key lie side by side, because
 * a listing that has the key reads them all. A filter with several anchor values has a record at each of them.
 */
export const RECORD = {
  mask: 0,
  lanes: 1,
  slot: 2,
  priceLow: 3,
  priceHigh: 4,
  /** Two more keys that the listing must have, or 0, which every listing has. */
  firstKey: 5,
  secondKey: 6,
  /** Where the rest of its conditions is written down, or 0. */
  rest: 7,
} as const;
export const RECORD_WORDS = 8;
const RECORD_EXPONENT = 3;
/**
 * The sign bit of a mask: the listing may meet the filter at several of its anchors, and it must be found once.
 * The other bits are those of `index-plan.ts`.
 */
const ONCE = 0x8000_0000 | 0;

/** The blocks of records, one for each key, and where each filter's records are. */
export interface Records {
  readonly pool: IntPool;
  /** The entry of the record at `8 * index`. */
  entryOf: Int32Array;
  readonly rests: IntPool;
  /** By key. */
  blockAt: Int32Array;
  blockCount: Int32Array;
  blockExponent: Int32Array;
  /** By entry. */
  entryAt: Int32Array;
  entryKey: Int32Array;
  entryNext: Int32Array;
  readonly freeEntries: number[];
  entryEnd: number;
}

/** What every record of one filter has in common. */
export interface RecordDraft {
  readonly slot: number;
  readonly plan: IndexPlan;
  readonly isOnce: boolean;
  readonly firstKey: number;
  readonly secondKey: number;
  readonly rest: number;
}

export function createRecords(): Records {
  return {
    // Records begin at multiples of their size, so that none lies across two cache lines.
    pool: createIntPool(RECORD_WORDS),
    entryOf: new Int32Array(64),
    rests: createIntPool(1),
    blockAt: new Int32Array(64),
    blockCount: new Int32Array(64),
    blockExponent: new Int32Array(64),
    entryAt: new Int32Array(64),
    entryKey: new Int32Array(64),
    entryNext: new Int32Array(64),
    freeEntries: [],
    // Entry 0 stands for the end of a chain.
    entryEnd: 1,
  };
}

/** Adds a record at each anchor key; gives the first of its entries, the head of a chain. */
export function addRecords(
  records: Records,
  anchors: readonly number[],
  draft: RecordDraft,
): number {
  let head = 0;
  for (const anchor of anchors) {
    const entry = takeEntry(records);
    const at = makeRoom(records, anchor);
    const { words } = records.pool;
    words[at + RECORD.slot] = draft.slot;
    words[at + RECORD.mask] = draft.isOnce ? draft.plan.mask | ONCE : draft.plan.mask;
    words[at + RECORD.lanes] = draft.plan.lanes;
    words[at + RECORD.priceLow] = draft.plan.priceLow;
    words[at + RECORD.priceHigh] = draft.plan.priceHigh;
    words[at + RECORD.firstKey] = draft.firstKey;
    words[at + RECORD.secondKey] = draft.secondKey;
    words[at + RECORD.rest] = draft.rest;
    records.entryOf[at / RECORD_WORDS] = entry;
    records.entryAt[entry] = at;
    records.entryKey[entry] = anchor;
    records.entryNext[entry] = head;
    head = entry;
  }
  return head;
}

/** Removes all records of a chain; gives where their rest is written down. */
export function removeRecords(records: Records, head: number): number {
  let rest = 0;
  for (let entry = head; entry !== 0; entry = records.entryNext[entry] ?? 0) {
    rest = removeRecord(records, entry);
    records.freeEntries.push(entry);
  }
  return rest;
}

export function listAnchors(records: Records, head: number): readonly number[] {
  const anchors: number[] = [];
  for (let entry = head; entry !== 0; entry = records.entryNext[entry] ?? 0) {
    anchors.push(records.entryKey[entry] ?? 0);
  }
  return anchors;
}

function takeEntry(records: Records): number {
  const free = records.freeEntries.pop();
  if (free !== undefined) return free;
  const entry = records.entryEnd;
  records.entryEnd += 1;
  records.entryAt = grow(records.entryAt, records.entryEnd);
  records.entryKey = grow(records.entryKey, records.entryEnd);
  records.entryNext = grow(records.entryNext, records.entryEnd);
  return entry;
}

/** Where the next record of the key goes. A full block moves to one of twice its size. */
function makeRoom(records: Records, key: number): number {
  records.blockAt = grow(records.blockAt, key + 1);
  records.blockCount = grow(records.blockCount, key + 1);
  records.blockExponent = grow(records.blockExponent, key + 1);
  const count = records.blockCount[key] ?? 0;
  const exponent = records.blockExponent[key] ?? 0;
  records.blockCount[key] = count + 1;
  if (count === 0) {
    records.blockExponent[key] = RECORD_EXPONENT;
    records.blockAt[key] = allocate(records.pool, RECORD_EXPONENT);
  } else if (count * RECORD_WORDS === 2 ** exponent) {
    moveBlock(records, key, exponent);
  }
  records.entryOf = grow(records.entryOf, records.pool.words.length / RECORD_WORDS);
  return (records.blockAt[key] ?? 0) + count * RECORD_WORDS;
}

function moveBlock(records: Records, key: number, exponent: number): void {
  const from = records.blockAt[key] ?? 0;
  const to = allocate(records.pool, exponent + 1);
  records.entryOf = grow(records.entryOf, records.pool.words.length / RECORD_WORDS);
  for (let offset = 0; offset < 2 ** exponent; offset += RECORD_WORDS) {
    moveRecord(records, from + offset, to + offset);
  }
  release(records.pool, from, exponent);
  records.blockAt[key] = to;
  records.blockExponent[key] = exponent + 1;
}

function moveRecord({ pool, entryOf, entryAt }: Records, from: number, to: number): void {
  pool.words.copyWithin(to, from, from + RECORD_WORDS);
  const entry = entryOf[from / RECORD_WORDS] ?? 0;
  entryOf[to / RECORD_WORDS] = entry;
  entryAt[entry] = to;
}

// The last record of the block takes the place of the one that goes.
function removeRecord(records: Records, entry: number): number {
  const { words } = records.pool;
  const at = records.entryAt[entry] ?? 0;
  const key = records.entryKey[entry] ?? 0;
  const rest = words[at + RECORD.rest] ?? 0;
  const count = (records.blockCount[key] ?? 0) - 1;
  const lastAt = (records.blockAt[key] ?? 0) + count * RECORD_WORDS;
  if (lastAt !== at) moveRecord(records, lastAt, at);
  records.blockCount[key] = count;
  if (count === 0)
    release(records.pool, records.blockAt[key] ?? 0, records.blockExponent[key] ?? 0);
  return rest;
}

/** The rest of a filter's conditions: steps, each a head (`length << 3 | code`) and its numbers, up to an end. */
export const STEP = { end: 0, anyKey: 1, noKey: 2, time: 3, phrase: 4, verify: 5 } as const;
export const STEP_CODE = 0b111;
export const STEP_SHIFT = 3;

/** Times are beyond 32 bits: they are compared in two parts. */
export const TIME_PART = 2 ** 30;
const HIGH_MIN = -0x8000_0000;
const HIGH_MAX = 0x7fff_ffff;

export function step(code: number, numbers: readonly number[]): readonly number[] {
  return [(numbers.length << STEP_SHIFT) | code, ...numbers];
}

export function timeStep({ attribute, gte, lte }: TimeClause): readonly number[] {
  const low = gte === undefined ? [HIGH_MIN, 0] : toTimeParts(gte);
  const high = lte === undefined ? [HIGH_MAX, 0] : toTimeParts(lte);
  return step(STEP.time, [attribute === "message_timestamp_ms" ? 0 : 1, ...low, ...high]);
}

export function toTimeParts(ms: number): readonly [number, number] {
  const high = Math.floor(ms / TIME_PART);
  return [high, ms - high * TIME_PART];
}

/** Writes the steps down; 0 when there are none. */
export function writeRest(pool: IntPool, steps: readonly number[]): number {
  if (steps.length === 0) return 0;
  const at = allocate(pool, exponentFor(steps.length + 1));
  pool.words.set(steps, at);
  pool.words[at + steps.length] = STEP.end;
  return at;
}

export function releaseRest(pool: IntPool, at: number): void {
  if (at === 0) return;
  let end = at;
  for (let head = pool.words[end] ?? 0; head !== STEP.end; head = pool.words[end] ?? 0) {
    end += 1 + (head >> STEP_SHIFT);
  }
  release(pool, at, exponentFor(end - at + 1));
}
