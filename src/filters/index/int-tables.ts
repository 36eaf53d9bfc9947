// What the index keeps in arrays of 32-bit integers, so that a million filters are a few arrays and not millions of
// objects: blocks of any length, keys by word, and keys by pair of keys.

/**
 * A small allocator: many blocks of integers inside one Int32Array. Every block has a power of two as its length, which
 * callers pass as the exponent. A released block is reused for the next request of the same length. Offset 0 is never
 * handed out: it means "no block".
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

/**
 * A hash table from words to keys that looks a word up inside a longer text, from `start` to `end`, without cutting it
 * out. Cutting out each word and asking a Map costs more than the rest of matching a listing.
 *
 * A word of up to twelve ASCII letters is packed into three integers, four letters each. The three integers are the
 * whole word, so equal integers mean equal words. A longer or non-ASCII word is found by a hash and then compared.
 *
 * Example: "full" is 0x6c6c7566 ("f" is the lowest byte), 0, 0. "submariner" is "subm", "arin" and "er".
 */
export interface WordTable {
  /** Open addressing. An entry is four integers: the packed word in three, then the key. Key 0 is a free entry. */
  entries: Int32Array;
  /** By word number, from 1 on. */
  readonly words: string[];
  readonly keys: number[];
  /** By length: 1 if the table has a word of this length. */
  hasLength: Int32Array;
}

const ENTRY_LENGTH = 4;
const INITIAL_ENTRIES = 64;
/** Longer words do not fit into three integers. */
export const PACKED_LENGTH_MAX = 12;
const ASCII_MAX = 127;
/** As the third integer: the entry is `hash, word number, HASHED, key`. No packed ASCII word has it. */
const HASHED = -1;

export function createWordTable(): WordTable {
  return {
    entries: new Int32Array(INITIAL_ENTRIES * ENTRY_LENGTH),
    words: [""],
    keys: [0],
    hasLength: new Int32Array(64),
  };
}

/** Adds a word that is not in the table yet. */
export function addWord(table: WordTable, word: string, key: number): void {
  table.words.push(word);
  table.keys.push(key);
  table.hasLength = grow(table.hasLength, word.length + 1);
  table.hasLength[word.length] = 1;
  const count = table.words.length - 1;
  if (count * 2 <= table.entries.length / ENTRY_LENGTH) {
    insertWord(table, count);
    return;
  }
  table.entries = new Int32Array(table.entries.length * 2);
  for (let number = 1; number <= count; number += 1) insertWord(table, number);
}

/** Returns the key of the word that stands in `text` from `start` to `end`, or 0 if the table lacks it. */
export function findWord(table: WordTable, text: string, start: number, end: number): number {
  if (end - start > PACKED_LENGTH_MAX) return findHashed(table, text, start, end);
  let first = 0;
  let second = 0;
  let third = 0;
  for (let at = start; at < end; at += 1) {
    const letter = text.charCodeAt(at);
    if (letter > ASCII_MAX) return findHashed(table, text, start, end);
    const position = at - start;
    if (position < 4) first |= letter << (position << 3);
    else if (position < 8) second |= letter << ((position - 4) << 3);
    else third |= letter << ((position - 8) << 3);
  }
  return findPacked(table, first, second, third);
}

/** Returns the key of a word that the caller has packed, or 0. */
export function findPacked(
  { entries }: WordTable,
  first: number,
  second: number,
  third: number,
): number {
  const last = (entries.length >>> 2) - 1;
  for (let entry = hashOfPacked(first, second, third) & last; ; entry = (entry + 1) & last) {
    const at = entry << 2;
    const key = entries[at + 3] as number;
    if (key === 0) return 0;
    if (entries[at] === first && entries[at + 1] === second && entries[at + 2] === third)
      return key;
  }
}

/** Returns the key of a word that does not fit into three integers, or 0. */
export function findHashed(
  { entries, words }: WordTable,
  text: string,
  start: number,
  end: number,
): number {
  const hash = hashOfText(text, start, end);
  const last = (entries.length >>> 2) - 1;
  for (let entry = hashOfPacked(hash, 0, HASHED) & last; ; entry = (entry + 1) & last) {
    const at = entry << 2;
    const key = entries[at + 3] as number;
    if (key === 0) return 0;
    if (entries[at] !== hash || entries[at + 2] !== HASHED) continue;
    const word = words[entries[at + 1] as number] ?? "";
    if (word.length === end - start && text.startsWith(word, start)) return key;
  }
}

function insertWord({ entries, words, keys }: WordTable, number: number): void {
  const [first, second, third] = toPacked(words[number] ?? "", number);
  const last = entries.length / ENTRY_LENGTH - 1;
  let entry = hashOfPacked(first, third === HASHED ? 0 : second, third) & last;
  while (entries[entry * ENTRY_LENGTH + 3] !== 0) entry = (entry + 1) & last;
  entries.set([first, second, third, keys[number] ?? 0], entry * ENTRY_LENGTH);
}

function toPacked(word: string, number: number): readonly [number, number, number] {
  const letters = Array.from({ length: word.length }, (_, at) => word.charCodeAt(at));
  if (letters.length > PACKED_LENGTH_MAX || letters.some((letter) => letter > ASCII_MAX))
    return [hashOfText(word, 0, word.length), number, HASHED];
  const pack = (start: number) =>
    letters
      .slice(start, start + 4)
      .reduce((packed, letter, at) => packed | (letter << (8 * at)), 0);
  return [pack(0), pack(4), pack(8)];
}

/** FNV-1a. */
function hashOfText(text: string, start: number, end: number): number {
  let hash = 0x811c_9dc5;
  for (let at = start; at < end; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x0100_0193);
  return hash | 0;
}

function hashOfPacked(first: number, second: number, third: number): number {
  const mixed =
    Math.imul(first, 0x9e37_79b1) ^ Math.imul(second, 0x85eb_ca6b) ^ Math.imul(third, 0xc2b2_ae35);
  return mixed ^ (mixed >>> 15);
}

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

export function createKeyPairs(): KeyPairs {
  return { table: new Int32Array(INITIAL_ENTRIES * ENTRY_LENGTH), count: 0 };
}

/** Returns the key of the pair, or 0 if the pair has none. Called for every listing: keep it free of allocations. */
export function findPair({ table }: KeyPairs, first: number, second: number): number {
  const last = (table.length >>> 2) - 1;
  for (let entry = hashOfPair(first, second) & last; ; entry = (entry + 1) & last) {
    const at = entry << 2;
    const key = table[at + 2] as number;
    if (key === 0 || (table[at] === first && table[at + 1] === second)) return key;
  }
}

/** Adds a pair that is not in the table yet. */
export function addPair(pairs: KeyPairs, pair: Pair): void {
  pairs.count += 1;
  if (pairs.count * 2 > pairs.table.length / ENTRY_LENGTH) growPairs(pairs);
  insertPair(pairs.table, pair);
}

function growPairs(pairs: KeyPairs): void {
  const old = pairs.table;
  pairs.table = new Int32Array(old.length * 2);
  for (let at = 0; at < old.length; at += ENTRY_LENGTH) {
    const [first = 0, second = 0, key = 0] = old.subarray(at, at + ENTRY_LENGTH);
    if (key !== 0) insertPair(pairs.table, { first, second, key });
  }
}

function insertPair(table: Int32Array, { first, second, key }: Pair): void {
  const last = table.length / ENTRY_LENGTH - 1;
  let entry = hashOfPair(first, second) & last;
  while (table[entry * ENTRY_LENGTH + 2] !== 0) entry = (entry + 1) & last;
  table.set([first, second, key], entry * ENTRY_LENGTH);
}

function hashOfPair(first: number, second: number): number {
  const mixed = Math.imul(first, 0x9e37_79b1) ^ Math.imul(second, 0x85eb_ca6b);
  return mixed ^ (mixed >>> 15);
}
