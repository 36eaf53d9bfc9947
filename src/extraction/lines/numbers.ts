/**
 * Decides what each number of a line is.
 *
 * Idea: the readers of references, measures, dates and amounts only propose readings of spans of tokens, each with its facts. The
 * facts are scored by `weights/numbers.json`. The line takes the readings that do not overlap and have the highest sum.
 * Invariant: no token is read as two things. A taken reading claims its tokens and says as what.
 *
 * Example: in "126334 2022 HKD 71,500" the readings are the reference 126334, the year 2022, and the amounts 2022 HKD, HKD 71,500
 * and 71,500. The year and HKD 71,500 together score higher than 2022 HKD and 71,500.
 */
import type { MessageDate } from "../extraction.ts";
import { lastUntil, type Span, tokenAt } from "../text/token.ts";
import { isA } from "../words/words.ts";
import { type Candidate, chooseBest, type PriceReading } from "./candidates.ts";
import type { DateReading } from "./date-parts.ts";
import { flagOtherEvents, proposeDates } from "./dates.ts";
import { claim, endsCurrency, type Line, type PlacedReference, startsCurrency } from "./line.ts";
import { type DateMention, type PriceMention, quoteTokens } from "./line-reading.ts";
import { proposeMeasure } from "./measures.ts";
import { flagRetailPrices } from "./price-roles.ts";
import { proposeAmounts } from "./prices.ts";

interface LineNumbers {
  readonly line: Line;
  readonly dates: readonly DateMention[];
  readonly prices: readonly PriceMention[];
}

/** Reads the numbers of a line and claims their tokens. A reference that is rather an amount is taken out of the line. */
export function readNumbers(read: Line, today: MessageDate | undefined): LineNumbers {
  const candidates = proposeAll(read, today);
  if (candidates.length === 0) return { line: read, dates: NO_DATES, prices: NO_PRICES };
  const chosen = chooseBest(candidates);
  const line = withoutLosers(read, candidates, chosen);
  const dates: DateReading[] = [];
  const prices: PriceMention[] = [];
  for (const candidate of chosen) {
    const { kind, date, price } = candidate;
    claim(line, candidate, kind);
    if (date !== undefined) dates.push(date);
    if (price !== undefined && !isStruckOut(line, candidate))
      prices.push(toMention(line, candidate, price));
  }
  return { line, dates: flagOtherEvents(line, dates), prices: flagRetailPrices(line, prices) };
}

const NO_DATES: readonly DateMention[] = [];
const NO_PRICES: readonly PriceMention[] = [];

function withoutLosers(
  line: Line,
  candidates: readonly Candidate[],
  chosen: readonly Candidate[],
): Line {
  if (candidates.every(({ reference }) => reference === undefined)) return line;
  const kept = new Set(chosen.map(({ reference }) => reference));
  return { ...line, references: line.references.filter((reference) => kept.has(reference)) };
}

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
  let hasRivals = false;
  for (let at = 0; at < tokens.length; at += 1) {
    const isDigits = tokens[at]?.kind === "digits";
    if (claims[at] === undefined) {
      if (isDigits && at >= measuredTo) measuredTo = proposeMeasure(line, at, found);
      proposeDates(line, at, context);
      if (isDigits || isA(tokens[at + 1], "thousand", "and")) proposeAmounts(line, at, found);
    } else if (isDigits && isBareReference(line, at)) {
      // A number with the shape of a reference, and with a currency that could be its own.
      const count = found.length;
      proposeAmounts(line, at, found);
      hasRivals ||= found.length > count;
    }
  }
  if (hasRivals) for (const reference of line.references) found.push(toCandidate(reference));
  return isSorted(found) ? found : found.sort((a, b) => a.from - b.from);
}

function isSorted(candidates: readonly Candidate[]): boolean {
  for (let at = 1; at < candidates.length; at += 1)
    if ((candidates[at]?.from ?? 0) < (candidates[at - 1]?.from ?? 0)) return false;
  return true;
}

/** "126334 \u20AC 9500": a reference of digits only, beside a currency. */
function isBareReference(line: Line, at: number): boolean {
  if (line.claims[at] !== "reference") return false;
  if (!startsCurrency(line, at + 1) && !endsCurrency(line, at)) return false;
  const reference = lastUntil(line.references, at + 1);
  return reference?.from === at && reference.isDigitsOnly;
}

function toCandidate(reference: PlacedReference): Candidate {
  const { from, to, score } = reference;
  return { kind: "reference", from, to, score, date: undefined, price: undefined, reference };
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
