import type { Database } from "../db/database.ts";
import { recordset, rowset, sql } from "../db/sql.ts";
import { queueRefreshes } from "./refresh-queue-store.ts";

/** The market in which a listing's watch is. */
export type SourceMarket = "EU" | "HK";

/** That a listing is a member of a configuration. */
export interface Membership {
  readonly listing_id: string;
  readonly configuration_id: string;
  readonly source_market: SourceMarket;
}

/**
 * Makes these the only memberships of the listings, and queues every configuration that one of them left, joined or stays
 * in: its asks have changed even if the membership has not. A configuration is deleted together with its saved filter, so
 * every configuration that the filter index returns exists.
 */
export async function saveMemberships(
  tx: Database,
  listingIds: readonly string[],
  memberships: readonly Membership[],
  nowMs: number,
): Promise<void> {
  const stored = await tx.query<Membership>(sql`
    select listing_id, configuration_id, source_market
      from listing_model
     where listing_id = any(${listingIds}::uuid[])
     order by listing_id, configuration_id`);
  const marketByKey = new Map(stored.map((row) => [keyOf(row), row.source_market]));
  const wanted = new Set(memberships.map(keyOf));
  const left = stored.filter((row) => !wanted.has(keyOf(row)));
  const changed = memberships.filter((row) => marketByKey.get(keyOf(row)) !== row.source_market);
  if (left.length > 0) {
    await tx.execute(sql`
      delete from listing_model as model
       using ${recordset(left)} as gone (listing_id uuid, configuration_id uuid)
       where model.listing_id = gone.listing_id and model.configuration_id = gone.configuration_id`);
  }
  if (changed.length > 0) {
    await tx.execute(sql`
      insert into listing_model (listing_id, configuration_id, source_market)
      select listing_id, configuration_id, source_market
        from ${rowset("changed", changed, { listing_id: "uuid", configuration_id: "uuid", source_market: "text" })}
       order by listing_id, configuration_id
      on conflict (listing_id, configuration_id) do update set source_market = excluded.source_market`);
  }
  const ids = new Set([...stored, ...memberships].map(({ configuration_id }) => configuration_id));
  if (ids.size > 0) await queueRefreshes(tx, [...ids], nowMs);
}

function keyOf({ listing_id, configuration_id }: Membership): string {
  return `${listing_id} ${configuration_id}`;
}

/**
 * Deletes what follows from listings. Fresh listings stay fresh: the replay makes them again with the same ids, and a buy
 * whose price was not calculated yet fires once the market is rebuilt.
 */
export async function clearMatching(tx: Database): Promise<void> {
  await tx.execute(sql`truncate listing_model`);
}
