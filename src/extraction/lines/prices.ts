/**
 * Finds the amounts of money in a line, without deciding yet which one is the ask.
 *
 * Idea: each free number is read with the currency words around it, and gets a strength: how sure the line is that the
 * number is money. A number with a currency or a dollar sign is money. A number without one must pass the checks in
 * `isPriceLike`. `listing/price.ts` then picks the ask of each watch, where strong mentions silence weak ones.
 * Invariant: a price claims its tokens, currency words included.
 *
 * Example: "126334 retail €12.100 now €10.200" gives 12100 EUR (retail) and 10200 EUR (lowered). Both have strength
 * "currency". The reference is claimed, so it is not an amount.
 */
import { firstFrom, isLineEnd, lastUntil, tokenAt, YEAR_LIKE } from "../text/token.ts";
import { type Amount, endsCode, readAmount } from "./amounts.ts";
import { claim, isBehindDescription, isFree, type Line, phraseAt } from "./line.ts";
import { type PriceMention, type PriceStrength, quoteTokens } from "./line-reading.ts";
import {
  findCurrency,
  flagRetailPrices,
  readDiscount,
  signAfter,
  signBefore,
} from "./price-signs.ts";

export function findPrices(line: Line): readonly PriceMention[] {
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
  const isBehindWatch = (line.references[0]?.to ?? Number.POSITIVE_INFINITY) <= at;
  const amount = readAmount(line.tokens, at, isBehindWatch);
  if (amount === undefined || isTailOfNumber(line, at)) return undefined;
  const before = signBefore(line, at);
  const isWeak = isWeakAmount(amount);
  const after = signAfter(line, skipDash(line, amount.to), { before, isWeak });
  const isGrouped = amount.kind === "whole" && amount.isGrouped;
  const currency = findCurrency(line, { before, after }, isGrouped ? at : undefined);
  const hasDollar = before.hasDollar || after.hasDollar;
  const strength = toStrength({ currency, hasDollar, amount });
  if (strength === undefined || isPriceLimit(line, before.edge)) return undefined;
  // "+3.8%": a change, unless it is a discount on the amount before.
  if (line.tokens[amount.to]?.word === "%") return undefined;
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
  const digits = tokenAt(line.tokens, at - 2);
  const separator = tokenAt(line.tokens, at - 1);
  const tail = line.tokens[at];
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
  while (before > at - 3 && /^[:-]$/.test(tokenAt(line.tokens, before)?.word ?? "")) before -= 1;
  const word = tokenAt(line.tokens, before)?.word ?? "";
  if (/^([>\u2192]|now|jetzt|nu|maintenant|ora|ahora)$/.test(word)) return true;
  return (
    word === "to" &&
    /^(reduced|dropped|lowered|down)$/.test(tokenAt(line.tokens, before - 1)?.word ?? "")
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
  if (tokenAt(line.tokens, at - 1)?.word === "+" && line.tokens[at]?.isGlued === true) return false;
  // "Z26025" is a stock number. "new12500" is not, because "new" is a known word.
  const isStockNumber =
    strength === "bare" && isGluedToLetters(line, at) && phraseAt(line, at - 1) === undefined;
  return !isStockNumber && !isGluedToMore(line, amount.to);
}

function isGluedToLetters(line: Line, at: number): boolean {
  return line.tokens[at]?.isGlued === true && tokenAt(line.tokens, at - 1)?.kind === "letters";
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

/** "under 9000", "budget 9000": an upper limit is not an ask. */
function isPriceLimit(line: Line, at: number): boolean {
  for (let start = at - 1; start >= 0 && start >= at - 2; start -= 1) {
    const phrase = phraseAt(line, start);
    if (phrase?.to === at && phrase.meaning.kind === "cue" && phrase.meaning.cue === "limit")
      return true;
  }
  return false;
}

/** "let it go for 24,5", "asking 9.2": one decimal behind a word of asking, in a line with a watch. */
function followsAskWord(line: Line, at: number, to: number): boolean {
  if (line.references.length === 0 || line.tokens[to - 1]?.text.length !== 1) return false;
  return /^(asking|ask|asks|want|wants|for|at|@|price|only|paying|pay)$/.test(
    tokenAt(line.tokens, at - 1)?.word ?? "",
  );
}

/**
 * "278271 choco jub 18.5", and "2023 w/c 28.9" below a reference: one decimal at the end of a line with a watch or a dated
 * piece. Two decimals may be a date ("10.25"), unless the line has one already.
 */
function closesLine(line: Line, at: number, to: number): boolean {
  const reference = line.references.at(-1);
  const watchEnd = reference?.to ?? 0;
  if (watchEnd > at) return isBeforeNextWatch(line, at, to);
  if (reference === undefined && !isDatedPiece(line)) return false;
  const decimals = line.tokens[to - 1]?.text.length;
  if (!isLineEnd(line.tokens, to)) return decimals === 1 && isBetweenDateAndSet(line, at, to);
  if (decimals === 1) return true;
  return decimals === 2 && isBehindDescription(line, at) && hasDateBetween(line, watchEnd, at);
}

/** Symbols between two watches, and the start of the second. */
const SEPARATORS_MAX = 4;

/** "116500LN 2020 26.4 // 116520 2012 19.9": one decimal, a separator, and the next reference. */
function isBeforeNextWatch(line: Line, at: number, to: number): boolean {
  if (line.tokens[to - 1]?.text.length !== 1) return false;
  const between = line.tokens.slice(to, to + SEPARATORS_MAX);
  const end = between.findIndex((token) => token.kind !== "symbol");
  const isSeparated = between.slice(0, end).some(({ word }) => /^[/|;\u2022]$/.test(word));
  if (end < 1 || !isSeparated || lastUntil(line.references, at) === undefined) return false;
  return firstFrom(line.references, to)?.from === to + end;
}

/** "2021 7.7 full set": a decimal right behind the date and right before a set or a condition. */
function isBetweenDateAndSet(line: Line, at: number, to: number): boolean {
  const meaning = isDateToken(line, at - 1) ? phraseAt(line, to)?.meaning : undefined;
  return meaning?.kind === "set" || meaning?.kind === "condition";
}

function hasDateBetween(line: Line, from: number, to: number): boolean {
  for (let at = from; at < to; at += 1) if (isDateToken(line, at)) return true;
  return false;
}

/** Dates claim their tokens before prices are read, and so do measures ("41mm"). */
function isDateToken({ tokens, claimed }: Line, at: number): boolean {
  if (claimed[at] !== true) return false;
  const before = tokenAt(tokens, at - 1)?.word ?? "";
  return YEAR_LIKE.test(tokens[at]?.text ?? "") || /^(n|[/.])$/.test(before);
}

/** "2023 w/c 28.9", "2025 new full set 31.2": a year, and then a set or a condition. */
function isDatedPiece(line: Line): boolean {
  const year = line.tokens.findIndex((token) => token.kind !== "symbol");
  if (!YEAR_LIKE.test(line.tokens[year]?.text ?? "")) return false;
  const meaning = phraseAt(line, year + 1)?.meaning;
  return meaning?.kind === "set" || meaning?.kind === "condition";
}
