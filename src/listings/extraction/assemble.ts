/**
 * Builds a listing from a segment.
 *
 * Idea: one function for each field, in a fixed order. Each looks at the watch's own text first, then at the inherited
 * text (its line, then the headers, nearest first), then at a setting. It stores the value and the evidence: the words
 * and where they came from.
 * Invariant: every value of a field has evidence, and a value that would be a guess goes to `leftOut` instead.
 *
 * Example: "USED", then "126334 2021 €9.500", then "126333 €11.200". The first listing has condition USED (source
 * "section"), year 2021 and price 9500 EUR (both "explicit").
 */
import { normalizeReference } from "../../base/text.ts";
import { chooseDate } from "./dates/date-choice.ts";
import { isPriceOfPart } from "./details/accessories.ts";
import { type ConditionReading, readCondition } from "./details/conditions.ts";
import { toConfidence } from "./details/confidence.ts";
import { readDial, readVariant } from "./details/dials.ts";
import { readFullSet } from "./details/full-set.ts";
import { findModelWords } from "./details/model-words.ts";
import { findBrand, findModel, findPhraseWhere, quotePhrase } from "./details/names.ts";
import { segmentSide } from "./details/sides.ts";
import type { ExtractedListing, FieldSource, ListingField } from "./extraction.ts";
import type { PlacedReference } from "./lines/line.ts";
import { type LinePart, pricesIn, wholeLine } from "./lines/line-part.ts";
import { NO_QUOTE, quoteText, quoteTokens } from "./lines/quote.ts";
import { listDoubts } from "./listing-doubts.ts";
import {
  addEvidence,
  dropEvidence,
  type ListingDraft,
  type MessageContext,
} from "./listing-draft.ts";
import { fillPrice } from "./listing-price.ts";
import { usualRatio } from "./prices/usual-size.ts";
import type { Segment } from "./segments/segment-draft.ts";

/** Returns undefined if the segment names no watch: neither a reference, nor a brand with a model. */
export function assembleListing(
  segment: Segment,
  context: MessageContext,
): ExtractedListing | undefined {
  const draft: ListingDraft = {
    segment,
    context,
    inherited: [...segment.shared, ...segment.headers.toReversed().map(wholeLine)],
    fields: {},
    evidence: [],
    leftOut: [],
    doubts: [],
    isModelUnknown: false,
  };
  for (const fill of [
    fillIdentity,
    fillSide,
    fillDate,
    fillCondition,
    fillFullSet,
    fillLook,
    fillPrice,
    fillStatus,
  ]) {
    fill(draft);
  }
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
  const { segment, fields, evidence, leftOut } = draft;
  const sources: Partial<Record<ListingField, FieldSource>> = {};
  for (const item of evidence) sources[item.field] ??= item.source;
  const doubts = [...draft.doubts, ...listDoubts(draft, sources)];
  const firstLine = segment.parts[0]?.reading.line.source.sourceLine ?? 0;
  fields.position = { firstLine, ordinal: segment.ordinal };
  fields.sourceLines = sourceLineNumbers(segment.parts);
  fields.sources = sources;
  fields.evidence = evidence;
  fields.confidence = toConfidence(doubts);
  fields.doubts = doubts;
  fields.leftOut = leftOut;
  return fields as ExtractedListing;
}

function sourceLineNumbers(parts: readonly LinePart[]): number[] {
  const lines = parts.map(({ reading }) => reading.line.source.sourceLine);
  return lines.length === 1 ? lines : [...new Set(lines)].sort((a, b) => a - b);
}

function fillIdentity(draft: ListingDraft): void {
  const { fields } = draft;
  const { reference } = draft.segment;
  if (reference !== undefined) {
    const prefix = missingPrefix(reference);
    fields.reference = prefix + reference.text;
    fields.referenceNormalized = toReferenceKey(
      prefix + (reference.repaired ?? reference.text),
      reference.brand,
    );
    fields.brand = reference.brand;
    const { source, start, text } = reference;
    const quote = quoteText(source, { start, end: start + text.length });
    addEvidence(draft, "reference", quote, "explicit");
    addEvidence(draft, "brand", quote, "explicit");
    if (reference.model !== undefined) {
      fields.model = reference.model;
      addEvidence(draft, "model", quote, "explicit");
      return;
    }
  }
  fillModelByName(draft);
}

/** One key for each watch: "M126622-0002" and "126622-0002", "RM 7-01" and "RM07-01" have the same. */
function toReferenceKey(text: string, brand: string): string {
  const key = normalizeReference(text);
  if (brand === "Rolex") return key.replace(/^M(?=\d{5})/, "");
  return brand === "Richard Mille" ? key.replace(/^RM(?=\d{3}$)(?!0)/, "RM0") : key;
}

/** "35-02" and "RM35-02" are one watch, so both get the prefix. */
function missingPrefix(reference: PlacedReference): string {
  return reference.brand === "Richard Mille" && /^\d/.test(reference.text) ? "RM" : "";
}

/** Takes brand and model from the words, unless they name two different brands. */
function fillModelByName(draft: ListingDraft): void {
  const { segment, fields } = draft;
  const own = findModel(segment.parts, fields.brand);
  const found = own ?? findModel(draft.inherited, fields.brand);
  const source = own === undefined ? "section" : "explicit";
  const ownBrand = findBrand(segment.parts);
  const named = ownBrand ?? findBrand(draft.inherited);
  if (found !== undefined && (named === undefined || named.brand === found.brand)) {
    fields.model = found.model;
    addEvidence(draft, "model", found.quote, source);
    if (fields.brand !== undefined) return;
    fields.brand = found.brand;
    addEvidence(draft, "brand", found.quote, source);
    return;
  }
  if (named !== undefined && fields.brand === undefined) {
    fields.brand = named.brand;
    addEvidence(draft, "brand", named.quote, ownBrand === undefined ? "section" : "explicit");
  }
  if (fields.reference === undefined) fillUnknownModel(draft);
}

/** "Czapek Antarctique": without a reference, the words behind the brand name the model. */
function fillUnknownModel(draft: ListingDraft): void {
  const words = findModelWords(draft.segment.parts);
  if (words === undefined || words.brand !== draft.fields.brand) return;
  draft.fields.model = words.text;
  draft.isModelUnknown = true;
  addEvidence(draft, "model", quoteTokens(words.part.reading.line, words), "explicit");
}

function fillSide(draft: ListingDraft): void {
  const { segment, context, fields } = draft;
  const found = segmentSide(segment);
  const hasPrice = segment.parts.some((part) => pricesIn(part).length > 0);
  const message = context.side?.side === "want_to_buy" && !hasPrice ? context.side : undefined;
  const reading = found?.reading ?? message;
  fields.side = reading?.side ?? "for_sale";
  const quote = reading === undefined ? NO_QUOTE : quotePhrase(reading.part, reading.phrase);
  const source = reading === undefined ? "default" : found?.isOwn === true ? "explicit" : "section";
  addEvidence(draft, "side", quote, source);
}

function fillDate(draft: ListingDraft): void {
  const { segment, context, fields } = draft;
  const launchedYear = segment.reference?.launchedYear;
  const own = chooseDate(segment.parts, context.input.messageDate, launchedYear);
  const isOwn = own.year !== undefined || own.month !== undefined || own.leftOut.length > 0;
  const date = isOwn ? own : chooseDate(draft.inherited, context.input.messageDate, launchedYear);
  const source = isOwn ? "explicit" : "section";
  if (date.year !== undefined) {
    fields.year = date.year;
    addEvidence(draft, "year", date.yearQuote, source);
  }
  if (date.month !== undefined) {
    fields.cardMonth = date.month;
    addEvidence(draft, "cardMonth", date.monthQuote, source);
  }
  draft.leftOut.push(...date.leftOut);
  const newQuote = own.newQuote ?? date.newQuote;
  if (newQuote !== undefined) addEvidence(draft, "condition", newQuote, source);
}

function fillCondition(draft: ListingDraft): void {
  const { fields, segment } = draft;
  const { own: parts, above } = splitAbove(segment);
  const own = preferReading(readCondition(parts), () => readCondition(above));
  if (own.reading !== undefined && isMintDial(draft, own.reading)) {
    fields.condition = "NEW";
    fields.dialType = "mint green";
    addEvidence(draft, "dialType", quotePhrase(own.reading.part, own.reading.phrase), "explicit");
    return;
  }
  if (own.reading !== undefined) {
    fields.condition = own.reading.condition;
    // A condition in words is better evidence than the N of a date.
    dropEvidence(draft, "condition");
    addEvidence(draft, "condition", quotePhrase(own.reading.part, own.reading.phrase), "explicit");
    return;
  }
  if (own.isUndecided) {
    dropEvidence(draft, "condition");
    return;
  }
  if (draft.evidence.some(({ field }) => field === "condition")) {
    fields.condition = "NEW";
    return;
  }
  for (const part of draft.inherited) {
    const { reading } = readCondition([part]);
    if (reading === undefined) continue;
    fields.condition = reading.condition;
    addEvidence(draft, "condition", quotePhrase(part, reading.phrase), "section");
    return;
  }
}

/** "126334 mint jub N7": the N says that the watch is new, so mint is the colour of its dial. */
function isMintDial(
  { segment, evidence }: ListingDraft,
  { part, phrase }: ConditionReading,
): boolean {
  const isMint =
    part.reading.line.tokens[phrase.from]?.word === "mint" && phrase.to === phrase.from + 1;
  if (!isMint || segment.reference?.brand !== "Rolex") return false;
  return evidence.some(({ field }) => field === "condition") && readDial(segment) === undefined;
}

/** The lines above the watch describe it if it is the only one. What its own lines say still counts first. */
function splitAbove(segment: Segment): {
  readonly own: readonly LinePart[];
  readonly above: readonly LinePart[];
} {
  const watchLine = segment.parts[0]?.reading.line.source.sourceLine ?? 0;
  const isAbove = ({ reading }: LinePart): boolean => reading.line.source.sourceLine < watchLine;
  if (!segment.parts.some(isAbove)) return { own: segment.parts, above: [] };
  return {
    own: segment.parts.filter((part) => !isAbove(part)),
    above: segment.parts.filter(isAbove),
  };
}

function preferReading<
  Reading extends { readonly reading?: unknown; readonly isUndecided: boolean },
>(own: Reading, readAbove: () => Reading): Reading {
  return own.reading !== undefined || own.isUndecided ? own : readAbove();
}

function fillFullSet(draft: ListingDraft): void {
  const { own: parts, above } = splitAbove(draft.segment);
  const own = preferReading(readFullSet(parts), () => readFullSet(above));
  if (own.isUndecided) return;
  let found = own.reading;
  let source: FieldSource = "explicit";
  for (const part of draft.inherited) {
    if (found !== undefined) break;
    found = readFullSet([part]).reading;
    source = "section";
  }
  if (found === undefined) return;
  draft.fields.fullSetStatus = [found.status];
  addEvidence(draft, "fullSetStatus", quotePhrase(found.part, found.phrase), source);
}

function fillLook(draft: ListingDraft): void {
  const dial = readDial(draft.segment);
  if (dial !== undefined && draft.fields.dialType === undefined) {
    draft.fields.dialType = dial.value;
    addEvidence(draft, "dialType", dial.quote, "explicit");
  }
  const variant = readVariant(draft.segment);
  if (variant !== undefined) {
    draft.fields.variant = variant.value;
    addEvidence(draft, "variant", variant.quote, "explicit");
  }
}

function fillStatus(draft: ListingDraft): void {
  const { segment, fields } = draft;
  const struck = segment.parts.find(({ reading }) => reading.line.source.isStruckThrough);
  if (struck !== undefined) {
    fields.status = "sold";
    const { source } = struck.reading.line;
    addEvidence(
      draft,
      "status",
      quoteText(source, { start: 0, end: source.text.length }),
      "explicit",
    );
    return;
  }
  const found = findPhraseWhere(segment.parts, (meaning) => meaning.kind === "status");
  if (found === undefined || found.phrase.meaning.kind !== "status") return;
  fields.status = found.phrase.meaning.status;
  addEvidence(draft, "status", quotePhrase(found.part, found.phrase), "explicit");
}
