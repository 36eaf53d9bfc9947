import type { Database } from "../db/database.ts";
import { sql } from "../db/sql.ts";
import type { RawEvent } from "./raw-event-store.ts";

/** Which events may leave: those received before a time, and late ones whose messages have left. */
export interface OldEvents {
  readonly receivedBeforeMs: number;
  readonly floorMs: number;
  readonly batchMax: number;
}

/** How many bytes of bodies a batch reads, unless its first body alone is larger. */
const BATCH_BYTES_MAX = 8 * 1024 * 1024;

/** Returns events that may leave and are not queued, the oldest first. */
export async function takeOldEvents(
  tx: Database,
  { receivedBeforeMs, floorMs, batchMax }: OldEvents,
): Promise<readonly Pick<RawEvent, "id" | "gateway" | "body" | "received_at_ms">[]> {
  return tx.query(sql`
    with received as (
      select id
        from raw_event
       where received_at_ms < ${receivedBeforeMs}
         and not exists (select from raw_event_queue where raw_event_id = id)
       order by received_at_ms, id
       limit ${batchMax}
    ), late as (
      select raw_event_id as id
        from late_event
       where leaves_after_ms < ${floorMs}
         and not exists (select from raw_event_queue as queued where queued.raw_event_id = late_event.raw_event_id)
       order by leaves_after_ms, raw_event_id
       limit ${batchMax}
    ), measured as (
      select event.id, event.gateway, event.body, event.received_at_ms,
             coalesce(octet_length(event.body), 0) as bytes,
             sum(coalesce(octet_length(event.body), 0)) over (order by event.id) as total_bytes
        from (select id from received union select id from late limit ${batchMax}) as old
        join raw_event as event using (id)
    )
    select id, gateway, body, received_at_ms
      from measured
     where total_bytes <= ${BATCH_BYTES_MAX} or total_bytes = bytes
     order by id`);
}

/** Deletes events with all that is known about them. Leaves those that were queued meanwhile. Returns how many it deleted. */
export async function removeRawEvents(tx: Database, ids: readonly number[]): Promise<number> {
  const among = sql`any(${[...ids]}::bigint[])`;
  // First, because it waits for a transaction that takes one of them out of quarantine and queues it.
  await tx.execute(sql`delete from quarantined_event where raw_event_id = ${among}`);
  const removed = await tx.query<{ id: number }>(sql`
    delete from raw_event
     where id = ${among} and not exists (select from raw_event_queue where raw_event_id = id)
    returning id`);
  await tx.execute(sql`
    delete from late_event where raw_event_id = any(${removed.map(({ id }) => id)}::bigint[])`);
  return removed.length;
}

/** Notes when the messages of late events leave. */
export async function saveLateEvents(
  tx: Database,
  late: readonly { readonly id: number; readonly leavesAfterMs: number }[],
): Promise<void> {
  await tx.execute(sql`
    insert into late_event (raw_event_id, leaves_after_ms)
    select id, leaves_after_ms
      from unnest(${late.map(({ id }) => id)}::bigint[], ${late.map((row) => row.leavesAfterMs)}::bigint[])
           as noted (id, leaves_after_ms)
     order by id
    on conflict (raw_event_id) do update set leaves_after_ms = excluded.leaves_after_ms`);
}

/** When the first queued event was received; undefined if none is queued. */
export async function findFirstReceipt(db: Database): Promise<number | undefined> {
  const [row] = await db.query<{ received_at_ms: number }>(sql`
    select received_at_ms from raw_event where id = (select min(raw_event_id) from raw_event_queue)`);
  return row?.received_at_ms;
}
