import { MINUTE_MS } from "../base/clock.ts";
import type { Database } from "../db/database.ts";
import { type Sql, sql } from "../db/sql.ts";

/** A picture that a process works on. */
export interface ClaimedPicture {
  readonly id: string;
  readonly group_id: string;
  readonly raw_id: string;
  readonly second: number;
  readonly sent_at_ms: number;
  readonly sender_ids: readonly string[];
  readonly album_raw_id: string | null;
  readonly shown_raw_id: string | null;
  readonly attempt_count: number;
  readonly queued_at_ms: number;
  /** A person asked for it, so fetching it counts. */
  readonly is_asked: boolean;
  readonly event: Buffer | null;
}

/** The most pictures that people ask for and that are fetched in a minute; null: as many as they like. */
interface Pace {
  readonly nowMs: number;
  readonly askedMax: number | null;
}

interface Claim extends Pace {
  /** Until then no other process takes them. */
  readonly leaseMs: number;
  readonly batchMax: number;
  /** What was queued before is left alone; a person may ask for it again. */
  readonly queuedSinceMs: number;
}

/** Takes pictures that are due, the latest first. Those that people asked for wait while their minute is full. */
export async function claimPictures(
  db: Database,
  claim: Claim,
): Promise<readonly ClaimedPicture[]> {
  const { nowMs, leaseMs, batchMax, askedMax, queuedSinceMs } = claim;
  const dueOf = (isAsked: boolean, max: Sql): Sql => sql`
    select id, queued_at_ms
      from media
     where due_at_ms <= ${nowMs} and due_at_ms is not null and is_asked = ${isAsked} and queued_at_ms >= ${queuedSinceMs}
     order by queued_at_ms desc, id
     limit ${max}
       for update skip locked`;
  const room = sql`
    least(${batchMax}::bigint,
          ${askedMax}::bigint - (select count(*) from media_pace, ${spentSince(sql`asked_at_ms`, nowMs)}))`;
  return db.query<ClaimedPicture>(sql`
    with fresh as (${dueOf(false, sql`${batchMax}`)}), asked as (${dueOf(true, sql`greatest(${room}, 0)`)}), due as (
      select id from (select * from fresh union all select * from asked) as candidate
       order by queued_at_ms desc, id
       limit ${batchMax}
    ), claimed as (
      update media
         set due_at_ms = ${nowMs + leaseMs}, attempt_count = attempt_count + 1
        from due
       where media.id = due.id
      returning media.id, group_id, raw_id, second, sent_at_ms, sender_ids, album_raw_id, shown_raw_id, attempt_count,
                queued_at_ms, is_asked, raw_event_id
    )
    select claimed.*, (select body from raw_event where raw_event.id = raw_event_id) as event
      from claimed
     order by queued_at_ms desc, id`);
}

/**
 * Returns false if as many pictures that people asked for were fetched in the last minute as may be, by all processes together. Otherwise
 * this one counts from now on: two processes that ask at the same moment wait for each other at the row.
 */
export async function takePace(db: Database, { nowMs, askedMax }: Pace): Promise<boolean> {
  if (askedMax === null) return true;
  const kept = sql`array(select at_ms from ${spentSince(sql`pace.asked_at_ms`, nowMs)})`;
  const rows = await db.query(sql`
    insert into media_pace as pace (asked_at_ms) values (array[${nowMs}::bigint])
    on conflict (is_only) do update set asked_at_ms = ${kept} || ${nowMs}::bigint
      where cardinality(${kept}) < ${askedMax}
    returning is_only`);
  return rows.length > 0;
}

/** The times of the last minute. One that lies far in the future is of a clock that was set back. */
function spentSince(times: Sql, nowMs: number): Sql {
  return sql`
    lateral (select at_ms from unnest(${times}) as at_ms
      where at_ms > ${nowMs - MINUTE_MS}::bigint and at_ms < ${nowMs + MINUTE_MS}::bigint) as spent`;
}
