import type { Condition, FullSetStatus } from "../extraction.ts";
import type { Cue, Meaning } from "../text/meaning.ts";
import { CONDITION_WORDS, NEW_BUT_NOT_THE_WATCH, NOT_A_CONDITION } from "./condition-words.ts";
import { CUE_WORDS, MONTH_WORDS } from "./cue-words.ts";
import { CURRENCY_WORDS, PLACE_WORDS } from "./currency-words.ts";
import {
  BRACELET_WORDS,
  COLOURED_STRAPS,
  COLOURED_THINGS,
  DIAL_NICKNAMES,
  DIAL_WORDS,
  INFLECTED_DIALS,
  METAL_WORDS,
  NOT_A_DIAL,
} from "./dial-words.ts";
import type { Phrase } from "./lexicon.ts";
import { NOT_A_SET, SET_WORDS } from "./set-words.ts";
import {
  FOR_SALE_WORDS,
  NOT_A_REQUEST,
  ON_HOLD_WORDS,
  SOLD_WORDS,
  WANTED_WORDS,
  WEAK_FOR_SALE_WORDS,
  WEAK_WANTED_WORDS,
} from "./side-words.ts";

/** Returns all phrases except those of brands. If two phrases have the same words, the later one wins. */
export function wordPhrases(): Phrase[] {
  return [
    ...MONTH_WORDS.flatMap((words, index) =>
      phrasesFor(words, { kind: "month", month: index + 1 }),
    ),
    ...phrasesByKey(CUE_WORDS, (cue) => ({ kind: "cue", cue: cue as Cue })),
    ...phrasesFor([...METAL_WORDS, ...MATERIAL_CODES], { kind: "cue", cue: "metal" }),
    ...phrasesByKey(CURRENCY_WORDS, (currency) => ({ kind: "currency", currency })),
    ...phrasesByKey(PLACE_WORDS, (currency) => ({ kind: "place", currency })),
    ...phrasesByKey(BRACELET_WORDS, (bracelet) => ({ kind: "bracelet", bracelet })),
    ...phrasesByKey(COLOURED_STRAPS, (bracelet) => ({ kind: "bracelet", bracelet })),
    ...phrasesByKey(DIAL_WORDS, (dial) => ({ kind: "dial", dial })),
    ...phrasesByKey(INFLECTED_DIALS, (dial) => ({ kind: "dial", dial })),
    ...Object.entries(DIAL_NICKNAMES).flatMap(([nickname, { dial, words }]) =>
      phrasesFor(words, { kind: "dial", dial, nickname }),
    ),
    ...phrasesByKey(CONDITION_WORDS, (condition) => ({
      kind: "condition",
      condition: condition as Condition,
    })),
    ...phrasesByKey(SET_WORDS, (set) => ({ kind: "set", set: set as FullSetStatus })),
    ...phrasesFor(WANTED_WORDS, { kind: "side", side: "want_to_buy", isWeak: false }),
    ...phrasesFor(WEAK_WANTED_WORDS, { kind: "side", side: "want_to_buy", isWeak: true }),
    ...phrasesFor(FOR_SALE_WORDS, { kind: "side", side: "for_sale", isWeak: false }),
    ...phrasesFor(WEAK_FOR_SALE_WORDS, { kind: "side", side: "for_sale", isWeak: true }),
    ...phrasesFor(SOLD_WORDS, { kind: "status", status: "sold" }),
    ...phrasesFor(ON_HOLD_WORDS, { kind: "status", status: "on_hold" }),
    ...NEW_BUT_NOT_THE_WATCH.flatMap((thing) => phrasesFor([`new ${thing}`], IGNORED)),
    ...phrasesFor([...NOT_A_CONDITION, ...NOT_A_SET, ...NOT_A_REQUEST], IGNORED),
    ...phrasesFor([...NOT_A_DIAL, ...COLOURED_THINGS], { kind: "cue", cue: "metal" }),
    ...phrasesFor(["mint green", "mint dial"], { kind: "dial", dial: "mint green" }),
  ];
}

/** Case materials of Richard Mille, glued to the number: RM055ce is an RM055. */
const MATERIAL_CODES = ["ce", "qtpt"];

const IGNORED: Meaning = { kind: "cue", cue: "ignored" };

export function phrasesFor(words: readonly string[], meaning: Meaning): Phrase[] {
  return words.map((phrase) => ({ words: phrase, meaning }));
}

function phrasesByKey(
  table: Readonly<Record<string, readonly string[] | undefined>>,
  toMeaning: (key: string) => Meaning,
): Phrase[] {
  return Object.entries(table).flatMap(([key, words]) => phrasesFor(words ?? [], toMeaning(key)));
}
