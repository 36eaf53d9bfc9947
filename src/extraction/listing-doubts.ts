import { isProse } from "./details/talk.ts";
import type { FieldSource, ListingField } from "./extraction.ts";
import { within } from "./lines/span.ts";
import type { ListingDraft } from "./listing-draft.ts";

type Sources = Readonly<Partial<Record<ListingField, FieldSource>>>;

/** Adds the doubts about everything but the price: the watch, its year, and the kind of text. */
export function addDoubts(draft: ListingDraft, sources: Sources): void {
  addWatchDoubts(draft);
  if (draft.fields.year !== undefined) addYearDoubts(draft, sources);
  addTextDoubts(draft, sources);
}

function addWatchDoubts({ segment, isModelUnknown, doubts }: ListingDraft): void {
  if (segment.reference === undefined) doubts.push("reference_missing");
  else if (!segment.reference.isKnown) doubts.push("reference_unknown");
  if (segment.reference === undefined && isModelUnknown) doubts.push("model_unknown");
}

function addYearDoubts({ evidence, segment, doubts }: ListingDraft, sources: Sources): void {
  const words = evidence.find(({ field }) => field === "year")?.words ?? "";
  if (/^\D*\d{1,2}$/.test(words)) doubts.push("year_short");
  if (sources.year === "section") doubts.push("year_of_section");
  let dateCount = 0;
  for (const part of segment.parts) dateCount += within(part.reading.dates, part).length;
  if (dateCount > 1) doubts.push("several_dates");
}

function addTextDoubts({ segment, fields, leftOut, doubts }: ListingDraft, sources: Sources): void {
  const reading = segment.parts[0]?.reading;
  if (reading !== undefined && isProse(reading)) doubts.push("prose");
  if (sources.side === "default" && fields.price === undefined)
    doubts.push(isDescribed(fields) ? "ask_missing" : "not_offered_clearly");
  if (leftOut.length > 0) doubts.push("value_left_out");
  if (segment.ordinal > 0) doubts.push("shared_line");
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
