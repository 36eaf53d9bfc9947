import { normalizeReference } from "../../base/text.ts";
import { type Part, wholeOf } from "./anchors.ts";
import { readCondition } from "./conditions.ts";
import { toConfidence } from "./confidence.ts";
import { chooseDate } from "./date-choice.ts";
import { readDial, readVariant } from "./dials.ts";
import type {
  Evidence,
  ExtractedListing,
  ExtractionInput,
  FieldSource,
  LeftOut,
  ListingField,
} from "./extraction.ts";
import { readFullSet } from "./full-set.ts";
import type { CurrencyHints } from "./money.ts";
import { findBrand, findMeaning, findModel, wordsOfMark } from "./names.ts";
import { choosePrice } from "./price-choice.ts";
import { pricesIn, type Segment } from "./segments.ts";
import { type SideReading, segmentSide } from "./sides.ts";

export interface MessageContext {
  readonly input: ExtractionInput;
  readonly side: SideReading | undefined;
  /** The currency of the one place that the message names. */
  readonly place: string | undefined;
}

type Fields = {
  -readonly [Key in keyof ExtractedListing]?: ExtractedListing[Key];
};

/** What is known of one watch so far, and from where. */
interface Draft {
  readonly segment: Segment;
  readonly context: MessageContext;
  readonly above: readonly Part[];
  readonly fields: Fields;
  readonly evidence: Evidence[];
  readonly leftOut: LeftOut[];
}

/** The listing that a segment's words give, or nothing when they name no watch. */
export function assembleListing(
  segment: Segment,
  context: MessageContext,
): ExtractedListing | undefined {
  const draft: Draft = {
    segment,
    context,
    above: [...segment.shared, ...segment.headers.toReversed().map(wholeOf)],
    fields: {},
    evidence: [],
    leftOut: [],
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
  return finish(draft);
}

function finish(draft: Draft): ExtractedListing {
  const { segment, fields, evidence, leftOut } = draft;
  const sources: Partial<Record<ListingField, FieldSource>> = {};
  for (const item of evidence) sources[item.field] ??= item.source;
  const firstLine = segment.parts[0]?.reading.line.source.sourceLine ?? 0;
  return Object.assign(fields, {
    side: fields.side ?? ("for_sale" as const),
    position: { firstLine, ordinal: segment.ordinal },
    sourceLines: linesOf(segment.parts),
    sources,
    evidence,
    confidence: toConfidence({ isKnown: segment.reference?.isKnown === true, fields, sources }),
    leftOut,
  });
}

function linesOf(parts: readonly Part[]): number[] {
  const lines = parts.map(({ reading }) => reading.line.source.sourceLine);
  return lines.length === 1 ? lines : [...new Set(lines)].sort((a, b) => a - b);
}

function note(
  draft: Draft,
  field: ListingField,
  found: { readonly words: string; readonly source: FieldSource },
): void {
  draft.evidence.push({ field, words: found.words, source: found.source });
}

function fillIdentity(draft: Draft): void {
  const { segment, fields } = draft;
  const { reference } = segment;
  if (reference !== undefined) {
    fields.reference = reference.text;
    fields.referenceNormalized = normalizeReference(reference.repaired ?? reference.text);
    fields.brand = reference.brand;
    note(draft, "reference", { words: reference.text, source: "explicit" });
    note(draft, "brand", { words: reference.text, source: "explicit" });
    if (reference.model !== undefined) {
      fields.model = reference.model;
      note(draft, "model", { words: reference.text, source: "explicit" });
      return;
    }
  }
  const own = findModel(segment.parts, fields.brand);
  const above = own ?? findModel(draft.above, fields.brand);
  const source = own === undefined ? "section" : "explicit";
  const brand = findBrand(segment.parts) ?? findBrand(draft.above);
  if (above !== undefined && (brand === undefined || brand === above.brand)) {
    fields.model = above.model;
    note(draft, "model", { words: above.words, source });
    fields.brand ??= above.brand;
    note(draft, "brand", { words: above.words, source });
  } else if (brand !== undefined && fields.brand === undefined) {
    fields.brand = brand;
    note(draft, "brand", { words: brand, source });
  }
}

function fillSide(draft: Draft): void {
  const { segment, context, fields } = draft;
  const found = segmentSide(segment);
  const hasPrice = segment.parts.some((part) => pricesIn(part).length > 0);
  const message = context.side?.side === "want_to_buy" && !hasPrice ? context.side : undefined;
  const reading = found?.reading ?? message;
  fields.side = reading?.side ?? "for_sale";
  const words = reading === undefined ? "" : wordsOfMark(reading.part, reading.mark);
  const source = reading === undefined ? "default" : found?.isOwn === true ? "explicit" : "section";
  note(draft, "side", { words, source });
}

function fillDate(draft: Draft): void {
  const { segment, context, fields } = draft;
  const launchedYear = segment.reference?.launchedYear;
  const own = chooseDate(segment.parts, context.input.messageDate, launchedYear);
  const isOwn = own.year !== undefined || own.month !== undefined || own.leftOut.length > 0;
  const date = isOwn ? own : chooseDate(draft.above, context.input.messageDate, launchedYear);
  const source = isOwn ? "explicit" : "section";
  if (date.year !== undefined) {
    fields.year = date.year;
    note(draft, "year", { words: date.words, source });
  }
  if (date.month !== undefined) {
    fields.cardMonth = date.month;
    note(draft, "cardMonth", { words: date.words, source });
  }
  draft.leftOut.push(...date.leftOut);
  if (own.isNew || date.isNew) note(draft, "condition", { words: date.words, source });
}

function fillCondition(draft: Draft): void {
  const { fields, segment } = draft;
  const own = readCondition(segment.parts);
  if (own.reading !== undefined) {
    fields.condition = own.reading.condition;
    // What the words say of the state is nearer than the N of a date.
    draft.evidence.splice(
      0,
      draft.evidence.length,
      ...draft.evidence.filter(({ field }) => field !== "condition"),
    );
    note(draft, "condition", {
      words: wordsOfMark(own.reading.part, own.reading.mark),
      source: "explicit",
    });
    return;
  }
  if (own.isOpen) return;
  if (draft.evidence.some(({ field }) => field === "condition")) {
    fields.condition = "NEW";
    return;
  }
  for (const part of draft.above) {
    const { reading } = readCondition([part]);
    if (reading === undefined) continue;
    fields.condition = reading.condition;
    note(draft, "condition", { words: wordsOfMark(part, reading.mark), source: "section" });
    return;
  }
}

function fillFullSet(draft: Draft): void {
  const own = readFullSet(draft.segment.parts);
  if (own.isOpen) return;
  let found = own.reading;
  let source: FieldSource = "explicit";
  for (const part of draft.above) {
    if (found !== undefined) break;
    found = readFullSet([part]).reading;
    source = "section";
  }
  if (found === undefined) return;
  draft.fields.fullSetStatus = [found.status];
  note(draft, "fullSetStatus", { words: wordsOfMark(found.part, found.mark), source });
}

function fillLook(draft: Draft): void {
  const dial = readDial(draft.segment);
  if (dial !== undefined) {
    draft.fields.dialType = dial.value;
    const words = dial.marks.map((mark) => wordsOfMark(dial.part, mark)).join(" ");
    note(draft, "dialType", { words, source: "explicit" });
  }
  const variant = readVariant(draft.segment);
  if (variant !== undefined) {
    draft.fields.variant = variant.value;
    const words = variant.marks.map((mark) => wordsOfMark(variant.part, mark)).join(" ");
    note(draft, "variant", { words, source: "explicit" });
  }
}

function fillPrice(draft: Draft): void {
  const { segment, fields, leftOut } = draft;
  const choice = choosePrice(segment.parts.flatMap(pricesIn), hintsOf(draft));
  leftOut.push(...choice.leftOut);
  if (choice.price !== undefined) {
    fields.price = choice.price.price;
    note(draft, "price", { words: choice.price.words, source: "explicit" });
    note(draft, "currency", { words: choice.price.words, source: choice.price.currencySource });
  }
  if (choice.alternative !== undefined) {
    fields.alternativePrice = choice.alternative.price;
    note(draft, "alternativePrice", { words: choice.alternative.words, source: "explicit" });
  }
  if (choice.retail !== undefined) {
    fields.retailPrice = choice.retail.price;
    note(draft, "retailPrice", { words: choice.retail.words, source: "explicit" });
  }
}

function hintsOf(draft: Draft): CurrencyHints {
  const { input, place } = draft.context;
  // Where a message has one watch, its header lines are its own; those above the reference still settle the currency.
  const { parts } = draft.segment;
  const anchorLine = parts[0]?.reading.line.source.sourceLine ?? 0;
  const preamble = parts.filter(
    ({ reading }) => reading.line.source.sourceLine < anchorLine && reading.prices.length === 0,
  );
  const named = findMeaning(
    [...preamble, ...draft.above],
    (meaning) => meaning.kind === "currency",
  );
  const header = named?.mark.meaning;
  return {
    ...(header?.kind === "currency" ? { header: header.currency } : {}),
    ...(place === undefined ? {} : { place }),
    ...(input.defaultCurrency === undefined ? {} : { defaultCurrency: input.defaultCurrency }),
    ...(input.senderCountry === undefined ? {} : { senderCountry: input.senderCountry }),
  };
}

function fillStatus(draft: Draft): void {
  const { segment, fields } = draft;
  const struck = segment.parts.find(({ reading }) => reading.line.source.isStruck);
  if (struck !== undefined) {
    fields.status = "sold";
    note(draft, "status", { words: struck.reading.line.source.text, source: "explicit" });
    return;
  }
  const found = findMeaning(segment.parts, (meaning) => meaning.kind === "status");
  if (found === undefined || found.mark.meaning.kind !== "status") return;
  fields.status = found.mark.meaning.status;
  note(draft, "status", { words: wordsOfMark(found.part, found.mark), source: "explicit" });
}
