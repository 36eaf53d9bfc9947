import { endsCurrency, isFree, type Line, phraseAt } from "../lines/line.ts";

/** The currency words and symbols on one side of an amount. */
export interface CurrencySign {
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
  while (edge > 0 && /^[$:.=~-]$/.test(line.tokens[edge - 1]?.word ?? "")) {
    const sign = line.tokens[edge - 1];
    if (sign?.word === "$") hasDollar = true;
    else if (hasDollar || !isAfterCurrency(line, edge - 1)) break;
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
    const touches = line.tokens[edge]?.isGlued === true;
    if (!isFree(line, from) || (isAmbiguousCode(line, from) && !touches)) return undefined;
    return { currency: phrase.meaning.currency, edge: from };
  }
  return undefined;
}

/** "HKD: 500k", "EUR - 500": a colon or dash is part of the price only if a currency is before it. */
function isAfterCurrency(line: Line, at: number): boolean {
  return endsCurrency(line, at) || line.tokens[at - 1]?.word === "$";
}

/** "hk" is also a place and "u" also a word. They are currencies only if they touch an amount or follow a large one. */
function isAmbiguousCode(line: Line, at: number): boolean {
  const word = line.tokens[at]?.word;
  return (word === "hk" || word === "u") && phraseAt(line, at)?.to === at + 1;
}

/** "2023 hk" is a year and a place. Five digits, or a last group of three, cannot be a year. */
function isDoubtfulCode(line: Line, at: number): boolean {
  if (!isAmbiguousCode(line, at) || line.tokens[at]?.isGlued === true) return false;
  const before = line.tokens[at - 1];
  return before?.kind === "digits" && before.text.length < 5 && before.text.length !== 3;
}

export function signAfter(line: Line, at: number, before: CurrencySign): CurrencySign {
  let edge = at;
  let hasDollar = false;
  while (
    line.tokens[edge]?.word === "$" &&
    (line.tokens[edge]?.isGlued === true || line.tokens[edge + 1]?.kind !== "digits")
  ) {
    hasDollar = true;
    edge += 1;
  }
  const phrase = phraseAt(line, edge);
  if (phrase?.meaning.kind !== "currency") return { currency: undefined, hasDollar, edge };
  // "hkd130k usd16k": the second code belongs to the amount after it.
  const next = line.tokens[phrase.to];
  const startsNextAmount =
    next?.kind === "digits" ||
    (next?.word === "$" && line.tokens[phrase.to + 1]?.kind === "digits");
  if (startsNextAmount && (before.currency !== undefined || before.hasDollar))
    return { currency: undefined, hasDollar, edge };
  if (isDoubtfulCode(line, edge)) return { currency: undefined, hasDollar, edge };
  return { currency: phrase.meaning.currency, hasDollar, edge: phrase.to };
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
  return line.tokens[groupedAt - 1]?.word === "rm" ? "MYR" : undefined;
}
