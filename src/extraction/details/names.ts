import type { Quote } from "../extraction.ts";
import type { PhraseMatch } from "../lines/lexicon.ts";
import type { LinePart } from "../lines/line-part.ts";
import type { Meaning } from "../lines/meaning.ts";
import { quoteTokens } from "../lines/quote.ts";
import { within } from "../lines/span.ts";

export interface NamedModel {
  readonly brand: string;
  readonly model: string;
  readonly quote: Quote;
}

/** Returns the first model that the parts name; if `brand` is given, the first model of that brand. */
export function findModel(
  parts: readonly LinePart[],
  brand: string | undefined,
): NamedModel | undefined {
  for (const part of parts) {
    for (const phrase of within(part.reading.line.phrases, part)) {
      if (phrase.meaning.kind !== "model" || phrase.meaning.model === undefined) continue;
      if (brand !== undefined && phrase.meaning.brand !== brand) continue;
      return {
        brand: phrase.meaning.brand,
        model: phrase.meaning.model,
        quote: quotePhrase(part, phrase),
      };
    }
  }
  return undefined;
}

/** Returns the first brand that the parts name. */
export function findBrand(
  parts: readonly LinePart[],
): { readonly brand: string; readonly quote: Quote } | undefined {
  const found = findPhraseWhere(parts, ({ kind }) => kind === "brand");
  if (found?.phrase.meaning.kind !== "brand") return undefined;
  return { brand: found.phrase.meaning.brand, quote: quotePhrase(found.part, found.phrase) };
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

export function quotePhrase(part: LinePart, phrase: PhraseMatch): Quote {
  return quoteTokens(part.reading.line, phrase);
}
