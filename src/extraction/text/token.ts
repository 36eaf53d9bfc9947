import type { PhraseNode } from "./meaning.ts";

/** A piece of a line: a run of digits, a run of letters, or one symbol. */
export interface Token {
  readonly kind: "digits" | "letters" | "symbol";
  readonly text: string;
  /** Lower case without accents, and with its spelling corrected: the form to look up in the word lists. */
  readonly word: string;
  /** Characters `start` up to but not including `end`. */
  readonly start: number;
  readonly end: number;
  /** There is no space between this token and the one before it. */
  readonly isGlued: boolean;
  /** Of every word that the lists know. */
  readonly facts: WordFacts | undefined;
}

/** What the lists say about a word. It is looked up once, because every line has such words. */
export interface WordFacts {
  readonly word: string;
  /** The phrases that start with it. */
  readonly node: PhraseNode | undefined;
  /** The classes of single words that it is in. */
  readonly classes: readonly string[];
  /** The phrases of talk and of requests that start with it. */
  readonly listed: readonly ListedPhrase[];
  /** A phrase that is joined from words of several classes can start with it. */
  readonly opensJoined: boolean;
  /** A phrase has it, or its spelling is known. */
  readonly isSpelled: boolean;
}

/** A phrase by what it says. */
export interface ListedPhrase {
  readonly list: string;
  /** The words behind the first one. */
  readonly rest: readonly string[];
}

/** What the word lists know about spelling. */
export interface Spelling {
  /** Returns the known word behind an odd spelling ("n3w", "biack"), if there is one. */
  readonly respell: (odd: string) => string | undefined;
  readonly isWord: (word: string) => boolean;
  /** Returns true if dealers write these two words as one ("likenew", "blackind"). */
  readonly joins: (first: string, second: string) => boolean;
  /** The known words as they were written. */
  readonly seen: Map<string, WordFacts>;
  /** By word. */
  readonly facts: ReadonlyMap<string, WordFacts>;
  /** Letters before the sign of a currency: the A of "30kA$". */
  readonly signLetters: ReadonlySet<string>;
}

/** For text that needs no correction: the word lists themselves. */
export const PLAIN_SPELLING: Spelling = {
  respell: () => undefined,
  isWord: () => true,
  joins: () => false,
  seen: new Map(),
  facts: new Map(),
  signLetters: new Set(),
};

/** Lower case without accents, and with one form for the letters that are written in several ways. */
export function foldLetters(text: string): string {
  const lower = text.toLowerCase();
  if (ASCII.test(lower)) return lower;
  const composed = lower.normalize("NFC");
  // Vietnamese marks make other words: "thẻ" is a card, and "the" an article.
  if (VIETNAMESE.test(composed)) return composed;
  const bare = lower.normalize("NFKD").replace(/\p{Mark}+/gu, "");
  const folded = bare.replace(SEVERAL_FORMS, (letter) => ONE_FORM.get(letter) ?? letter);
  return ARABIC.test(folded) ? foldArabic(folded) : folded;
}

const ASCII = /^[ -~]*$/;

/** Letters that only Vietnamese has. */
const VIETNAMESE = /[\u0111\u01A1\u01B0\u1EA0-\u1EF9]/;

const ONE_FORM: ReadonlyMap<string, string> = new Map([
  ["\u00DF", "ss"],
  ["\u00E6", "ae"],
  ["\u0153", "oe"],
  ["\u0131", "i"],
  ["\u0142", "l"],
  // Arabic: the closing t, the dotless and the Persian y, the Persian k, the stretching stroke.
  ["\u0629", "\u0647"],
  ["\u0649", "\u064A"],
  ["\u06CC", "\u064A"],
  ["\u06A9", "\u0643"],
  ["\u0640", ""],
]);

const SEVERAL_FORMS = new RegExp(`[${[...ONE_FORM.keys()].join("")}]`, "g");

const ARABIC = /^[\u0621-\u064A]+$/;

/**
 * Arabic joins "and", "with", "for" and the article to the word before, and "its" behind. They are taken off as long as
 * three letters remain, so that "والعلبة" and "علبتها" are "علب".
 */
function foldArabic(word: string): string {
  return word
    .replace(/^\u0648(?=.{3})/, "")
    .replace(/^\u0628?\u0627\u0644(?=.{3})/, "")
    .replace(/^\u0644\u0644(?=.{3})/, "")
    .replace(/^[\u0628\u0644](?=.{3})/, "")
    .replace(/(?<=.{3})\u062A?\u0647\u0627$/, "")
    .replace(/(?<=.{3})\u0647$/, "");
}

/** The token at an index that may be before the first one. Reading an array at -1 is many times slower than asking first. */
export function tokenAt(tokens: readonly Token[], at: number): Token | undefined {
  return at < 0 ? undefined : tokens[at];
}

/** Returns true if the token is one of these signs. */
export function isSign(token: Token | undefined, signs: string): boolean {
  return token?.kind === "symbol" && signs.includes(token.word);
}

/** A number that is probably a year. */
export const YEAR_LIKE = /^(19\d\d|20[0-4]\d)$/;

/** A line can end in this many decorations. */
const CLOSING_SYMBOLS_MAX = 8;

/** Returns true if only symbols follow from `at` on. What is behind many of them is not looked at. */
export function isLineEnd(tokens: readonly Token[], at: number): boolean {
  return tokens.slice(at, at + CLOSING_SYMBOLS_MAX + 1).every(({ kind }) => kind === "symbol");
}

/** Tokens `from` up to but not including `to`. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** Returns the spans inside `range`. `spans` must be sorted and must not overlap. Binary search keeps long lines cheap. */
export function within<Item extends Span>(spans: readonly Item[], range: Span): readonly Item[] {
  if (spans.length === 0) return spans;
  const opening = spans[0];
  const closing = spans[spans.length - 1];
  if (opening === undefined || closing === undefined) return spans;
  if (opening.from >= range.from && closing.to <= range.to) return spans;
  const first = lowerBound(spans, (span) => span.from >= range.from);
  const last = lowerBound(spans, (span) => span.to > range.to);
  return spans.slice(first, Math.max(first, last));
}

/** Returns the first span that starts at or after `at`. */
export function firstFrom<Item extends Span>(spans: readonly Item[], at: number): Item | undefined {
  return spans[lowerBound(spans, (span) => span.from >= at)];
}

/** Returns the last span that ends at or before `at`. */
export function lastUntil<Item extends Span>(spans: readonly Item[], at: number): Item | undefined {
  return spans[lowerBound(spans, (span) => span.to > at) - 1];
}

/** Returns the index of the first span that `matches`. All spans after it must match too. */
function lowerBound<Item>(spans: readonly Item[], matches: (span: Item) => boolean): number {
  let low = 0;
  let high = spans.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const span = spans[middle];
    if (span !== undefined && matches(span)) high = middle;
    else low = middle + 1;
  }
  return low;
}
