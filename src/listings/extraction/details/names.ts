import type { Meaning, PhraseMatch } from "../lines/lexicon.ts";
import { textBetween } from "../lines/line.ts";
import type { LinePart } from "../lines/line-part.ts";
import { within } from "../lines/span.ts";

/** Returns the first model that the parts name; if `brand` is given, the first model of that brand. */
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

/** Returns the first brand that the parts name. */
export function findBrand(parts: readonly LinePart[]): string | undefined {
  const meaning = findPhraseWhere(parts, ({ kind }) => kind === "brand")?.phrase.meaning;
  return meaning?.kind === "brand" ? meaning.brand : undefined;
}

/** Returns the first phrase with a meaning that `matches`, in the order of the parts. */
export function findPhraseWhere(
  parts: readonly LinePart[],
  matches: (meaning: Meaning) => boolean,
): { readonly part: LinePart; readonly phrase: PhraseMatch } | undefined {
  for (const part of parts) {
    const phrase = within(part.reading.line.phrases, part).find(({ meaning }) => matches(meaning));
    if (phrase !== undefined) return { part, phrase };
  }
  return undefined;
}

export function wordsOfPhrase(part: LinePart, phrase: PhraseMatch): string {
  return textBetween(part.reading.line, phrase.from, phrase.to);
}
