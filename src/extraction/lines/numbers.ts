/**
 * Decides what each number of a line is.
 *
 * Idea: the readers of measures, dates and amounts only propose readings of spans of tokens, each with its facts. The facts are
 * scored by `weights/numbers.json`. The line takes the readings that do not overlap and have the highest sum.
 * Invariant: no token is read as two things. A taken reading claims its tokens and says as what.
 *
 * Example: in "126334 2022 HKD 71,500" the readings are the year 2022, and the amounts 2022 HKD, HKD 71,500 and 71,500. The year and HKD 71,500 together score higher than 2022 HKD and 71,500.
 */
import type { MessageDate } from "../extraction.ts";
import { type Span, tokenAt } from "../text/token.ts";
import { isA } from "../words/words.ts";
import { type Candidate, chooseBest, type PriceReading } from "./candidates.ts";
import type { DateReading } from "./date-parts.ts";
import { flagOtherEvents, proposeDates } from "./dates.ts";
import { claim, type Line } from "./line.ts";
import { type DateMention, type PriceMention, quoteTokens } from "./line-reading.ts";
import { proposeMeasure } from "./measures.ts";
import { flagRetailPrices } from "./price-roles.ts";
import { proposeAmounts } from "./prices.ts";

interface LineNumbers {
  readonly dates: readonly DateMention[];
  readonly prices: readonly PriceMention[];
}

/** Reads the numbers of a line and claims their tokens. */
export function readNumbers(line: Line, today: MessageDate | undefined): LineNumbers {
  const candidates = proposeAll(line, today);
  if (candidates.length === 0) return NO_NUMBERS;
  const dates: DateReading[] = [];
  const prices: PriceMention[] = [];
  for (const candidate of chooseBest(candidates)) {
    const { kind, date, price } = candidate;
    claim(line, candidate, kind);
    if (date !== undefined) dates.push(date);
    if (price !== undefined && !isStruckOut(line, candidate))
      prices.push(toMention(line, candidate, price));
  }
  return { dates: flagOtherEvents(line, dates), prices: flagRetailPrices(line, prices) };
}

const NO_NUMBERS: LineNumbers = { dates: [], prices: [] };

/** Written out, because a spread is slow. */
function toMention(line: Line, { from, to }: Span, price: PriceReading): PriceMention {
  return {
    from,
    to,
    amount: price.amount,
    strength: price.strength,
    isRetail: false,
    isLowered: price.isLowered,
    currency: price.currency,
    discountPercent: price.discountPercent,
    quote: quoteTokens(line, { from, to }),
  };
}

/** Returns the readings with a score above zero, in the order of their first tokens. */
function proposeAll(line: Line, today: MessageDate | undefined): Candidate[] {
  const found: Candidate[] = [];
  const context = { today, found };
  const { tokens, claims } = line;
  let measuredTo = 0;
  for (let at = 0; at < tokens.length; at += 1) {
    if (claims[at] !== undefined) continue;
    const isDigits = tokens[at]?.kind === "digits";
    if (isDigits && at >= measuredTo) measuredTo = proposeMeasure(line, at, found);
    proposeDates(line, at, context);
    if (isDigits || isA(tokens[at + 1], "thousand", "and")) proposeAmounts(line, at, found);
  }
  return found.sort((a, b) => a.from - b.from);
}

/** Words between two tildes, which WhatsApp shows as struck through. */
const STRUCK_MAX = 8;

/** "~9.900~ 9.500": the amount is between tildes that touch it, so it is no longer asked. */
function isStruckOut({ tokens }: Line, { from, to }: Span): boolean {
  let open = from - 1;
  while (open > from - STRUCK_MAX && open >= 0 && tokens[open]?.word !== "~") open -= 1;
  if (tokenAt(tokens, open)?.word !== "~" || tokens[open + 1]?.isGlued !== true) return false;
  let close = to;
  while (close < to + STRUCK_MAX && close < tokens.length && tokens[close]?.word !== "~")
    close += 1;
  return tokens[close]?.word === "~" && tokens[close]?.isGlued === true;
}
