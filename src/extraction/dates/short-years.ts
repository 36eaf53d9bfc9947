import type { MessageDate } from "../extraction.ts";
import { endsReference, type Line, phraseAt, phraseEndingAt } from "../lines/line.ts";
import type { Meaning } from "../lines/meaning.ts";
import { type DateReading, makeDate, toYear } from "./date-parts.ts";

/** Reads two digits as a year. "23Y", "09yr": a year word makes them one. */
export function shortYear(
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

const YEAR_WORD = /^(y|yr|yrs|year|jahr|\u5E74)$/;

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
  if (Number(token.text) > today.year % 100 || isSpaceGrouped(line, at)) return undefined;
  // "14 k" is an amount, "20 years" a duration.
  if (/^(k|m|years)$/.test(next?.word ?? "")) return undefined;
  const isBesideDescription =
    describesWatch(phraseEndingAt(line, at)?.meaning) ||
    describesWatch(phraseAt(line, at + 1)?.meaning);
  return isBesideDescription ||
    isYearBetweenCommas(line, at) ||
    isYearBeforeAsk(line, at) ||
    isYearAtEnd(line, at)
    ? makeDate({ from: at, to: at + 1 }, { year: 2000 + Number(token.text) })
    : undefined;
}

function describesWatch(meaning: Meaning | undefined): boolean {
  if (meaning?.kind === "condition" || meaning?.kind === "set") return true;
  return meaning?.kind === "cue" && (meaning.cue === "card" || meaning.cue === "year_word");
}

/** "14 900 €": two digits, a space and three digits are one amount. */
function isSpaceGrouped(line: Line, at: number): boolean {
  const next = line.tokens[at + 1];
  if (next?.kind !== "digits" || next.text.length !== 3) return false;
  // "10 900,00 €".
  const hasCents =
    /^[.,]$/.test(line.tokens[at + 2]?.word ?? "") && line.tokens[at + 3]?.text.length === 2;
  const end = hasCents ? at + 4 : at + 2;
  const after = line.tokens[end];
  return (
    after === undefined ||
    /^[$\u20AC\u00A3]$/.test(after.word) ||
    phraseAt(line, end)?.meaning.kind === "currency"
  );
}

/** "need 126720VTNR jub 25": two digits at the end of a line, right behind the reference, dial or bracelet. */
function isYearAtEnd(line: Line, at: number): boolean {
  if (line.tokens[at + 1] !== undefined || Number(line.tokens[at]?.text) < OLDEST_BARE_YEAR)
    return false;
  const kind = phraseEndingAt(line, at)?.meaning.kind;
  return kind === "dial" || kind === "bracelet" || endsReference(line, at);
}

/** "124300 silver, 23, complete": two digits between commas behind the reference, dial or bracelet, with a description behind. */
function isYearBetweenCommas(line: Line, at: number): boolean {
  if (line.tokens[at - 1]?.word !== "," || line.tokens[at + 1]?.word !== ",") return false;
  if (Number(line.tokens[at]?.text) < OLDEST_BARE_YEAR) return false;
  const kind = phraseEndingAt(line, at - 1)?.meaning.kind;
  const isAfterWatch = kind === "dial" || kind === "bracelet" || endsReference(line, at - 1);
  return isAfterWatch && describesWatch(phraseAt(line, at + 2)?.meaning);
}

/** Smaller numbers behind a watch are rather a month or a count. */
const OLDEST_BARE_YEAR = 13;

/** "126300 blue jub 22 8.9k": two digits right after the reference, dial or bracelet and right before the ask. */
function isYearBeforeAsk(line: Line, at: number): boolean {
  const kind = phraseEndingAt(line, at)?.meaning.kind;
  const isAfterWatch = kind === "dial" || kind === "bracelet" || endsReference(line, at);
  if (!isAfterWatch) return false;
  const next = line.tokens[at + 1];
  return (
    next?.kind === "digits" ||
    next?.word === "$" ||
    phraseAt(line, at + 1)?.meaning.kind === "currency"
  );
}
