// Cells that are not stored: one cell as it would have been at times in the past, and the cells of a configuration that
// is not saved.

import { setImmediate } from "node:timers/promises";
import type { Database } from "../../db/database.ts";
import { dropNulls } from "../../db/row.ts";
import { sql } from "../../db/sql.ts";
import { findWouldBeMembers } from "../../matching/rebuild-members.ts";
import { createCellCalculator, lookbackStartMs, type Member } from "./calculate-cells.ts";
import { type CalculatedCell, type CellKey, compareCells, type PriceRules } from "./cell.ts";
import type { CellPoint } from "./cell-store.ts";
import { ASK_COLUMNS, IS_COUNTABLE, type RefreshedConfiguration } from "./refresh-store.ts";

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

/** Those seen last are read if there are more. A cell of a million listings has about a thousand in a year. */
const ASKS_MAX = 5_000;

/**
 * The asks of one cell, as they are now, that were seen early enough to count at a point and not after the last one. For each
 * step, only the latest time at which an ask was seen is read. Occurrences that were revoked do not count.
 */
export async function findDatedAsks(
  db: Database,
  rules: RefreshedConfiguration,
  { key, steps }: { readonly key: CellKey; readonly steps: BackcastSteps },
): Promise<{ readonly asks: readonly DatedAsk[]; readonly isExact: boolean }> {
  const { toMs, stepMs } = steps;
  const sinceMs = lookbackStartMs(rules.lookback_days, steps.fromMs);
  const rows = await db.query<DatedAsk>(sql`
    select ${ASK_COLUMNS}, model.source_market,
           array(select max(sent_at_ms)
                   from occurrence
                  where occurrence.canonical_message_id = listing.canonical_message_id
                    and not occurrence.is_revoked
                    and occurrence.sent_at_ms between ${sinceMs}::bigint and ${toMs}::bigint
                  group by (${toMs}::bigint - occurrence.sent_at_ms) / ${stepMs}::bigint
                  order by 1) as seen_at_ms
      from listing
      join listing_model as model
        on model.listing_id = listing.id and model.configuration_id = ${rules.id}
     where listing.reference_normalized = ${rules.market_reference_normalized}
       and listing.last_seen_at_ms >= ${sinceMs} and listing.first_seen_at_ms <= ${toMs}
       and listing.year = ${key.year} and listing.condition = ${key.condition_bucket.toUpperCase()}
       and ${IS_COUNTABLE}
     order by listing.last_seen_at_ms desc, listing.id
     limit ${ASKS_MAX + 1}`);
  return { asks: rows.slice(0, ASKS_MAX), isExact: rows.length <= ASKS_MAX };
}

interface CellPreview {
  readonly cells: readonly CalculatedCell[];
  /** False if there are more asks than are read. */
  readonly isExact: boolean;
}

/** As for one cell, and there are about thirty of them. The newest are read. */
const PREVIEW_ASKS_MAX = 50_000;

/**
 * The cells that a configuration with these filters and sets would have now. The same listings would be its members, and the same
 * calculator makes its cells, so they are what the first refresh would store.
 */
export async function previewCells(
  db: Database,
  wanted: Parameters<typeof findWouldBeMembers>[1],
  { rules, nowMs }: { readonly rules: PriceRules; readonly nowMs: number },
): Promise<CellPreview> {
  const { isMember, market } = await findWouldBeMembers(db, wanted);
  const statement = sql`
    select ${ASK_COLUMNS}, ${market} as source_market, listing.last_seen_at_ms
      from listing
     where ${isMember} and ${IS_COUNTABLE}
       and listing.last_seen_at_ms >= ${lookbackStartMs(rules.lookback_days, nowMs)}
     order by listing.last_seen_at_ms desc, listing.id
     limit ${PREVIEW_ASKS_MAX + 1}`;
  const members = await db.query<Member>(statement, { isStatic: false });
  const calculator = createCellCalculator(rules, nowMs);
  for (const member of members.slice(0, PREVIEW_ASKS_MAX)) calculator.add(member);
  return { cells: calculator.finish(), isExact: members.length <= PREVIEW_ASKS_MAX };
}
