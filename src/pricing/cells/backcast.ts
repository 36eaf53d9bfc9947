import { setImmediate } from "node:timers/promises";
import { dropNulls } from "../../db/row.ts";
import { type CellKey, compareCells } from "../configurations/configuration.ts";
import { createCellCalculator, lookbackStartMs, type Member } from "./calculate-cells.ts";
import type { CalculatedCell, PriceRules } from "./cell.ts";
import type { CellPoint } from "./cell-history-store.ts";

/**
 * Calculates what a cell would have been at times in the past, with the calculator of the cells. The asks are as they are
 * read today; when they were seen is as it was.
 *
 * Example (look-back 30 days): an ask was posted on 1 May and again on 20 May. On 10 May it was last seen on 1 May, on 25 May
 * on 20 May, and it counts until 19 June.
 */

/** An ask of the cell, with the times at which it was seen, ascending. Of the times of one step the latest is enough. */
export interface DatedAsk extends Omit<Member, "last_seen_at_ms"> {
  readonly seen_at_ms: readonly number[];
}

export interface BackcastSteps {
  readonly fromMs: number;
  readonly toMs: number;
  readonly stepMs: number;
}

/** How many times lie between the bounds, counted back from `toMs` in steps. */
export function countPoints({ fromMs, toMs, stepMs }: BackcastSteps): number {
  return fromMs > toMs ? 0 : Math.floor((toMs - fromMs) / stepMs) + 1;
}

/** One point for each step, oldest first; the last one is at `toMs`. Other work runs between two points. */
export async function backcastCell(
  asks: readonly DatedAsk[],
  key: CellKey,
  { rules, steps }: { readonly rules: PriceRules; readonly steps: BackcastSteps },
): Promise<readonly CellPoint[]> {
  const points: CellPoint[] = [];
  // For each ask, how many of its times are not after the point.
  const passed = asks.map(() => 0);
  for (let left = countPoints(steps) - 1; left >= 0; left -= 1) {
    const atMs = steps.toMs - left * steps.stepMs;
    const sinceMs = lookbackStartMs(rules.lookback_days, atMs);
    const calculator = createCellCalculator(rules, atMs);
    for (const [at, ask] of asks.entries()) {
      let count = passed[at] ?? 0;
      while ((ask.seen_at_ms[count] ?? Number.POSITIVE_INFINITY) <= atMs) count += 1;
      passed[at] = count;
      const lastSeenAtMs = ask.seen_at_ms[count - 1] ?? Number.NEGATIVE_INFINITY;
      // The calculator would leave it out as well. This is cheaper, because most asks are old at most points.
      if (lastSeenAtMs >= sinceMs) calculator.add({ ...ask, last_seen_at_ms: lastSeenAtMs });
    }
    const cell = calculator.finish().find((calculated) => compareCells(calculated, key) === 0);
    points.push(toPoint(cell, atMs));
    await setImmediate();
  }
  return points;
}

/** Without a cell there was neither an ask nor an override. */
function toPoint(cell: CalculatedCell | undefined, atMs: number): CellPoint {
  if (cell === undefined) return { calculated_at_ms: atMs, status: "gone", listing_count: 0 };
  return dropNulls({
    calculated_at_ms: atMs,
    status: cell.status,
    listing_count: cell.listing_count,
    market_average_eur_minor: cell.market_average_eur_minor,
    market_median_eur_minor: cell.market_median_eur_minor,
    consumer_min_eur_minor: cell.consumer_min_eur_minor,
    consumer_max_eur_minor: cell.consumer_max_eur_minor,
    maximum_buy_eur_minor: cell.maximum_buy_eur_minor,
  });
}
