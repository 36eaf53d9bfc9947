/**
 * Blocks of 32-bit numbers in one array. Sizes are powers of two, given as their exponent; what is released is used
 * again for the same size. Offset 0 is never handed out: it stands for nothing.
 */
export interface IntPool {
  /** Replaced when the pool grows: read it anew after `allocate`. */
  words: Int32Array;
  endAt: number;
  readonly free: number[][];
}

const WORDS_AT_FIRST = 1024;
const EXPONENT_MAX = 30;

/** Blocks of at least `startAt` numbers begin at multiples of it, if no smaller ones are asked for. */
export function createIntPool(startAt: number): IntPool {
  return {
    words: new Int32Array(WORDS_AT_FIRST),
    endAt: startAt,
    free: Array.from({ length: EXPONENT_MAX }, () => []),
  };
}

/** The offset of a block of `2 ** exponent` numbers; its content is whatever was there. */
export function allocate(pool: IntPool, exponent: number): number {
  const released = pool.free[exponent]?.pop();
  if (released !== undefined) return released;
  const at = pool.endAt;
  pool.endAt += 2 ** exponent;
  if (pool.endAt > pool.words.length) pool.words = grow(pool.words, pool.endAt);
  return at;
}

export function release(pool: IntPool, at: number, exponent: number): void {
  pool.free[exponent]?.push(at);
}

/** The least exponent whose block holds that many numbers. */
export function exponentFor(length: number): number {
  return length <= 1 ? 0 : 32 - Math.clz32(length - 1);
}

/** At least as long as asked, and by half longer than before, so that growing costs little on average. */
export function grow(words: Int32Array, length: number): Int32Array {
  if (words.length >= length) return words;
  const next = new Int32Array(Math.max(length, words.length + (words.length >>> 1)));
  next.set(words);
  return next;
}
