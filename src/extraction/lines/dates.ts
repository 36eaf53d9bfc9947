/**
 * Proposes the card or production dates of a line.
 *
 * Idea: every notation that fits a token is proposed: three numbers, two numbers, one number. `numbers.ts` takes the ones that
 * fit together best with the amounts. Dates of a service or a launch are kept, but flagged with `isOtherEvent`; ranges with
 * `isRange`. `listing/date.ts` then picks the date of each watch.
 *
 * Example: "126334 07/25, serviced 2018, 2019-2021" gives 2025/7, 2018 (other event), and a range without a year.
 */
import type { MessageDate } from "../extraction.ts";
import { isSign, type Span, type Token, tokenAt } from "../text/token.ts";
import type { NumberFact } from "../weights/weights.ts";
import { isA } from "../words/words.ts";
import { type Candidate, propose } from "./candidates.ts";
import {
  apostropheYear,
  type DateReading,
  isDateSeparator,
  isYear,
  joinedNumbers,
  makeDate,
  monthNameDate,
  newCardDates,
  shortYear,
  toMonth,
  toYear,
} from "./date-parts.ts";
import { type Line, phraseAt } from "./line.ts";
import type { DateMention } from "./line-reading.ts";

interface DateContext {
  readonly today: MessageDate | undefined;
  readonly found: Candidate[];
}

/** Proposes the dates that start at token `at`. */
export function proposeDates(line: Line, at: number, context: DateContext): void {
  const token = line.tokens[at];
  if (token === undefined) return;
  const { today, found } = context;
  if (token.kind === "digits") {
    proposeNumericDates(line, at, context);
  } else if (token.word === "n") {
    for (const date of newCardDates(line, at))
      add(line, date, { found, fact: date.year === undefined ? "new_card" : "new_card_with_year" });
  } else if (token.word === "'") {
    add(line, apostropheYear(line, at, today), { found, fact: "short_year" });
  } else if (phraseAt(line, at)?.meaning.kind === "month") {
    const date = monthNameDate(line, at);
    add(line, date, { found, fact: date?.year === undefined ? "month_alone" : "month_name" });
  }
}

function proposeNumericDates(line: Line, at: number, { today, found }: DateContext): void {
  const [token, joint, last] = [line.tokens[at], line.tokens[at + 1], line.tokens[at + 2]];
  if (token === undefined || token.text.length > 4) return;
  if (joint?.isGlued === true && isDateSeparator(joint)) {
    add(line, threePartDate(line, at), { found, fact: "three_parts" });
    add(line, yearThenNewCard(line, at, today), { found, fact: "new_card_with_year" });
    const isDotted = joint.word === "." && last?.text.length !== 4;
    const fact = isDotted ? "month_and_year_dotted" : "month_and_year";
    add(line, twoPartDate(line, at, today), { found, fact });
  }
  if (token.text.length === 4) add(line, fourDigitYear(line, at), { found, fact: "year" });
  else if (token.text.length === 2)
    add(line, shortYear(line, at, today), { found, fact: "short_year" });
}

function add(
  line: Line,
  read: DateReading | undefined,
  { found, fact }: { readonly found: Candidate[]; readonly fact: NumberFact<"date"> },
): void {
  if (read === undefined) return;
  const date = extendToRange(line, read);
  propose(found, date, { kind: "date", facts: date.isRange ? [fact, "range"] : [fact], date });
}

/** Flags the dates that are not those of the watch or its card. */
export function flagOtherEvents(line: Line, dates: readonly DateReading[]): DateMention[] {
  return dates.map((date, index) => {
    const { from, to, year, month, isNew, isRange } = date;
    const isOtherEvent =
      isDateOfOtherEvent(line, date) || (index === 0 && isDayOfPosting(line, dates));
    return { from, to, year, month, isNew, isRange, isOtherEvent };
  });
}

/** "9/18 RM11-03 2021/05": two numbers right before the watch at the head of the line, and another date with a whole year. */
function isDayOfPosting({ tokens, references }: Line, dates: readonly DateReading[]): boolean {
  const [first, second] = dates;
  if (first === undefined || second === undefined || references[0]?.from !== first.to) return false;
  if (first.to !== first.from + 3 || tokens[first.to - 1]?.text.length !== 2) return false;
  return (
    first.from === 0 &&
    second.year !== undefined &&
    tokens.slice(second.from, second.to).some(isYear)
  );
}

/** "8/6/2023", "23.05.25": the last number is the year. If day and month could be swapped, the month stays unknown. */
function threePartDate(line: Line, at: number): DateReading | undefined {
  const [a, b, c] = joinedNumbers(line, at, 3) ?? [];
  if (a === undefined || b === undefined || c === undefined) return undefined;
  const [first, second, year] = [Number(a.text), Number(b.text), toYear(c)];
  if (year === undefined || Math.max(first, second) > 31 || Math.min(first, second) > 12)
    return undefined;
  const month = first > 12 ? second : second > 12 ? first : first === second ? first : undefined;
  return makeDate({ from: at, to: at + 5 }, { year, month });
}

const INCHES = '"\u201D\u2033';

function twoPartDate(
  line: Line,
  at: number,
  today: MessageDate | undefined,
): DateReading | undefined {
  const [a, b] = joinedNumbers(line, at, 2) ?? [];
  if (a === undefined || b === undefined) return undefined;
  const span = { from: at, to: at + 3 };
  // "sized for a 7.25\" wrist".
  if (isSign(line.tokens[at + 3], INCHES) || isA(line.tokens[at + 3], "inch")) return undefined;
  if (isYear(a)) return yearFirst({ a, b, span });
  if (a.text.length > 2) return undefined;
  if (b.text.length === 4) return isYear(b) ? monthAndYear({ a, b, span }, today) : undefined;
  // "11.5" is a number of links or an amount. A date with a dot has two digits after it.
  if (b.text.length !== 2 && (a.text.length !== 2 || line.tokens[at + 1]?.word === "."))
    return undefined;
  return monthAndShortYear({ a, b, span }, today);
}

/** "07/2025" is a month and a year. "24-2025" is a range of two years. */
function monthAndYear(
  pair: { readonly a: Token; readonly b: Token; readonly span: Span },
  today: MessageDate | undefined,
): DateReading | undefined {
  const month = toMonth(pair.a);
  if (month !== undefined) return makeDate(pair.span, { year: Number(pair.b.text), month });
  const first = toYear(pair.a, today);
  return first !== undefined && first < Number(pair.b.text)
    ? makeDate(pair.span, { isRange: true })
    : undefined;
}

/** "2025.N3", "25/N10": the year, then N with the month of the card. */
function yearThenNewCard(
  line: Line,
  at: number,
  today: MessageDate | undefined,
): DateReading | undefined {
  const [first, , letter, last] = line.tokens.slice(at, at + 4);
  if (first === undefined || last === undefined || letter?.word !== "n") return undefined;
  const [year, month] = [toYear(first, today), toMonth(last)];
  if (month === undefined || year === undefined) return undefined;
  return makeDate({ from: at, to: at + 4 }, { year, month, isNew: true });
}

function yearFirst(pair: { a: Token; b: Token; span: Span }): DateReading | undefined {
  const year = Number(pair.a.text);
  if (pair.b.text.length === 4)
    return isYear(pair.b) ? makeDate(pair.span, { isRange: true }) : undefined;
  const month = toMonth(pair.b);
  if (month !== undefined) return makeDate(pair.span, { year, month });
  // "2024/25" is a range of two years.
  return Number(pair.b.text) === (year + 1) % 100
    ? makeDate(pair.span, { isRange: true })
    : undefined;
}

/** "07/25" is a month and a year. "25/11", as dealers in Hong Kong write it, is a year and a month. */
function monthAndShortYear(
  pair: { readonly a: Token; readonly b: Token; readonly span: Span },
  today: MessageDate | undefined,
): DateReading | undefined {
  const { a, b, span } = pair;
  const month = toMonth(a);
  if (month !== undefined && b.text.length === 2) {
    const year = toYear(b, today);
    if (year !== undefined) return makeDate(span, { year, month });
  }
  const lateMonth = toMonth(b);
  const earlyYear = a.text.length === 2 ? toYear(a, today) : undefined;
  if (lateMonth !== undefined && earlyYear !== undefined && month === undefined) {
    return makeDate(span, { year: earlyYear, month: lateMonth });
  }
  return undefined;
}

function fourDigitYear(line: Line, at: number): DateReading | undefined {
  const token = line.tokens[at];
  if (token === undefined || !isYear(token)) return undefined;
  const to = isA(line.tokens[at + 1], "year") ? at + 2 : at + 1;
  return makeDate({ from: at, to }, { year: Number(token.text) });
}

function rangeTo(date: DateReading, to: number): DateReading {
  return makeDate({ from: date.from, to }, { ...date, isRange: true });
}

/** "2023+", "2019 - 2021", "2019 to 2021": makes the date a range if a plus or a second year follows. */
function extendToRange(line: Line, date: DateReading): DateReading {
  const { to } = date;
  const next = line.tokens[to];
  // "2022+white tag": a plus that joins two words is no range.
  const joinsWords = next?.isGlued === true && line.tokens[to + 1]?.isGlued === true;
  const isPlus =
    next?.word === "+" && !joinsWords && (next.isGlued || line.tokens[to + 1] === undefined);
  if (isPlus) return rangeTo(date, to + 1);
  const isFrom = isA(tokenAt(line.tokens, date.from - 1), "from_year");
  if (isFrom && date.year !== undefined) return rangeTo(date, to);
  // "2022 or newer".
  const isJoined = next?.word === "&" || isA(next, "or", "and");
  if (isJoined && isA(line.tokens[to + 1], "or_newer")) return rangeTo(date, to + 2);
  const lastYear = line.tokens[to + 1];
  const isYearRange =
    date.year !== undefined &&
    (next?.word === "-" || next?.word === "to" || isA(next, "or")) &&
    lastYear?.kind === "digits" &&
    isYear(lastYear);
  return isYearRange ? rangeTo(date, to + 2) : date;
}

/** Tokens between the event and its date, as in "polished by AP in 2024". */
const OTHER_DATE_GAP_MAX = 4;

/** Returns true if the date belongs to a service, a certificate or a launch, by the words before it. */
function isDateOfOtherEvent(line: Line, date: DateReading): boolean {
  for (let at = date.from - 1; at >= 0 && at >= date.from - OTHER_DATE_GAP_MAX; at -= 1) {
    const token = line.tokens[at];
    if (isSign(token, ",;|/")) break;
    if (token?.word === "polished" && isA(line.tokens[at + 1], "done_by")) return true;
    // "Needs service 2009": the service has not happened. "Scratch on clasp 07/2025": the clasp has no date.
    // "33bis" is a model.
    if (isA(token, "other_event", "service", "extract") && token?.isGlued !== true)
      return !isA(tokenAt(line.tokens, at - 1), "not_done", "the");
  }
  return isBeforeServicePapers(line, date.to, (date.year ?? OLD_YEAR_MAX) < OLD_YEAR_MAX);
}

/** Tokens between the date and the papers, as in "2022 AP service report". */
const SERVICE_GAP_MAX = 3;

/** A year before this is that of the watch. */
const OLD_YEAR_MAX = 2012;

/** "2021 Service Papers", "2022 AP service report", "2023 extract": the papers of another event. */
function isBeforeServicePapers(line: Line, at: number, isOld: boolean): boolean {
  for (let next = at; next < at + SERVICE_GAP_MAX; next += 1) {
    if (line.tokens[next]?.kind !== "letters") return false;
    const token = line.tokens[next];
    // The extract of an old watch is new, so an old year is that of the watch.
    if (isA(token, "extract")) return !isOld;
    if (isA(token, "service")) return isA(line.tokens[next + 1], "service_paper");
  }
  return false;
}
