/**
 * Reads one number with its separators and its unit, without knowing the currency.
 *
 * Idea: collect the groups of digits and the separators between them, then decide what they mean. Separators before
 * three digits group thousands. Before a unit, or before one or two digits, a separator is a decimal point. Everything
 * else is `malformed`, so that a wrong price is never guessed.
 *
 * Examples: "1.145,000" is 1145000; "11,4k" is 11400; "13,5" is `short`; "1,045,00" is `malformed`.
 */
import { isLineEnd, isSign, type Token, tokenAt, YEAR_LIKE } from "../text/token.ts";
import { PRICE_RANGES } from "../words/currencies.ts";
import type { PhraseMatch } from "../words/lexicon.ts";
import { classSet, isA, isOneOf } from "../words/words.ts";
import { endsCurrency, type Line, startsCurrency } from "./line.ts";

export type Amount = {
  /** Index of the token after the number and its unit. */
  readonly to: number;
  /** Has a unit: k, m, 万. */
  readonly hasUnit: boolean;
  /** What the unit multiplies by. 1 if there is none. */
  readonly factor: number;
} & (
  | {
      readonly kind: "whole";
      readonly value: number;
      /** Digits as written, without separators. */
      readonly digits: string;
      readonly isGrouped: boolean;
      /** Its groups are separated by dots: "2.475". */
      readonly isDotted: boolean;
    }
  /** "13,5": a small decimal without a unit. The currency decides which unit the dealer left out. */
  | {
      readonly kind: "short";
      readonly value: number;
      /** Two digits are behind the point: "450.00". */
      readonly hasCents: boolean;
    }
  /** "44k-47k": two asks, of which neither is the ask. */
  | { readonly kind: "range" }
  | { readonly kind: "malformed" }
);

/** No ask has more digits. A longer run is a phone number or a stock number. */
const DIGITS_MAX = 8;

/** "1.278.000,00" has four groups. A longer number is read up to here and is malformed. */
const GROUPS_MAX = 4;

/** Returns the number that starts at token `at`, or undefined if the token is not digits. */
export function readAmount(line: Line, at: number): Amount | undefined {
  const { tokens } = line;
  const first = tokens[at];
  if (first?.kind !== "digits") return readWordedAmount(line, at);
  const groups = [first.text];
  const separators: string[] = [];
  let to = at + 1;
  while (groups.length <= GROUPS_MAX) {
    const separator = tokens[to];
    const group = tokens[to + 1];
    if (!isSeparator(separator) || group?.kind !== "digits") break;
    if (!isPartOfNumber(tokens, { groups, to })) break;
    groups.push(group.text);
    separators.push(separator?.word ?? "");
    to += 2;
  }
  const spacedEnd = groups.length === 1 ? endOfSpacedGroups(line, at, to) : to;
  while (to < spacedEnd && isThreeDigits(tokens[to])) {
    groups.push(tokens[to]?.text ?? "");
    separators.push(" ");
    to += 1;
  }
  if (to < spacedEnd) {
    groups.push(tokens[to + 1]?.text ?? "");
    separators.push(tokens[to]?.word ?? "");
    to = spacedEnd;
  }
  if (overlongGroup(tokens, { at, to })) return malformed(to + 2);
  return toAmount({ groups, separators }, readUnit(line, at, to));
}

const NUMERALS = [
  [2, "numeral_2"],
  [3, "numeral_3"],
  [4, "numeral_4"],
  [5, "numeral_5"],
  [6, "numeral_6"],
  [7, "numeral_7"],
  [8, "numeral_8"],
  [9, "numeral_9"],
  [10, "numeral_10"],
  [11, "numeral_11"],
  [12, "numeral_12"],
  [15, "numeral_15"],
  [20, "numeral_20"],
] as const;

/** "six grand", "seven and a half grand", and "nine and a half" at the end of the line of a watch. */
function readWordedAmount(line: Line, at: number): Amount | undefined {
  const { tokens } = line;
  const isHalf = isA(tokens[at + 1], "and") && isA(tokens[at + 3], "half");
  const end = isHalf ? at + 4 : at + 1;
  const hasUnit = isA(tokens[end], "thousand");
  const isEnd =
    isLineEnd(tokens, end) || startsCurrency(line, tokens[end]?.word === "," ? end + 1 : end);
  if (!hasUnit && !(isHalf && line.references.length > 0 && isEnd)) return undefined;
  const numeral = NUMERALS.find(([, name]) => isA(tokens[at], name))?.[0];
  if (numeral === undefined) return undefined;
  const value = isHalf ? numeral + 0.5 : numeral;
  return toAmountWithUnit(
    { groups: String(value).split("."), separators: isHalf ? ["."] : [] },
    { factor: 1000, to: hasUnit ? end + 1 : end, decimals: "", isDoubtful: false },
  );
}

function isSeparator(token: Token | undefined): boolean {
  return token?.isGlued === true && isSign(token, ".,'");
}

/** "28-520,815k": the first number is part of a code, and the amount is behind its comma. */
export function endsCode(tokens: readonly Token[], at: number): boolean {
  const [before, joint, digits] = [tokenAt(tokens, at - 2), tokenAt(tokens, at - 1), tokens[at]];
  if (digits?.isGlued !== true || digits.text.length !== 3) return false;
  return joint?.word === "-" && joint.isGlued && before?.kind === "digits";
}

/** "24,5000": a short number with four or more digits behind its separator has no meaning. "12,2023" is a date. */
function overlongGroup(
  tokens: readonly Token[],
  number: { readonly at: number; readonly to: number },
): boolean {
  const group = tokens[number.to + 1];
  if (!isSeparator(tokens[number.to]) || group?.kind !== "digits") return false;
  if (!group.isGlued || group.text.length < 4) return false;
  return (tokens[number.at]?.text.length ?? 0) <= 3 && !YEAR_LIKE.test(group.text);
}

/**
 * Returns true if the separator at `to` belongs to the number. "2023,1.4M" is a year and a price: no separator follows
 * four digits, except before cents of 00, and before three digits if the four cannot be a year ("1160,000"). A space
 * after the separator ends the number, unless a decimal with a unit follows ("63. 5k").
 */
function isPartOfNumber(
  tokens: readonly Token[],
  number: { readonly groups: readonly string[]; readonly to: number },
): boolean {
  const group = tokens[number.to + 1];
  const first = number.groups[0] ?? "";
  if (group === undefined || group.text.length > 3) return false;
  if (number.groups.length === 1 && endsCode(tokens, number.to - 1)) return false;
  if (number.groups.length === 1 && first.length > 3) {
    const isThousand = first.length === 4 && group.text.length === 3 && !YEAR_LIKE.test(first);
    return group.isGlued && (isThousand || group.text === "00");
  }
  if (group.isGlued) return true;
  const unit = tokens[number.to + 2];
  return group.text.length < 3 && unit?.isGlued === true && isA(unit, "thousand", "million");
}

/**
 * "1 160 000 hkd", "$17 400.00": a space before three digits groups thousands if a currency is right before or after the
 * amount, or if it closes the line of a watch. Returns the token after the last group and its cents, or `to` if there is
 * no such group.
 */
function endOfSpacedGroups(line: Line, at: number, to: number): number {
  const { tokens } = line;
  if ((tokens[at]?.text.length ?? 0) > 3 || !isThreeDigits(tokens[to])) return to;
  let end = to + 1;
  while (end < at + 2 * GROUPS_MAX && isThreeDigits(tokens[end])) end += 1;
  const cents = tokens[end + 1];
  const hasCents =
    isSeparator(tokens[end]) &&
    cents?.kind === "digits" &&
    cents.isGlued &&
    cents.text.length === 2;
  const after = hasCents ? end + 2 : end;
  const isMoney =
    // "11 300 fdpin".
    startsCurrency(line, after) ||
    endsCurrency(line, at) ||
    isA(tokens[after], "sale_term", "discount");
  return isMoney || closesLine(line, at, after) ? after : to;
}

/** "126334 blue 2022 10 900": a round number at the very end of a line, with no other number before it but a year. */
function closesLine({ tokens, references }: Line, at: number, after: number): boolean {
  const before = tokenAt(tokens, at - 1);
  const last = tokens[after - 1]?.text ?? "";
  if (/[05]0$/.test(last) && startsAsk(tokens, at)) return tokens[after]?.kind !== "digits";
  if ((references[0]?.to ?? Number.POSITIVE_INFINITY) > at || tokens[after] !== undefined)
    return false;
  if (!last.endsWith("0")) return false;
  return before?.kind !== "digits" || YEAR_LIKE.test(before.text);
}

/** ", 24 000, ", "je mets 10 300 sans discuter": behind a sign or a word that leads to an ask. */
function startsAsk(tokens: readonly Token[], at: number): boolean {
  const before = tokenAt(tokens, at - 1);
  if (isOneOf(before, BEFORE_PRICE)) return true;
  return /^[,.:!?\u2014]$/.test(before?.word ?? "") && tokenAt(tokens, at - 2)?.kind !== "digits";
}

function isThreeDigits(token: Token | undefined): boolean {
  return token?.kind === "digits" && !token.isGlued && token.text.length === 3;
}

/** The digit groups of a number and the separators between them; `separators` has one entry less. */
interface DigitGroups {
  readonly groups: readonly string[];
  readonly separators: readonly string[];
}

function toAmount(number: DigitGroups, unit: Unit): Amount {
  if (unit.isDoubtful) return { kind: "malformed", to: unit.to, hasUnit: true, factor: 1 };
  return unit.factor === 1 ? toBareAmount(number, unit.to) : toAmountWithUnit(number, unit);
}

/** Before a unit, comma and dot are both decimal points, so there can be only one. */
function toAmountWithUnit({ groups, separators }: DigitGroups, unit: Unit): Amount {
  const digits = groups.join("");
  const decimals = `${groups[1] ?? ""}${unit.decimals}`;
  const isTwice = separators.length > 0 && unit.decimals !== "";
  if (separators.length > 1 || digits.length > DIGITS_MAX || isTwice)
    return { kind: "malformed", to: unit.to, hasUnit: true, factor: unit.factor };
  // "1,720\uB9CC": tens of thousands never have three decimals.
  const isGroup = unit.factor === 10_000 && separators[0] === "," && groups[1]?.length === 3;
  const value = Number(isGroup ? digits : `${groups[0]}.${decimals}`) * unit.factor;
  return {
    kind: "whole",
    value: Math.round(value * 100) / 100,
    digits: `${digits}${unit.decimals}`,
    isGrouped: false,
    isDotted: false,
    to: unit.to,
    hasUnit: true,
    factor: unit.factor,
  };
}

function toBareAmount(number: DigitGroups, to: number): Amount {
  const { groups, separators } = number;
  const [only = ""] = groups;
  if (separators.length === 0)
    return only.length > DIGITS_MAX ? malformed(to) : toWhole(number, to, Number(only));
  const digits = groups.join("");
  const last = groups.at(-1) ?? "";
  const middle = groups.slice(1, -1);
  const isCents = last.length === 2 && isCentsGroup(groups, separators);
  if (middle.every((group) => group.length === 3) && (last.length === 3 || isCents)) {
    // Two digits more than an ask has, for the cents.
    if (digits.length > DIGITS_MAX + 2 || groups[0] === "0") return malformed(to);
    const value = isCents
      ? Number(groups.slice(0, -1).join("")) + Number(last) / 100
      : Number(digits);
    return toWhole(number, to, value);
  }
  if (groups.length === 2 && last.length < 3)
    return {
      kind: "short",
      value: Number(`${groups[0]}.${last}`),
      hasCents: last.length === 2,
      to,
      hasUnit: false,
      factor: 1,
    };
  return malformed(to);
}

function malformed(to: number): Amount {
  return { kind: "malformed", to, hasUnit: false, factor: 1 };
}

function toWhole({ groups, separators }: DigitGroups, to: number, value: number): Amount {
  return {
    kind: "whole",
    value,
    digits: groups.join(""),
    isGrouped: separators.length > 0,
    isDotted: separators[0] === ".",
    to,
    hasUnit: false,
    factor: 1,
  };
}

/** "56'500.00" and "56500.00": cents after a whole price, with a separator of their own. */
function isCentsGroup(groups: readonly string[], separators: readonly string[]): boolean {
  if ((groups[0] ?? "").length > 3) return true;
  const last = separators.at(-1) ?? "";
  return separators.length > 1 && !separators.slice(0, -1).includes(last);
}

const BEFORE_PRICE = classSet("ask", "price", "offered_at", "lowered");

/** The unit behind a number: k, m, \u4E07, and the digits behind it that are its decimals. */
interface Unit {
  readonly factor: number;
  readonly to: number;
  /** "15k8", "18\u842C5": the digits behind the unit are its decimals. */
  readonly decimals: string;
  /** "kk" and similar: not a unit that can be trusted. */
  readonly isDoubtful: boolean;
}

/** Returns the unit of the number in the tokens `at` up to but not including `to`. */
function readUnit(line: Line, at: number, to: number): Unit {
  const { tokens } = line;
  const token = tokens[to];
  if (token?.kind !== "letters" || token.facts === undefined) return noUnit(to);
  if (token.isGlued && isA(token, "two_units"))
    return { factor: 1, to: to + 1, decimals: "", isDoubtful: true };
  const factor = unitFactor(line, at, to);
  if (factor === 1) return noUnit(to);
  // A w for \u4E07 must touch its number, because w also means "with". The M of "41 M126300" is part of a code.
  const next = tokens[to + 1];
  const opensCode = next?.isGlued === true && next.kind === "digits" && !isIdeograph(token);
  if (!token.isGlued && (opensCode || isA(token, "touching_unit"))) return noUnit(to);
  const rest = decimalsBehindUnit(line, to);
  return {
    factor,
    to: rest?.to ?? to + 1,
    decimals: rest?.digits ?? "",
    isDoubtful: false,
  };
}

function noUnit(to: number): Unit {
  return { factor: 1, to, decimals: "", isDoubtful: false };
}

/** From this number on, "mil" is a thousand, as in Spanish and Portuguese. */
const MIL_THOUSANDS_MIN = 5;

function unitFactor(line: Line, at: number, to: number): number {
  const token = line.tokens[to];
  if (isA(token, "thousand")) return 1000;
  if (isA(token, "million")) return 1_000_000;
  if (isA(token, "ten_thousand")) return 10_000;
  if (isA(token, "hundred_thousand")) return 100_000;
  if (isA(token, "ten_million")) return 10_000_000;
  if (isA(token, "billion")) return 1_000_000_000;
  if (!isA(token, "thousand_or_million")) return 1;
  // "6.5 mil" is in millions. "24 mil", "12,5 mil" and "3 mil 400" are in thousands.
  if (line.tokens[at + 1]?.word === "." || isInMillions(line.ends[at] ?? line.starts[to + 1]))
    return 1_000_000;
  const isLarge = Number(line.tokens[at]?.text) >= MIL_THOUSANDS_MIN;
  return isLarge || decimalsBehindUnit(line, to) !== undefined ? 1000 : 1_000_000;
}

/** In Hong Kong dealers say "6 mil" for six millions. */
function isInMillions(beside: PhraseMatch | undefined): boolean {
  if (beside?.meaning.kind !== "currency") return false;
  return PRICE_RANGES.get(beside.meaning.currency)?.shortFactor === 1_000_000;
}

/**
 * "15k8", "18\u842C5", "23tr500": one or three digits that touch the unit. "1 t\u1EF7 2", "3 mil 400", "1 \u043C\u043B\u043D 90 \u0442\u044B\u0441": digits behind
 * a unit that is a word. Returns them with the token after them.
 */
function decimalsBehindUnit(
  line: Line,
  unit: number,
): { readonly digits: string; readonly to: number } | undefined {
  const { tokens } = line;
  const isWord = (tokens[unit]?.word.length ?? 0) > 1;
  const at = isA(tokens[unit + 1], "and") ? unit + 2 : unit + 1;
  const [digits, next] = [tokens[at], tokens[at + 1]];
  if (digits?.kind !== "digits") return undefined;
  const count = digits.text.length;
  const isSpaced = isWord || isA(tokens[unit], "ten_thousand");
  if (count > 3 || (!digits.isGlued && !isSpaced)) return undefined;
  if (isSmallerUnit(tokens[unit], next))
    return { digits: digits.text.padStart(3, "0"), to: at + 2 };
  // "1 \u043C\u043B\u043D 50" at the end of a line: fifty thousand. "1 t\u1ECFi 05": five hundredths.
  if (count === 2 && isWord && isLineEnd(tokens, at + 1) && isA(tokens[unit], "million"))
    return { digits: digits.text.padStart(3, "0"), to: at + 1 };
  if (count === 2 && !(isA(tokens[unit], "billion") && digits.text.startsWith("0")))
    return undefined;
  const isEnd =
    (isIdeograph(next) && next?.facts === undefined) ||
    next?.isGlued !== true ||
    (next.kind === "letters" && next.facts !== undefined) ||
    (next.kind === "symbol" && tokens[at + 2]?.isGlued !== true);
  return isEnd ? { digits: digits.text, to: at + 1 } : undefined;
}

/** Chinese has no spaces, so a word beside a number says nothing about it. */
export function isIdeograph(token: Token | undefined): boolean {
  return token?.kind === "letters" && /^\p{Script=Han}/u.test(token.word);
}

function isSmallerUnit(unit: Token | undefined, next: Token | undefined): boolean {
  return isA(next, isA(unit, "billion") ? "million" : "thousand");
}
