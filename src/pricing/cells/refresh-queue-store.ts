import type { Database } from "../../db/database.ts";
import { sql } from "../../db/sql.ts";

/** How many configurations the schedule queues at once, and how many old news are forgotten. */
const DUE_MAX = 1_000;
const NEWS_MAX = 10_000;

/** An update even where nothing changes: it waits for a calculation under way, which may not have read what is new. */
export async function queueRefreshes(
  tx: Database,
  ids: readonly string[],
  nowMs: number,
): Promise<void> {
  await tx.execute(sql`
    insert into refresh_queue (configuration_id, queued_at_ms)
    select id, ${nowMs} from price_configuration where id = any(${toArray(ids)}::uuid[]) order by id
    on conflict (configuration_id) do update
       set queued_at_ms = least(refresh_queue.queued_at_ms, excluded.queued_at_ms)`);
}

export async function queueAllRefreshes(tx: Database, nowMs: number): Promise<void> {
  await tx.execute(sql`
    insert into refresh_queue (configuration_id, queued_at_ms)
    select id, ${nowMs} from price_configuration order by id
    on conflict (configuration_id) do update
       set queued_at_ms = least(refresh_queue.queued_at_ms, excluded.queued_at_ms)`);
}

/**
 * Claims those that wait the longest: nobody else gets them until the transaction ends. While the market is rebuilt only
 * those that somebody asked for.
 */
export async function takeRefreshes(
  tx: Database,
  options: { readonly batchMax: number; readonly configurationIds?: readonly string[] },
): Promise<readonly string[]> {
  const { configurationIds: ids } = options;
  const isAsked =
    ids === undefined
      ? sql`not exists (select from market_rebuild)`
      : sql`configuration_id = any(${toArray(ids)}::uuid[])`;
  const taken = await tx.query<{ id: string }>(sql`
    with taken as materialized (
      select configuration_id
        from refresh_queue
       where ${isAsked}
       order by queued_at_ms, configuration_id
       limit ${options.batchMax}
         for update skip locked
    )
    delete from refresh_queue using taken
     where refresh_queue.configuration_id = taken.configuration_id
    returning refresh_queue.configuration_id as id`);
  return taken.map(({ id }) => id).sort();
}

/** Also those that another worker is at just now. */
export async function countQueuedRefreshes(db: Database, ids: readonly string[]): Promise<number> {
  const [row] = await db.query<{ count: number }>(sql`
    select count(*) as count from refresh_queue where configuration_id = any(${toArray(ids)}::uuid[])`);
  return row?.count ?? 0;
}

/**
 * Queues configurations that nobody tried since then, because asks age out of the look-back without an event, and
 * forgets news that are none any more. Gives how many were queued.
 */
export async function queueDueRefreshes(
  tx: Database,
  times: { readonly nowMs: number; readonly attemptedBeforeMs: number },
): Promise<number> {
  return tx.execute(sql`
    with forgotten as (
      delete from listing_news
       where listing_id in (
         select listing_id from listing_news where until_ms < ${times.nowMs}
          order by until_ms limit ${NEWS_MAX} for update skip locked)
    )
    insert into refresh_queue (configuration_id, queued_at_ms)
    select id, ${times.nowMs}
      from (select id from price_configuration
             where coalesce(last_attempt_at_ms, 0) < ${times.attemptedBeforeMs}
               -- Whoever calculates one just now holds its row, and would wait for us as we for it.
               and not exists (select from refresh_queue where configuration_id = price_configuration.id)
             order by coalesce(last_attempt_at_ms, 0), id limit ${DUE_MAX}
               for no key update skip locked) as due
     order by id
    on conflict (configuration_id) do nothing`);
}

function toArray(ids: readonly string[]): string {
  return `{${ids.join(",")}}`;
}

export interface RefreshStateRow {
  readonly id: string;
  readonly configuration_key: string;
  readonly status: "available" | "insufficient";
  /** Why the last attempt failed, if it did. */
  readonly error: string | null;
}

/** How the last refresh of these configurations ended, or of all of them. */
export async function listRefreshStates(
  db: Database,
  ids: readonly string[] | undefined,
): Promise<readonly RefreshStateRow[]> {
  const isAsked = ids === undefined ? sql`true` : sql`id = any(${toArray(ids)}::uuid[])`;
  return db.query<RefreshStateRow>(sql`
    select id, configuration_key, last_refresh_error as error,
           case when exists (select from price_cell
                              where configuration_id = price_configuration.id and status = 'available')
                then 'available' else 'insufficient' end as status
      from price_configuration
     where ${isAsked}
     order by configuration_key
     limit ${CONFIGURATIONS_MAX}`);
}

const CONFIGURATIONS_MAX = 1_000_000;
