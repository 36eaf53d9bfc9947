/** What the signs and words beside an amount say: its currency, or a discount. */
import { isSign, tokenAt } from "../text/token.ts";
import type { PhraseMatch } from "../words/lexicon.ts";
import { isA } from "../words/words.ts";
import type { Amount } from "./amounts.ts";
import { endsCurrency, type Line, phraseAt, phraseEndingAt } from "./line.ts";

/** The currency words and symbols on one side of an amount. */
export interface CurrencySign {
  readonly currency: string | undefined;
  readonly hasDollar: boolean;
  /** Before the amount: the first token of the currency. After it: the token that follows the currency. */
  readonly edge: number;
}

export const NO_SIGN: CurrencySign = { currency: undefined, hasDollar: false, edge: -1 };

/** Reads the currency before an amount: "HKD 95,000", "EUR: 500", "$500". */
export function signBefore(line: Line, at: number, amount: Amount): CurrencySign {
  const touching = currencyBefore(line, at) ?? ringgitBefore(line, at, amount);
  if (touching !== undefined) return touching;
  const field = fieldBefore(line, at, amount);
  if (field !== undefined) return field;
  let edge = at;
  let hasDollar = false;
  while (edge > 0 && isSign(line.tokens[edge - 1], "$:.=~>\u2192-")) {
    const sign = line.tokens[edge - 1];
    if (sign?.word === "$") hasDollar = true;
    // "SGD->16,450": the dash before the tip of the arrow decides.
    else if (!endsCurrency(line, sign?.word === ">" ? edge - 2 : edge - 1)) break;
    edge -= 1;
  }
  const found = currencyBefore(line, edge);
  if (found !== undefined) return { currency: found.currency, hasDollar, edge: found.edge };
  return hasDollar ? { currency: undefined, hasDollar, edge } : NO_SIGN;
}

function currencyBefore(line: Line, edge: number): CurrencySign | undefined {
  const phrase = phraseEndingAt(line, edge);
  if (phrase?.meaning.kind !== "currency") return undefined;
  const isCertain = line.tokens[edge]?.isGlued === true || startsLargeAmount(line, edge);
  if (isAmbiguousCode(line, phrase.from) && !isCertain) return undefined;
  return { currency: phrase.meaning.currency, hasDollar: false, edge: phrase.from };
}

/**
 * "New//USDT//320k": between two pairs of slashes stands a field of its own, and a currency there belongs to the amount behind
 * it. In "46k//USDT//2025" it belongs to the amount before.
 */
function fieldBefore(line: Line, at: number, amount: Amount): CurrencySign | undefined {
  if (!isFieldEnd(line, at - 2) || !isCertainAmount(amount)) return undefined;
  const phrase = phraseEndingAt(line, at - 2);
  if (phrase?.meaning.kind !== "currency" || isAmbiguousCode(line, phrase.from)) return undefined;
  const start = phrase.from - 2;
  if (!isFieldEnd(line, start) || endsAmount(line, start)) return undefined;
  return { currency: phrase.meaning.currency, hasDollar: false, edge: phrase.from };
}

/** Two slashes, or the start of the line. */
function isFieldEnd({ tokens }: Line, at: number): boolean {
  if (at < 0) return at === -2;
  return tokens[at]?.word === "/" && tokens[at + 1]?.word === "/";
}

/** An amount that cannot be a year or a count. */
function isCertainAmount(amount: Amount): boolean {
  return amount.kind === "whole" && (amount.hasUnit || amount.isGrouped || amount.value >= 10_000);
}

/** "RM 45,000": before a grouped amount, RM is the Malaysian ringgit and not Richard Mille. */
function ringgitBefore(line: Line, at: number, amount: Amount): CurrencySign | undefined {
  if (amount.kind !== "whole" || !amount.isGrouped) return undefined;
  if (tokenAt(line.tokens, at - 1)?.word !== "rm") return undefined;
  return { currency: "MYR", hasDollar: false, edge: at };
}

/** "HK 118k", "HK 95,000": an amount that cannot be a year or a count. */
function startsLargeAmount(line: Line, at: number): boolean {
  const [digits, next] = [line.tokens[at], line.tokens[at + 1]];
  if ((digits?.text.length ?? 0) >= 5) return true;
  return next?.isGlued === true && (isSign(next, ",.") || isA(next, "thousand", "million"));
}

/** "hk" is also a place, "u" and "us" are also words. They are currencies only if they touch an amount or follow a large one. */
function isAmbiguousCode(line: Line, at: number): boolean {
  return isA(line.tokens[at], "doubtful_code") && phraseAt(line, at)?.to === at + 1;
}

/** "2023 hk" is a year and a place. Five digits, or a last group of three, cannot be a year. */
function isDoubtfulCode(line: Line, at: number): boolean {
  if (!isAmbiguousCode(line, at) || line.tokens[at]?.isGlued === true) return false;
  const before = tokenAt(line.tokens, at - 1);
  if (line.tokens[at]?.word === "us") return true;
  return before?.kind === "digits" && before.text.length < 5 && before.text.length !== 3;
}

/** Reads the currency after an amount: "11k usd", "124k (usdt)". */
export function signAfter(line: Line, at: number): CurrencySign {
  let edge = at;
  while (
    line.tokens[edge]?.word === "$" &&
    (line.tokens[edge]?.isGlued === true || line.tokens[edge + 1]?.kind !== "digits")
  )
    edge += 1;
  const hasDollar = edge > at;
  const none = hasDollar ? { currency: undefined, hasDollar, edge } : NO_SIGN;
  // "124k (usdt)", "5,1 all euros".
  const isApart = line.tokens[edge]?.word === "(" || isA(line.tokens[edge], "all");
  const phrase = phraseAt(line, isApart ? edge + 1 : edge) ?? fieldBehind(line, edge);
  if (phrase?.meaning.kind !== "currency" || isDoubtfulCode(line, phrase.from)) return none;
  return { currency: phrase.meaning.currency, hasDollar, edge: phrase.to };
}

/** "46k//USDT//2025": the currency in the field behind an amount that cannot be a year. */
function fieldBehind(line: Line, at: number): PhraseMatch | undefined {
  const phrase = isFieldEnd(line, at) ? phraseAt(line, at + 2) : undefined;
  if (phrase?.meaning.kind !== "currency" || isAmbiguousCode(line, phrase.from)) return undefined;
  const isClosed = phrase.to === line.tokens.length || isFieldEnd(line, phrase.to);
  return isClosed && endsAmount(line, at) ? phrase : undefined;
}

/** Returns true if a unit, or the digits of an amount that cannot be a year, end right before the token. */
function endsAmount({ tokens, claims }: Line, at: number): boolean {
  const last = tokenAt(tokens, at - 1);
  if (last?.kind !== "digits") return isA(last, "thousand", "million", "ten_thousand");
  return claims[at - 1] === undefined && (last.text.length === 3 || last.text.length > 4);
}

/**
 * A currency before the amount wins: "\u20AC44k usdt" is in euros, and USDT is the way of payment. A code wins over a bare `$`.
 * The symbol of the yen is also used for the yuan, so a code after the amount wins over it.
 */
export function findCurrency(before: CurrencySign, after: CurrencySign): string | undefined {
  if (before.currency !== undefined && before.currency !== "JPY") return before.currency;
  return after.currency ?? before.currency;
}

/** Reads "-37%", "(-37% off)", "30% off" or "HKR less 35% off" after an amount. */
export function readDiscount(
  line: Line,
  at: number,
): { readonly percent: number; readonly to: number } | undefined {
  const { to: from, isMinus } = skipDiscountWords(line, at);
  const number = readPercent(line, from);
  if (number === undefined) return readPartOfPrice(line, from);
  const isOff = line.tokens[number.to]?.word === "off";
  if (!isMinus && !isOff) return undefined;
  return number;
}

/** "72\u6298": what remains of the list price, in tenths or hundredths. */
function readPartOfPrice(
  { tokens }: Line,
  at: number,
): { readonly percent: number; readonly to: number } | undefined {
  const digits = tokens[at];
  if (digits?.kind !== "digits" || !isA(tokens[at + 1], "part_of_price")) return undefined;
  return { percent: 100 - Number(digits.text.padEnd(2, "0")), to: at + 2 };
}

/** Tokens between the amount and the number of percent. */
const DISCOUNT_WORDS_MAX = 4;

function skipDiscountWords(
  line: Line,
  at: number,
): { readonly to: number; readonly isMinus: boolean } {
  let to = at;
  let isMinus = false;
  while (to < at + DISCOUNT_WORDS_MAX) {
    const token = line.tokens[to];
    // "./. 22%".
    const isSlash = token?.word === "/" && tokenAt(line.tokens, to - 1)?.word === ".";
    const isDiscount = token?.word === "-" || isSlash || isA(token, "discount");
    const meaning = phraseAt(line, to)?.meaning;
    const isRetail = meaning?.kind === "cue" && meaning.cue === "retail";
    if (!isDiscount && !isRetail && !isSign(token, "(,.")) break;
    isMinus ||= isDiscount;
    to += 1;
  }
  return { to, isMinus };
}

/** "37%", "37.5 %". Returns the token after the percent sign as `to`. */
function readPercent(
  line: Line,
  at: number,
): { readonly percent: number; readonly to: number } | undefined {
  const digits = line.tokens[at];
  if (digits?.kind !== "digits") return undefined;
  const [point, decimals] = [line.tokens[at + 1], line.tokens[at + 2]];
  const hasDecimals =
    isSign(point, ".,") && decimals?.kind === "digits" && decimals.text.length < 3;
  const percent = Number(hasDecimals ? `${digits.text}.${decimals.text}` : digits.text);
  const end = at + (hasDecimals ? 3 : 1);
  return line.tokens[end]?.word === "%" ? { percent, to: end + 1 } : undefined;
}
