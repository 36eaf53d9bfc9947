import type { Database } from "../db/database.ts";
import { recordset, type Sql, sql } from "../db/sql.ts";
import type { SourceMarket } from "../matching/membership.ts";
import type { CellStatus, ConditionBucket, RefreshState } from "./configurations/configuration.ts";
import { CONFIGURATION_LABEL } from "./configurations/configuration-store.ts";

/** A configuration that a listing is a member of, its source market, and the state of the system alert. */
export interface ListingModelRow {
  readonly configuration_id: string;
  readonly source_market: SourceMarket;
  readonly original_ask_eur_minor: number;
  readonly year: number;
  readonly condition_bucket: ConditionBucket;
  readonly alert_id: string | null;
  readonly alert_name: string | null;
  readonly alert_enabled: boolean | null;
  readonly matched_at_ms: number | null;
  readonly seen_at_ms: number | null;
}

/** A configuration with one of its cells: the same for all listings of that year and condition. */
export interface ModelCellRow extends RefreshState {
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
}

export interface ModelCellKey {
  readonly configuration_id: string;
  readonly year: number;
  readonly condition_bucket: ConditionBucket;
}

/** By requested id. An id that is neither a visible listing nor an alias of one is left out. */
export type ListingModels = ReadonlyMap<string, readonly ListingModelRow[]>;

export async function findListingModels(
  db: Database,
  listingIds: readonly string[],
): Promise<ListingModels> {
  const found = await findModelsOf(
    db,
    sql`(select id, id from unnest(${listingIds}::uuid[]) as id)`,
  );
  const missing = listingIds.filter((id) => !found.has(id));
  if (missing.length === 0) return found;
  // Rare: ids from before contacts merged.
  const moved = await findModelsOf(
    db,
    sql`(select old_id, listing_id from listing_alias where old_id = any(${missing}::uuid[]))`,
  );
  return new Map([...found, ...moved]);
}

interface FoundRow extends ListingModelRow {
  readonly requested_id: string;
}

/** `ids` selects pairs: the requested id, and the id of the listing. */
async function findModelsOf(
  db: Database,
  ids: Sql,
): Promise<Map<string, readonly ListingModelRow[]>> {
  const rows = await db.query<
    FoundRow | { readonly requested_id: string; readonly configuration_id: null }
  >(sql`
    select requested.requested_id, model.configuration_id, model.source_market,
           listing.price_eur_minor as original_ask_eur_minor, listing.year,
           lower(listing.condition) as condition_bucket, alert.id as alert_id, alert.name as alert_name,
           alert.is_enabled as alert_enabled, match.matched_at_ms, match.seen_at_ms
      from ${ids} as requested (requested_id, listing_id)
      join listing on listing.id = requested.listing_id and not listing.is_hidden and not listing.is_revoked
      left join listing_model as model
        on model.listing_id = listing.id and listing.side = 'for_sale' and listing.price_eur_minor is not null
       and listing.year is not null and listing.condition is not null
      left join alert on alert.configuration_id = model.configuration_id
      left join alert_match as match
        on match.alert_id = alert.id and match.resource = 'watch_listing' and match.resource_id = listing.id`);
  const found = new Map<string, ListingModelRow[]>();
  for (const row of rows) {
    const models = found.get(row.requested_id) ?? [];
    if (row.configuration_id !== null) models.push(row);
    found.set(row.requested_id, models);
  }
  return found;
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
           configuration.buy_signals_enabled, configuration.configuration_key,
           ${CONFIGURATION_LABEL} as configuration_label, configuration.last_success_at_ms,
           snapshot.revision is distinct from configuration.revision as is_changed,
           profile.status as price_engine_status, profile.stale_after_ms, profile.hk_markup_rate_bps,
           profile.hk_markup_fixed_eur_minor, snapshot.calculated_at_ms, snapshot.calculation_version,
           cell.year, cell.condition_bucket, cell.status as cell_status, cell.lookback_days,
           cell.listing_count, cell.market_average_eur_minor, cell.consumer_min_eur_minor,
           cell.consumer_max_eur_minor, cell.minimum_profit_eur_minor, cell.maximum_buy_eur_minor,
           cell.maximum_hk_ask_eur_minor
      from ${recordset(keys)} as requested (configuration_id uuid, year bigint, condition_bucket text)
      join price_configuration as configuration on configuration.id = requested.configuration_id
      join price_profile as profile on profile.id = configuration.profile_id
      join price_snapshot as snapshot on snapshot.configuration_id = configuration.id
      join price_cell as cell
        on cell.configuration_id = configuration.id and cell.year = requested.year
       and cell.condition_bucket = requested.condition_bucket`);
}
