import type { Database } from "../db/database.ts";
import type { Cell, RefreshTimes } from "./configuration.ts";

/** A configuration as it is stored, with its profile's staleness and the cells of its latest snapshot. */
export interface ConfigurationRow extends RefreshTimes {
  readonly id: string;
  readonly profile_id: string;
  readonly brand: string;
  readonly brand_lower: string;
  readonly reference: string;
  readonly reference_normalized: string;
  readonly market_reference_normalized: string;
  readonly filters: Readonly<Record<string, unknown>>;
  readonly filter_summary: string;
  readonly minimum_profit_overrides: readonly MinimumProfitOverride[];
  readonly exclude_outliers: boolean;
  readonly publish_enabled: boolean;
  readonly buy_signals_enabled: boolean;
  readonly configuration_key: string;
  readonly configuration_label: string | null;
  readonly image_url: string | null;
  readonly imported_from_mapping_id: string | null;
  readonly last_attempt_at_ms: number | null;
  readonly last_refresh_error: string | null;
  readonly calculated_at_ms: number | null;
  readonly cells: readonly Cell[];
}

interface MinimumProfitOverride {
  readonly year: number;
  readonly condition_bucket: string;
  readonly amount_eur_minor: number;
}

/** One statement, so that the configuration and its cells are of one snapshot. */
export async function findConfiguration(
  db: Database,
  id: string,
): Promise<ConfigurationRow | undefined> {
  const [row] = await db<ConfigurationRow[]>`
    select configuration.id, configuration.profile_id, configuration.brand, configuration.brand_lower,
           configuration.reference, configuration.reference_normalized,
           configuration.market_reference_normalized, configuration.filters, configuration.filter_summary,
           configuration.minimum_profit_overrides, configuration.exclude_outliers,
           configuration.publish_enabled, configuration.buy_signals_enabled,
           configuration.updated_at_ms, configuration.configuration_key,
           configuration.label as configuration_label, configuration.image_url,
           configuration.imported_from_mapping_id, configuration.last_attempt_at_ms,
           configuration.last_success_at_ms, configuration.last_refresh_error,
           profile.stale_after_ms, snapshot.calculated_at_ms,
           ${cellsOfConfiguration(db)} as cells
      from price_configuration as configuration
      join price_profile as profile on profile.id = configuration.profile_id
      left join price_snapshot as snapshot on snapshot.configuration_id = configuration.id
     where configuration.id = ${id}`;
  return row;
}

/** Year descending, then new, like_new, used. */
function cellsOfConfiguration(db: Database) {
  return db`
    (select coalesce(json_agg(json_strip_nulls(json_build_object(
              'year', cell.year,
              'condition_bucket', cell.condition_bucket,
              'lookback_days', cell.lookback_days,
              'listing_count', cell.listing_count,
              'status', cell.status,
              'source_sequence', snapshot.source_sequence,
              'calculation_version', snapshot.calculation_version,
              'calculated_at_ms', snapshot.calculated_at_ms,
              'market_average_eur_minor', cell.market_average_eur_minor,
              'consumer_min_eur_minor', cell.consumer_min_eur_minor,
              'consumer_max_eur_minor', cell.consumer_max_eur_minor,
              'minimum_profit_eur_minor', cell.minimum_profit_eur_minor,
              'maximum_buy_eur_minor', cell.maximum_buy_eur_minor))
              order by cell.year desc,
                       array_position(array['new', 'like_new', 'used'], cell.condition_bucket)), '[]')
       from price_cell as cell
      where cell.configuration_id = configuration.id)`;
}
