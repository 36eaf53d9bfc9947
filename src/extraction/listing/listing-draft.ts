import type {
  Evidence,
  ExtractedListing,
  ExtractionInput,
  FieldSource,
  LeftOut,
  ListingField,
  Quote,
} from "../extraction.ts";
import { type LinePart, wholeLine } from "../lines/line-reading.ts";
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

/** Members that every listing has are there from the start, because objects that grow are slow. */
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

function sourceLineNumbers(parts: readonly LinePart[]): number[] {
  const lines = parts.map(({ reading }) => reading.line.source.sourceLine);
  return lines.length === 1 ? lines : [...new Set(lines)].sort((a, b) => a - b);
}

/** The lines above the watch describe it if it is the only one. What its own lines say still counts first. */
export function splitAbove(segment: Segment): {
  readonly own: readonly LinePart[];
  readonly above: readonly LinePart[];
} {
  if (segment.parts.length === 1) return { own: segment.parts, above: NO_PARTS };
  const watchLine = segment.parts[0]?.reading.line.source.sourceLine ?? 0;
  const isAbove = ({ reading }: LinePart): boolean => reading.line.source.sourceLine < watchLine;
  if (!segment.parts.some(isAbove)) return { own: segment.parts, above: NO_PARTS };
  return {
    own: segment.parts.filter((part) => !isAbove(part)),
    above: segment.parts.filter(isAbove),
  };
}

const NO_PARTS: readonly LinePart[] = [];

export function preferReading<
  Reading extends { readonly reading?: unknown; readonly isUndecided: boolean },
>(own: Reading, readAbove: () => Reading): Reading {
  return own.reading !== undefined || own.isUndecided ? own : readAbove();
}
