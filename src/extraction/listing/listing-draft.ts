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
import type { Doubt } from "./confidence.ts";

/** What applies to the whole message. */
export interface MessageContext {
  readonly input: ExtractionInput;
  readonly side: SideReading | undefined;
  /** The first place that the message names, if all its places have the same currency. */
  readonly place: NamedPlace | undefined;
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
