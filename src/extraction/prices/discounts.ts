import { type Line, phraseAt } from "../lines/line.ts";

/** Reads "-37%", "(-37% off)", "30% off" or "HKR less 35% off" after an amount. */
export function readDiscount(
  line: Line,
  at: number,
): { readonly percent: number; readonly to: number } | undefined {
  const { to: from, isMinus } = skipDiscountWords(line, at);
  const number = readPercent(line, from);
  if (number === undefined) return undefined;
  const isOff = line.tokens[number.to]?.word === "off";
  if (!isMinus && !isOff) return undefined;
  return { percent: number.percent, to: number.to + (isOff ? 1 : 0) };
}

/** Tokens between the amount and the number of percent. */
const DISCOUNT_WORDS_MAX = 4;

function skipDiscountWords(
  line: Line,
  at: number,
): { readonly to: number; readonly isMinus: boolean } {
  let to = at;
  let isMinus = false;
  while (to < at + DISCOUNT_WORDS_MAX) {
    const word = line.tokens[to]?.word ?? "";
    const meaning = phraseAt(line, to)?.meaning;
    const isRetail = meaning?.kind === "cue" && meaning.cue === "retail";
    if (!isRetail && !/^([(,-]|less|minus|at|disc|discount)$/.test(word)) break;
    isMinus ||= /^(-|less|minus|disc|discount)$/.test(word);
    to += 1;
  }
  return { to, isMinus };
}

/** "37%", "37.5 %". Returns the token after the percent sign as `to`. */
function readPercent(
  line: Line,
  at: number,
): { readonly percent: number; readonly to: number } | undefined {
  const [digits, point, decimals] = line.tokens.slice(at, at + 3);
  if (digits?.kind !== "digits" || digits.text.length > 2) return undefined;
  const hasDecimals =
    point !== undefined &&
    /^[.,]$/.test(point.word) &&
    decimals?.kind === "digits" &&
    decimals.text.length < 3;
  const percent = Number(hasDecimals ? `${digits.text}.${decimals.text}` : digits.text);
  const end = at + (hasDecimals ? 3 : 1);
  return line.tokens[end]?.word === "%" ? { percent, to: end + 1 } : undefined;
}
