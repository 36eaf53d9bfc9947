import type { Condition, FullSetStatus } from "../extraction.ts";
import type { Cue, Meaning, Phrase } from "../lexicon.ts";
import type { BrandData } from "./brand.ts";
import { CONDITION_WORDS, NEW_BUT_NOT_THE_WATCH, NO_CONDITION } from "./condition-words.ts";
import { CUE_WORDS, MONTH_WORDS } from "./cue-words.ts";
import { CURRENCY_WORDS, PLACE_WORDS } from "./currency-words.ts";
import { BRACELET_WORDS, DIAL_WORDS, METAL_WORDS, NO_DIAL } from "./dial-words.ts";
import { NO_SET, SET_WORDS } from "./set-words.ts";
import {
  FOR_SALE_WORDS,
  NO_WISH,
  ON_HOLD_WORDS,
  SOLD_WORDS,
  WANTED_WORDS,
  WEAK_FOR_SALE_WORDS,
  WEAK_WANTED_WORDS,
} from "./side-words.ts";

/** All words of the dealers' language that name no house. Of equal words the later meaning holds. */
export function wordPhrases(): Phrase[] {
  return [
    ...MONTH_WORDS.flatMap((words, index) => each(words, { kind: "month", month: index + 1 })),
    ...keyed(CUE_WORDS, (cue) => ({ kind: "cue", cue: cue as Cue })),
    ...each(METAL_WORDS, { kind: "cue", cue: "metal" }),
    ...keyed(CURRENCY_WORDS, (currency) => ({ kind: "currency", currency })),
    ...keyed(PLACE_WORDS, (currency) => ({ kind: "place", currency })),
    ...keyed(BRACELET_WORDS, (bracelet) => ({ kind: "bracelet", bracelet })),
    ...keyed(DIAL_WORDS, (dial) => ({ kind: "dial", dial })),
    ...keyed(CONDITION_WORDS, (condition) => ({
      kind: "condition",
      condition: condition as Condition,
    })),
    ...keyed(SET_WORDS, (set) => ({ kind: "set", set: set as FullSetStatus })),
    ...each(WANTED_WORDS, { kind: "side", side: "want_to_buy", isWeak: false }),
    ...each(WEAK_WANTED_WORDS, { kind: "side", side: "want_to_buy", isWeak: true }),
    ...each(FOR_SALE_WORDS, { kind: "side", side: "for_sale", isWeak: false }),
    ...each(WEAK_FOR_SALE_WORDS, { kind: "side", side: "for_sale", isWeak: true }),
    ...each(SOLD_WORDS, { kind: "status", status: "sold" }),
    ...each(ON_HOLD_WORDS, { kind: "status", status: "on_hold" }),
    ...NEW_BUT_NOT_THE_WATCH.flatMap((thing) => each([`new ${thing}`], NOTHING)),
    ...each([...NO_CONDITION, ...NO_SET, ...NO_WISH], NOTHING),
    ...each(NO_DIAL, { kind: "cue", cue: "metal" }),
    ...each(["mint green", "mint dial", "mint blue"], { kind: "dial", dial: "mint green" }),
  ];
}

export function brandPhrases(brand: BrandData): Phrase[] {
  return [
    ...each(brand.spellings, { kind: "brand", brand: brand.name }),
    ...brand.models.flatMap((model) =>
      each(model.words ?? [], { kind: "model", brand: brand.name, model: model.name }),
    ),
    ...Object.entries(brand.nicknames ?? {}).flatMap(([words, { name, model }]) =>
      each([words], {
        kind: "model",
        brand: brand.name,
        nickname: name,
        ...(model === undefined ? {} : { model }),
      }),
    ),
  ];
}

const NOTHING: Meaning = { kind: "cue", cue: "nothing" };

function each(words: readonly string[], meaning: Meaning): Phrase[] {
  return words.map((phrase) => ({ words: phrase, meaning }));
}

function keyed(
  table: Readonly<Record<string, readonly string[] | undefined>>,
  toMeaning: (key: string) => Meaning,
): Phrase[] {
  return Object.entries(table).flatMap(([key, words]) => each(words ?? [], toMeaning(key)));
}
