/**
 * Proposes the amounts of money in a line, without deciding yet which one is the ask.
 *
 * Idea: each number is proposed with the currency before it, with the one behind it, with both and with none, each time with
 * the facts that speak for and against it. `numbers.ts` takes the proposals that fit together best, so a code between two
 * numbers goes to the one that needs it. `listing/price.ts` then picks the ask of each watch.
 *
 * Example: in "2022 HKD 71,500" the proposals are 2022 HKD, HKD 71,500 and 71,500. As 2022 is a year too, HKD 71,500 wins.
 */
import {
  firstFrom,
  isLineEnd,
  isSign,
  lastUntil,
  type Span,
  tokenAt,
  YEAR_LIKE,
} from "../text/token.ts";
import type { NumberFact } from "../weights/weights.ts";
import { classSet, isA, isOneOf } from "../words/words.ts";
import { type Amount, endsCode, isIdeograph, readAmount } from "./amounts.ts";
import { type Candidate, type PriceReading, propose } from "./candidates.ts";
import {
  type CurrencySign,
  findCurrency,
  NO_SIGN,
  readDiscount,
  signAfter,
  signBefore,
} from "./currency-signs.ts";
import { describesWatch, isFree, type Line, phraseAt, phraseEndingAt } from "./line.ts";
import type { PriceStrength } from "./line-reading.ts";

interface NumberAt {
  readonly line: Line;
  readonly at: number;
  readonly amount: Amount;
  /** The end of the number and of a dash behind it. */
  readonly end: number;
  /** What the number itself says, without a currency. Undefined if it is money only with one. */
  readonly facts: readonly NumberFact<"amount">[];
  readonly isMoneyAlone: boolean;
}

/** Proposes the amounts that start at token `at`. `found` has the readings that start before it, and its dates. */
export function proposeAmounts(line: Line, at: number, found: Candidate[]): void {
  const first = readAmount(line, at);
  if (first === undefined || isTailOfNumber(line, at, found)) return;
  // "+3.8%": a change, unless it is a discount on the amount before.
  if (line.tokens[first.to]?.word === "%") return;
  if (isTime(line, first.to)) return;
  const amount = readRange(line, first) ?? first;
  const end = skipDash(line, amount.to);
  const before = signBefore(line, at, amount);
  const after = signAfter(line, end);
  const isMoneyAlone = isPriceLike(line, at, amount);
  if (!isMoneyAlone && before === NO_SIGN && after === NO_SIGN) return;
  if (isPriceLimit(line, before === NO_SIGN ? at : before.edge)) return;
  const facts = factsOf(line, { at, amount, found });
  const number = { line, at, amount, end, facts, isMoneyAlone };
  proposeWith(number, { before, after }, found);
  // A sign between two numbers can belong to the other one.
  if (before !== NO_SIGN) proposeWith(number, { before: NO_SIGN, after }, found);
  if (after !== NO_SIGN) proposeWith(number, { before, after: NO_SIGN }, found);
}

function proposeWith(
  number: NumberAt,
  signs: { readonly before: CurrencySign; readonly after: CurrencySign },
  found: Candidate[],
): void {
  const { line, at, amount, end } = number;
  const { before, after } = signs;
  const currency = findCurrency(before, after);
  const hasDollar = before.hasDollar || after.hasDollar;
  if (currency === undefined && !hasDollar && !number.isMoneyAlone) return;
  const facts = [...number.facts];
  if (currency !== undefined) facts.push("currency_beside");
  else if (hasDollar) facts.push("dollar_beside");
  if (before !== NO_SIGN) facts.push("sign_before");
  const isGluedBefore = before !== NO_SIGN && line.tokens[at]?.isGlued === true;
  const isGluedAfter = after !== NO_SIGN && line.tokens[end]?.isGlued === true;
  if (isGluedBefore || isGluedAfter) facts.push("sign_glued");
  if (before !== NO_SIGN && after !== NO_SIGN) facts.push("signs_on_both_sides");
  const from = before === NO_SIGN ? at : before.edge;
  const edge = after === NO_SIGN ? end : after.edge;
  const discount = readDiscount(line, edge);
  if (discount !== undefined) facts.push("discount_behind");
  const price: PriceReading = {
    amount,
    strength: toStrength(amount, currency, hasDollar),
    currency,
    isLowered: isLowered(line, from),
    discountPercent: discount?.percent,
  };
  propose(found, { from, to: discount?.to ?? edge }, { kind: "amount", facts, price });
}

function toStrength(
  amount: Amount,
  currency: string | undefined,
  hasDollar: boolean,
): PriceStrength {
  if (currency !== undefined) return "currency";
  if (hasDollar) return "dollar";
  if (amount.hasUnit) return "unit";
  return amount.kind === "short" || (amount.kind === "whole" && amount.isGrouped)
    ? "grouped"
    : "bare";
}

/** A smaller number without currency and unit is not an ask. */
const BARE_MIN = 1000;

/** "300m" is a depth. An ask in millions is small or has decimals. */
const METRES_MIN = 100_000_000;

/** Returns true if a number without a currency can be an ask, and not a depth, a stock number or a part of a code. */
function isPriceLike(line: Line, at: number, amount: Amount): boolean {
  if (amount.kind === "malformed") return false;
  if (amount.kind === "range") return amount.hasUnit;
  if (amount.kind === "short") return !isGluedToLetters(line, at);
  if (amount.hasUnit) return amount.value < METRES_MIN || line.tokens[amount.to - 1]?.word !== "m";
  if (amount.value < BARE_MIN) return closesWithThousands(line, at);
  // "Z26025" is a stock number. "new12500" is not, because "new" is a known word.
  const isStockNumber =
    !amount.isGrouped && isGluedToLetters(line, at) && phraseEndingAt(line, at) === undefined;
  return !isStockNumber && !isGluedToMore(line, amount.to);
}

/** "126500LN blk 238": three digits at the end of the line of one watch. The usual price must confirm them. */
function closesWithThousands({ tokens, references }: Line, at: number): boolean {
  const [digits, watch] = [tokens[at], references[0]];
  if (digits?.isGlued === true || digits?.text.length !== 3 || tokens[at + 1] !== undefined)
    return false;
  const before = tokenAt(tokens, at - 1);
  if (before?.kind === "digits" && !YEAR_LIKE.test(before.text)) return false;
  return references.length === 1 && watch !== undefined && watch.to <= at && watch.from < 4;
}

/** What the number says, whatever currency is beside it. */
function factsOf(
  line: Line,
  number: {
    readonly at: number;
    readonly amount: Amount;
    readonly found: readonly Candidate[];
  },
): NumberFact<"amount">[] {
  const { at, amount, found } = number;
  switch (amount.kind) {
    case "malformed":
      return ["malformed"];
    case "range":
      return amount.hasUnit ? ["number", "range", "unit_behind"] : ["number", "range"];
    case "short":
      return shortFacts(line, { from: at, to: amount.to }, found);
    case "whole":
      break;
  }
  if (amount.hasUnit) {
    const isLarge = amount.factor >= 1_000_000 || line.tokens[at + 1]?.kind === "symbol";
    return isLarge ? ["number", "unit_behind", "millions_or_decimals"] : ["number", "unit_behind"];
  }
  if (amount.isGrouped) return ["number", "grouped"];
  if (amount.value < BARE_MIN)
    return closesWithThousands(line, at) ? ["number", "small", "closes_line"] : ["number", "small"];
  const facts: NumberFact<"amount">[] = ["number"];
  if (YEAR_LIKE.test(line.tokens[at]?.text ?? "")) facts.push("like_year");
  if (isJoinedToNumber(line, at)) facts.push("joined_to_number");
  if (/(?:[1-467]|[134]5)$/.test(amount.digits)) facts.push("not_round");
  return facts;
}

/** "7433-8000": four digits behind a dash and a short number are part of a code. */
function isJoinedToNumber({ tokens }: Line, at: number): boolean {
  const [number, dash] = [tokenAt(tokens, at - 2), tokenAt(tokens, at - 1)];
  return dash?.word === "-" && dash.isGlued && number?.kind === "digits" && number.text.length < 5;
}

/** "13,5": a decimal without a unit is an ask if something around it says so. */
function shortFacts(line: Line, span: Span, dates: readonly Candidate[]): NumberFact<"amount">[] {
  const facts: NumberFact<"amount">[] = ["decimal"];
  if (isFollowedBySaleTerm(line, span.to)) facts.push("sale_term_behind");
  else if (closesLine(line, span, dates)) facts.push("closes_line");
  else if (followsAskWord(line, span)) facts.push("behind_ask_word");
  return facts;
}

/** "2-4 days": how long it takes. */
function isTime(line: Line, at: number): boolean {
  if (!isSign(line.tokens[at], "-~") || line.tokens[at + 1]?.kind !== "digits") return false;
  const meaning = phraseAt(line, at + 2)?.meaning;
  return meaning?.kind === "cue" && meaning.cue === "unit_of_measure";
}

/** A cheaper watch costs at least this part of the dearer one in a range of asks. */
const RANGE_RATIO_MIN = 0.5;

/** "44k-47k", "10.9-11.2k", "9.200-9.900": two amounts with a dash, the second one larger. */
function readRange(line: Line, low: Amount): Amount | undefined {
  if (!isSign(line.tokens[low.to], "-~") || !isFree(line, low.to + 1)) return undefined;
  const high = readAmount(line, low.to + 1);
  if (low.kind === "malformed" || low.kind === "range" || high?.kind !== "whole") return undefined;
  const value = low.hasUnit ? low.value : low.value * high.factor;
  if (value >= high.value || value < high.value * RANGE_RATIO_MIN) return undefined;
  return { kind: "range", to: high.to, hasUnit: high.hasUnit, factor: high.factor };
}

/** "20183.05m": what is behind the point of a number that makes no sense is no amount of its own. */
function isTailOfNumber(line: Line, at: number, dates: readonly Candidate[]): boolean {
  const digits = tokenAt(line.tokens, at - 2);
  if (line.tokens[at]?.isGlued !== true || digits?.kind !== "digits") return false;
  if (!isSign(line.tokens[at - 1], ".,'")) return false;
  return isFree(line, at - 2) && !endsCode(line.tokens, at - 2) && !endsDate(dates, at - 1);
}

/** "17,900 -> 17,200", "9.950 now 9.650", "reduced to 8k". */
function isLowered(line: Line, at: number): boolean {
  let before = at - 1;
  while (before > at - 3 && isSign(tokenAt(line.tokens, before), ":-")) before -= 1;
  const token = tokenAt(line.tokens, before);
  if (isSign(token, ">\u2192") || isA(token, "lowered")) return true;
  if (!isA(token, "lowered_to", "offered_at")) return false;
  return isA(tokenAt(line.tokens, before - 1), "reduced");
}

/** Skips ",-", ".-" and "/-" at the end of a price. */
export function skipDash(line: Line, at: number): number {
  const dash = line.tokens[at + 1];
  return isSign(line.tokens[at], ".,/") && dash?.word === "-" && dash.isGlued ? at + 2 : at;
}

function isGluedToLetters(line: Line, at: number): boolean {
  return line.tokens[at]?.isGlued === true && tokenAt(line.tokens, at - 1)?.kind === "letters";
}

/** Unknown letters, or a slash and digits, right after a bare number make it a reference or a stock number. */
function isGluedToMore(line: Line, at: number): boolean {
  const [sign, next] = [line.tokens[at], line.tokens[at + 1]];
  if (sign?.isGlued !== true) return false;
  if (sign.kind === "letters")
    return sign.word !== "n" && phraseAt(line, at) === undefined && !isIdeograph(sign);
  return isSign(sign, "/_") && next?.kind === "digits" && next.isGlued;
}

const SALE_TERMS = classSet("extra", "addition", "included", "sale_term");

/** "+ label", "shipped", "obo": words that only follow an ask. */
function isFollowedBySaleTerm(line: Line, at: number): boolean {
  return line.tokens[at]?.word === "+" || isOneOf(line.tokens[at], SALE_TERMS);
}

/** "under 9000", "budget 9000": an upper limit is not an ask. */
function isPriceLimit(line: Line, at: number): boolean {
  const phrase = phraseEndingAt(line, at);
  if (phrase?.meaning.kind !== "cue" || phrase.meaning.cue !== "limit") return false;
  // "Not going under 9k" is an ask.
  const isBelow = isA(line.tokens[phrase.from], "below");
  const before = line.tokens.slice(Math.max(0, phrase.from - NEGATION_GAP), phrase.from);
  const not = before.findLastIndex((token) => isA(token, "not", "no"));
  const isEnded = before.slice(Math.max(0, not)).some(({ word }) => /^[.,;!?]$/.test(word));
  return !(isBelow && not >= 0 && !isEnded);
}

/** Tokens between "not" and "under". */
const NEGATION_GAP = 4;

/** "let it go for 24,5", "asking 9.2": one decimal behind a word of asking, in a line with a watch. */
function followsAskWord(line: Line, { from, to }: Span): boolean {
  if (line.tokens[to - 1]?.text.length !== 1) return false;
  if (isLowered(line, from)) return true;
  if (line.references.length === 0) return false;
  const before = tokenAt(line.tokens, from - 1);
  return before?.word === "@" || isA(before, "ask", "price", "offered_at");
}

/**
 * "278271 choco jub 18.5", and "2023 w/c 28.9" below a reference: one decimal at the end of a line with a watch or a dated
 * piece. Two decimals may be a date ("10.25"), unless the line has one already.
 */
function closesLine(line: Line, span: Span, dates: readonly Candidate[]): boolean {
  const { from, to } = span;
  const reference = line.references.at(-1);
  const watchEnd = reference?.to ?? 0;
  if (watchEnd > from) return isBeforeNextWatch(line, span);
  if (reference === undefined && !isDatedPiece(line)) return false;
  const decimals = line.tokens[to - 1]?.text.length;
  if (!isLineEnd(line.tokens, to)) return decimals === 1 && isSetOrCondition(line, to);
  if (decimals === 1) return true;
  return decimals === 2 && isBehindDescription(line, span, dates);
}

/**
 * "2023 full set 11.95": behind the year of the watch and what describes it, two numbers with a dot at the end of the line
 * are its ask. In "2024 card 11.24" and "2025 new 03.25" they are the month of the card.
 */
function isBehindDescription(line: Line, { from, to }: Span, dates: readonly Candidate[]): boolean {
  const phrase = phraseEndingAt(line, from);
  const isDescribed = phrase === undefined ? endsDate(dates, from) : describesWatch(phrase.meaning);
  if (!isDescribed || isA(tokenAt(line.tokens, from - 1), "other_event")) return false;
  const watchEnd = line.references.at(-1)?.to ?? 0;
  const before = dates.filter((date) => date.from >= watchEnd && date.to <= from);
  const year = Number(line.tokens[to - 1]?.text);
  return (
    before.some(({ date }) => date?.year !== undefined) &&
    !before.some(({ date }) => (date?.year ?? 0) % 100 === year && date?.year !== undefined)
  );
}

/** Symbols between two watches, and the start of the second. */
const SEPARATORS_MAX = 4;

/** "116500LN 2020 26.4 // 116520 2012 19.9": one decimal, a separator, and the next reference. */
function isBeforeNextWatch(line: Line, { from, to }: Span): boolean {
  if (line.tokens[to - 1]?.text.length !== 1) return false;
  const between = line.tokens.slice(to, to + SEPARATORS_MAX);
  const end = between.findIndex((token) => token.kind !== "symbol");
  if (lastUntil(line.references, from) === undefined) return false;
  return firstFrom(line.references, to)?.from === to + end;
}

function isSetOrCondition(line: Line, at: number): boolean {
  const kind = phraseAt(line, at)?.meaning.kind;
  return kind === "set" || kind === "condition";
}

/** No date has more tokens. */
const DATE_TOKENS_MAX = 8;

/** Returns true if a date that is proposed ends right before the token. */
function endsDate(found: readonly Candidate[], at: number): boolean {
  for (let index = found.length - 1; index >= 0; index -= 1) {
    const { kind, from, to } = found[index] ?? NO_CANDIDATE;
    if (kind === "date" && to === at) return true;
    if (from < at - DATE_TOKENS_MAX) return false;
  }
  return false;
}

const NO_CANDIDATE = { kind: undefined, from: -1, to: -1 };

/** "2023 w/c 28.9", "2025 new full set 31.2": a year, and then a set or a condition. */
function isDatedPiece(line: Line): boolean {
  const year = line.tokens.findIndex((token) => token.kind !== "symbol");
  return YEAR_LIKE.test(line.tokens[year]?.text ?? "") && isSetOrCondition(line, year + 1);
}
