import { MINUTE_MS } from "../../base/clock.ts";
import type { Database } from "../../db/database.ts";
import { sql } from "../../db/sql.ts";

/**
 * A rebuild ends if the queues have not become shorter for this long. With a constant stream of new messages they may never
 * be empty at the same moment.
 */
const SHRINK_WAIT_MAX_MS = 600_000;
/** Counting the queues is slow, so it is done this often. Whether they are empty is checked every time. */
const COUNT_EVERY_MS = 10_000;
/** A gap of this length between two checks means that no worker ran, or that the clock was set. */
const GAP_MIN_MS = MINUTE_MS;

const NOTHING_WAITS = sql`
  not exists (select from identity_queue) and not exists (select from group_queue)
  and not exists (select from message_queue) and not exists (select from match_queue)`;

/** Stops the calculation of cells until the raw events are processed again. */
export async function beginRebuild(tx: Database): Promise<void> {
  await tx.execute(sql`delete from market_rebuild`);
  await tx.execute(sql`
    insert into market_rebuild (last_raw_event_id)
    select coalesce(max(id), 0) from raw_event`);
}

/** Ends a rebuild if all of its queues are empty. Returns true if it ended. */
export async function endRebuild(tx: Database, nowMs: number): Promise<boolean> {
  const [rebuild] = await tx.query<{ isDue: boolean }>(sql`
    select not exists (select from raw_event_queue where raw_event_id <= last_raw_event_id)
           and coalesce(looked_at_ms, 0)
                 not between ${nowMs - COUNT_EVERY_MS + 1} and ${nowMs + GAP_MIN_MS} as "isDue"
      from market_rebuild limit 1`);
  if (rebuild === undefined) return false;
  if (rebuild.isDue) await noteWaiting(tx, nowMs);
  // One statement, so that all queues are read at one moment: a step moves work from one queue to the next in one commit.
  const ended = await tx.query(sql`
    delete from market_rebuild
     where shrunk_at_ms < ${nowMs - SHRINK_WAIT_MAX_MS}
        or (not exists (select from raw_event_queue where raw_event_id <= last_raw_event_id) and ${NOTHING_WAITS})
    returning 1`);
  return ended.length > 0;
}

/** The wait starts again whenever the queues are shorter than ever before, or after such a gap. */
async function noteWaiting(tx: Database, nowMs: number): Promise<void> {
  await tx.execute(sql`
    update market_rebuild
       set shrunk_at_ms = case when now.count >= waiting_count
                                and looked_at_ms between ${nowMs - GAP_MIN_MS + 1} and ${nowMs + GAP_MIN_MS}
                               then shrunk_at_ms else ${nowMs} end,
           waiting_count = least(waiting_count, now.count),
           looked_at_ms = ${nowMs}
      from (select (select count(*) from identity_queue) + (select count(*) from group_queue)
                   + (select count(*) from message_queue) + (select count(*) from match_queue) as count) as now`);
}

/** Ends a rebuild whose events are known to be processed. */
export async function dropRebuild(db: Database): Promise<void> {
  await db.execute(sql`delete from market_rebuild`);
}

export async function isRebuilding(db: Database): Promise<boolean> {
  const rows = await db.query(sql`select from market_rebuild limit 1`);
  return rows.length > 0;
}
