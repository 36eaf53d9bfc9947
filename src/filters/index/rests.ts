import { allocate, createIntPool, exponentFor, type IntPool, release } from "./int-pool.ts";
import type { TimeClause } from "./plan.ts";

/** What the records do not hold themselves of their filters. */
export interface Rests {
  readonly pool: IntPool;
  readonly byName: Map<string, SharedRest>;
  readonly byPlace: Map<number, SharedRest>;
}

interface SharedRest {
  readonly name: string;
  readonly at: number;
  useCount: number;
}

/** One choice among three keys, or two of one each: longer ones are seldom the same. */
const SHARED_STEPS_MAX = 4;

export function createRests(): Rests {
  return { pool: createIntPool(1), byName: new Map(), byPlace: new Map() };
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

function toTimeParts(ms: number): readonly [number, number] {
  const high = Math.floor(ms / TIME_PART);
  return [high, ms - high * TIME_PART];
}

/**
 * Writes the steps down; 0 when there are none. Short ones, as a choice of countries is, are shared by all filters that
 * have the same: so they stay in the processor's cache.
 */
export function writeRest(rests: Rests, steps: readonly number[]): number {
  if (steps.length === 0) return 0;
  if (steps.length > SHARED_STEPS_MAX) return write(rests.pool, steps);
  const name = steps.join();
  const known = rests.byName.get(name);
  if (known !== undefined) {
    known.useCount += 1;
    return known.at;
  }
  const shared = { name, at: write(rests.pool, steps), useCount: 1 };
  rests.byName.set(name, shared);
  rests.byPlace.set(shared.at, shared);
  return shared.at;
}

export function releaseRest(rests: Rests, at: number): void {
  const shared = rests.byPlace.get(at);
  if (shared !== undefined) {
    shared.useCount -= 1;
    if (shared.useCount > 0) return;
    rests.byName.delete(shared.name);
    rests.byPlace.delete(at);
  }
  if (at !== 0) release(rests.pool, at, exponentFor(lengthOf(rests.pool, at)));
}

function write(pool: IntPool, steps: readonly number[]): number {
  const at = allocate(pool, exponentFor(steps.length + 1));
  pool.words.set(steps, at);
  pool.words[at + steps.length] = STEP.end;
  return at;
}

/** With the end. */
function lengthOf({ words }: IntPool, at: number): number {
  let end = at;
  for (let head = words[end] ?? 0; head !== STEP.end; head = words[end] ?? 0) {
    end += 1 + (head >> STEP_SHIFT);
  }
  return end - at + 1;
}
