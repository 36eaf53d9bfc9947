/**
 * One amount of money that a person types, read as the messages of dealers are.
 *
 * Idea: a field knows its currency, so "138.000" in a field in HKD is read as a dealer's "HKD 138.000" is, and a currency that is
 * typed comes first. All of the text must be the amount: what is left over is no guess.
 * Invariant: an amount as the console shows it, typed again, is the same amount.
 *
 * Examples in HKD: "138k", "138.000", "13.8\u4E07" and "HK$138,000" are 138,000; "1.38" is 1,380,000; "eur 15.2" is 15,200 EUR;
 * "138", which no watch costs, is 138,000, as in a search; "44k-47k" is `several_amounts`.
 */
import type { Catalogue } from "../../extraction/catalogue/catalogue.ts";
import { type Amount, readAmount } from "../../extraction/lines/amounts.ts";
import {
  findCurrency,
  NO_SIGN,
  signAfter,
  signBefore,
} from "../../extraction/lines/currency-signs.ts";
import { analyzeLine, type Line } from "../../extraction/lines/line.ts";
import { skipDash } from "../../extraction/lines/prices.ts";
import { sharedSign, toUnits } from "../../extraction/listing/price.ts";
import { toNormalLine } from "../../extraction/text/normalize.ts";
import { isSign, tokenAt } from "../../extraction/text/token.ts";
import { DOLLARS, PRICE_RANGES } from "../../extraction/words/currencies.ts";
import { toOneLine } from "./typed-line.ts";

/** What a watch costs, where dealers leave units out, or any other amount, such as costs. */
export const AMOUNT_KINDS = ["watch", "other"] as const;
export type AmountKind = (typeof AMOUNT_KINDS)[number];

/** Characters of an amount. */
export const AMOUNT_LENGTH_MAX = 60;

/** Why a text is no amount. */
export const AMOUNT_PROBLEMS = [
  "no_amount",
  "malformed_number",
  "several_amounts",
  "unknown_words",
  "unit_contradicts_size",
  "currency_missing",
] as const;
export type AmountProblem = (typeof AMOUNT_PROBLEMS)[number];

export interface TypedAmount {
  readonly amount_minor: number;
  readonly currency: string;
}

interface AmountField {
  readonly catalogue: Catalogue;
  readonly kind: AmountKind;
  /** Of an amount that names none. */
  readonly currency?: string | undefined;
}

/** Returns the reason if it would be a guess. */
export function readTypedAmount(text: string, field: AmountField): TypedAmount | AmountProblem {
  const { catalogue, kind } = field;
  const { written, currency: usual } = takeCode(toOneLine(text).trim(), field.currency);
  const own = readAlone(written, catalogue);
  const isNamed = typeof own === "object" && own.currency !== undefined;
  // Without a currency beside them, "138 000" are two numbers.
  const found = isNamed ? own : readAlone(`${wordOf(usual)} ${written}`, catalogue);
  if (typeof found === "string") return typeof own === "string" ? own : found;
  const currency = isNamed ? currencyOf(own, written, usual) : usual;
  if (currency === undefined) return "currency_missing";
  const units = toTypedUnits(found, { kind, currency, written });
  if (typeof units === "string") return units;
  const minor = Math.round(units * 100);
  return minor <= TYPED_MINOR_MAX ? { amount_minor: minor, currency } : "unit_contradicts_size";
}

/** No watch costs more, in no currency. */
const TYPED_MINOR_MAX = 10_000_000_000_000;

/** "HK$138,000" in a field in HKD, "5,000 XAF" in any: a name of the field's own currency, or a code. */
function takeCode(
  text: string,
  usual: string | undefined,
): { readonly written: string; readonly currency: string | undefined } {
  const code = /^([A-Z]{3})[\s\d]|[\s\d]([A-Z]{3})$/i.exec(text);
  const typed = (code?.[1] ?? code?.[2] ?? "").toUpperCase();
  const currency = Intl.supportedValuesOf("currency").includes(typed) ? typed : usual;
  for (const name of currency === undefined ? [] : namesOf(currency)) {
    const [start, end] = [text.slice(0, name.length), text.slice(-name.length)];
    const [rest, before] = [text.slice(name.length), text.slice(0, -name.length)];
    if (start.toUpperCase() === name && /^\s*\d/.test(rest))
      return { written: rest.trim(), currency };
    if (end.toUpperCase() === name && /\d$|\d.*\s$/.test(before))
      return { written: before.trim(), currency };
  }
  return { written: text, currency: usual };
}

function namesOf(currency: string): readonly string[] {
  if (!/^[A-Z]{3}$/.test(currency)) return [currency];
  const format = new Intl.NumberFormat("en-GB", { style: "currency", currency });
  const sign = format.formatToParts(0).find(({ type }) => type === "currency")?.value;
  return sign === undefined ? [currency] : [currency, sign.toUpperCase()];
}

/** What stands before an amount that names no currency. In Hong Kong "6 mil" are six millions; all others are written like the euro. */
function wordOf(currency = "EUR"): string {
  return PRICE_RANGES.get(currency)?.shortFactor === 1_000_000 ? currency : "EUR";
}

/** An amount that is all of a text. */
interface Alone {
  readonly amount: Amount;
  /** Hundredths behind a number without separators: "9950.50". */
  readonly cents: number;
  readonly currency: string | "dollar" | undefined;
}

function readAlone(text: string, catalogue: Catalogue): Alone | AmountProblem {
  const source = toNormalLine(text, 0);
  const line = analyzeLine(source, catalogue, { brands: new Set(), hasReference: false });
  const { tokens } = line;
  const at = tokens.findIndex((_, index) => readAmount(line, index) !== undefined);
  const amount = at < 0 ? undefined : readAmount(line, at);
  if (amount === undefined) return "no_amount";
  if (tokenAt(tokens, at - 1)?.word === "-") return "unknown_words";
  const cents = readCents(line, at, amount);
  const end = skipDash(line, cents?.to ?? amount.to);
  const [before, after] = [signBefore(line, at, amount), signAfter(line, end)];
  const from = before === NO_SIGN ? at : before.edge;
  const to = after === NO_SIGN ? end : after.edge;
  if (amount.kind === "malformed") return "malformed_number";
  if (from > 0 || to < tokens.length) {
    const isNumber = tokens.slice(to).some(({ kind }) => kind === "digits");
    return isNumber || amount.kind === "range" ? "several_amounts" : "unknown_words";
  }
  const hasDollar = before.hasDollar || after.hasDollar;
  const currency = findCurrency(before, after) ?? (hasDollar ? "dollar" : undefined);
  return { amount, cents: cents?.value ?? 0, currency };
}

/** In a message "9950.50" may be a stock number; alone it is an amount with cents. */
function readCents(
  { tokens }: Line,
  at: number,
  amount: Amount,
): { readonly value: number; readonly to: number } | undefined {
  const [point, digits] = [tokens[at + 1], tokens[at + 2]];
  if (amount.kind !== "whole" || amount.hasUnit || amount.to !== at + 1) return undefined;
  if (!isSign(point, ".,") || point?.isGlued !== true || digits?.isGlued !== true) return undefined;
  return /^\d\d?$/.test(digits.text)
    ? { value: Number(digits.text.padEnd(2, "0")), to: at + 3 }
    : undefined;
}

function currencyOf({ currency }: Alone, written: string, usual: string | undefined) {
  if (currency === "dollar") return usual !== undefined && DOLLARS.has(usual) ? usual : "USD";
  return currency === undefined ? usual : sharedSign(currency, written, usual);
}

/** Below it, a person who types no unit means thousands: no watch costs so little. */
const SMALL_FACTOR = 1000;

function toTypedUnits(
  { amount, cents }: Alone,
  field: { readonly kind: AmountKind; readonly currency: string; readonly written: string },
): number | AmountProblem {
  const { kind, currency, written } = field;
  if (amount.kind === "malformed") return "malformed_number";
  if (amount.kind === "range") return "several_amounts";
  const value = amount.value + cents / 100;
  const hasCents = amount.kind === "short" && amount.hasCents && value >= 100;
  if (kind === "other" || cents > 0 || hasCents) return value;
  const units = toUnits({ amount, quote: { words: written, lineSpans: [] } }, currency);
  if (typeof units === "number") return units;
  return units === "unit_unknown" ? value * SMALL_FACTOR : "unit_contradicts_size";
}
