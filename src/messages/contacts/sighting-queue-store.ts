import type { Database } from "../../db/database.ts";
import { sql } from "../../db/sql.ts";

/** The ids of the oldest queued sightings. */
export async function listQueuedSightings(
  db: Database,
  { batchMax }: { readonly batchMax: number },
): Promise<readonly string[]> {
  const rows = await db.query<{ id: string }>(sql`
    select id::text from identity_queue order by id limit ${batchMax}`);
  return rows.map(({ id }) => id);
}

/** Returns the row, or undefined if it is no longer queued. */
export async function removeSighting(tx: Database, id: string): Promise<object | undefined> {
  const [removed] = await tx.query<{ row: object }>(sql`
    delete from identity_queue where id = ${id} returning to_jsonb(identity_queue) as row`);
  return removed?.row;
}

/** Queues a row that was removed. */
export async function restoreSighting(tx: Database, row: object): Promise<void> {
  await tx.execute(sql`
    insert into identity_queue overriding system value
    select * from jsonb_populate_record(null::identity_queue, ${JSON.stringify(row)}::jsonb)
    on conflict do nothing`);
}

export async function findLastSighting(db: Database): Promise<number> {
  const [row] = await db.query<{ last: number | null }>(
    sql`select max(id) as last from identity_queue`,
  );
  return row?.last ?? 0;
}

/** Returns true if a sighting with this id or a lower one is queued or being merged. */
export async function isSightingQueued(db: Database, last: number): Promise<boolean> {
  const rows = await db.query(sql`select from identity_queue where id <= ${last} limit 1`);
  return rows.length > 0;
}
