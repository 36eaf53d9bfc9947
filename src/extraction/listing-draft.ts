import type { Doubt } from "./details/confidence.ts";
import type { SideReading } from "./details/sides.ts";
import type {
  Evidence,
  ExtractedListing,
  ExtractionInput,
  FieldSource,
  LeftOut,
  ListingField,
  Quote,
} from "./extraction.ts";
import type { LinePart } from "./lines/line-part.ts";
import type { Segment } from "./segments/segment-draft.ts";

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
