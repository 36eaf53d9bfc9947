/**
 * What the signs and words beside an amount say: its currency, a discount, or that it is no ask but a list price, a deposit,
 * a shipping cost or an exchange rate.
 */
import { firstFrom, lastUntil, tokenAt } from "../text/token.ts";
import type { PhraseMatch } from "../words/lexicon.ts";
import { endsCurrency, isFree, type Line, phraseAt } from "./line.ts";
import { amountValue, type PriceMention } from "./line-reading.ts";

/** The currency words and symbols on one side of an amount. */
interface CurrencySign {
  readonly currency: string | undefined;
  readonly hasDollar: boolean;
  /** Before the amount: the first token of the currency. After it: the token that follows the currency. */
  readonly edge: number;
}

/** Reads the currency before an amount: "HKD 95,000", "EUR: 500", "$500". */
export function signBefore(line: Line, at: number): CurrencySign {
  const touching = currencyBefore(line, at);
  if (touching !== undefined)
    return { currency: touching.currency, hasDollar: false, edge: touching.edge };
  let edge = at;
  let hasDollar = false;
  while (edge > 0 && /^[$:.=~>\u2192-]$/.test(line.tokens[edge - 1]?.word ?? "")) {
    const sign = line.tokens[edge - 1];
    if (sign?.word === "$") hasDollar = true;
    // "SGD->16,450": the dash before the tip of the arrow decides.
    else if (hasDollar || !isAfterCurrency(line, sign?.word === ">" ? edge - 2 : edge - 1)) break;
    edge -= 1;
  }
  const found = edge === at ? undefined : currencyBefore(line, edge);
  if (found !== undefined) return { currency: found.currency, hasDollar, edge: found.edge };
  return { currency: undefined, hasDollar, edge: hasDollar ? edge : at };
}

function currencyBefore(
  line: Line,
  edge: number,
): { readonly currency: string; readonly edge: number } | undefined {
  if (!endsCurrency(line, edge)) return undefined;
  for (let from = edge - 1; from >= 0 && from >= edge - 3; from -= 1) {
    const phrase = phraseAt(line, from);
    if (phrase?.to !== edge || phrase.meaning.kind !== "currency") continue;
    const isCertain = line.tokens[edge]?.isGlued === true || startsLargeAmount(line, edge);
    if (!isFree(line, from) || (isAmbiguousCode(line, from) && !isCertain)) return undefined;
    return { currency: phrase.meaning.currency, edge: from };
  }
  return undefined;
}

/** "HK 118k", "HK 95,000": an amount that cannot be a year or a count. */
function startsLargeAmount(line: Line, at: number): boolean {
  const [digits, next] = [line.tokens[at], line.tokens[at + 1]];
  if (!/^(hk|us)$/.test(tokenAt(line.tokens, at - 1)?.word ?? "") || digits?.kind !== "digits")
    return false;
  if (digits.text.length >= 5) return true;
  return next?.isGlued === true && /^[km,.]$/.test(next.word);
}

/** "HKD: 500k", "EUR - 500": a colon or dash is part of the price only if a currency is before it. */
function isAfterCurrency(line: Line, at: number): boolean {
  return endsCurrency(line, at) || tokenAt(line.tokens, at - 1)?.word === "$";
}

/** "hk" is also a place, "u" and "us" are also words. They are currencies only if they touch an amount or follow a large one. */
function isAmbiguousCode(line: Line, at: number): boolean {
  const word = line.tokens[at]?.word;
  return (word === "hk" || word === "u" || word === "us") && phraseAt(line, at)?.to === at + 1;
}

/** "2023 hk" is a year and a place. Five digits, or a last group of three, cannot be a year. */
function isDoubtfulCode(line: Line, at: number): boolean {
  if (!isAmbiguousCode(line, at) || line.tokens[at]?.isGlued === true) return false;
  const before = tokenAt(line.tokens, at - 1);
  if (line.tokens[at]?.word === "us") return true;
  return before?.kind === "digits" && before.text.length < 5 && before.text.length !== 3;
}

/**
 * Reads the currency after an amount: "11k usd", "124k (usdt)". `isWeak` says that the number can hardly be an amount
 * ("2022", "10.5"), so a code between it and the next number belongs to that one: "2022 HKD 71,500".
 */
export function signAfter(
  line: Line,
  at: number,
  context: { readonly before: CurrencySign; readonly isWeak: boolean },
): CurrencySign {
  const { before } = context;
  let edge = at;
  let hasDollar = false;
  while (
    line.tokens[edge]?.word === "$" &&
    (line.tokens[edge]?.isGlued === true || line.tokens[edge + 1]?.kind !== "digits")
  ) {
    hasDollar = true;
    edge += 1;
  }
  const isBracketed = line.tokens[edge]?.word === "(";
  const phrase = phraseAt(line, isBracketed ? edge + 1 : edge);
  const none = { currency: undefined, hasDollar, edge };
  if (phrase?.meaning.kind !== "currency" || isDoubtfulCode(line, phrase.from)) return none;
  const { currency } = phrase.meaning;
  if (isBracketed) {
    const isClosed = line.tokens[phrase.to]?.word === ")";
    return isClosed ? { currency, hasDollar, edge: phrase.to + 1 } : none;
  }
  // "hkd130k usd16k": the second code belongs to the amount after it.
  const next = nextAmountAfter(line, phrase.to);
  const isPrefixed = before.currency !== undefined || before.hasDollar || context.isWeak;
  const touchesThis = line.tokens[phrase.from]?.isGlued === true;
  const touchesNext = next === phrase.to && line.tokens[next]?.isGlued === true;
  if (next !== undefined && !touchesThis && (isPrefixed || touchesNext || isOnlyCode(line, next)))
    return none;
  return { currency, hasDollar, edge: phrase.to };
}

/** "720k usdt 92k": the next amount has a unit and no code of its own behind it. */
function isOnlyCode(line: Line, next: number): boolean {
  let unit = next + 1;
  while (
    unit < next + 3 &&
    line.tokens[unit]?.isGlued === true &&
    line.tokens[unit]?.kind !== "letters"
  )
    unit += 1;
  if (!/^[km]$/.test(line.tokens[unit]?.word ?? "") || line.tokens[unit]?.isGlued !== true)
    return false;
  return !line.phrases.some(({ from, meaning }) => from > next && meaning.kind === "currency");
}

/** Returns the free number behind the code, or behind a colon or a dollar sign after it. */
function nextAmountAfter(line: Line, at: number): number | undefined {
  let next = at;
  while (next < at + 3 && /^[$:~>\u2192-]$/.test(line.tokens[next]?.word ?? "")) next += 1;
  return line.tokens[next]?.kind === "digits" && isFree(line, next) ? next : undefined;
}

/**
 * A currency before the amount wins: "€44k usdt" is in euros, and USDT is the way of payment. A code wins over a bare `$`.
 * "RM 45,000": before a grouped amount, RM is the Malaysian ringgit and not Richard Mille.
 */
export function findCurrency(
  line: Line,
  signs: { readonly before: CurrencySign; readonly after: CurrencySign },
  groupedAt: number | undefined,
): string | undefined {
  const { before, after } = signs;
  // The symbol of the yen is also used for the yuan, so a code after the amount wins over it.
  if (before.currency !== undefined && before.currency !== "JPY") return before.currency;
  const currency = after.currency ?? before.currency;
  if (currency !== undefined || groupedAt === undefined) return currency;
  return tokenAt(line.tokens, groupedAt - 1)?.word === "rm" ? "MYR" : undefined;
}

/** Reads "-37%", "(-37% off)", "30% off" or "HKR less 35% off" after an amount. */
export function readDiscount(
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

/** Tokens between a retail word and its amount, as in "retail price from the boutique: 88k". */
const RETAIL_GAP_MAX = 4;

const ASK_WORDS = /^(asking|ask|now|need|yours)$/;

/**
 * Flags the amounts that are no asks. A retail word is before its amount or right after it. Between two amounts it belongs
 * to the larger one.
 */
export function flagRetailPrices(
  line: Line,
  prices: readonly PriceMention[],
): readonly PriceMention[] {
  if (prices.length === 0) return prices;
  const others = findOtherAmounts(line, prices);
  if (others.length === 0 && !line.phrases.some(isRetailWord)) return prices;
  const retail = new Set<PriceMention>(others);
  const words = line.phrases.filter(isRetailWord);
  const byEnd = new Map(prices.map((price) => [price.to, price]));
  const byStart = new Map(prices.map((price) => [price.from, price]));
  for (const phrase of words) {
    const before = byEnd.get(phrase.from) ?? byEnd.get(phrase.from - 1);
    let after = byStart.get(phrase.to);
    for (let gap = 1; after === undefined && gap <= RETAIL_GAP_MAX; gap += 1) {
      // "Retail was 13.7 asking 7,950".
      if (ASK_WORDS.test(line.tokens[phrase.to + gap - 1]?.word ?? "")) break;
      after = byStart.get(phrase.to + gap);
    }
    const isBefore =
      before !== undefined && (after === undefined || amountValue(before) > amountValue(after));
    const chosen = isBefore ? before : after;
    if (chosen !== undefined) retail.add(chosen);
  }
  return prices.map((price) => (retail.has(price) ? { ...price, isRetail: true } : price));
}

function isRetailWord({ meaning }: PhraseMatch): boolean {
  return meaning.kind === "cue" && meaning.cue === "retail";
}

/** Tokens between the word and its amount, as in "Deposit required: USD 20,000". */
const OTHER_GAP_MAX = 2;

/** "Deposit USD 2,000", "market value 14k", "500 deposit": amounts that are not the ask. */
function findOtherAmounts(line: Line, prices: readonly PriceMention[]): PriceMention[] {
  const found = prices.filter(
    (price) =>
      (prices.length > 1 && isListPriceBefore(line, price)) ||
      isShippingCost(line, price) ||
      isExchangeRate(line, price),
  );
  for (const phrase of line.phrases) {
    if (phrase.meaning.kind !== "cue" || phrase.meaning.cue !== "other_amount") continue;
    if (
      /^(free|incl|including|included|inkl|plus|no)$/.test(
        tokenAt(line.tokens, phrase.from - 1)?.word ?? "",
      )
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

/** "14,100 (list 10,650)", "list is $26,400, I need $18,900". */
function isListPriceBefore({ tokens }: Line, { from }: PriceMention): boolean {
  const isJoined = /^(is|was|at|of|:|=)$/.test(tokenAt(tokens, from - 1)?.word ?? "");
  return tokenAt(tokens, isJoined ? from - 2 : from - 1)?.word === "list";
}

/** No shipping costs more, in any currency that dealers use. */
const SHIPPING_MAX = 1000;

/** "Insured shipping 250€": a small amount right behind the word. */
function isShippingCost(line: Line, price: PriceMention): boolean {
  return (
    tokenAt(line.tokens, price.from - 1)?.word === "shipping" && amountValue(price) < SHIPPING_MAX
  );
}

/** Tokens between the word and the rate, as in "rate to hkd 7.8". */
const RATE_GAP_MAX = 3;

/** "US$ 46,500 (rate to hkd 7.8)": what a US dollar costs in Hong Kong. */
function isExchangeRate({ tokens }: Line, { from, to }: PriceMention): boolean {
  for (let at = from - 1; at >= 0 && at >= from - RATE_GAP_MAX; at -= 1) {
    if (tokens[at]?.word !== "rate") continue;
    const amount = tokens.slice(from, to).map(({ text }) => text);
    return /^(?:hkd|usdt?|us\$|\$)?7[.,][78]\d?(?:hkd)?$/i.test(amount.join(""));
  }
  return false;
}
