import { assembleListing } from "./assemble.ts";
import type { Catalogue } from "./catalogue/catalogue.ts";
import { isWatchPartOnly, namesAccessory, namesWatchPart } from "./details/accessories.ts";
import { messageSide } from "./details/sides.ts";
import type {
  ExtractedListing,
  Extraction,
  ExtractionInput,
  MessageType,
  Rejection,
  Side,
} from "./extraction.ts";
import type { LineReading } from "./line-reading.ts";
import { hasWordOf } from "./lines/line.ts";
import { type NormalLine, normalizeLines } from "./lines/normalize.ts";
import { quoteTokens } from "./lines/quote.ts";
import type { MessageContext, NamedPlace } from "./listing-draft.ts";
import { readLines } from "./reading.ts";
import type { Segment } from "./segments/segment-draft.ts";
import { findSegments } from "./segments/segments.ts";

/** Increase it whenever the same text can give another result. Stored messages are then extracted again. */
export const EXTRACTION_VERSION = 4;

/** WhatsApp's own limit for a text is 65,536 characters. The rest of a longer text is ignored. */
export const TEXT_MAX = 65_536;
/** The longest dealer lists that we have seen have about eighty watches. */
export const LISTINGS_MAX = 200;

/** Twenty lines for each of the 200 listings. All lines stay in memory until the end, so their number is bounded too. */
export const LINES_MAX = 4_000;

/** One and a half times what a text may have, because emoji and flags fold to words. */
export const FOLDED_TEXT_MAX = TEXT_MAX + TEXT_MAX / 2;

/** Reads a message. It never throws, for any text. The same input and catalogue always give the same result. */
export function extract(input: ExtractionInput, catalogue: Catalogue): Extraction {
  const bounds = { linesMax: LINES_MAX, lengthMax: FOLDED_TEXT_MAX };
  const normal = normalizeLines(input.text.slice(0, TEXT_MAX), bounds);
  const isCut = input.text.length > TEXT_MAX || normal.isCut;
  const lines = dropRepeat(normal.lines);
  const readings = readLines(lines, catalogue, input.messageDate);
  const side = messageSide(readings);
  const context: MessageContext = {
    input,
    side,
    place: findStatedCurrency(readings) ?? findPlace(readings),
  };
  const { segments, isFull } = boundedSegments(readings);
  const watches = dropParts(segments);
  const listings: ExtractedListing[] = [];
  for (const segment of watches) {
    const listing = assembleListing(segment, context);
    if (listing !== undefined) listings.push(listing);
  }
  const mainSide = listings[0]?.side ?? side?.side;
  const rejections: Rejection[] = [];
  if (isCut) rejections.push({ reason: "text_cut" });
  if (isFull) rejections.push({ reason: "too_many_listings" });
  if (listings.length === 0) rejections.push(explainNone(readings, segments, side?.side));
  const messageType = toMessageType(mainSide, readings);
  const extraction = { version: EXTRACTION_VERSION, messageType, listings, rejections };
  return mainSide === undefined ? extraction : Object.assign(extraction, { side: mainSide });
}

/** Drops what is only a part of a watch, and the other watches that the part fits: "strap for 16610 / 14060". */
function dropParts(segments: readonly Segment[]): readonly Segment[] {
  if (!segments.some(isWatchPartOnly)) return segments;
  const partLines = new Set<LineReading | undefined>();
  return segments.filter((segment) => {
    const line = segment.parts[0]?.reading;
    const isPart = isWatchPartOnly(segment);
    if (isPart && line?.prices.length !== undefined && line.prices.length < 2) partLines.add(line);
    return !isPart && !(segment.ordinal > 0 && partLines.has(line));
  });
}

/** Lines above and below a repeated text, such as a greeting. */
const EDGE_LINES_MAX = 2;

/** A message that was pasted twice into one text is read once. Returns the lines without the repeat. */
function dropRepeat(lines: readonly NormalLine[]): readonly NormalLine[] {
  if (lines.length < 2) return lines;
  const written = lines.filter(({ text }) => text !== "");
  for (let above = 0; above <= EDGE_LINES_MAX; above += 1) {
    for (let below = 0; below <= EDGE_LINES_MAX; below += 1) {
      const half = (written.length - above - below) / 2;
      // Two equal lines in a longer list can be two watches.
      if (!Number.isInteger(half) || half < (above + below === 0 ? 1 : 2)) continue;
      if (!isRepeated(written, above, half)) continue;
      const dropped = new Set(written.slice(above + half, above + 2 * half));
      return lines.filter((line) => !dropped.has(line));
    }
  }
  return lines;
}

function isRepeated(lines: readonly NormalLine[], from: number, count: number): boolean {
  for (let at = from; at < from + count; at += 1)
    if (lines[at]?.text !== lines[at + count]?.text) return false;
  return true;
}

function boundedSegments(readings: readonly LineReading[]): {
  readonly segments: readonly Segment[];
  readonly isFull: boolean;
} {
  const segments = findSegments(readings, LISTINGS_MAX + 1);
  const isFull = segments.length > LISTINGS_MAX;
  return { segments: isFull ? segments.slice(0, LISTINGS_MAX) : segments, isFull };
}

/** "Prices in USD": returns the currency that a line of the message states for all prices. */
function findStatedCurrency(readings: readonly LineReading[]): NamedPlace | undefined {
  for (const { line, prices } of readings) {
    if (prices.length > 0 || !hasWordOf(line, "price")) continue;
    for (const phrase of line.phrases) {
      if (phrase.meaning.kind !== "currency" || phrase.to - phrase.from > 2) continue;
      if (/^(u|us|hk)$/.test(line.tokens[phrase.from]?.word ?? "")) continue;
      return { currency: phrase.meaning.currency, quote: quoteTokens(line, phrase) };
    }
  }
  return undefined;
}

/** Returns the first place that the message names, unless another one has another currency. */
function findPlace(readings: readonly LineReading[]): NamedPlace | undefined {
  let first: NamedPlace | undefined;
  for (const { line } of readings) {
    for (const phrase of line.phrases) {
      if (phrase.meaning.kind !== "place") continue;
      const { currency } = phrase.meaning;
      first ??= { currency, quote: quoteTokens(line, phrase) };
      if (currency !== first.currency) return undefined;
    }
  }
  return first;
}

function toMessageType(side: Side | undefined, readings: readonly LineReading[]): MessageType {
  if (side !== undefined) return side === "for_sale" ? "selling" : "buying";
  const isPersonal = readings.some(({ line }) => hasWordOf(line, "personal"));
  return isPersonal ? "personal" : "unknown";
}

function explainNone(
  readings: readonly LineReading[],
  segments: readonly Segment[],
  side: Side | undefined,
): Rejection {
  if (readings.every((reading) => reading.isBlank)) return { reason: "empty" };
  if (segments.length === 0 && readings.some((reading) => reading.isTalk))
    return { reason: "not_an_offer" };
  if (segments.length > 0 || readings.some(namesAccessory) || readings.some(namesWatchPart)) {
    return { reason: "part_or_accessory" };
  }
  return { reason: side === "want_to_buy" ? "wanted_without_watch" : "no_watch" };
}
