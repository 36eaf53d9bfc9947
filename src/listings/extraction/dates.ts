import { OTHER_DATE_WORDS } from "./catalogue/cue-words.ts";
import {
  type DateMention,
  type DateReading,
  isBesideMoney,
  isFollowedByMoney,
  isYear,
  joinedNumbers,
  makeDate,
  toMonth,
  toYear,
} from "./date-parts.ts";
import type { MessageDate } from "./extraction.ts";
import { claim, endsReference, isFree, type Line, phraseAt, phraseEndingAt } from "./line.ts";
import { monthNameDate, newCardDate } from "./named-dates.ts";
import type { Span } from "./span.ts";
import type { Token } from "./tokens.ts";

export function findDates(line: Line, today: MessageDate | undefined): DateMention[] {
  const dates: DateMention[] = [];
  let at = 0;
  while (at < line.tokens.length) {
    const date = isFree(line, at) ? readDate(line, at, today) : undefined;
    if (date === undefined) {
      at += 1;
      continue;
    }
    const open = extendToRange(line, date);
    const { from, to, year, month, isNew, isRange } = open;
    dates.push({
      from,
      to,
      year,
      month,
      isNew,
      isRange,
      isOtherEvent: isDateOfOtherEvent(line, open),
    });
    claim(line, open.from, open.to);
    at = open.to;
  }
  return dates;
}

function readDate(line: Line, at: number, today: MessageDate | undefined): DateReading | undefined {
  const token = line.tokens[at];
  if (token === undefined) return undefined;
  if (token.kind === "letters") return newCardDate(line, at) ?? monthNameDate(line, at);
  if (token.kind === "symbol")
    return token.word === "'" ? apostropheYear(line, at, today) : undefined;
  return numericDate(line, at, today);
}

function apostropheYear(
  line: Line,
  at: number,
  today: MessageDate | undefined,
): DateReading | undefined {
  const digits = line.tokens[at + 1];
  const before = line.tokens[at - 1];
  if (digits?.kind !== "digits" || !digits.isGlued || digits.text.length !== 2) return undefined;
  if (before?.kind === "digits" && line.tokens[at]?.isGlued === true) return undefined;
  const year = toYear(digits, today);
  return year === undefined ? undefined : makeDate({ from: at, to: at + 2 }, { year });
}

function numericDate(
  line: Line,
  at: number,
  today: MessageDate | undefined,
): DateReading | undefined {
  const first = line.tokens[at];
  if (first === undefined || first.text.length > 4) return undefined;
  return (
    threePartDate(line, at) ??
    twoPartDate(line, at, today) ??
    (first.text.length === 4 ? fourDigitYear(line, at) : shortYear(line, at, today))
  );
}

/** "8/6/2023", "23.05.25": the last part is the year; day and month cannot always be told apart. */
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
  const span = { from: at, to: at + 3 };
  const sign = line.tokens[at + 1];
  const first = line.tokens[at];
  if (first?.text.length === 4) {
    const month = line.tokens[at + 2];
    if (sign?.word === "." && month?.word === "n" && isYear(first)) {
      const digits = line.tokens[at + 3];
      const value = digits === undefined ? undefined : toMonth(digits);
      if (value !== undefined)
        return makeDate(
          { from: at, to: at + 4 },
          { year: Number(first.text), month: value, isNew: true },
        );
    }
  }
  const parts = joinedNumbers(line, at, 2);
  const [a, b] = parts ?? [];
  if (a === undefined || b === undefined) return undefined;
  if (a.text.length === 4 && isYear(a)) {
    return isFollowedByMoney(line, at + 2) ? undefined : yearFirst({ a, b, span });
  }
  if (a.text.length > 2) return undefined;
  if (b.text.length === 4) {
    const month = toMonth(a);
    return month !== undefined && isYear(b)
      ? makeDate(span, { year: Number(b.text), month })
      : undefined;
  }
  if (isFollowedByMoney(line, at + 2)) return undefined;
  // "11.5" is a number of links or an amount; a date with a dot has two digits after it and no price terms.
  if (b.text.length !== 2 && a.text.length !== 2) return undefined;
  if (sign?.word === "." && (b.text.length !== 2 || isBesideMoney(line, at))) return undefined;
  return monthAndShortYear({ a, b, span }, today);
}

function yearFirst(pair: { a: Token; b: Token; span: Span }): DateReading | undefined {
  const year = Number(pair.a.text);
  if (pair.b.text.length === 4)
    return isYear(pair.b) ? makeDate(pair.span, { isRange: true }) : undefined;
  const month = toMonth(pair.b);
  if (month !== undefined) return makeDate(pair.span, { year, month });
  // "2024/25" spans two years.
  return Number(pair.b.text) === (year + 1) % 100
    ? makeDate(pair.span, { isRange: true })
    : undefined;
}

/** "07/25" is a month and a year; "25/11", as Hong Kong writes it, a year and a month. */
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
  const before = line.tokens[at - 1];
  if (before?.word === "$" || before?.word === "\u20AC" || before?.word === "\u00A3")
    return undefined;
  const from = before?.word === "y" ? at - 1 : at;
  return makeDate({ from, to: skipYearWord(line, at + 1) }, { year: Number(token.text) });
}

/** "23Y", "09yr": two digits are a year when a year word says so. */
function shortYear(
  line: Line,
  at: number,
  today: MessageDate | undefined,
): DateReading | undefined {
  const token = line.tokens[at];
  if (token?.text.length !== 2) return undefined;
  const word = line.tokens[at + 1];
  const isNamed = word?.kind === "letters" && YEAR_WORD.test(word.word);
  if (!isNamed) return bareShortYear(line, at, today);
  const year = toYear(token, today);
  return year === undefined ? undefined : makeDate({ from: at, to: at + 2 }, { year });
}

/** "Fresh 26", "used 21 full set": two digits alone are a year beside a state, a set or a card, not after today. */
function bareShortYear(
  line: Line,
  at: number,
  today: MessageDate | undefined,
): DateReading | undefined {
  const [token, next] = [line.tokens[at], line.tokens[at + 1]];
  if (token === undefined || today === undefined || token.isGlued || next?.isGlued === true)
    return undefined;
  if (Number(token.text) > today.year % 100 || isSpaceGrouped(line, at)) return undefined;
  const isBeside = phraseEndingAt(line, at) ?? phraseAt(line, at + 1);
  const meaning = isBeside?.meaning;
  const counts =
    meaning?.kind === "condition" ||
    meaning?.kind === "set" ||
    (meaning?.kind === "cue" && (meaning.cue === "card" || meaning.cue === "year_word"));
  return counts || isYearBeforeAsk(line, at)
    ? makeDate({ from: at, to: at + 1 }, { year: 2000 + Number(token.text) })
    : undefined;
}

/** "14 900 €": a blank before three digits groups them. */
function isSpaceGrouped(line: Line, at: number): boolean {
  const [next, after] = [line.tokens[at + 1], line.tokens[at + 2]];
  if (next?.kind !== "digits" || next.text.length !== 3) return false;
  return (
    after === undefined ||
    /^[$\u20AC\u00A3]$/.test(after.word) ||
    phraseAt(line, at + 2)?.meaning.kind === "currency"
  );
}

/** "126300 blue jub 22 8.9k": behind what was said of the look, right before the ask. */
function isYearBeforeAsk(line: Line, at: number): boolean {
  const kind = phraseEndingAt(line, at)?.meaning.kind;
  const isBehindLook = kind === "dial" || kind === "bracelet" || endsReference(line, at);
  if (!isBehindLook) return false;
  const next = line.tokens[at + 1];
  return (
    next?.kind === "digits" ||
    next?.word === "$" ||
    phraseAt(line, at + 1)?.meaning.kind === "currency"
  );
}

const YEAR_WORD = /^(y|yr|yrs|year|jahr|\u5E74)$/;

function skipYearWord(line: Line, at: number): number {
  const word = line.tokens[at]?.word ?? "";
  return /^(y|yr|yrs|year|\u5E74)$/.test(word) ? at + 1 : at;
}

function extendToRange(line: Line, date: DateReading): DateReading {
  let to = date.to;
  const next = line.tokens[to];
  const isPlus = next?.word === "+" && (next.isGlued || line.tokens[to + 1] === undefined);
  if (isPlus && !isSaleTerm(line, to + 1))
    return makeDate({ from: date.from, to: to + 1 }, { ...date, isRange: true });
  // "2019 - 2021", "2019 to 2021".
  const sign = next?.word;
  const end = line.tokens[to + 1];
  if (
    date.year !== undefined &&
    (sign === "-" || sign === "to" || sign === "or") &&
    end?.kind === "digits" &&
    isYear(end)
  ) {
    to += 2;
    return makeDate({ from: date.from, to }, { ...date, isRange: true });
  }
  return date;
}

/** "N3/26 + label" is a price term after a date, not an open range. */
function isSaleTerm(line: Line, at: number): boolean {
  const meaning = phraseAt(line, at)?.meaning;
  return meaning?.kind === "cue" && meaning.cue === "label";
}

/** "Polished by the house in 2024": so many words and signs may stand between. */
const OTHER_DATE_GAP_MAX = 4;

function isDateOfOtherEvent(line: Line, date: DateReading): boolean {
  for (let at = date.from - 1; at >= 0 && at >= date.from - OTHER_DATE_GAP_MAX; at -= 1) {
    const word = line.tokens[at]?.word ?? "";
    if (/^[,;|/]$/.test(word)) return false;
    // "Needs service, 2009" still awaits it: the year is the watch's.
    if (word === "polished" && /^(by|in|at)$/.test(line.tokens[at + 1]?.word ?? "")) return true;
    if (OTHER_DATE_WORDS.has(word)) return !/^(needs?|no)$/.test(line.tokens[at - 1]?.word ?? "");
  }
  return false;
}
