import type { ListingFacts } from "../../listings/listing.ts";
import { FIELD_BREAK, WORD_BREAK } from "../../listings/search-text.ts";
import { ATTRIBUTES, type AttributeName } from "../language/attributes.ts";
import {
  addPair,
  addWord,
  createKeyPairs,
  createWordTable,
  findPair,
  grow,
  type KeyPairs,
  type WordTable,
} from "./int-tables.ts";
import { NO_PRICE, PRICE_MAX, toPriceBracket } from "./packed-values.ts";

/** Where the index looks a value up: an attribute, the price bracket, whole words, or the starts of words. */
export type KeySpaceName = AttributeName | "price_bracket" | "word" | "word_start";

/** A listing has at least one of these values in the space. (As a forbidden clause: it has none of them.) */
export interface KeyClause {
  readonly space: KeySpaceName;
  readonly values: readonly string[];
}

/**
 * Every value that some filter asks for has a number, its key. `probe.ts` turns a listing into the set of keys that it
 * has: `stamps[key] === epoch`. A new listing only needs a new epoch, and no stamp has to be cleared.
 *
 * Example: filters ask for brand Rolex (key 1), reference 126610LN (key 2) and both together (key 3, a pair). In epoch
 * 8, a Rolex 116500LN sets `stamps` to 8 at 0 and 1 only. Every listing has key 0, `EVERY_LISTING`.
 */
export interface IndexKeys {
  readonly attributes: readonly KeySpace[];
  readonly priceBracket: KeySpace;
  readonly word: KeySpace;
  readonly wordStart: KeySpace;
  readonly pairs: KeyPairs;
  /** Pairs of spaces in which some filter uses a pair of values. */
  readonly pairedSpaces: { readonly first: KeySpace; readonly second: KeySpace }[];
  /** Includes `EVERY_LISTING`. */
  keyCount: number;
  stamps: Int32Array;
  epoch: number;
  /** The keys of the current listing, as a list without repeats. */
  listingKeys: Int32Array;
  listingKeyCount: number;
  /** The keys of the current listing's words, in text order. 0 for unknown words and between fields. */
  wordSequence: Int32Array;
  wordSequenceLength: number;
  /** How many listings `observeListing` has counted. */
  observedCount: number;
}

/** The values of one attribute, or of another kind, that filters ask for. */
export interface KeySpace {
  readonly name: KeySpaceName;
  readonly keyByValue: Map<string, number>;
  /** The same values and keys, for lookups inside a longer text. */
  readonly table: WordTable;
  /** In how many observed listings each value occurred. */
  readonly observed: Map<string, number>;
  /** The share of listings that have a value, until listings were observed. */
  readonly expectedShare: number;
  readonly has: "one" | "several" | "prefixes";
  /** Which part of `listingKeys` belongs to this space. */
  listingKeysFrom: number;
  listingKeysEnd: number;
}

interface KeyValue {
  readonly space: KeySpaceName;
  readonly value: string;
}

/** The key that every listing has. Filters without any other key are stored under it. */
export const EVERY_LISTING = 0;
// Rough guesses, used until real listings were observed.
const PRICE_BRACKET_SHARE = 0.03;
const WORD_SHARE = 0.005;
const WORD_START_SHARE = 0.02;
/** Only prefixes up to this length are counted. */
const OBSERVED_PREFIX_MAX = 12;

export function createIndexKeys(): IndexKeys {
  return {
    attributes: Object.entries(ATTRIBUTES).flatMap(([name, { index }]) =>
      index.as === "key"
        ? [createSpace(name as AttributeName, index.expectedShare, index.has)]
        : [],
    ),
    priceBracket: createSpace("price_bracket", PRICE_BRACKET_SHARE, "one"),
    word: createSpace("word", WORD_SHARE, "several"),
    wordStart: createSpace("word_start", WORD_START_SHARE, "prefixes"),
    pairs: createKeyPairs(),
    pairedSpaces: [],
    keyCount: 1,
    stamps: new Int32Array(64),
    epoch: 0,
    listingKeys: new Int32Array(64),
    listingKeyCount: 0,
    wordSequence: new Int32Array(256),
    wordSequenceLength: 0,
    observedCount: 0,
  };
}

function createSpace(name: KeySpaceName, expectedShare: number, has: KeySpace["has"]): KeySpace {
  return {
    name,
    keyByValue: new Map(),
    table: createWordTable(),
    observed: new Map(),
    expectedShare,
    has,
    listingKeysFrom: 0,
    listingKeysEnd: 0,
  };
}

/** Returns the key of a value, and gives it a new one if it has none. */
export function internKey(keys: IndexKeys, name: KeySpaceName, value: string): number {
  const space = spaceOf(keys, name);
  const known = space.keyByValue.get(value);
  if (known !== undefined) return known;
  const key = takeKey(keys);
  space.keyByValue.set(value, key);
  addWord(space.table, value, key);
  return key;
}

/** Returns the key of two values together. Only a listing that has both has this key. */
export function internPair(keys: IndexKeys, first: KeyValue, second: KeyValue): number {
  const firstKey = internKey(keys, first.space, first.value);
  const secondKey = internKey(keys, second.space, second.value);
  const known = findPair(keys.pairs, firstKey, secondKey);
  if (known !== 0) return known;
  const key = takeKey(keys);
  addPair(keys.pairs, { first: firstKey, second: secondKey, key });
  rememberPairedSpaces(keys, spaceOf(keys, first.space), spaceOf(keys, second.space));
  return key;
}

function rememberPairedSpaces(
  { pairedSpaces }: IndexKeys,
  first: KeySpace,
  second: KeySpace,
): void {
  const isKnown = pairedSpaces.some((pair) => pair.first === first && pair.second === second);
  if (!isKnown) pairedSpaces.push({ first, second });
}

function takeKey(keys: IndexKeys): number {
  const key = keys.keyCount;
  keys.keyCount += 1;
  keys.stamps = grow(keys.stamps, keys.keyCount);
  keys.listingKeys = grow(keys.listingKeys, keys.keyCount);
  return key;
}

/** Estimates the share of listings that have one of the values, from the observed listings if there are any. */
export function shareOf(keys: IndexKeys, { space: name, values }: KeyClause): number {
  const space = spaceOf(keys, name);
  if (keys.observedCount === 0) return values.length * space.expectedShare;
  // A value that was not observed counts as half a listing: rarer than all observed ones.
  const count = values.reduce((sum, value) => sum + (space.observed.get(value) ?? 0.5), 0);
  return count / keys.observedCount;
}

/** Whether one listing can have two keys of the space. */
export function canHaveSeveral(keys: IndexKeys, name: KeySpaceName): boolean {
  return spaceOf(keys, name).has !== "one";
}

/** Counts the listing's values. Filters that are saved later use the counts to choose their rarest value. */
export function observeListing(keys: IndexKeys, listing: ListingFacts): void {
  keys.observedCount += 1;
  for (const space of keys.attributes) {
    const value = ATTRIBUTES[space.name as AttributeName].read(listing);
    if (value === null) continue;
    if (typeof value !== "string") for (const one of value) count(space, one);
    else if (space.has === "prefixes") for (const prefix of prefixesOf(value)) count(space, prefix);
    else count(space, value);
  }
  count(keys.priceBracket, priceBracketOf(listing));
  const words = new Set(wordsOf(listing.search_text));
  for (const word of words) count(keys.word, word);
  for (const start of new Set([...words].flatMap(prefixesOf))) count(keys.wordStart, start);
}

/** The price bracket as a value of its key space. */
export function priceBracketOf({ price_eur_minor: price }: ListingFacts): string {
  return String(toPriceBracket(Math.min(price ?? NO_PRICE, PRICE_MAX)));
}

function spaceOf(keys: IndexKeys, name: KeySpaceName): KeySpace {
  if (name === "price_bracket") return keys.priceBracket;
  if (name === "word") return keys.word;
  if (name === "word_start") return keys.wordStart;
  const space = keys.attributes.find((candidate) => candidate.name === name);
  if (space === undefined) throw new Error(`attribute ${name} has no key space in the index`);
  return space;
}

function wordsOf(searchText: string): readonly string[] {
  return searchText.split(FIELD_BREAK).flatMap((field) => field.split(WORD_BREAK));
}

function prefixesOf(text: string): readonly string[] {
  const lengthMax = Math.min(text.length, OBSERVED_PREFIX_MAX);
  return Array.from({ length: lengthMax }, (_, at) => text.slice(0, at + 1));
}

function count(space: KeySpace, value: string): void {
  space.observed.set(value, (space.observed.get(value) ?? 0) + 1);
}
