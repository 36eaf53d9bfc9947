import type { Database } from "../db/database.ts";
import { sql } from "../db/sql.ts";
import { currentListingId } from "./listing-store.ts";

/** The price of a watch from this time until the next row. */
interface PriceHistoryRow {
  readonly listing_id: string;
  readonly price_amount_minor: number;
  readonly price_currency: string;
  readonly price_eur_minor: number | null;
  readonly message_timestamp_ms: number;
}

export interface PriceHistory {
  /** Oldest first. */
  readonly rows: readonly PriceHistoryRow[];
  /** Counts all rows, also those beyond the limit. */
  readonly total: number;
}

const ROWS_MAX = 500;

/**
 * The price changes of a listing's ask: one row for each time that the contact asked another price for the same watch.
 * Listings that were edited, withdrawn or sold count, because they were asked; those that the current reader does not
 * find, and those that a person marked as no listing, do not. Returns undefined if there is no such listing.
 */
export async function findPriceHistory(
  db: Database,
  listingId: string,
): Promise<PriceHistory | undefined> {
  const rows = await db.query<PriceHistoryRow & { readonly total: number }>(sql`
    with target as (
      select id, ask_key, side from listing where id = ${currentListingId(listingId)}
    ), ask as (
      select listing.id, listing.price_amount_minor, listing.price_currency, listing.price_eur_minor,
             listing.message_timestamp_ms,
             -- An edit keeps the time of its message, so the version orders two texts of one time.
             (select min(version_at_ms)
                from message_version
               where message_version.canonical_message_id = listing.canonical_message_id) as version_at_ms
        from target
        join listing on listing.ask_key = target.ask_key or listing.id = target.id
       where listing.side = target.side and listing.is_found and listing.sources -> 'is_listing' is null
         and listing.price_amount_minor is not null
    ), priced as (
      select ask.*,
             lag(row (price_amount_minor, price_currency)) over in_time
               is distinct from row (price_amount_minor, price_currency) as is_new
        from ask
      window in_time as (order by message_timestamp_ms, version_at_ms, id)
    )
    select id as listing_id, price_amount_minor, price_currency, price_eur_minor, message_timestamp_ms,
           count(*) over () as total
      from priced
     where is_new
     order by message_timestamp_ms desc, version_at_ms desc, id desc
     limit ${ROWS_MAX}`);
  if (rows.length > 0) return { rows: rows.toReversed(), total: rows[0]?.total ?? 0 };
  const [known] = await db.query(
    sql`select from listing where id = ${currentListingId(listingId)}`,
  );
  return known === undefined ? undefined : { rows: [], total: 0 };
}
