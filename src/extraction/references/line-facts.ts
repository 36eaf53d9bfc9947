import { NUMBER_WORDS } from "../catalogue/talk-words.ts";
import type { Lexicon, PhraseMatch } from "../lines/lexicon.ts";
import type { Meaning } from "../lines/meaning.ts";
import type { Token } from "../lines/token.ts";
import type { LineFacts } from "./reference-match.ts";

const WATCH_KINDS: ReadonlySet<Meaning["kind"]> = new Set([
  "condition",
  "set",
  "dial",
  "bracelet",
  "model",
  "currency",
  "side",
]);

/** Works out what a line says apart from its numbers. */
export function readLineFacts(
  tokens: readonly Token[],
  phrases: readonly PhraseMatch[],
  lexicon: Lexicon,
): LineFacts {
  let hasOtherNumberWords = false;
  let unknownWordCount = 0;
  let hasMoneySign = false;
  for (const { kind, word, facts } of tokens) {
    hasMoneySign ||= word === "$" || word === "\u20AC" || word === "\u00A3";
    if (kind !== "letters") continue;
    hasOtherNumberWords ||= facts === undefined ? NUMBER_WORDS.has(word) : facts.isNumberWord;
    if (facts === undefined && word.length > 1 && !lexicon.vocabulary.has(word))
      unknownWordCount += 1;
  }
  return {
    namesBrand: phrases.some(({ meaning }) => meaning.kind === "brand" || meaning.kind === "model"),
    hasWatchWords: hasMoneySign || phrases.some(({ meaning }) => WATCH_KINDS.has(meaning.kind)),
    hasOtherNumberWords,
    unknownWordCount,
  };
}
