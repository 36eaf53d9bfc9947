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
}

/** What the word lists know about spelling. */
export interface Spelling {
  /** Returns the known word behind an odd spelling ("n3w", "biack"), if there is one. */
  readonly respell: (odd: string) => string | undefined;
  readonly isWord: (word: string) => boolean;
  /** The known words as they were written, each with its form in the word lists. */
  readonly seen: Map<string, string>;
}

/** For text that needs no correction: the word lists themselves. */
export const PLAIN_SPELLING: Spelling = {
  respell: () => undefined,
  isWord: () => true,
  seen: new Map(),
};

/** Lower case without accents. */
export function foldLetters(text: string): string {
  const lower = text.toLowerCase();
  return /^[a-z]*$/.test(lower) ? lower : lower.normalize("NFKD").replace(/\p{Mark}+/gu, "");
}
