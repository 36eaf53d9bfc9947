import { type Line, phraseAt } from "../lines/line.ts";
import type { Token } from "../lines/token.ts";
import {
  type DateReading,
  isDateSeparator,
  isFollowedByMoney,
  isYear,
  makeDate,
  toMonth,
  toYear,
} from "./date-parts.ts";

/** "N3", "N3/26", "N12 2025": a new watch with a card of that month. */
export function newCardDate(line: Line, at: number): DateReading | undefined {
  if (line.tokens[at]?.word !== "n") return undefined;
  // "n.4.26": a dot can be between the letter and its month.
  const hasDot = line.tokens[at + 1]?.word === "." && line.tokens[at + 2]?.isGlued === true;
  const date = readNewCard(line, hasDot ? at + 1 : at);
  return date === undefined ? undefined : makeDate({ from: at, to: date.to }, date);
}

/** Reads the month behind token `at`, and the year if there is one. */
function readNewCard(line: Line, at: number): DateReading | undefined {
  const digits = line.tokens[at + 1];
  if (digits?.kind !== "digits") return undefined;
  // "N 5/2026": after a space only a month with its year is a date.
  if (!digits.isGlued && !/^[/.-]$/.test(line.tokens[at + 2]?.word ?? "")) return undefined;
  const month = toMonth(digits);
  if (month === undefined) return undefined;
  const separator = line.tokens[at + 2];
  const after = line.tokens[at + 3];
  // "N3+ 2026": March or later, so the year is known and the month is not.
  if (separator?.word === "+" && after?.kind === "digits" && isYear(after)) {
    return makeDate({ from: at, to: at + 4 }, { year: Number(after.text), isNew: true });
  }
  if (separator !== undefined && isDateSeparator(separator) && after?.kind === "digits") {
    const year = toYear(after);
    if (year !== undefined && !isFollowedByMoney(line, at + 3) && !startsDecimal(line, at + 3)) {
      return makeDate({ from: at, to: at + 4 }, { year, month, isNew: true });
    }
  }
  if (separator?.kind === "digits" && /^(19|20)\d\d$/.test(separator.text)) {
    return makeDate({ from: at, to: at + 3 }, { year: Number(separator.text), month, isNew: true });
  }
  return makeDate({ from: at, to: at + 2 }, { month, isNew: true });
}

/** "N8/96.5k": what follows the slash is an amount. */
function startsDecimal(line: Line, at: number): boolean {
  const [point, decimals, unit] = line.tokens.slice(at + 1, at + 4);
  if (point?.isGlued !== true || !/^[.,]$/.test(point.word)) return false;
  return decimals?.kind === "digits" && decimals.isGlued && unit?.isGlued === true;
}

const CARD = /^(cards?|papers?|karten?|papiere|kaart|kaarten|cartes?)$/;

/** "Dec 2025", "Jan. '24", "May 23, 2025". */
export function monthNameDate(line: Line, at: number): DateReading | undefined {
  const phrase = phraseAt(line, at);
  if (phrase?.meaning.kind !== "month") return undefined;
  const month = phrase.meaning.month;
  let next = phrase.to;
  while (isMonthGap(line.tokens[next])) next += 1;
  const digits = line.tokens[next];
  // "July cards": a month without a year.
  if (digits?.kind === "letters" && CARD.test(digits.word))
    return makeDate({ from: at, to: phrase.to }, { month });
  if (digits?.kind !== "digits") return undefined;
  const day = line.tokens[next + 1];
  if (digits.text.length <= 2 && (day?.word === "," || day?.kind === "digits")) {
    const year = line.tokens[day.word === "," ? next + 2 : next + 1];
    if (year?.kind === "digits" && year.text.length === 4) {
      return makeDate(
        { from: at, to: next + (day.word === "," ? 3 : 2) },
        { year: Number(year.text), month },
      );
    }
  }
  const year = toYear(digits);
  if (year === undefined) return undefined;
  return makeDate({ from: at, to: next + 1 }, { year, month });
}

function isMonthGap(token: Token | undefined): boolean {
  return token !== undefined && /^[.,'/-]$/.test(token.word);
}
