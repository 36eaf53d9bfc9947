import type { LeftOut, MessageDate, Quote } from "../extraction.ts";
import { YEAR_MAX } from "../lines/date-parts.ts";
import { type DateMention, type LinePart, NO_QUOTE, quoteTokens } from "../lines/line-reading.ts";
import { within } from "../text/token.ts";
import { addEvidence, type ListingDraft } from "./listing-draft.ts";

interface DateChoice {
  readonly year: number | undefined;
  readonly month: number | undefined;
  /** The words that give the year, the month, and N for new. Undefined if the date is not written with N. */
  readonly yearQuote: Quote;
  readonly monthQuote: Quote;
  readonly newQuote: Quote | undefined;
  readonly leftOut: readonly LeftOut[];
}

/** Takes year and month: those of the watch's own text, else those of the text that it shares with others. */
export function fillDate(draft: ListingDraft): void {
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

/** Picks the date of one watch: the first possible one. Dates of other events do not count, and ranges rarely do. */
function chooseDate(
  parts: readonly LinePart[],
  today: MessageDate | undefined,
  launchedYear: number | undefined,
): DateChoice {
  if (parts.every(({ reading }) => reading.dates.length === 0)) return NO_DATE;
  const found: ResolvedDate[] = [];
  const leftOut: LeftOut[] = [];
  let newQuote: Quote | undefined;
  for (const part of parts) {
    for (const date of within(part.reading.dates, part)) {
      if (date.isOtherEvent) continue;
      const quote = quoteTokens(part.reading.line, date);
      if (date.isNew) newQuote ??= quote;
      const resolved = resolveDate(date, quote, today);
      if (resolved === undefined) continue;
      const problem = findProblem(resolved, today, launchedYear);
      if (problem === undefined) found.push(resolved);
      else leftOut.push({ field: "year", reason: problem, ...quote });
    }
  }
  const { year, month, yearQuote, monthQuote } = mergeDates(found);
  const left = found.length === 0 ? leftOut : [];
  return { year, month, yearQuote, monthQuote, newQuote, leftOut: left };
}

/** Most texts have no date, and need no search. */
const NO_DATE: DateChoice = {
  year: undefined,
  month: undefined,
  yearQuote: NO_QUOTE,
  monthQuote: NO_QUOTE,
  newQuote: undefined,
  leftOut: [],
};

interface ResolvedDate {
  readonly year: number | undefined;
  readonly month: number | undefined;
  /** The year is not written. It was derived from the date of the message. */
  readonly isInferred: boolean;
  readonly quote: Quote;
}

/** Takes the first date. If its year or month is missing, takes it from a date that fits: "N8 or N9 2024", "2025 N10". */
function mergeDates(
  found: readonly ResolvedDate[],
): Pick<DateChoice, "year" | "month" | "yearQuote" | "monthQuote"> {
  const first = found[0];
  if (first === undefined)
    return { year: undefined, month: undefined, yearQuote: NO_QUOTE, monthQuote: NO_QUOTE };
  const dated =
    first.isInferred || first.year === undefined
      ? found.find(({ year, isInferred }) => year !== undefined && !isInferred)
      : first;
  const { year, quote: yearQuote } = dated ?? first;
  const withMonth =
    first.month !== undefined
      ? first
      : found.find(
          (date) =>
            date.month !== undefined &&
            (date.year === year || date.isInferred || date.year === undefined),
        );
  return {
    year,
    month: withMonth?.month,
    yearQuote,
    monthQuote: withMonth?.quote ?? NO_QUOTE,
  };
}

/** Adds the year to a month alone. A range has a year only if no other is possible: "2026/2+" in March 2026. */
function resolveDate(
  date: DateMention,
  quote: Quote,
  today: MessageDate | undefined,
): ResolvedDate | undefined {
  const { year, month } = date;
  if (date.isRange) {
    const isThisYear = year !== undefined && year === today?.year;
    return isThisYear ? { year, month: undefined, isInferred: false, quote } : undefined;
  }
  if (year !== undefined || month === undefined || today === undefined)
    return { year, month, isInferred: false, quote };
  return { year: latestYearWithMonth(month, today), month, isInferred: true, quote };
}

function findProblem(
  date: ResolvedDate,
  today: MessageDate | undefined,
  launchedYear: number | undefined,
): LeftOut["reason"] | undefined {
  if (date.year === undefined) return undefined;
  const { year, month } = date;
  if (!isPossible(year, month, today)) return "date_in_future";
  return launchedYear !== undefined && year < launchedYear ? "date_before_launch" : undefined;
}

/** Returns true if a card could have this date when the message was written. */
function isPossible(
  year: number,
  month: number | undefined,
  today: MessageDate | undefined,
): boolean {
  if (today === undefined) return year <= YEAR_MAX;
  if (year !== today.year) return year < today.year;
  return month === undefined || month <= today.month;
}

/** "N11" read in August is November of the year before. */
function latestYearWithMonth(month: number, today: MessageDate): number {
  return month <= today.month ? today.year : today.year - 1;
}
