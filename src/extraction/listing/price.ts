/**
 * The ask of a watch, its alternative in another currency, and its list price.
 *
 * Idea: the strongest mentions are asks. Each becomes money: its currency is the one beside it, else that of a header, of the
 * place that the message names, of the group, or of the sender's country; its unit follows from the currency if the dealer
 * left it out. Then one price for each currency remains.
 * Invariant: an amount that would be a guess is left out with its reason, and never corrected.
 *
 * Example: "HKD 1.125" is 1,125,000 HKD, because no watch costs 1,125. "€44k / 48k usd" is an ask in euros with an alternative.
 */
import type { FieldSource, LeftOut, Quote } from "../extraction.ts";
import type { Amount } from "../lines/amounts.ts";
import { hasWordOf } from "../lines/line.ts";
import {
  amountValue,
  isListPrice,
  joinQuotes,
  type LinePart,
  NO_QUOTE,
  type PriceMention,
  pricesOf,
  quoteTokens,
  STRENGTH_RANK,
} from "../lines/line-reading.ts";
import { type Span, within } from "../text/token.ts";
import {
  COUNTRY_CURRENCIES,
  DOLLARS,
  EURO_LIKE,
  PRICE_RANGES,
  type PriceRange,
  ROUGH_PER_EUR,
  SHARED_SIGNS,
} from "../words/currencies.ts";
import { addPriceDoubts, isCurrencyImplausible } from "./doubts.ts";
import {
  addEvidence,
  type ListingDraft,
  type MessageContext,
  type Money,
} from "./listing-draft.ts";

/** What decides the currency of a bare `$` or a bare number. */
interface CurrencyHints {
  readonly header: HeaderCurrency | undefined;
  /** "RRP £3,550, yours for 3,090": the currency of the list price. */
  readonly listed: string | undefined;
  /** The usual price of the watch, in euros. */
  readonly usualEur: number | undefined;
  readonly context: MessageContext;
}

interface HeaderCurrency {
  readonly currency: string;
  readonly part: LinePart;
  readonly phrase: Span;
}

interface PriceChoice {
  readonly ask?: Money;
  readonly alternative?: Money;
  readonly retail?: Money;
  readonly leftOut: readonly LeftOut[];
}

/** Takes the ask of the watch, its alternative and its list price, with the doubts about the ask. */
export function fillPrice(draft: ListingDraft): void {
  const { segment, context, fields, leftOut } = draft;
  const mentions = pricesOf(segment.parts);
  const listed = mentions.find(({ isRetail }) => isRetail)?.currency;
  const usualEur = segment.reference?.usualEur;
  const hints = { header: findHeaderCurrency(draft), listed, usualEur, context };
  const { ask, alternative, retail, leftOut: unclear } = choosePrice(mentions, hints);
  leftOut.push(...unclear);
  if (ask !== undefined && isCurrencyImplausible(ask, segment.reference?.usualEur)) {
    leftOut.push({ field: "price", reason: "currency_implausible", ...ask.mention.quote });
  } else if (ask !== undefined) {
    fields.price = ask.price;
    addEvidence(draft, "price", ask.mention.quote, "explicit");
    addEvidence(draft, "currency", quoteCurrency(ask, hints), ask.currencySource);
    addPriceDoubts(draft, ask, mentions.length);
  }
  if (alternative !== undefined) {
    fields.alternativePrice = alternative.price;
    addEvidence(draft, "alternativePrice", alternative.mention.quote, "explicit");
  }
  if (retail !== undefined) {
    fields.retailPrice = retail.price;
    addEvidence(draft, "retailPrice", retail.mention.quote, "explicit");
  }
}

/** Returns the currency of the nearest line above the watch that names one. */
function findHeaderCurrency(draft: ListingDraft): HeaderCurrency | undefined {
  const usual = draft.context.input.defaultCurrency;
  for (const part of draft.inherited) {
    // "Prices in $" in a group of another currency.
    const dollar = DOLLARS.has(usual ?? "USD") ? -1 : findDollar(part);
    if (dollar >= 0) return { currency: "USD", part, phrase: { from: dollar, to: dollar + 1 } };
    for (const phrase of within(part.reading.line.phrases, part)) {
      if (phrase.meaning.kind !== "currency") continue;
      // A stray "u" or "us" in a header is a word.
      if (/^us?$/.test(part.reading.line.tokens[phrase.from]?.word ?? "")) continue;
      return { currency: phrase.meaning.currency, part, phrase };
    }
  }
  return undefined;
}

/** Returns the token of a dollar sign in a line that speaks of prices, or -1. */
function findDollar({ reading }: LinePart): number {
  if (reading.prices.length > 0 || !hasWordOf(reading.line, "price")) return -1;
  return reading.line.tokens.findIndex(({ word }) => word === "$");
}

/** Quotes the currency where it is written: at the amount, in the header, or as the name of the place. */
function quoteCurrency(ask: Money, { header, context }: CurrencyHints): Quote {
  if (ask.currencySource === "explicit") return ask.mention.quote;
  if (ask.currencySource === "default") return NO_QUOTE;
  if (header?.currency === ask.price.currency)
    return quoteTokens(header.part.reading.line, header.phrase);
  return context.place?.quote ?? NO_QUOTE;
}

/** Picks the ask, the alternative and the list price of one watch. An amount that would be a guess is left out. */
function choosePrice(mentions: readonly PriceMention[], hints: CurrencyHints): PriceChoice {
  const leftOut: LeftOut[] = [];
  const [only] = mentions;
  if (only === undefined) return { leftOut };
  // Most watches have one amount, and nothing is to be chosen.
  if (mentions.length === 1 && !isListPrice(only)) {
    const ask = toPrice(only, hints, leftOut);
    return ask === undefined ? { leftOut } : { ask, leftOut };
  }
  const { asks, retails } = splitRetail(mentions);
  const first = strongest(asks);
  const strong = first.flatMap((mention) => toPrice(mention, hints, leftOut) ?? []);
  // "New strap £200 included. 4,150": if none of the strongest is an ask, the next ones count.
  const prices =
    strong.length > 0 || first.some(({ amount }) => amount.kind === "range")
      ? strong
      : strongest(asks.filter((mention) => !first.includes(mention))).flatMap(
          (mention) => toPrice(mention, hints, leftOut) ?? [],
        );
  const [retail] = retails.flatMap((mention) => toPrice(mention, hints, leftOut) ?? []);
  const withRetail = retail === undefined ? {} : { retail };
  const kept = oneForEachCurrency(prices);
  if (kept === undefined) {
    const quote = joinQuotes(
      prices.map(({ mention }) => mention.quote),
      " / ",
    );
    leftOut.push({ field: "price", reason: "several_prices", ...quote });
    return { ...withRetail, leftOut };
  }
  const ask = mainPrice(kept);
  if (ask === undefined) return { ...withRetail, leftOut };
  const alternative = kept.find((price) => price !== ask);
  return {
    ask,
    ...(alternative === undefined ? {} : { alternative }),
    ...withRetail,
    leftOut: [],
  };
}

/** Adds the reason to `leftOut` if the amount would be a guess. */
function toPrice(
  mention: PriceMention,
  hints: CurrencyHints,
  leftOut: LeftOut[],
): Money | undefined {
  const money = toMoney(mention, hints);
  if (typeof money !== "string") return money;
  leftOut.push({ field: "price", reason: money, ...mention.quote });
  return undefined;
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

/** A text with more amounts than this is not one offer. Only the first ones count. */
const MENTIONS_MAX = 32;

/** If an amount has a currency or a dollar sign, only such amounts count. Otherwise only the strongest kind counts. */
function strongest(mentions: readonly PriceMention[]): readonly PriceMention[] {
  const first = mentions.slice(0, MENTIONS_MAX);
  const best = Math.max(...first.map((mention) => STRENGTH_RANK[mention.strength]));
  const rankMin = Math.min(best, STRENGTH_RANK.dollar);
  return first.filter((mention) => STRENGTH_RANK[mention.strength] >= rankMin);
}

/** The same watch in two places, or with two ways of payment, differs by a few percent. */
const SPREAD_MAX = 1.1;

/** Keeps one price for each currency. Returns undefined if two prices in one currency contradict each other. */
function oneForEachCurrency(prices: readonly Money[]): Money[] | undefined {
  const byCurrency = new Map<string, Money>();
  const writtenCurrencies = new Set(
    prices.flatMap((price) => (price.currencySource === "explicit" ? [price.price.currency] : [])),
  );
  for (const price of prices) {
    // "$41k 320000hkd": next to an amount with a currency code, a bare dollar sign means another dollar.
    if (price.currencySource !== "explicit" && writtenCurrencies.has(price.price.currency))
      continue;
    const first = byCurrency.get(price.price.currency);
    if (first === undefined || price.mention.isLowered) {
      byCurrency.set(price.price.currency, price);
      continue;
    }
    const ratio = price.price.amountMinor / first.price.amountMinor;
    if (ratio > SPREAD_MAX || ratio < 1 / SPREAD_MAX) return undefined;
  }
  return [...byCurrency.values()];
}

/** The main price is the first one, but HKD beats every other currency except in an offer with euros. */
function mainPrice(prices: readonly Money[]): Money | undefined {
  const isEuroOffer = prices.some(({ price }) => price.currency === "EUR");
  const hongKong = prices.find(({ price }) => price.currency === "HKD");
  return !isEuroOffer && hongKong !== undefined ? hongKong : prices[0];
}

/** Returns the reason if the amount would be a guess. */
function toMoney(mention: PriceMention, hints: CurrencyHints): Money | LeftOut["reason"] {
  if (mention.amount.kind === "range") return "several_prices";
  const currency = chooseCurrency(mention, hints);
  if (currency === undefined) return "currency_unknown";
  const amount = isSmallBare(mention)
    ? confirmThousands(mention, currency.code, hints.usualEur)
    : (plainCents(mention, currency.code, hints.usualEur) ?? toUnits(mention, currency.code));
  if (typeof amount !== "number") return amount;
  const factor = mention.discountPercent === undefined ? 1 : (100 - mention.discountPercent) / 100;
  const amountMinor = Math.round(amount * 100 * (mention.isRetail ? 1 : factor));
  return {
    price: { amountMinor, currency: currency.code },
    currencySource: currency.source,
    mention,
  };
}

function chooseCurrency(
  mention: PriceMention,
  { header, listed, context }: CurrencyHints,
): { readonly code: string; readonly source: FieldSource } | undefined {
  const { place, input } = context;
  if (mention.currency !== undefined)
    return {
      code: sharedSign(mention.currency, mention.quote.words, input.defaultCurrency),
      source: "explicit",
    };
  const stated = fits(mention, header?.currency) ? header?.currency : place?.currency;
  if (fits(mention, stated)) return { code: stated, source: "section" };
  const home = COUNTRY_CURRENCIES[input.senderCountry ?? ""];
  const set = fits(mention, input.defaultCurrency) ? input.defaultCurrency : home;
  if (fits(mention, set)) return { code: set, source: "default" };
  if (fits(mention, listed)) return { code: listed, source: "section" };
  // "9.100$" in a group of another currency.
  const isForeign = mention.strength === "dollar" && input.defaultCurrency !== undefined;
  return isForeign ? { code: "USD", source: "default" } : undefined;
}

/** A dollar sign means a dollar. */
function fits({ strength }: PriceMention, code: string | undefined): code is string {
  return code !== undefined && (strength !== "dollar" || DOLLARS.has(code));
}

/** "29,500\u5143", "\u00A527800": a sign of several currencies means that of the group if it is one of them. */
export function sharedSign(currency: string, words: string, usual: string | undefined): string {
  if (currency !== "JPY" && currency !== "CNY") return currency;
  const sign = words.replace(/[\s\d.,'kw\u4E07\u842C]+/giu, "");
  return usual !== undefined && SHARED_SIGNS[sign]?.has(usual) === true ? usual : currency;
}

/** Returns the amount in units of the currency. A unit that the dealer left out follows from the currency. */
export function toUnits(
  mention: Pick<PriceMention, "amount" | "quote">,
  currency: string,
): number | LeftOut["reason"] {
  const { amount } = mention;
  if (amount.kind === "malformed" || amount.kind === "range") return "malformed_number";
  const range = PRICE_RANGES.get(currency) ?? EURO_LIKE;
  if (amount.kind === "short") return shortToUnits(amount, range);
  const { value } = amount;
  if (currency === "IDR" && isMiliar(mention)) return value * 1000;
  if (amount.hasUnit) return contradicts(amount, range) ? "unit_contradicts_size" : value;
  const millions = omittedMillions(amount, range);
  if (millions !== undefined) return millions;
  if (value < range.min) return "unit_unknown";
  return value > range.max ? "unit_contradicts_size" : value;
}

/** No dealer asks for a watch without a usual price in euros and cents above it. */
const CENTS_MAX = 5000;

/** "US $612.40" in the title of a shop: with a sign before it, and for a watch of which no usual price says otherwise, cents are cents. */
function plainCents(
  { amount, strength, quote }: PriceMention,
  currency: string,
  usualEur: number | undefined,
): number | undefined {
  if (amount.kind !== "short" || !amount.hasCents || usualEur !== undefined) return undefined;
  const isSigned = (strength === "currency" || strength === "dollar") && /^\D/.test(quote.words);
  const isPlain = amount.value >= 100 && amount.value < CENTS_MAX;
  const range = PRICE_RANGES.get(currency) ?? EURO_LIKE;
  return isSigned && isPlain && range.shortFactor === 1000 ? amount.value : undefined;
}

/** A bare number below it is an amount only in thousands, and only if the usual price confirms it. */
const SMALL_BARE_MAX = 1000;

/** An ask between these parts of the usual price confirms the unit that the dealer left out. */
const CONFIRMED_MIN = 0.6;
const CONFIRMED_MAX = 1.7;

function isSmallBare({ amount, strength }: PriceMention): boolean {
  return strength === "bare" && amount.kind === "whole" && amount.value < SMALL_BARE_MAX;
}

/** "126500LN blk 238" in a group in Hong Kong is 238,000. */
function confirmThousands(
  mention: PriceMention,
  currency: string,
  usualEur: number | undefined,
): number | LeftOut["reason"] {
  const rate = ROUGH_PER_EUR[currency];
  if (usualEur === undefined || rate === undefined) return "unit_unknown";
  const value = amountValue(mention) * 1000;
  const ratio = value / (usualEur * rate);
  return ratio >= CONFIRMED_MIN && ratio <= CONFIRMED_MAX ? value : "unit_unknown";
}

/** More millions than this are not meant as billions. */
const MILIAR_MAX = 30_000_000;

/** "Rp 2,05 M": in Indonesia the letter is for miliar, a billion. */
function isMiliar({ amount, quote }: Pick<PriceMention, "amount" | "quote">): boolean {
  return (
    amount.kind === "whole" && amount.value < MILIAR_MAX && /\d ?m(?:$|[^a-z])/i.test(quote.words)
  );
}

/** "13,5" is 13,500 euros. "450.00" has cents. "150.50" could be either, so it is left out. */
function shortToUnits(
  amount: Extract<Amount, { kind: "short" }>,
  range: PriceRange,
): number | LeftOut["reason"] {
  const { value } = amount;
  if ((amount.hasCents && value >= 100) || value >= range.shortMax) return "unit_contradicts_size";
  return Math.round(value * range.shortFactor);
}

/** "51000k", "5671K": dealers do not write this many thousands with a k. */
const THOUSANDS_MAX = 5000;

/** "51000k", "HKD 2.60k", "0.001m": the unit does not fit the number or the market. */
function contradicts(amount: Extract<Amount, { kind: "whole" }>, range: PriceRange): boolean {
  const { value, factor, digits } = amount;
  const hasDecimals = value !== Number(digits) * factor;
  if (hasDecimals && value < range.decimalThousandsMin) return true;
  if (!hasDecimals && factor === 1000 && Number(digits) > THOUSANDS_MAX) return true;
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
