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

/** How long after their messages the matches came. */
export interface MatchLag {
  readonly match_count: number;
  readonly p50_ms: number | null;
  readonly p99_ms: number | null;
}

/** Of the latest matches since `sinceMs`, at most `matchesMax`: from the time of the message to that of the match. */
export async function findMatchLag(
  db: Database,
  { sinceMs, matchesMax }: { readonly sinceMs: number; readonly matchesMax: number },
): Promise<MatchLag> {
  const [row] = await db.query<MatchLag>(sql`
    select count(*) as match_count,
           percentile_disc(0.5) within group (order by lag_ms) as p50_ms,
           percentile_disc(0.99) within group (order by lag_ms) as p99_ms
      from (select greatest(latest.matched_at_ms - message.first_seen_at_ms, 0) as lag_ms
              from (select canonical_message_id, matched_at_ms
                      from alert_match
                     order by sequence desc
                     limit ${matchesMax}) as latest
              join canonical_message as message on message.id = latest.canonical_message_id
             where latest.matched_at_ms >= ${sinceMs}) as lag`);
  return row ?? { match_count: 0, p50_ms: null, p99_ms: null };
}

/** An event that could not be read, or an item of the pipeline that failed. */
interface QuarantineEntry {
  readonly kind: "event" | "item";
  readonly number: number;
  readonly reason: string;
  readonly quarantined_at_ms: number;
  /** Of an item: the step that failed. */
  readonly step: string | null;
  /** Of an item: how often it failed, and when a worker tries it again. */
  readonly attempt_count: number | null;
  readonly next_attempt_at_ms: number | null;
  /** Of an event. */
  readonly gateway: string | null;
  readonly origin: string | null;
  readonly received_at_ms: number | null;
}

export type QuarantinePosition = Pick<QuarantineEntry, "kind" | "number" | "quarantined_at_ms">;

/** One page, newest first; of one time, events before items, each with the highest number first. */
export async function listQuarantine(
  db: Database,
  page: { readonly after?: QuarantinePosition; readonly limit: number },
): Promise<readonly QuarantineEntry[]> {
  const { after, limit } = page;
  return db.query<QuarantineEntry>(sql`
    (select 'event' as kind, bad.raw_event_id as number, bad.reason, bad.quarantined_at_ms, null as step,
            null::integer as attempt_count, null::bigint as next_attempt_at_ms, event.gateway, event.origin,
            event.received_at_ms
       from quarantined_event as bad
       join raw_event as event on event.id = bad.raw_event_id
      where ${isAfter(after, { kind: "event", at: sql`bad.quarantined_at_ms`, number: sql`bad.raw_event_id` })}
      order by bad.quarantined_at_ms desc, bad.raw_event_id desc
      limit ${limit})
    union all
    (select 'item', item.id, item.reason, item.set_aside_at_ms, item.step, item.attempt_count,
            item.next_attempt_at_ms, null, null, null
       from set_aside_item as item
      where ${isAfter(after, { kind: "item", at: sql`item.set_aside_at_ms`, number: sql`item.id` })}
      order by item.set_aside_at_ms desc, item.id desc
      limit ${limit})
     order by quarantined_at_ms desc, kind, number desc
     limit ${limit}`);
}

function isAfter(
  after: QuarantinePosition | undefined,
  row: { readonly kind: QuarantineEntry["kind"]; readonly at: Sql; readonly number: Sql },
): Sql {
  if (after === undefined) return sql`true`;
  const atMs = after.quarantined_at_ms;
  if (row.kind > after.kind) return sql`${row.at} <= ${atMs}`;
  if (row.kind < after.kind) return sql`${row.at} < ${atMs}`;
  return sql`(${row.at}, ${row.number}) < (${atMs}, ${after.number})`;
}
