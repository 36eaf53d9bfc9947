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
    if (
      !isMoney(line, at, end) &&
      (isMeasured(line, at, end) || isNumberOfSomething(line, at) || isMissingLinkCount(line, at))
    )
      claim(line, at, end);
    at = end - 1;
  }
}

/** A currency before or after the number makes it money, unless it starts the next amount ("Ltd 500 HKD 290,000"). */
function isMoney(line: Line, at: number, end: number): boolean {
  if (/^[$\u20AC\u00A3]$/.test(line.tokens[at - 1]?.word ?? "") || endsCurrency(line, at))
    return true;
  const phrase = phraseAt(line, end);
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
  // "18k yellow gold": the fineness of gold, and not 18 thousand.
  const fineness = phraseAt(line, at)?.meaning;
  if (fineness?.kind === "cue" && fineness.cue === "metal") return true;
  const unit = line.tokens[end];
  const afterUnit = phraseAt(line, end + 1)?.meaning;
  // "9.4 mil ser.": a serial number in millions.
  if (unit?.word === "mil" && afterUnit?.kind === "cue" && afterUnit.cue === "unit_of_measure")
    return true;
  return unit?.word === "k" && afterUnit?.kind === "cue" && afterUnit.cue === "metal";
}

/** "SKU 16364", "calibre 3135", "#12": a word before the number says what it counts. */
function isNumberOfSomething(line: Line, at: number): boolean {
  let before = at - 1;
  while (before >= 0 && /^[:#.-]$/.test(line.tokens[before]?.word ?? "")) {
    if (line.tokens[before]?.word === "#") return line.tokens[at]?.isGlued === true;
    before -= 1;
  }
  if (/^(serial|ser|missing)$/.test(line.tokens[before]?.word ?? "")) return true;
  for (let start = before; start >= 0 && start >= before - 2; start -= 1) {
    const phrase = phraseAt(line, start);
    if (phrase === undefined || phrase.to !== before + 1) continue;
    if (phrase.meaning.kind === "cue" && phrase.meaning.cue === "count_before") return true;
  }
  return false;
}

/** "-2" after a bracelet or at the end of a line is the number of missing links. */
function isMissingLinkCount(line: Line, at: number): boolean {
  const [before, digits, after] = [line.tokens[at - 1], line.tokens[at], line.tokens[at + 1]];
  if (before?.word !== "-" || before.isGlued || digits?.isGlued !== true) return false;
  return digits.text.length === 1 && (after === undefined || !after.isGlued);
}
