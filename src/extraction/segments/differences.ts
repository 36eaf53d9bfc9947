/**
 * Whether two mentions are of one watch, and which references of a line are named and not offered: to compare, or as a wish in
 * a trade ("62k€, trade for 5990/1A possible"). A watch behind words of a trade with an ask of its own is offered: "trades ok.
 * 124060 9.9k".
 */
import { normalizeReference } from "../../base/text.ts";
import type { Line, PlacedReference } from "../lines/line.ts";
import type { LinePart, LineReading } from "../lines/line-reading.ts";
import { firstFrom, lastUntil, type Span, type Token, tokenAt, within } from "../text/token.ts";
import { classSet, isA, isOneOf } from "../words/words.ts";

export function isSameReference(a: PlacedReference, b: PlacedReference): boolean {
  return (
    a.brand === b.brand && isLongerForm(normalizeReference(a.text), normalizeReference(b.text))
  );
}

/** Returns true if one of two normalised references is the beginning of the other: 124060 and 124060-0001. */
export function isLongerForm(first: string, second: string): boolean {
  const [short, long] = first.length < second.length ? [first, second] : [second, first];
  // 5980/1A and 5980/1AR are two watches. 126713 and 126713GRNR are one.
  const isLetterAdded = /[A-Z]$/.test(short) && /^[A-Z]/.test(long.slice(short.length));
  return long.startsWith(short) && !isLetterAdded;
}

/** "Pepsi oyster", then "Bruce Wayne oyster": without references, two nicknames mean two watches. */
export function haveTwoNicknames(a: LinePart, b: LinePart): boolean {
  const [first, second] = [findNickname(a), findNickname(b)];
  return first !== undefined && second !== undefined && first !== second;
}

function findNickname(part: LinePart): string | undefined {
  for (const { meaning } of within(part.reading.line.phrases, part)) {
    if (meaning.kind === "model" && meaning.nickname !== undefined) return meaning.nickname;
  }
  return undefined;
}

/** Returns true if two mentions of one reference are two watches, because their dates, dials or bracelets differ. */
export function haveDifferentDetails(a: LinePart, b: LinePart): boolean {
  const [datesA, datesB] = [datesKey(a), datesKey(b)];
  if (datesA !== "" && datesB !== "" && datesA !== datesB) return true;
  return haveDifferentWords(a, b, "dial") || haveDifferentWords(a, b, "bracelet");
}

/**
 * "126334 Eisen y23 = 92", then "126334 blue N9 = 97": the lines of a list. Each opens with the reference, and where the second
 * has a date or a dial, the first has words or numbers that no rule understands.
 */
export function areLinesOfList(a: LinePart, b: LinePart): boolean {
  const isDescribed = datesKey(b) !== "" || listWords(b, "dial").length > 0;
  return isDescribed && opensWithReference(a) && opensWithReference(b) && hasUnread(a);
}

function opensWithReference({ reading, from }: LinePart): boolean {
  const { tokens, references } = reading.line;
  const [first] = references;
  return (
    from === 0 &&
    first !== undefined &&
    tokens.slice(0, first.from).every((token) => token.kind === "symbol")
  );
}

function hasUnread({ reading, from, to }: LinePart): boolean {
  const { tokens, claims, phrases } = reading.line;
  return tokens
    .slice(from, to)
    .some(
      (token, index) =>
        token.kind !== "symbol" &&
        claims[from + index] === undefined &&
        (lastUntil(phrases, from + index + 1)?.to ?? 0) <= from + index &&
        (firstFrom(phrases, from + index)?.from ?? to) > from + index,
    );
}

/** Returns true if both parts have words of this kind and share none. */
export function haveDifferentWords(
  a: LinePart,
  b: LinePart,
  kind: "dial" | "bracelet" | "condition" | "set",
): boolean {
  const [wordsA, wordsB] = [listWords(a, kind), listWords(b, kind)];
  return wordsA.length > 0 && wordsB.length > 0 && !wordsA.some((word) => wordsB.includes(word));
}

/** Returns the dates of a part as a string to compare, such as "2025/9 2026/"; empty if there are none. */
export function datesKey(part: LinePart): string {
  const dates = within(part.reading.dates, part).slice(0, COMPARED_WORDS_MAX);
  return dates.map((date) => `${date.year ?? ""}/${date.month ?? ""}`).join(" ");
}

function listWords(part: LinePart, kind: "dial" | "bracelet" | "condition" | "set"): string[] {
  const words: string[] = [];
  for (const { meaning } of within(part.reading.line.phrases, part)) {
    if (meaning.kind !== kind) continue;
    if (meaning.kind === "dial") words.push(meaning.dial);
    else if (meaning.kind === "bracelet") words.push(meaning.bracelet);
    else if (meaning.kind === "condition") words.push(meaning.condition);
    else words.push(meaning.set);
  }
  return words.slice(0, COMPARED_WORDS_MAX);
}

/** Enough words to distinguish two watches. The bound keeps the work linear. */
const COMPARED_WORDS_MAX = 4;

/** "Before the 126710BLNR came", "not the SBGA415": the reference is named to compare, and not to offer it. */
export function isCompared(line: Line, reference: Span): boolean {
  return isOneOf(wordBefore(line, reference), COMPARING);
}

/** "Ask him about the 5227R too": even if it is the only one of its line, such a reference is not offered. */
export function isOnlyCompared(line: Line): boolean {
  const [reference, other] = line.references;
  if (reference === undefined || other !== undefined) return false;
  return isA(wordBefore(line, reference), "about", "than");
}

export function isCheaperThan(line: Line, reference: Span): boolean {
  return isA(wordBefore(line, reference), "than", "missed");
}

/** Returns the word before the reference. Articles and brands between them do not count. */
function wordBefore({ tokens, starts }: Line, reference: Span): Token | undefined {
  let at = reference.from - 1;
  while (
    at > reference.from - 4 &&
    (isOneOf(tokenAt(tokens, at), BETWEEN) || starts[at]?.meaning.kind === "brand")
  )
    at -= 1;
  return tokenAt(tokens, at);
}

const COMPARING = classSet("versus", "than", "missed", "about");

const BETWEEN = classSet("a", "the", "or", "older");

/** The words of a trade in a line. */
export interface Trade {
  /** Its first word. */
  readonly at: number;
  /** In "trade my 126334 for 126710BLNR" the "for". Behind it are the watches that are wished for. */
  readonly wishedFrom: number;
}

/**
 * Returns undefined if the line speaks of no trade. "Trade in" and "trade price" are none. "My 126334 plus 3k" is one
 * without a word for it.
 */
export function findTrade({ tokens, references }: Line): Trade | undefined {
  const [first] = references;
  const isMine = first !== undefined && isA(tokenAt(tokens, first.from - 1), "my");
  const at = tokens.findIndex(
    (token, index) =>
      (isA(token, "trade") && !isA(tokens[index + 1], "generic")) ||
      (isMine && index === first.from - 1 && isJoint(tokens[first.to])),
  );
  if (at === -1) return undefined;
  const own = firstFrom(references, at)?.to ?? tokens.length;
  const wished = tokens.findIndex((token, index) => index >= own && isA(token, "for", "with"));
  return { at, wishedFrom: wished === -1 ? tokens.length : wished };
}

/** Returns true if the reference is wished for. `offered` is the first watch of the line that is not. */
export function isWished(
  { line, prices }: LineReading,
  reference: Span,
  place: {
    readonly trade: Trade;
    readonly offered: Span | undefined;
    readonly isBelowOffer: boolean;
  },
): boolean {
  const { trade, offered, isBelowOffer } = place;
  if (reference.from < trade.at) return false;
  if (offered !== undefined && offered.from > trade.at) return reference.from > trade.wishedFrom;
  // "Hamilton Murph $600. Open to trades, maybe a Seiko SPB143": what is offered can have no reference.
  const isAskedBefore = lastUntil(prices, trade.at) !== undefined;
  if (offered === undefined && !isBelowOffer && !isAskedBefore) return false;
  const ask = firstFrom(prices, reference.to);
  const next = firstFrom(line.references, reference.to);
  const hasAsk = ask !== undefined && (next === undefined || ask.to <= next.from);
  return !hasAsk || isA(tokenAt(line.tokens, ask.from - 1), "or") || isOnTop(line, ask);
}

/** "126334 plus 3k for your 126710BLNR": in a trade, an amount on top is no ask. */
export function withoutCash(reading: LineReading): LineReading {
  const prices = reading.prices.filter((price) => !isOnTop(reading.line, price));
  return prices.length === reading.prices.length ? reading : { ...reading, prices };
}

function isOnTop({ tokens }: Line, price: Span): boolean {
  return isJoint(tokenAt(tokens, price.from - 1));
}

function isJoint(token: Token | undefined): boolean {
  return token?.word === "+" || isA(token, "and");
}
