import type { Side } from "../extraction.ts";
import { firstFrom, lastUntil, type Token, tokenAt, within } from "../text/token.ts";
import type { PhraseMatch } from "../words/lexicon.ts";
import type { RequestClass } from "../words/words.ts";
import type { Line } from "./line.ts";
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
    const reading = { side: phrase.meaning.side, part, phrase };
    if (asksForMoney(part.reading, phrase) || asksForOther(part.reading, phrase)) continue;
    if (!phrase.meaning.isWeak) return reading;
    const counts =
      phrase.meaning.side === "want_to_buy" &&
      (isAtLineStart(part.reading, phrase.from) || isRightBehindWatch(part.reading, phrase));
    if (counts) weak ??= reading;
  }
  return weak ?? findWishInSentence(part);
}

/** "Any 5935A in stock?", "126200 blue anyone?": a question with "any" asks for the watch. */
function findAnyQuestion(part: LinePart): SideReading | undefined {
  if (part.from > 0 || part.reading.prices.length > 0) return undefined;
  const { tokens, references } = part.reading.line;
  const last = tokens.at(-1)?.word === "?" ? tokens.at(-2) : undefined;
  if (/^(anyone|anybody)$/.test(last?.word ?? "") && references.length > 0) {
    const from = tokens.length - 2;
    return { side: "want_to_buy", part, phrase: { from, to: from + 1, meaning: ANY_MEANING } };
  }
  const [reference] = references;
  if (reference === undefined) return undefined;
  const at = tokens.findIndex(({ word }, index) => index >= ANY_START_MAX || word === "any");
  if (at === -1 || at >= ANY_START_MAX) return undefined;
  if (reference.from !== at + 1 && !tokens.some((token) => token.word === "?")) return undefined;
  return { side: "want_to_buy", part, phrase: { from: at, to: at + 1, meaning: ANY_MEANING } };
}

/** The whole sentence says so, not one phrase of it. */
function findWishInSentence(part: LinePart): SideReading | undefined {
  if (!isSentenceRequest(part)) return undefined;
  const { from, to } = part;
  return { side: "want_to_buy", part, phrase: { from, to, meaning: ANY_MEANING } };
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
  const { tokens } = reading.line;
  // The verb opens the phrase, or closes it: "client wants 9k".
  const isVerb = (token: number): boolean => MONEY_VERBS.test(tokens[token]?.word ?? "");
  if (!isVerb(phrase.from) && !isVerb(phrase.to - 1)) return false;
  const at = /^(about|around|for)$/.test(tokens[phrase.to]?.word ?? "") ? phrase.to + 1 : phrase.to;
  return firstFrom(reading.prices, at)?.from === at;
}

const MONEY_VERBS = /^(looking|look|want|wants|wanted|need|needs|asking|searching)$/;

/** "Asked me for a refund on a 79230N", "looking for a contact at AP": an unknown thing comes before the watch. */
function asksForOther({ line }: LineReading, { to }: PhraseMatch): boolean {
  if (!/^(for|a|an)$/.test(line.tokens[to - 1]?.word ?? "")) return false;
  const at = /^(a|an|the|some|any)$/.test(line.tokens[to]?.word ?? "") ? to + 1 : to;
  const thing = line.tokens[at];
  if (thing?.kind !== "letters" || line.starts[at] !== undefined || line.claims[at] !== undefined)
    return false;
  return (
    !/^(price|prices|quote|quotes|one|two|few|couple|piece|pieces)$/.test(thing.word) &&
    /^(on|about|at|regarding|because)$/.test(line.tokens[at + 1]?.word ?? "")
  );
}

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
  if (/^[\u2022!]$/.test(tokenAt(reading.line.tokens, at - 1)?.word ?? "")) return true;
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

/**
 * Finds requests in sentences, whatever their phrases are.
 *
 * Idea: a request in a sentence names who may have the watch, what they do with it, for whom it is, or how to answer.
 * Words about prices, the past, opinions or an offer speak against it. Each kind of word counts once, and the sum decides:
 * "hunting" is enough if nothing speaks against it, "anyone" is not. The weights were chosen with some 250 invented sentences.
 *
 * Example: "In case anyone walks past a Tank Cintrée, please ring me" has people, having, condition, polite, contact and an
 * article before the watch. "Did anyone see what the Tank Cintrée went for?" has people and having; the past and the
 * question speak against it.
 */
const KIND_WEIGHTS: Readonly<Record<RequestClass, number>> = {
  people: 1,
  having: 1,
  seeking: 3,
  wanting: 1,
  client: 1,
  polite: 1,
  condition: 1,
  pay: 1,
  funds: 1,
  over: 0,
  bid: 4,
  seeks: 4,
  buyer: 1,
  contact: 2,
  value: -2,
  question: -2,
  past: -2,
  opinion: -2,
  offer: -2,
};
/** These count only in the sentence that names the watch. */
const NEAR_KINDS: ReadonlySet<RequestClass> = new Set(["value", "question", "past", "offer"]);
const BIDDING: readonly RequestClass[] = ["pay", "over", "bid", "buyer"];
const ARTICLE_WEIGHT = 1;
/** "Does anyone have …?" */
const QUESTION_WEIGHT = 1;
const REQUEST_MIN = 3;

/** Returns true if the line asks for the watch that it names. A part of a line is no sentence. */
function isSentenceRequest(part: LinePart): boolean {
  const { line, dates, prices } = part.reading;
  // An amount is an ask, unless it is a bid. A dated watch with an amount is an offer.
  const hasAmount = prices.length > 0;
  if (hasAmount && dates.length > 0) return false;
  if (part.from > 0 || part.to < line.tokens.length) return false;
  const watch = findWatch(line);
  if (watch === undefined) return false;
  const found = line.lexicon.findRequest(line.tokens);
  if (hasAmount && !BIDDING.some((kind) => found.has(kind))) return false;
  let score = hasArticle(line, watch) ? ARTICLE_WEIGHT : 0;
  const near = line.lexicon.findRequest(sentenceAround(line, watch));
  for (const kind of found)
    if (near.has(kind) || !NEAR_KINDS.has(kind)) score += KIND_WEIGHTS[kind];
  if (found.has("people") && found.has("having") && line.tokens.some(({ word }) => word === "?"))
    score += QUESTION_WEIGHT;
  return score >= REQUEST_MIN;
}

/** Returns where the first watch of the line starts. */
function findWatch({ references, phrases }: Line): number | undefined {
  const model = phrases.find(({ meaning }) => meaning.kind === "model");
  return references[0]?.from ?? model?.from;
}

function sentenceAround({ tokens }: Line, watch: number): readonly Token[] {
  let from = watch;
  while (from > 0 && !endsSentence(tokens, from - 1)) from -= 1;
  let to = watch + 1;
  while (to < tokens.length && !endsSentence(tokens, to - 1)) to += 1;
  return from === 0 && to === tokens.length ? tokens : tokens.slice(from, to);
}

/** A point inside a number or a reference ends nothing. */
function endsSentence(tokens: readonly Token[], at: number): boolean {
  return /^[.!?]$/.test(tokens[at]?.word ?? "") && tokens[at + 1]?.isGlued !== true;
}

/** Tokens between the article and the watch. */
const ARTICLE_GAP_MAX = 6;
const ARTICLES =
  /^(a|an|any|one|another|either|two|three|eine|einen|ein|een|une|un|una|uno|uma|um)$/;

/** "A clean Rolex 16700", "any of the new 126710": an indefinite article shortly before the watch. */
function hasArticle({ tokens }: Line, watch: number): boolean {
  for (let at = watch - 1; at >= 0 && at >= watch - ARTICLE_GAP_MAX; at -= 1)
    if (ARTICLES.test(tokens[at]?.word ?? "")) return true;
  return false;
}
