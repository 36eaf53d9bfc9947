import { isSign, tokenAt, YEAR_LIKE } from "../text/token.ts";
import type { NumberFact } from "../weights/weights.ts";
import { classSet, isA, isOneOf } from "../words/words.ts";
import { type Candidate, propose } from "./candidates.ts";
import { type Line, phraseAt, phraseEndingAt } from "./line.ts";

/**
 * Proposes numbers that are neither money nor dates: links, millimetres, days, serial, stock and calibre numbers, editions.
 * Returns the end of the number that starts at `at`.
 */
export function proposeMeasure(line: Line, at: number, found: Candidate[]): number {
  const end = numberEnd(line, at);
  const fact = factOf(line, at, end);
  if (fact !== undefined) propose(found, { from: at, to: end }, { kind: "measure", facts: [fact] });
  return end;
}

function factOf(line: Line, at: number, end: number): NumberFact<"measure"> | undefined {
  if (isMeasured(line, end)) return "unit_behind";
  if (isFineness(line, at)) return "fineness";
  if (isNumberOfSomething(line, at)) return "counted_before";
  return isDecade(line, at) ? "decade" : undefined;
}

/** "1970s", "1970's". */
function isDecade({ tokens }: Line, at: number): boolean {
  const [sign, last] = [tokens[at + 1], tokens[at + 2]];
  const letter = sign?.word === "'" ? last : sign;
  return letter?.word === "s" && /^(19|20)\d0$/.test(tokens[at]?.text ?? "");
}

/** Returns the end of the number and of what is joined to it: "11.5", "3-5", "230/500". */
function numberEnd(line: Line, at: number): number {
  const { tokens } = line;
  let end = at + 1;
  while (end + 1 < tokens.length) {
    const sign = tokens[end];
    const digits = tokens[end + 1];
    if (sign?.isGlued !== true || digits?.kind !== "digits" || !digits.isGlued) break;
    if (!isSign(sign, ".,/-")) break;
    end += 2;
  }
  return end;
}

/** "41mm", "11.5 links": a unit of measure follows the number. */
function isMeasured(line: Line, end: number): boolean {
  const meaning = phraseAt(line, end)?.meaning;
  if (meaning?.kind === "cue" && meaning.cue === "unit_of_measure") return true;
  // "9.4 mil ser.": a serial number in millions.
  if (!isA(line.tokens[end], "thousand", "thousand_or_million")) return false;
  const afterUnit = phraseAt(line, end + 1)?.meaning;
  return afterUnit?.kind === "cue" && afterUnit.cue === "unit_of_measure";
}

const ASK_WORDS = classSet("extra", "sale_term", "included", "ask");

/**
 * "18k yellow gold", "solid 18k": the fineness of gold, and not 18 thousand. At the end of a line or before "+ label" it
 * is an ask, unless the line speaks of gold.
 */
function isFineness(line: Line, at: number): boolean {
  const phrase = phraseAt(line, at);
  if (phrase?.meaning.kind !== "cue" || phrase.meaning.cue !== "metal") return false;
  const isThousands = phrase.to === at + 2 && line.tokens[at + 1]?.word === "k";
  if (!isThousands) return true;
  const speaksOfGold = line.phrases.some(
    ({ from, meaning }) => from !== at && meaning.kind === "cue" && meaning.cue === "metal",
  );
  if (speaksOfGold) return true;
  const next = line.tokens[phrase.to];
  const after = phraseAt(line, phrase.to)?.meaning;
  const isAsk =
    next === undefined ||
    next.word === "+" ||
    isOneOf(next, ASK_WORDS) ||
    (after?.kind === "cue" && after.cue === "label");
  return !isAsk;
}

/** "SKU 16364", "calibre 3135", "#12": a word before the number says what it counts. */
function isNumberOfSomething(line: Line, at: number): boolean {
  let before = at - 1;
  while (before >= 0 && isSign(line.tokens[before], ":#.-")) {
    if (tokenAt(line.tokens, before)?.word === "#") return line.tokens[at]?.isGlued === true;
    before -= 1;
  }
  const word = tokenAt(line.tokens, before);
  if (isA(word, "serial", "lacking")) return !isLetterSerialYear(line, before, at);
  // "Japan Edition 2019" has a year behind it, and no number of pieces.
  if (word?.word === "edition" && YEAR_LIKE.test(line.tokens[at]?.text ?? "")) return false;
  const meaning = phraseEndingAt(line, before + 1)?.meaning;
  return meaning?.kind === "cue" && meaning.cue === "count_before";
}

/** "T serial 1996": the letter is the serial's, and the year is that of the watch. */
function isLetterSerialYear(line: Line, serial: number, at: number): boolean {
  const letter = tokenAt(line.tokens, serial - 1);
  if (letter?.kind !== "letters" || letter.text.length !== 1) return false;
  return YEAR_LIKE.test(line.tokens[at]?.text ?? "");
}
