import { grow } from "./int-pool.ts";

/**
 * Words that filters ask for, found by their letters where they stand in a text: to cut each word out of the text and
 * ask a Map for it would cost more than all else that is done with a listing.
 *
 * A word of up to twelve ASCII letters is told by its code, three numbers of four letters each. Other words are told by
 * a hash, and compared letter by letter where it is the same.
 */
export interface WordTable {
  /** Open addressing: the three numbers of the code, and the key; key 0 is a free place. */
  places: Int32Array;
  /** From 1 on. */
  readonly words: string[];
  readonly keys: number[];
  /** By length: 1 where there is a word of it. */
  lengths: Int32Array;
}

const PLACE_WORDS = 4;
const PLACES_AT_FIRST = 64;
/** Longer words are compared letter by letter. */
export const WORD_LENGTH_FAST = 12;
const LETTER_MAX = 127;
/** For the third number of a code whose first is a hash and whose second tells which word it is. */
const HASHED = -1;

export function createWordTable(): WordTable {
  return {
    places: new Int32Array(PLACES_AT_FIRST * PLACE_WORDS),
    words: [""],
    keys: [0],
    lengths: new Int32Array(64),
  };
}

/** A word that is not there yet. */
export function addWord(table: WordTable, word: string, key: number): void {
  table.words.push(word);
  table.keys.push(key);
  table.lengths = grow(table.lengths, word.length + 1);
  table.lengths[word.length] = 1;
  const count = table.words.length - 1;
  if (count * 2 <= table.places.length / PLACE_WORDS) {
    put(table, count);
    return;
  }
  table.places = new Int32Array(table.places.length * 2);
  for (let number = 1; number <= count; number += 1) put(table, number);
}

/** The key of the word that stands in the text from there to there; or 0. */
export function findWord(table: WordTable, text: string, from: number, end: number): number {
  if (end - from > WORD_LENGTH_FAST) return findLong(table, text, from, end);
  let first = 0;
  let second = 0;
  let third = 0;
  for (let at = from; at < end; at += 1) {
    const letter = text.charCodeAt(at);
    if (letter > LETTER_MAX) return findLong(table, text, from, end);
    const place = at - from;
    if (place < 4) first |= letter << (place << 3);
    else if (place < 8) second |= letter << ((place - 4) << 3);
    else third |= letter << ((place - 8) << 3);
  }
  return findCode(table, first, second, third);
}

export function findCode(
  { places }: WordTable,
  first: number,
  second: number,
  third: number,
): number {
  const last = (places.length >>> 2) - 1;
  for (let at = placeOf(first, second, third) & last; ; at = (at + 1) & last) {
    const place = at << 2;
    const key = places[place + 3] as number;
    if (key === 0) return 0;
    if (places[place] === first && places[place + 1] === second && places[place + 2] === third)
      return key;
  }
}

export function findLong(
  { places, words }: WordTable,
  text: string,
  from: number,
  end: number,
): number {
  const hash = hashOf(text, from, end);
  const last = (places.length >>> 2) - 1;
  for (let at = placeOf(hash, 0, HASHED) & last; ; at = (at + 1) & last) {
    const place = at << 2;
    const key = places[place + 3] as number;
    if (key === 0) return 0;
    if (places[place] !== hash || places[place + 2] !== HASHED) continue;
    const word = words[places[place + 1] as number] ?? "";
    if (word.length === end - from && text.startsWith(word, from)) return key;
  }
}

function put({ places, words, keys }: WordTable, number: number): void {
  const [first, second, third] = codeOf(words[number] ?? "", number);
  const last = places.length / PLACE_WORDS - 1;
  let at = placeOf(first, third === HASHED ? 0 : second, third) & last;
  while (places[at * PLACE_WORDS + 3] !== 0) at = (at + 1) & last;
  places.set([first, second, third, keys[number] ?? 0], at * PLACE_WORDS);
}

function codeOf(word: string, number: number): readonly [number, number, number] {
  const letters = Array.from({ length: word.length }, (_, at) => word.charCodeAt(at));
  if (letters.length > WORD_LENGTH_FAST || letters.some((letter) => letter > LETTER_MAX))
    return [hashOf(word, 0, word.length), number, HASHED];
  const pack = (from: number) =>
    letters.slice(from, from + 4).reduce((code, letter, at) => code | (letter << (8 * at)), 0);
  return [pack(0), pack(4), pack(8)];
}

/** FNV-1a. */
function hashOf(text: string, from: number, end: number): number {
  let hash = 0x811c_9dc5;
  for (let at = from; at < end; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x0100_0193);
  return hash | 0;
}

function placeOf(first: number, second: number, third: number): number {
  const mixed =
    Math.imul(first, 0x9e37_79b1) ^ Math.imul(second, 0x85eb_ca6b) ^ Math.imul(third, 0xc2b2_ae35);
  return mixed ^ (mixed >>> 15);
}
