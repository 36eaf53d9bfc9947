import type { Database } from "../db/database.ts";
import { recordset, rowset, sql } from "../db/sql.ts";
import type { Move } from "./resource-store.ts";

/** A listing that may still fire alerts, and until when. */
interface FreshListing {
  readonly listing_id: string;
  readonly until_ms: number;
  /** When it arrived, in the numbers of `alert.since_sequence`; null if it arrives now. */
  readonly came_sequence: number | null;
}

const EXPIRED_BATCH_MAX = 1_000;

/**
 * Saves fresh listings, moves the rows of deleted listings to the listings that replaced them, and deletes some of the
 * expired rows. Of several times for one listing the latest is kept. A listing that moves does not arrive again.
 */
export async function saveFreshListings(
  tx: Database,
  fresh: readonly FreshListing[],
  moves: readonly Move[],
  nowMs: number,
): Promise<void> {
  const moved = await takeFreshListings(tx, moves);
  const byId = new Map<string, FreshListing>();
  for (const row of [...fresh, ...moved]) {
    byId.set(row.listing_id, joinFresh(byId.get(row.listing_id) ?? row, row));
  }
  if (byId.size > 0) {
    await tx.execute(sql`
      insert into fresh_listing as known (listing_id, until_ms, came_sequence)
      select listing_id, until_ms, coalesce(came_sequence, nextval('arrival_sequence'))
        from ${rowset("fresh", [...byId.values()], {
          listing_id: "uuid",
          until_ms: "bigint",
          came_sequence: "bigint",
        })}
       order by listing_id
      on conflict (listing_id) do update
         set until_ms = greatest(known.until_ms, excluded.until_ms),
             came_sequence = greatest(known.came_sequence, excluded.came_sequence)`);
  }
  await deleteExpiredListings(tx, nowMs, EXPIRED_BATCH_MAX);
}

function joinFresh(left: FreshListing, right: FreshListing): FreshListing {
  const isNow = left.came_sequence === null || right.came_sequence === null;
  return {
    listing_id: left.listing_id,
    until_ms: Math.max(left.until_ms, right.until_ms),
    came_sequence: isNow ? null : Math.max(left.came_sequence ?? 0, right.came_sequence ?? 0),
  };
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
    returning moved."to" as listing_id, fresh_listing.until_ms, fresh_listing.came_sequence`);
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

/** Those of the listings that are fresh at `nowMs`, with their arrival. */
export async function findFreshListings(
  tx: Database,
  listingIds: readonly string[],
  nowMs: number,
): Promise<readonly Arrival[]> {
  if (listingIds.length === 0) return [];
  return tx.query<Arrival>(sql`
    select listing_id, came_sequence
      from fresh_listing
     where listing_id = any(${listingIds}::uuid[]) and until_ms >= ${nowMs}
     order by listing_id
     limit ${listingIds.length}`);
}

interface Arrival {
  readonly listing_id: string;
  /** In the numbers of `alert.since_sequence`. */
  readonly came_sequence: number;
}

/**
 * When these listings arrived, in the numbers of `alert.since_sequence`. A listing without a row is left out: it
 * arrived just now.
 */
export async function findArrivalSequences(
  tx: Database,
  listingIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await findFreshListings(tx, listingIds, 0);
  return new Map(rows.map((row) => [row.listing_id, row.came_sequence]));
}
