/**
 * Reads one number with its separators and its unit, without knowing the currency.
 *
 * Idea: collect the groups of digits and the separators between them, then decide what they mean. Separators before
 * three digits group thousands. Before a unit, or before one or two digits, a separator is a decimal point. Everything
 * else is `malformed`, so that a wrong price is never guessed.
 *
 * Examples: "1.145,000" is 1145000; "11,4k" is 11400; "13,5" is `short`; "1,045,00" is `malformed`.
 */
import { type Token, tokenAt, YEAR_LIKE } from "../text/token.ts";

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
  | { readonly kind: "malformed" }
);

const UNITS: ReadonlyMap<string, number> = new Map([
  ["k", 1000],
  ["m", 1_000_000],
  ["mil", 1_000_000],
  ["mill", 1_000_000],
  ["mio", 1_000_000],
  ["mln", 1_000_000],
  ["million", 1_000_000],
  ["millions", 1_000_000],
  ["thousand", 1000],
  ["tsd", 1000],
  ["mila", 1000],
  ["тыс", 1000],
  ["w", 10_000],
  ["\u4E07", 10_000],
  ["\u842C", 10_000],
]);

/** No ask has more digits. A longer run is a phone number or a stock number. */
const DIGITS_MAX = 8;

/** "1.278.000,00" has four groups. A longer number is read up to here and is malformed. */
const GROUPS_MAX = 4;

/** Returns the number that starts at token `at`, or undefined if the token is not digits. */
export function readAmount(
  tokens: readonly Token[],
  at: number,
  isBehindWatch: boolean,
): Amount | undefined {
  const first = tokens[at];
  if (first?.kind !== "digits") return undefined;
  const next = tokens[at + 1];
  // Most numbers have neither a separator nor a second group.
  if (next === undefined || (next.kind === "letters" && next.isGlued)) {
    const unit = readUnit(tokens, at + 1) ?? { factor: 1, to: at + 1, isDoubtful: false };
    return toAmount({ groups: [first.text], separators: NO_SEPARATORS }, unit);
  }
  const groups = [first.text];
  const separators: string[] = [];
  let to = at + 1;
  while (groups.length <= GROUPS_MAX) {
    const separator = tokens[to];
    const group = tokens[to + 1];
    if (separator?.kind !== "symbol" || group?.kind !== "digits" || !isSeparator(separator)) break;
    if (!isPartOfNumber(tokens, { groups, to })) break;
    groups.push(group.text);
    separators.push(separator.word);
    to += 2;
  }
  const spacedEnd = groups.length === 1 ? endOfSpacedGroups(tokens, { at, to, isBehindWatch }) : to;
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
  const overlong = overlongGroup(tokens, { at, to });
  if (overlong) return { kind: "malformed", to: to + 2, hasUnit: false, factor: 1 };
  const unit = readUnit(tokens, to);
  return toAmount({ groups, separators }, unit ?? { factor: 1, to, isDoubtful: false });
}

const NO_SEPARATORS: readonly string[] = [];

function isSeparator(token: Token): boolean {
  return token.isGlued && (token.word === "." || token.word === "," || token.word === "'");
}

/** "28-520,815k", "SC330,950k": the first number is part of a code, and the amount is behind its comma. */
export function endsCode(tokens: readonly Token[], at: number): boolean {
  const [before, joint, digits] = [tokenAt(tokens, at - 2), tokenAt(tokens, at - 1), tokens[at]];
  if (joint === undefined || digits?.isGlued !== true || digits.text.length !== 3) return false;
  // "2019y,324,468k".
  if (joint.word === "," && joint.isGlued && /^(y|yr)$/.test(before?.word ?? "")) return true;
  if (joint.kind === "letters")
    return /^[a-z]{1,2}$/.test(joint.word) && !/^(hk|us|u|rm|n|y)$/.test(joint.word);
  return joint.word === "-" && joint.isGlued && before?.kind === "digits";
}

/** "24,5000": a short number with four or more digits behind its separator has no meaning. "12,2023" is a date. */
function overlongGroup(
  tokens: readonly Token[],
  number: { readonly at: number; readonly to: number },
): boolean {
  const [separator, group] = [tokens[number.to], tokens[number.to + 1]];
  if (separator?.kind !== "symbol" || !isSeparator(separator)) return false;
  if (group?.kind !== "digits" || !group.isGlued || group.text.length < 4) return false;
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
  return group.text.length < 3 && unit?.isGlued === true && /^[km]$/.test(unit.word);
}

/**
 * "1 160 000 hkd", "$17 400.00": a space before three digits groups thousands if a currency is right before or after the
 * amount, or if it closes the line of a watch. Returns the token after the last group and its cents, or `to` if there is
 * no such group.
 */
function endOfSpacedGroups(
  tokens: readonly Token[],
  number: { readonly at: number; readonly to: number; readonly isBehindWatch: boolean },
): number {
  const { at, to } = number;
  if ((tokens[at]?.text.length ?? 0) > 3 || !isThreeDigits(tokens[to])) return to;
  let end = to + 1;
  while (end < at + 2 * GROUPS_MAX && isThreeDigits(tokens[end])) end += 1;
  const [separator, cents] = [tokens[end], tokens[end + 1]];
  const hasCents =
    separator?.kind === "symbol" &&
    isSeparator(separator) &&
    cents?.kind === "digits" &&
    cents.isGlued &&
    cents.text.length === 2;
  const after = hasCents ? end + 2 : end;
  const isMoney =
    CURRENCY_SIGN.test(tokens[after]?.word ?? "") ||
    ((hasCents || tokens[after]?.isGlued !== true) &&
      CURRENCY_SIGN.test(tokenAt(tokens, at - 1)?.word ?? ""));
  return isMoney || (number.isBehindWatch && closesLine(tokens, at, after)) ? after : to;
}

/** "126334 blue 2022 10 900": a round number at the very end of a line, with no other number before it but a year. */
function closesLine(tokens: readonly Token[], at: number, after: number): boolean {
  const [before, first] = [tokenAt(tokens, at - 1), tokens[at]];
  if (
    tokens[after] !== undefined ||
    first?.isGlued === true ||
    first?.text.startsWith("0") === true
  )
    return false;
  if (tokens[after - 1]?.text.endsWith("0") !== true) return false;
  return before?.kind !== "digits" || YEAR_LIKE.test(before.text);
}

function isThreeDigits(token: Token | undefined): boolean {
  return token?.kind === "digits" && !token.isGlued && token.text.length === 3;
}

const CURRENCY_SIGN =
  /^([$\u20AC\u00A3]|hkd|usd|usdt|eur|euro|euros|gbp|chf|aed|sgd|aud|cad|nzd|cny|rmb|jpy|thb|\u0435\u0432\u0440\u043E|\u0440\u0443\u0431|\u0434\u043E\u043B\u043B\u0430\u0440\u043E\u0432)$/;

interface Unit {
  readonly factor: number;
  readonly to: number;
  /** "kk" and similar: not a unit that can be trusted. */
  readonly isDoubtful: boolean;
}

function readUnit(tokens: readonly Token[], at: number): Unit | undefined {
  const token = tokens[at];
  if (token?.kind !== "letters") return undefined;
  if (token.isGlued && /^(kk|km|mk)$/.test(token.word))
    return { factor: 1, to: at + 1, isDoubtful: true };
  const factor = UNITS.get(token.word);
  if (factor === undefined) return undefined;
  // A unit touches its number or is a word of its own ("70.5 K"). A w for 万 must touch it, because w also means "with".
  const next = tokens[at + 1];
  const standsAlone =
    token.word !== "w" && (next === undefined || !next.isGlued || next.kind === "symbol");
  return token.isGlued || standsAlone ? { factor, to: at + 1, isDoubtful: false } : undefined;
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
  if (separators.length > 1 || digits.length > DIGITS_MAX)
    return { kind: "malformed", to: unit.to, hasUnit: true, factor: unit.factor };
  const value = Number(`${groups[0]}.${groups[1] ?? "0"}`) * unit.factor;
  return {
    kind: "whole",
    value: Math.round(value * 100) / 100,
    digits,
    isGrouped: false,
    isDotted: false,
    to: unit.to,
    hasUnit: true,
    factor: unit.factor,
  };
}

function toBareAmount({ groups, separators }: DigitGroups, to: number): Amount {
  const malformed: Amount = { kind: "malformed", to, hasUnit: false, factor: 1 };
  const digits = groups.join("");
  const whole = (value: number, isGrouped: boolean): Amount => ({
    kind: "whole",
    value,
    digits,
    isGrouped,
    isDotted: separators[0] === ".",
    to,
    hasUnit: false,
    factor: 1,
  });
  if (separators.length === 0)
    return digits.length > DIGITS_MAX ? malformed : whole(Number(digits), false);
  const last = groups.at(-1) ?? "";
  const middle = groups.slice(1, -1);
  const isCents = last.length === 2 && isCentsGroup(groups, separators);
  if (middle.every((group) => group.length === 3) && (last.length === 3 || isCents)) {
    // Two digits more than an ask has, for the cents.
    if (digits.length > DIGITS_MAX + 2 || groups[0] === "0") return malformed;
    const value = isCents
      ? Number(groups.slice(0, -1).join("")) + Number(last) / 100
      : Number(digits);
    return whole(value, true);
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
  return malformed;
}

/** "56'500.00" and "56500.00": cents after a whole price, with a separator of their own. */
function isCentsGroup(groups: readonly string[], separators: readonly string[]): boolean {
  if ((groups[0] ?? "").length > 3) return true;
  const last = separators.at(-1) ?? "";
  return separators.length > 1 && !separators.slice(0, -1).includes(last);
}
