/** The unit behind a number: k, m, \u4E07, and the digits behind it that are its decimals. */
import { isLineEnd, type Token } from "../text/token.ts";
import { PRICE_RANGES } from "../words/currencies.ts";
import type { PhraseMatch } from "../words/lexicon.ts";
import { isA } from "../words/words.ts";
import type { Line } from "./line.ts";

export interface Unit {
  readonly factor: number;
  readonly to: number;
  /** "15k8", "18\u842C5": the digits behind the unit are its decimals. */
  readonly decimals: string;
  /** "kk" and similar: not a unit that can be trusted. */
  readonly isDoubtful: boolean;
}

/** Returns the unit of the number in the tokens `at` up to but not including `to`. */
export function readUnit(line: Line, at: number, to: number): Unit {
  const { tokens } = line;
  const token = tokens[to];
  if (token?.kind !== "letters" || token.facts === undefined) return noUnit(to);
  if (token.isGlued && isA(token, "two_units"))
    return { factor: 1, to: to + 1, decimals: "", isDoubtful: true };
  const factor = unitFactor(line, at, to);
  if (factor === 1) return noUnit(to);
  // A w for \u4E07 must touch its number, because w also means "with".
  if (!token.isGlued && isA(token, "touching_unit")) return noUnit(to);
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
