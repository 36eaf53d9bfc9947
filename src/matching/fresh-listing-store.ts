import type { Database } from "../db/database.ts";
import { rowset } from "../db/rowset.ts";
import { recordset, sql } from "../db/sql.ts";
import type { Move } from "./move-store.ts";

/** A listing that may still fire alerts, and until when. */
export interface FreshListing {
  readonly listing_id: string;
  readonly until_ms: number;
}

const EXPIRED_BATCH_MAX = 1_000;

/**
 * Saves fresh listings, moves the rows of deleted listings to the listings that replaced them, and deletes some of the
 * expired rows. Of several times for one listing the latest is kept.
 */
export async function saveFreshListings(
  tx: Database,
  fresh: readonly FreshListing[],
  moves: readonly Move[],
  nowMs: number,
): Promise<void> {
  const moved = await takeFreshListings(tx, moves);
  const untilMs = new Map<string, number>();
  for (const { listing_id, until_ms } of [...fresh, ...moved]) {
    untilMs.set(listing_id, Math.max(until_ms, untilMs.get(listing_id) ?? 0));
  }
  const rows = [...untilMs].map(([listing_id, until_ms]) => ({ listing_id, until_ms }));
  if (rows.length > 0) {
    await tx.execute(sql`
      insert into fresh_listing as known (listing_id, until_ms)
      select listing_id, until_ms
        from ${rowset("fresh", rows, { listing_id: "uuid", until_ms: "bigint" })}
       order by listing_id
      on conflict (listing_id) do update
         set until_ms = greatest(known.until_ms, excluded.until_ms), came_sequence = excluded.came_sequence`);
  }
  await deleteExpiredListings(tx, nowMs, EXPIRED_BATCH_MAX);
}

async function takeFreshListings(
  tx: Database,
  moves: readonly Move[],
): Promise<readonly FreshListing[]> {
  if (moves.length === 0) return [];
  return tx.query<FreshListing>(sql`
    delete from fresh_listing
     using ${recordset(moves)} as moved ("from" uuid, "to" uuid)
     where fresh_listing.listing_id = moved."from"
    returning moved."to" as listing_id, fresh_listing.until_ms`);
}

/** Deletes at most `max` rows of listings that are not fresh any more. */
export async function deleteExpiredListings(
  tx: Database,
  nowMs: number,
  max: number,
): Promise<void> {
  await tx.execute(sql`
    with expired as materialized (
      select listing_id
        from fresh_listing
       where until_ms < ${nowMs}
       order by until_ms, listing_id
       limit ${max}
         for update skip locked
    )
    delete from fresh_listing using expired where fresh_listing.listing_id = expired.listing_id`);
}

/**
 * When these fresh listings arrived, in the numbers of `alert.since_sequence`. A listing without a row is left out: it
 * arrived just now.
 */
export async function findArrivalSequences(
  tx: Database,
  listingIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await tx.query<{ listing_id: string; came_sequence: number }>(sql`
    select listing_id, came_sequence
      from fresh_listing
     where listing_id = any(${listingIds}::uuid[])
     order by listing_id
     limit ${listingIds.length}`);
  return new Map(rows.map((row) => [row.listing_id, row.came_sequence]));
}
