// Configurations over a generated market, with the members that matching would give them.

import { toStableId } from "../../src/base/ids.ts";
import type { DatabasePool } from "../../src/db/database.ts";
import { sql } from "../../src/db/sql.ts";
import { type MarketListing, NOW_MS } from "./market.ts";
import { toListingRow } from "./market-store.ts";

const PROFILE = toStableId("profile", "bench");

export function toPricedRow(listing: MarketListing, sequence: number) {
  const { phone_number } = listing;
  return {
    ...toListingRow(listing, sequence, NOW_MS),
    // A dealer counts once in a cell, with the latest ask.
    contact_id: phone_number === null ? null : toStableId("contact", phone_number),
  };
}

/** For each of the most offered references: one configuration for all its listings, and one for a dial. */
export async function declareConfigurations(pool: DatabasePool, count: number): Promise<void> {
  await pool.execute(sql`
    insert into price_profile (id, name, status, lookback_days, minimum_listings, minimum_profit_eur_minor,
      hk_markup_rate_bps, hk_markup_fixed_eur_minor, consumer_low_quantile_bps, consumer_high_quantile_bps,
      consumer_margin_bps, stale_after_ms, implausible_below_bps, implausible_above_bps, created_at_ms,
      updated_at_ms)
    values (${PROFILE}, 'bench', 'live', 30, 3, 50000, 500, 15000, 2500, 7500, 1000, 21600000, 5000, 30000, 0, 0)`);
  await pool.execute(sql`
    insert into price_configuration (id, configuration_key, profile_id, brand, brand_lower, reference,
      reference_normalized, market_reference_normalized, filters, filter_summary, minimum_profit_overrides,
      exclude_outliers, publish_enabled, buy_signals_enabled, created_at_ms, updated_at_ms)
    select gen_random_uuid(), reference || filters::text, ${PROFILE}, brand, lower(brand), reference,
           reference_normalized, reference_normalized, filters, 'everything', '[]', true, false, true, 0, 0
      from (select brand, reference, reference_normalized from listing
             group by brand, reference, reference_normalized
             order by count(*) desc, reference limit ${Math.ceil(count / 2)}) as offered,
           (values ('{}'::jsonb), ('{"dial_type": ["black"]}')) as declared (filters)
     order by reference limit ${count}`);
}

/** Stores what matching would store for the listings after a number. Returns the configurations that got one. */
export async function addMembers(
  pool: DatabasePool,
  afterSequence: number,
): Promise<readonly string[]> {
  const touched = await pool.query<{ id: string }>(sql`
    with added as (
      insert into listing_model (listing_id, configuration_id, source_market, year, condition_bucket, price_eur_minor)
      select listing.id, configuration.id, case when phone_number like '852%' then 'HK' else 'EU' end, listing.year,
             lower(listing.condition), listing.price_eur_minor
        from price_configuration as configuration
        join listing on listing.reference_normalized = configuration.market_reference_normalized
       where listing.sequence > ${afterSequence} and side = 'for_sale' and not is_hidden and not is_revoked
         and (configuration.filters = '{}' or dial_type_folded = configuration.filters -> 'dial_type' ->> 0)
      returning configuration_id
    )
    select distinct configuration_id as id from added`);
  return touched.map(({ id }) => id);
}
