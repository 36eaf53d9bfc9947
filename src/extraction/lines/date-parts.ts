import type { MessageDate } from "../extraction.ts";
import type { Span, Token } from "../text/token.ts";
import type { Line } from "./line.ts";
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
