import { DAY_MS } from "../base/clock.ts";
import type { Database } from "../db/database.ts";
import { type Sql, sql } from "../db/sql.ts";

/** The longest time between two attempts. */
export const RETRY_MAX_MS = DAY_MS;

/** An item of a queue that failed on its own. */
export interface SetAsideItem {
  readonly id: number;
  readonly step: string;
  /** The item's key in its queue. */
  readonly key: string;
  readonly queue_row: object;
  readonly reason: string;
  /** How often it failed. */
  readonly attempt_count: number;
  readonly set_aside_at_ms: number;
  readonly next_attempt_at_ms: number;
}

/** If the item is stored already, it failed again: the newer row and reason count. */
export async function saveSetAsideItem(
  tx: Database,
  item: Omit<SetAsideItem, "id">,
): Promise<void> {
  await tx.execute(sql`
    insert into set_aside_item as known
           (step, key, queue_row, reason, attempt_count, set_aside_at_ms, next_attempt_at_ms)
    values (${item.step}, ${item.key}, ${JSON.stringify(item.queue_row)}::jsonb, ${item.reason}, ${item.attempt_count},
            ${item.set_aside_at_ms}, ${item.next_attempt_at_ms})
    on conflict (step, key) do update set
      queue_row = excluded.queue_row, reason = excluded.reason,
      attempt_count = greatest(known.attempt_count + 1, excluded.attempt_count),
      set_aside_at_ms = excluded.set_aside_at_ms, next_attempt_at_ms = excluded.next_attempt_at_ms`);
}

/** Which items: those with these ids, or those that are due. */
export type WantedItems = { readonly ids: readonly number[] } | { readonly dueAtMs: number };

/** Removes items, the longest due first, and returns them. */
export async function takeSetAsideItems(
  tx: Database,
  wanted: WantedItems,
  limit: number,
): Promise<readonly SetAsideItem[]> {
  return tx.query<SetAsideItem>(sql`
    with taken as materialized (
      select id from set_aside_item
       where ${toCondition(wanted)}
       order by next_attempt_at_ms, id
       limit ${limit}
         for update skip locked
    )
    delete from set_aside_item as item
     using taken
     where item.id = taken.id
    returning item.id, item.step, item.key, item.queue_row, item.reason, item.attempt_count, item.set_aside_at_ms,
              item.next_attempt_at_ms`);
}

/** A time that is further away than any delay was stored before the clock was set back. */
function toCondition(wanted: WantedItems) {
  return "ids" in wanted
    ? sql`id = any(${[...wanted.ids]}::bigint[])`
    : sql`(next_attempt_at_ms <= ${wanted.dueAtMs} or next_attempt_at_ms > ${wanted.dueAtMs + RETRY_MAX_MS})`;
}

/** Newest first; with an id only that one. */
export async function listSetAsideItems(
  db: Database,
  { limit, id }: { readonly limit: number; readonly id?: number },
): Promise<readonly SetAsideItem[]> {
  return db.query<SetAsideItem>(sql`
    select id, step, key, queue_row, reason, attempt_count, set_aside_at_ms, next_attempt_at_ms
      from set_aside_item
     where ${id === undefined ? sql`true` : sql`id = ${id}`}
     order by set_aside_at_ms desc, id desc
     limit ${limit}`);
}

/** Returns how many were dropped. Nothing is done about them any more. */
export async function dropSetAsideItems(db: Database, ids: readonly number[]): Promise<number> {
  return db.execute(sql`delete from set_aside_item where id = any(${[...ids]}::bigint[])`);
}

/** Deletes the sightings of these identifiers. */
export async function eraseSetAsideItems(
  tx: Database,
  identifiers: readonly string[],
): Promise<void> {
  await tx.execute(sql`
    delete from set_aside_item where queue_row -> 'identifiers' ?| ${[...identifiers]}::text[]`);
}

interface SetAsideCount {
  readonly step: string;
  readonly reason: string;
  readonly count: number;
  readonly latest_at_ms: number;
}

export async function countSetAsideItems(db: Database): Promise<readonly SetAsideCount[]> {
  return db.query<SetAsideCount>(sql`
    select step, reason, count(*) as count, max(set_aside_at_ms) as latest_at_ms
      from set_aside_item
     group by step, reason
     order by count(*) desc, step, reason
     limit 100`);
}

/** A selection of the alert windows of listings and messages that could not be matched, by message: (id, alert_ms). */
export function setAsideAlerts(): Sql {
  return sql`
    select coalesce(listing.canonical_message_id, (item.queue_row ->> 'resource_id')::uuid),
           (item.queue_row ->> 'alert_ms')::bigint
      from set_aside_item as item
      left join listing on listing.id = (item.queue_row ->> 'resource_id')::uuid
     where item.queue_row ->> 'alert_ms' is not null and item.queue_row ->> 'resource_id' is not null`;
}

export async function clearSetAsideItems(tx: Database): Promise<void> {
  await tx.execute(sql`truncate set_aside_item`);
}
