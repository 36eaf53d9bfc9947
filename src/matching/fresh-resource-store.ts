import type { Database } from "../db/database.ts";
import { recordset, rowset, type Sql, sql } from "../db/sql.ts";
import type { Resource } from "../listings/match-queue-store.ts";
import type { Move } from "./resource-store.ts";

/** A listing or message that may still fire alerts, and until when. */
interface FreshResource {
  readonly resource_id: string;
  readonly until_ms: number;
  /** When it arrived, in the numbers of `alert.since_sequence`; null if it arrives now. */
  readonly came_sequence: number | null;
}

/** Where the fresh ones are, and the column with their id. */
const FRESH: Readonly<Record<Resource, { readonly table: Sql; readonly id: Sql }>> = {
  watch_listing: { table: sql`fresh_listing`, id: sql`listing_id` },
  message: { table: sql`fresh_message`, id: sql`canonical_message_id` },
};

const EXPIRED_BATCH_MAX = 1_000;

/**
 * Saves fresh listings or messages, moves the rows of deleted ones to those that replaced them, and deletes some of the
 * expired rows. Of several times for one resource the latest is kept. One that moves does not arrive again.
 */
export async function saveFresh(
  tx: Database,
  resource: Resource,
  change: { readonly fresh: readonly FreshResource[]; readonly moves: readonly Move[] },
  nowMs: number,
): Promise<void> {
  const { table, id } = FRESH[resource];
  const moved = await takeFresh(tx, resource, change.moves);
  const byId = new Map<string, FreshResource>();
  for (const row of [...change.fresh, ...moved]) {
    byId.set(row.resource_id, joinFresh(byId.get(row.resource_id) ?? row, row));
  }
  if (byId.size > 0) {
    await tx.execute(sql`
      insert into ${table} as known (${id}, until_ms, came_sequence)
      select resource_id, until_ms, coalesce(came_sequence, nextval('arrival_sequence'))
        from ${rowset("fresh", [...byId.values()], {
          resource_id: "uuid",
          until_ms: "bigint",
          came_sequence: "bigint",
        })}
       order by resource_id
      on conflict (${id}) do update
         set until_ms = greatest(known.until_ms, excluded.until_ms),
             came_sequence = greatest(known.came_sequence, excluded.came_sequence)`);
  }
  await deleteExpiredOf(tx, resource, { nowMs, max: EXPIRED_BATCH_MAX });
}

function joinFresh(left: FreshResource, right: FreshResource): FreshResource {
  const isNow = left.came_sequence === null || right.came_sequence === null;
  return {
    resource_id: left.resource_id,
    until_ms: Math.max(left.until_ms, right.until_ms),
    came_sequence: isNow ? null : Math.max(left.came_sequence ?? 0, right.came_sequence ?? 0),
  };
}

async function takeFresh(
  tx: Database,
  resource: Resource,
  moves: readonly Move[],
): Promise<readonly FreshResource[]> {
  if (moves.length === 0) return [];
  const { table, id } = FRESH[resource];
  return tx.query<FreshResource>(sql`
    delete from ${table} as fresh
     using ${recordset(moves)} as moved ("from" uuid, "to" uuid)
     where fresh.${id} = moved."from"
    returning moved."to" as resource_id, fresh.until_ms, fresh.came_sequence`);
}

/** Deletes at most `max` rows of listings, and of messages, that are not fresh any more. */
export async function deleteExpired(tx: Database, nowMs: number, max: number): Promise<void> {
  await deleteExpiredOf(tx, "watch_listing", { nowMs, max });
  await deleteExpiredOf(tx, "message", { nowMs, max });
}

async function deleteExpiredOf(
  tx: Database,
  resource: Resource,
  { nowMs, max }: { readonly nowMs: number; readonly max: number },
): Promise<void> {
  const { table, id } = FRESH[resource];
  await tx.execute(sql`
    with expired as materialized (
      select ${id} as resource_id
        from ${table}
       where until_ms < ${nowMs}
       order by until_ms, ${id}
       limit ${max}
         for update skip locked
    )
    delete from ${table} as fresh using expired where fresh.${id} = expired.resource_id`);
}

/** Those of the listings or messages that are fresh at `nowMs`, with their arrival in the numbers of `alert.since_sequence`. */
export async function findFresh(
  tx: Database,
  resource: Resource,
  ids: readonly string[],
  nowMs: number,
): Promise<readonly { readonly resource_id: string; readonly came_sequence: number }[]> {
  if (ids.length === 0) return [];
  const { table, id } = FRESH[resource];
  return tx.query(sql`
    select ${id} as resource_id, came_sequence
      from ${table}
     where ${id} = any(${ids}::uuid[]) and until_ms >= ${nowMs}
     order by ${id}
     limit ${ids.length}`);
}

/** A selection of what is fresh: resource, resource_id and canonical_message_id. */
export function freshResources(): Sql {
  return sql`
    select 'watch_listing' as resource, fresh.listing_id as resource_id, listing.canonical_message_id
      from fresh_listing as fresh
      join listing on listing.id = fresh.listing_id
     union
    select 'message', canonical_message_id, canonical_message_id from fresh_message`;
}
