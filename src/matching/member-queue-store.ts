import type { Database } from "../db/database.ts";
import { declareQueue, type Queue } from "../db/queue.ts";
import { recordset, type Sql, sql } from "../db/sql.ts";

/**
 * The configurations whose members must be selected again, because their filters or a source view changed. Their cells are
 * not calculated while they are queued, so no cell is made from the members of an old filter.
 */

export const memberQueue: Queue = {
  ...declareQueue({
    table: "member_queue",
    key: "configuration_id",
    number: "number",
    hasLanes: false,
  }),
  /** Does nothing if the configuration was deleted. */
  restore: async (tx, row) => {
    await tx.execute(sql`
      insert into member_queue (configuration_id)
      select removed.configuration_id
        from ${recordset([row])} as removed (configuration_id uuid)
        join saved_filter on owner_kind = 'configuration' and owner_id = removed.configuration_id
      on conflict (configuration_id) do nothing`);
  },
};

/** Queues existing configurations. It updates a row that is queued already, to wait for a rebuild in progress. */
export async function queueMembers(tx: Database, ids: readonly string[] | "all"): Promise<void> {
  if (ids.length === 0) return;
  const selection =
    ids === "all"
      ? sql`select owner_id from saved_filter where owner_kind = 'configuration'`
      : sql`select unnest(${ids}::uuid[])`;
  await tx.execute(sql`
    insert into member_queue (configuration_id)
    select distinct selected.id from (${selection}) as selected (id) order by 1
    on conflict (configuration_id) do update set number = excluded.number`);
}

/** Takes the configurations that have waited longest, or only the given one. Skips those that another worker has taken. */
export async function takeMembers(
  tx: Database,
  options: { readonly batchMax: number; readonly configurationId?: string },
): Promise<readonly string[]> {
  const { batchMax, configurationId } = options;
  const isWanted =
    configurationId === undefined ? sql`true` : sql`configuration_id = ${configurationId}::uuid`;
  const taken = await tx.query<{ id: string }>(sql`
    with taken as materialized (
      select configuration_id
        from member_queue
       where ${isWanted}
       order by number
       limit ${batchMax}
         for update skip locked
    )
    delete from member_queue using taken
     where member_queue.configuration_id = taken.configuration_id
    returning member_queue.configuration_id as id`);
  return taken.map(({ id }) => id).sort();
}

/** A condition on rows of `refresh_queue`: the members of the configuration are not about to be selected again. */
export const HAS_MEMBERS: Sql = sql`
  not exists (select from member_queue where member_queue.configuration_id = refresh_queue.configuration_id)`;
