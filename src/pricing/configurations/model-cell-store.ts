import type { Database } from "../../db/database.ts";
import { recordset, sql } from "../../db/sql.ts";
import type { CellKey, CellStatus, RefreshState } from "../cells/cell.ts";
import type { HeadlineRank, PricedCell } from "../listing-price.ts";
import { CONFIGURATION_LABEL } from "./configuration-store.ts";

/** A configuration with one of its cells: the same for all listings of that year and condition. */
export interface ModelCellRow extends RefreshState, ModelCellKey, HeadlineRank, PricedCell {
  readonly brand: string;
  readonly reference: string;
  readonly market_reference_normalized: string;
  readonly filters: Readonly<Record<string, unknown>>;
  readonly filter_summary: string;
  readonly exclude_outliers: boolean;
  readonly price_engine_status: string;
  readonly configuration_label: string;
  readonly calculated_at_ms: number;
  readonly calculation_version: string;
  readonly cell_status: CellStatus;
  readonly lookback_days: number;
  readonly market_average_eur_minor: number | null;
  readonly consumer_min_eur_minor: number | null;
  readonly consumer_max_eur_minor: number | null;
  readonly minimum_profit_eur_minor: number;
}

export interface ModelCellKey extends CellKey {
  readonly configuration_id: string;
}

/** The cells of the latest snapshots. Unknown cells are left out. */
export async function findModelCells(
  db: Database,
  keys: readonly ModelCellKey[],
): Promise<readonly ModelCellRow[]> {
  return db.query<ModelCellRow>(sql`
    select configuration.id as configuration_id, configuration.brand, configuration.reference,
           configuration.market_reference_normalized, configuration.filters,
           configuration.filter_summary, configuration.exclude_outliers,
           configuration.buy_signals_enabled, configuration.specificity, configuration.configuration_key,
           ${CONFIGURATION_LABEL} as configuration_label, configuration.last_success_at_ms,
           snapshot.revision is distinct from configuration.revision as is_changed,
           profile.status as price_engine_status, profile.stale_after_ms, profile.hk_markup_rate_bps,
           profile.hk_markup_fixed_eur_minor, snapshot.calculated_at_ms, snapshot.calculation_version,
           cell.year, cell.condition_bucket, cell.status as cell_status, cell.lookback_days,
           cell.listing_count, cell.market_average_eur_minor, cell.consumer_min_eur_minor,
           cell.consumer_max_eur_minor, cell.minimum_profit_eur_minor, cell.maximum_buy_eur_minor,
           cell.maximum_hk_ask_eur_minor, cell.plausible_min_eur_minor, cell.plausible_max_eur_minor,
           cell.quartile_low_eur_minor, cell.quartile_high_eur_minor,
           (snapshot.newest_at_ms ->> (cell.year || ' ' || cell.condition_bucket))::bigint as newest_at_ms
      from ${recordset(keys)} as requested (configuration_id uuid, year bigint, condition_bucket text)
      join price_configuration as configuration
        on configuration.id = requested.configuration_id and configuration.deleted_at_ms is null
      join price_profile as profile on profile.id = configuration.profile_id
      join price_snapshot as snapshot on snapshot.configuration_id = configuration.id
      join price_cell as cell
        on cell.configuration_id = configuration.id and cell.year = requested.year
       and cell.condition_bucket = requested.condition_bucket`);
}
