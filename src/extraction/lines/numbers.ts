/**
 * Decides what each number of a line is.
 *
 * Idea: the readers of measures, dates and amounts only propose readings of spans of tokens, each with its facts. The facts are
 * scored by `weights/numbers.json`. The line takes the readings that do not overlap and have the highest sum.
 * Invariant: no token is read as two things. A taken reading claims its tokens and says as what.
 *
 * Example: in "126334 2022 HKD 71,500" the readings are the year 2022, and the amounts 2022 HKD, HKD 71,500 and 71,500. The year and HKD 71,500 together score higher than 2022 HKD and 71,500.
 */
import type { MessageDate } from "../extraction.ts";
import { isSign, type Span, tokenAt, YEAR_LIKE } from "../text/token.ts";
import type { NumberFact } from "../weights/weights.ts";
import { classSet, isA, isOneOf } from "../words/words.ts";
import { type Candidate, chooseBest, type PriceReading, propose } from "./candidates.ts";
import type { DateReading } from "./date-parts.ts";
import { flagOtherEvents, proposeDates } from "./dates.ts";
import { claim, type Line, phraseAt, phraseEndingAt } from "./line.ts";
import { type DateMention, type PriceMention, quoteTokens } from "./line-reading.ts";
import { isMark } from "./marks.ts";
import { flagRetailPrices } from "./price-roles.ts";
import { proposeAmounts } from "./prices.ts";

interface LineNumbers {
  readonly dates: readonly DateMention[];
  readonly prices: readonly PriceMention[];
}

/** Reads the numbers of a line and claims their tokens. */
export function readNumbers(line: Line, today: MessageDate | undefined): LineNumbers {
  const candidates = proposeAll(line, today);
  if (candidates.length === 0) return NO_NUMBERS;
  const dates: DateReading[] = [];
  const prices: PriceMention[] = [];
  for (const candidate of chooseBest(candidates)) {
    const { kind, date, price } = candidate;
    claim(line, candidate, kind);
    if (date !== undefined) dates.push(date);
    if (price !== undefined && !isStruckOut(line, candidate))
      prices.push(toMention(line, candidate, price));
  }
  return { dates: flagOtherEvents(line, dates), prices: flagRetailPrices(line, prices) };
}

const NO_NUMBERS: LineNumbers = { dates: [], prices: [] };

/** Written out, because a spread is slow. */
function toMention(line: Line, { from, to }: Span, price: PriceReading): PriceMention {
  return {
    from,
    to,
    amount: price.amount,
    strength: price.strength,
    isRetail: false,
    isLowered: price.isLowered,
    currency: price.currency,
    discountPercent: price.discountPercent,
    quote: quoteTokens(line, { from, to }),
  };
}

/** Returns the readings with a score above zero, in the order of their first tokens. */
function proposeAll(line: Line, today: MessageDate | undefined): Candidate[] {
  const found: Candidate[] = [];
  const context = { today, found };
  const { tokens, claims } = line;
  let measuredTo = 0;
  for (let at = 0; at < tokens.length; at += 1) {
    if (claims[at] !== undefined) continue;
    const isDigits = tokens[at]?.kind === "digits";
    if (isDigits && at >= measuredTo) measuredTo = proposeMeasure(line, at, found);
    proposeDates(line, at, context);
    if (isDigits || isA(tokens[at + 1], "thousand", "and")) proposeAmounts(line, at, found);
  }
  return found.sort((a, b) => a.from - b.from);
}

/** Words between two tildes, which WhatsApp shows as struck through. */
const STRUCK_MAX = 8;

/** "~9.900~ 9.500": the amount is between tildes that touch it, so it is no longer asked. */
function isStruckOut({ tokens }: Line, { from, to }: Span): boolean {
  let open = from - 1;
  while (open > from - STRUCK_MAX && open >= 0 && tokens[open]?.word !== "~") open -= 1;
  if (tokenAt(tokens, open)?.word !== "~" || tokens[open + 1]?.isGlued !== true) return false;
  let close = to;
  while (close < to + STRUCK_MAX && close < tokens.length && tokens[close]?.word !== "~")
    close += 1;
  return tokens[close]?.word === "~" && tokens[close]?.isGlued === true;
}

/**
 * Proposes numbers that are neither money nor dates: marks, links, millimetres, days, serial, stock and calibre numbers, editions.
 * Returns the end of the number that starts at `at`.
 */
function proposeMeasure(line: Line, at: number, found: Candidate[]): number {
  const end = numberEnd(line, at);
  const fact = factOf(line, at, end);
  if (fact !== undefined) propose(found, { from: at, to: end }, { kind: "measure", facts: [fact] });
  return end;
}

function factOf(line: Line, at: number, end: number): NumberFact<"measure"> | undefined {
  if (isMeasured(line, end)) return "unit_behind";
  if (isMark(line, at, end)) return "mark";
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
