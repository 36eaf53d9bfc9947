import { DAY_MS, HOUR_MS } from "../base/clock.ts";
import type { Database } from "../db/database.ts";
import { sql } from "../db/sql.ts";

const KEPT_MS = 7 * DAY_MS;

/** Adds what a worker processed to the counts of the current hour, and deletes old hours. */
export async function addStepCounts(
  db: Database,
  counts: ReadonlyMap<string, number>,
  nowMs: number,
): Promise<void> {
  const hourStartMs = nowMs - (nowMs % HOUR_MS);
  const steps = [...counts.keys()].toSorted();
  await db.execute(sql`
    insert into step_count as stored (step, hour_start_ms, item_count)
    select step, ${hourStartMs}, item_count
      from unnest(${steps}::text[], ${steps.map((step) => counts.get(step) ?? 0)}::bigint[])
           as added (step, item_count)
     order by step
    on conflict (step, hour_start_ms) do update set item_count = stored.item_count + excluded.item_count`);
  await db.execute(sql`delete from step_count where hour_start_ms < ${nowMs - KEPT_MS}`);
}

/** How many items each step processed in the hours that began since `sinceMs`. A step without any has no entry. */
export async function sumStepCounts(
  db: Database,
  sinceMs: number,
): Promise<ReadonlyMap<string, number>> {
  const rows = await db.query<{ step: string; count: number }>(sql`
    select step, sum(item_count)::bigint as count
      from step_count
     where hour_start_ms >= ${sinceMs}
     group by step
     order by step
     limit 100`);
  return new Map(rows.map(({ step, count }) => [step, count]));
}
