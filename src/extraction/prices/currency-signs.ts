import { endsCurrency, isFree, type Line, phraseAt } from "../lines/line.ts";
import { tokenAt } from "../lines/token.ts";

/** The currency words and symbols on one side of an amount. */
interface CurrencySign {
  readonly currency: string | undefined;
  readonly hasDollar: boolean;
  /** Before the amount: the first token of the currency. After it: the token that follows the currency. */
  readonly edge: number;
}

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
