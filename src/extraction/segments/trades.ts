/**
 * Watches that a dealer would take in a trade: "62k€, trade for 5990/1A possible". They are part of the text of his offer, and
 * no offers. A watch behind words of a trade with an ask of its own is one: "trades ok. 124060 9.9k".
 */
import type { Line } from "../lines/line.ts";
import type { LineReading } from "../lines/line-reading.ts";
import { firstFrom, type Span, type Token, tokenAt } from "../text/token.ts";
import { isA } from "../words/words.ts";

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
  if (offered === undefined && !isBelowOffer) return false;
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
