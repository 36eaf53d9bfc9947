import { allocate, createIntPool, exponentFor, grow, type IntPool, release } from "./int-pool.ts";
import type { IndexPlan } from "./plan.ts";
import { createRests, type Rests } from "./rests.ts";

/**
 * A filter's record is eight numbers, half a line of the processor's cache. The records of one key lie in one block,
 * because a listing that has the key reads all of them. A filter with several anchor values has a record at each.
 */
export const RECORD = {
  mask: 0,
  lanes: 1,
  slot: 2,
  /** Two more keys that the listing must have, or 0, which every listing has. */
  firstKey: 3,
  secondKey: 4,
  priceLow: 5,
  priceHigh: 6,
  /** Where the rest of its conditions is written down, or 0. */
  rest: 7,
} as const;
export const RECORD_WORDS = 8;
/**
 * The sign bit of a mask: the listing may meet the filter at several of its anchors, and it must be found once.
 * The other bits are those of `index-plan.ts`.
 */
const ONCE = 0x8000_0000 | 0;

/** A key's block: where it begins, how many records it holds, and how many it has room for. */
export const BLOCK = { at: 0, count: 1, room: 2 } as const;
export const BLOCK_WORDS = 4;

/** The blocks of records, one for each key, and where each filter's records are. */
export interface Records {
  readonly pool: IntPool;
  /** By key, side by side because they are read together: `BLOCK`. */
  blocks: Int32Array;
  /** By the block's place in the pool and the record's in the block: its entry. */
  entryOf: Int32Array;
  /** By entry: the key, the record's place in the block, and the filter's next entry. */
  entryKey: Int32Array;
  entryPlace: Int32Array;
  entryNext: Int32Array;
  readonly freeEntries: number[];
  entryEnd: number;
  readonly rests: Rests;
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
    // Blocks begin at multiples of a record, so that a place in the pool gives a place in `entryOf`.
    pool: createIntPool(RECORD_WORDS),
    blocks: new Int32Array(64),
    entryOf: new Int32Array(64),
    entryKey: new Int32Array(64),
    entryPlace: new Int32Array(64),
    entryNext: new Int32Array(64),
    freeEntries: [],
    // Entry 0 stands for the end of a chain.
    entryEnd: 1,
    rests: createRests(),
  };
}

/** Adds a record at each anchor key; gives the first of its entries, the head of a chain. */
export function addRecords(
  records: Records,
  anchors: readonly number[],
  draft: RecordDraft,
): number {
  const { plan } = draft;
  const mask = draft.isOnce ? plan.mask | ONCE : plan.mask;
  const record = [
    mask,
    plan.lanes,
    draft.slot,
    draft.firstKey,
    draft.secondKey,
    plan.priceLow,
    plan.priceHigh,
    draft.rest,
  ];
  let first = 0;
  for (const key of anchors) {
    const entry = takeEntry(records);
    const place = makeRoom(records, key);
    records.pool.words.set(record, recordAt(records, key, place));
    records.entryKey[entry] = key;
    records.entryNext[entry] = first;
    knowEntry(records, { key, place, entry });
    first = entry;
  }
  return first;
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

/** How many records the key has. */
export function countRecords({ blocks }: Records, key: number): number {
  return blocks[key * BLOCK_WORDS + BLOCK.count] ?? 0;
}

function blockAt({ blocks }: Records, key: number): number {
  return blocks[key * BLOCK_WORDS + BLOCK.at] ?? 0;
}

function roomOf({ blocks }: Records, key: number): number {
  return blocks[key * BLOCK_WORDS + BLOCK.room] ?? 0;
}

function recordAt(records: Records, key: number, place: number): number {
  return blockAt(records, key) + place * RECORD_WORDS;
}

function entryIndex(records: Records, key: number, place: number): number {
  return blockAt(records, key) / RECORD_WORDS + place;
}

function knowEntry(
  records: Records,
  { key, place, entry }: { readonly key: number; readonly place: number; readonly entry: number },
): void {
  records.entryOf[entryIndex(records, key, place)] = entry;
  records.entryPlace[entry] = place;
}

function takeEntry(records: Records): number {
  const free = records.freeEntries.pop();
  if (free !== undefined) return free;
  const entry = records.entryEnd;
  records.entryEnd += 1;
  records.entryKey = grow(records.entryKey, records.entryEnd);
  records.entryPlace = grow(records.entryPlace, records.entryEnd);
  records.entryNext = grow(records.entryNext, records.entryEnd);
  return entry;
}

/** The place of the key's next record. A full block moves to one of twice its size. */
function makeRoom(records: Records, key: number): number {
  records.blocks = grow(records.blocks, (key + 1) * BLOCK_WORDS);
  const count = countRecords(records, key);
  if (count === 0) takeBlock(records, key, 1);
  else if (count === roomOf(records, key)) moveBlock(records, key);
  records.blocks[key * BLOCK_WORDS + BLOCK.count] = count + 1;
  return count;
}

function takeBlock(records: Records, key: number, room: number): void {
  const at = allocate(records.pool, exponentFor(room * RECORD_WORDS));
  records.blocks[key * BLOCK_WORDS + BLOCK.at] = at;
  records.blocks[key * BLOCK_WORDS + BLOCK.room] = room;
  records.entryOf = grow(records.entryOf, Math.ceil(records.pool.words.length / RECORD_WORDS));
}

function moveBlock(records: Records, key: number): void {
  const count = countRecords(records, key);
  const from = recordAt(records, key, 0);
  const fromEntry = entryIndex(records, key, 0);
  takeBlock(records, key, count * 2);
  const { words } = records.pool;
  words.copyWithin(recordAt(records, key, 0), from, from + count * RECORD_WORDS);
  records.entryOf.copyWithin(entryIndex(records, key, 0), fromEntry, fromEntry + count);
  release(records.pool, from, exponentFor(count * RECORD_WORDS));
}

// The last record of the block takes the place of the one that goes.
function removeRecord(records: Records, entry: number): number {
  const { words } = records.pool;
  const key = records.entryKey[entry] ?? 0;
  const place = records.entryPlace[entry] ?? 0;
  const rest = words[recordAt(records, key, place) + RECORD.rest] ?? 0;
  const last = countRecords(records, key) - 1;
  if (last !== place) {
    const from = recordAt(records, key, last);
    words.copyWithin(recordAt(records, key, place), from, from + RECORD_WORDS);
    knowEntry(records, { key, place, entry: records.entryOf[entryIndex(records, key, last)] ?? 0 });
  }
  records.blocks[key * BLOCK_WORDS + BLOCK.count] = last;
  if (last === 0) {
    release(records.pool, blockAt(records, key), exponentFor(roomOf(records, key) * RECORD_WORDS));
  }
  return rest;
}
