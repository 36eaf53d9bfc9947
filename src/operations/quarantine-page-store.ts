import type { Database } from "../db/database.ts";
import { type Sql, sql } from "../db/sql.ts";

/** An event that could not be read, or an item of the pipeline that failed. */
export interface QuarantineEntry {
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
