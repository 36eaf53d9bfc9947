import type { Doubt } from "./details/confidence.ts";
import { isProse } from "./details/talk.ts";
import type { FieldSource, ListingField } from "./extraction.ts";
import { within } from "./lines/span.ts";
import type { ListingDraft } from "./listing-draft.ts";

/** Returns the doubts about everything but the price: the watch, its year, and the kind of text. */
export function listDoubts(
  draft: ListingDraft,
  sources: Readonly<Partial<Record<ListingField, FieldSource>>>,
): Doubt[] {
  return [...watchDoubts(draft), ...yearDoubts(draft, sources), ...textDoubts(draft, sources)];
}

function watchDoubts({ segment, isModelUnknown }: ListingDraft): Doubt[] {
  if (segment.reference !== undefined)
    return segment.reference.isKnown ? [] : ["reference_unknown"];
  return isModelUnknown ? ["reference_missing", "model_unknown"] : ["reference_missing"];
}

function yearDoubts(
  { fields, evidence, segment }: ListingDraft,
  sources: Readonly<Partial<Record<ListingField, FieldSource>>>,
): Doubt[] {
  if (fields.year === undefined) return [];
  const doubts: Doubt[] = [];
  const words = evidence.find(({ field }) => field === "year")?.words ?? "";
  if (/^\D*\d{1,2}$/.test(words)) doubts.push("year_short");
  if (sources.year === "section") doubts.push("year_of_section");
  const dates = segment.parts.flatMap((part) => within(part.reading.dates, part));
  if (dates.length > 1) doubts.push("several_dates");
  return doubts;
}

function textDoubts(
  { segment, fields, leftOut }: ListingDraft,
  sources: Readonly<Partial<Record<ListingField, FieldSource>>>,
): Doubt[] {
  const doubts: Doubt[] = [];
  const reading = segment.parts[0]?.reading;
  if (reading !== undefined && isProse(reading)) doubts.push("prose");
  if (sources.side === "default" && fields.price === undefined)
    doubts.push(isDescribed(fields) ? "ask_missing" : "not_offered_clearly");
  if (leftOut.length > 0) doubts.push("value_left_out");
  if (segment.ordinal > 0) doubts.push("shared_line");
  return doubts;
}

function isDescribed({
  year,
  cardMonth,
  condition,
  fullSetStatus,
  dialType,
}: ListingDraft["fields"]): boolean {
  return [year, cardMonth, condition, fullSetStatus, dialType].some((value) => value !== undefined);
}
