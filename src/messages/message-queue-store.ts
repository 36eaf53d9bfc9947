import type { Database } from "../db/database.ts";
import { sql } from "../db/sql.ts";

/**
 * Queues the messages for the listing step. `alertMs` holds how long each may fire alerts; without an entry it fires
 * none.
 */
export async function queueMessages(
  tx: Database,
  ids: readonly string[],
  alertMs: ReadonlyMap<string, number>,
): Promise<void> {
  const sorted = ids.toSorted();
  await tx.execute(sql`
    insert into message_queue as queued (canonical_message_id, alert_ms)
    select id, alert_ms
      from unnest(${sorted}::uuid[], ${sorted.map((id) => alertMs.get(id) ?? null)}::bigint[]) as changed (id, alert_ms)
    on conflict (canonical_message_id) do update
       set alert_ms = greatest(queued.alert_ms, excluded.alert_ms)`);
}

/** Copies the alert times of queued messages that moved to the messages that they became. */
export async function moveQueuedAlerts(
  tx: Database,
  moves: readonly { readonly from: string; readonly to: string }[],
): Promise<void> {
  await tx.execute(sql`
    update message_queue as queued
       set alert_ms = greatest(queued.alert_ms, former.alert_ms)
      from (select moved.new_id, max(waiting.alert_ms) as alert_ms
              from unnest(${moves.map(({ from }) => from)}::uuid[], ${moves.map(({ to }) => to)}::uuid[])
                   as moved (old_id, new_id)
              join message_queue as waiting on waiting.canonical_message_id = moved.old_id
             where waiting.alert_ms is not null
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
       limit ${limit}
    ), queued as (
      insert into message_queue (canonical_message_id, has_new_names)
      select distinct version.canonical_message_id, true
        from page
        join message_version as version on version.occurrence_id = page.id
       where version.canonical_message_id is not null
       order by 1
      on conflict (canonical_message_id) do update set has_new_names = true
    )
    select count(*) as occurrence_count, max(raw_id) as last_raw_id from page`);
  return { occurrenceCount: row?.occurrence_count ?? 0, lastRawId: row?.last_raw_id ?? "" };
}
