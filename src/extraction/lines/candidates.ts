/** The possible readings of the numbers of a line, and which of them are taken together. */
import type { Span } from "../text/token.ts";
import { type NumberFact, type NumberKind, scoreOf } from "../weights/weights.ts";
import type { Amount } from "./amounts.ts";
import type { DateReading } from "./date-parts.ts";
import type { PriceStrength } from "./line-reading.ts";

/** A possible reading of the tokens `from` up to but not including `to`. */
export interface Candidate {
  readonly kind: NumberKind;
  readonly from: number;
  readonly to: number;
  readonly score: number;
  readonly date: DateReading | undefined;
  readonly price: PriceReading | undefined;
}

/** A number that is read as money. */
export interface PriceReading {
  readonly amount: Amount;
  readonly strength: PriceStrength;
  readonly currency: string | undefined;
  readonly isLowered: boolean;
  readonly discountPercent: number | undefined;
}

/** Adds a reading if its facts speak for it. */
export function propose<Kind extends NumberKind>(
  found: Candidate[],
  span: Span,
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
export function chooseBest(candidates: readonly Candidate[]): readonly Candidate[] {
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
