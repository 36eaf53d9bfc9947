/**
 * Reads a message: text -> lines -> segments -> listings.
 *
 * Idea: each line is split into tokens, in which references, dates and prices are found. The lines are then assigned to the
 * watches that they describe, and each watch with its text becomes a listing, field by field.
 * Invariant: every value of a listing has evidence, which is the words and where they came from. A value that would be a
 * guess goes to `leftOut` instead.
 *
 * Example: "USED", then "126334 2021 €9.500", then "126333 €11.200". The first listing has condition USED (source
 * "section"), year 2021 and price 9500 EUR (both "explicit").
 */
import type { Catalogue } from "./catalogue/catalogue.ts";
import type {
  ExtractedListing,
  Extraction,
  ExtractionInput,
  FieldSource,
  ListingField,
  MessageDate,
  MessageType,
  Rejection,
  Side,
} from "./extraction.ts";
import { analyzeLine, hasWordOf, listBrands } from "./lines/line.ts";
import { type LineReading, quoteTokens } from "./lines/line-reading.ts";
import { readNumbers } from "./lines/numbers.ts";
import { messageSide } from "./lines/sides.ts";
import { flagTalk } from "./lines/talk.ts";
import { fillCondition } from "./listing/condition.ts";
import { toConfidence } from "./listing/confidence.ts";
import { fillDate } from "./listing/date.ts";
import { addDoubts, usualRatio } from "./listing/doubts.ts";
import { fillFullSet } from "./listing/full-set.ts";
import { fillIdentity } from "./listing/identity.ts";
import {
  type ListingDraft,
  type MessageContext,
  type NamedPlace,
  startListing,
} from "./listing/listing-draft.ts";
import { fillLook } from "./listing/look.ts";
import { fillPrice } from "./listing/price.ts";
import { fillSide, fillStatus } from "./listing/side.ts";
import {
  dropParts,
  isPriceOfPart,
  namesAccessory,
  namesWatchPart,
} from "./segments/accessories.ts";
import type { Segment } from "./segments/segment-draft.ts";
import { findSegments } from "./segments/segments.ts";
import { dropRepeat, type NormalLine, normalizeLines } from "./text/normalize.ts";

/** Increase it whenever the same text can give another result. Stored messages are then extracted again. */
export const EXTRACTION_VERSION = 5;

/** The longest dealer lists that we have seen have about eighty watches. */
export const LISTINGS_MAX = 200;

/** Reads a message. It never throws, for any text. The same input and catalogue always give the same result. */
export function extract(input: ExtractionInput, catalogue: Catalogue): Extraction {
  const { lines, isCut } = normalizeLines(input.text);
  const readings = readLines(dropRepeat(lines), catalogue, input.messageDate);
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

const NO_BRANDS: ReadonlySet<string> = new Set();

/** Reads every line once. A brand applies to the lines below it, until a line names another brand. */
function readLines(
  lines: readonly NormalLine[],
  catalogue: Catalogue,
  today: MessageDate | undefined,
): LineReading[] {
  let brands = NO_BRANDS;
  let hasReference = false;
  const readings = lines.map((source) => {
    const written = analyzeLine(source, catalogue, { brands, hasReference });
    const { line, dates, prices } = readNumbers(written, today);
    hasReference ||= line.references.some(
      ({ isDigitsOnly, text }) => !isDigitsOnly || text.length > 5,
    );
    brands = listBrands(line.phrases) ?? brands;
    return { line, dates, prices, isBlank: line.tokens.length === 0, isTalk: false };
  });
  return flagTalk(readings);
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

function boundedSegments(readings: readonly LineReading[]): {
  readonly segments: readonly Segment[];
  readonly isFull: boolean;
} {
  const segments = findSegments(readings, LISTINGS_MAX + 1);
  const isFull = segments.length > LISTINGS_MAX;
  return { segments: isFull ? segments.slice(0, LISTINGS_MAX) : segments, isFull };
}

/**
 * Builds a listing: one function for each field, in this order. Each looks at the watch's own text first, then at the text
 * that it inherits (its line, then the headers, nearest first), then at a setting. Returns undefined if the segment names no
 * watch: neither a reference, nor a brand with a model.
 */
function assembleListing(segment: Segment, context: MessageContext): ExtractedListing | undefined {
  const draft = startListing(segment, context);
  fillIdentity(draft);
  fillSide(draft);
  fillDate(draft);
  fillCondition(draft);
  fillFullSet(draft);
  fillLook(draft);
  fillPrice(draft);
  fillStatus(draft);
  const { fields } = draft;
  if (fields.reference === undefined && (fields.brand === undefined || fields.model === undefined))
    return undefined;
  if (fields.side !== "want_to_buy") {
    const usualEur = segment.reference?.usualEur;
    const ratio = fields.price === undefined ? undefined : usualRatio(fields.price, usualEur);
    if (isPriceOfPart(segment, ratio)) return undefined;
  }
  return finish(draft);
}

function finish(draft: ListingDraft): ExtractedListing {
  const { fields, evidence, doubts } = draft;
  const sources: Partial<Record<ListingField, FieldSource>> = {};
  for (const item of evidence) sources[item.field] ??= item.source;
  addDoubts(draft, sources);
  fields.sources = sources;
  fields.confidence = toConfidence(doubts);
  return fields as ExtractedListing;
}

function toMessageType(side: Side | undefined, readings: readonly LineReading[]): MessageType {
  if (side !== undefined) return side === "for_sale" ? "selling" : "buying";
  const isPersonal = readings.some(({ line }) => hasWordOf(line, "greeting"));
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
