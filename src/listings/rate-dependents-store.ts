import type { Database } from "../db/database.ts";
import { sql } from "../db/sql.ts";
import { queueSelectedMessages } from "../messages/message-queue-store.ts";
import { type RateDay, selectRatedDays } from "../rates/fx-store.ts";
import { queueListings } from "./match-queue-store.ts";

/** Forty currencies over a hundred years of working days. */
const PRICED_DAYS_MAX = 1_000_000;
/** The day of a listing's message, whose rate converts its price. */
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
    select price_currency as currency, (message_timestamp_ms / 86400000)::integer as day_number,
           count(*)::integer as count
      from listing
     where price_currency <> 'EUR' and not is_hidden and not is_revoked
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
    select distinct price_currency as currency, ${DAY} as day from listing where price_currency <> 'EUR'`;
  await queueSelectedMessages(
    tx,
    sql`select listing.canonical_message_id
          from listing
          join (${selectRatedDays(priced, changed)}) as rated
            on rated.currency = listing.price_currency and rated.day = ${DAY}`,
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
