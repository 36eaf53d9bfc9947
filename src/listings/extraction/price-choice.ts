import type { FieldSource, LeftOut, Price } from "./extraction.ts";
import { type CurrencyHints, toMoney } from "./money.ts";
import { type PriceMention, STRENGTH_RANK } from "./prices.ts";

export interface PriceChoice {
  readonly price?: ChosenPrice;
  readonly alternative?: ChosenPrice;
  readonly retail?: ChosenPrice;
  readonly leftOut: readonly LeftOut[];
}

interface ChosenPrice {
  readonly price: Price;
  readonly currencySource: FieldSource;
  readonly words: string;
  readonly isLowered: boolean;
}

/** The ask of one watch among the amounts that its words hold; what would be a guess is left out. */
export function choosePrice(mentions: readonly PriceMention[], hints: CurrencyHints): PriceChoice {
  const leftOut: LeftOut[] = [];
  const chosen = (list: readonly PriceMention[]): ChosenPrice[] =>
    list.flatMap((mention) => {
      const money = toMoney(mention, hints);
      if (money.kind === "price") {
        const { price, currencySource } = money;
        return [{ price, currencySource, words: mention.words, isLowered: mention.isLowered }];
      }
      leftOut.push({ field: "price", reason: money.reason, words: mention.words });
      return [];
    });
  const { asks, retails } = splitRetail(mentions);
  const prices = chosen(strongest(asks));
  const retail = chosen(retails)[0];
  const withRetail = retail === undefined ? {} : { retail };
  const kept = oneForEachCurrency(prices);
  if (kept === undefined) {
    const words = prices.map((price) => price.words).join(" / ");
    return {
      ...withRetail,
      leftOut: [...leftOut, { field: "price", reason: "several_prices", words }],
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

/** A list price with a discount is the ask only while nobody states the result. */
function splitRetail(mentions: readonly PriceMention[]): {
  readonly asks: readonly PriceMention[];
  readonly retails: readonly PriceMention[];
} {
  const marked = mentions.filter((mention) => mention.isRetail);
  const open = mentions.filter((mention) => !mention.isRetail);
  const plain = open.filter((mention) => mention.discountPercent === undefined);
  const reduced = mentions.find((mention) => mention.discountPercent !== undefined);
  if (reduced === undefined) return { asks: open, retails: marked };
  const retails = [{ ...reduced, isRetail: true }];
  if (plain.length > 0) return { asks: plain, retails };
  return { asks: [{ ...reduced, isRetail: false }], retails };
}

/** A number with a currency or a dollar sign silences bare ones; of bare ones the strongest kind counts. */
function strongest(mentions: readonly PriceMention[]): readonly PriceMention[] {
  const first = mentions.slice(0, MENTIONS_MAX);
  const best = Math.max(...first.map((mention) => STRENGTH_RANK[mention.strength]));
  const least = Math.min(best, STRENGTH_RANK.dollar);
  return first.filter((mention) => STRENGTH_RANK[mention.strength] >= least);
}

/** A watch with more amounts than this is a text about watches; the first ones decide. */
const MENTIONS_MAX = 32;

/** The same watch in two places or by two ways of payment differs by a few percent. */
const SPREAD_MAX = 1.1;

function oneForEachCurrency(prices: readonly ChosenPrice[]): ChosenPrice[] | undefined {
  const byCurrency = new Map<string, ChosenPrice>();
  const stated = new Set(
    prices.flatMap((price) => (price.currencySource === "explicit" ? [price.price.currency] : [])),
  );
  for (const price of prices) {
    // "$41k 320000hkd": beside an amount with its code, a bare dollar sign means other dollars.
    if (price.currencySource !== "explicit" && stated.has(price.price.currency)) continue;
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

/** The first that is written, but Hong Kong dollars where they stand beside another currency than the euro. */
function mainPrice(prices: readonly ChosenPrice[]): ChosenPrice | undefined {
  const isEuroOffer = prices.some(({ price }) => price.currency === "EUR");
  const hongKong = prices.find(({ price }) => price.currency === "HKD");
  return !isEuroOffer && hongKong !== undefined ? hongKong : prices[0];
}
