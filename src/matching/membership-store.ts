import type { Database } from "../db/database.ts";
import { rawSql, recordset, rowset, type Sql, sql } from "../db/sql.ts";
import { queueRefreshes } from "./refresh-queue-store.ts";

/** The market in which a listing's watch is. */
export type SourceMarket = "EU" | "HK";

/** That a listing is a member of a configuration, with the cell and the ask that it is ranked by. */
export interface Membership {
  readonly listing_id: string;
  readonly configuration_id: string;
  readonly source_market: SourceMarket;
  readonly year: number | null;
  readonly condition_bucket: string | null;
  readonly price_eur_minor: number | null;
}

const COLUMN_TYPES: Readonly<Record<keyof Membership, string>> = {
  listing_id: "uuid",
  configuration_id: "uuid",
  source_market: "text",
  year: "integer",
  condition_bucket: "text",
  price_eur_minor: "bigint",
};

const COLUMN_NAMES = Object.keys(COLUMN_TYPES) as readonly (keyof Membership)[];

/** The columns of `Membership`. */
export const MEMBERSHIP_COLUMNS = rawSql(COLUMN_NAMES.join(", "));

/** Saves the memberships that a query returns in the order of these columns. Writes only what differs. */
export function upsertMemberships(memberships: Sql): Sql {
  return sql`
    insert into listing_model as model (${MEMBERSHIP_COLUMNS})
    ${memberships}
    on conflict (listing_id, configuration_id) do update
       set source_market = excluded.source_market, year = excluded.year,
           condition_bucket = excluded.condition_bucket, price_eur_minor = excluded.price_eur_minor
     where (model.source_market, model.year, model.condition_bucket, model.price_eur_minor)
           is distinct from (excluded.source_market, excluded.year, excluded.condition_bucket, excluded.price_eur_minor)`;
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
    select ${MEMBERSHIP_COLUMNS}
      from listing_model
     where listing_id = any(${listingIds}::uuid[])
     order by listing_id, configuration_id`);
  const storedByKey = new Map(stored.map((row) => [keyOf(row), row]));
  const wanted = new Set(memberships.map(keyOf));
  const left = stored.filter((row) => !wanted.has(keyOf(row)));
  const changed = memberships.filter((row) => !isEqual(row, storedByKey.get(keyOf(row))));
  if (left.length > 0) {
    await tx.execute(sql`
      delete from listing_model as model
       using ${recordset(left)} as gone (listing_id uuid, configuration_id uuid)
       where model.listing_id = gone.listing_id and model.configuration_id = gone.configuration_id`);
  }
  if (changed.length > 0) {
    const rows = rowset("changed", changed, COLUMN_TYPES);
    await tx.execute(
      upsertMemberships(
        sql`select ${MEMBERSHIP_COLUMNS} from ${rows} order by listing_id, configuration_id`,
      ),
    );
  }
  const ids = new Set([...stored, ...memberships].map(({ configuration_id }) => configuration_id));
  if (ids.size > 0) await queueRefreshes(tx, [...ids], nowMs);
}

function keyOf({ listing_id, configuration_id }: Membership): string {
  return `${listing_id} ${configuration_id}`;
}

function isEqual(wanted: Membership, stored: Membership | undefined): boolean {
  return stored !== undefined && COLUMN_NAMES.every((name) => wanted[name] === stored[name]);
}

/**
 * Deletes what follows from listings. Fresh listings stay fresh: the replay makes them again with the same ids, and a buy
 * whose price was not calculated yet fires once the market is rebuilt.
 */
export async function clearMatching(tx: Database): Promise<void> {
  await tx.execute(sql`truncate listing_model`);
}
