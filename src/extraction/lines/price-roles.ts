/** Which amounts of a line are no asks: list prices, deposits, shipping costs, exchange rates. */
import { firstFrom, isSign, lastUntil, type Token, tokenAt } from "../text/token.ts";
import type { PhraseMatch } from "../words/lexicon.ts";
import { classSet, isA, isOneOf, type WordClass } from "../words/words.ts";
import type { Line } from "./line.ts";
import { amountValue, isSmallSum, type PriceMention } from "./line-reading.ts";

/** Tokens between a retail word and its amount, as in "MSRP on the own page of the maker: 88k". */
const RETAIL_GAP_MAX = 8;

/**
 * Flags the amounts that are no asks. A retail word is before its amount or right after it. Between two amounts it belongs
 * to the larger one.
 */
export function flagRetailPrices(
  line: Line,
  prices: readonly PriceMention[],
): readonly PriceMention[] {
  if (prices.length === 0) return prices;
  const others = findOtherAmounts(line, prices);
  if (prices.length > 1 && prices.length <= OFFER_AMOUNTS_MAX && line.references.length < 2)
    others.push(...findPricesOfOthers(line, prices, others));
  if (others.length === 0 && !line.phrases.some(isRetailWord)) return prices;
  const retail = new Set<PriceMention>(others);
  const words = line.phrases.filter(isRetailWord);
  const byEnd = new Map(prices.map((price) => [price.to, price]));
  const byStart = new Map(prices.map((price) => [price.from, price]));
  for (const phrase of words) {
    const before = byEnd.get(phrase.from) ?? byEnd.get(phrase.from - 1);
    let after = byStart.get(phrase.to);
    for (let gap = 1; after === undefined && gap <= RETAIL_GAP_MAX; gap += 1) {
      // "Retail was 13.7 asking 7,950".
      const between = line.tokens[phrase.to + gap - 1];
      if (isOneOf(between, BEFORE_ASK) || isStop(between, gap)) break;
      after = byStart.get(phrase.to + gap);
    }
    const isBefore =
      before !== undefined && (after === undefined || amountValue(before) > amountValue(after));
    const chosen = isBefore ? before : after;
    if (chosen !== undefined) retail.add(chosen);
  }
  return prices.map((price) => (retail.has(price) ? { ...price, isRetail: true } : price));
}

/** Far from the word, the end of a part of the sentence and another number end the search. */
function isStop(token: Token | undefined, gap: number): boolean {
  return gap > 4 && (token?.kind === "digits" || /^[.,;!?]$/.test(token?.word ?? ""));
}

function isRetailWord({ meaning }: PhraseMatch): boolean {
  return meaning.kind === "cue" && meaning.cue === "retail";
}

/** Tokens between the word and its amount, as in "Deposit required: USD 20,000". */
const OTHER_GAP_MAX = 2;

/** "Deposit USD 2,000", "market value 14k", "500 deposit": amounts that are not the ask. */
function findOtherAmounts(line: Line, prices: readonly PriceMention[]): PriceMention[] {
  const found = prices.filter(
    (price) =>
      (prices.length > 1 && isListPriceBefore(line, price)) ||
      isShippingCost(line, price) ||
      isExchangeRate(line, price),
  );
  for (const phrase of line.phrases) {
    if (phrase.meaning.kind !== "cue" || phrase.meaning.cue !== "other_amount") continue;
    const next = firstFrom(prices, phrase.to);
    const after = next !== undefined && next.from - phrase.to <= OTHER_GAP_MAX ? next : undefined;
    const last = lastUntil(prices, phrase.from);
    const before = last?.to === phrase.from ? last : undefined;
    const isDeposit = isA(line.tokens[phrase.from], "deposit");
    if (after !== undefined) found.push(after);
    else if (before !== undefined && isDeposit) found.push(before);
  }
  return found;
}

/** A line with more amounts is not the offer of one watch. */
const OFFER_AMOUNTS_MAX = 8;

/** Tokens between another seller and his price, and between "I" and mine. */
const SELLER_GAP_MAX = 6;

/** Two amounts in this proportion can be prices of the same watch. */
const SAME_WATCH_RATIO_MIN = 0.4;

/** From this proportion on, the smaller one is not just the price in cash. */
const SAME_ASK_RATIO_MIN = 0.9;

/**
 * "Boutique wants 19'300. I want 9'800", "cheapest on Chrono is 9.400 ... Mine is from 2018, 8.900": what others ask, if an
 * amount of the dealer himself follows.
 */
function findPricesOfOthers(
  line: Line,
  prices: readonly PriceMention[],
  others: readonly PriceMention[],
): readonly PriceMention[] {
  const asks = prices.filter((price) => !others.includes(price) && !isSmallSum(price));
  const last = asks.at(-1);
  if (last === undefined) return [];
  return asks.slice(0, -1).filter((price) => {
    const ratio = amountRatio(price, last);
    if (ratio < SAME_WATCH_RATIO_MIN) return false;
    if (line.tokens.slice(price.to, last.from).some((token) => isA(token, "mine"))) return true;
    const isOther = isBehind(line, price, "other_seller");
    return ratio < SAME_ASK_RATIO_MIN ? isOther || isBehind(line, last, "speaker") : isOther;
  });
}

/** The smaller one divided by the larger one. */
function amountRatio(a: PriceMention, b: PriceMention): number {
  const [first, second] = [amountValue(a), amountValue(b)];
  return Math.min(first, second) / Math.max(first, second);
}

/** Returns true if such a word is before the amount in the same part of the sentence. */
function isBehind({ tokens }: Line, { from }: PriceMention, name: WordClass): boolean {
  for (let at = from - 1; at >= 0 && at >= from - SELLER_GAP_MAX; at -= 1) {
    if (isA(tokens[at], name)) return true;
    if (/^[.,;!?]$/.test(tokens[at]?.word ?? "") || tokens[at]?.kind === "digits") return false;
  }
  return false;
}

/** "14,100 (list 10,650)", "list is $26,400, I need $18,900". */
function isListPriceBefore({ tokens }: Line, { from }: PriceMention): boolean {
  const joint = tokenAt(tokens, from - 1);
  const isJoined = isSign(joint, ":=") || isA(joint, "sentence");
  return isA(tokenAt(tokens, isJoined ? from - 2 : from - 1), "listed");
}

/** No shipping costs more, in any currency that dealers use. */
const SHIPPING_MAX = 1000;

/** "Insured shipping 250€": a small amount right behind the word. */
function isShippingCost(line: Line, price: PriceMention): boolean {
  return (
    tokenAt(line.tokens, price.from - 1)?.word === "shipping" && amountValue(price) < SHIPPING_MAX
  );
}

/** Tokens between the word and the rate, as in "rate to hkd 7.8". */
const RATE_GAP_MAX = 3;

/** What a US dollar costs in Hong Kong is between these two. */
const RATE_MIN = 7.7;
const RATE_MAX = 7.9;

/** "US$ 46,500 (rate to hkd 7.8)". */
function isExchangeRate({ tokens }: Line, { from, amount }: PriceMention): boolean {
  if (amount.kind !== "short" || amount.value < RATE_MIN || amount.value > RATE_MAX) return false;
  return tokens.slice(Math.max(0, from - RATE_GAP_MAX), from).some(({ word }) => word === "rate");
}

const BEFORE_ASK = classSet("ask", "lowered", "yours_for", "mine");
