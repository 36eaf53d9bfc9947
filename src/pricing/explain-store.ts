import type { Database } from "../db/database.ts";
import { sql } from "../db/sql.ts";
import type { SourceMarket } from "../matching/membership.ts";
import type { PriceRules } from "./cells/cell.ts";
import { CONFIGURATION_LABEL } from "./configurations/configuration-store.ts";

/** A configuration with the brand or reference of a listing, or that contains it, with the listing's cell if any. */
export interface NearConfiguration extends PriceRules {
  readonly id: string;
  readonly configuration_key: string;
  readonly configuration_label: string;
  readonly brand: string;
  readonly market_reference: string;
  readonly filters: Readonly<Record<string, unknown>>;
  readonly buy_signals_enabled: boolean;
  /** Null if the listing is not a member. */
  readonly source_market: SourceMarket | null;
  readonly cell_status: string | null;
  readonly listing_count: number | null;
  readonly market_average_eur_minor: number | null;
  readonly market_median_eur_minor: number | null;
  readonly consumer_min_eur_minor: number | null;
  readonly consumer_max_eur_minor: number | null;
  readonly maximum_buy_eur_minor: number | null;
  readonly maximum_hk_ask_eur_minor: number | null;
  readonly plausible_min_eur_minor: number | null;
  readonly plausible_max_eur_minor: number | null;
  readonly ask_median_eur_minor: number | null;
  readonly cell_minimum_profit_eur_minor: number | null;
  readonly calculated_at_ms: number | null;
  /** The listing that counts for the contact in that cell: last seen, then lowest ask, then lowest id. */
  readonly counted_listing_id: string | null;
}

export interface SourceView {
  readonly name: string;
  readonly source_market: SourceMarket;
  readonly filters: Readonly<Record<string, unknown>>;
}

/** A brand has hundreds of configurations. The caller shows the nearest. */
const NEAR_MAX = 10_000;
const VIEWS_MAX = 1_000;

/** Only for members, because the others are in no cell. */
const COUNTED_LISTING_ID = sql`
  case when model.source_market is not null then (
   select other.id
     from listing as other
     join listing_model as member
       on member.listing_id = other.id and member.configuration_id = configuration.id
    where other.contact_id = listing.contact_id and other.year = listing.year
      and other.condition = listing.condition and other.side = 'for_sale'
      and not other.is_hidden and not other.is_revoked and other.price_eur_minor is not null
    order by other.last_seen_at_ms desc, other.price_eur_minor, other.id
    limit 1) end`;

/** Follows an alias from before contacts merged; returns other ids as they are. */
export async function findCurrentListingId(db: Database, id: string): Promise<string> {
  const [row] = await db.query<{ id: string }>(sql`
    select listing_id as id from listing_alias where old_id = ${id}`);
  return row?.id ?? id;
}

/** First those that contain the listing, then those of its reference, then those of its brand. */
export async function listNearConfigurations(
  db: Database,
  listingId: string,
): Promise<readonly NearConfiguration[]> {
  return db.query<NearConfiguration>(sql`
    select configuration.id, configuration.configuration_key, ${CONFIGURATION_LABEL} as configuration_label,
           configuration.brand, coalesce(configuration.market_reference, configuration.reference) as market_reference,
           configuration.filters, configuration.buy_signals_enabled, configuration.minimum_profit_overrides,
           configuration.exclude_outliers or configuration.filters @> '{"exclude_outliers": true}'
             as excludes_outliers,
           profile.lookback_days, profile.minimum_listings, profile.minimum_profit_eur_minor,
           profile.hk_markup_rate_bps, profile.hk_markup_fixed_eur_minor, profile.consumer_low_quantile_bps,
           profile.consumer_high_quantile_bps, profile.consumer_margin_bps, profile.implausible_below_bps,
           profile.implausible_above_bps, model.source_market,
           cell.status as cell_status, cell.listing_count, cell.market_average_eur_minor,
           cell.market_median_eur_minor, cell.consumer_min_eur_minor, cell.consumer_max_eur_minor,
           cell.maximum_buy_eur_minor, cell.maximum_hk_ask_eur_minor, cell.plausible_min_eur_minor,
           cell.plausible_max_eur_minor, cell.ask_median_eur_minor,
           cell.minimum_profit_eur_minor as cell_minimum_profit_eur_minor, snapshot.calculated_at_ms,
           ${COUNTED_LISTING_ID} as counted_listing_id
      from listing
      join price_configuration as configuration
        on configuration.brand_lower = lower(listing.brand)
        or configuration.market_reference_normalized = listing.reference_normalized
        or configuration.id in (select configuration_id from listing_model where listing_id = listing.id)
      join price_profile as profile on profile.id = configuration.profile_id
      left join listing_model as model
        on model.listing_id = listing.id and model.configuration_id = configuration.id
      left join price_snapshot as snapshot on snapshot.configuration_id = configuration.id
      left join price_cell as cell
        on cell.configuration_id = configuration.id and cell.year = listing.year
       and cell.condition_bucket = lower(listing.condition)
     where listing.id = ${listingId} and configuration.deleted_at_ms is null
     order by model.source_market is null,
              configuration.market_reference_normalized is distinct from listing.reference_normalized,
              configuration.configuration_key
     limit ${NEAR_MAX}`);
}

export async function listSourceViews(db: Database): Promise<readonly SourceView[]> {
  return db.query<SourceView>(sql`
    select name, source_market, filters from market_view where source_market is not null
     order by source_market, name limit ${VIEWS_MAX}`);
}
