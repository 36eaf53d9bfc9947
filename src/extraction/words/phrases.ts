/** What the phrases of the word files mean. */
import type { Condition, FullSetStatus } from "../extraction.ts";
import type { Cue, LimitBound, Meaning } from "../text/meaning.ts";
import type { Phrase } from "./lexicon.ts";
import { listClasses, type WordFiles, type WordKind } from "./words.ts";

/** Returns all phrases except those of brands. If two phrases have the same words, the later one wins. */
export function wordPhrases(files: WordFiles): Phrase[] {
  return ORDER.flatMap(([kind, names, toMeaning]) =>
    listClasses(files, kind).flatMap(([name, words]) =>
      names === undefined || names.includes(name) ? phrasesFor(words, toMeaning(name)) : [],
    ),
  );
}

const IGNORED: Meaning = { kind: "cue", cue: "ignored" };
const METAL: Meaning = { kind: "cue", cue: "metal" };

const SIDES: Readonly<Record<string, Meaning>> = {
  seeking: { kind: "side", side: "want_to_buy", isWeak: false },
  seeking_first: { kind: "side", side: "want_to_buy", isWeak: true },
  wanted: { kind: "side", side: "want_to_buy", isWeak: false, explicit: "anywhere" },
  wanted_first: { kind: "side", side: "want_to_buy", isWeak: true, explicit: "first_word" },
  for_sale: { kind: "side", side: "for_sale", isWeak: false, explicit: "anywhere" },
  for_sale_first: { kind: "side", side: "for_sale", isWeak: false, explicit: "first_word" },
  selling: { kind: "side", side: "for_sale", isWeak: false },
  selling_weak: { kind: "side", side: "for_sale", isWeak: true },
  sold: { kind: "status", status: "sold" },
  on_hold: { kind: "status", status: "on_hold" },
};

const CONDITIONS: Readonly<Record<string, Condition>> = {
  new: "NEW",
  like_new: "LIKE_NEW",
  used: "USED",
};

const SETS: Readonly<Record<string, FullSetStatus>> = {
  full_set: "FULL_SET",
  watch_and_card: "WATCH_AND_CARD",
  watch_and_box: "WATCH_AND_BOX",
  watch: "WATCH",
};

/** The kinds with phrases, the classes of them, and what a class means. */
const ORDER: readonly (readonly [
  kind: WordKind,
  names: readonly string[] | undefined,
  toMeaning: (name: string) => Meaning,
])[] = [
  ["month", undefined, (name) => ({ kind: "month", month: Number(name) })],
  ["cue", undefined, toCue],
  ["material", ["metal"], () => METAL],
  ["currency", undefined, (currency) => ({ kind: "currency", currency })],
  ["place", undefined, (currency) => ({ kind: "place", currency })],
  ["bracelet", undefined, (bracelet) => ({ kind: "bracelet", bracelet })],
  ["dial", undefined, toDial],
  ["condition", Object.keys(CONDITIONS), toCondition],
  ["set", Object.keys(SETS), toSet],
  ["side", Object.keys(SIDES), (name) => SIDES[name] ?? IGNORED],
  ["condition", ["no_condition"], () => IGNORED],
  ["set", ["no_set"], () => IGNORED],
  ["side", ["no_request"], () => IGNORED],
  ["material", ["no_dial"], () => METAL],
  ["dial", ["mint green"], toDial],
];

const LIMITS: Readonly<Record<string, LimitBound>> = {
  limit: "at_most",
  lower_limit: "at_least",
  rough_limit: "about",
};

/** All limits are one cue, because none of them is an ask. */
function toCue(name: string): Meaning {
  const bound = LIMITS[name];
  return bound === undefined
    ? { kind: "cue", cue: name as Cue }
    : { kind: "cue", cue: "limit", bound };
}

/** "white: Panda" is the nickname of a dial: the listing gets the colour, and the nickname as its variant. */
function toDial(name: string): Meaning {
  const [dial = name, nickname] = name.split(": ");
  return nickname === undefined ? { kind: "dial", dial } : { kind: "dial", dial, nickname };
}

function toCondition(name: string): Meaning {
  const condition = CONDITIONS[name];
  return condition === undefined ? IGNORED : { kind: "condition", condition };
}

function toSet(name: string): Meaning {
  const set = SETS[name];
  return set === undefined ? IGNORED : { kind: "set", set };
}

export function phrasesFor(words: readonly string[], meaning: Meaning): Phrase[] {
  return words.map((phrase) => ({ words: phrase, meaning }));
}
