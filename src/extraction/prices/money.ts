import { COUNTRY_CURRENCIES, DOLLARS } from "../catalogue/currency-words.ts";
import type { FieldSource, LeftOut, Price } from "../extraction.ts";
import type { Amount } from "./amounts.ts";
import type { PriceMention } from "./price-mention.ts";

/** Where the currency of a bare `$` or a bare number comes from, in this order. */
export interface CurrencyHints {
  /** A currency in a header line. */
  readonly header: string | undefined;
  readonly place: string | undefined;
  readonly defaultCurrency: string | undefined;
  readonly senderCountry: string | undefined;
}

type MoneyReading =
  | { readonly kind: "price"; readonly price: Price; readonly currencySource: FieldSource }
  | { readonly kind: "left_out"; readonly reason: LeftOut["reason"] };

export function toMoney(mention: PriceMention, hints: CurrencyHints): MoneyReading {
  if (mention.amount.kind === "malformed") return { kind: "left_out", reason: "malformed_number" };
  const currency = chooseCurrency(mention, hints);
  if (currency === undefined) return { kind: "left_out", reason: "currency_unknown" };
  const amount = toUnits(mention, currency.code);
  if (typeof amount !== "number") return { kind: "left_out", reason: amount.reason };
  const factor = mention.discountPercent === undefined ? 1 : (100 - mention.discountPercent) / 100;
  const amountMinor = Math.round(amount * 100 * (mention.isRetail ? 1 : factor));
  return {
    kind: "price",
    price: { amountMinor, currency: currency.code },
    currencySource: currency.source,
  };
}

function chooseCurrency(
  mention: PriceMention,
  hints: CurrencyHints,
): { readonly code: string; readonly source: FieldSource } | undefined {
  if (mention.currency !== undefined) return { code: mention.currency, source: "explicit" };
  const fits = (code: string | undefined): code is string =>
    code !== undefined && (mention.strength !== "dollar" || DOLLARS.has(code));
  if (fits(hints.header)) return { code: hints.header, source: "section" };
  if (fits(hints.place)) return { code: hints.place, source: "section" };
  if (fits(hints.defaultCurrency)) return { code: hints.defaultCurrency, source: "default" };
  const home = COUNTRY_CURRENCIES[hints.senderCountry ?? ""];
  return fits(home) ? { code: home, source: "default" } : undefined;
}

/** What a watch can cost, in units of the currency. Outside of this range a unit is missing or wrong. */
interface Range {
  readonly min: number;
  readonly max: number;
  /** The unit of a small decimal without one: "13,5" is 13,500 euros. */
  readonly shortFactor: number;
  /** A decimal from this value on is not an amount with an omitted unit. */
  readonly shortMax: number;
  /** "2.60k": from this amount on, thousands can have decimals. Below it the dealer meant another unit. */
  readonly decimalThousandsMin: number;
}

/** Chosen from the market: dealers trade from a few hundred euros to about ten million. */
const EURO_LIKE: Range = {
  min: 250,
  max: 20_000_000,
  shortFactor: 1000,
  shortMax: 1000,
  decimalThousandsMin: 0,
};
const IN_TEN_THOUSANDS = { shortFactor: 10_000, shortMax: 1000, decimalThousandsMin: 0 };
const IN_MILLIONS = { shortFactor: 1_000_000, shortMax: 30, decimalThousandsMin: 10_000 };
const RANGES: ReadonlyMap<string, Range> = new Map([
  ["HKD", { ...IN_MILLIONS, min: 2000, max: 100_000_000 }],
  ["CNY", { ...IN_TEN_THOUSANDS, min: 2000, max: 100_000_000 }],
  ["AED", { ...EURO_LIKE, min: 1000, max: 80_000_000 }],
  ["TWD", { ...IN_TEN_THOUSANDS, min: 10_000, max: 500_000_000 }],
  ["THB", { ...IN_MILLIONS, min: 10_000, max: 500_000_000 }],
  ["JPY", { ...IN_TEN_THOUSANDS, min: 50_000, max: 2_000_000_000 }],
  ["KRW", { ...IN_TEN_THOUSANDS, min: 500_000, max: 20_000_000_000 }],
  ["INR", { ...EURO_LIKE, min: 20_000, max: 2_000_000_000 }],
  ["PHP", { ...EURO_LIKE, min: 15_000, max: 1_000_000_000 }],
  ["IDR", { ...IN_MILLIONS, min: 4_000_000, max: 300_000_000_000, shortMax: 1000 }],
  ["VND", { ...IN_MILLIONS, min: 6_000_000, max: 500_000_000_000, shortMax: 1000 }],
  ["RUB", { ...EURO_LIKE, min: 20_000, max: 2_000_000_000 }],
  ["TRY", { ...EURO_LIKE, min: 10_000, max: 1_000_000_000 }],
]);

/** A bare decimal from here on is rather a column of a table than millions, unless a currency is next to it. */
const BARE_MILLIONS_MAX = 10;

/** "51000k", "5671K": dealers do not write this many thousands with a k. */
const THOUSANDS_MAX = 5000;

type Units = number | { readonly reason: LeftOut["reason"] };

function toUnits({ amount, strength }: PriceMention, currency: string): Units {
  if (amount.kind === "malformed") return { reason: "malformed_number" };
  const range = RANGES.get(currency) ?? EURO_LIKE;
  if (amount.kind === "short") {
    const isCertain = strength === "currency" || range.shortFactor < 1_000_000;
    return shortToUnits(amount, isCertain ? range.shortMax : BARE_MILLIONS_MAX, range);
  }
  const { value } = amount;
  if (amount.hasUnit)
    return contradicts(amount, range) ? { reason: "unit_contradicts_size" } : value;
  const millions = omittedMillions(amount, range);
  if (millions !== undefined) return millions;
  if (value < range.min) return { reason: "unit_unknown" };
  return value > range.max ? { reason: "unit_contradicts_size" } : value;
}

/** "13,5" is 13,500 euros. "450.00" has cents. "150.50" could be either, so it is left out. */
function shortToUnits(
  amount: Extract<Amount, { kind: "short" }>,
  shortMax: number,
  range: Range,
): Units {
  const { value } = amount;
  if (amount.hasCents && value >= 100)
    return value < range.min ? { reason: "unit_unknown" } : { reason: "unit_contradicts_size" };
  if (value < 0.1 || value >= shortMax) return { reason: "unit_contradicts_size" };
  return Math.round(value * range.shortFactor);
}

/** "51000k", "HKD 2.60k", "0.001m": the unit does not fit the number or the market. */
function contradicts(amount: Extract<Amount, { kind: "whole" }>, range: Range): boolean {
  const { value, factor, digits } = amount;
  if (factor === 1000 && Number(digits) > THOUSANDS_MAX && value === Number(digits) * 1000)
    return true;
  const isDecimalThousands = factor === 1000 && value !== Number(digits) * 1000;
  if (isDecimalThousands && value < range.decimalThousandsMin) return true;
  return value < range.min || value > range.max;
}

/** "HKD 1.125", "HKD 2.475": three decimals of an omitted million look like grouped thousands. */
function omittedMillions(
  amount: Extract<Amount, { kind: "whole" }>,
  range: Range,
): number | undefined {
  const isSmall = amount.value < range.min || (amount.isDotted && amount.value < 10_000);
  const isMillions =
    range.shortFactor === 1_000_000 && amount.isGrouped && amount.value >= 1000 && isSmall;
  return isMillions ? amount.value * 1000 : undefined;
}
