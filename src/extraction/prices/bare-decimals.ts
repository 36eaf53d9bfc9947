import { isBehindDescription } from "../lines/description.ts";
import { type Line, phraseAt } from "../lines/line.ts";
import { firstFrom, lastUntil } from "../lines/span.ts";
import { isLineEnd, tokenAt } from "../lines/token.ts";
import { YEAR_LIKE } from "../lines/year-like.ts";

/** "let it go for 24,5", "asking 9.2": one decimal behind a word of asking, in a line with a watch. */
export function followsAskWord(line: Line, at: number, to: number): boolean {
  if (line.references.length === 0 || line.tokens[to - 1]?.text.length !== 1) return false;
  return /^(asking|ask|asks|want|wants|for|at|@|price|only|paying|pay)$/.test(
    tokenAt(line.tokens, at - 1)?.word ?? "",
  );
}

/**
 * "278271 choco jub 18.5", and "2023 w/c 28.9" below a reference: one decimal at the end of a line with a watch or a dated
 * piece. Two decimals may be a date ("10.25"), unless the line has one already.
 */
export function closesLine(line: Line, at: number, to: number): boolean {
  const reference = line.references.at(-1);
  const watchEnd = reference?.to ?? 0;
  if (watchEnd > at) return isBeforeNextWatch(line, at, to);
  if (reference === undefined && !isDatedPiece(line)) return false;
  const decimals = line.tokens[to - 1]?.text.length;
  if (!isLineEnd(line.tokens, to)) return decimals === 1 && isBetweenDateAndSet(line, at, to);
  if (decimals === 1) return true;
  return decimals === 2 && isBehindDescription(line, at) && hasDateBetween(line, watchEnd, at);
}

/** "116500LN 2020 26.4 // 116520 2012 19.9": one decimal, a separator, and the next reference. */
function isBeforeNextWatch(line: Line, at: number, to: number): boolean {
  if (line.tokens[to - 1]?.text.length !== 1) return false;
  const between = line.tokens.slice(to, to + SEPARATORS_MAX);
  const end = between.findIndex((token) => token.kind !== "symbol");
  const isSeparated = between.slice(0, end).some(({ word }) => /^[/|;\u2022]$/.test(word));
  if (end < 1 || !isSeparated || lastUntil(line.references, at) === undefined) return false;
  return firstFrom(line.references, to)?.from === to + end;
}

/** Symbols between two watches, and the start of the second. */
const SEPARATORS_MAX = 4;

/** "2021 7.7 full set": a decimal right behind the date and right before a set or a condition. */
function isBetweenDateAndSet(line: Line, at: number, to: number): boolean {
  const meaning = isDateToken(line, at - 1) ? phraseAt(line, to)?.meaning : undefined;
  return meaning?.kind === "set" || meaning?.kind === "condition";
}

function hasDateBetween(line: Line, from: number, to: number): boolean {
  for (let at = from; at < to; at += 1) if (isDateToken(line, at)) return true;
  return false;
}

/** Dates claim their tokens before prices are read, and so do measures ("41mm"). */
function isDateToken({ tokens, claimed }: Line, at: number): boolean {
  if (claimed[at] !== true) return false;
  const before = tokenAt(tokens, at - 1)?.word ?? "";
  return YEAR_LIKE.test(tokens[at]?.text ?? "") || /^(n|[/.])$/.test(before);
}

/** "2023 w/c 28.9", "2025 new full set 31.2": a year, and then a set or a condition. */
function isDatedPiece(line: Line): boolean {
  const year = line.tokens.findIndex((token) => token.kind !== "symbol");
  if (!YEAR_LIKE.test(line.tokens[year]?.text ?? "")) return false;
  const meaning = phraseAt(line, year + 1)?.meaning;
  return meaning?.kind === "set" || meaning?.kind === "condition";
}
