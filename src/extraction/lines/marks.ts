/**
 * Marks out of ten: "9.5/10", "condition 8/10". Without a point they look like a month and the year 2010, so only the words
 * beside them tell.
 */
import type { Meaning } from "../text/meaning.ts";
import { isSign, type Token, tokenAt } from "../text/token.ts";
import { classSet, isA, isOneOf } from "../words/words.ts";
import { type Line, phraseAt, phraseEndingAt } from "./line.ts";

/** "10/10" is the best mark. */
const MARK_MAX = 10;

/** No dealer praises a watch with less: "used 5/10" has a card of May 2010. */
const PRAISE_MIN = 6;

/** What a date without a point says. */
const YEAR_OF_MARK = 2010;

/** Returns true if the number from `at` up to `end` is a mark, and no date. */
export function isMark(line: Line, at: number, end: number): boolean {
  const { tokens } = line;
  const value = Number(tokens[at]?.text);
  if (tokens[end - 1]?.text !== "10" || tokens[end - 2]?.word !== "/" || value > MARK_MAX)
    return false;
  // "9.5/10k": two amounts.
  if (tokens[end]?.isGlued === true && isA(tokens[end], "thousand", "million")) return false;
  if (end === at + 5) return isSign(tokens[at + 1], ".,") && value < MARK_MAX;
  if (end !== at + 3 || value < 1 || isBehindCard(line, at)) return false;
  if (isBesideState(line, at, end)) return true;
  return value >= PRAISE_MIN && (isBesideCondition(line, at, end) || isTooNew(line));
}

/** Signs and words that can stand between a card and its date. */
const CARD_BETWEEN = classSet("from", "the", "a");

/** "Card 9/10", "dated: 9/10", "papers from 9/10". */
function isBehindCard({ tokens }: Line, at: number): boolean {
  let before = at - 1;
  while (isSign(tokenAt(tokens, before), ":(.") || isOneOf(tokenAt(tokens, before), CARD_BETWEEN))
    before -= 1;
  const token = tokenAt(tokens, before);
  return isA(token, "other_event") || isDated(token?.facts?.node?.meaning);
}

function isDated(meaning: Meaning | undefined): boolean {
  if (meaning?.kind !== "cue") return false;
  return meaning.cue === "card" || meaning.cue === "box_and_card" || meaning.cue === "year_word";
}

/** Words between a mark and the word for the state: "a solid 9/10 overall condition". */
const STATE_GAP_MAX = 3;

/** "Condition: 5/10", "9/10 overall condition". */
function isBesideState({ tokens }: Line, at: number, end: number): boolean {
  const before = tokens.slice(Math.max(0, at - STATE_GAP_MAX), at);
  const behind = tokens.slice(end, end + STATE_GAP_MAX);
  return hasState(before.toReversed()) || hasState(behind);
}

/** The words are those beside the mark, the nearest first. A comma or a number parts them from it. */
function hasState(beside: readonly Token[]): boolean {
  const end = beside.findIndex((token) => token.kind === "digits" || isSign(token, ",;|/\u2022"));
  return beside.slice(0, end === -1 ? beside.length : end).some((token) => isA(token, "state"));
}

/** Signs between a mark and a condition: "mint, 9/10", "used (8/10)". */
const CONDITION_GAP_MAX = 2;

function isBesideCondition(line: Line, at: number, end: number): boolean {
  const { tokens } = line;
  let from = at;
  while (at - from < CONDITION_GAP_MAX && tokenAt(tokens, from - 1)?.kind === "symbol") from -= 1;
  let to = end;
  while (to - end < CONDITION_GAP_MAX && tokens[to]?.kind === "symbol") to += 1;
  return (
    phraseEndingAt(line, from)?.meaning.kind === "condition" ||
    phraseAt(line, to)?.meaning.kind === "condition"
  );
}

/** The watch did not exist in the year that the date would have. */
function isTooNew({ references }: Line): boolean {
  return references.some(({ launchedYear }) => (launchedYear ?? 0) > YEAR_OF_MARK);
}
