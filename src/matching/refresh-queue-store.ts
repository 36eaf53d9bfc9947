import type { Database } from "../db/database.ts";
import { declareQueue } from "../db/queue.ts";
import { type Sql, sql } from "../db/sql.ts";

/**
 * The configurations whose cells must be calculated again.
 *
 * Invariant: a change of what a calculation reads queues its configuration in the same transaction. A calculation deletes
 * the row when it starts and so holds its lock until the commit. So either the calculation reads the change, or the insert
 * waits for it and the row is queued again afterwards.
 */

export const refreshQueue = declareQueue({
  table: "refresh_queue",
  key: "configuration_id",
  number: "number",
  hasLanes: true,
});

/** Queues existing configurations. It locks a row that is queued already, to wait for a calculation in progress. */
export async function queueRefreshes(
  tx: Database,
  ids: readonly string[],
  nowMs: number,
): Promise<void> {
  await queueSelectedRefreshes(tx, sql`select unnest(${ids}::uuid[])`, nowMs);
}

/** Queues the configurations whose ids `selection` selects, likewise. */
export async function queueSelectedRefreshes(
  tx: Database,
  selection: Sql,
  nowMs: number,
): Promise<void> {
  await tx.execute(sql`
    insert into refresh_queue (configuration_id, queued_at_ms)
    select distinct selected.id, ${nowMs}::bigint from (${selection}) as selected (id) order by 1
    on conflict (configuration_id) do update
       set queued_at_ms = least(refresh_queue.queued_at_ms, excluded.queued_at_ms),
           is_fresh = refresh_queue.is_fresh or excluded.is_fresh
     where excluded.queued_at_ms < refresh_queue.queued_at_ms
        or (excluded.is_fresh and not refresh_queue.is_fresh)`);
}

/** Queues those of the selected configurations that are not queued, without waiting. Returns how many. */
export async function queueMissingRefreshes(
  tx: Database,
  selection: Sql,
  nowMs: number,
): Promise<number> {
  return tx.execute(sql`
    insert into refresh_queue (configuration_id, queued_at_ms)
    select selected.id, ${nowMs}::bigint from (${selection}) as selected (id) order by 1
    on conflict (configuration_id) do nothing`);
}

/**
 * Takes the configurations that have waited longest, of those that `where` selects by `configuration_id`. Skips those that
 * another worker has taken.
 */
export async function takeRefreshes(
  tx: Database,
  options: { readonly where: Sql; readonly batchMax: number },
): Promise<readonly string[]> {
  const taken = await tx.query<{ id: string }>(sql`
    with taken as materialized (
      select configuration_id
        from refresh_queue
       where ${options.where}
       order by queued_at_ms, configuration_id
       limit ${options.batchMax}
         for update skip locked
    )
    delete from refresh_queue using taken
     where refresh_queue.configuration_id = taken.configuration_id
    returning refresh_queue.configuration_id as id`);
  return taken.map(({ id }) => id).sort();
}

/** Takes configurations off the queue without calculating them. Waits for a calculation in progress. */
export async function removeRefreshes(tx: Database, ids: readonly string[]): Promise<void> {
  await tx.execute(sql`delete from refresh_queue where configuration_id = any(${ids}::uuid[])`);
}

/** Also counts those that a worker is calculating. */
export async function countQueuedRefreshes(db: Database, ids: readonly string[]): Promise<number> {
  const [row] = await db.query<{ count: number }>(sql`
    select count(*) as count from refresh_queue where configuration_id = any(${ids}::uuid[])`);
  return row?.count ?? 0;
}
