/**
 * The parts of dates, and dates that something beside the digits makes dates: the letter N of a new card ("N3/26"), the name
 * of a month, a year word ("23y"), an apostrophe, or, for two bare digits, what describes the watch ("used 21 full set").
 */
import type { MessageDate } from "../extraction.ts";
import type { Meaning } from "../text/meaning.ts";
import { isSign, type Span, type Token, tokenAt, YEAR_LIKE } from "../text/token.ts";
import { isA } from "../words/words.ts";
import { endsReference, type Line, phraseAt, phraseEndingAt } from "./line.ts";
import type { DateMention } from "./line-reading.ts";

/** A date before the words around it are checked. */
export type DateReading = Omit<DateMention, "isOtherEvent">;

/** All dates are made here, so that they all have the same object shape, which V8 handles fastest. */
export function makeDate(
  span: Span,
  date: Partial<Pick<DateReading, "year" | "month" | "isNew" | "isRange">>,
): DateReading {
  const { year, month, isNew, isRange } = date;
  return {
    from: span.from,
    to: span.to,
    year,
    month,
    isNew: isNew === true,
    isRange: isRange === true,
  };
}

/** No wristwatch that dealers trade by year is older. */
const YEAR_MIN = 1920;
/** The latest possible year if the date of the message is unknown. */
export const YEAR_MAX = 2035;

/** Returns `count` numbers joined by the same date separator without spaces, or undefined. */
export function joinedNumbers(line: Line, at: number, count: number): Token[] | undefined {
  const parts: Token[] = [];
  const separator = line.tokens[at + 1]?.word;
  for (let next = at; next < at + 2 * count; next += 2) {
    const part = line.tokens[next];
    if (part?.kind !== "digits") return undefined;
    if (next > at && (!part.isGlued || line.tokens[next - 1]?.word !== separator)) return undefined;
    parts.push(part);
  }
  return parts;
}

export function isDateSeparator(token: Token): boolean {
  return token.word === "/" || token.word === "-" || token.word === ".";
}

export function toMonth(token: Token): number | undefined {
  const month = Number(token.text);
  return token.kind === "digits" && token.text.length <= 2 && month >= 1 && month <= 12
    ? month
    : undefined;
}

/** Reads four or two digits. Two digits up to next year are in this century; from 50 on they are in the last one. */
export function toYear(token: Token, today?: MessageDate): number | undefined {
  if (token.text.length === 4) return isYear(token) ? Number(token.text) : undefined;
  if (token.text.length !== 2) return undefined;
  const value = Number(token.text);
  const latest = (today?.year ?? YEAR_MAX) % 100;
  if (value <= latest + 1) return 2000 + value;
  return value >= 50 ? 1900 + value : undefined;
}

export function isYear(token: Token): boolean {
  const value = Number(token.text);
  return value >= YEAR_MIN && value <= 2049;
}

/** "N3", "N3/26", "N12 2025": a new watch with a card of that month. With a year, both readings are possible. */
export function newCardDates(line: Line, at: number): readonly DateReading[] {
  const [digits, separator, after] = line.tokens.slice(at + 1, at + 4);
  if (digits?.kind !== "digits") return NO_DATES;
  // "N 5/2026": after a space only a month with its year is a date.
  if (!digits.isGlued && !isSign(separator, "/.-")) return NO_DATES;
  const month = toMonth(digits);
  if (month === undefined) return NO_DATES;
  const alone = makeDate({ from: at, to: at + 2 }, { month, isNew: true });
  // "N3+ 2026": March or later, so the year is known and the month is not.
  if (separator?.word === "+" && after?.kind === "digits" && isYear(after))
    return [makeDate({ from: at, to: at + 4 }, { year: Number(after.text), isNew: true })];
  if (separator !== undefined && isDateSeparator(separator) && after?.kind === "digits") {
    const year = toYear(after);
    if (year !== undefined)
      return [makeDate({ from: at, to: at + 4 }, { year, month, isNew: true }), alone];
  }
  if (separator?.kind === "digits" && YEAR_LIKE.test(separator.text)) {
    const year = Number(separator.text);
    return [makeDate({ from: at, to: at + 3 }, { year, month, isNew: true }), alone];
  }
  return [alone];
}

const NO_DATES: readonly DateReading[] = [];

/** "Dec 2025", "Jan. '24", "May 23, 2025". */
export function monthNameDate(line: Line, at: number): DateReading | undefined {
  const phrase = phraseAt(line, at);
  if (phrase?.meaning.kind !== "month") return undefined;
  const month = phrase.meaning.month;
  let next = phrase.to;
  while (isSign(line.tokens[next], ".,'/-") || line.tokens[next]?.word === "of") next += 1;
  const digits = line.tokens[next];
  // "July cards": a month without a year.
  if (isCard(phraseAt(line, next)?.meaning))
    return makeDate({ from: at, to: phrase.to }, { month });
  if (digits?.kind !== "digits") return undefined;
  // The first number is the day if a whole year is behind it.
  const last = line.tokens[next + 1]?.word === "," ? next + 2 : next + 1;
  const isDay = YEAR_LIKE.test(line.tokens[last]?.text ?? "") && digits.text.length <= 2;
  const year = toYear((isDay ? line.tokens[last] : undefined) ?? digits);
  if (year === undefined) return undefined;
  return makeDate({ from: at, to: isDay ? last + 1 : next + 1 }, { year, month });
}

function isCard(meaning: Meaning | undefined): boolean {
  return meaning?.kind === "cue" && meaning.cue === "card";
}

/** Reads two digits as a year. "23Y", "09yr": a year word makes them one. */
export function shortYear(
  line: Line,
  at: number,
  today: MessageDate | undefined,
): DateReading | undefined {
  const token = line.tokens[at];
  if (token?.text.length !== 2) return undefined;
  if (!isA(line.tokens[at + 1], "year")) return bareShortYear(line, at, today);
  const year = toYear(token, today);
  return year === undefined ? undefined : makeDate({ from: at, to: at + 2 }, { year });
}

/** "Fresh 26", "used 21 full set": two digits next to a condition, set, card or year word, and not in the future. */
function bareShortYear(
  line: Line,
  at: number,
  today: MessageDate | undefined,
): DateReading | undefined {
  const [token, next] = [line.tokens[at], line.tokens[at + 1]];
  if (token === undefined || today === undefined || token.isGlued) return undefined;
  // "21," ends with a comma, "12,5k" is an amount.
  const isBeforeComma = next?.word === "," && line.tokens[at + 2]?.isGlued !== true;
  if (next?.isGlued === true && !isBeforeComma) return undefined;
  if (Number(token.text) > today.year % 100) return undefined;
  const isBesideDescription =
    isBesideYear(phraseEndingAt(line, at)?.meaning) ||
    isBesideYear(phraseAt(line, at + 1)?.meaning);
  return isBesideDescription ||
    isYearBetweenCommas(line, at) ||
    isYearBeforeAsk(line, at) ||
    isYearAtEnd(line, at)
    ? makeDate({ from: at, to: at + 1 }, { year: 2000 + Number(token.text) })
    : undefined;
}

function isBesideYear(meaning: Meaning | undefined): boolean {
  if (meaning?.kind === "condition" || meaning?.kind === "set") return true;
  return meaning?.kind === "cue" && (meaning.cue === "card" || meaning.cue === "year_word");
}

/** Smaller numbers behind a watch are rather a month or a count. */
const OLDEST_BARE_YEAR = 13;

/** "need 126720VTNR jub 25": two digits at the end of a line, right behind the reference, dial or bracelet. */
function isYearAtEnd(line: Line, at: number): boolean {
  if (line.tokens[at + 1] !== undefined || Number(line.tokens[at]?.text) < OLDEST_BARE_YEAR)
    return false;
  return isRightBehindWatch(line, at);
}

/** "124300 silver, 23, complete": two digits between commas behind the reference, dial or bracelet, with a description behind. */
function isYearBetweenCommas(line: Line, at: number): boolean {
  if (line.tokens[at - 1]?.word !== "," || line.tokens[at + 1]?.word !== ",") return false;
  return isRightBehindWatch(line, at - 1) && isBesideYear(phraseAt(line, at + 2)?.meaning);
}

/** "126300 blue jub 22 8.9k": two digits right after the reference, dial or bracelet and right before the ask. */
function isYearBeforeAsk(line: Line, at: number): boolean {
  if (!isRightBehindWatch(line, at)) return false;
  const next = line.tokens[at + 1];
  return (
    next?.kind === "digits" ||
    next?.word === "$" ||
    phraseAt(line, at + 1)?.meaning.kind === "currency"
  );
}

/** A reference, a dial or a bracelet ends right before the token. */
function isRightBehindWatch(line: Line, at: number): boolean {
  const kind = phraseEndingAt(line, at)?.meaning.kind;
  return kind === "dial" || kind === "bracelet" || endsReference(line, at);
}

/** "'83": two digits after an apostrophe. "11'450" is an amount. */
export function apostropheYear(
  line: Line,
  at: number,
  today: MessageDate | undefined,
): DateReading | undefined {
  const digits = line.tokens[at + 1];
  if (digits?.kind !== "digits" || !digits.isGlued || digits.text.length !== 2) return undefined;
  // "anni '60", "'70s": a decade.
  if (isA(tokenAt(line.tokens, at - 1), "decade", "the") || isA(line.tokens[at + 2], "decade_end"))
    return undefined;
  const year = toYear(digits, today);
  return year === undefined ? undefined : makeDate({ from: at, to: at + 2 }, { year });
}
