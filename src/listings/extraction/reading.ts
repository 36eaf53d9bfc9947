import type { Catalogue } from "./catalogue/catalogue.ts";
import type { DateMention } from "./dates/date-parts.ts";
import { findDates } from "./dates/dates.ts";
import { isOnlyCompared } from "./details/comparisons.ts";
import { isTalk } from "./details/talk.ts";
import type { MessageDate } from "./extraction.ts";
import type { PhraseMatch } from "./lines/lexicon.ts";
import { analyzeLine, type Line } from "./lines/line.ts";
import { claimMeasures } from "./lines/measures.ts";
import type { NormalLine } from "./lines/normalize.ts";
import { findPrices, type PriceMention } from "./prices/prices.ts";

/** A line with its dates and prices, before they are assigned to a watch. */
export interface LineReading {
  readonly line: Line;
  readonly dates: readonly DateMention[];
  readonly prices: readonly PriceMention[];
  readonly isBlank: boolean;
  /** It names a watch, but neither offers it nor asks for it. */
  readonly isTalk: boolean;
}

/** Reads every line once. A brand applies to the lines below it, until a line names another brand. */
export function readLines(
  lines: readonly NormalLine[],
  catalogue: Catalogue,
  today: MessageDate | undefined,
): LineReading[] {
  let brands: ReadonlySet<string> = new Set();
  let hasReference = false;
  const readings = lines.map((source) => {
    const line = analyzeLine(source, catalogue, { brands, hasReference });
    hasReference ||= line.references.some(
      ({ isDigitsOnly, text }) => !isDigitsOnly || text.length > 5,
    );
    brands = listBrands(line.phrases) ?? brands;
    // The order matters: each step claims its tokens, and the next one skips them.
    claimMeasures(line);
    const dates = findDates(line, today);
    const prices = findPrices(line);
    return { line, dates, prices, isBlank: line.tokens.length === 0, isTalk: false };
  });
  return flagTalk(readings);
}

/**
 * Flags the lines that only speak about a watch. If no other line names a watch, but one has an ask, then the message is
 * an offer in prose.
 */
function flagTalk(readings: readonly LineReading[]): LineReading[] {
  const hasReferences = readings.some(({ line }) => line.references.length > 0);
  // Beside references, a line with the name of a model describes one of them.
  const isAbout = (reading: LineReading): boolean =>
    hasReferences
      ? reading.line.references.length > 0 && !isOnlyCompared(reading.line)
      : namesWatch(reading);
  const flagged = readings.map((reading) =>
    isAbout(reading) && isTalk(reading) ? { ...reading, isTalk: true } : reading,
  );
  const isOffer =
    !flagged.some((reading) => isAbout(reading) && !reading.isTalk) &&
    flagged.some((reading) => !isAbout(reading) && reading.prices.length > 0);
  return isOffer ? [...readings] : flagged;
}

function namesWatch({ line }: LineReading): boolean {
  return (
    line.references.length > 0 ||
    line.phrases.some(({ meaning }) => meaning.kind === "model" && meaning.model !== undefined)
  );
}

/** Returns undefined if the phrases name no brand. */
function listBrands(phrases: readonly PhraseMatch[]): ReadonlySet<string> | undefined {
  let brands: Set<string> | undefined;
  for (const { meaning } of phrases) {
    if (meaning.kind === "brand" || meaning.kind === "model")
      brands = (brands ?? new Set()).add(meaning.brand);
  }
  return brands;
}
