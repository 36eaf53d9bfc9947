import type { Catalogue } from "./catalogue/catalogue.ts";
import type { DateMention } from "./date-parts.ts";
import { findDates } from "./dates.ts";
import type { MessageDate } from "./extraction.ts";
import type { Mark } from "./lexicon.ts";
import { type Line, openLine } from "./line.ts";
import { claimMeasures } from "./measures.ts";
import type { NormalLine } from "./normalize.ts";
import { findPrices, type PriceMention } from "./prices.ts";

/** A line with everything that its words say, before any of it is given to a watch. */
export interface Reading {
  readonly line: Line;
  readonly dates: readonly DateMention[];
  readonly prices: readonly PriceMention[];
  readonly isBlank: boolean;
}

/** Reads every line once; a house that was named stays named for the lines below it. */
export function readLines(
  lines: readonly NormalLine[],
  catalogue: Catalogue,
  today: MessageDate | undefined,
): Reading[] {
  let brands: ReadonlySet<string> = new Set();
  let hasReference = false;
  return lines.map((source) => {
    const line = openLine(source, catalogue, { brands, hasReference });
    hasReference ||= line.references.some(({ isPlain, text }) => !isPlain || text.length > 5);
    const named = brandsOf(line.marks);
    if (named.size > 0) brands = named;
    claimMeasures(line);
    const dates = findDates(line, today);
    return { line, dates, prices: findPrices(line), isBlank: line.tokens.length === 0 };
  });
}

function brandsOf(marks: readonly Mark[]): Set<string> {
  const brands = new Set<string>();
  for (const { meaning } of marks) {
    if (meaning.kind === "brand" || meaning.kind === "model") brands.add(meaning.brand);
  }
  return brands;
}
