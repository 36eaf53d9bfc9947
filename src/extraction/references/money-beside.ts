/** Whether a number that could be a reference is beside a currency or a unit, which makes it an amount. */
import { isSign, tokenAt, YEAR_LIKE } from "../text/token.ts";
import { classSet, isA, isOneOf } from "../words/words.ts";
import type { ReferenceContext } from "./reference-context.ts";

/**
 * Returns true if a currency or a unit makes the number at token `at` an amount. A sign that touches another number, or that
 * ends the amount before, does not: "85k hkd 126231", "14.300\u20AC 126710", "126334 \u20AC9.500".
 */
export function isBesideMoney(context: ReferenceContext, at: number): boolean {
  const { tokens } = context;
  if (isMoneySign(context, at - 1) && !endsAmount(context, at)) return true;
  const after = tokens[at + 1];
  if (after === undefined) return false;
  if (after.word === "%" || isUnit(context, at + 1)) return true;
  if (!isMoneySign(context, at + 1)) return false;
  const end = context.starts[at + 1]?.to ?? at + 2;
  const next = tokens[end];
  if (next?.kind !== "digits" && next?.word !== "$") return true;
  // A code can touch a reference too: "116234EUR 5.900".
  return after.kind === "symbol" && after.isGlued && !next.isGlued;
}

/** Returns true if the token is a sign or a code of a currency, and no word besides. */
export function isMoneySign({ tokens, starts, ends }: ReferenceContext, at: number): boolean {
  const token = tokenAt(tokens, at);
  if (token === undefined) return false;
  if (token.word === "$") return true;
  const phrase = starts[at] ?? ends[at + 1];
  if (phrase?.meaning.kind !== "currency") return false;
  return phrase.to > phrase.from + 1 || !isA(token, "doubtful_code");
}

const UNITS = classSet(
  "thousand",
  "million",
  "thousand_or_million",
  "ten_thousand",
  "doubtful_code",
);

/** "95k", "41mm": a unit that touches the number. */
export function isUnit({ tokens }: ReferenceContext, at: number): boolean {
  const token = tokens[at];
  if (token?.kind !== "letters" || !token.isGlued) return false;
  if (token.word === "mm") return true;
  return isOneOf(token, UNITS);
}

/** Returns true if the sign before the number at `at` belongs to the amount before it. */
function endsAmount({ tokens, ends }: ReferenceContext, at: number): boolean {
  if (tokens[at]?.isGlued === true) return false;
  let sign = ends[at]?.from ?? at - 1;
  // "9.450,- EUR".
  if (isSign(tokenAt(tokens, sign - 2), ".,") && tokens[sign - 1]?.word === "-") sign -= 2;
  const [before, last] = [tokenAt(tokens, sign - 2), tokenAt(tokens, sign - 1)];
  if (last === undefined) return false;
  if (last.kind === "digits")
    return tokens[sign]?.isGlued === true || (last.text.length > 2 && !YEAR_LIKE.test(last.text));
  return before?.kind === "digits" && isA(last, "thousand", "million", "thousand_or_million");
}
