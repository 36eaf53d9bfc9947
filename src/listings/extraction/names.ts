import type { Meaning, PhraseMatch } from "./lexicon.ts";
import { textBetween } from "./line.ts";
import type { LinePart } from "./line-part.ts";
import { within } from "./span.ts";

/** The first model that the parts name, of the given house if there is one. */
export function findModel(
  parts: readonly LinePart[],
  brand: string | undefined,
): { readonly brand: string; readonly model: string; readonly words: string } | undefined {
  for (const part of parts) {
    for (const phrase of within(part.reading.line.phrases, part)) {
      if (phrase.meaning.kind !== "model" || phrase.meaning.model === undefined) continue;
      if (brand !== undefined && phrase.meaning.brand !== brand) continue;
      return {
        brand: phrase.meaning.brand,
        model: phrase.meaning.model,
        words: wordsOfPhrase(part, phrase),
      };
    }
  }
  return undefined;
}

/** The first house that the parts name. */
export function findBrand(parts: readonly LinePart[]): string | undefined {
  const phrase = findPhraseWhere(parts, (meaning) => meaning.kind === "brand")?.phrase.meaning;
  return phrase?.kind === "brand" ? phrase.brand : undefined;
}

/** The first phrase of a meaning, in the order of the parts. */
export function findPhraseWhere(
  parts: readonly LinePart[],
  holds: (meaning: Meaning) => boolean,
): { readonly part: LinePart; readonly phrase: PhraseMatch } | undefined {
  for (const part of parts) {
    const phrase = within(part.reading.line.phrases, part).find(({ meaning }) => holds(meaning));
    if (phrase !== undefined) return { part, phrase };
  }
  return undefined;
}

export function wordsOfPhrase(part: LinePart, phrase: PhraseMatch): string {
  return textBetween(part.reading.line, phrase.from, phrase.to);
}
