import type { Database } from "../db/database.ts";
import { joinSql, type Sql, sql } from "../db/sql.ts";

/** What waits in front of a step. */
export interface QueueState {
  /** The step that takes from the queue, or `send deliveries`. */
  readonly step: string;
  /** How many items are queued, at most `DEPTH_MAX`. */
  readonly depth: number;
  /** How long the first item has waited; null if the queue is empty or keeps no times. */
  readonly oldest_age_ms: number | null;
}

/** Counting more would take longer than a request should. */
export const DEPTH_MAX = 100_000;

/** A queue: its rows in any order, and when its first row was queued. */
interface Queue {
  readonly step: string;
  readonly rows: Sql;
  readonly oldestMs: Sql;
}

const QUEUES: readonly Queue[] = [
  {
    step: "canonicalize events",
    rows: sql`select from raw_event_queue`,
    oldestMs: sql`
      select event.received_at_ms
        from raw_event_queue as queued
        join raw_event as event on event.id = queued.raw_event_id
       order by queued.raw_event_id
       limit 1`,
  },
  {
    step: "merge contacts",
    rows: sql`select from identity_queue`,
    oldestMs: sql`select queued_at_ms from identity_queue order by id limit 1`,
  },
  {
    step: "queue group messages",
    rows: sql`select from group_queue`,
    oldestMs: sql`select null::bigint`,
  },
  {
    step: "extract listings",
    rows: sql`select from message_queue`,
    oldestMs: sql`select queued_at_ms from message_queue order by number limit 1`,
  },
  {
    step: "match listings",
    rows: sql`select from match_queue`,
    oldestMs: sql`select queued_at_ms from match_queue order by number limit 1`,
  },
  {
    step: "rebuild members",
    rows: sql`select from member_queue`,
    oldestMs: sql`select null::bigint`,
  },
  {
    step: "refresh cells",
    rows: sql`select from refresh_queue`,
    oldestMs: sql`select queued_at_ms from refresh_queue order by queued_at_ms, configuration_id limit 1`,
  },
  {
    step: "send deliveries",
    rows: sql`select from webhook_delivery where status = 'pending'`,
    oldestMs: sql`select min(created_at_ms) from webhook_delivery where status = 'pending'`,
  },
];

export async function listQueueStates(db: Database, nowMs: number): Promise<readonly QueueState[]> {
  const states = QUEUES.map(
    ({ step, rows, oldestMs }, at) => sql`
      select ${at}::integer as at, ${step}::text as step,
             (select count(*) from (${rows} limit ${DEPTH_MAX}) as waiting) as depth,
             ${nowMs} - (${oldestMs}) as oldest_age_ms`,
  );
  const found = await db.query<QueueState>(sql`
    select step, depth, greatest(oldest_age_ms, 0) as oldest_age_ms
      from (${joinSql(states, " union all ")}) as queue
     order by at`);
  return found.map((state) => (state.depth === 0 ? { ...state, oldest_age_ms: null } : state));
}
