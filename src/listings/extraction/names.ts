import type { Part } from "./anchors.ts";
import type { Mark, Meaning } from "./lexicon.ts";
import { wordsOf } from "./prices.ts";
import { within } from "./span.ts";

/** The first model that the parts name, of the given house if there is one. */
export function findModel(
  parts: readonly Part[],
  brand: string | undefined,
): { readonly brand: string; readonly model: string; readonly words: string } | undefined {
  for (const part of parts) {
    for (const mark of within(part.reading.line.marks, part)) {
      if (mark.meaning.kind !== "model" || mark.meaning.model === undefined) continue;
      if (brand !== undefined && mark.meaning.brand !== brand) continue;
      return {
        brand: mark.meaning.brand,
        model: mark.meaning.model,
        words: wordsOfMark(part, mark),
      };
    }
  }
  return undefined;
}

/** The first house that the parts name. */
export function findBrand(parts: readonly Part[]): string | undefined {
  const mark = findMeaning(parts, (meaning) => meaning.kind === "brand")?.mark.meaning;
  return mark?.kind === "brand" ? mark.brand : undefined;
}

/** The first phrase of a meaning, in the order of the parts. */
export function findMeaning(
  parts: readonly Part[],
  holds: (meaning: Meaning) => boolean,
): { readonly part: Part; readonly mark: Mark } | undefined {
  for (const part of parts) {
    const mark = within(part.reading.line.marks, part).find(({ meaning }) => holds(meaning));
    if (mark !== undefined) return { part, mark };
  }
  return undefined;
}

export function wordsOfMark(part: Part, mark: Mark): string {
  return wordsOf(part.reading.line, mark.from, mark.to);
}
