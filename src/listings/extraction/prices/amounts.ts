/**
 * Reads one number with its separators and its unit, without knowing the currency.
 *
 * Idea: collect the groups of digits and the separators between them, then decide what they mean. Separators before
 * three digits group thousands. Before a unit, or before one or two digits, a separator is a decimal point. Everything
 * else is `malformed`, so that a wrong price is never guessed.
 *
 * Examples: "1.145,000" is 1145000; "11,4k" is 11400; "13,5" is `short`; "1,045,00" is `malformed`.
 */
import type { Token } from "../lines/tokens.ts";

export type Amount = {
  /** Index of the token after the number and its unit. */
  readonly to: number;
  /** Has a unit: k, m, 万. */
  readonly hasUnit: boolean;
} & (
  | {
      readonly kind: "whole";
      readonly value: number;
      /** Digits as written, without separators. */
      readonly digits: string;
      readonly isGrouped: boolean;
    }
  /** "13,5": a small decimal without a unit. The currency decides which unit the dealer left out. */
  | { readonly kind: "short"; readonly value: number }
  | { readonly kind: "malformed" }
);

const UNITS: Readonly<Record<string, number>> = {
  k: 1000,
  m: 1_000_000,
  mil: 1_000_000,
  mill: 1_000_000,
  mio: 1_000_000,
  mln: 1_000_000,
  million: 1_000_000,
  millions: 1_000_000,
  tsd: 1000,
  w: 10_000,
  "\u4E07": 10_000,
  "\u842C": 10_000,
};

/** No ask has more digits. A longer run is a phone number or a stock number. */
const DIGITS_MAX = 8;

/** "1.278.000,00" has four groups. A longer number is read up to here and is malformed. */
const GROUPS_MAX = 4;

/** Returns the number that starts at token `at`, or undefined if the token is not digits. */
export function readAmount(tokens: readonly Token[], at: number): Amount | undefined {
  const first = tokens[at];
  if (first?.kind !== "digits") return undefined;
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
  while (groups.length <= GROUPS_MAX && isSpaceSeparatedGroup(tokens, at, to)) {
    groups.push(tokens[to]?.text ?? "");
    separators.push(" ");
    to += 1;
  }
  const unit = readUnit(tokens, to);
  return toAmount({ groups, separators }, unit ?? { factor: 1, to, isDoubtful: false });
}

function isSeparator(token: Token): boolean {
  return token.isGlued && (token.word === "." || token.word === "," || token.word === "'");
}

/**
 * Returns true if the separator at `to` belongs to the number. "2023,1.4M" is a year and a price: no separator follows
 * four digits, except before cents of 00. A space after the separator ends the number, unless a decimal with a unit
 * follows ("63. 5k").
 */
function isPartOfNumber(
  tokens: readonly Token[],
  number: { readonly groups: readonly string[]; readonly to: number },
): boolean {
  const group = tokens[number.to + 1];
  const first = number.groups[0] ?? "";
  if (group === undefined || group.text.length > 3) return false;
  if (number.groups.length === 1 && first.length > 3) {
    return group.isGlued && /^0+$/.test(group.text) && group.text.length === 2;
  }
  if (group.isGlued) return true;
  const unit = tokens[number.to + 2];
  return group.text.length < 3 && unit?.isGlued === true && /^[km]$/.test(unit.word);
}

/** "1 160 000 hkd": a space before three digits groups thousands if a currency is right before or after the amount. */
function isSpaceSeparatedGroup(tokens: readonly Token[], at: number, to: number): boolean {
  if ((tokens[at]?.text.length ?? 0) > 3 || !isThreeDigits(tokens[to])) return false;
  let end = to + 1;
  while (end < at + 2 * GROUPS_MAX && isThreeDigits(tokens[end])) end += 1;
  const next = tokens[end];
  if (next !== undefined) return CURRENCY_SIGN.test(next.word);
  return CURRENCY_SIGN.test(tokens[at - 1]?.word ?? "");
}

function isThreeDigits(token: Token | undefined): boolean {
  return token?.kind === "digits" && !token.isGlued && token.text.length === 3;
}

const CURRENCY_SIGN = /^([$\u20AC\u00A3]|hkd|usd|usdt|eur|euro|euros|gbp|chf|aed|sgd)$/;

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
  const factor = Object.hasOwn(UNITS, token.word) ? UNITS[token.word] : undefined;
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
  if (unit.isDoubtful) return { kind: "malformed", to: unit.to, hasUnit: true };
  return unit.factor === 1 ? toBareAmount(number, unit.to) : toAmountWithUnit(number, unit);
}

/** Before a unit, comma and dot are both decimal points, so there can be only one. */
function toAmountWithUnit({ groups, separators }: DigitGroups, unit: Unit): Amount {
  const digits = groups.join("");
  if (separators.length > 1 || digits.length > DIGITS_MAX)
    return { kind: "malformed", to: unit.to, hasUnit: true };
  const value = Number(`${groups[0]}.${groups[1] ?? "0"}`) * unit.factor;
  return {
    kind: "whole",
    value: Math.round(value * 100) / 100,
    digits,
    isGrouped: false,
    to: unit.to,
    hasUnit: true,
  };
}

function toBareAmount({ groups, separators }: DigitGroups, to: number): Amount {
  const malformed: Amount = { kind: "malformed", to, hasUnit: false };
  const digits = groups.join("");
  const whole = (value: number, isGrouped: boolean): Amount => ({
    kind: "whole",
    value,
    digits,
    isGrouped,
    to,
    hasUnit: false,
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
    return { kind: "short", value: Number(`${groups[0]}.${last}`), to, hasUnit: false };
  return malformed;
}

/** "56'500.00" and "56500.00": cents after a whole price, with a separator of their own. */
function isCentsGroup(groups: readonly string[], separators: readonly string[]): boolean {
  if ((groups[0] ?? "").length > 3) return true;
  const last = separators.at(-1) ?? "";
  return separators.length > 1 && !separators.slice(0, -1).includes(last);
}
