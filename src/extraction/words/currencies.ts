/** What the reading knows about currencies besides their words (`currency.json`). */

/**
 * Units of each currency for one euro, rough, noted in 2026. Only to tell whether an ask has the usual size of its
 * reference. Prices in euros are never computed with it.
 */
export const ROUGH_PER_EUR: Readonly<Record<string, number>> = {
  EUR: 1,
  USD: 1.16,
  USDT: 1.16,
  HKD: 9.05,
  GBP: 0.87,
  CHF: 0.93,
  SGD: 1.5,
  AED: 4.26,
  JPY: 178,
  CNY: 8.25,
  AUD: 1.78,
  CAD: 1.62,
  NZD: 2.03,
  THB: 37.8,
  MYR: 4.9,
  TWD: 35.5,
  KRW: 1660,
  INR: 103,
  SEK: 11,
  DKK: 7.46,
  NOK: 11.7,
  PLN: 4.25,
};

/** Currencies with the symbol `$`. */
export const DOLLARS: ReadonlySet<string> = new Set([
  "USD",
  "HKD",
  "SGD",
  "AUD",
  "CAD",
  "TWD",
  "NZD",
  "MXN",
  "BRL",
]);

/** Signs that several currencies share. */
export const SHARED_SIGNS: Readonly<Record<string, ReadonlySet<string>>> = {
  "\u00A5": new Set(["JPY", "CNY"]),
  "\u5143": new Set(["CNY", "TWD", "HKD", "JPY"]),
};

/** By the sender's calling code: the currency of a bare `$` or number if nothing else decides it. */
export const COUNTRY_CURRENCIES: Readonly<Record<string, string>> = {
  "852": "HKD",
  "1": "USD",
  "65": "SGD",
};

/** What a watch can cost, in units of the currency. Outside of this range a unit is missing or wrong. */
export interface PriceRange {
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
export const EURO_LIKE: PriceRange = {
  min: 250,
  max: 20_000_000,
  shortFactor: 1000,
  shortMax: 1000,
  decimalThousandsMin: 0,
};
const IN_TEN_THOUSANDS = { shortFactor: 10_000, shortMax: 1000, decimalThousandsMin: 0 };
const IN_MILLIONS = { shortFactor: 1_000_000, shortMax: 30, decimalThousandsMin: 10_000 };

/** A currency without an entry is like the euro. */
export const PRICE_RANGES: ReadonlyMap<string, PriceRange> = new Map([
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
