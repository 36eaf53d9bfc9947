import type { Database } from "../db/database.ts";
import { declareQueue, isInLane, type Lane } from "../db/queue.ts";
import { recordset, type Sql, sql } from "../db/sql.ts";

export const messageQueue = declareQueue({
  table: "message_queue",
  key: "canonical_message_id",
  number: "number",
  hasLanes: true,
});

/** How long queued messages may fire alerts. */
interface AlertWindows {
  /** By message. Without an entry it fires none. */
  readonly alertMs: ReadonlyMap<string, number>;
  /** Messages whose window opened although nothing else about them changed. */
  readonly openedIds: ReadonlySet<string>;
}

export const NO_WINDOWS: AlertWindows = { alertMs: new Map(), openedIds: new Set() };

/** Queues the messages for the listing step. A window that a replay interrupted is what is left of it. */
export async function queueMessages(
  tx: Database,
  ids: readonly string[],
  { alertMs, openedIds }: AlertWindows,
): Promise<void> {
  const sorted = [...new Set(ids)].sort();
  await tx.execute(sql`
    with carried as (
      delete from carried_alert where canonical_message_id = any(${sorted}::uuid[])
      returning canonical_message_id, alert_ms
    )
    insert into message_queue as queued (canonical_message_id, alert_ms, has_new_window)
    select changed.id, greatest(changed.alert_ms, carried.alert_ms),
           changed.is_opened or carried.canonical_message_id is not null
      from unnest(${sorted}::uuid[], ${sorted.map((id) => alertMs.get(id) ?? null)}::bigint[],
                  ${sorted.map((id) => openedIds.has(id))}::boolean[]) as changed (id, alert_ms, is_opened)
      left join carried on carried.canonical_message_id = changed.id
     order by changed.id
    on conflict (canonical_message_id) do update
       set alert_ms = greatest(queued.alert_ms, excluded.alert_ms),
           has_new_window = queued.has_new_window or excluded.has_new_window,
           is_fresh = queued.is_fresh or excluded.is_fresh
     -- A row that is not written is locked all the same, so a worker that takes it reads this change too.
     where excluded.alert_ms > coalesce(queued.alert_ms, -1)
        or (excluded.has_new_window and not queued.has_new_window)
        or (excluded.is_fresh and not queued.is_fresh)`);
}

/** A message whose replies changed, and the posts that they quote: ids of `reported_message`. */
export interface QuotingMessage {
  readonly canonical_message_id: string;
  readonly quoted_ids: readonly string[];
}

/** Notes at queued messages which posts their changed replies quote. The listings of these posts are read again with them. */
export async function noteQuoted(tx: Database, quoting: readonly QuotingMessage[]): Promise<void> {
  await tx.execute(sql`
    update message_queue as queued
       set quoted_ids = array(select distinct unnest(queued.quoted_ids || noted.quoted_ids) order by 1)
      from ${recordset(quoting)} as noted (canonical_message_id uuid, quoted_ids uuid[])
     where queued.canonical_message_id = noted.canonical_message_id`);
}

/**
 * Keeps the alert windows of the queued messages, and those that `selection` selects by message, for when a replay queues
 * the messages again.
 */
export async function carryAlerts(tx: Database, selection: Sql): Promise<void> {
  await tx.execute(sql`
    insert into carried_alert as known (canonical_message_id, alert_ms)
    select id, max(alert_ms)
      from (select canonical_message_id, alert_ms from message_queue
            union all
            ${selection}) as waiting (id, alert_ms)
     where alert_ms is not null
     group by id
     order by id
    on conflict (canonical_message_id) do update set alert_ms = greatest(known.alert_ms, excluded.alert_ms)`);
}

/** The messages with a carried window, as resources. */
export function carriedResources(): Sql {
  return sql`
    select 'message' as resource, canonical_message_id as resource_id, canonical_message_id from carried_alert`;
}

/**
 * Ends what a replay carried. A message that it made under another id gets its window there; the windows of messages that it did
 * not make are deleted.
 *
 * Example: a post came with the hidden id of its dealer only, and a replay began before it was matched. The replay knew the
 * dealer's number when it came to the post, so it made another message of it.
 */
export async function settleCarriedAlerts(
  tx: Database,
  moves: readonly { readonly from: string; readonly to: string }[],
): Promise<void> {
  const rows = await tx.query<{ id: string; alert_ms: number }>(sql`
    delete from carried_alert returning canonical_message_id as id, alert_ms`);
  const carried = new Map(rows.map(({ id, alert_ms }) => [id, alert_ms]));
  const alertMs = new Map<string, number>();
  for (const { from, to } of moves) {
    const ms = carried.get(from);
    if (ms !== undefined) alertMs.set(to, Math.max(ms, alertMs.get(to) ?? ms));
  }
  if (alertMs.size === 0) return;
  await queueMessages(tx, [...alertMs.keys()], { alertMs, openedIds: new Set(alertMs.keys()) });
}

/** Copies what queued messages are queued for to the messages that they became: alert times, and names of groups. */
export async function moveQueuedAlerts(
  tx: Database,
  moves: readonly { readonly from: string; readonly to: string }[],
): Promise<void> {
  await tx.execute(sql`
    update message_queue as queued
       set alert_ms = greatest(queued.alert_ms, former.alert_ms),
           has_new_names = queued.has_new_names or former.has_new_names
      from (select moved.new_id, max(waiting.alert_ms) as alert_ms, bool_or(waiting.has_new_names) as has_new_names
              from unnest(${moves.map(({ from }) => from)}::uuid[], ${moves.map(({ to }) => to)}::uuid[])
                   as moved (old_id, new_id)
              join message_queue as waiting on waiting.canonical_message_id = moved.old_id
             where waiting.alert_ms is not null or waiting.has_new_names
             group by moved.new_id) as former
     where queued.canonical_message_id = former.new_id`);
}

/** Queues every message that an occurrence of the page belongs or belonged to. Returns where the page ended. */
export async function queueOccurrencesMessages(
  tx: Database,
  page: { readonly group_id: string; readonly after_raw_id: string },
  limit: number,
): Promise<{ readonly occurrenceCount: number; readonly lastRawId: string }> {
  const [row] = await tx.query<{ occurrence_count: number; last_raw_id: string | null }>(sql`
    with page as materialized (
      select id, raw_id
        from occurrence
       where group_id = ${page.group_id} and raw_id > ${page.after_raw_id}
       order by raw_id
       fetch first ${limit} rows with ties
    ), queued as (
      insert into message_queue (canonical_message_id, has_new_names)
      select distinct version.canonical_message_id, true
        from page
        join message_version as version on version.occurrence_id = page.id
       order by 1
      on conflict (canonical_message_id) do update set has_new_names = true
    )
    select count(*) as occurrence_count, max(raw_id) as last_raw_id from page`);
  return { occurrenceCount: row?.occurrence_count ?? 0, lastRawId: row?.last_raw_id ?? "" };
}

/** Queues the messages whose ids `selection` selects. They fire no alerts, but keep an alert window they have. */
export async function queueSelectedMessages(tx: Database, selection: Sql): Promise<void> {
  await tx.execute(sql`
    insert into message_queue (canonical_message_id)
    select distinct selected.id from (${selection}) as selected (id) order by 1
    on conflict (canonical_message_id) do update
       set alert_ms = greatest(message_queue.alert_ms, excluded.alert_ms)`);
}

/** A statement that queues those of the selected messages that are not queued, and returns a row for each. */
export function insertMissingMessages(selection: Sql): Sql {
  return sql`
    insert into message_queue (canonical_message_id)
    select selected.id from (${selection}) as selected (id) order by 1
    on conflict (canonical_message_id) do nothing
    returning 1`;
}

export interface QueuedMessage {
  readonly canonical_message_id: string;
  /** How much of the alert window was left when the message was queued; null if it may not fire alerts. */
  readonly alert_ms: number | null;
  /** One of its groups was renamed. */
  readonly has_new_names: boolean;
  /** Its alert window opened, so its listings are matched even if none of them changed. */
  readonly has_new_window: boolean;
  /** The posts that its changed replies quote. */
  readonly quoted_ids: readonly string[];
}

/**
 * The first messages of the queue, of contacts in any bucket or in certain ones, or certain messages. Messages that were
 * deleted are in all buckets, those without a contact in that of their own id.
 */
export type WantedMessages =
  | { readonly batchMax: number; readonly lane?: Lane; readonly buckets?: ReadonlySet<number> }
  | { readonly ids: readonly string[] };

/** How many bytes of text a batch reads, unless its first text alone is larger. A usual batch has a tenth of it. */
const BATCH_BYTES_MAX = 4 * 1024 * 1024;

/** Takes messages off the queue, at least one. Skips those that another worker has locked. */
export async function takeMessages(
  tx: Database,
  wanted: WantedMessages,
): Promise<readonly QueuedMessage[]> {
  const [where, limit] =
    "ids" in wanted
      ? [sql`canonical_message_id = any(${wanted.ids}::uuid[])`, wanted.ids.length]
      : [sql`${isInLane(wanted.lane)} and ${isInBuckets(wanted.buckets)}`, wanted.batchMax];
  return tx.query<QueuedMessage>(sql`
    with waiting as materialized (
      select waiting.canonical_message_id, waiting.number, coalesce(message.bytes, 0) as bytes
        from message_queue as waiting
        -- The length is known without reading the text. "offset 0" keeps the planner from reading the messages of the whole queue.
        left join lateral (select id, contact_id, octet_length(text) as bytes
                             from canonical_message
                            where id = waiting.canonical_message_id
                           offset 0) as message on true
       where ${where}
       order by waiting.number
       limit ${limit}
         for update of waiting skip locked
    ), measured as (
      select canonical_message_id, bytes, sum(bytes) over (order by number) as total_bytes from waiting
    ), taken as materialized (
      select canonical_message_id from measured where total_bytes <= ${BATCH_BYTES_MAX} or total_bytes = bytes
    )
    delete from message_queue as queued
     using taken
     where queued.canonical_message_id = taken.canonical_message_id
    returning queued.canonical_message_id, queued.alert_ms, queued.has_new_names, queued.has_new_window,
              queued.quoted_ids`);
}

/** A condition on the rows `message`. */
function isInBuckets(buckets: ReadonlySet<number> | undefined): Sql {
  if (buckets === undefined) return sql`true`;
  return sql`
    (message.id is null
     or get_byte(uuid_send(coalesce(message.contact_id, message.id)), 0) >> 4 = any(${[...buckets]}::integer[]))`;
}
