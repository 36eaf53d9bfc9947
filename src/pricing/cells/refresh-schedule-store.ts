import type { Database } from "../../db/database.ts";
import { isInLane, type Lane } from "../../db/queue.ts";
import { sql } from "../../db/sql.ts";
import { deleteExpiredListings } from "../../matching/fresh-listing-store.ts";
import { HAS_MEMBERS } from "../../matching/member-queue-store.ts";
import {
  queueMissingRefreshes,
  queueSelectedRefreshes,
  takeRefreshes,
} from "../../matching/refresh-queue-store.ts";

/** How many configurations the schedule queues at once, and how many expired fresh listings it deletes. */
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
 * event. A try that far in the future was made while the clock was wrong, so it counts as none. Also deletes expired fresh listings. Returns how many configurations were queued.
 */
export async function queueDueRefreshes(
  tx: Database,
  times: { readonly nowMs: number; readonly everyMs: number },
): Promise<number> {
  await deleteExpiredListings(tx, times.nowMs, EXPIRED_MAX);
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
