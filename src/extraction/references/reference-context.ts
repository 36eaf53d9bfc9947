import type { Catalogue } from "../catalogue/catalogue.ts";
import type { Meaning } from "../text/meaning.ts";
import { type Token, tokenAt, YEAR_LIKE } from "../text/token.ts";
import type { Lexicon, PhraseMatch } from "../words/lexicon.ts";
import { classSet, isA, isOneOf } from "../words/words.ts";

/** A reference found in a line: characters `start` up to but not including `end`. */
export interface ReferenceMatch {
  readonly start: number;
  readonly end: number;
  /** As written, but without a dial code at its end. */
  readonly text: string;
  readonly brand: string;
  readonly model: string | undefined;
  readonly launchedYear: number | undefined;
  /** What dealers usually ask for it, in whole euros. */
  readonly usualEur: number | undefined;
  /** The dial that the dial code means. */
  readonly dial: string | undefined;
  /** The known reference that a misspelled one means. */
  readonly repaired: string | undefined;
  /** The catalogue has this reference, or its base. */
  readonly isKnown: boolean;
  /** Only digits, so it could also be a price. */
  readonly isDigitsOnly: boolean;
  /** How much speaks for a reference, by the weights of its facts. Set once, when the match is scored. */
  score: number;
}

/** What the search for references knows about a line. */
export interface ReferenceContext {
  readonly text: string;
  readonly tokens: readonly Token[];
  readonly phrases: readonly PhraseMatch[];
  /** By token index: the phrase that starts at the token, and the phrase that ends right before it. */
  readonly starts: readonly (PhraseMatch | undefined)[];
  readonly ends: readonly (PhraseMatch | undefined)[];
  readonly catalogue: Catalogue;
  /** Brands named in this line, or else in the nearest line above that names one. */
  readonly brands: ReadonlySet<string>;
  /** A line above has a reference that cannot be mistaken for an amount. */
  readonly isBelowReference: boolean;
  /** The models that the line right above names. */
  readonly modelsAbove: ReadonlySet<string>;
  /** What the whole line says. It is worked out once, because every number of the line asks for it. */
  readonly facts: LineFacts;
}

interface LineFacts {
  readonly namesBrand: boolean;
  /** Words about a watch or its price: a condition, a set, a dial, a currency and so on. */
  readonly hasWatchWords: boolean;
  /** Words about parcels, payments and places. */
  readonly hasOtherNumberWords: boolean;
  readonly unknownWordCount: number;
  /** The token behind the first brand that the line names. */
  readonly firstBrandEnd: number;
}

const WATCH_KINDS: ReadonlySet<Meaning["kind"]> = new Set([
  "condition",
  "set",
  "dial",
  "bracelet",
  "model",
  "currency",
  "side",
]);

const OTHER_NUMBERS = classSet("place", "errand", "street", "contact_number", "serial");

/** Works out what a line says apart from its numbers. */
export function readLineFacts(
  tokens: readonly Token[],
  phrases: readonly PhraseMatch[],
  lexicon: Lexicon,
): LineFacts {
  let hasOtherNumberWords = false;
  let unknownWordCount = 0;
  let hasDollar = false;
  for (const token of tokens) {
    const { kind, word } = token;
    hasDollar ||= word === "$";
    if (kind !== "letters") continue;
    hasOtherNumberWords ||= isOneOf(token, OTHER_NUMBERS);
    const isSpelled = token.facts?.isSpelled ?? lexicon.vocabulary.has(word);
    if (word.length > 1 && !isSpelled) unknownWordCount += 1;
  }
  let namesBrand = false;
  let hasWatchWords = hasDollar;
  let firstBrandEnd = Number.POSITIVE_INFINITY;
  for (const { meaning, to } of phrases) {
    namesBrand ||= meaning.kind === "brand" || meaning.kind === "model";
    hasWatchWords ||= WATCH_KINDS.has(meaning.kind);
    if (meaning.kind === "brand") firstBrandEnd = Math.min(firstBrandEnd, to);
  }
  return { namesBrand, hasWatchWords, hasOtherNumberWords, unknownWordCount, firstBrandEnd };
}

/**
 * Returns true if a currency makes the number at token `at` an amount. A sign that touches another number, or that ends the
 * amount before, does not: "85k hkd 126231", "14.300\u20AC 126710", "126334 \u20AC9.500".
 */
export function isBesideMoney(context: ReferenceContext, at: number): boolean {
  if (isMoneySign(context, at - 1) && !endsAmount(context, at)) return true;
  if (!isMoneySign(context, at + 1)) return false;
  const { tokens, starts } = context;
  const next = tokens[starts[at + 1]?.to ?? at + 2];
  // "16200\u20AC 2021": the sign touches this number, and a year follows.
  const isOwn = tokens[at + 1]?.isGlued === true && YEAR_LIKE.test(next?.text ?? "");
  return isOwn || !startsAmount(context, at + 1);
}

/** Returns true if digits follow the sign or code of a currency at `at`. */
export function startsAmount({ tokens, starts }: ReferenceContext, at: number): boolean {
  return tokens[starts[at]?.to ?? at + 1]?.kind === "digits";
}

/** Returns true if the token is a sign or a code of a currency, and no word besides. */
export function isMoneySign({ tokens, starts, ends }: ReferenceContext, at: number): boolean {
  const token = tokenAt(tokens, at);
  if (token?.word === "$") return true;
  const phrase = token && (starts[at] ?? ends[at + 1]);
  return phrase?.meaning.kind === "currency" && !isA(token, "doubtful_code");
}

const UNITS = classSet(
  "thousand",
  "million",
  "thousand_or_million",
  "ten_thousand",
  "hundred_thousand",
  "ten_million",
  "doubtful_code",
);

/** "95k": a unit that touches the number. */
export function isUnit({ tokens }: ReferenceContext, at: number): boolean {
  return tokens[at]?.isGlued === true && isOneOf(tokens[at], UNITS);
}

/** Returns true if the sign before the number at `at` belongs to the amount before it. */
function endsAmount({ tokens, ends }: ReferenceContext, at: number): boolean {
  if (tokens[at]?.isGlued === true) return false;
  const sign = ends[at]?.from ?? at - 1;
  const last = tokenAt(tokens, sign - 1);
  if (last?.kind === "digits") return tokens[sign]?.isGlued === true || !YEAR_LIKE.test(last.text);
  // "9.450,- EUR", "85k hkd".
  return last?.word === "-" || isA(last, "thousand", "million", "thousand_or_million");
}

/** Returns the index of the nearest token before `at` that is no symbol, or -1. */
export function wordBefore(tokens: readonly Token[], at: number): number {
  let before = at - 1;
  while (before >= 0 && tokens[before]?.kind === "symbol") before -= 1;
  return before;
}
