import type { ListingFacts } from "../../listings/listing.ts";
import { FIELD_BREAK, WORD_BREAK } from "../../listings/search-text.ts";
import { ATTRIBUTES, type AttributeName } from "../language/attributes.ts";
import {
  findHashed,
  findPacked,
  findPair,
  findWord,
  grow,
  PACKED_LENGTH_MAX,
} from "./int-tables.ts";
import { EVERY_LISTING, type IndexKeys, type KeySpace, priceBracketOf } from "./keys.ts";

// Constants of this file: V8 does not fold imported ones, and `probeWords` is a hot loop.
const WORD_BREAK_CODE = WORD_BREAK.charCodeAt(0);
const FIELD_BREAK_CODE = FIELD_BREAK.charCodeAt(0);
const ASCII_MAX = 127;
const PACKED_POSITION_MAX = PACKED_LENGTH_MAX - 1;
/** As `third`: the word is too long or not ASCII, so it is looked up by its hash. */
const NOT_PACKED = -1;

const EPOCH_MAX = 0x7fff_ffff;

/**
 * Turns a listing into its keys. After it, `stamps[key] === epoch` holds for exactly the keys that the listing has, and
 * `listingKeys` lists each of them once. Values that no filter asks for have no key and are skipped.
 *
 * Example: filters ask for brand rolex (key 1), reference 126610LN (2), country code 852 (3), rolex + 852 (4, a pair),
 * the words full (5) and set (6). The listing is a Rolex 126610LN from 85291234567, "new full set 2023".
 *   attributes   stamps 1, 2 and 3 (852 is the only known prefix of the number)
 *   pairs        brand and country code are paired spaces; 1 with 3 is the known pair 4
 *   words        stamps 5 and 6; wordSequence ends with 0 5 6 0 0: new, full, set, 2023, end of the field
 * listingKeys is 0 1 2 3 4 5 6: `scan.ts` reads the filters that are stored under these keys.
 */
export function probeListing(keys: IndexKeys, listing: ListingFacts): void {
  startEpoch(keys);
  stampKey(keys, EVERY_LISTING);
  for (const space of keys.attributes) {
    space.listingKeysFrom = keys.listingKeyCount;
    if (space.keyByValue.size > 0) probeAttribute(keys, space, listing);
    space.listingKeysEnd = keys.listingKeyCount;
  }
  const { priceBracket } = keys;
  priceBracket.listingKeysFrom = keys.listingKeyCount;
  if (priceBracket.keyByValue.size > 0) probeValue(keys, priceBracket, priceBracketOf(listing));
  priceBracket.listingKeysEnd = keys.listingKeyCount;
  for (const { first, second } of keys.pairedSpaces) probePairs(keys, first, second);
  if (keys.word.keyByValue.size > 0 || keys.wordStart.keyByValue.size > 0)
    probeWords(keys, listing.search_text);
}

/** A new epoch makes all stamps old. They are cleared only when the epochs run out. */
function startEpoch(keys: IndexKeys): void {
  if (keys.epoch === EPOCH_MAX) {
    keys.stamps.fill(0);
    keys.epoch = 0;
  }
  keys.epoch += 1;
  keys.listingKeyCount = 0;
}

function probeAttribute(keys: IndexKeys, space: KeySpace, listing: ListingFacts): void {
  const value = ATTRIBUTES[space.name as AttributeName].read(listing);
  if (value === null) return;
  if (typeof value !== "string") {
    for (const one of value) probeValue(keys, space, one);
  } else if (space.has === "prefixes") {
    probePrefixes(keys, space, value);
  } else {
    probeValue(keys, space, value);
  }
}

function probePrefixes(keys: IndexKeys, { table }: KeySpace, value: string): void {
  for (let end = 1; end <= value.length; end += 1)
    if (table.hasLength[end] === 1) stampIfKnown(keys, findWord(table, value, 0, end));
}

/** For longer values a Map is faster: V8 keeps the hash of the whole string. */
function probeValue(keys: IndexKeys, { keyByValue, table }: KeySpace, value: string): void {
  const isShort = value.length <= PACKED_LENGTH_MAX;
  const key = isShort ? findWord(table, value, 0, value.length) : keyByValue.get(value);
  stampIfKnown(keys, key ?? EVERY_LISTING);
}

/** Looks up each of the listing's keys in one space with each in the other. */
function probePairs(keys: IndexKeys, first: KeySpace, second: KeySpace): void {
  for (let left = first.listingKeysFrom; left < first.listingKeysEnd; left += 1) {
    for (let right = second.listingKeysFrom; right < second.listingKeysEnd; right += 1) {
      const firstKey = keys.listingKeys[left] as number;
      const secondKey = keys.listingKeys[right] as number;
      stampIfKnown(keys, findPair(keys.pairs, firstKey, secondKey));
    }
  }
}

/**
 * Walks the text once, letter by letter, and packs the current word as `int-tables.ts` describes. After each letter
 * the word so far is looked up as the start of a word, and at each break as a whole word.
 */
function probeWords(keys: IndexKeys, searchText: string): void {
  const { length } = searchText;
  // Each word and each field break takes at least one character of the text, and the end of the text counts as a break.
  if (keys.wordSequence.length <= length + 1)
    keys.wordSequence = grow(keys.wordSequence, length + 2);
  const { wordSequence } = keys;
  const { table: words } = keys.word;
  const { table: starts } = keys.wordStart;
  const { hasLength } = starts;
  let wordFrom = 0;
  let sequenceLength = 0;
  let first = 0;
  let second = 0;
  let third = 0;
  for (let at = 0; at <= length; at += 1) {
    const code = at < length ? searchText.charCodeAt(at) : FIELD_BREAK_CODE;
    if (code !== WORD_BREAK_CODE && code !== FIELD_BREAK_CODE) {
      const position = at - wordFrom;
      if (code > ASCII_MAX || position > PACKED_POSITION_MAX) third = NOT_PACKED;
      else if (position < 4) first |= code << (position << 3);
      else if (position < 8) second |= code << ((position - 4) << 3);
      else third |= code << ((position - 8) << 3);
      if (hasLength[position + 1] !== 1) continue;
      stampIfKnown(
        keys,
        third < 0
          ? findHashed(starts, searchText, wordFrom, at + 1)
          : findPacked(starts, first, second, third),
      );
      continue;
    }
    const word =
      third < 0
        ? findHashed(words, searchText, wordFrom, at)
        : findPacked(words, first, second, third);
    stampIfKnown(keys, word);
    wordSequence[sequenceLength] = word;
    sequenceLength += 1;
    if (code === FIELD_BREAK_CODE) {
      wordSequence[sequenceLength] = EVERY_LISTING;
      sequenceLength += 1;
    }
    wordFrom = at + 1;
    first = second = third = 0;
  }
  keys.wordSequenceLength = sequenceLength;
}

/** The lookups return 0 for an unknown value. */
function stampIfKnown(keys: IndexKeys, key: number): void {
  if (key !== EVERY_LISTING) stampKey(keys, key);
}

function stampKey(keys: IndexKeys, key: number): void {
  if (keys.stamps[key] === keys.epoch) return;
  keys.stamps[key] = keys.epoch;
  keys.listingKeys[keys.listingKeyCount] = key;
  keys.listingKeyCount += 1;
}
