import type { MessageDate } from "../extraction.ts";
import { type Span, type Token, tokenAt } from "../text/token.ts";
import { endsCurrency, type Line, phraseAt } from "./line.ts";
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
export const YEAR_MIN = 1920;
/** The latest possible year if the date of the message is unknown. */
export const YEAR_MAX = 2035;

/** Returns `count` numbers joined by the same date separator without spaces, or undefined. */
export function joinedNumbers(line: Line, at: number, count: number): Token[] | undefined {
  const parts: Token[] = [];
  const separator = line.tokens[at + 1]?.word;
  for (let index = 0; index < count; index += 1) {
    const part = line.tokens[at + 2 * index];
    if (part?.kind !== "digits" || (index > 0 && !part.isGlued)) return undefined;
    const before = line.tokens[at + 2 * index - 1];
    if (
      index > 0 &&
      (before === undefined ||
        !before.isGlued ||
        before.word !== separator ||
        !isDateSeparator(before))
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
  return token.text.length === 4 && value >= YEAR_MIN && value <= 2049;
}

/** Returns true if a unit or currency right after the token makes it an amount. A currency can start the next amount. */
export function isFollowedByMoney(line: Line, at: number): boolean {
  const next = line.tokens[at + 1];
  if (next === undefined) return false;
  if (UNIT.test(next.word) && (next.isGlued || next.word.length > 1)) return true;
  const phrase = phraseAt(line, at + 1);
  // "2026 hk" is a year and a place.
  if (/^(hk|us)$/.test(next.word) && !next.isGlued && phrase?.to === at + 2) return false;
  if (!MONEY_SIGN.test(next.word) && phrase?.meaning.kind !== "currency") return false;
  let after = phrase?.to ?? at + 2;
  while (/^[:=~(>\u2192-]$/.test(line.tokens[after]?.word ?? "")) after += 1;
  return !(line.tokens[after]?.kind === "digits" || line.tokens[after]?.word === "$");
}

const UNIT = /^(k|m|mil|mill|mio|mln|million|w|u|\u4E07|\u842C)$/;
const MONEY_SIGN = /^[$\u20AC\u00A3]$/;

/** Returns true if a currency is before the pair of numbers at `at`, or terms of the sale are after it. */
export function isBesideMoney(line: Line, at: number): boolean {
  if (MONEY_SIGN.test(tokenAt(line.tokens, at - 1)?.word ?? "") || endsCurrency(line, at))
    return true;
  const after = phraseAt(line, at + 3)?.meaning ?? phraseAt(line, at + 4)?.meaning;
  return after?.kind === "cue" && after.cue === "label";
}
