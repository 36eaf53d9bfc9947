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
