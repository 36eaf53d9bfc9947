import type { ListingFacts } from "../listings/listing.ts";
import { FIELD_BREAK, WORD_BREAK } from "../listings/search-text.ts";
import { ATTRIBUTES } from "./attributes.ts";
import type { AttributeName } from "./clause.ts";
import { NO_PRICE, PRICE_MAX, toPriceLane } from "./index-lanes.ts";
import type { KeyClause, KeySpace } from "./index-plan.ts";
import { grow } from "./int-pool.ts";

/**
 * Every value that a filter asks for has a number, its key. A listing is turned into the set of keys that it has:
 * `stamps[key] === epoch`. Key 0 is had by every listing: the list of filters that no key narrows hangs on it.
 */
export interface IndexKeys {
  readonly attributes: readonly Space[];
  readonly priceLane: Space;
  readonly word: Space;
  readonly wordStart: Space;
  readonly names: KeyName[];
  /** Which keys a word gives; words repeat, so it is worth remembering. */
  readonly remembered: Map<string, readonly number[]>;
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
  readonly space: KeySpace;
  readonly value: string;
}

interface Space {
  readonly name: KeySpace;
  readonly keys: Map<string, number>;
  /** In how many of the observed listings a value was. */
  readonly observed: Map<string, number>;
  readonly expectedShare: number;
  readonly has: "one" | "several" | "prefixes";
  /** Of prefixes: the lengths that occur. */
  readonly lengths: Set<number>;
}

export const EVERY_LISTING = 0;
const EPOCH_MAX = 0x7fff_ffff;
const PRICE_LANE_SHARE = 0.03;
const WORD_SHARE = 0.005;
const WORD_START_SHARE = 0.02;
const WORD_BREAK_CODE = WORD_BREAK.charCodeAt(0);
const FIELD_BREAK_CODE = FIELD_BREAK.charCodeAt(0);
const WORDS_REMEMBERED_MAX = 50_000;
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
    names: [{ space: "word", value: "" }],
    remembered: new Map(),
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
  return { name, keys: new Map(), observed: new Map(), expectedShare, has, lengths: new Set() };
}

export function internKey(keys: IndexKeys, name: KeySpace, value: string): number {
  const space = spaceOf(keys, name);
  const known = space.keys.get(value);
  if (known !== undefined) return known;
  const key = keys.names.length;
  keys.names.push({ space: name, value });
  space.keys.set(value, key);
  space.lengths.add(value.length);
  keys.stamps = grow(keys.stamps, key + 1);
  keys.hits = grow(keys.hits, key + 1);
  if (name === "word" || name === "word_start") keys.remembered.clear();
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

/** Stamps the keys that the listing has. */
export function probeKeys(keys: IndexKeys, listing: ListingFacts): void {
  if (keys.epoch === EPOCH_MAX) {
    keys.stamps.fill(0);
    keys.epoch = 0;
  }
  keys.epoch += 1;
  keys.hitCount = 0;
  touch(keys, EVERY_LISTING);
  for (const space of keys.attributes)
    if (space.keys.size > 0) probeAttribute(keys, space, listing);
  if (keys.priceLane.keys.size > 0) touchValue(keys, keys.priceLane, priceLaneOf(listing));
  if (keys.word.keys.size > 0 || keys.wordStart.keys.size > 0)
    probeWords(keys, listing.search_text);
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

function spaceOf(keys: IndexKeys, name: KeySpace): Space {
  if (name === "price_lane") return keys.priceLane;
  if (name === "word") return keys.word;
  if (name === "word_start") return keys.wordStart;
  const space = keys.attributes.find((candidate) => candidate.name === name);
  if (space === undefined) throw new Error(`no keys of ${name}`);
  return space;
}

function probeAttribute(keys: IndexKeys, space: Space, listing: ListingFacts): void {
  const own = ATTRIBUTES[space.name as AttributeName].read(listing);
  if (own === null) return;
  if (typeof own !== "string") {
    for (const value of own) touchValue(keys, space, value);
  } else if (space.has === "prefixes") {
    for (const length of space.lengths) touchValue(keys, space, own.slice(0, length));
  } else {
    touchValue(keys, space, own);
  }
}

function probeWords(keys: IndexKeys, searchText: string): void {
  const { length } = searchText;
  // Each word and each break between fields takes a character of the text at least.
  if (keys.sequence.length <= length + 1) keys.sequence = grow(keys.sequence, length + 2);
  const { sequence } = keys;
  let from = 0;
  let count = 0;
  for (let at = 0; at <= length; at += 1) {
    const code = at < length ? searchText.charCodeAt(at) : FIELD_BREAK_CODE;
    if (code !== WORD_BREAK_CODE && code !== FIELD_BREAK_CODE) continue;
    const found = recallWord(keys, searchText.substring(from, at));
    sequence[count] = found[0] as number;
    count += 1;
    for (let key = 0; key < found.length; key += 1) touch(keys, found[key] as number);
    if (code === FIELD_BREAK_CODE) {
      sequence[count] = EVERY_LISTING;
      count += 1;
    }
    from = at + 1;
  }
  keys.sequenceLength = count;
}

/** The key of the whole word, or 0, and then those of its starts. */
function recallWord(keys: IndexKeys, word: string): readonly number[] {
  const known = keys.remembered.get(word);
  if (known !== undefined) return known;
  const starts = [...keys.wordStart.lengths]
    .filter((length) => length <= word.length)
    .map((length) => keys.wordStart.keys.get(word.slice(0, length)))
    .filter((key) => key !== undefined);
  const found = [keys.word.keys.get(word) ?? EVERY_LISTING, ...starts];
  if (keys.remembered.size >= WORDS_REMEMBERED_MAX) keys.remembered.clear();
  keys.remembered.set(word, found);
  return found;
}

function priceLaneOf({ price_eur_minor: price }: ListingFacts): string {
  return String(toPriceLane(Math.min(price ?? NO_PRICE, PRICE_MAX)));
}

function wordsOf(searchText: string): readonly string[] {
  return searchText.split(FIELD_BREAK).flatMap((field) => field.split(WORD_BREAK));
}

function touchValue(keys: IndexKeys, space: Space, value: string): void {
  const key = space.keys.get(value);
  if (key !== undefined) touch(keys, key);
}

function touch(keys: IndexKeys, key: number): void {
  if (keys.stamps[key] === keys.epoch) return;
  keys.stamps[key] = keys.epoch;
  keys.hits[keys.hitCount] = key;
  keys.hitCount += 1;
}

function prefixesOf(text: string): readonly string[] {
  const lengthMax = Math.min(text.length, OBSERVED_PREFIX_MAX);
  return Array.from({ length: lengthMax }, (_, at) => text.slice(0, at + 1));
}

function count(space: Space, value: string): void {
  space.observed.set(value, (space.observed.get(value) ?? 0) + 1);
}
