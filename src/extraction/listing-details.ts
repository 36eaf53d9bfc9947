import { type ConditionReading, readCondition } from "./details/conditions.ts";
import { readDial, readVariant } from "./details/dials.ts";
import { readFullSet } from "./details/full-set.ts";
import { quotePhrase } from "./details/names.ts";
import type { FieldSource } from "./extraction.ts";
import type { LinePart } from "./lines/line-part.ts";
import { addEvidence, dropEvidence, type ListingDraft } from "./listing-draft.ts";
import type { Segment } from "./segments/segment-draft.ts";

export function fillCondition(draft: ListingDraft): void {
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

function preferReading<
  Reading extends { readonly reading?: unknown; readonly isUndecided: boolean },
>(own: Reading, readAbove: () => Reading): Reading {
  return own.reading !== undefined || own.isUndecided ? own : readAbove();
}

export function fillFullSet(draft: ListingDraft): void {
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

export function fillLook(draft: ListingDraft): void {
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
