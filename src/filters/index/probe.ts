import type { ListingFacts } from "../../listings/listing.ts";
import { FIELD_BREAK, WORD_BREAK } from "../../listings/search-text.ts";
import { ATTRIBUTES } from "../language/attributes.ts";
import type { AttributeName } from "../language/clause.ts";
import { grow } from "./int-pool.ts";
import { EVERY_LISTING, type IndexKeys, priceLaneOf, type Space } from "./keys.ts";
import { findPair } from "./pairs.ts";
import { findCode, findLong, findWord, WORD_LENGTH_FAST } from "./word-table.ts";

const EPOCH_MAX = 0x7fff_ffff;
const WORD_BREAK_CODE = WORD_BREAK.charCodeAt(0);
const FIELD_BREAK_CODE = FIELD_BREAK.charCodeAt(0);

/** Stamps the keys that the listing has. */
export function probeKeys(keys: IndexKeys, listing: ListingFacts): void {
  if (keys.epoch === EPOCH_MAX) {
    keys.stamps.fill(0);
    keys.epoch = 0;
  }
  keys.epoch += 1;
  keys.hitCount = 0;
  touch(keys, EVERY_LISTING);
  for (const space of keys.attributes) {
    space.hitsFrom = keys.hitCount;
    if (space.keys.size > 0) probeAttribute(keys, space, listing);
    space.hitsEnd = keys.hitCount;
  }
  keys.priceLane.hitsFrom = keys.hitCount;
  if (keys.priceLane.keys.size > 0) touchValue(keys, keys.priceLane, priceLaneOf(listing));
  keys.priceLane.hitsEnd = keys.hitCount;
  for (const { first, second } of keys.pairedSpaces) probePairs(keys, first, second);
  if (keys.word.keys.size > 0 || keys.wordStart.keys.size > 0)
    probeWords(keys, listing.search_text);
}

function probeAttribute(keys: IndexKeys, space: Space, listing: ListingFacts): void {
  const own = ATTRIBUTES[space.name as AttributeName].read(listing);
  if (own === null) return;
  if (typeof own !== "string") {
    for (const value of own) touchValue(keys, space, value);
  } else if (space.has === "prefixes") {
    const { words } = space;
    for (let end = 1; end <= own.length; end += 1)
      if (words.lengths[end] === 1) touchFound(keys, findWord(words, own, 0, end));
  } else {
    touchValue(keys, space, own);
  }
}

function probePairs(keys: IndexKeys, first: Space, second: Space): void {
  for (let left = first.hitsFrom; left < first.hitsEnd; left += 1) {
    for (let right = second.hitsFrom; right < second.hitsEnd; right += 1) {
      touchFound(keys, findPair(keys.pairs, keys.hits[left] as number, keys.hits[right] as number));
    }
  }
}

function probeWords(keys: IndexKeys, searchText: string): void {
  const { length } = searchText;
  // Each word and each break between fields takes a character of the text at least.
  if (keys.sequence.length <= length + 1) keys.sequence = grow(keys.sequence, length + 2);
  const { sequence } = keys;
  const { words } = keys.word;
  const { words: starts } = keys.wordStart;
  const { lengths } = starts;
  let from = 0;
  let count = 0;
  let first = 0;
  let second = 0;
  let third = 0;
  for (let at = 0; at <= length; at += 1) {
    const code = at < length ? searchText.charCodeAt(at) : FIELD_BREAK_CODE;
    if (code !== WORD_BREAK_CODE && code !== FIELD_BREAK_CODE) {
      const place = at - from;
      if (code > 127 || place > 11) third = -1;
      else if (place < 4) first |= code << (place << 3);
      else if (place < 8) second |= code << ((place - 4) << 3);
      else third |= code << ((place - 8) << 3);
      if (lengths[place + 1] !== 1) continue;
      touchFound(
        keys,
        third < 0
          ? findLong(starts, searchText, from, at + 1)
          : findCode(starts, first, second, third),
      );
      continue;
    }
    const word =
      third < 0 ? findLong(words, searchText, from, at) : findCode(words, first, second, third);
    touchFound(keys, word);
    sequence[count] = word;
    count += 1;
    if (code === FIELD_BREAK_CODE) {
      sequence[count] = EVERY_LISTING;
      count += 1;
    }
    from = at + 1;
    first = second = third = 0;
  }
  keys.sequenceLength = count;
}

/** A long value is found sooner by the hash that its text brings along. */
function touchValue(keys: IndexKeys, { keys: keyOf, words }: Space, value: string): void {
  const isShort = value.length <= WORD_LENGTH_FAST;
  const key = isShort ? findWord(words, value, 0, value.length) : keyOf.get(value);
  touchFound(keys, key ?? EVERY_LISTING);
}

function touchFound(keys: IndexKeys, key: number): void {
  if (key !== EVERY_LISTING) touch(keys, key);
}

function touch(keys: IndexKeys, key: number): void {
  if (keys.stamps[key] === keys.epoch) return;
  keys.stamps[key] = keys.epoch;
  keys.hits[keys.hitCount] = key;
  keys.hitCount += 1;
}
