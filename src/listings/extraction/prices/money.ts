import { COUNTRY_CURRENCIES, DOLLARS } from "../catalogue/currency-words.ts";
import type { FieldSource, LeftOut, Price } from "../extraction.ts";
import type { Amount } from "./amounts.ts";
import type { PriceMention } from "./prices.ts";

/** Where the currency of a bare `$` or a bare number comes from, in this order. */
export interface CurrencyHints {
  /** A currency in a header line. */
  readonly header?: string;
  readonly place?: string;
  readonly defaultCurrency?: string;
  readonly senderCountry?: string;
}

export type MoneyReading =
  | { readonly kind: "price"; readonly price: Price; readonly currencySource: FieldSource }
  | { readonly kind: "left_out"; readonly reason: LeftOut["reason"] };

export function toMoney(mention: PriceMention, hints: CurrencyHints): MoneyReading {
  if (mention.amount.kind === "malformed") return { kind: "left_out", reason: "malformed_number" };
  const currency = chooseCurrency(mention, hints);
  if (currency === undefined) return { kind: "left_out", reason: "currency_unknown" };
  const amount = toUnits(mention.amount, currency.code);
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
}

/** Chosen from the market: dealers trade from a few hundred euros to about ten million. */
const EURO_LIKE: Range = { min: 250, max: 20_000_000, shortFactor: 1000, shortMax: 1000 };
const RANGES: Readonly<Record<string, Range>> = {
  HKD: { min: 2000, max: 100_000_000, shortFactor: 1_000_000, shortMax: 100 },
  CNY: { min: 2000, max: 100_000_000, shortFactor: 10_000, shortMax: 1000 },
  AED: { min: 1000, max: 80_000_000, shortFactor: 1000, shortMax: 1000 },
  TWD: { min: 10_000, max: 500_000_000, shortFactor: 10_000, shortMax: 1000 },
  THB: { min: 10_000, max: 500_000_000, shortFactor: 1_000_000, shortMax: 100 },
  JPY: { min: 50_000, max: 2_000_000_000, shortFactor: 10_000, shortMax: 1000 },
};

/** "51000k", "5671K": dealers do not write this many thousands with a k. */
const THOUSANDS_MAX = 5000;

function toUnits(
  amount: Amount,
  currency: string,
): number | { readonly reason: LeftOut["reason"] } {
  if (amount.kind === "malformed") return { reason: "malformed_number" };
  const range = RANGES[currency] ?? EURO_LIKE;
  if (amount.kind === "short") {
    if (amount.value < 0.1 || amount.value >= range.shortMax)
      return { reason: "unit_contradicts_size" };
    return Math.round(amount.value * range.shortFactor);
  }
  const { value } = amount;
  if (amount.hasUnit) {
    const hasTooManyThousands =
      amount.digits.length >= 4 &&
      Number(amount.digits) > THOUSANDS_MAX &&
      value === Number(amount.digits) * 1000;
    if (hasTooManyThousands || value < range.min || value > range.max)
      return { reason: "unit_contradicts_size" };
    return value;
  }
  if (value < range.min) return { reason: "unit_unknown" };
  return value > range.max ? { reason: "unit_contradicts_size" } : value;
}
