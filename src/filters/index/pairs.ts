/**
 * Two keys that a filter asks for together have a number of their own, so that a filter of two common values, as a
 * country and a price are, is found only by the listings that have both.
 */
export interface KeyPairs {
  /** Open addressing, four numbers each: the first key, the second, the number of both, and one unused; 0 is free. */
  table: Int32Array;
  count: number;
}

const PLACE_WORDS = 4;
const PLACES_AT_FIRST = 64;

export function createKeyPairs(): KeyPairs {
  return { table: new Int32Array(PLACES_AT_FIRST * PLACE_WORDS), count: 0 };
}

/** The number of two keys, or 0. */
export function findPair({ table }: KeyPairs, first: number, second: number): number {
  const last = (table.length >>> 2) - 1;
  for (let at = hashOf(first, second) & last; ; at = (at + 1) & last) {
    const place = at << 2;
    const key = table[place + 2] as number;
    if (key === 0 || (table[place] === first && table[place + 1] === second)) return key;
  }
}

interface Pair {
  readonly first: number;
  readonly second: number;
  readonly key: number;
}

/** Two keys that have no number yet get this one. */
export function addPair(pairs: KeyPairs, pair: Pair): void {
  pairs.count += 1;
  if (pairs.count * 2 > pairs.table.length / PLACE_WORDS) growTable(pairs);
  put(pairs.table, pair);
}

function growTable(pairs: KeyPairs): void {
  const old = pairs.table;
  pairs.table = new Int32Array(old.length * 2);
  for (let place = 0; place < old.length; place += PLACE_WORDS) {
    const [first = 0, second = 0, key = 0] = old.subarray(place, place + PLACE_WORDS);
    if (key !== 0) put(pairs.table, { first, second, key });
  }
}

function put(table: Int32Array, { first, second, key }: Pair): void {
  const last = table.length / PLACE_WORDS - 1;
  let at = hashOf(first, second) & last;
  while (table[at * PLACE_WORDS + 2] !== 0) at = (at + 1) & last;
  table.set([first, second, key], at * PLACE_WORDS);
}

function hashOf(first: number, second: number): number {
  const mixed = Math.imul(first, 0x9e37_79b1) ^ Math.imul(second, 0x85eb_ca6b);
  return mixed ^ (mixed >>> 15);
}
