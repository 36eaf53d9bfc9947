import type { Database } from "../../db/database.ts";
import { sql } from "../../db/sql.ts";

/** The ids of queued groups, also those that another worker has locked. */
export async function listQueuedGroups(
  db: Database,
  { batchMax }: { readonly batchMax: number },
): Promise<readonly string[]> {
  const rows = await db.query<{ id: string }>(sql`
    select group_id as id from group_queue order by group_id limit ${batchMax}`);
  return rows.map(({ id }) => id);
}

/** Returns the row, or undefined if it is no longer queued. */
export async function removeQueuedGroup(tx: Database, id: string): Promise<object | undefined> {
  const [removed] = await tx.query<{ row: object }>(sql`
    delete from group_queue where group_id = ${id} returning to_jsonb(group_queue) as row`);
  return removed?.row;
}

/** Queues a row that was removed. If the group is queued again, that row starts at the first message. */
export async function restoreQueuedGroup(tx: Database, row: object): Promise<void> {
  await tx.execute(sql`
    insert into group_queue
    select * from jsonb_populate_record(null::group_queue, ${JSON.stringify(row)}::jsonb)
    on conflict (group_id) do update set after_raw_id = ''`);
}
