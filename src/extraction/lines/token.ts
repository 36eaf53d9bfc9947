import type { PhraseNode } from "./meaning.ts";

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
  /** Of most words that the lists know. Other tokens are looked up where that is needed. */
  readonly facts: WordFacts | undefined;
}

/** What the lists say about a word. It is looked up once, because every line has such words. */
export interface WordFacts {
  readonly word: string;
  /** The phrases that start with it. */
  readonly node: PhraseNode | undefined;
  /** A sum of `WORD_KINDS`. */
  readonly kinds: number;
  /** A word about parcels, payments and places. */
  readonly isNumberWord: boolean;
}

/** What the word lists know about spelling. */
export interface Spelling {
  /** Returns the known word behind an odd spelling ("n3w", "biack"), if there is one. */
  readonly respell: (odd: string) => string | undefined;
  readonly isWord: (word: string) => boolean;
  /** The known words as they were written. */
  readonly seen: Map<string, WordFacts>;
  readonly factsOf: (word: string) => WordFacts | undefined;
}

/** For text that needs no correction: the word lists themselves. */
export const PLAIN_SPELLING: Spelling = {
  respell: () => undefined,
  isWord: () => true,
  seen: new Map(),
  factsOf: () => undefined,
};

/** Lower case without accents. */
export function foldLetters(text: string): string {
  const lower = text.toLowerCase();
  return /^[a-z]*$/.test(lower) ? lower : lower.normalize("NFKD").replace(/\p{Mark}+/gu, "");
}

/** The token at an index that may be before the first one. Reading an array at -1 is many times slower than asking first. */
export function tokenAt(tokens: readonly Token[], at: number): Token | undefined {
  return at < 0 ? undefined : tokens[at];
}

/** A line can end in this many decorations. */
const CLOSING_SYMBOLS_MAX = 8;

/** Returns true if only symbols follow from `at` on. What is behind many of them is not looked at. */
export function isLineEnd(tokens: readonly Token[], at: number): boolean {
  return tokens.slice(at, at + CLOSING_SYMBOLS_MAX + 1).every(({ kind }) => kind === "symbol");
}
