import {
  amountValue,
  type LinePart,
  type LineReading,
  namesModel,
  pricesIn,
  STRENGTH_RANK,
  wholeLine,
} from "../lines/line-reading.ts";
import { findSide } from "../lines/sides.ts";
import { datesKey, haveDifferentWords, isSameReference } from "./differences.ts";
import { hasAsk, type SegmentDraft, strongestAskRank } from "./segment-draft.ts";
import { findWatchMentions, type WatchMention } from "./watch-mentions.ts";

/** Returns, for each line, the watches that it names. A headline gets none: its watches are named again below it. */
export function listMentionsByLine(
  readings: readonly LineReading[],
  isWide: boolean,
): readonly (readonly WatchMention[])[] {
  const referenceLines = readings.filter(({ line }) => line.references.length > 0).length;
  const message = {
    isWide,
    hasReferences: referenceLines > 0,
    brands: referenceLines < readings.length ? listReferenceBrands(readings) : NO_BRANDS,
    hasSeveralReferences: referenceLines > 1,
    isWishList: readings.every(({ prices }) => prices.length === 0) && readings.some(opensWishList),
    hasAsk: readings.some(({ prices }) => strongestAskRank(prices) >= STRENGTH_RANK.unit),
  };
  let isBelowOffer = false;
  const mentions = readings.map((reading) => {
    if (reading.isTalk) return [];
    const named = findWatchMentions(reading, message, isBelowOffer);
    isBelowOffer ||= named.length > 0;
    return named;
  });
  const first = mentions.findIndex((list) => list.length > 0);
  return isHeadline(mentions, first) ? mentions.with(first, []) : mentions;
}

/** "Need today:", "Looking for:". */
function opensWishList(reading: LineReading): boolean {
  return (
    reading.line.references.length === 0 &&
    findSide(wholeLine(reading))?.side === "want_to_buy" &&
    !namesModel(reading)
  );
}

const NO_BRANDS: ReadonlySet<string> = new Set();

function listReferenceBrands(readings: readonly LineReading[]): ReadonlySet<string> {
  return new Set(readings.flatMap(({ line }) => line.references.map(({ brand }) => brand)));
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
  place: { readonly isAfterBlank: boolean; readonly askBelow: number | undefined },
): readonly WatchMention[] {
  if (above === undefined || !hasAsk(above)) return [];
  const { askBelow, isAfterBlank } = place;
  // "white oys 5/26", with the ask on the line below it.
  if (reading.prices.length === 0)
    return askBelow === undefined || above.amounts.has(askBelow)
      ? []
      : findAnotherPiece(above, reading);
  const isWeak = strongestAskRank(reading.prices) < Math.min(STRENGTH_RANK.unit, above.askRank);
  if (isWeak && !isLikeAskAbove(above, reading)) return [];
  // "07/2022 oyster blue Sky-Dweller, preowned $19300".
  if (isAfterBlank && namesModel(reading) && reading.dates.length > 0)
    return [{ reference: undefined, part: wholeLine(reading), shared: [], ordinal: 0 }];
  return findAnotherPiece(above, reading);
}

/** "champ jub N11 106500" below "silver jub N10 118k": a number alone is an ask if it is as large as the one above. */
function isLikeAskAbove(above: SegmentDraft, reading: LineReading): boolean {
  const [price] = reading.prices;
  if (price === undefined || reading.prices.length > 1 || reading.dates.length === 0) return false;
  const amount = amountValue(price);
  return [...above.amounts].some((ask) => amount > ask / 2 && amount < ask * 2);
}

/** Enough parts to know what the watch above is like. The bound keeps the work linear. */
const COMPARED_PARTS_MAX = 8;

/**
 * "N1 2026: 1.83m" below "5072R" and "N9 2025: 1.72m", or "silver 58k" below "279160 jub" and "mint green 71k": another
 * date, dial, bracelet, condition or set, with another ask in the same currency.
 */
function findAnotherPiece(above: SegmentDraft, reading: LineReading): readonly WatchMention[] {
  const { mention } = above;
  const part = wholeLine(reading);
  if (mention.reference === undefined || opensWithNumber(reading)) return [];
  if (!reading.prices.every(({ currency }) => above.currencies.includes(currency))) return [];
  const pieces = above.parts.slice(0, COMPARED_PARTS_MAX);
  if (!isAnotherDate(pieces, part) && !isAnotherKind(pieces, part)) return [];
  // What the header line says applies to every piece. A line with an ask describes its own piece only.
  const isHeader = pricesIn(mention.part).length === 0;
  const shared =
    isHeader || mention.shared.length === 0 ? [mention.part, ...mention.shared] : mention.shared;
  return [{ reference: mention.reference, part, shared, ordinal: 0 }];
}

/** "116758SA watch only": a line that opens with a number which no rule understands can be another reference. */
function opensWithNumber({ line }: LineReading): boolean {
  const first = line.tokens.findIndex((token) => token.kind !== "symbol");
  const token = line.tokens[first];
  return token?.kind === "digits" && token.text.length >= 4 && line.claims[first] === undefined;
}

function isAnotherDate(pieces: readonly LinePart[], part: LinePart): boolean {
  const date = datesKey(part);
  const datesAbove = pieces.map(datesKey);
  return date !== "" && !datesAbove.includes(date) && datesAbove.some((above) => above !== "");
}

const PIECE_KINDS = ["dial", "bracelet", "condition", "set"] as const;

/** The piece above has other words of the same kind. */
function isAnotherKind(pieces: readonly LinePart[], part: LinePart): boolean {
  return PIECE_KINDS.some((kind) => pieces.some((piece) => haveDifferentWords(piece, part, kind)));
}
