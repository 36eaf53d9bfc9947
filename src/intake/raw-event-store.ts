import type { Database } from "../db/database.ts";
import { declareQueue, isInLane, type Lane } from "../db/queue.ts";
import { sql } from "../db/sql.ts";

type Gateway = "waha" | "chat";
type Origin = "webhook" | "pull" | "import";

/** Whether an event may fire alerts: if its message was sent within the alert window, never, or whatever its age. */
export type Alerting = "window" | "never" | "always";

/** A replayed event fires none. Unlike with `never`, its message has been heard, so a repeat of it fires none either. */
type QueuedAlerting = Alerting | "replayed";

/** An event as it arrived. */
export interface NewRawEvent {
  readonly gateway: Gateway;
  readonly origin: Origin;
  readonly body: Uint8Array;
  readonly receivedAtMs: number;
}

export interface RawEvent {
  readonly id: number;
  readonly gateway: Gateway;
  /** Null if the event was about a private chat: the body was deleted. */
  readonly body: Buffer | null;
  readonly alerting: QueuedAlerting;
  readonly received_at_ms: number;
}

/**
 * Stores and queues the events that are new. A body that is stored already changes nothing. Returns the number of new
 * ones. Without a lane, what the gateway posted is fresh and everything else is not. The bodies are sent as one value with
 * the place of each, because an array would need an escaped text for each.
 *
 * A transaction that writes nothing waits for no standby. The first copy of a repeated event may have been committed by a
 * server that lost its standby in that moment, so a batch with repeats writes an empty message to the log: then its commit waits
 * until the standby has the log up to here, first copies included.
 */
export async function saveRawEvents(
  db: Database,
  events: readonly NewRawEvent[],
  alerting: Alerting,
  lane?: Lane,
): Promise<number> {
  const lengths = events.map(({ body }) => body.byteLength);
  let end = 1;
  const starts = lengths.map((length) => {
    end += length;
    return end - length;
  });
  // In the order of their keys, so that two processes that store the same events cannot deadlock.
  const [row] = await db.query<{ stored: number }>(sql`
    with stored as (
      insert into raw_event (sha256, gateway, origin, body, received_at_ms)
      select sha256(body) as key, gateway, origin, body, received_at_ms
        from (select gateway, origin, received_at_ms,
                     substring(${Buffer.concat(events.map(({ body }) => body))}::bytea from start for length) as body
                from unnest(${starts}::int[], ${lengths}::int[],
                            ${events.map(({ gateway }) => gateway)}::text[],
                            ${events.map(({ origin }) => origin)}::text[],
                            ${events.map(({ receivedAtMs }) => receivedAtMs)}::bigint[])
                     as place (start, length, gateway, origin, received_at_ms)) as incoming
       order by key
      on conflict (sha256) do nothing
      returning id, origin
    ), queued as (
      insert into raw_event_queue (raw_event_id, alerting, is_fresh)
      select id, ${alerting}, ${lane === undefined ? sql`origin = 'webhook'` : lane === "fresh"} from stored
    )
    select count(*) as stored,
           case when count(*) < ${events.length} then pg_logical_emit_message(true, 'assay', '') end as waits_until
      from stored`);
  return row?.stored ?? 0;
}

/** Which events to take: the oldest ones, of one lane or of both, or only the one with `id`. */
interface WantedEvents {
  readonly batchMax: number;
  readonly lane?: Lane;
  readonly id?: number;
}

export const rawEventQueue = declareQueue({
  table: "raw_event_queue",
  key: "raw_event_id",
  number: "raw_event_id",
  hasLanes: true,
});

/**
 * How many bytes of bodies a batch reads, unless its first body alone is larger. A usual batch has one megabyte. Reading
 * 300 bodies of 10 MiB at once took 3.4 GB of memory, and the statement ran into its time-out again and again.
 */
const BATCH_BYTES_MAX = 8 * 1024 * 1024;

/** The condition for that, on rows with the size of their body and the sum up to it. The size is known without reading it. */
const FITS_BATCH = sql`(total_bytes <= ${BATCH_BYTES_MAX} or total_bytes = bytes)`;

/** Returns events that no worker has locked, at least one; locked until the transaction ends. */
export async function takeRawEvents(
  tx: Database,
  { batchMax, lane, id }: WantedEvents,
): Promise<readonly RawEvent[]> {
  return tx.query<RawEvent>(sql`
    with taken as (
      select raw_event_id, alerting
        from raw_event_queue
       where ${id === undefined ? isInLane(lane) : sql`raw_event_id = ${id}`}
       order by raw_event_id
       limit ${batchMax}
         for update skip locked
    )
    select id, gateway, body, alerting, received_at_ms
      from (select raw_event.id, raw_event.gateway, raw_event.body, taken.alerting, raw_event.received_at_ms,
                   coalesce(octet_length(raw_event.body), 0) as bytes,
                   sum(coalesce(octet_length(raw_event.body), 0)) over (order by raw_event.id) as total_bytes
              from taken
              join raw_event on raw_event.id = taken.raw_event_id) as measured
     where ${FITS_BATCH}
     order by id`);
}

interface FinishedEvents {
  readonly ids: readonly number[];
  /** Events whose body is deleted. */
  readonly privateIds: readonly number[];
  readonly quarantined: readonly { readonly id: number; readonly reason: string }[];
  /** What events were that gave no message. */
  readonly ignored: readonly { readonly id: number; readonly kind: string }[];
  readonly nowMs: number;
}

export async function finishRawEvents(tx: Database, finished: FinishedEvents): Promise<void> {
  await tx.execute(
    sql`delete from raw_event_queue where raw_event_id = any(${[...finished.ids]}::bigint[])`,
  );
  if (finished.privateIds.length > 0) {
    await tx.execute(
      sql`update raw_event set body = null where id = any(${[...finished.privateIds]}::bigint[])`,
    );
  }
  if (finished.quarantined.length > 0) {
    await tx.execute(sql`
      insert into quarantined_event (raw_event_id, reason, quarantined_at_ms)
      select id, reason, ${finished.nowMs}
        from unnest(${finished.quarantined.map(({ id }) => id)}::bigint[],
                    ${finished.quarantined.map(({ reason }) => reason)}::text[]) as bad (id, reason)
      on conflict (raw_event_id) do update set reason = excluded.reason`);
  }
  if (finished.ignored.length > 0) {
    await tx.execute(sql`
      insert into ignored_event (raw_event_id, kind)
      select id, kind
        from unnest(${finished.ignored.map(({ id }) => id)}::bigint[],
                    ${finished.ignored.map(({ kind }) => kind)}::text[]) as read (id, kind)
      on conflict (raw_event_id, kind) do nothing`);
  }
}

export async function countQueuedEvents(db: Database): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    sql`select count(*) as count from raw_event_queue`,
  );
  return row?.count ?? 0;
}

/** When the first queued event was received; undefined if none is queued. */
export async function findFirstReceipt(db: Database): Promise<number | undefined> {
  const [row] = await db.query<{ received_at_ms: number }>(sql`
    select received_at_ms from raw_event where id = (select min(raw_event_id) from raw_event_queue)`);
  return row?.received_at_ms;
}

interface IgnoredCount {
  readonly kind: string;
  readonly count: number;
}

/** How many events gave no message, by what they were; the most frequent first. */
export async function countIgnoredEvents(db: Database): Promise<readonly IgnoredCount[]> {
  return db.query<IgnoredCount>(sql`
    select kind, count(*) as count from ignored_event group by kind order by count(*) desc, kind limit 100`);
}

export async function hasRawEvents(db: Database): Promise<boolean> {
  return (await db.query(sql`select from raw_event limit 1`)).length > 0;
}

export async function findLastRawEvent(db: Database): Promise<number> {
  const [row] = await db.query<{ last: number | null }>(sql`select max(id) as last from raw_event`);
  return row?.last ?? 0;
}

/**
 * Queues the stored events that were received since `fromMs` and still have a body. What was made of them is forgotten, as it
 * may be something else this time. Returns how many.
 */
export async function requeueRawEvents(
  tx: Database,
  fromMs: number,
  alerting: Alerting,
): Promise<number> {
  const isAgain = sql`
    raw_event_id in (select id from raw_event where received_at_ms >= ${fromMs} and body is not null)`;
  await tx.execute(sql`delete from ignored_event where ${isAgain}`);
  await tx.execute(sql`delete from quarantined_event where ${isAgain}`);
  return tx.execute(sql`
    insert into raw_event_queue (raw_event_id, alerting)
    select id, case when ${alerting} = 'never' and origin <> 'import' then 'replayed' else ${alerting} end
      from raw_event where received_at_ms >= ${fromMs} and body is not null
    on conflict do nothing`);
}

/** The id before the first event that was received at this time or later; the last one if there is none. */
export async function findRawEventBefore(db: Database, receivedAtMs: number): Promise<number> {
  const [row] = await db.query<{ first: number | null }>(sql`
    select min(id) as first from raw_event where received_at_ms >= ${receivedAtMs}`);
  return row?.first == null ? findLastRawEvent(db) : row.first - 1;
}

interface BodiesPage {
  readonly afterId: number;
  readonly lastId: number;
  readonly limit: number;
  /** Without it, of all gateways. */
  readonly gateway?: Gateway | undefined;
}

/** Events with a body, in the order of their ids: at least one, unless there are no more. */
export async function listBodies(
  db: Database,
  page: BodiesPage,
): Promise<readonly Pick<RawEvent, "id" | "gateway" | "body">[]> {
  return db.query<Pick<RawEvent, "id" | "gateway" | "body">>(sql`
    with page as materialized (
      select id, octet_length(body) as bytes
        from raw_event
       where id > ${page.afterId} and id <= ${page.lastId} and body is not null
         and ${page.gateway === undefined ? sql`true` : sql`gateway = ${page.gateway}`}
       order by id
       limit ${page.limit}
    )
    select raw_event.id, raw_event.gateway, raw_event.body
      from (select id, bytes, sum(bytes) over (order by id) as total_bytes from page) as measured
      join raw_event using (id)
     where ${FITS_BATCH}
     order by raw_event.id`);
}

/** The key of the event stays the hash of what came, so the same bytes are still a repeat. */
export async function replaceBodies(
  tx: Database,
  events: readonly { readonly id: number; readonly body: Buffer | null }[],
): Promise<void> {
  const sorted = events.toSorted((left, right) => left.id - right.id);
  for (const { id, body } of sorted) {
    await tx.execute(sql`update raw_event set body = ${body} where id = ${id}`);
  }
}

/**
 * Replaces a body by what would be stored of it today, unless it was changed meanwhile. Its key becomes that of the new body, so the same
 * event is still a repeat; that of a body without an erased person stays.
 */
export async function rewriteBody(
  tx: Database,
  { id, was, body }: { readonly id: number; readonly was: Buffer; readonly body: Uint8Array },
): Promise<void> {
  const key = sql`sha256(${body}::bytea)`;
  const isNewKey = sql`
    (sha256 = sha256(body) and not exists (select from raw_event as other where other.sha256 = ${key}))`;
  await tx.execute(sql`
    update raw_event
       set body = ${body}::bytea, sha256 = case when ${isNewKey} then ${key} else sha256 end
     where id = ${id} and sha256(body) = sha256(${was}::bytea)`);
}

/** Which events may leave: those received before a time, and late ones whose messages have left. */
interface OldEvents {
  readonly receivedBeforeMs: number;
  readonly floorMs: number;
  readonly batchMax: number;
}

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
     where ${FITS_BATCH}
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
  const removedIds = removed.map(({ id }) => id);
  for (const table of [sql`late_event`, sql`ignored_event`]) {
    await tx.execute(sql`delete from ${table} where raw_event_id = any(${removedIds}::bigint[])`);
  }
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
