import { TIMES } from "../language/attributes.ts";
import { allocate, createIntPool, exponentFor, grow, type IntPool, release } from "./int-tables.ts";
import type { IndexPlan, TimeClause } from "./plan.ts";

/**
 * Stores each filter as records of eight integers, half a cache line. A filter has one record under each of its anchor
 * keys. The records of one key lie side by side in one block, because a listing that has the key reads all of them.
 *
 * A record moves when its block grows, or when a removed record leaves a gap. So each record has a handle, which never
 * changes. Invariant: handle -> (key, position in the block) and (key, position) -> handle are always inverse. The
 * records of one filter are a chain of handles: `nextHandle`, 0 at the end.
 *
 * Example: filter A asks for reference 126610LN (key 2) or 5711 (key 5), filter B for 126610LN. The block of key 2 is
 * [A, B], that of key 5 is [A]. Removing A walks its two handles. In the block of key 2 the last record, B, moves to
 * position 0, and B's handle now says position 0. The block of key 5 is empty and goes back to the pool.
 */
export interface Records {
  readonly pool: IntPool;
  /** By key: the integers of `BLOCK`. */
  blocks: Int32Array;
  /** By record number, which is the record's offset in the pool divided by the record length. */
  handleByRecord: Int32Array;
  keyByHandle: Int32Array;
  positionByHandle: Int32Array;
  /** The handle of the filter's next record. */
  nextHandle: Int32Array;
  readonly freeHandles: number[];
  handleEnd: number;
  readonly residuals: ResidualChecks;
}

/** The integers of a record. */
export const RECORD = {
  /** See `packed-values.ts`. The sign bit is `DEDUPLICATE`. */
  allowedBits: 0,
  packedBounds: 1,
  slot: 2,
  /** Two more keys that the listing must have, or 0, which every listing has. */
  firstKey: 3,
  secondKey: 4,
  priceLow: 5,
  priceHigh: 6,
  /** The offset of the filter's residual checks, or 0. */
  residual: 7,
} as const;
export const RECORD_LENGTH = 8;
/** One listing can match several records of the filter, and must report the filter once. */
const DEDUPLICATE = 0x8000_0000 | 0;

/** The integers that describe a key's block: its offset in the pool, its records, and the records it has room for. */
export const BLOCK = { offset: 0, count: 1, capacity: 2 } as const;
export const BLOCK_LENGTH = 4;

/** What all records of one filter have in common. */
interface RecordContent {
  readonly slot: number;
  readonly plan: IndexPlan;
  readonly canMatchTwice: boolean;
  readonly firstKey: number;
  readonly secondKey: number;
  readonly residual: number;
}

interface RecordPosition {
  readonly key: number;
  readonly position: number;
}

export function createRecords(): Records {
  return {
    // Every block starts at a multiple of the record length, so that record numbers are whole.
    pool: createIntPool(RECORD_LENGTH),
    blocks: new Int32Array(64),
    handleByRecord: new Int32Array(64),
    keyByHandle: new Int32Array(64),
    positionByHandle: new Int32Array(64),
    nextHandle: new Int32Array(64),
    freeHandles: [],
    // Handle 0 ends a chain.
    handleEnd: 1,
    residuals: createResidualChecks(),
  };
}

/** Adds a record under each anchor key. Returns the first handle of the filter's chain. */
export function addRecords(
  records: Records,
  anchorKeys: readonly number[],
  content: RecordContent,
): number {
  const record = toRecord(content);
  let firstHandle = 0;
  for (const key of anchorKeys) {
    const handle = takeHandle(records);
    const position = appendPosition(records, key);
    records.pool.ints.set(record, offsetOf(records, { key, position }));
    records.keyByHandle[handle] = key;
    records.nextHandle[handle] = firstHandle;
    linkHandle(records, handle, { key, position });
    firstHandle = handle;
  }
  return firstHandle;
}

/** Removes all records of a chain. Returns the offset of their residual checks, which the caller releases. */
export function removeRecords(records: Records, firstHandle: number): number {
  let residual = 0;
  for (let handle = firstHandle; handle !== 0; handle = records.nextHandle[handle] ?? 0) {
    residual = removeRecord(records, handle);
    records.freeHandles.push(handle);
  }
  return residual;
}

export function countRecords({ blocks }: Records, key: number): number {
  return blocks[key * BLOCK_LENGTH + BLOCK.count] ?? 0;
}

/** In the order of `RECORD`. */
function toRecord({ plan, ...content }: RecordContent): readonly number[] {
  return [
    content.canMatchTwice ? plan.allowedBits | DEDUPLICATE : plan.allowedBits,
    plan.packedBounds,
    content.slot,
    content.firstKey,
    content.secondKey,
    plan.priceLow,
    plan.priceHigh,
    content.residual,
  ];
}

function takeHandle(records: Records): number {
  const free = records.freeHandles.pop();
  if (free !== undefined) return free;
  const handle = records.handleEnd;
  records.handleEnd += 1;
  records.keyByHandle = grow(records.keyByHandle, records.handleEnd);
  records.positionByHandle = grow(records.positionByHandle, records.handleEnd);
  records.nextHandle = grow(records.nextHandle, records.handleEnd);
  return handle;
}

function linkHandle(records: Records, handle: number, at: RecordPosition): void {
  records.handleByRecord[recordNumberOf(records, at)] = handle;
  records.positionByHandle[handle] = at.position;
}

/** Returns the position of a new record at the end of the key's block. A full block moves to one twice as large. */
function appendPosition(records: Records, key: number): number {
  records.blocks = grow(records.blocks, (key + 1) * BLOCK_LENGTH);
  const count = countRecords(records, key);
  if (count === 0) allocateBlock(records, key, 1);
  else if (count === capacityOf(records, key)) enlargeBlock(records, key);
  records.blocks[key * BLOCK_LENGTH + BLOCK.count] = count + 1;
  return count;
}

function allocateBlock(records: Records, key: number, capacity: number): void {
  const offset = allocate(records.pool, exponentFor(capacity * RECORD_LENGTH));
  records.blocks[key * BLOCK_LENGTH + BLOCK.offset] = offset;
  records.blocks[key * BLOCK_LENGTH + BLOCK.capacity] = capacity;
  const recordNumberEnd = Math.ceil(records.pool.ints.length / RECORD_LENGTH);
  records.handleByRecord = grow(records.handleByRecord, recordNumberEnd);
}

function enlargeBlock(records: Records, key: number): void {
  const count = countRecords(records, key);
  const start = { key, position: 0 };
  const oldOffset = offsetOf(records, start);
  const oldNumber = recordNumberOf(records, start);
  allocateBlock(records, key, count * 2);
  const { ints } = records.pool;
  ints.copyWithin(offsetOf(records, start), oldOffset, oldOffset + count * RECORD_LENGTH);
  records.handleByRecord.copyWithin(recordNumberOf(records, start), oldNumber, oldNumber + count);
  release(records.pool, oldOffset, exponentFor(count * RECORD_LENGTH));
}

/** Returns the record's residual. The last record of the block fills the gap. */
function removeRecord(records: Records, handle: number): number {
  const key = records.keyByHandle[handle] ?? 0;
  const gap = { key, position: records.positionByHandle[handle] ?? 0 };
  const last = { key, position: countRecords(records, key) - 1 };
  const residual = records.pool.ints[offsetOf(records, gap) + RECORD.residual] ?? 0;
  if (last.position !== gap.position) moveRecord(records, last, gap);
  records.blocks[key * BLOCK_LENGTH + BLOCK.count] = last.position;
  if (last.position === 0) releaseBlock(records, key);
  return residual;
}

function moveRecord(records: Records, from: RecordPosition, to: RecordPosition): void {
  const offset = offsetOf(records, from);
  records.pool.ints.copyWithin(offsetOf(records, to), offset, offset + RECORD_LENGTH);
  linkHandle(records, records.handleByRecord[recordNumberOf(records, from)] ?? 0, to);
}

function releaseBlock(records: Records, key: number): void {
  const length = capacityOf(records, key) * RECORD_LENGTH;
  release(records.pool, blockOffsetOf(records, key), exponentFor(length));
}

function blockOffsetOf({ blocks }: Records, key: number): number {
  return blocks[key * BLOCK_LENGTH + BLOCK.offset] ?? 0;
}

function capacityOf({ blocks }: Records, key: number): number {
  return blocks[key * BLOCK_LENGTH + BLOCK.capacity] ?? 0;
}

function offsetOf(records: Records, { key, position }: RecordPosition): number {
  return blockOffsetOf(records, key) + position * RECORD_LENGTH;
}

function recordNumberOf(records: Records, { key, position }: RecordPosition): number {
  return blockOffsetOf(records, key) / RECORD_LENGTH + position;
}

/**
 * The conditions of a filter that do not fit into its record of eight integers. They are a list of checks,
 * written one after the other in an integer pool. The record holds the offset of the list, or 0 for none.
 *
 * A check is a head and its operands. The head is `operandCount << 3 | code`. The head 0 ends the list.
 * Example: "none of the keys 7 and 9, then ask the predicate" is `2 << 3 | noKey, 7, 9, 0 << 3 | predicate, 0`, which
 * is `18, 7, 9, 5, 0`. `scan.ts` reads the list.
 */
interface ResidualChecks {
  readonly pool: IntPool;
  /** Short lists are stored once and shared by the filters that have the same. */
  readonly sharedByContent: Map<string, SharedList>;
  readonly sharedByOffset: Map<number, SharedList>;
}

interface SharedList {
  readonly content: string;
  readonly offset: number;
  useCount: number;
}

export const CHECK = {
  end: 0,
  /** Operands: keys. The listing has at least one of them. */
  anyKey: 1,
  /** Operands: keys. The listing has none of them. */
  noKey: 2,
  /** Operands: which time, then the lower and the upper bound in two parts each. */
  time: 3,
  /** Operands: keys of words. The listing's text has them side by side. */
  phrase: 4,
  /** No operands. The predicate holds for the clauses that are kept for the filter's slot. */
  predicate: 5,
} as const;
export const CHECK_CODE_MASK = 0b111;
export const CHECK_COUNT_SHIFT = 3;

/** Times exceed 32 bits. A time is compared as `high * 2 ** 30 + low`. */
export const TIME_LOW_RANGE = 2 ** 30;
const TIME_HIGH_MIN = -0x8000_0000;
const TIME_HIGH_MAX = 0x7fff_ffff;

/** One check with three keys, or two checks with one key each. Longer lists are rarely equal. */
const SHARED_LENGTH_MAX = 4;

function createResidualChecks(): ResidualChecks {
  return { pool: createIntPool(1), sharedByContent: new Map(), sharedByOffset: new Map() };
}

export function encodeCheck(code: number, operands: readonly number[]): readonly number[] {
  return [(operands.length << CHECK_COUNT_SHIFT) | code, ...operands];
}

export function encodeTimeCheck({ attribute, gte, lte }: TimeClause): readonly number[] {
  const low = gte === undefined ? [TIME_HIGH_MIN, 0] : toTimeParts(gte);
  const high = lte === undefined ? [TIME_HIGH_MAX, 0] : toTimeParts(lte);
  const time = TIMES.findIndex(({ name }) => name === attribute);
  return encodeCheck(CHECK.time, [time, ...low, ...high]);
}

function toTimeParts(ms: number): readonly [number, number] {
  const high = Math.floor(ms / TIME_LOW_RANGE);
  return [high, ms - high * TIME_LOW_RANGE];
}

/**
 * Stores encoded checks and returns their offset, or 0 if there are none. Sharing short lists, such as a choice of
 * countries, keeps them in the processor's cache.
 */
export function storeChecks(residuals: ResidualChecks, checks: readonly number[]): number {
  if (checks.length === 0) return 0;
  if (checks.length > SHARED_LENGTH_MAX) return writeChecks(residuals.pool, checks);
  const content = checks.join();
  const known = residuals.sharedByContent.get(content);
  if (known !== undefined) {
    known.useCount += 1;
    return known.offset;
  }
  const shared = { content, offset: writeChecks(residuals.pool, checks), useCount: 1 };
  residuals.sharedByContent.set(content, shared);
  residuals.sharedByOffset.set(shared.offset, shared);
  return shared.offset;
}

/** Call it once for each `storeChecks`. Does nothing for offset 0. */
export function releaseChecks(residuals: ResidualChecks, offset: number): void {
  const shared = residuals.sharedByOffset.get(offset);
  if (shared !== undefined) {
    shared.useCount -= 1;
    if (shared.useCount > 0) return;
    residuals.sharedByContent.delete(shared.content);
    residuals.sharedByOffset.delete(offset);
  }
  if (offset !== 0)
    release(residuals.pool, offset, exponentFor(checksLengthOf(residuals.pool, offset)));
}

function writeChecks(pool: IntPool, checks: readonly number[]): number {
  const offset = allocate(pool, exponentFor(checks.length + 1));
  pool.ints.set(checks, offset);
  pool.ints[offset + checks.length] = CHECK.end;
  return offset;
}

/** Includes the head that ends the list. */
function checksLengthOf({ ints }: IntPool, offset: number): number {
  let end = offset;
  for (let head = ints[end] ?? 0; head !== CHECK.end; head = ints[end] ?? 0) {
    end += 1 + (head >> CHECK_COUNT_SHIFT);
  }
  return end - offset + 1;
}
