/**
 * What is read from a line: its dates and its amounts, the parts of it that belong to a watch, and quotes of its words.
 * Segments and listings are made of these, and know nothing of how they were found.
 */
import type { LineSpan, Quote } from "../extraction.ts";
import type { Meaning } from "../text/meaning.ts";
import type { NormalLine } from "../text/normalize.ts";
import { type Span, within } from "../text/token.ts";
import type { PhraseMatch } from "../words/lexicon.ts";
import type { Amount } from "./amounts.ts";
import type { Line } from "./line.ts";

/** A line with its dates and prices, before they are assigned to a watch. */
export interface LineReading {
  readonly line: Line;
  readonly dates: readonly DateMention[];
  readonly prices: readonly PriceMention[];
  readonly isBlank: boolean;
  /** It only speaks of a watch, so it describes no watch beside it. */
  readonly isTalk: boolean;
}

/** A date found in a line: tokens `from` up to but not including `to`. */
export interface DateMention {
  readonly from: number;
  readonly to: number;
  readonly year: number | undefined;
  readonly month: number | undefined;
  /** Written with N: the watch is new, with a card of that month. */
  readonly isNew: boolean;
  /** "2023+", "2021-2022". */
  readonly isRange: boolean;
  /** The date of a service, a certificate or a launch, and not of the watch or its card. */
  readonly isOtherEvent: boolean;
}

/** Why a number counts as money: what is next to it, from strong to weak. */
export type PriceStrength = "currency" | "dollar" | "unit" | "grouped" | "bare";

export const STRENGTH_RANK: Readonly<Record<PriceStrength, number>> = {
  currency: 4,
  dollar: 3,
  unit: 2,
  grouped: 1,
  bare: 0,
};

/** An amount of money in a line: tokens `from` up to but not including `to`, currency words included. */
export interface PriceMention {
  readonly from: number;
  readonly to: number;
  readonly amount: Amount;
  readonly strength: PriceStrength;
  /** The currency next to the amount. Undefined after a bare `$`, which could be any dollar. */
  readonly currency: string | undefined;
  readonly isRetail: boolean;
  /** The new price after a reduction: after an arrow, "now" or "reduced to". */
  readonly isLowered: boolean;
  /** 37 if "-37 %" follows the list price. */
  readonly discountPercent: number | undefined;
  readonly quote: Quote;
}

/** Returns the number as written, with its unit. */
export function amountValue(price: PriceMention): number {
  const { amount } = price;
  return amount.kind === "whole" || amount.kind === "short" ? amount.value : 0;
}

/** No dealer offers a watch for less, in any currency. */
const SMALL_SUM_MAX = 200;

/** "Shipping $95": too little for a watch. "$95k" and "9.5" are not small. */
export function isSmallSum({ amount }: PriceMention): boolean {
  return amount.kind === "whole" && !amount.hasUnit && amount.value < SMALL_SUM_MAX;
}

/** A retail or discounted list price is no ask: the ask may still follow. */
export function isListPrice(price: PriceMention): boolean {
  return price.isRetail || price.discountPercent !== undefined;
}

export function hasPhrase({ line }: LineReading, kind: Meaning["kind"]): boolean {
  return line.phrases.some(({ meaning }) => meaning.kind === kind);
}

/** Returns true if the line names a model of the catalogue. A nickname can leave the model open. */
export function namesModel({ line }: LineReading): boolean {
  return line.phrases.some(
    ({ meaning }) => meaning.kind === "model" && meaning.model !== undefined,
  );
}

/** A part of a line, in tokens. Several watches can share a line, so a watch owns parts and not whole lines. */
export interface LinePart extends Span {
  readonly reading: LineReading;
}

/** Returns the line as one part. */
export function wholeLine(reading: LineReading): LinePart {
  return { reading, from: 0, to: reading.line.tokens.length };
}

/** Returns the amounts of money that the parts contain. */
export function pricesOf(parts: readonly LinePart[]): readonly PriceMention[] {
  const [only] = parts;
  if (only !== undefined && parts.length === 1) return pricesIn(only);
  const prices: PriceMention[] = [];
  for (const part of parts) prices.push(...pricesIn(part));
  return prices;
}

/** Returns the amounts of money that the part contains. */
export function pricesIn(part: LinePart): readonly PriceMention[] {
  return within(part.reading.prices, part);
}

/** Returns the first phrase with a meaning that `matches`, in the order of the parts. */
export function findPhraseWhere(
  parts: readonly LinePart[],
  matches: (meaning: Meaning) => boolean,
): { readonly part: LinePart; readonly phrase: PhraseMatch } | undefined {
  for (const part of parts) {
    const phrase = within(part.reading.line.phrases, part).find(({ meaning }) => matches(meaning));
    if (phrase !== undefined) return { part, phrase };
  }
  return undefined;
}

/** For a value that does not come from the message. */
export const NO_QUOTE: Quote = { words: "", lineSpans: [] };

/** Quotes characters of a normalised line. */
export function quoteText(
  source: NormalLine,
  { start, end }: { readonly start: number; readonly end: number },
): Quote {
  return {
    words: source.text.slice(start, end),
    lineSpans: [{ line: source.sourceLine, start, end }],
  };
}

export function quoteTokens({ source, tokens }: Line, { from, to }: Span): Quote {
  const start = tokens[from]?.start ?? 0;
  return quoteText(source, { start, end: tokens[to - 1]?.end ?? start });
}

/** Joins quotes of one piece each, in the order of the text. */
export function joinQuotes(quotes: readonly Quote[], separator: string): Quote {
  const [only] = quotes;
  if (only !== undefined && quotes.length === 1) return only;
  const ordered = quotes.toSorted((a, b) => compareSpans(a.lineSpans[0], b.lineSpans[0]));
  const lineSpans: LineSpan[] = [];
  for (const quote of ordered) lineSpans.push(...quote.lineSpans);
  return { words: ordered.map(({ words }) => words).join(separator), lineSpans };
}

function compareSpans(a: LineSpan | undefined, b: LineSpan | undefined): number {
  if (a === undefined || b === undefined) return 0;
  return a.line - b.line || a.start - b.start;
}

export function quotePhrase(part: LinePart, phrase: PhraseMatch): Quote {
  return quoteTokens(part.reading.line, phrase);
}
