import type { Database } from "../db/database.ts";
import { sql } from "../db/sql.ts";
import { queueSelectedMessages } from "../messages/message-queue-store.ts";
import { type RateDay, selectRatedDays } from "../rates/fx-store.ts";
import { currentListingId } from "./listing-store.ts";
import { queueListings } from "./match-queue-store.ts";

/** The price of a watch from this time until the next row. */
interface PriceHistoryRow {
  readonly listing_id: string;
  readonly price_amount_minor: number;
  readonly price_currency: string;
  readonly price_eur_minor: number | null;
  /** The time of the message or of the reply that asked it. */
  readonly message_timestamp_ms: number;
  /** A reply to the message of the listing asked it. */
  readonly is_reply: boolean;
}

interface PriceHistory {
  /** Oldest first. */
  readonly rows: readonly PriceHistoryRow[];
  /** Counts all rows, also those beyond the limit. */
  readonly total: number;
}

const ROWS_MAX = 500;

/** The asks of the row `listing`: usually the one of its text; if replies changed it, all of them. */
const ASKS = sql`
  lateral (
    select listing.price_amount_minor as amount_minor, listing.price_currency as currency,
           listing.price_eur_minor as eur_minor, listing.message_timestamp_ms as asked_at_ms, false as is_reply
     where listing.asks is null and listing.price_amount_minor is not null
    union all
    select amount_minor, currency, eur_minor, asked_at_ms, is_reply
      from jsonb_to_recordset(listing.asks)
           as told (amount_minor bigint, currency text, eur_minor bigint, asked_at_ms bigint, is_reply boolean)
  ) as ask`;

/** The day of an ask, whose rate converts it. */
const ASK_DAY = sql`date '1970-01-01' + (ask.asked_at_ms / 86400000)::integer`;

/**
 * The price changes of a listing's ask: one row for each time that the contact asked another price for the same watch, in a
 * message or in a reply.
 * Listings that were edited, withdrawn or sold count, because they were asked; those that the current reader does not
 * find, and those that are left out, do not. Returns undefined if there is no such listing.
 */
export async function findPriceHistory(
  db: Database,
  listingId: string,
): Promise<PriceHistory | undefined> {
  const rows = await db.query<PriceHistoryRow & { readonly total: number }>(sql`
    with target as (
      select id, ask_key, side from listing where id = ${currentListingId(listingId)}
    ), asked as (
      select listing.id, ask.amount_minor as price_amount_minor, ask.currency as price_currency,
             ask.eur_minor as price_eur_minor, ask.asked_at_ms as message_timestamp_ms, ask.is_reply,
             -- An edit keeps the time of its message, so the version orders two texts of one time.
             (select min(version_at_ms)
                from message_version
               where message_version.canonical_message_id = listing.canonical_message_id) as version_at_ms
        from target
        join listing on listing.ask_key = target.ask_key or listing.id = target.id
       cross join ${ASKS}
       where listing.side = target.side and listing.is_found and listing.left_out_reason is null
    ), priced as (
      select asked.*,
             lag(row (price_amount_minor, price_currency)) over in_time
               is distinct from row (price_amount_minor, price_currency) as is_new
        from asked
      window in_time as (order by message_timestamp_ms, version_at_ms, is_reply, id, price_amount_minor)
    )
    select id as listing_id, price_amount_minor, price_currency, price_eur_minor, message_timestamp_ms, is_reply,
           count(*) over () as total
      from priced
     where is_new
     order by message_timestamp_ms desc, version_at_ms desc, is_reply desc, id desc, price_amount_minor desc
     limit ${ROWS_MAX}`);
  if (rows.length > 0) return { rows: rows.toReversed(), total: rows[0]?.total ?? 0 };
  const [known] = await db.query(
    sql`select from listing where id = ${currentListingId(listingId)}`,
  );
  return known === undefined ? undefined : { rows: [], total: 0 };
}

/** Forty currencies over a hundred years of working days. */
const PRICED_DAYS_MAX = 1_000_000;

/** The day of a listing's message, whose rate converts limits of filters. */
const DAY = sql`date '1970-01-01' + (message_timestamp_ms / 86400000)::integer`;

export interface PricedDay {
  readonly currency: string;
  readonly day_number: number;
  /** How many listings need the rate. */
  readonly count: number;
}

/** The currencies and days for which visible listings need a rate. */
export async function listPricedDays(db: Database): Promise<readonly PricedDay[]> {
  return db.query<PricedDay>(sql`
    select ask.currency, (ask.asked_at_ms / 86400000)::integer as day_number, count(*)::integer as count
      from listing
     cross join ${ASKS}
     where ask.currency <> 'EUR' and not is_hidden and not is_revoked
     group by 1, 2
     order by 1, 2
     limit ${PRICED_DAYS_MAX}`);
}

/** Queues the messages with a listing whose price in euros depends on one of these rates. They fire no alerts. */
export async function queuePricedMessages(
  tx: Database,
  changed: readonly RateDay[],
): Promise<void> {
  const priced = sql`
    select distinct ask.currency, ${ASK_DAY} as day from listing cross join ${ASKS} where ask.currency <> 'EUR'`;
  await queueSelectedMessages(
    tx,
    sql`select listing.canonical_message_id
          from listing
         cross join ${ASKS}
          join (${selectRatedDays(priced, changed)}) as rated
            on rated.currency = ask.currency and rated.day = ${ASK_DAY}`,
  );
}

/**
 * Queues the listings whose price a filter converts with one of these rates, because it limits the price in a currency
 * that is neither the euro nor the listing's own. They fire no alerts.
 */
export async function queueConvertedListings(
  tx: Database,
  changed: readonly RateDay[],
): Promise<void> {
  const currencies = [...new Set(changed.map(({ currency }) => currency))];
  const listed = sql`
    select filtered.currency, listed.day
      from (select distinct ${DAY} as day from listing) as listed
     cross join unnest(${currencies}::text[]) as filtered (currency)`;
  await queueListings(
    tx,
    sql`select listing.id
          from listing
          join (${selectRatedDays(listed, changed)}) as rated
            on rated.day = ${DAY} and rated.currency <> listing.price_currency
         where listing.price_eur_minor is not null`,
  );
}
