/**
 * The bounds of the ask in typed words.
 *
 * Idea: a number counts as money if a bound ("under", "\u4EE5\u4E0B"), a currency, a unit or a second number of the same kind is beside
 * it, or if the extraction would take it for an ask. Alone it is the most that the ask may be.
 *
 * Examples: "under 18k" is up to 18,000 EUR; "hkd 90-95k" is 90,000 to 95,000 HKD; "bis 13,5" is up to 13,500 EUR.
 */
import { type Amount, readAmount } from "../../extraction/lines/amounts.ts";
import {
  type CurrencySign,
  findCurrency,
  NO_SIGN,
  signAfter,
  signBefore,
} from "../../extraction/lines/currency-signs.ts";
import { type Line, phraseAt, phraseEndingAt } from "../../extraction/lines/line.ts";
import type { LimitBound } from "../../extraction/text/meaning.ts";
import { type Span, tokenAt, YEAR_LIKE } from "../../extraction/text/token.ts";
import { EURO_LIKE, PRICE_RANGES } from "../../extraction/words/currencies.ts";
import { isA } from "../../extraction/words/words.ts";
import type { Bounds } from "../language/clause.ts";
import { toAmount } from "../language/phrases.ts";
import {
  endsWords,
  isFreeSpan,
  type Piece,
  type QueryClass,
  queryPhraseAt,
  queryPhraseBefore,
  queryPhraseBehind,
  type TypedLine,
  take,
} from "./typed-line.ts";
import { isLeftOutBefore } from "./typed-watches.ts";

/** What the words beside a number make of it. */
type Direction = LimitBound | "between";

interface BoundWords extends Span {
  readonly direction: Direction;
}

/** "Before" and "newer than" are of years only. */
const QUERY_DIRECTIONS: Partial<Record<QueryClass, Direction>> = {
  at_least: "at_least",
  at_most: "at_most",
  or_more: "at_least",
  or_less: "at_most",
  about: "about",
  between: "between",
};

/** Takes the numbers that bound the ask. A filter has one currency, so amounts in another one are left as words. */
export function takePrices(typed: TypedLine): Piece[] {
  const pieces: Piece[] = [];
  const { tokens } = typed.reading.line;
  let currency: string | undefined;
  for (let at = 0; at < tokens.length; at += 1) {
    const found = findBound(typed, at);
    if (found === undefined || !isFreeSpan(typed, found)) continue;
    if (currency !== undefined && currency !== found.currency) continue;
    currency = found.currency;
    take(typed, found);
    pieces.push(toPiece(found));
    at = found.to - 1;
  }
  return pieces;
}

interface FoundBound extends Span, Bounds {
  readonly currency: string;
  readonly about: number | undefined;
}

/** Returns the bound whose first number starts at the token. */
function findBound(typed: TypedLine, at: number): FoundBound | undefined {
  const { line, prices, dates } = typed.reading;
  if (typed.isTaken[at] === true || line.claims[at] === "name") return undefined;
  const first = readAmount(line, at);
  if (first === undefined) return undefined;
  const range = findRange(line, first);
  const end = range?.high.to ?? first.to;
  // "no hk 15k" names a place.
  const isCode = isA(line.tokens[at - 1], "doubtful_code");
  const before = isCode && isLeftOutBefore(line.tokens, at) ? NO_SIGN : signBefore(line, at, first);
  const between = range === undefined ? NO_SIGN : signAfter(line, first.to);
  // "90k+ hkd": the sign stands between the amount and its currency.
  const plus = plusAt(line, end);
  const after = signBehind(line, plus?.to ?? end, range?.high ?? first);
  const edge = before === NO_SIGN ? at : before.edge;
  const to = after === NO_SIGN ? end : after.edge;
  const leading = boundBefore(line, edge);
  const trailing = leading === undefined ? boundBehind(line, plus?.from ?? to) : undefined;
  const words = leading ?? trailing;
  const written = findCurrency(before, between === NO_SIGN ? after : between);
  const hasDollar = before.hasDollar || after.hasDollar;
  const apart =
    written === undefined && leading !== undefined ? currencyBefore(line, leading) : undefined;
  const currency = written ?? apart?.currency ?? (hasDollar ? "USD" : "EUR");
  const isNamed = written !== undefined || apart !== undefined || hasDollar;
  // "2022 eur 8-9k": the extraction decides whose currency it is. The plus of "'23+" is the date's.
  const isPlain = words === undefined || (plus !== undefined && !first.hasUnit && !isNamed);
  if (isPlain && dates.some((date) => date.from <= at && at < date.to)) return undefined;
  const isAsk = prices.some((price) => price.from <= at && at < price.to);
  if (!isMoney(line, { at, first, range, isNamed, words, isAsk })) return undefined;
  const span = {
    from: apart?.from ?? leading?.from ?? edge,
    to: Math.max(to, trailing?.to ?? to),
  };
  const bounds = toBounds({ first, range, direction: words?.direction }, currency);
  return bounds === undefined ? undefined : { ...span, currency, ...bounds };
}

/** Dealers ask more than this in Hong Kong dollars. */
const HKD_MIN = 30_000;

/** "under 95k hk" is in Hong Kong dollars. In "under 18k hk" the watch is in Hong Kong. */
function signBehind(line: Line, at: number, amount: Amount): CurrencySign {
  const sign = signAfter(line, at);
  const code = line.tokens[at];
  const isCode = isA(code, "doubtful_code") && sign.currency === "HKD" && sign.edge === at + 1;
  if (!isCode || code?.isGlued === true) return sign;
  return (scale(amount, 1) ?? 0) < HKD_MIN ? NO_SIGN : sign;
}

interface Range {
  readonly high: Amount;
}

/** "8-9k", "14k and 18k", "von 8 bis 9k": a second, larger number behind a joint. */
function findRange(line: Line, low: Amount): Range | undefined {
  const sign = signAfter(line, low.to);
  const joint = queryPhraseAt(line.tokens, sign === NO_SIGN ? low.to : sign.edge, ["joint"]);
  if (joint === undefined) return undefined;
  const currency = phraseAt(line, joint.to)?.meaning;
  const at = currency?.kind === "currency" ? (phraseAt(line, joint.to)?.to ?? joint.to) : joint.to;
  const high = readAmount(line, at);
  if (high === undefined || line.claims[at] === "reference") return undefined;
  const [from, to] = [scale(low, high.factor), scale(high, 1)];
  return from !== undefined && to !== undefined && from < to ? { high } : undefined;
}

/** The number in whole units; one without a unit has that of the number behind it, unless it is as large already. */
function scale(amount: Amount, factor: number): number | undefined {
  if (amount.kind !== "whole" && amount.kind !== "short") return undefined;
  return amount.hasUnit || amount.value >= factor ? amount.value : amount.value * factor;
}

function boundBefore(line: Line, at: number): BoundWords | undefined {
  const phrase = phraseEndingAt(line, at);
  const bound = phrase?.meaning.kind === "cue" ? phrase.meaning.bound : undefined;
  if (phrase !== undefined && bound !== undefined) return { ...spanOf(phrase), direction: bound };
  return toBound(queryPhraseBefore(line.tokens, at, ["at_least", "at_most", "about", "between"]));
}

/** "10\u4E07\u4EE5\u4E0B", "18k max", "5k or less", "10k+". */
function boundBehind(line: Line, at: number): BoundWords | undefined {
  const plus = plusAt(line, at);
  if (plus !== undefined) return { ...plus, direction: "at_least" };
  // In "15k not hk" the word is about the place.
  if (queryPhraseAt(line.tokens, at, ["outside"]) !== undefined) return undefined;
  const phrase = phraseAt(line, at);
  const bound = phrase?.meaning.kind === "cue" ? phrase.meaning.bound : undefined;
  // "18k max 2022" has the bound behind it, and in "18k under 20k" it belongs to the next number.
  const isNext = phrase !== undefined && line.tokens[phrase.to]?.kind === "digits";
  if (phrase !== undefined && bound !== undefined && (!isNext || isYearAt(line, phrase.to)))
    return { ...spanOf(phrase), direction: bound };
  return toBound(queryPhraseBehind(line.tokens, at, ["at_most", "at_least"]));
}

/** "10k+", "10k+hkd", "10k+, hk"; "10k +" and "10k plus" at the end or before a comma. In "10k + box" and "10k+box" the sign joins. */
function plusAt(line: Line, at: number): Span | undefined {
  const [plus, next] = line.tokens.slice(at, at + 2);
  if (plus?.word === "+" && plus.isGlued) {
    const isWord = next?.isGlued === true && next.kind === "letters";
    return isWord && signAfter(line, at + 1) === NO_SIGN ? undefined : { from: at, to: at + 1 };
  }
  const isPlus = plus?.word === "+" || plus?.word === "plus";
  return isPlus && endsWords(next) ? { from: at, to: at + 1 } : undefined;
}

function toBound(found: (Span & { value: QueryClass }) | undefined): BoundWords | undefined {
  const direction = found === undefined ? undefined : QUERY_DIRECTIONS[found.value];
  return found === undefined || direction === undefined
    ? undefined
    : { ...spanOf(found), direction };
}

function spanOf({ from, to }: Span): Span {
  return { from, to };
}

/** "aed under 400k": the currency stands before the bound. */
function currencyBefore(
  line: Line,
  bound: BoundWords,
): (Span & Pick<CurrencySign, "currency">) | undefined {
  const phrase = phraseEndingAt(line, bound.from);
  // "hk under 18k" is a place.
  if (phrase?.meaning.kind !== "currency" || isA(line.tokens[phrase.from], "doubtful_code"))
    return undefined;
  return { ...spanOf(phrase), currency: phrase.meaning.currency };
}

/** Below this, a number with nothing beside it is no amount. */
const BARE_MIN = 1000;

function isMoney(
  line: Line,
  number: {
    readonly at: number;
    readonly first: Amount;
    readonly range: Range | undefined;
    readonly isNamed: boolean;
    readonly words: BoundWords | undefined;
    readonly isAsk: boolean;
  },
): boolean {
  const { at, first, range, isNamed, words, isAsk } = number;
  const hasUnit = first.hasUnit || range?.high.hasUnit === true;
  const end = range?.high.to ?? first.to;
  // "5 min" are minutes, and "10k min" is an amount.
  const isBounded = hasUnit && queryPhraseAt(line.tokens, end, ["at_least"]) !== undefined;
  if (first.kind === "malformed" || (isMeasure(line, end) && !isBounded)) return false;
  if (isNamed) return true;
  if (!hasUnit && isYearAt(line, at)) return false;
  if (words !== undefined || isAsk) return true;
  return range !== undefined && (hasUnit || (scale(first, 1) ?? 0) >= BARE_MIN);
}

/** Round thousands are amounts. */
function isYearAt({ tokens }: Line, at: number): boolean {
  const text = tokenAt(tokens, at)?.text ?? "";
  return YEAR_LIKE.test(text) && text !== "2000";
}

/** "under 41mm", "5 days". */
function isMeasure(line: Line, at: number): boolean {
  const meaning = phraseAt(line, at)?.meaning;
  return meaning?.kind === "cue" && meaning.cue === "unit_of_measure";
}

/** "about 9k" is 8,100 to 9,900. */
const ABOUT_SHARE = 0.1;

function toBounds(
  number: {
    readonly first: Amount;
    readonly range: Range | undefined;
    readonly direction: Direction | undefined;
  },
  currency: string,
): (Bounds & { readonly about: number | undefined }) | undefined {
  const { first, range, direction } = number;
  if (range !== undefined) {
    const [low, high] = [scale(first, range.high.factor), scale(range.high, 1)];
    if (low === undefined || high === undefined) return undefined;
    const unit = unitOf(high, range.high, currency);
    return checked({ gte: toMinor(low * unit), lte: toMinor(high * unit), about: undefined });
  }
  const value = scale(first, 1);
  if (value === undefined) return undefined;
  const minor = toMinor(value * unitOf(value, first, currency));
  if (direction === "at_least") return checked({ gte: minor, about: undefined });
  if (direction !== "about") return checked({ lte: minor, about: undefined });
  const [gte, lte] = [minor * (1 - ABOUT_SHARE), minor * (1 + ABOUT_SHARE)].map(Math.round);
  return gte === undefined || lte === undefined ? undefined : checked({ gte, lte, about: minor });
}

/** "under 18" and "bis 13,5" leave the unit out: no watch costs so little. */
function unitOf(value: number, amount: Amount, currency: string): number {
  const { min, shortFactor } = PRICE_RANGES.get(currency) ?? EURO_LIKE;
  if (amount.hasUnit || value >= min) return 1;
  return amount.kind === "short" ? shortFactor : 1000;
}

function toMinor(units: number): number {
  return Math.round(units * 100);
}

function checked<Found extends Bounds>(bounds: Found): Found | undefined {
  const values = [bounds.gte, bounds.lte].filter((value) => value !== undefined);
  return values.every((value) => Number.isSafeInteger(value) && value > 0) ? bounds : undefined;
}

const SIGNS: Readonly<Record<string, string>> = {
  EUR: "\u20AC",
  USD: "$",
  GBP: "\u00A3",
  HKD: "HK$",
};

function toPiece({ from, to, gte, lte, about, currency }: FoundBound): Piece {
  const show = (minor: number) => `${SIGNS[currency] ?? `${currency} `}${toAmount(minor)}`;
  const bounds = { ...(gte === undefined ? {} : { gte }), ...(lte === undefined ? {} : { lte }) };
  return {
    from,
    to,
    member: "price",
    value: { ...bounds, currency },
    label: about === undefined ? boundLabel(bounds, show) : `about ${show(about)}`,
  };
}

function boundLabel({ gte, lte }: Bounds, show: (minor: number) => string): string {
  if (gte !== undefined && lte !== undefined) return `${show(gte)} to ${show(lte)}`;
  return gte === undefined ? `up to ${show(lte ?? 0)}` : `from ${show(gte)}`;
}
