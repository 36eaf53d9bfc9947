import type {
  Evidence,
  ExtractedListing,
  ExtractionInput,
  FieldSource,
  LeftOut,
  ListingField,
  Price,
  Quote,
} from "../extraction.ts";
import { type LinePart, type PriceMention, wholeLine } from "../lines/line-reading.ts";
import type { SideReading } from "../lines/sides.ts";
import type { Segment } from "../segments/segment-draft.ts";

/** What applies to the whole message. */
export interface MessageContext {
  readonly input: ExtractionInput;
  readonly side: SideReading | undefined;
  /** The first place that the message names, if all its places have the same currency. */
  readonly place: NamedPlace | undefined;
  /** No line names a watch of the catalogue, so each house counts, whatever its name. */
  readonly isWide: boolean;
}

/** A place or a currency that the message names for all its prices. */
export interface NamedPlace {
  readonly currency: string;
  readonly quote: Quote;
}

type Fields = {
  -readonly [Key in keyof ExtractedListing]?: ExtractedListing[Key];
};

/** What is known about one watch so far, and where it came from. */
export interface ListingDraft {
  readonly segment: Segment;
  readonly context: MessageContext;
  /** Text that applies to several watches, nearest first. */
  readonly inherited: readonly LinePart[];
  readonly fields: Fields;
  readonly evidence: Evidence[];
  readonly leftOut: LeftOut[];
  /** What makes the reading less certain. */
  readonly doubts: Doubt[];
  /** The model is what stands behind the brand, and not a model of the catalogue. */
  isModelUnknown: boolean;
}

/** An amount of the watch as money. */
export interface Money {
  readonly price: Price;
  readonly currencySource: FieldSource;
  readonly mention: PriceMention;
}

/** Starts a listing. Members that every listing has are there from the start, because objects that grow are slow. */
export function startListing(segment: Segment, context: MessageContext): ListingDraft {
  const { headers, shared, parts, ordinal } = segment;
  const evidence: Evidence[] = [];
  const leftOut: LeftOut[] = [];
  const doubts: Doubt[] = [];
  return {
    segment,
    context,
    inherited: headers.length === 0 ? shared : [...shared, ...headers.toReversed().map(wholeLine)],
    fields: {
      position: { firstLine: firstLineOf(segment), ordinal },
      sourceLines: sourceLineNumbers(parts),
      // Assigned at the end, when it is known what gave a value to any watch.
      headerLines: NO_LINES,
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

const NO_LINES: readonly number[] = [];

/** The line that names the watch. */
export function firstLineOf({ parts }: Segment): number {
  return parts[0]?.reading.line.source.sourceLine ?? 0;
}

function sourceLineNumbers(parts: readonly LinePart[]): number[] {
  const lines = parts.map(({ reading }) => reading.line.source.sourceLine);
  return lines.length === 1 ? lines : [...new Set(lines)].sort((a, b) => a - b);
}

export function addEvidence(
  draft: ListingDraft,
  field: ListingField,
  quote: Quote,
  source: FieldSource,
): void {
  draft.evidence.push({ field, words: quote.words, lineSpans: quote.lineSpans, source });
}

export function dropEvidence(draft: ListingDraft, field: ListingField): void {
  const { evidence } = draft;
  evidence.splice(0, evidence.length, ...evidence.filter((item) => item.field !== field));
}

/** The lines above the watch describe it if it is the only one. What its own lines say still counts first. */
export function readOwnFirst<Reading>(
  { parts }: Segment,
  read: (parts: readonly LinePart[]) => Reading | undefined,
): Reading | undefined {
  if (parts.length === 1) return read(parts);
  const watchLine = parts[0]?.reading.line.source.sourceLine ?? 0;
  const isAbove = ({ reading }: LinePart): boolean => reading.line.source.sourceLine < watchLine;
  return read(parts.filter((part) => !isAbove(part))) ?? read(parts.filter(isAbove));
}

/**
 * What can make a reading wrong, and how much it lowers the confidence. The weights are log-odds. They were fitted to the
 * errors in messages that the reader had not seen, and then rounded (docs/extraction.md, "Confidence").
 */
const DOUBT_WEIGHTS = {
  /** Neither a price nor a word of offer or request, and nothing that describes the watch. */
  not_offered_clearly: 0.4,
  /** The same, but a set, a condition, a date or a dial is there. */
  ask_missing: 0.5,
  /** More than three times the usual price of the reference, or less than a third of it. */
  price_far_from_usual: 4.8,
  price_unusual: 0.5,
  usual_price_unknown: 1.2,
  /** "13,5": the unit was left out. */
  price_without_unit: 2.2,
  price_without_currency: 0.7,
  price_bare: 0.8,
  currency_by_default: 0.3,
  several_amounts: 0.6,
  price_on_other_line: 0.2,
  reference_unknown: 0.3,
  reference_missing: 0.2,
  model_unknown: 0.2,
  year_short: 0.1,
  year_of_section: 0.8,
  several_dates: 0.7,
  /** Another watch stands before it on the line. */
  shared_line: 0.9,
  value_left_out: 0.3,
} as const;

/** Log-odds of a reading without any doubt: 98.7 % of them are right. */
const CERTAIN = 4.3;

export type Doubt = keyof typeof DOUBT_WEIGHTS;

/**
 * Returns the chance that the watch is offered or sought (`offered`), and that its reference, price and year are right as far
 * as they are given, from 0 to 1.
 */
export function toConfidence(doubts: readonly Doubt[], offered: number): number {
  let logOdds = CERTAIN;
  for (const doubt of doubts) logOdds -= DOUBT_WEIGHTS[doubt];
  return Math.round((100 * offered) / (1 + Math.exp(-logOdds))) / 100;
}
