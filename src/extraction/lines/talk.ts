/**
 * Tells talk about watches from offers and requests.
 *
 * Idea: dealers write offers and requests in a short style of their own. So a line that names a watch in a sentence is
 * talk, unless it also has words of a sale: a set, a condition, "pm". Words such as "stolen" or "auction" make a line talk
 * unless everything of an offer is there. Where nothing is offered, a false listing costs more than a missed one.
 *
 * Example: "Is the 226570 getting replaced this year?" is talk, and so is "Saw a 5726/1A go for 71k at auction". "Is there
 * a 226570 to be had for my client" is a request: its words of a request decide first.
 */
import type { Span } from "../text/token.ts";
import { isA } from "../words/words.ts";
import { hasWordOf, type Line } from "./line.ts";
import { hasPhrase, type LineReading, namesModel, wholeLine } from "./line-reading.ts";
import { findSide, type SideReading } from "./sides.ts";

/**
 * Flags the lines that only speak about a watch. If no other line names a watch, but one has an ask, then the message is
 * an offer in prose.
 */
export function flagTalk(readings: readonly LineReading[]): LineReading[] {
  const referenceLines = readings.filter(({ line }) => line.references.length > 0).length;
  // Beside references, a line with the name of a model describes one of them.
  const isAbout = (reading: LineReading): boolean =>
    referenceLines === 0
      ? namesWatch(reading)
      : reading.line.references.length > 0 && !(referenceLines > 1 && isOnlyCompared(reading.line));
  const headline = readings.find((reading) => !reading.isBlank);
  if (headline !== undefined && !isAbout(headline) && isTalkHeadline(headline, readings))
    return readings.map((reading) => ({ ...reading, isTalk: true }));
  const flagged = readings.map((reading) =>
    isAbout(reading) && isTalk(reading, { isInList: referenceLines > 1 })
      ? { ...reading, isTalk: true }
      : reading,
  );
  const isOffer =
    !flagged.some((reading) => isAbout(reading) && !reading.isTalk) &&
    flagged.some((reading) => !isAbout(reading) && reading.prices.length > 0);
  return isOffer ? [...readings] : flagged;
}

function namesWatch(reading: LineReading): boolean {
  return reading.line.references.length > 0 || namesModel(reading);
}

/** "Group rules", "New RRP from May": returns true if the first line makes the whole message talk. */
function isTalkHeadline(headline: LineReading, readings: readonly LineReading[]): boolean {
  const found = headline.line.lexicon.findTalk(headline.line.tokens);
  if (found.has("headline")) return true;
  if (!found.has("list_prices")) return false;
  return !readings.some((reading) => reading !== headline && describesPiece(reading));
}

/** From this number of sentence words on, a line is prose. A question needs fewer, a line that opens with a watch more. */
const PROSE_MIN = 3;
const OPENED_PROSE_MIN = 5;
const QUESTION_MIN = 2;
/** From this number on, a set or a condition is a subject of the sentence, and not the description of an offer. */
const LONG_PROSE_MIN = 4;

/** From this number of unknown words on, a line that says nothing else about its watch is talk. */
const UNKNOWN_MIN = 4;
const NAME_ONLY_MIN = 3;
const OPENED_UNKNOWN_MIN = 6;

/** Returns true if the line speaks about a watch without offering it or asking for it. */
function isTalk(reading: LineReading, message: { readonly isInList: boolean }): boolean {
  const { tokens } = reading.line;
  const found = reading.line.lexicon.findTalk(tokens);
  if (found.has("refusal")) return true;
  const hasAsk = reading.prices.some(({ strength }) => strength !== "bare");
  if (isWholeOffer(reading, hasAsk)) return false;
  const side = findSide(wholeLine(reading));
  const asks = hasAsk && hasWordOf(reading.line, "ask");
  const isOffer = asks || found.has("offer") || hasSaleTerm(reading);
  const isClear = isOffer || found.has("answer") || (side !== undefined && opensLine(side));
  if (found.has("talk") || found.has("headline") || found.has("list_prices"))
    return !(isClear && side !== undefined);
  if (side !== undefined) return false;
  const isDated = hasAsk && reading.dates.length > 0;
  if (found.has("market")) return !isDated;
  if (isListPriceOnly(reading)) return true;
  const isOpened = opensWithWatch(reading);
  if (isOpened && message.isInList) return false;
  const words = countWords(reading);
  const isQuestion = tokens.some((token) => token.word === "?");
  if (isQuestion && words.sentence >= QUESTION_MIN && !found.has("offer"))
    return !hasAsk || words.sentence >= PROSE_MIN;
  if (isOffer) return false;
  const isDescribed = hasPhrase(reading, "set") || hasPhrase(reading, "condition");
  // A model by its name alone is a subject of talk more often than an offer.
  const isNameOnly = reading.line.references.length === 0 && !hasAsk && reading.dates.length === 0;
  if (isNameOnly && !isDescribed) return words.sentence + words.unknown >= NAME_ONLY_MIN;
  if (isDescribed) return !hasAsk && words.sentence >= LONG_PROSE_MIN;
  if (words.sentence >= (isOpened ? OPENED_PROSE_MIN : PROSE_MIN)) return true;
  const hasLook = hasPhrase(reading, "dial") || hasPhrase(reading, "bracelet");
  const isBare = !hasAsk && reading.dates.length === 0 && !hasLook;
  const unknownMin = isOpened ? OPENED_UNKNOWN_MIN : UNKNOWN_MIN;
  return isBare && words.unknown + words.sentence >= unknownMin;
}

/** "Trying to source a 15202ST, rather here than at auction": a line that opens with a request is one. */
function opensLine({ side, part, phrase }: SideReading): boolean {
  if (side !== "want_to_buy" || phrase.meaning.kind !== "side" || phrase.meaning.isWeak)
    return false;
  return part.reading.line.tokens.slice(0, phrase.from).every((token) => token.kind === "symbol");
}

/** An ask, a date or a condition, and a set or a condition: nothing is missing from an offer. */
function isWholeOffer(reading: LineReading, hasAsk: boolean): boolean {
  if (!hasAsk) return false;
  const hasSet = hasPhrase(reading, "set");
  const hasCondition = hasPhrase(reading, "condition");
  return (hasSet && hasCondition) || (reading.dates.length > 0 && (hasSet || hasCondition));
}

/** "5712/1A retail now HKD 452,000, crazy": news of a list price, and nothing about a watch that is for sale. */
function isListPriceOnly(reading: LineReading): boolean {
  const isListPrice = reading.prices.length > 0 && reading.prices.every(({ isRetail }) => isRetail);
  return isListPrice && !describesPiece(reading);
}

/** A date, a set, a condition or a discount: a list price alone has none of them. */
function describesPiece(reading: LineReading): boolean {
  return (
    reading.dates.length > 0 ||
    hasPhrase(reading, "set") ||
    hasPhrase(reading, "condition") ||
    reading.prices.some(({ discountPercent }) => discountPercent !== undefined)
  );
}

/** Returns true if the line is written in sentences. */
export function isProse(reading: LineReading): boolean {
  // The watch and three words of a sentence are four tokens.
  return reading.line.tokens.length > PROSE_MIN && countWords(reading).sentence >= PROSE_MIN;
}

function opensWithWatch(reading: LineReading): boolean {
  const { tokens, references } = reading.line;
  return tokens.slice(0, references[0]?.from ?? 1).every((token) => token.kind === "symbol");
}

/** Words inside known phrases ("in the box", "never worn") do not count. */
function countWords(reading: LineReading): { readonly sentence: number; readonly unknown: number } {
  const { tokens, starts, claims } = reading.line;
  let sentence = 0;
  let unknown = 0;
  for (let at = 0; at < tokens.length; at += 1) {
    const phrase = starts[at];
    const isCue = phrase?.meaning.kind === "cue" && phrase.to === at + 1;
    if (phrase !== undefined && !isCue) {
      at = phrase.to - 1;
      continue;
    }
    const token = tokens[at];
    if (token?.kind !== "letters" || claims[at] !== undefined) continue;
    if (isA(token, "sentence")) sentence += 1;
    else if (phrase === undefined && token.word.length > 1) unknown += 1;
  }
  return { sentence, unknown };
}

/** "+ label", "shipped", "WTS", "sold". The name of a carrier alone is none. */
function hasSaleTerm(reading: LineReading): boolean {
  const { tokens, phrases } = reading.line;
  return phrases.some(
    ({ from, meaning }) =>
      (meaning.kind === "cue" &&
        meaning.cue === "label" &&
        !/^(ups|fedex|delivery|delivered)$/.test(tokens[from]?.word ?? "")) ||
      (meaning.kind === "side" && meaning.side === "for_sale" && !meaning.isWeak),
  );
}

const COMPARING: ReadonlySet<string> = new Set(
  "before after than not unlike versus vs instead missed called aka about replaces replaced replacing predecessor successor".split(
    " ",
  ),
);

/** "Before the 126710BLNR came", "not the SBGA415": the reference is named to compare, and not to offer it. */
export function isCompared(line: Line, reference: Span): boolean {
  return COMPARING.has(wordBefore(line, reference));
}

/** "Ask him about the 5227R too": even if it is the only one of its line, such a reference is not offered. */
export function isOnlyCompared(line: Line): boolean {
  const [reference, other] = line.references;
  if (reference === undefined || other !== undefined) return false;
  return /^(about|than|unlike|instead|versus)$/.test(wordBefore(line, reference));
}

export function isCheaperThan(line: Line, reference: Span): boolean {
  return /^(than|unlike|versus|missed)$/.test(wordBefore(line, reference));
}

const BETWEEN = /^(the|a|an|its|his|of|old|older|newer|previous|current|ap|rolex|patek)$/;

/** Returns the word before the reference. Articles and brands between them do not count. */
function wordBefore({ tokens }: Line, reference: Span): string {
  let at = reference.from - 1;
  while (at > reference.from - 4 && BETWEEN.test(tokens[at]?.word ?? "")) at -= 1;
  return tokens[at]?.word ?? "";
}
