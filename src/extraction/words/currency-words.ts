import { splitWords } from "./word-list.ts";

/** How dealers write a currency next to an amount. A bare `$` is not here: place, group and sender decide it. */
export const CURRENCY_WORDS: Readonly<Record<string, readonly string[]>> = {
  HKD: splitWords(`
    hkd, hkd$, hk$, hk $, hkds, hkdk, hdk, hkn, hkdd, hhkd, khd, hk dollar, hk dollars, hk, 港币, 港幣, 港元
  `),
  USD: splitWords(`
    usd, usd$, us$, us $, $ us, $us, us, usds, uds, u.s.d, us dollar, us dollars, dollars, доллар, доллара, долларов, 美金, 美元
  `),
  USDT: splitWords(`
    usdt, ustd, udst, uddt, usddt, usdtt, usd t, u, usdt$, tether, usdc
  `),
  EUR: splitWords(`
    eur, €, euro, euros, eur €, euo, eurp, eurs, eruo, евро, 欧元, 歐元
  `),
  GBP: splitWords(`
    gbp, £, pounds, quid, sterling, 英镑
  `),
  CHF: ["chf", "sfr", "swiss francs", "francs"],
  SGD: splitWords(`
    sgd, s$, sg$, sgd$, sing dollar, 新币
  `),
  AED: ["aed", "dhs", "dirham", "dirhams", "dh"],
  JPY: ["jpy", "yen", "¥", "jp¥", "日元", "円"],
  CNY: ["cny", "rmb", "yuan", "cn¥", "人民币", "人民幣"],
  AUD: ["aud", "a$", "au$"],
  CAD: ["cad", "c$", "ca$", "cdn"],
  NZD: ["nzd", "nz$"],
  THB: ["thb", "baht", "฿"],
  MYR: ["myr", "ringgit"],
  KRW: ["krw", "₩"],
  INR: ["inr", "₹", "rupees"],
  PHP: ["php", "₱", "peso", "pesos"],
  IDR: ["idr", "rupiah"],
  VND: ["vnd", "₫"],
  BRL: ["brl", "r$", "reais"],
  MXN: ["mxn", "mx$", "pesos mexicanos"],
  ZAR: ["zar"],
  TRY: ["₺", "turkish lira"],
  RUB: ["rub", "₽", "руб", "рублей", "рубля"],
  SAR: ["sar", "riyal", "riyals"],
  QAR: ["qar"],
  KWD: ["kwd"],
  ILS: ["ils", "₪", "shekel", "shekels"],
  HUF: ["huf"],
  CZK: ["czk"],
  TWD: ["twd", "ntd", "nt$"],
  SEK: ["sek"],
  DKK: ["dkk"],
  NOK: ["nok"],
  PLN: ["pln", "zl"],
};

/** Currencies with the symbol `$`. */
export const DOLLARS: ReadonlySet<string> = new Set(
  splitWords(`
    USD, HKD, SGD, AUD, CAD, TWD, NZD
  `),
);

/** By currency: a place in a message decides what a bare `$` or a bare number means. */
export const PLACE_WORDS: Readonly<Record<string, readonly string[]>> = {
  HKD: splitWords(`
    hong kong, hongkong, in hk, hk stock, hk ready, hk in stock, arrive hk, hk export, deal hk, deal in hk, at hk,
    h k, kowloon, tsim sha tsui, tst, 香港
  `),
  USD: splitWords(`
    usa, u.s.a, nyc, new york, new jersey, ny, los angeles, in la, la ca, miami, nyc/la, chicago, dallas, houston, california, florida,
    texas, san diego, scottsdale, diamond district, u s, in us, in the us, us stock, us based, us seller, usa stock,
    stateside, in the states, atlanta, las vegas, boston, new york city, brooklyn, los angeles ca
  `),
  SGD: ["singapore", "s g"],
  GBP: ["london", "united kingdom"],
};

/** By the sender's calling code: the currency of a bare `$` or number if nothing else decides it. */
export const COUNTRY_CURRENCIES: Readonly<Record<string, string>> = {
  "852": "HKD",
  "1": "USD",
  "65": "SGD",
};

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
