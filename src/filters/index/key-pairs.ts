/**
 * A hash table from two keys to the key of the pair. A filter that asks for two common values, such as a brand and a
 * country, is stored under the pair. Only listings that have both values look at it.
 *
 * Example: brand:rolex is key 3 and country_code:852 is key 7. `addPair({ first: 3, second: 7, key: 12 })` makes
 * `findPair(pairs, 3, 7)` return 12. The order matters: `findPair(pairs, 7, 3)` returns 0.
 */
export interface KeyPairs {
  /** Open addressing. An entry is four integers: first key, second key, key of the pair, unused. Pair key 0 is free. */
  table: Int32Array;
  count: number;
}

interface Pair {
  readonly first: number;
  readonly second: number;
  readonly key: number;
}

const ENTRY_LENGTH = 4;
const INITIAL_ENTRIES = 64;

export function createKeyPairs(): KeyPairs {
  return { table: new Int32Array(INITIAL_ENTRIES * ENTRY_LENGTH), count: 0 };
}

/** Returns the key of the pair, or 0 if the pair has none. Called for every listing: keep it free of allocations. */
export function findPair({ table }: KeyPairs, first: number, second: number): number {
  const last = (table.length >>> 2) - 1;
  for (let entry = hashOf(first, second) & last; ; entry = (entry + 1) & last) {
    const at = entry << 2;
    const key = table[at + 2] as number;
    if (key === 0 || (table[at] === first && table[at + 1] === second)) return key;
  }
}

/** Adds a pair that is not in the table yet. */
export function addPair(pairs: KeyPairs, pair: Pair): void {
  pairs.count += 1;
  if (pairs.count * 2 > pairs.table.length / ENTRY_LENGTH) growTable(pairs);
  insert(pairs.table, pair);
}

function growTable(pairs: KeyPairs): void {
  const old = pairs.table;
  pairs.table = new Int32Array(old.length * 2);
  for (let at = 0; at < old.length; at += ENTRY_LENGTH) {
    const [first = 0, second = 0, key = 0] = old.subarray(at, at + ENTRY_LENGTH);
    if (key !== 0) insert(pairs.table, { first, second, key });
  }
}

function insert(table: Int32Array, { first, second, key }: Pair): void {
  const last = table.length / ENTRY_LENGTH - 1;
  let entry = hashOf(first, second) & last;
  while (table[entry * ENTRY_LENGTH + 2] !== 0) entry = (entry + 1) & last;
  table.set([first, second, key], entry * ENTRY_LENGTH);
}

function hashOf(first: number, second: number): number {
  const mixed = Math.imul(first, 0x9e37_79b1) ^ Math.imul(second, 0x85eb_ca6b);
  return mixed ^ (mixed >>> 15);
}
