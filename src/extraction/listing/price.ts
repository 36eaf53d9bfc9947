import type { FieldSource, LeftOut, Price, Quote } from "../extraction.ts";
import type { Amount } from "../lines/amounts.ts";
import {
  isSmallSum,
  joinQuotes,
  type LinePart,
  NO_QUOTE,
  type PriceMention,
  pricesOf,
  quotePhrase,
  STRENGTH_RANK,
} from "../lines/line-reading.ts";
import { within } from "../text/token.ts";
import {
  COUNTRY_CURRENCIES,
  DOLLARS,
  EURO_LIKE,
  PRICE_RANGES,
  type PriceRange,
} from "../words/currency-words.ts";
import type { PhraseMatch } from "../words/lexicon.ts";
import { isCurrencyImplausible, usualRatio } from "./doubts.ts";
import { addEvidence, type ListingDraft, type MessageContext } from "./listing-draft.ts";

/** Where the currency of a bare `$` or a bare number comes from, in this order. */
interface CurrencyHints {
  /** A currency in a header line. */
  readonly header: string | undefined;
  readonly place: string | undefined;
  readonly defaultCurrency: string | undefined;
  readonly senderCountry: string | undefined;
}

type MoneyReading =
  | { readonly kind: "price"; readonly price: Price; readonly currencySource: FieldSource }
  | { readonly kind: "left_out"; readonly reason: LeftOut["reason"] };

/** A bare decimal from here on is rather a column of a table than millions, unless a currency is next to it. */
const BARE_MILLIONS_MAX = 10;

/** "51000k", "5671K": dealers do not write this many thousands with a k. */
const THOUSANDS_MAX = 5000;

type Units = number | { readonly reason: LeftOut["reason"] };

interface PriceChoice {
  readonly price?: ChosenPrice;
  readonly alternative?: ChosenPrice;
  readonly retail?: ChosenPrice;
  readonly leftOut: readonly LeftOut[];
}

interface ChosenPrice {
  readonly price: Price;
  readonly currencySource: FieldSource;
  readonly quote: Quote;
  readonly isLowered: boolean;
  readonly mention: PriceMention;
}

/** A text with more amounts than this is not one offer. Only the first ones count. */
const MENTIONS_MAX = 32;

/** The same watch in two places, or with two ways of payment, differs by a few percent. */
const SPREAD_MAX = 1.1;

interface HeaderCurrency {
  readonly currency: string;
  readonly part: LinePart;
  readonly phrase: PhraseMatch;
}

/** Takes the ask of the watch, its alternative and its list price, with the doubts about the ask. */
export function fillPrice(draft: ListingDraft): void {
  const { segment, fields, leftOut } = draft;
  const header = findHeaderCurrency(draft);
  const hints = currencyHints(draft.context, header?.currency);
  const mentions = pricesOf(segment.parts);
  const choice = choosePrice(mentions, hints);
  leftOut.push(...choice.leftOut);
  if (choice.price !== undefined && isRefused(draft, choice.price)) {
    leftOut.push({ field: "price", reason: "currency_implausible", ...choice.price.quote });
  } else if (choice.price !== undefined) {
    fields.price = choice.price.price;
    const { currencySource } = choice.price;
    addEvidence(draft, "price", choice.price.quote, "explicit");
    addEvidence(draft, "currency", quoteCurrency(draft, choice.price, header), currencySource);
    addPriceDoubts(draft, choice.price, mentions.length);
  }
  if (choice.alternative !== undefined) {
    fields.alternativePrice = choice.alternative.price;
    addEvidence(draft, "alternativePrice", choice.alternative.quote, "explicit");
  }
  if (choice.retail !== undefined) {
    fields.retailPrice = choice.retail.price;
    addEvidence(draft, "retailPrice", choice.retail.quote, "explicit");
  }
}

/** Only a currency from a setting is checked: what the text states is taken as it is. */
function isRefused(draft: ListingDraft, { price, currencySource, mention }: ChosenPrice): boolean {
  const usualEur = draft.segment.reference?.usualEur;
  return currencySource === "default" && isCurrencyImplausible(price, usualEur, mention.strength);
}

/** Up to this factor an ask is usual for its reference. Beyond the second one it was most likely misread. */
const USUAL_MAX = 2;

const UNUSUAL_MAX = 3;

function addPriceDoubts(draft: ListingDraft, chosen: ChosenPrice, mentionCount: number): void {
  const { doubts, segment } = draft;
  const { mention, currencySource, price } = chosen;
  const ratio = usualRatio(price, segment.reference?.usualEur);
  if (ratio === undefined) doubts.push("usual_price_unknown");
  else if (ratio > UNUSUAL_MAX || ratio < 1 / UNUSUAL_MAX) doubts.push("price_far_from_usual");
  else if (ratio > USUAL_MAX || ratio < 1 / USUAL_MAX) doubts.push("price_unusual");
  if (mention.amount.kind === "short") doubts.push("price_without_unit");
  else if (mention.strength === "bare") doubts.push("price_bare");
  else if (mention.strength === "grouped") doubts.push("price_without_currency");
  if (currencySource === "default") doubts.push("currency_by_default");
  if (mentionCount > 1) doubts.push("several_amounts");
  if (!isOnWatchLine(segment.parts, mention.quote.lineSpans[0]?.line))
    doubts.push("price_on_other_line");
}

function isOnWatchLine(parts: readonly LinePart[], line: number | undefined): boolean {
  return parts[0]?.reading.line.source.sourceLine === line;
}

function findHeaderCurrency(draft: ListingDraft): HeaderCurrency | undefined {
  // In a message with one watch, the header lines are parts of the segment. They still decide the currency.
  const { parts } = draft.segment;
  const watchLine = parts[0]?.reading.line.source.sourceLine ?? 0;
  const linesAbove =
    parts.length === 1
      ? draft.inherited
      : parts
          .filter(
            ({ reading }) =>
              reading.line.source.sourceLine < watchLine && reading.prices.length === 0,
          )
          .concat(draft.inherited);
  for (const part of linesAbove) {
    for (const phrase of within(part.reading.line.phrases, part)) {
      if (phrase.meaning.kind !== "currency") continue;
      // A stray "u" or "us" in a header is a word.
      const [before, word] = part.reading.line.tokens.slice(Math.max(0, phrase.from - 1));
      const isFirst = phrase.from === 0;
      if (/^us?$/.test((isFirst ? before : word)?.word ?? "")) continue;
      // "Back from HK" is a journey.
      if (!isFirst && /^(from|to|via|back|visit|visiting)$/.test(before?.word ?? "")) continue;
      return { currency: phrase.meaning.currency, part, phrase };
    }
  }
  return undefined;
}

function currencyHints(
  { input, place }: MessageContext,
  header: string | undefined,
): CurrencyHints {
  const { defaultCurrency, senderCountry } = input;
  return { header, place: place?.currency, defaultCurrency, senderCountry };
}

/** Quotes the currency where it is written: at the amount, in the header, or as the name of the place. */
function quoteCurrency(
  draft: ListingDraft,
  chosen: ChosenPrice,
  header: HeaderCurrency | undefined,
): Quote {
  if (chosen.currencySource === "explicit") return chosen.quote;
  if (chosen.currencySource === "default") return NO_QUOTE;
  if (header?.currency === chosen.price.currency) return quotePhrase(header.part, header.phrase);
  return draft.context.place?.quote ?? NO_QUOTE;
}

/** Picks the ask, the alternative and the retail price of one watch. An amount that would be a guess is left out. */
function choosePrice(mentions: readonly PriceMention[], hints: CurrencyHints): PriceChoice {
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

function toMoney(mention: PriceMention, hints: CurrencyHints): MoneyReading {
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

function toUnits({ amount, strength }: PriceMention, currency: string): Units {
  if (amount.kind === "malformed") return { reason: "malformed_number" };
  const range = PRICE_RANGES.get(currency) ?? EURO_LIKE;
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
  range: PriceRange,
): Units {
  const { value } = amount;
  if (amount.hasCents && value >= 100)
    return value < range.min ? { reason: "unit_unknown" } : { reason: "unit_contradicts_size" };
  if (value < 0.1 || value >= shortMax) return { reason: "unit_contradicts_size" };
  return Math.round(value * range.shortFactor);
}

/** "51000k", "HKD 2.60k", "0.001m": the unit does not fit the number or the market. */
function contradicts(amount: Extract<Amount, { kind: "whole" }>, range: PriceRange): boolean {
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
  range: PriceRange,
): number | undefined {
  const isSmall = amount.value < range.min || (amount.isDotted && amount.value < 10_000);
  const isMillions =
    range.shortFactor === 1_000_000 && amount.isGrouped && amount.value >= 1000 && isSmall;
  return isMillions ? amount.value * 1000 : undefined;
}
