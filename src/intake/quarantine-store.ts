import type { Database } from "../db/database.ts";
import { type Sql, sql } from "../db/sql.ts";
import type { Alerting } from "./raw-event-store.ts";

/** An event that could not be read or processed. */
interface QuarantinedEvent {
  readonly id: number;
  readonly reason: string;
  readonly gateway: string;
  readonly origin: string;
  readonly received_at_ms: number;
  readonly quarantined_at_ms: number;
}

/** Newest first. */
export async function listQuarantined(
  db: Database,
  limit: number,
): Promise<readonly QuarantinedEvent[]> {
  return db.query<QuarantinedEvent>(sql`
    select event.id, bad.reason, event.gateway, event.origin, event.received_at_ms, bad.quarantined_at_ms
      from quarantined_event as bad
      join raw_event as event on event.id = bad.raw_event_id
     order by bad.quarantined_at_ms desc, event.id desc
     limit ${limit}`);
}

/** With its body; null if the body was deleted. */
export async function findQuarantined(
  db: Database,
  id: number,
): Promise<(QuarantinedEvent & { readonly body: Buffer | null }) | undefined> {
  const [row] = await db.query<QuarantinedEvent & { body: Buffer | null }>(sql`
    select event.id, bad.reason, event.gateway, event.origin, event.received_at_ms, bad.quarantined_at_ms, event.body
      from quarantined_event as bad
      join raw_event as event on event.id = bad.raw_event_id
     where event.id = ${id}`);
  return row;
}

/** A new kind of event or message of the gateway. If it is about a group, its body is kept until a version of Assay can read it. */
export function isUnknownKind(reason: string): boolean {
  return /^unknown_(?:event|message)\b/.test(reason);
}

interface QuarantineCount {
  readonly reason: string;
  readonly count: number;
  readonly first_at_ms: number;
  readonly latest_at_ms: number;
}

export async function countQuarantined(db: Database): Promise<readonly QuarantineCount[]> {
  return db.query<QuarantineCount>(sql`
    select reason, count(*) as count, min(quarantined_at_ms) as first_at_ms,
           max(quarantined_at_ms) as latest_at_ms
      from quarantined_event
     group by reason
     order by count(*) desc, reason
     limit 100`);
}

/** Of the events, how many are in quarantine. */
export async function countInQuarantine(db: Database, ids: readonly number[]): Promise<number> {
  const [row] = await db.query<{ count: number }>(sql`
    select count(*) as count from quarantined_event where ${isAmong(ids)}`);
  return row?.count ?? 0;
}

interface RequeuedEvent {
  readonly id: number;
  /** False if its body was deleted, because it may be of a private chat. Then nothing is left to read. */
  readonly hasBody: boolean;
}

/** Takes events out of quarantine and queues them again. */
export async function requeueQuarantined(
  tx: Database,
  ids: readonly number[],
  alerting: Alerting,
): Promise<readonly RequeuedEvent[]> {
  return tx.query<RequeuedEvent>(sql`
    with freed as (
      delete from quarantined_event where ${isAmong(ids)} returning raw_event_id
    ), queued as (
      insert into raw_event_queue (raw_event_id, alerting)
      select raw_event_id, ${alerting} from freed order by raw_event_id
      on conflict (raw_event_id) do nothing
    )
    select event.id, event.body is not null as "hasBody"
      from freed
      join raw_event as event on event.id = freed.raw_event_id
     order by event.id`);
}

/** Forgets that events are in quarantine. Bodies that are kept stay, and a replay reads them again. Returns how many. */
export async function dropQuarantined(db: Database, ids: readonly number[]): Promise<number> {
  return db.execute(sql`delete from quarantined_event where ${isAmong(ids)}`);
}

function isAmong(ids: readonly number[]): Sql {
  return sql`raw_event_id = any(${[...ids]}::bigint[])`;
}

export async function clearQuarantine(tx: Database): Promise<void> {
  await tx.execute(sql`truncate quarantined_event`);
}
