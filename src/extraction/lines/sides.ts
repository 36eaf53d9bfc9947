import type { Side } from "../extraction.ts";
import { firstFrom, isSign, lastUntil, tokenAt, within } from "../text/token.ts";
import type { PhraseMatch } from "../words/lexicon.ts";
import { type LinePart, type LineReading, wholeLine } from "./line-reading.ts";

/** Whether a text offers a watch or asks for one, and the phrase that says so. */
export interface SideReading {
  readonly side: Side;
  readonly part: LinePart;
  readonly phrase: PhraseMatch;
}

/** Returns the side of the message: a request on any line beats an offer. Returns undefined if it states neither. */
export function messageSide(readings: readonly LineReading[]): SideReading | undefined {
  let offer: SideReading | undefined;
  for (const reading of readings) {
    const found = findSide(wholeLine(reading));
    if (found?.side === "want_to_buy") return found;
    offer ??= found;
  }
  return offer;
}

/** Strong words count anywhere. Weak words for a request ("need") count at the start of a line; weak offers never do. */
export function findSide(part: LinePart): SideReading | undefined {
  let weak = findAnyQuestion(part);
  for (const phrase of within(part.reading.line.phrases, part)) {
    if (isBudget(part, phrase)) weak ??= { side: "want_to_buy", part, phrase };
    if (phrase.meaning.kind !== "side") continue;
    if (asksForMoney(part.reading, phrase)) continue;
    const reading = { side: phrase.meaning.side, part, phrase };
    if (!phrase.meaning.isWeak) return reading;
    const counts =
      phrase.meaning.side === "want_to_buy" &&
      (isAtLineStart(part.reading, phrase.from) || isRightBehindWatch(part.reading, phrase));
    if (counts) weak ??= reading;
  }
  return weak;
}

/** "Any 5935A in stock?", "126200 blue anyone?": a question with "any" asks for the watch. */
function findAnyQuestion(part: LinePart): SideReading | undefined {
  if (part.from > 0 || part.reading.prices.length > 0) return undefined;
  const { tokens, references } = part.reading.line;
  const [reference] = references;
  if (reference === undefined) return undefined;
  const last = tokens.at(-1)?.word === "?" ? tokens.at(-2) : undefined;
  if (last !== undefined && /^(anyone|anybody)$/.test(last.word)) {
    const from = tokens.length - 2;
    return { side: "want_to_buy", part, phrase: { from, to: from + 1, meaning: ANY_MEANING } };
  }
  const at = tokens.findIndex(({ word }, index) => index >= ANY_START_MAX || word === "any");
  if (at === -1 || at >= ANY_START_MAX) return undefined;
  if (reference.from !== at + 1 && !tokens.some((token) => token.word === "?")) return undefined;
  return { side: "want_to_buy", part, phrase: { from: at, to: at + 1, meaning: ANY_MEANING } };
}

const ANY_MEANING = { kind: "side", side: "want_to_buy", isWeak: true } as const;

/** "Budget 30k: 15400ST" asks for the watch. */
function isBudget(part: LinePart, phrase: PhraseMatch): boolean {
  const { tokens } = part.reading.line;
  return tokens[phrase.from]?.word === "budget" && isAtLineStart(part.reading, phrase.from);
}

/** Symbols and bullets before the first word. */
const ANY_START_MAX = 4;

/** "Looking for 10.5k": the dealer asks for money, and not for a watch. "Paying 10.5k" is a bid. */
function asksForMoney(reading: LineReading, phrase: PhraseMatch): boolean {
  if (reading.prices.length === 0) return false;
  const { tokens } = reading.line;
  // The verb opens the phrase, or closes it: "client wants 9k".
  const isVerb = (token: number): boolean => MONEY_VERBS.test(tokens[token]?.word ?? "");
  if (!isVerb(phrase.from) && !isVerb(phrase.to - 1)) return false;
  const at = /^(about|around|for)$/.test(tokens[phrase.to]?.word ?? "") ? phrase.to + 1 : phrase.to;
  return firstFrom(reading.prices, at)?.from === at;
}

const MONEY_VERBS = /^(looking|look|want|wants|wanted|need|needs|asking|searching)$/;

/** "126613LB blue need new 2026": only known words are between the watch and the request. */
function isRightBehindWatch(reading: LineReading, phrase: PhraseMatch): boolean {
  const { line } = reading;
  const reference = lastUntil(line.references, phrase.from);
  if (reference === undefined || line.tokens[phrase.from]?.word === "buy") return false;
  let at = reference.to;
  if (phrase.from - at > REQUEST_GAP_MAX) return false;
  while (at < phrase.from) {
    const token = line.tokens[at];
    const known = line.starts[at];
    if (known !== undefined && known.meaning.kind !== "cue") at = known.to;
    else if (token?.kind === "symbol" && token.word !== ".") at += 1;
    else return false;
  }
  return true;
}

/** Tokens between a watch and the request behind it. */
const REQUEST_GAP_MAX = 12;

const WORDS_BEFORE_REQUEST: ReadonlySet<string> = new Set([
  "please",
  "pls",
  "plz",
  "i",
  "we",
  "still",
  "also",
  "urgent",
  "urgently",
  "hi",
  "hello",
  "guys",
  "now",
  "just",
]);

/** Returns true if only symbols, greetings, and words such as "I" or "please" are before the token. */
function isAtLineStart(reading: LineReading, at: number): boolean {
  // A bullet or the end of a sentence starts anew: "Clients are hungry! Need the below".
  if (isSign(tokenAt(reading.line.tokens, at - 1), "\u2022!")) return true;
  return (
    reading.line.tokens.slice(Math.max(0, at - 6), at).every(
      (token, index) =>
        token.kind === "symbol" ||
        WORDS_BEFORE_REQUEST.has(token.word) ||
        // "2) Need 126500LN": the number of a line in a list.
        (index === 0 && token.kind === "digits" && token.text.length < 3),
    ) && at <= 6
  );
}
