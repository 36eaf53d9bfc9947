import type { Database } from "../db/database.ts";
import { recordset, type Sql, sql } from "../db/sql.ts";
import type { CellStatus, ConditionBucket, RefreshState } from "./configuration.ts";
import { configurationLabel } from "./configuration-store.ts";
import type { SourceMarket } from "./thresholds.ts";

/** A configuration in which a listing lies, by what market, and the state of the configuration's alert. */
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

/** What a configuration says of all listings of one year and condition. */
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

/** A cell by what it is found by. */
export interface ModelCellKey {
  readonly configuration_id: string;
  readonly year: number;
  readonly condition_bucket: ConditionBucket;
}

/** By the id that was asked for; there is none for an id that is no visible listing's and leads to none. Never writes. */
export type ListingModels = ReadonlyMap<string, readonly ListingModelRow[]>;

export async function findListingModels(
  db: Database,
  listingIds: readonly string[],
): Promise<ListingModels> {
  const found = await findModelsOf(
    db,
    sql`(select id, id from unnest(${[...listingIds]}::uuid[]) as id)`,
  );
  const missing = listingIds.filter((id) => !found.has(id));
  if (missing.length === 0) return found;
  // Hardly ever: an id from before a merge.
  const moved = await findModelsOf(
    db,
    sql`(select old_id, listing_id from listing_alias where old_id = any(${missing}::uuid[]))`,
  );
  return new Map([...found, ...moved]);
}

interface FoundRow extends ListingModelRow {
  readonly asked_id: string;
}

/** `asked` gives pairs: the id that was asked for, and the listing's. */
async function findModelsOf(
  db: Database,
  asked: Sql,
): Promise<Map<string, readonly ListingModelRow[]>> {
  const rows = await db.query<
    FoundRow | { readonly asked_id: string; readonly configuration_id: null }
  >(sql`
    select asked.asked_id, model.configuration_id, model.source_market,
           listing.price_eur_minor as original_ask_eur_minor, listing.year,
           lower(listing.condition) as condition_bucket, alert.id as alert_id, alert.name as alert_name,
           alert.is_enabled as alert_enabled, match.matched_at_ms, match.seen_at_ms
      from ${asked} as asked (asked_id, listing_id)
      join listing on listing.id = asked.listing_id and not listing.is_hidden and not listing.is_revoked
      left join listing_model as model
        on model.listing_id = listing.id and listing.side = 'for_sale' and listing.price_eur_minor is not null
       and listing.year is not null and listing.condition is not null
      left join alert on alert.configuration_id = model.configuration_id
      left join alert_match as match
        on match.alert_id = alert.id and match.resource = 'watch_listing' and match.resource_id = listing.id`);
  const found = new Map<string, ListingModelRow[]>();
  for (const row of rows) {
    const models = found.get(row.asked_id) ?? [];
    if (row.configuration_id !== null) models.push(row);
    found.set(row.asked_id, models);
  }
  return found;
}

/** Those of the latest snapshots; one that is not there is left out. */
export async function findModelCells(
  db: Database,
  keys: readonly ModelCellKey[],
): Promise<readonly ModelCellRow[]> {
  return db.query<ModelCellRow>(sql`
    select configuration.id as configuration_id, configuration.brand, configuration.reference,
           configuration.market_reference_normalized, configuration.filters,
           configuration.filter_summary, configuration.exclude_outliers,
           configuration.buy_signals_enabled, configuration.configuration_key,
           ${configurationLabel()} as configuration_label, configuration.last_success_at_ms,
           snapshot.revision is distinct from configuration.revision as is_changed,
           profile.status as price_engine_status, profile.stale_after_ms, profile.hk_markup_rate_bps,
           profile.hk_markup_fixed_eur_minor, snapshot.calculated_at_ms, snapshot.calculation_version,
           cell.year, cell.condition_bucket, cell.status as cell_status, cell.lookback_days,
           cell.listing_count, cell.market_average_eur_minor, cell.consumer_min_eur_minor,
           cell.consumer_max_eur_minor, cell.minimum_profit_eur_minor, cell.maximum_buy_eur_minor,
           cell.maximum_hk_ask_eur_minor
      from ${recordset(keys)} as asked (configuration_id uuid, year bigint, condition_bucket text)
      join price_configuration as configuration on configuration.id = asked.configuration_id
      join price_profile as profile on profile.id = configuration.profile_id
      join price_snapshot as snapshot on snapshot.configuration_id = configuration.id
      join price_cell as cell
        on cell.configuration_id = configuration.id and cell.year = asked.year
       and cell.condition_bucket = asked.condition_bucket`);
}
