import type { MessageDate } from "./extraction.ts";
import { endsCurrency, type Line, phraseAt } from "./line.ts";
import type { Span } from "./span.ts";
import type { Token } from "./tokens.ts";

/** A card or production date found in a line: tokens `from` up to but without `to`. */
export interface DateMention {
  readonly from: number;
  readonly to: number;
  readonly year: number | undefined;
  readonly month: number | undefined;
  /** Written with N: new, with a card of that month. */
  readonly isNew: boolean;
  /** "2023+", "2021-2022": a range names no year. */
  readonly isRange: boolean;
  /** The date of a service, a certificate or a launch. */
  readonly isOtherEvent: boolean;
}

/** A date before it is known whether it is the card's. */
export type DateReading = Omit<DateMention, "isOtherEvent">;

/** One way of making them: objects of one form are cheap to make and to read. */
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

/** The oldest wristwatches that dealers trade by year. */
export const YEAR_MIN = 1920;
/** Without a message date this bounds what a year may be. */
export const YEAR_MAX = 2035;

/** Number tokens joined by one and the same date sign without blanks. */
export function joinedNumbers(line: Line, at: number, count: number): Token[] | undefined {
  const parts: Token[] = [];
  const sign = line.tokens[at + 1]?.word;
  for (let index = 0; index < count; index += 1) {
    const part = line.tokens[at + 2 * index];
    if (part?.kind !== "digits" || (index > 0 && !part.isGlued)) return undefined;
    const before = line.tokens[at + 2 * index - 1];
    if (
      index > 0 &&
      (before === undefined || !before.isGlued || before.word !== sign || !isDateSeparator(before))
    )
      return undefined;
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

/** A year of four digits, or of two: up to the message's own year in this century, from 50 on in the last. */
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
  return token.text.length === 4 && value >= YEAR_MIN && value <= 2049;
}

/** A unit or currency right after the digits makes them an amount, unless the currency opens the next amount. */
export function isFollowedByMoney(line: Line, at: number): boolean {
  const next = line.tokens[at + 1];
  if (next === undefined) return false;
  if (UNIT.test(next.word) && (next.isGlued || next.word.length > 1)) return true;
  const phrase = phraseAt(line, at + 1);
  if (!MONEY_SIGN.test(next.word) && phrase?.meaning.kind !== "currency") return false;
  const after = line.tokens[phrase?.to ?? at + 2];
  return !(after?.kind === "digits" || after?.word === "$");
}

const UNIT = /^(k|m|mil|mill|mio|mln|million|w|u|\u4E07|\u842C)$/;
const MONEY_SIGN = /^[$\u20AC\u00A3]$/;

/** A currency before the number at `at`, or terms of a sale behind the pair that it opens. */
export function isBesideMoney(line: Line, at: number): boolean {
  if (MONEY_SIGN.test(line.tokens[at - 1]?.word ?? "") || endsCurrency(line, at)) return true;
  const after = phraseAt(line, at + 3)?.meaning ?? phraseAt(line, at + 4)?.meaning;
  return after?.kind === "cue" && after.cue === "label";
}
