import { wholeLine } from "../lines/line-part.ts";
import { STRENGTH_RANK } from "../prices/prices.ts";
import type { LineReading } from "../reading.ts";
import { datesKey } from "./differences.ts";
import { hasAsk, type SegmentDraft, strongestAskRank } from "./segment-draft.ts";
import {
  findWatchMentions,
  isSameReference,
  namesModel,
  type WatchMention,
} from "./watch-mentions.ts";

/** Returns, for each line, the watches that it names. A headline gets none: its watches are named again below it. */
export function listMentionsByLine(
  readings: readonly LineReading[],
): readonly (readonly WatchMention[])[] {
  const hasReferences = readings.some(({ line }) => line.references.length > 0);
  const mentions = readings.map((reading) => findWatchMentions(reading, hasReferences));
  const first = mentions.findIndex((list) => list.length > 0);
  return isHeadline(mentions, first) ? mentions.with(first, []) : mentions;
}

/** A headline's watches are repeated soon after it. The bound also keeps the search linear. */
const HEADLINE_SEARCH_MAX = 10;

/** "126200 day & 268621 too": several watches without price or date, and one of them is named again below. */
function isHeadline(mentions: readonly (readonly WatchMention[])[], first: number): boolean {
  const named = mentions[first] ?? [];
  const reading = named[0]?.part.reading;
  if (named.length < 2 || reading === undefined) return false;
  if (reading.prices.length + reading.dates.length > 0) return false;
  const below = mentions
    .slice(first + 1)
    .flat()
    .slice(0, HEADLINE_SEARCH_MAX);
  return named.some((mention) => below.some((other) => haveSameReference(mention, other)));
}

function haveSameReference(a: WatchMention, b: WatchMention): boolean {
  return (
    a.reference !== undefined &&
    b.reference !== undefined &&
    isSameReference(a.reference, b.reference)
  );
}

/**
 * Returns the watch that a line offers without a reference or brand: another piece of the watch above it, or, after a
 * blank line, a model by its name. Only a line with a clear price below a watch that already has an ask can do this.
 */
export function findUnnamedWatch(
  above: SegmentDraft | undefined,
  reading: LineReading,
  isAfterBlank: boolean,
): WatchMention | undefined {
  if (above === undefined || !hasAsk(above)) return undefined;
  if (strongestAskRank(reading.prices) < STRENGTH_RANK.unit) return undefined;
  return isAfterBlank ? findModelByName(reading) : findAnotherPiece(above, reading);
}

/** "07/2022 oyster blue Sky-Dweller, preowned $19300". */
function findModelByName(reading: LineReading): WatchMention | undefined {
  if (!namesModel(reading) || reading.dates.length === 0) return undefined;
  return { part: wholeLine(reading), shared: [], ordinal: 0 };
}

/** Enough parts to know which dates the watch above has. The bound keeps the work linear. */
const DATED_PARTS_MAX = 8;

/** "N1 2026: 1.83m" below "5072R" and "N9 2025: 1.72m": another date with another price in the same currency. */
function findAnotherPiece(above: SegmentDraft, reading: LineReading): WatchMention | undefined {
  const { mention } = above;
  const part = wholeLine(reading);
  const date = datesKey(part);
  const datesAbove = above.parts.slice(0, DATED_PARTS_MAX).map(datesKey);
  const isAnotherPiece =
    mention.reference !== undefined &&
    reading.prices.every(({ currency }) => above.currencies.has(currency)) &&
    date !== "" &&
    !datesAbove.includes(date) &&
    datesAbove.some((dateAbove) => dateAbove !== "");
  if (!isAnotherPiece) return undefined;
  return { ...mention, part, shared: [mention.part, ...mention.shared], ordinal: 0 };
}
