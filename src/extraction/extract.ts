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
import { decideIntents } from "./intent/decide-intents.ts";
import type { MessageFacts } from "./intent/intent-facts.ts";
import { type Intent, likeliest } from "./intent/intents.ts";
import { analyzeLine, hasWordOf, type Line, listBrands } from "./lines/line.ts";
import { findPhraseWhere, type LineReading, quoteTokens } from "./lines/line-reading.ts";
import { readNumbers } from "./lines/numbers.ts";
import { messageSide } from "./lines/sides.ts";
import { isWatchWord } from "./lines/written-house.ts";
import { fillCondition } from "./listing/condition.ts";
import { fillDate } from "./listing/date.ts";
import { addDoubts } from "./listing/doubts.ts";
import { fillFullSet } from "./listing/full-set.ts";
import { fillIdentity } from "./listing/identity.ts";
import {
  type ListingDraft,
  type MessageContext,
  type NamedPlace,
  startListing,
  toConfidence,
} from "./listing/listing-draft.ts";
import { fillLook } from "./listing/look.ts";
import { assignLines } from "./listing/own-lines.ts";
import { fillPrice } from "./listing/price.ts";
import { fillSide, fillStatus, settleSide } from "./listing/side.ts";
import type { Segment } from "./segments/segment-draft.ts";
import { findSegments } from "./segments/segments.ts";
import { dropRepeat, type NormalLine, normalizeLines } from "./text/normalize.ts";
import type { Token } from "./text/token.ts";
import { isA, isPart } from "./words/words.ts";

/** Increase it whenever the same text can give another result. Stored messages are then extracted again. */
export const EXTRACTION_VERSION = 8;

/** The longest dealer lists that we have seen have about eighty watches. */
export const LISTINGS_MAX = 200;

/** Reads a message. It never throws, for any text. The same input and catalogue always give the same result. */
export function extract(input: ExtractionInput, catalogue: Catalogue): Extraction {
  const message = draftListings(input, catalogue);
  const { side } = message.context;
  const first = weighDrafts(message);
  const rest = first.every(isOffered) ? undefined : withoutTalk(message, first);
  const readings = rest?.readings ?? message.readings;
  const offered = (rest === undefined ? first : weighDrafts(rest)).filter(isOffered);
  const leftOut = first.filter(isKept);
  const sharedLines = assignLines(readings, {
    drafts: offered.map(({ draft }) => draft),
    leftOut: leftOut.map(({ draft }) => draft),
    segments: message.segments,
  });
  const listings = offered.map(toListing);
  const mainSide = listings[0]?.side ?? side?.side;
  const rejections: Rejection[] = [];
  if (message.isCut) rejections.push({ reason: "text_cut" });
  if (message.isFull) rejections.push({ reason: "too_many_listings" });
  if (listings.length === 0) rejections.push(explainNone(message, first[0]?.intent));
  const extraction = {
    version: EXTRACTION_VERSION,
    messageType: toMessageType(mainSide, readings),
    listings,
    notOffered: leftOut.map(toListing),
    sharedLines,
    rejections,
  };
  return mainSide === undefined ? extraction : Object.assign(extraction, { side: mainSide });
}

/** A watch, and how likely it is offered or sought. */
interface WeighedDraft {
  readonly draft: ListingDraft;
  readonly chance: number;
  readonly intent: Intent;
  /** An explicit word says so. */
  readonly isSaid: boolean;
}

function weighDrafts({ readings, drafts, facts }: DraftedReadings): readonly WeighedDraft[] {
  const weighed = decideIntents(drafts, facts, readings).map(({ draft, chances, word }) => {
    settleSide(draft, chances, word);
    const chance = chances.offer + chances.request;
    return { draft, chance, intent: likeliest(chances), isSaid: word !== undefined };
  });
  return drafts.some(({ segment }) => segment.ordinal > 0) ? shareChances(weighed) : weighed;
}

/** What a line says is said of all its watches: "New RRP: 126200 8.150€, 124300 6.900€". An explicit word is said of one. */
function shareChances(weighed: readonly WeighedDraft[]): readonly WeighedDraft[] {
  const byLine = new Map<number | undefined, WeighedDraft[]>();
  for (const one of weighed) {
    if (one.isSaid) continue;
    const line = lineOf(one);
    byLine.set(line, [...(byLine.get(line) ?? []), one]);
  }
  return weighed.map((one) => {
    const line = one.isSaid ? [one] : (byLine.get(lineOf(one)) ?? []);
    return { ...one, chance: line.reduce((sum, { chance }) => sum + chance, 0) / line.length };
  });
}

function lineOf({ draft }: WeighedDraft): number | undefined {
  return draft.fields.position?.firstLine;
}

function isOffered({ chance }: WeighedDraft): boolean {
  return chance >= OFFERED_MIN;
}

/** What is not offered is kept if a person could tell from it that it is: a reference of the catalogue, and an ask. */
function isKept(weighed: WeighedDraft): boolean {
  const { segment, fields } = weighed.draft;
  const isKnown = segment.reference?.isKnown === true && fields.price !== undefined;
  return isKnown && !isOffered(weighed);
}

/**
 * "The steel one is over 15k now" between an offer and its details: reads the message again without the lines that only speak
 * of a watch, because they part what belongs together. Returns undefined if there are none, or nothing else is offered.
 */
function withoutTalk(
  message: DraftedMessage,
  weighed: readonly WeighedDraft[],
): DraftedReadings | undefined {
  const [talk, offers] = [weighed.filter((one) => !isOffered(one)), weighed.filter(isOffered)];
  if (offers.length === 0) return undefined;
  const lines = new Set(talk.map(({ draft }) => draft.fields.position?.firstLine));
  for (const { draft } of offers) lines.delete(draft.fields.position?.firstLine);
  if (lines.size === 0) return undefined;
  const readings = message.readings.map((reading) =>
    lines.has(reading.line.source.sourceLine) ? { ...reading, isTalk: true } : reading,
  );
  return draftReadings(readings, message.context);
}

/** Below this chance that something is offered or sought, nothing is listed. */
const OFFERED_MIN = 0.435;

interface DraftedReadings {
  readonly readings: readonly LineReading[];
  readonly segments: readonly Segment[];
  readonly drafts: readonly ListingDraft[];
  readonly facts: MessageFacts;
  readonly isFull: boolean;
}

interface DraftedMessage extends DraftedReadings {
  readonly context: MessageContext;
  readonly isCut: boolean;
}

/** Reads every watch that the message names, whether it is offered or not. */
export function draftListings(input: ExtractionInput, catalogue: Catalogue): DraftedMessage {
  const normal = normalizeLines(input.text);
  const source = { input, lines: dropRepeat(normal.lines), isCut: normal.isCut };
  const first = draftMessage(source, catalogue, false);
  return isReadWide(first) ? draftMessage(source, catalogue, true) : first;
}

interface MessageSource {
  readonly input: ExtractionInput;
  readonly lines: readonly NormalLine[];
  readonly isCut: boolean;
}

/** Written out, because a spread is slow. */
function draftMessage(
  { input, lines, isCut }: MessageSource,
  catalogue: Catalogue,
  isWide: boolean,
): DraftedMessage {
  const readings = readLines(lines, catalogue, { today: input.messageDate, isWide });
  const place = findStatedCurrency(readings) ?? findPlace(readings);
  const context: MessageContext = { input, side: messageSide(readings), place, isWide };
  const { segments, drafts, facts, isFull } = draftReadings(readings, context);
  return { readings, segments, drafts, facts, isFull, context, isCut };
}

/** Nothing names a watch, or something only seems to, and the text is about one. */
function isReadWide({ drafts, readings }: DraftedMessage): boolean {
  if (drafts.length === 0) return readings.some(isAboutWatch);
  return drafts.every(isGuessed) && readings.some(namesOrdinaryHouse);
}

function draftReadings(readings: readonly LineReading[], context: MessageContext): DraftedReadings {
  const found = findSegments(readings, { listingsMax: LISTINGS_MAX + 1, isWide: context.isWide });
  const isFull = found.length > LISTINGS_MAX;
  const segments = isFull ? found.slice(0, LISTINGS_MAX) : found;
  const drafts: ListingDraft[] = [];
  let askCount = 0;
  for (const segment of segments) {
    const draft = draftListing(segment, context);
    if (draft === undefined) continue;
    drafts.push(draft);
    if (draft.fields.price !== undefined) askCount += 1;
  }
  const lineCount = readings.filter(({ isBlank }) => !isBlank).length;
  const facts = { watchCount: drafts.length, askCount, lineCount };
  return { readings, segments, drafts, facts, isFull };
}

/** The house follows from a word or a number that other houses have too: "Day-Date", "GL0093". */
function isGuessed({ segment: { reference, parts }, fields: { brand } }: ListingDraft): boolean {
  if (reference?.isKnown === true) return false;
  return (
    findPhraseWhere(parts, (meaning) => meaning.kind === "brand" && meaning.brand === brand) ===
    undefined
  );
}

/** "FOSSIL Townsman", "Wenger Attitude": a name that counts only if nothing else names the watch. */
function namesOrdinaryHouse({ line: { tokens, lexicon } }: LineReading): boolean {
  return tokens.some(
    ({ word, text }) =>
      lexicon.ordinary.has(word) && text.charAt(0) !== text.charAt(0).toLowerCase(),
  );
}

/** "Watch", "automatic", "38mm", a part of a watch, a house, or a word of sale. */
function isAboutWatch({ line }: LineReading): boolean {
  return (
    line.tokens.some((token, at) => isWatchWord(line.tokens, token, at) || isPart(token)) ||
    line.phrases.some(({ meaning }) => meaning.kind === "side" || meaning.kind === "brand")
  );
}

const NO_BRANDS: ReadonlySet<string> = new Set();

/** Reads every line once. A brand applies to the lines below it, until a line names another brand. */
function readLines(
  lines: readonly NormalLine[],
  catalogue: Catalogue,
  { today, isWide }: { readonly today: MessageDate | undefined; readonly isWide: boolean },
): LineReading[] {
  let brands = NO_BRANDS;
  let hasReference = false;
  let models: ReadonlySet<string> = NO_BRANDS;
  return lines.map((source) => {
    const line = analyzeLine(source, catalogue, { brands, hasReference, isWide, models });
    models = listModels(line);
    const { dates, prices } = readNumbers(line, today);
    hasReference ||= line.references.some(
      ({ isDigitsOnly, text }) => !isDigitsOnly || text.length > 5,
    );
    brands = listBrands(line.phrases) ?? brands;
    return { line, dates, prices, isBlank: line.tokens.length === 0, isTalk: false };
  });
}

function listModels({ phrases, references }: Line): ReadonlySet<string> {
  let models: Set<string> | undefined;
  if (references.length === 0)
    for (const { meaning } of phrases)
      if (meaning.kind === "model" && meaning.model !== undefined)
        models = (models ?? new Set()).add(meaning.model);
  return models ?? NO_BRANDS;
}

/** "Prices in USD": returns the currency that a line of the message states for all prices. */
function findStatedCurrency(readings: readonly LineReading[]): NamedPlace | undefined {
  for (const { line, prices } of readings) {
    if (prices.length > 0 || !hasWordOf(line, "price")) continue;
    for (const phrase of line.phrases) {
      if (phrase.meaning.kind !== "currency" || phrase.to - phrase.from > 2) continue;
      if (isA(line.tokens[phrase.from], "doubtful_code")) continue;
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

/**
 * Builds a listing: one function for each field, in this order. Each looks at the watch's own text first, then at the text
 * that it inherits (its line, then the headers, nearest first), then at a setting. Returns undefined if the segment names no
 * watch: neither a reference, nor a brand with a model.
 */
function draftListing(segment: Segment, context: MessageContext): ListingDraft | undefined {
  const draft = startListing(segment, context);
  fillIdentity(draft);
  fillSide(draft);
  fillDate(draft);
  fillCondition(draft);
  fillFullSet(draft);
  fillLook(draft);
  fillPrice(draft);
  fillStatus(draft);
  const { brand, model, reference } = draft.fields;
  const isNamed =
    reference !== undefined || (brand !== undefined && (model !== undefined || context.isWide));
  return isNamed ? draft : undefined;
}

function toListing({ draft, chance }: WeighedDraft): ExtractedListing {
  const { fields, evidence, doubts } = draft;
  const sources: Partial<Record<ListingField, FieldSource>> = {};
  // The first evidence of a field counts. Asking an object for a field that it does not have is slow.
  for (let at = evidence.length - 1; at >= 0; at -= 1) {
    const item = evidence[at];
    if (item !== undefined) sources[item.field] = item.source;
  }
  addDoubts(draft, sources);
  fields.sources = sources;
  fields.confidence = toConfidence(doubts, chance);
  return fields as ExtractedListing;
}

function toMessageType(side: Side | undefined, readings: readonly LineReading[]): MessageType {
  if (side !== undefined) return side === "for_sale" ? "selling" : "buying";
  const isPersonal = readings.some(({ line }) => hasWordOf(line, "greeting"));
  return isPersonal ? "personal" : "unknown";
}

function explainNone({ readings, context }: DraftedMessage, intent: Intent | undefined): Rejection {
  if (readings.every((reading) => reading.isBlank)) return { reason: "empty" };
  if (intent !== undefined)
    return { reason: intent === "part" ? "part_or_accessory" : "not_an_offer" };
  if (readings.some(({ line }) => line.tokens.some(isThing)))
    return { reason: "part_or_accessory" };
  return { reason: context.side?.side === "want_to_buy" ? "wanted_without_watch" : "no_watch" };
}

function isThing(token: Token): boolean {
  return isPart(token) || isA(token, "accessory", "gift");
}
