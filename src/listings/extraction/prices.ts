import { type Amount, readAmount } from "./amounts.ts";
import { claim, isFree, type Line, phraseAt, textBetween } from "./line.ts";
import { type CurrencySign, findCurrency, signAfter, signBefore } from "./price-signs.ts";

/** How sure the line is that a number is money; a stronger mention silences the weaker ones of its watch. */
export type PriceStrength = "currency" | "dollar" | "unit" | "grouped" | "bare";

export const STRENGTH_RANK: Readonly<Record<PriceStrength, number>> = {
  currency: 4,
  dollar: 3,
  unit: 2,
  grouped: 1,
  bare: 0,
};

/** An amount of money in a line: tokens `from` up to but without `to`, currency words included. */
export interface PriceMention {
  readonly from: number;
  readonly to: number;
  readonly amount: Amount;
  readonly strength: PriceStrength;
  /** The currency that stands beside the amount; a bare `$` leaves it open. */
  readonly currency: string | undefined;
  readonly isRetail: boolean;
  /** Behind an arrow: what the price before it was lowered to. */
  readonly isLowered: boolean;
  /** "-37 %" behind a list price. */
  readonly discountPercent: number | undefined;
  readonly words: string;
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
  if (amount === undefined) return undefined;
  const before = signBefore(line, at);
  const after = signAfter(line, skipDash(line, amount.to), before);
  const isGrouped = amount.kind === "whole" && amount.isGrouped;
  const currency = findCurrency(line, { before, after }, isGrouped ? at : undefined);
  const hasDollar = before.hasDollar || after.hasDollar;
  const strength = toStrength({ currency, hasDollar, amount });
  if (strength === undefined || isPriceLimit(line, before.edge)) return undefined;
  if (!isPriceLike({ line, at, amount, strength, after })) return undefined;
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
    words: textBetween(line, before.edge, to),
  };
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

/** ",-", ".-" and "/-" close a price. */
function skipDash(line: Line, at: number): number {
  const [sign, dash] = [line.tokens[at], line.tokens[at + 1]];
  const closesLine =
    sign !== undefined && /^[.,/]$/.test(sign.word) && (sign.isGlued || sign.word === "/");
  return closesLine && dash?.word === "-" && dash.isGlued ? at + 2 : at;
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

/** The least that a bare number must be to be taken for an ask. */
const PLAIN_MIN = 1000;

function isPriceLike(price: {
  readonly line: Line;
  readonly at: number;
  readonly amount: Amount;
  readonly strength: PriceStrength;
  readonly after: CurrencySign;
}): boolean {
  const { line, at, amount, strength } = price;
  if (strength === "currency" || strength === "dollar") return true;
  const before = line.tokens[at - 1];
  const isInsideWord = line.tokens[at]?.isGlued === true && before?.kind === "letters";
  if (strength === "unit") {
    // "300m" is a depth and "18k" a fineness; an ask in millions is small or has decimals.
    if (amount.kind !== "whole") return false;
    if (amount.value >= 100_000_000) return false;
    return (
      !(amount.value === 18_000 || amount.value === 14_000) || isFollowedBySaleTerm(line, amount.to)
    );
  }
  if (amount.kind === "short")
    return (
      (isFollowedBySaleTerm(line, amount.to) || closesLine(line, at, amount.to)) && !isInsideWord
    );
  if (amount.kind !== "whole" || amount.value < PLAIN_MIN) return false;
  if (line.tokens[at - 1]?.word === "+" && line.tokens[at]?.isGlued === true) return false;
  // "Z26025" is a stock number; "new12500" is not.
  if (isInsideWord && strength === "bare" && phraseAt(line, at - 1) === undefined) return false;
  return !isGluedToMore(line, amount.to);
}

/** Letters or signs with digits, glued behind a bare number, make it something else: a reference, a stock number. */
function isGluedToMore(line: Line, at: number): boolean {
  const [sign, next] = [line.tokens[at], line.tokens[at + 1]];
  if (sign?.isGlued !== true) return false;
  if (sign.kind === "letters") return sign.word !== "n" && phraseAt(line, at) === undefined;
  return /^[/_]$/.test(sign.word) && next?.kind === "digits" && next.isGlued;
}

/** "+ label", "shipped", "obo": what follows only an ask. */
function isFollowedBySaleTerm(line: Line, at: number): boolean {
  const plus = /^(\+|plus|and|incl|inc|your)$/.test(line.tokens[at]?.word ?? "") ? 1 : 0;
  const meaning = phraseAt(line, at + plus)?.meaning ?? phraseAt(line, at + plus + 1)?.meaning;
  return plus === 1 || (meaning?.kind === "cue" && meaning.cue === "label");
}

/** "278271 choco jub 18.5": a decimal that closes a watch's line; two decimals would be a date ("10.25"). */
function closesLine(line: Line, at: number, to: number): boolean {
  const decimals = line.tokens[to - 1]?.text.length;
  const reference = line.references.at(-1);
  if (decimals !== 1 || reference === undefined || reference.to > at) return false;
  return line.tokens
    .slice(to, to + CLOSING_SIGNS_MAX + 1)
    .every((token) => token.kind === "symbol");
}

/** So many ornaments may close a line. */
const CLOSING_SIGNS_MAX = 8;

function isPriceLimit(line: Line, at: number): boolean {
  for (let start = at - 1; start >= 0 && start >= at - 2; start -= 1) {
    const phrase = phraseAt(line, start);
    if (phrase?.to === at && phrase.meaning.kind === "cue" && phrase.meaning.cue === "limit")
      return true;
  }
  return false;
}

/** "-37%", "(-37% off)", "30% off", "HKR less 35% off" behind an amount. */
function readDiscount(
  line: Line,
  at: number,
): { readonly percent: number; readonly to: number } | undefined {
  let next = at;
  let isMinus = false;
  while (next < at + 4) {
    const word = line.tokens[next]?.word ?? "";
    const meaning = phraseAt(line, next)?.meaning;
    const isRetail = meaning?.kind === "cue" && meaning.cue === "retail";
    if (!isRetail && !/^([(,-]|less|minus|at|disc|discount)$/.test(word)) break;
    isMinus ||= /^(-|less|minus|disc|discount)$/.test(word);
    next += 1;
  }
  const digits = line.tokens[next];
  if (digits?.kind !== "digits" || digits.text.length > 2) return undefined;
  let to = next + 1;
  let percent = Number(digits.text);
  const [point, decimals] = [line.tokens[to], line.tokens[to + 1]];
  if (
    point !== undefined &&
    /^[.,]$/.test(point.word) &&
    decimals?.kind === "digits" &&
    decimals.text.length < 3
  ) {
    percent = Number(`${digits.text}.${decimals.text}`);
    to += 2;
  }
  if (line.tokens[to]?.word !== "%") return undefined;
  const isOff = line.tokens[to + 1]?.word === "off";
  if (!isMinus && !isOff) return undefined;
  return { percent, to: to + (isOff ? 2 : 1) };
}

/** "Retail price from the boutique: 88k": so many words and signs may stand between. */
const RETAIL_GAP_MAX = 4;

/** A retail word stands before its amount or right behind it; between two amounts it means the greater one. */
function flagRetailPrices(line: Line, prices: readonly PriceMention[]): PriceMention[] {
  const retail = new Set<PriceMention>();
  const byEnd = new Map(prices.map((price) => [price.to, price]));
  const byStart = new Map(prices.map((price) => [price.from, price]));
  for (const phrase of line.phrases) {
    if (phrase.meaning.kind !== "cue" || phrase.meaning.cue !== "retail") continue;
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

function amountValue(price: PriceMention): number {
  return price.amount.kind === "malformed" ? 0 : price.amount.value;
}
