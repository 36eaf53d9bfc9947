import { PLAIN_SPELLING, type Token, tokenize } from "../lines/tokens.ts";

/** A list of phrases to look for in a line. Symbols between the words do not matter. */
export class WordPhrases {
  readonly #byFirstWord = new Map<string, (readonly string[])[]>();

  constructor(phrases: readonly string[]) {
    for (const phrase of phrases) {
      const words = tokenize(phrase, PLAIN_SPELLING)
        .filter((token) => token.kind !== "symbol")
        .map((token) => token.word);
      const first = words[0] ?? "";
      const rest = this.#byFirstWord.get(first);
      if (rest === undefined) this.#byFirstWord.set(first, [words.slice(1)]);
      else rest.push(words.slice(1));
    }
  }

  /** Returns true if a phrase is in the line. */
  isIn(tokens: readonly Token[]): boolean {
    return tokens.some((token, at) =>
      this.#byFirstWord.get(token.word)?.some((rest) => follow(tokens, at + 1, rest)),
    );
  }
}

/** Returns true if the words are the next ones from `at` on. */
function follow(tokens: readonly Token[], at: number, words: readonly string[]): boolean {
  let next = at;
  for (const word of words) {
    while (tokens[next]?.kind === "symbol") next += 1;
    if (tokens[next]?.word !== word) return false;
    next += 1;
  }
  return true;
}
