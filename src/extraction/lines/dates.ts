/**
 * Finds the card or production dates of a line.
 *
 * Idea: try every notation at each free token, the longest first: three numbers, two numbers, one number. A number that
 * a unit or currency makes an amount is never a date. Dates of a service or a launch are kept, but flagged with
 * `isOtherEvent`; ranges with `isRange`. `listing/date.ts` then picks the date of each watch.
 * Invariant: a date claims its tokens, so the price reader does not see them.
 *
 * Example: "126334 07/25, serviced 2018, 2019-2021" gives 2025/7, 2018 (other event), and a range without a year.
 */
import type { MessageDate } from "../extraction.ts";
import { isLineEnd, type Span, type Token, tokenAt } from "../text/token.ts";
import { isA } from "../words/words.ts";
import {
  type DateReading,
  isBesideMoney,
  isDateSeparator,
  isFollowedByMoney,
  isYear,
  joinedNumbers,
  makeDate,
  toMonth,
  toYear,
} from "./date-parts.ts";
import { claim, isBehindDescription, isFree, type Line, phraseAt } from "./line.ts";
import type { DateMention } from "./line-reading.ts";
import { apostropheYear, monthNameDate, newCardDate, shortYear } from "./worded-dates.ts";

export function findDates(line: Line, today: MessageDate | undefined): DateMention[] {
  const dates: DateMention[] = [];
  let at = 0;
  while (at < line.tokens.length) {
    const date = isFree(line, at) ? readDate(line, at, today) : undefined;
    if (date === undefined || isDottedAsk(line, date, dates)) {
      at += 1;
      continue;
    }
    const extended = extendToRange(line, date);
    const { from, to, year, month, isNew, isRange } = extended;
    dates.push({
      from,
      to,
      year,
      month,
      isNew,
      isRange,
      isOtherEvent: isDateOfOtherEvent(line, extended),
    });
    claim(line, from, to);
    at = to;
  }
  return dates;
}

/**
 * "2023 full set 11.95": behind the year of the watch and what describes it, two numbers with a dot at the end of the line
 * are its ask. In "2024 card 11.24" and "2025 new 03.25" they are the month of the card.
 */
function isDottedAsk(line: Line, date: DateReading, before: readonly DateMention[]): boolean {
  const { from, to } = date;
  if (to !== from + 3 || line.tokens[from + 1]?.word !== "." || line.references.length > 1)
    return false;
  return (
    isLineEnd(line.tokens, to) &&
    !line.tokens[from]?.text.startsWith("0") &&
    isBehindDescription(line, from) &&
    before.some(({ year, isOtherEvent }) => year !== undefined && !isOtherEvent) &&
    !before.some(({ year }) => year === date.year) &&
    !isDateOfOtherEvent(line, date)
  );
}

function readDate(line: Line, at: number, today: MessageDate | undefined): DateReading | undefined {
  const token = line.tokens[at];
  if (token === undefined) return undefined;
  if (token.kind === "letters") return newCardDate(line, at) ?? monthNameDate(line, at);
  if (token.kind === "symbol")
    return token.word === "'" ? apostropheYear(line, at, today) : undefined;
  return numericDate(line, at, today);
}

function numericDate(
  line: Line,
  at: number,
  today: MessageDate | undefined,
): DateReading | undefined {
  const first = line.tokens[at];
  if (first === undefined || first.text.length > 4) return undefined;
  const joint = line.tokens[at + 1];
  const isJoined = joint?.isGlued === true && isDateSeparator(joint);
  return (
    (isJoined ? (threePartDate(line, at) ?? twoPartDate(line, at, today)) : undefined) ??
    (first.text.length === 4 ? fourDigitYear(line, at) : shortYear(line, at, today))
  );
}

/** "8/6/2023", "23.05.25": the last number is the year. If day and month could be swapped, the month stays unknown. */
function threePartDate(line: Line, at: number): DateReading | undefined {
  const parts = joinedNumbers(line, at, 3);
  if (parts === undefined) return undefined;
  const [a, b, c] = parts;
  if (a === undefined || b === undefined || c === undefined) return undefined;
  if (a.text.length > 2 || b.text.length > 2 || c.text.length === 1 || c.text.length === 3)
    return undefined;
  const [first, second, year] = [Number(a.text), Number(b.text), toYear(c)];
  if (year === undefined || first === 0 || second === 0 || first > 31 || second > 31)
    return undefined;
  if (first > 12 && second > 12) return undefined;
  const month = first > 12 ? second : second > 12 ? first : first === second ? first : undefined;
  return makeDate({ from: at, to: at + 5 }, { year, month });
}

function twoPartDate(
  line: Line,
  at: number,
  today: MessageDate | undefined,
): DateReading | undefined {
  const newCard = yearThenNewCard(line, at, today);
  if (newCard !== undefined) return newCard;
  const [a, b] = joinedNumbers(line, at, 2) ?? [];
  if (a === undefined || b === undefined) return undefined;
  const span = { from: at, to: at + 3 };
  if (a.text.length === 4 && isYear(a))
    return isFollowedByMoney(line, at + 2) ? undefined : yearFirst({ a, b, span });
  if (a.text.length > 2) return undefined;
  if (b.text.length === 4) return isYear(b) ? monthAndYear({ a, b, span }, today) : undefined;
  if (isFollowedByMoney(line, at + 2)) return undefined;
  // "11.5" is a number of links or an amount. A date with a dot has two digits after it and no price terms.
  if (b.text.length !== 2 && a.text.length !== 2) return undefined;
  const hasDot = line.tokens[at + 1]?.word === ".";
  if (hasDot && (b.text.length !== 2 || isBesideMoney(line, at))) return undefined;
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
  if (line.tokens[at + 2]?.word !== "n") return undefined;
  const [year, separator, , digits] = line.tokens.slice(at, at + 4);
  if (year === undefined || separator?.isGlued !== true) return undefined;
  const value = isDateSeparator(separator) ? toYear(year, today) : undefined;
  const month = digits === undefined ? undefined : toMonth(digits);
  if (month === undefined || value === undefined) return undefined;
  return makeDate({ from: at, to: at + 4 }, { year: value, month, isNew: true });
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
  if (token === undefined || !isYear(token) || isFollowedByMoney(line, at)) return undefined;
  // "1970s" is a decade.
  const next = line.tokens[at + 1];
  if (next?.isGlued === true && next.word === "s") return undefined;
  const before = tokenAt(line.tokens, at - 1);
  if (before?.word === "$" || before?.word === "\u20AC" || before?.word === "\u00A3")
    return undefined;
  const from = before?.word === "y" ? at - 1 : at;
  return makeDate({ from, to: skipYearWord(line, at + 1) }, { year: Number(token.text) });
}

function skipYearWord(line: Line, at: number): number {
  const word = line.tokens[at]?.word ?? "";
  return /^(y|yr|yrs|year|\u5E74)$/.test(word) ? at + 1 : at;
}

/** "2023+", "2019 - 2021", "2019 to 2021": makes the date a range if a plus or a second year follows. */
function extendToRange(line: Line, date: DateReading): DateReading {
  const { to } = date;
  const next = line.tokens[to];
  // "2022+white tag": a plus that joins two words is no range.
  const joinsWords = next?.isGlued === true && line.tokens[to + 1]?.isGlued === true;
  const isPlus =
    next?.word === "+" && !joinsWords && (next.isGlued || line.tokens[to + 1] === undefined);
  if (isPlus && !isSaleTerm(line, to + 1))
    return makeDate({ from: date.from, to: to + 1 }, { ...date, isRange: true });
  const isFrom = /^(ab|vanaf|desde|post|after|min|minimum)$/.test(
    tokenAt(line.tokens, date.from - 1)?.word ?? "",
  );
  if (isFrom && date.year !== undefined) return makeDate(date, { ...date, isRange: true });
  // "2022 or newer".
  const isOpen =
    /^(or|and|&|und|oder)$/.test(next?.word ?? "") &&
    /^(newer|later|up|above|younger|neuer|onwards?)$/.test(line.tokens[to + 1]?.word ?? "");
  if (isOpen) return makeDate({ from: date.from, to: to + 2 }, { ...date, isRange: true });
  const lastYear = line.tokens[to + 1];
  const isYearRange =
    date.year !== undefined &&
    /^(-|to|or)$/.test(next?.word ?? "") &&
    lastYear?.kind === "digits" &&
    isYear(lastYear);
  return isYearRange ? makeDate({ from: date.from, to: to + 2 }, { ...date, isRange: true }) : date;
}

/** "N3/26 + label": the plus adds a shipping label to the price. It does not make the date a range. */
function isSaleTerm(line: Line, at: number): boolean {
  const meaning = phraseAt(line, at)?.meaning;
  return meaning?.kind === "cue" && meaning.cue === "label";
}

/** Tokens between the event and its date, as in "polished by AP in 2024". */
const OTHER_DATE_GAP_MAX = 4;

/** Returns true if the date belongs to a service, a certificate or a launch, by the words before it. */
function isDateOfOtherEvent(line: Line, date: DateReading): boolean {
  for (let at = date.from - 1; at >= 0 && at >= date.from - OTHER_DATE_GAP_MAX; at -= 1) {
    const word = line.tokens[at]?.word ?? "";
    if (/^[,;|/]$/.test(word)) break;
    if (word === "polished" && /^(by|in|at)$/.test(line.tokens[at + 1]?.word ?? "")) return true;
    // "Needs service 2009": the service has not happened. "Scratch on clasp 07/2025": the clasp has no date.
    // "33bis" is a model.
    if (isA(line.tokens[at], "other_event") && line.tokens[at]?.isGlued !== true)
      return !/^(needs?|no|on|of|the)$/.test(tokenAt(line.tokens, at - 1)?.word ?? "");
  }
  return isBeforeServicePapers(line, date.to, (date.year ?? OLD_YEAR_MAX) < OLD_YEAR_MAX);
}

/** Tokens between the date and the papers, as in "2022 AP service report". */
const SERVICE_GAP_MAX = 3;

/** A year before this is that of the watch. */
const OLD_YEAR_MAX = 2012;

const SERVICE_PAPERS: ReadonlySet<string> = new Set(
  "papers paper report card cards invoice receipt record records certificate cert document documents warranty guarantee".split(
    " ",
  ),
);

/** "2021 Service Papers", "2022 AP service report", "2023 extract": the papers of another event. */
function isBeforeServicePapers(line: Line, at: number, isOld: boolean): boolean {
  for (let next = at; next < at + SERVICE_GAP_MAX; next += 1) {
    if (line.tokens[next]?.kind !== "letters") return false;
    const word = line.tokens[next]?.word ?? "";
    // The extract of an old watch is new, so an old year is that of the watch.
    if (/^(extract|archives?)$/.test(word)) return !isOld;
    if (/^(services?|servicing|svc|cpo)$/.test(word)) {
      const thing = line.tokens[next + 1]?.word ?? "";
      return SERVICE_PAPERS.has(thing) || (word !== "cpo" && thing === ")");
    }
  }
  return false;
}
