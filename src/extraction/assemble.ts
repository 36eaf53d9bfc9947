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
import { chooseDate } from "./dates/date-choice.ts";
import { isPriceOfPart } from "./details/accessories.ts";
import { type Doubt, toConfidence } from "./details/confidence.ts";
import { findPhraseWhere, quotePhrase } from "./details/names.ts";
import { segmentSide } from "./details/sides.ts";
import type {
  Evidence,
  ExtractedListing,
  FieldSource,
  LeftOut,
  ListingField,
} from "./extraction.ts";
import { type LinePart, pricesIn, wholeLine } from "./lines/line-part.ts";
import { NO_QUOTE, quoteText } from "./lines/quote.ts";
import { fillCondition, fillFullSet, fillLook } from "./listing-details.ts";
import { addDoubts } from "./listing-doubts.ts";
import { addEvidence, type ListingDraft, type MessageContext } from "./listing-draft.ts";
import { fillIdentity } from "./listing-identity.ts";
import { fillPrice } from "./listing-price.ts";
import { usualRatio } from "./prices/usual-size.ts";
import type { Segment } from "./segments/segment-draft.ts";

/** Returns undefined if the segment names no watch: neither a reference, nor a brand with a model. */
export function assembleListing(
  segment: Segment,
  context: MessageContext,
): ExtractedListing | undefined {
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

/** Members that every listing has are there from the start, because objects that grow are slow. */
function startListing(segment: Segment, context: MessageContext): ListingDraft {
  const { headers, shared, parts, ordinal } = segment;
  const evidence: Evidence[] = [];
  const leftOut: LeftOut[] = [];
  const doubts: Doubt[] = [];
  return {
    segment,
    context,
    inherited: headers.length === 0 ? shared : [...shared, ...headers.toReversed().map(wholeLine)],
    fields: {
      position: { firstLine: parts[0]?.reading.line.source.sourceLine ?? 0, ordinal },
      sourceLines: sourceLineNumbers(parts),
      sources: {},
      evidence,
      confidence: 0,
      doubts,
      leftOut,
    },
    evidence,
    leftOut,
    doubts,
    isModelUnknown: false,
  };
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

function sourceLineNumbers(parts: readonly LinePart[]): number[] {
  const lines = parts.map(({ reading }) => reading.line.source.sourceLine);
  return lines.length === 1 ? lines : [...new Set(lines)].sort((a, b) => a - b);
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
