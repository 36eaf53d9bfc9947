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
import { type NumberFact, type NumberKind, scoreOf } from "../weights/number-weights.ts";
import type { DateReading } from "./date-parts.ts";
import { flagOtherEvents, proposeDates } from "./dates.ts";
import { claim, isFree, type Line } from "./line.ts";
import { type DateMention, type PriceMention, quoteTokens } from "./line-reading.ts";
import { proposeMeasure } from "./measures.ts";
import { flagRetailPrices } from "./price-roles.ts";
import { isStruckOut, type PriceReading, proposeAmounts } from "./prices.ts";

/** A possible reading of the tokens `from` up to but not including `to`. */
export interface Candidate {
  readonly kind: NumberKind;
  readonly from: number;
  readonly to: number;
  readonly score: number;
  readonly date: DateReading | undefined;
  readonly price: PriceReading | undefined;
}

export interface LineNumbers {
  readonly dates: readonly DateMention[];
  readonly prices: readonly PriceMention[];
}

/** Reads the numbers of a line and claims their tokens. */
export function readNumbers(line: Line, today: MessageDate | undefined): LineNumbers {
  const candidates = proposeAll(line, today);
  if (candidates.length === 0) return NO_NUMBERS;
  const dates: DateReading[] = [];
  const prices: PriceMention[] = [];
  for (const { kind, from, to, date, price } of chooseBest(candidates)) {
    claim(line, { from, to }, kind);
    if (date !== undefined) dates.push(date);
    if (price !== undefined && !isStruckOut(line, { from, to }))
      prices.push(toMention(line, { from, to }, price));
  }
  return { dates: flagOtherEvents(line, dates), prices: flagRetailPrices(line, prices) };
}

const NO_NUMBERS: LineNumbers = { dates: [], prices: [] };

/** Written out, because a spread is slow. */
function toMention(
  line: Line,
  span: { readonly from: number; readonly to: number },
  price: PriceReading,
): PriceMention {
  return {
    from: span.from,
    to: span.to,
    amount: price.amount,
    strength: price.strength,
    isRetail: false,
    isLowered: price.isLowered,
    currency: price.currency,
    discountPercent: price.discountPercent,
    quote: quoteTokens(line, span),
  };
}

/** Returns the readings with a score above zero, in the order of their first tokens. */
function proposeAll(line: Line, today: MessageDate | undefined): Candidate[] {
  const others: Candidate[] = [];
  const amounts: Candidate[] = [];
  const { tokens } = line;
  let measuredTo = 0;
  for (let at = 0; at < tokens.length; at += 1) {
    if (!isFree(line, at)) continue;
    if (tokens[at]?.kind === "digits" && at >= measuredTo)
      measuredTo = proposeMeasure(line, at, others);
    proposeDates(line, at, { today, found: others });
  }
  for (let at = 0; at < tokens.length; at += 1) {
    if (tokens[at]?.kind === "digits" && isFree(line, at))
      proposeAmounts(line, at, { dates: others, found: amounts });
  }
  if (amounts.length === 0) return others;
  return [...others, ...amounts].sort((a, b) => a.from - b.from);
}

/** Adds a reading if its facts speak for it. */
export function propose<Kind extends NumberKind>(
  found: Candidate[],
  span: { readonly from: number; readonly to: number },
  reading: {
    readonly kind: Kind;
    readonly facts: readonly NumberFact<Kind>[];
    readonly date?: DateReading;
    readonly price?: PriceReading;
  },
): void {
  const { kind, facts, date, price } = reading;
  const score = scoreOf(kind, facts);
  if (score > 0) found.push({ kind, from: span.from, to: span.to, score, date, price });
}

/**
 * Weighted interval scheduling: `best[i]` is the highest sum of readings from the i-th on. Readings are short, so the first one
 * behind a reading is a few places away.
 */
function chooseBest(candidates: readonly Candidate[]): readonly Candidate[] {
  if (!overlap(candidates)) return candidates;
  const count = candidates.length;
  const best = new Array<number>(count + 1).fill(0);
  const after = new Array<number>(count).fill(count);
  for (let at = count - 1; at >= 0; at -= 1) {
    const candidate = candidates[at];
    if (candidate === undefined) continue;
    let next = at + 1;
    while (next < count && (candidates[next]?.from ?? 0) < candidate.to) next += 1;
    after[at] = next;
    best[at] = Math.max(best[at + 1] ?? 0, candidate.score + (best[next] ?? 0));
  }
  const chosen: Candidate[] = [];
  let at = 0;
  while (at < count) {
    const candidate = candidates[at];
    const next = after[at] ?? count;
    const isTaken =
      candidate !== undefined && candidate.score + (best[next] ?? 0) >= (best[at] ?? 0);
    if (isTaken) chosen.push(candidate);
    at = isTaken ? next : at + 1;
  }
  return chosen;
}

function overlap(candidates: readonly Candidate[]): boolean {
  for (let at = 1; at < candidates.length; at += 1)
    if ((candidates[at]?.from ?? 0) < (candidates[at - 1]?.to ?? 0)) return true;
  return false;
}
