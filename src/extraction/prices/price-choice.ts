import type { FieldSource, LeftOut, Price, Quote } from "../extraction.ts";
import { joinQuotes } from "../lines/quote.ts";
import { type CurrencyHints, toMoney } from "./money.ts";
import { isSmallSum, type PriceMention, STRENGTH_RANK } from "./price-mention.ts";

interface PriceChoice {
  readonly price?: ChosenPrice;
  readonly alternative?: ChosenPrice;
  readonly retail?: ChosenPrice;
  readonly leftOut: readonly LeftOut[];
}

export interface ChosenPrice {
  readonly price: Price;
  readonly currencySource: FieldSource;
  readonly quote: Quote;
  readonly isLowered: boolean;
  readonly mention: PriceMention;
}

/** Picks the ask, the alternative and the retail price of one watch. An amount that would be a guess is left out. */
export function choosePrice(mentions: readonly PriceMention[], hints: CurrencyHints): PriceChoice {
  const leftOut: LeftOut[] = [];
  const [only] = mentions;
  // Most watches have one amount, and nothing is to be chosen.
  if (only === undefined) return { leftOut };
  if (mentions.length === 1 && !only.isRetail && only.discountPercent === undefined) {
    const money = toMoney(only, hints);
    const { quote, isLowered } = only;
    if (money.kind === "price") {
      const { price, currencySource } = money;
      return { price: { price, currencySource, quote, isLowered, mention: only }, leftOut };
    }
    leftOut.push({ field: "price", reason: money.reason, ...quote });
    return { leftOut };
  }
  const toPrices = (list: readonly PriceMention[]): ChosenPrice[] =>
    list.flatMap((mention) => {
      const money = toMoney(mention, hints);
      if (money.kind === "price") {
        const { price, currencySource } = money;
        const { quote, isLowered } = mention;
        return [{ price, currencySource, quote, isLowered, mention }];
      }
      leftOut.push({ field: "price", reason: money.reason, ...mention.quote });
      return [];
    });
  const { asks, retails } = splitRetail(mentions);
  const prices = toPrices(strongest(asks));
  const retail = toPrices(retails)[0];
  const withRetail = retail === undefined ? {} : { retail };
  const kept = oneForEachCurrency(prices);
  if (kept === undefined) {
    const quotes = prices.map(({ quote }) => quote);
    return {
      ...withRetail,
      leftOut: [
        ...leftOut,
        { field: "price", reason: "several_prices", ...joinQuotes(quotes, " / ") },
      ],
    };
  }
  const main = mainPrice(kept);
  if (main === undefined) return { ...withRetail, leftOut };
  const alternative = kept.find((price) => price !== main);
  return {
    price: main,
    ...(alternative === undefined ? {} : { alternative }),
    ...withRetail,
    leftOut: [],
  };
}

/** Separates asks from list prices. A list price with a discount is the ask only if no resulting price is written. */
function splitRetail(mentions: readonly PriceMention[]): {
  readonly asks: readonly PriceMention[];
  readonly retails: readonly PriceMention[];
} {
  const flagged = mentions.filter((mention) => mention.isRetail);
  const others = mentions.filter((mention) => !mention.isRetail);
  const discounted = mentions.find((mention) => mention.discountPercent !== undefined);
  if (discounted === undefined) return { asks: others, retails: flagged };
  const retails = [{ ...discounted, isRetail: true }];
  const results = others.filter((mention) => mention.discountPercent === undefined);
  if (results.length > 0) return { asks: results, retails };
  return { asks: [{ ...discounted, isRetail: false }], retails };
}

/** If an amount has a currency or a dollar sign, only such amounts count. Otherwise only the strongest kind counts. */
function strongest(mentions: readonly PriceMention[]): readonly PriceMention[] {
  const first = withoutSmallSums(mentions.slice(0, MENTIONS_MAX));
  const best = Math.max(...first.map((mention) => STRENGTH_RANK[mention.strength]));
  const rankMin = Math.min(best, STRENGTH_RANK.dollar);
  return first.filter((mention) => STRENGTH_RANK[mention.strength] >= rankMin);
}

/** "Shipping 25€" below the ask: such a sum counts only if there is no other amount. */
function withoutSmallSums(mentions: readonly PriceMention[]): readonly PriceMention[] {
  const large = mentions.filter((mention) => !isSmallSum(mention));
  return large.length === 0 ? mentions : large;
}

/** A text with more amounts than this is not one offer. Only the first ones count. */
const MENTIONS_MAX = 32;

/** The same watch in two places, or with two ways of payment, differs by a few percent. */
const SPREAD_MAX = 1.1;

/** Keeps one price for each currency. Returns undefined if two prices in one currency contradict each other. */
function oneForEachCurrency(prices: readonly ChosenPrice[]): ChosenPrice[] | undefined {
  const byCurrency = new Map<string, ChosenPrice>();
  const writtenCurrencies = new Set(
    prices.flatMap((price) => (price.currencySource === "explicit" ? [price.price.currency] : [])),
  );
  for (const price of prices) {
    // "$41k 320000hkd": next to an amount with a currency code, a bare dollar sign means another dollar.
    if (price.currencySource !== "explicit" && writtenCurrencies.has(price.price.currency))
      continue;
    const first = byCurrency.get(price.price.currency);
    if (first === undefined || price.isLowered) {
      byCurrency.set(price.price.currency, price);
      continue;
    }
    const ratio = price.price.amountMinor / first.price.amountMinor;
    if (ratio > SPREAD_MAX || ratio < 1 / SPREAD_MAX) return undefined;
  }
  return [...byCurrency.values()];
}

/** The main price is the first one, but HKD beats every other currency except in an offer with euros. */
function mainPrice(prices: readonly ChosenPrice[]): ChosenPrice | undefined {
  const isEuroOffer = prices.some(({ price }) => price.currency === "EUR");
  const hongKong = prices.find(({ price }) => price.currency === "HKD");
  return !isEuroOffer && hongKong !== undefined ? hongKong : prices[0];
}
