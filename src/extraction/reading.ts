import type { Catalogue } from "./catalogue/catalogue.ts";
import { findDates } from "./dates/dates.ts";
import { isOnlyCompared } from "./details/comparisons.ts";
import { isTalk, isTalkHeadline } from "./details/talk.ts";
import type { MessageDate } from "./extraction.ts";
import type { LineReading } from "./line-reading.ts";
import type { PhraseMatch } from "./lines/lexicon.ts";
import { analyzeLine } from "./lines/line.ts";
import { claimMeasures } from "./lines/measures.ts";
import type { NormalLine } from "./lines/normalize.ts";
import { findPrices } from "./prices/prices.ts";

const NO_BRANDS: ReadonlySet<string> = new Set();

/** Reads every line once. A brand applies to the lines below it, until a line names another brand. */
export function readLines(
  lines: readonly NormalLine[],
  catalogue: Catalogue,
  today: MessageDate | undefined,
): LineReading[] {
  let brands = NO_BRANDS;
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
  const referenceLines = readings.filter(({ line }) => line.references.length > 0).length;
  // Beside references, a line with the name of a model describes one of them.
  const isAbout = (reading: LineReading): boolean =>
    referenceLines === 0
      ? namesWatch(reading)
      : reading.line.references.length > 0 && !(referenceLines > 1 && isOnlyCompared(reading.line));
  const headline = readings.find((reading) => !reading.isBlank);
  if (headline !== undefined && !isAbout(headline) && isTalkHeadline(headline, readings))
    return readings.map((reading) => ({ ...reading, isTalk: true }));
  const flagged = readings.map((reading) =>
    isAbout(reading) && isTalk(reading, { isInList: referenceLines > 1 })
      ? { ...reading, isTalk: true }
      : reading,
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
