import { allocate, createIntPool, exponentFor, type IntPool, release } from "./int-pool.ts";
import type { TimeClause } from "./plan.ts";

/**
 * The conditions of a filter that do not fit into its record of eight integers (`records.ts`). They are a list of
 * checks, written one after the other in an integer pool. The record holds the offset of the list, or 0 for none.
 *
 * A check is a head and its operands. The head is `operandCount << 3 | code`. The head 0 ends the list.
 * Example: "none of the keys 7 and 9, then ask the predicate" is `2 << 3 | noKey, 7, 9, 0 << 3 | predicate, 0`, which
 * is `18, 7, 9, 5, 0`. `scan.ts` reads the list.
 */
export interface ResidualChecks {
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

export function createResidualChecks(): ResidualChecks {
  return { pool: createIntPool(1), sharedByContent: new Map(), sharedByOffset: new Map() };
}

export function encodeCheck(code: number, operands: readonly number[]): readonly number[] {
  return [(operands.length << CHECK_COUNT_SHIFT) | code, ...operands];
}

export function encodeTimeCheck({ attribute, gte, lte }: TimeClause): readonly number[] {
  const low = gte === undefined ? [TIME_HIGH_MIN, 0] : toTimeParts(gte);
  const high = lte === undefined ? [TIME_HIGH_MAX, 0] : toTimeParts(lte);
  return encodeCheck(CHECK.time, [attribute === "message_timestamp_ms" ? 0 : 1, ...low, ...high]);
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
  if (checks.length > SHARED_LENGTH_MAX) return write(residuals.pool, checks);
  const content = checks.join();
  const known = residuals.sharedByContent.get(content);
  if (known !== undefined) {
    known.useCount += 1;
    return known.offset;
  }
  const shared = { content, offset: write(residuals.pool, checks), useCount: 1 };
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
  if (offset !== 0) release(residuals.pool, offset, exponentFor(lengthOf(residuals.pool, offset)));
}

function write(pool: IntPool, checks: readonly number[]): number {
  const offset = allocate(pool, exponentFor(checks.length + 1));
  pool.ints.set(checks, offset);
  pool.ints[offset + checks.length] = CHECK.end;
  return offset;
}

/** Includes the head that ends the list. */
function lengthOf({ ints }: IntPool, offset: number): number {
  let end = offset;
  for (let head = ints[end] ?? 0; head !== CHECK.end; head = ints[end] ?? 0) {
    end += 1 + (head >> CHECK_COUNT_SHIFT);
  }
  return end - offset + 1;
}
