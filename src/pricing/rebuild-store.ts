import type { Database } from "../db/database.ts";

/**
 * How long cells wait for what the events have queued, once all events are read: where much comes in all the time, the
 * queues may never be empty at one moment.
 */
const QUEUES_WAIT_MAX_MS = 600_000;

/** From now on no cells are calculated until the market has been made of the raw events again. */
export async function beginRebuild(tx: Database): Promise<void> {
  await tx`
    insert into market_rebuild (last_raw_event_id)
    select coalesce(max(id), 0) from raw_event
    on conflict (is_only) do update
       set last_raw_event_id = excluded.last_raw_event_id, read_at_ms = null`;
}

/** Ends a rebuild if nothing of it waits any more, and gives whether it did. */
export async function endRebuild(tx: Database, nowMs: number): Promise<boolean> {
  const [rebuild] = await tx`select from market_rebuild limit 1`;
  if (rebuild === undefined) return false;
  await tx`
    update market_rebuild set read_at_ms = ${nowMs}
     where read_at_ms is null
       and not exists (select from raw_event_queue where raw_event_id <= last_raw_event_id)`;
  // One statement, so one moment: each step takes from one queue and adds to the next in one transaction.
  const ended = await tx`
    delete from market_rebuild
     where read_at_ms < ${nowMs - QUEUES_WAIT_MAX_MS}
        or (not exists (select from raw_event_queue where raw_event_id <= last_raw_event_id)
            and not exists (select from identity_queue)
            and not exists (select from group_queue)
            and not exists (select from message_queue)
            and not exists (select from match_queue))
    returning 1`;
  return ended.length > 0;
}
