/**
 * A small allocator: many blocks of 32-bit integers inside one Int32Array, so that a million filters are a few arrays
 * and not millions of objects. Every block has a power of two as its length, which callers pass as the exponent. A
 * released block is reused for the next request of the same length. Offset 0 is never handed out: it means "no block".
 *
 * Example: `allocate(pool, exponentFor(5))` returns the offset of a block of eight integers.
 */
export interface IntPool {
  /** `allocate` replaces this array when the pool grows, so read it again after each call. */
  ints: Int32Array;
  endOffset: number;
  /** By exponent: the offsets of released blocks. */
  readonly released: number[][];
}

const INITIAL_LENGTH = 1024;
const EXPONENT_MAX = 30;

/**
 * The first block starts at `firstOffset`. If no block is shorter than `firstOffset`, every block starts at a multiple
 * of it.
 */
export function createIntPool(firstOffset: number): IntPool {
  return {
    ints: new Int32Array(INITIAL_LENGTH),
    endOffset: firstOffset,
    released: Array.from({ length: EXPONENT_MAX }, () => []),
  };
}

/** Returns the offset of a block of `2 ** exponent` integers. The block is not cleared. */
export function allocate(pool: IntPool, exponent: number): number {
  const reused = pool.released[exponent]?.pop();
  if (reused !== undefined) return reused;
  const offset = pool.endOffset;
  pool.endOffset += 2 ** exponent;
  if (pool.endOffset > pool.ints.length) pool.ints = grow(pool.ints, pool.endOffset);
  return offset;
}

export function release(pool: IntPool, offset: number, exponent: number): void {
  pool.released[exponent]?.push(offset);
}

/** The smallest exponent whose block holds `length` integers. */
export function exponentFor(length: number): number {
  return length <= 1 ? 0 : 32 - Math.clz32(length - 1);
}

/** Returns an array of at least `length`. It grows by half or more, so that repeated growth stays cheap on average. */
export function grow(ints: Int32Array, length: number): Int32Array {
  if (ints.length >= length) return ints;
  const next = new Int32Array(Math.max(length, ints.length + (ints.length >>> 1)));
  next.set(ints);
  return next;
}
