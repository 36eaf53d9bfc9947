import type { Database } from "../db/database.ts";
import { currentListingId } from "../listings/listing-store.ts";
import type { CellStatus, ConditionBucket, RefreshState } from "./configuration.ts";
import { configurationLabel } from "./configuration-store.ts";
import type { SourceMarket } from "./thresholds.ts";

/** A configuration in which a listing lies, with the listing's own cell and the state of the configuration's alert. */
export interface ListingMatchRow extends RefreshState {
  readonly configuration_id: string;
  readonly brand: string;
  readonly reference: string;
  readonly market_reference_normalized: string;
  readonly filters: Readonly<Record<string, unknown>>;
  readonly filter_summary: string;
  readonly exclude_outliers: boolean;
  readonly price_engine_status: string;
  readonly buy_signals_enabled: boolean;
  readonly configuration_key: string;
  readonly configuration_label: string;
  readonly hk_markup_rate_bps: number;
  readonly hk_markup_fixed_eur_minor: number;
  readonly source_market: SourceMarket;
  readonly original_ask_eur_minor: number;
  readonly calculated_at_ms: number;
  readonly calculation_version: string;
  readonly year: number;
  readonly condition_bucket: ConditionBucket;
  readonly cell_status: CellStatus;
  readonly lookback_days: number;
  readonly listing_count: number;
  readonly market_average_eur_minor: number | null;
  readonly consumer_min_eur_minor: number | null;
  readonly consumer_max_eur_minor: number | null;
  readonly minimum_profit_eur_minor: number;
  readonly maximum_buy_eur_minor: number | null;
  readonly maximum_hk_ask_eur_minor: number | null;
  readonly alert_id: string | null;
  readonly alert_name: string | null;
  readonly alert_enabled: boolean | null;
  readonly matched_at_ms: number | null;
  readonly seen_at_ms: number | null;
}

/** Undefined: there is no such visible listing, nor one that the id leads to. One statement, which reads and never writes. */
export async function findListingMatches(
  db: Database,
  listingId: string,
): Promise<readonly ListingMatchRow[] | undefined> {
  const currentId = currentListingId(db, listingId);
  const rows = await db<(ListingMatchRow | { readonly configuration_id: null })[]>`
    select model.*
      from listing
      left join lateral (
        select configuration.id as configuration_id, configuration.brand, configuration.reference,
               configuration.market_reference_normalized, configuration.filters,
               configuration.filter_summary, configuration.exclude_outliers,
               configuration.buy_signals_enabled, configuration.configuration_key,
               ${configurationLabel(db)} as configuration_label, configuration.last_success_at_ms,
               snapshot.revision is distinct from configuration.revision as is_changed, profile.status as price_engine_status,
               profile.stale_after_ms, profile.hk_markup_rate_bps, profile.hk_markup_fixed_eur_minor,
               listing_model.source_market, listing.price_eur_minor as original_ask_eur_minor,
               snapshot.calculated_at_ms, snapshot.calculation_version, cell.year, cell.condition_bucket,
               cell.status as cell_status, cell.lookback_days, cell.listing_count,
               cell.market_average_eur_minor, cell.consumer_min_eur_minor, cell.consumer_max_eur_minor,
               cell.minimum_profit_eur_minor, cell.maximum_buy_eur_minor, cell.maximum_hk_ask_eur_minor,
               alert.id as alert_id, alert.name as alert_name, alert.is_enabled as alert_enabled,
               match.matched_at_ms, match.seen_at_ms
          from listing_model
          join price_configuration as configuration on configuration.id = listing_model.configuration_id
          join price_profile as profile on profile.id = configuration.profile_id
          join price_snapshot as snapshot on snapshot.configuration_id = configuration.id
          join price_cell as cell
            on cell.configuration_id = configuration.id and cell.year = listing.year
           and cell.condition_bucket = lower(listing.condition)
          left join alert on alert.configuration_id = configuration.id
          left join alert_match as match
            on match.alert_id = alert.id and match.resource = 'watch_listing' and match.resource_id = listing.id
         where listing_model.listing_id = listing.id
           and listing.side = 'for_sale' and listing.price_eur_minor is not null
      ) as model on true
     where listing.id = ${currentId} and not listing.is_hidden and not listing.is_revoked`;
  if (rows.length === 0) return undefined;
  return rows.filter((row): row is ListingMatchRow => row.configuration_id !== null);
}
