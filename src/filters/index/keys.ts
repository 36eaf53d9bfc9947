import type { ListingFacts } from "../../listings/listing.ts";
import { FIELD_BREAK, WORD_BREAK } from "../../listings/search-text.ts";
import { ATTRIBUTES } from "../language/attributes.ts";
import type { AttributeName } from "../language/clause.ts";
import { grow } from "./int-pool.ts";
import { NO_PRICE, PRICE_MAX, toPriceLane } from "./lanes.ts";
import { addPair, createKeyPairs, findPair, type KeyPairs } from "./pairs.ts";
import type { KeyClause, KeySpace } from "./plan.ts";
import { addWord, createWordTable, type WordTable } from "./word-table.ts";

/**
 * Every value that a filter asks for has a number, its key. A listing is turned into the set of keys that it has:
 * `stamps[key] === epoch`. Key 0 is had by every listing: the list of filters that no key narrows hangs on it.
 */
export interface IndexKeys {
  readonly attributes: readonly Space[];
  readonly priceLane: Space;
  readonly word: Space;
  readonly wordStart: Space;
  readonly pairs: KeyPairs;
  /** The spaces that have pairs. */
  readonly pairedSpaces: { readonly first: Space; readonly second: Space }[];
  /** By key: the value, or the two keys of a pair. */
  readonly names: (KeyName | KeyPair)[];
  /** The keys of the listing's words in their order; 0 for words that no filter asks for, and between fields. */
  sequence: Int32Array;
  sequenceLength: number;
  stamps: Int32Array;
  epoch: number;
  /** The keys of the listing that was probed last. */
  hits: Int32Array;
  hitCount: number;
  observedCount: number;
}

export interface KeyName {
  readonly space: string;
  readonly value: string;
}

/** A value as a filter asks for it. */
interface KeyValue {
  readonly space: KeySpace;
  readonly value: string;
}

type KeyPair = readonly [first: number, second: number];

export interface Space {
  readonly name: KeySpace;
  readonly keys: Map<string, number>;
  /** In how many of the observed listings a value was. */
  readonly observed: Map<string, number>;
  readonly expectedShare: number;
  readonly has: "one" | "several" | "prefixes";
  readonly words: WordTable;
  /** Where the keys stand in the hits of the listing that was probed last. */
  hitsFrom: number;
  hitsEnd: number;
}

export const EVERY_LISTING = 0;
const NO_NAME: KeyName = { space: "word", value: "" };
const PRICE_LANE_SHARE = 0.03;
const WORD_SHARE = 0.005;
const WORD_START_SHARE = 0.02;
/** Longer prefixes are not told apart when they are counted. */
const OBSERVED_PREFIX_MAX = 12;

export function createIndexKeys(): IndexKeys {
  return {
    attributes: Object.entries(ATTRIBUTES).flatMap(([name, { index }]) =>
      index.as === "key"
        ? [createSpace(name as AttributeName, index.expectedShare, index.has)]
        : [],
    ),
    priceLane: createSpace("price_lane", PRICE_LANE_SHARE, "one"),
    word: createSpace("word", WORD_SHARE, "several"),
    wordStart: createSpace("word_start", WORD_START_SHARE, "prefixes"),
    pairs: createKeyPairs(),
    pairedSpaces: [],
    names: [NO_NAME],
    sequence: new Int32Array(256),
    sequenceLength: 0,
    stamps: new Int32Array(64),
    epoch: 0,
    hits: new Int32Array(64),
    hitCount: 0,
    observedCount: 0,
  };
}

function createSpace(name: KeySpace, expectedShare: number, has: Space["has"]): Space {
  return {
    name,
    keys: new Map(),
    observed: new Map(),
    expectedShare,
    has,
    words: createWordTable(),
    hitsFrom: 0,
    hitsEnd: 0,
  };
}

export function internKey(keys: IndexKeys, name: KeySpace, value: string): number {
  const space = spaceOf(keys, name);
  const known = space.keys.get(value);
  if (known !== undefined) return known;
  const key = takeKey(keys, { space: name, value });
  space.keys.set(value, key);
  addWord(space.words, value, key);
  return key;
}

/** The key of two values, of which a listing has both. */
export function internPair(keys: IndexKeys, first: KeyValue, second: KeyValue): number {
  const pair = [first, second].map(({ space, value }) => internKey(keys, space, value));
  const [left = 0, right = 0] = pair;
  const known = findPair(keys.pairs, left, right);
  if (known !== 0) return known;
  const key = takeKey(keys, [left, right]);
  addPair(keys.pairs, { first: left, second: right, key });
  pairSpaces(keys, spaceOf(keys, first.space), spaceOf(keys, second.space));
  return key;
}

export function nameOf(keys: IndexKeys, key: number): KeyName {
  const name = keys.names[key] ?? NO_NAME;
  if ("space" in name) return name;
  const [first, second] = [nameOf(keys, name[0]), nameOf(keys, name[1])];
  return { space: `${first.space} + ${second.space}`, value: `${first.value} + ${second.value}` };
}

function pairSpaces({ pairedSpaces }: IndexKeys, first: Space, second: Space): void {
  const isKnown = pairedSpaces.some((pair) => pair.first === first && pair.second === second);
  if (!isKnown) pairedSpaces.push({ first, second });
}

function takeKey(keys: IndexKeys, name: KeyName | KeyPair): number {
  const key = keys.names.length;
  keys.names.push(name);
  keys.stamps = grow(keys.stamps, key + 1);
  keys.hits = grow(keys.hits, key + 1);
  return key;
}

/** The share of listings that have one of the values, as far as is known. */
export function shareOf(keys: IndexKeys, { space: name, values }: KeyClause): number {
  const space = spaceOf(keys, name);
  if (keys.observedCount === 0) return values.length * space.expectedShare;
  const count = values.reduce((sum, value) => sum + (space.observed.get(value) ?? 0.5), 0);
  return count / keys.observedCount;
}

/** Whether a listing may have two keys of the space, and so meet a filter twice. */
export function isMany(keys: IndexKeys, name: KeySpace): boolean {
  return spaceOf(keys, name).has !== "one";
}

/** Counts what a listing has, so that filters saved later are found by their rarest value. */
export function observeListing(keys: IndexKeys, listing: ListingFacts): void {
  keys.observedCount += 1;
  for (const space of keys.attributes) {
    const own = ATTRIBUTES[space.name as AttributeName].read(listing);
    if (own === null) continue;
    if (typeof own !== "string") for (const value of own) count(space, value);
    else if (space.has === "prefixes") for (const value of prefixesOf(own)) count(space, value);
    else count(space, own);
  }
  count(keys.priceLane, priceLaneOf(listing));
  const words = new Set(wordsOf(listing.search_text));
  for (const word of words) count(keys.word, word);
  for (const start of new Set([...words].flatMap(prefixesOf))) count(keys.wordStart, start);
}

/** The price in steps, as a value. */
export function priceLaneOf({ price_eur_minor: price }: ListingFacts): string {
  return String(toPriceLane(Math.min(price ?? NO_PRICE, PRICE_MAX)));
}

function spaceOf(keys: IndexKeys, name: KeySpace): Space {
  if (name === "price_lane") return keys.priceLane;
  if (name === "word") return keys.word;
  if (name === "word_start") return keys.wordStart;
  const space = keys.attributes.find((candidate) => candidate.name === name);
  if (space === undefined) throw new Error(`no keys of ${name}`);
  return space;
}

function wordsOf(searchText: string): readonly string[] {
  return searchText.split(FIELD_BREAK).flatMap((field) => field.split(WORD_BREAK));
}

function prefixesOf(text: string): readonly string[] {
  const lengthMax = Math.min(text.length, OBSERVED_PREFIX_MAX);
  return Array.from({ length: lengthMax }, (_, at) => text.slice(0, at + 1));
}

function count(space: Space, value: string): void {
  space.observed.set(value, (space.observed.get(value) ?? 0) + 1);
}
