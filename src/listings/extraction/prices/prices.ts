/**
 * Finds the amounts of money in a line, without deciding yet which one is the ask.
 *
 * Idea: each free number is read with the currency words around it, and gets a strength: how sure the line is that the
 * number is money. A number with a currency or a dollar sign is money. A number without one must pass the checks in
 * `isPriceLike`. `price-choice.ts` then picks the ask of each watch, where strong mentions silence weak ones.
 * Invariant: a price claims its tokens, currency words included.
 *
 * Example: "126334 retail €12.100 now €10.200" gives 12100 EUR (retail) and 10200 EUR (lowered). Both have strength
 * "currency". The reference is claimed, so it is not an amount.
 */

import type { Quote } from "../extraction.ts";
import { claim, isFree, type Line, phraseAt } from "../lines/line.ts";
import { quoteTokens } from "../lines/quote.ts";
import { firstFrom, lastUntil } from "../lines/span.ts";
import { type Amount, endsCode, readAmount } from "./amounts.ts";
import { findCurrency, signAfter, signBefore } from "./currency-signs.ts";

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

export function findPrices(line: Line): PriceMention[] {
  const prices: PriceMention[] = [];
  let at = 0;
  while (at < line.tokens.length) {
    const price = isFree(line, at) ? readPrice(line, at) : undefined;
    if (price === undefined) {
      at += 1;
      continue;
    }
    claim(line, price.from, price.to);
    prices.push(price);
    at = price.to;
  }
  return flagRetailPrices(line, prices);
}

function readPrice(line: Line, at: number): PriceMention | undefined {
  const amount = readAmount(line.tokens, at);
  if (amount === undefined || isTailOfNumber(line, at)) return undefined;
  const before = signBefore(line, at);
  const isWeak = isWeakAmount(amount);
  const after = signAfter(line, skipDash(line, amount.to), { before, isWeak });
  const isGrouped = amount.kind === "whole" && amount.isGrouped;
  const currency = findCurrency(line, { before, after }, isGrouped ? at : undefined);
  const hasDollar = before.hasDollar || after.hasDollar;
  const strength = toStrength({ currency, hasDollar, amount });
  if (strength === undefined || isPriceLimit(line, before.edge)) return undefined;
  if (!isPriceLike({ line, at, amount, strength })) return undefined;
  const discount = readDiscount(line, after.edge);
  const to = discount?.to ?? after.edge;
  return {
    from: before.edge,
    to,
    amount,
    strength,
    isRetail: false,
    isLowered: isLowered(line, before.edge),
    currency,
    discountPercent: discount?.percent,
    quote: quoteTokens(line, { from: before.edge, to }),
  };
}

/** "20183.05m": what is behind the point of a number that makes no sense is no amount of its own. */
function isTailOfNumber(line: Line, at: number): boolean {
  const [digits, separator, tail] = [line.tokens[at - 2], line.tokens[at - 1], line.tokens[at]];
  if (digits?.kind !== "digits" || !isFree(line, at - 2)) return false;
  if (endsCode(line.tokens, at - 2)) return false;
  return separator?.isGlued === true && tail?.isGlued === true && /^[.,']$/.test(separator.word);
}

/** A year, a small number or a bare decimal: hardly an amount without a currency of its own. */
function isWeakAmount(amount: Amount): boolean {
  if (amount.kind !== "whole") return true;
  return !amount.hasUnit && !amount.isGrouped && (amount.value < 2050 || amount.digits.length < 4);
}

/** "17,900 -> 17,200", "9.950 now 9.650", "reduced to 8k". */
function isLowered(line: Line, at: number): boolean {
  let before = at - 1;
  while (before > at - 3 && /^[:-]$/.test(line.tokens[before]?.word ?? "")) before -= 1;
  const word = line.tokens[before]?.word ?? "";
  if (/^([>\u2192]|now|jetzt|nu|maintenant|ora|ahora)$/.test(word)) return true;
  return (
    word === "to" && /^(reduced|dropped|lowered|down)$/.test(line.tokens[before - 1]?.word ?? "")
  );
}

/** Skips ",-", ".-" and "/-" at the end of a price. */
function skipDash(line: Line, at: number): number {
  const [sign, dash] = [line.tokens[at], line.tokens[at + 1]];
  const isSeparator =
    sign !== undefined && /^[.,/]$/.test(sign.word) && (sign.isGlued || sign.word === "/");
  return isSeparator && dash?.word === "-" && dash.isGlued ? at + 2 : at;
}

function toStrength(price: {
  readonly currency: string | undefined;
  readonly hasDollar: boolean;
  readonly amount: Amount;
}): PriceStrength | undefined {
  if (price.currency !== undefined) return "currency";
  if (price.hasDollar) return "dollar";
  if (price.amount.kind !== "whole") return price.amount.kind === "short" ? "grouped" : undefined;
  if (price.amount.hasUnit) return "unit";
  return price.amount.isGrouped ? "grouped" : "bare";
}

/** A smaller number without currency and unit is not an ask. */
const BARE_MIN = 1000;

interface Candidate {
  readonly line: Line;
  readonly at: number;
  readonly amount: Amount;
  readonly strength: PriceStrength;
}

/** Returns true if a number is an ask and not a depth, a fineness, a stock number or a date. */
function isPriceLike(candidate: Candidate): boolean {
  const { line, at, amount, strength } = candidate;
  if (strength === "currency" || strength === "dollar") return true;
  if (strength === "unit") return isAskWithUnit(amount);
  if (amount.kind === "short") {
    const isAsk =
      isFollowedBySaleTerm(line, amount.to) ||
      closesLine(line, at, amount.to) ||
      followsAskWord(line, at, amount.to);
    return isAsk && !isGluedToLetters(line, at);
  }
  return isAskWithoutUnit(candidate);
}

/** "300m" is a depth. An ask in millions is small or has decimals. */
function isAskWithUnit(amount: Amount): boolean {
  return amount.kind === "whole" && amount.value < 100_000_000;
}

function isAskWithoutUnit({ line, at, amount, strength }: Candidate): boolean {
  if (amount.kind !== "whole" || amount.value < BARE_MIN) return false;
  if (line.tokens[at - 1]?.word === "+" && line.tokens[at]?.isGlued === true) return false;
  // "Z26025" is a stock number. "new12500" is not, because "new" is a known word.
  const isStockNumber =
    strength === "bare" && isGluedToLetters(line, at) && phraseAt(line, at - 1) === undefined;
  return !isStockNumber && !isGluedToMore(line, amount.to);
}

function isGluedToLetters(line: Line, at: number): boolean {
  return line.tokens[at]?.isGlued === true && line.tokens[at - 1]?.kind === "letters";
}

/** Unknown letters, or a slash and digits, right after a bare number make it a reference or a stock number. */
function isGluedToMore(line: Line, at: number): boolean {
  const [sign, next] = [line.tokens[at], line.tokens[at + 1]];
  if (sign?.isGlued !== true) return false;
  if (sign.kind === "letters") return sign.word !== "n" && phraseAt(line, at) === undefined;
  return /^[/_]$/.test(sign.word) && next?.kind === "digits" && next.isGlued;
}

/** "+ label", "shipped": words that only follow an ask. */
function isFollowedBySaleTerm(line: Line, at: number): boolean {
  const plus = /^(\+|plus|and|incl|inc|your)$/.test(line.tokens[at]?.word ?? "") ? 1 : 0;
  const meaning = phraseAt(line, at + plus)?.meaning ?? phraseAt(line, at + plus + 1)?.meaning;
  return plus === 1 || (meaning?.kind === "cue" && meaning.cue === "label");
}

/** "let it go for 24,5", "asking 9.2": one decimal behind a word of asking, in a line with a watch. */
function followsAskWord(line: Line, at: number, to: number): boolean {
  if (line.references.length === 0 || line.tokens[to - 1]?.text.length !== 1) return false;
  return /^(asking|ask|for|at|@|price|only)$/.test(line.tokens[at - 1]?.word ?? "");
}

/** "278271 choco jub 18.5": one decimal at the end of a watch's line. Two decimals would be a date ("10.25"). */
function closesLine(line: Line, at: number, to: number): boolean {
  const decimals = line.tokens[to - 1]?.text.length;
  const reference = line.references.at(-1);
  if (decimals !== 1 || reference === undefined || reference.to > at) return false;
  return line.tokens
    .slice(to, to + CLOSING_SYMBOLS_MAX + 1)
    .every((token) => token.kind === "symbol");
}

/** A line can end in this many decorations. */
const CLOSING_SYMBOLS_MAX = 8;

/** "under 9000", "budget 9000": an upper limit is not an ask. */
function isPriceLimit(line: Line, at: number): boolean {
  for (let start = at - 1; start >= 0 && start >= at - 2; start -= 1) {
    const phrase = phraseAt(line, start);
    if (phrase?.to === at && phrase.meaning.kind === "cue" && phrase.meaning.cue === "limit")
      return true;
  }
  return false;
}

/** Reads "-37%", "(-37% off)", "30% off" or "HKR less 35% off" after an amount. */
function readDiscount(
  line: Line,
  at: number,
): { readonly percent: number; readonly to: number } | undefined {
  const { to: from, isMinus } = skipDiscountWords(line, at);
  const number = readPercent(line, from);
  if (number === undefined) return undefined;
  const isOff = line.tokens[number.to]?.word === "off";
  if (!isMinus && !isOff) return undefined;
  return { percent: number.percent, to: number.to + (isOff ? 1 : 0) };
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
    const word = line.tokens[to]?.word ?? "";
    const meaning = phraseAt(line, to)?.meaning;
    const isRetail = meaning?.kind === "cue" && meaning.cue === "retail";
    if (!isRetail && !/^([(,-]|less|minus|at|disc|discount)$/.test(word)) break;
    isMinus ||= /^(-|less|minus|disc|discount)$/.test(word);
    to += 1;
  }
  return { to, isMinus };
}

/** "37%", "37.5 %". Returns the token after the percent sign as `to`. */
function readPercent(
  line: Line,
  at: number,
): { readonly percent: number; readonly to: number } | undefined {
  const [digits, point, decimals] = line.tokens.slice(at, at + 3);
  if (digits?.kind !== "digits" || digits.text.length > 2) return undefined;
  const hasDecimals =
    point !== undefined &&
    /^[.,]$/.test(point.word) &&
    decimals?.kind === "digits" &&
    decimals.text.length < 3;
  const percent = Number(hasDecimals ? `${digits.text}.${decimals.text}` : digits.text);
  const end = at + (hasDecimals ? 3 : 1);
  return line.tokens[end]?.word === "%" ? { percent, to: end + 1 } : undefined;
}

/** Tokens between the word and its amount, as in "Deposit required: USD 20,000". */
const OTHER_GAP_MAX = 2;

/** "Deposit USD 2,000", "market value 14k", "500 deposit": amounts that are not the ask. */
function findOtherAmounts(line: Line, prices: readonly PriceMention[]): PriceMention[] {
  // "14,100 (list 10,650)".
  const found = prices.filter(
    ({ from }) => line.tokens[from - 1]?.word === "list" && line.tokens[from - 2]?.word === "(",
  );
  for (const phrase of line.phrases) {
    if (phrase.meaning.kind !== "cue" || phrase.meaning.cue !== "other_amount") continue;
    if (
      /^(free|incl|including|included|inkl|plus|no)$/.test(line.tokens[phrase.from - 1]?.word ?? "")
    )
      continue;
    const next = firstFrom(prices, phrase.to);
    const after = next !== undefined && next.from - phrase.to <= OTHER_GAP_MAX ? next : undefined;
    const last = lastUntil(prices, phrase.from);
    const before = last?.to === phrase.from ? last : undefined;
    const isDeposit = /^(deposit|anzahlung|acompte|caparra)$/.test(
      line.tokens[phrase.from]?.word ?? "",
    );
    if (after !== undefined) found.push(after);
    else if (before !== undefined && isDeposit) found.push(before);
  }
  return found;
}

/** Tokens between a retail word and its amount, as in "retail price from the boutique: 88k". */
const RETAIL_GAP_MAX = 4;

/** A retail word is before its amount or right after it. Between two amounts it belongs to the larger one. */
function flagRetailPrices(line: Line, prices: readonly PriceMention[]): PriceMention[] {
  if (prices.length === 0) return [];
  const retail = new Set<PriceMention>(findOtherAmounts(line, prices));
  const words = line.phrases.filter(
    ({ meaning }) => meaning.kind === "cue" && meaning.cue === "retail",
  );
  if (words.length === 0 && retail.size === 0) return [...prices];
  const byEnd = new Map(prices.map((price) => [price.to, price]));
  const byStart = new Map(prices.map((price) => [price.from, price]));
  for (const phrase of words) {
    const before = byEnd.get(phrase.from) ?? byEnd.get(phrase.from - 1);
    let after = byStart.get(phrase.to);
    for (let gap = 1; after === undefined && gap <= RETAIL_GAP_MAX; gap += 1)
      after = byStart.get(phrase.to + gap);
    const isBefore =
      before !== undefined && (after === undefined || amountValue(before) > amountValue(after));
    const chosen = isBefore ? before : after;
    if (chosen !== undefined) retail.add(chosen);
  }
  return retail.size === 0
    ? [...prices]
    : prices.map((price) => (retail.has(price) ? { ...price, isRetail: true } : price));
}

/** Returns the number as written, with its unit. */
export function amountValue(price: PriceMention): number {
  return price.amount.kind === "malformed" ? 0 : price.amount.value;
}
