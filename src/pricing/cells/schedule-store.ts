// When configurations are calculated: those that a change has queued, those that were last tried too long ago, and none
// while a replay rebuilds the market.

import { MINUTE_MS } from "../../base/clock.ts";
import type { Database } from "../../db/database.ts";
import { isInLane, type Lane } from "../../db/queue.ts";
import { sql } from "../../db/sql.ts";
import { deleteExpired } from "../../matching/fresh-resource-store.ts";
import { HAS_MEMBERS } from "../../matching/member-queue-store.ts";
import {
  queueMissingRefreshes,
  queueSelectedRefreshes,
  takeRefreshes,
} from "../../matching/refresh-queue-store.ts";

/** How many configurations the schedule queues at once, and how many expired fresh listings and messages it deletes. */
const DUE_MAX = 1_000;
const EXPIRED_MAX = 10_000;
const CONFIGURATIONS_MAX = 1_000_000;

export async function queueAllRefreshes(tx: Database, nowMs: number): Promise<void> {
  await queueSelectedRefreshes(
    tx,
    sql`select id from price_configuration where deleted_at_ms is null`,
    nowMs,
  );
}

/** Takes queued configurations; while a replay rebuilds the market, only those that `configurationIds` names. */
export async function takeQueuedConfigurations(
  tx: Database,
  options: {
    readonly batchMax: number;
    readonly configurationIds?: readonly string[];
    readonly lane?: Lane;
  },
): Promise<readonly string[]> {
  const { configurationIds: ids, batchMax } = options;
  const where =
    ids === undefined
      ? sql`${isInLane(options.lane)} and not exists (select from market_rebuild)`
      : sql`configuration_id = any(${ids}::uuid[])`;
  return takeRefreshes(tx, { where: sql`${where} and ${HAS_MEMBERS}`, batchMax });
}

/**
 * Queues the configurations that were last tried more than `everyMs` ago, because asks leave the look-back without an
 * event. A try that far in the future was made while the clock was wrong, so it counts as none. Also deletes what is not
 * fresh any more. Returns how many configurations were queued.
 */
export async function queueDueRefreshes(
  tx: Database,
  times: { readonly nowMs: number; readonly everyMs: number },
): Promise<number> {
  await deleteExpired(tx, times.nowMs, EXPIRED_MAX);
  const due = sql`
    select id from price_configuration
     where deleted_at_ms is null
       and coalesce(last_attempt_at_ms, 0)
             not between ${times.nowMs - times.everyMs} and ${times.nowMs + times.everyMs}
       -- A worker that calculates a configuration locks its row. Queuing it here would end in a deadlock.
       and not exists (select from refresh_queue where configuration_id = price_configuration.id)
     order by coalesce(last_attempt_at_ms, 0), id limit ${DUE_MAX}
       for no key update skip locked`;
  return queueMissingRefreshes(tx, due, times.nowMs);
}

export interface RefreshStateRow {
  readonly id: string;
  readonly configuration_key: string;
  readonly status: "available" | "insufficient";
  /** Why the last attempt failed; null if it succeeded. */
  readonly error: string | null;
}

/** How the last refresh of these configurations ended; without ids, of all of them. */
export async function listRefreshStates(
  db: Database,
  ids: readonly string[] | undefined,
): Promise<readonly RefreshStateRow[]> {
  const isAsked = ids === undefined ? sql`true` : sql`id = any(${ids}::uuid[])`;
  return db.query<RefreshStateRow>(sql`
    select id, configuration_key, last_refresh_error as error,
           case when exists (select from price_cell
                              where configuration_id = price_configuration.id and status = 'available')
                then 'available' else 'insufficient' end as status
      from price_configuration
     where ${isAsked} and deleted_at_ms is null
     order by configuration_key
     limit ${CONFIGURATIONS_MAX}`);
}

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
