import { tokenAt, YEAR_LIKE } from "../text/token.ts";
import { claim, endsCurrency, isFree, type Line, phraseAt } from "./line.ts";

/**
 * Claims the numbers that are neither money nor dates: links, millimetres, days, serial, stock and calibre numbers,
 * editions. This runs before dates and prices, because "11.5 links" and "3-5 days" look like both.
 */
export function claimMeasures(line: Line): void {
  const { tokens } = line;
  for (let at = 0; at < tokens.length; at += 1) {
    if (tokens[at]?.kind !== "digits" || !isFree(line, at)) continue;
    const end = numberEnd(line, at);
    const isOther =
      isMeasured(line, at, end) || isNumberOfSomething(line, at) || isMissingLinkCount(line, at);
    if (isOther && !isMoney(line, at, end)) claim(line, at, end);
    at = end - 1;
  }
}

/**
 * A currency before or after the number and its unit makes it money, unless it starts the next amount ("Ltd 500 HKD
 * 290,000"). So do millions, and decimals with a k: "Limited Edition 1.15 million", "on the wrist. 2.9k takes it".
 */
function isMoney(line: Line, at: number, end: number): boolean {
  if (/^[$\u20AC\u00A3]$/.test(tokenAt(line.tokens, at - 1)?.word ?? "") || endsCurrency(line, at))
    return true;
  const unit = line.tokens[end]?.word ?? "";
  const isLarge = /^(m|million|mio)$/.test(unit) || (unit === "k" && end > at + 1);
  if (isLarge && isNumberOfSomething(line, at)) return true;
  const phrase = phraseAt(line, unit === "k" ? end + 1 : end);
  if (phrase?.meaning.kind !== "currency") return false;
  return line.tokens[phrase.to]?.kind !== "digits" || !isNumberOfSomething(line, at);
}

/** Returns the end of the number and of what is joined to it: "11.5", "3-5", "230/500". */
function numberEnd(line: Line, at: number): number {
  const { tokens } = line;
  let end = at + 1;
  while (end + 1 < tokens.length) {
    const sign = tokens[end];
    const digits = tokens[end + 1];
    if (sign?.isGlued !== true || digits?.kind !== "digits" || !digits.isGlued) break;
    if (!/^[.,/-]$/.test(sign.word)) break;
    end += 2;
  }
  return end;
}

/** "41mm", "11.5 links": a unit of measure follows the number. */
function isMeasured(line: Line, at: number, end: number): boolean {
  const meaning = phraseAt(line, end)?.meaning;
  if (meaning?.kind === "cue" && meaning.cue === "unit_of_measure") return true;
  if (isFineness(line, at)) return true;
  const unit = line.tokens[end];
  const afterUnit = phraseAt(line, end + 1)?.meaning;
  // "9.4 mil ser.": a serial number in millions.
  if (unit?.word === "mil" && afterUnit?.kind === "cue" && afterUnit.cue === "unit_of_measure")
    return true;
  return unit?.word === "k" && afterUnit?.kind === "cue" && afterUnit.cue === "metal";
}

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
    /^(\+|plus|net|firm|shipped|obo|incl|inc|asking)$/.test(next.word) ||
    (after?.kind === "cue" && after.cue === "label");
  return !isAsk;
}

/** "SKU 16364", "calibre 3135", "#12": a word before the number says what it counts. */
function isNumberOfSomething(line: Line, at: number): boolean {
  let before = at - 1;
  while (before >= 0 && /^[:#.-]$/.test(line.tokens[before]?.word ?? "")) {
    if (tokenAt(line.tokens, before)?.word === "#") return line.tokens[at]?.isGlued === true;
    before -= 1;
  }
  const word = tokenAt(line.tokens, before)?.word ?? "";
  if (/^(serial|ser|missing)$/.test(word)) return !isLetterSerialYear(line, before, at);
  // "Japan Edition 2019" has a year behind it, and no number of pieces.
  if (word === "edition" && YEAR_LIKE.test(line.tokens[at]?.text ?? "")) return false;
  for (let start = before; start >= 0 && start >= before - 2; start -= 1) {
    const phrase = phraseAt(line, start);
    if (phrase === undefined || phrase.to !== before + 1) continue;
    if (phrase.meaning.kind === "cue" && phrase.meaning.cue === "count_before") return true;
  }
  return false;
}

/** "T serial 1996": the letter is the serial's, and the year is that of the watch. */
function isLetterSerialYear(line: Line, serial: number, at: number): boolean {
  const letter = tokenAt(line.tokens, serial - 1);
  if (letter?.kind !== "letters" || letter.text.length !== 1) return false;
  return YEAR_LIKE.test(line.tokens[at]?.text ?? "");
}

/** "-2" after a bracelet or at the end of a line is the number of missing links. */
function isMissingLinkCount(line: Line, at: number): boolean {
  const [before, digits, after] = [
    tokenAt(line.tokens, at - 1),
    line.tokens[at],
    line.tokens[at + 1],
  ];
  if (before?.word !== "-" || before.isGlued || digits?.isGlued !== true) return false;
  return digits.text.length === 1 && (after === undefined || !after.isGlued);
}
