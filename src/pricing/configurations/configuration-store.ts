import { assert } from "../../base/errors.ts";
import { foldWord } from "../../base/text.ts";
import type { Database } from "../../db/database.ts";
import { joinSql, type Sql, sql } from "../../db/sql.ts";
import type { Sets } from "../../filters/language/sets.ts";
import type { Cell, CellStatus, MinimumProfitOverride, RefreshState } from "../cells/cell.ts";

/** A stored configuration, with values of its latest snapshot and its profile. */
export interface ConfigurationRow extends RefreshState {
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
  readonly updated_at_ms: number;
  readonly configuration_key: string;
  readonly configuration_label: string;
  readonly image_url: string | null;
  readonly imported_from_mapping_id: string | null;
  readonly last_attempt_at_ms: number | null;
  readonly last_refresh_error: string | null;
  /** Newest first. */
  readonly available_years: readonly number[];
}

export interface ConfigurationWithCells extends ConfigurationRow {
  readonly lookback_days: number;
  readonly calculated_at_ms: number | null;
  /** Of the latest snapshot. */
  readonly cells: readonly Cell[];
}

/** The declared label, otherwise the brand and the reference. */
export const CONFIGURATION_LABEL = sql`
  coalesce(configuration.label, configuration.brand || ' ' || configuration.reference)`;

/** The columns of `ConfigurationRow`: what section 2.5 of the seed shows, and what `isStale` reads. */
const COLUMNS = sql`
  configuration.id, configuration.profile_id, configuration.brand, configuration.brand_lower,
  configuration.reference, configuration.reference_normalized,
  configuration.market_reference_normalized, configuration.filters, configuration.filter_summary,
  configuration.minimum_profit_overrides, configuration.exclude_outliers,
  configuration.publish_enabled, configuration.buy_signals_enabled, configuration.updated_at_ms,
  configuration.configuration_key, ${CONFIGURATION_LABEL} as configuration_label,
  configuration.image_url, configuration.imported_from_mapping_id, configuration.last_attempt_at_ms,
  configuration.last_success_at_ms, configuration.last_refresh_error, profile.stale_after_ms,
  snapshot.revision is distinct from configuration.revision as is_changed,
  array(select distinct cell.year
          from price_cell as cell
         where cell.configuration_id = configuration.id and cell.status = 'available'
         order by cell.year desc) as available_years`;

/** A JSON array in the order of `compareCells`: the newest year first, then new, like_new, used. */
const CELLS = sql`
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

/** One statement, so that the configuration and its cells belong to the same snapshot. Deleted ones are not found. */
export async function findConfiguration(
  db: Database,
  id: string,
): Promise<ConfigurationWithCells | undefined> {
  const [row] = await db.query<ConfigurationWithCells>(sql`
    select ${COLUMNS}, profile.lookback_days, snapshot.calculated_at_ms,
           ${CELLS} as cells
      from price_configuration as configuration
      join price_profile as profile on profile.id = configuration.profile_id
      left join price_snapshot as snapshot on snapshot.configuration_id = configuration.id
     where configuration.id = ${id} and configuration.deleted_at_ms is null`);
  return row;
}

/** The conditions of a list; null or empty means no condition. */
export interface ConfigurationQuery {
  readonly brandLower: string | null;
  /** Normalised. Compared with the configuration's reference and with its market reference. */
  readonly reference: string | null;
  readonly status: CellStatus | null;
  readonly profile: string | null;
  readonly words: readonly string[];
}

/** One page, ordered by key, starting after `afterKey`. */
export async function listConfigurationRows(
  db: Database,
  query: ConfigurationQuery,
  page: { readonly afterKey: string; readonly limit: number },
): Promise<readonly ConfigurationRow[]> {
  const statement = sql`
    select ${COLUMNS}
      from price_configuration as configuration
      join price_profile as profile on profile.id = configuration.profile_id
      left join price_snapshot as snapshot on snapshot.configuration_id = configuration.id
     where ${compileQuery(query)} and configuration.configuration_key > ${page.afterKey}
     order by configuration.configuration_key
     limit ${page.limit}`;
  return db.query<ConfigurationRow>(statement, { isStatic: false });
}

export async function countConfigurations(
  db: Database,
  query: ConfigurationQuery,
): Promise<number> {
  const statement = sql`
    select count(*) as total
      from price_configuration as configuration
      join price_profile as profile on profile.id = configuration.profile_id
     where ${compileQuery(query)}`;
  const [row] = await db.query<{ total: number }>(statement, { isStatic: false });
  return row?.total ?? 0;
}

function compileQuery(query: ConfigurationQuery): Sql {
  const { brandLower, reference, status, profile, words } = query;
  const conditions = [
    brandLower === null ? [] : [sql`configuration.brand_lower = ${brandLower}`],
    reference === null
      ? []
      : [
          sql`${reference} in (configuration.reference_normalized, configuration.market_reference_normalized)`,
        ],
    status === null ? [] : [hasStatus(status)],
    profile === null ? [] : [sql`${profile} in (profile.name, profile.id::text)`],
    words.map(
      (word) => sql`
      position(${word} in lower(concat_ws(' ', configuration.configuration_key, configuration.label,
        configuration.brand, configuration.reference, configuration.filter_summary))) > 0`,
    ),
  ].flat();
  return joinSql([sql`configuration.deleted_at_ms is null`, ...conditions], " and ");
}

function hasStatus(status: CellStatus): Sql {
  if (status === "pending") return sql`configuration.last_success_at_ms is null`;
  const hasPrices = sql`
    exists (select from price_cell as cell
             where cell.configuration_id = configuration.id and cell.status = 'available')`;
  return sql`
    (configuration.last_success_at_ms is not null
     and ${status === "available" ? hasPrices : sql`not ${hasPrices}`})`;
}

/** What the API needs to write a configuration, besides the declaration. */
interface ConfigurationMarks {
  readonly profileName: string;
  readonly createdHash: string | null;
}

/** Deleted ones are not found. */
export async function findConfigurationMarks(
  db: Database,
  id: string,
): Promise<ConfigurationMarks | undefined> {
  const [marks] = await db.query<ConfigurationMarks>(sql`
    select profile.name as "profileName", configuration.created_hash as "createdHash"
      from price_configuration as configuration
      join price_profile as profile on profile.id = configuration.profile_id
     where configuration.id = ${id} and configuration.deleted_at_ms is null`);
  return marks;
}

/** What decides whether the buys of a configuration fire alerts, and whether these are sent. */
export interface FiringRules {
  readonly id: string;
  readonly buy_signals_enabled: boolean;
  readonly status: "shadow" | "live";
  readonly is_changed: boolean;
  readonly stale_after_ms: number;
  /** Listings that arrived before this number fire no alerts on its buys. */
  readonly since_sequence: number;
}

export async function findFiringRules(
  tx: Database,
  configurationIds: readonly string[],
): Promise<ReadonlyMap<string, FiringRules>> {
  const rows = await tx.query<FiringRules>(sql`
    select configuration.id, configuration.buy_signals_enabled, configuration.since_sequence, profile.status, profile.stale_after_ms,
           snapshot.revision is distinct from configuration.revision as is_changed
      from price_configuration as configuration
      join price_profile as profile on profile.id = configuration.profile_id
      left join price_snapshot as snapshot on snapshot.configuration_id = configuration.id
     where configuration.id = any(${configurationIds}::uuid[]) and configuration.deleted_at_ms is null
     order by configuration.id
     limit ${configurationIds.length}`);
  return new Map(rows.map((row) => [row.id, row]));
}

/** A brand and a reference as listings have them. */
interface ReferenceName {
  readonly brand_folded: string;
  readonly reference_normalized: string;
}

const CONFIGURATIONS_MAX = 10_000;

/** Returns a look-up of the configurations whose population is the listings of a reference, in the order of their keys. */
export async function findConfigurationsOf(
  db: Database,
  references: readonly ReferenceName[],
): Promise<(reference: ReferenceName) => readonly string[]> {
  const names = [...new Set(references.map((reference) => reference.reference_normalized))];
  if (names.length === 0) return () => [];
  const rows = await db.query<{ id: string; brand: string; reference: string }>(sql`
    select id, brand, market_reference_normalized as reference
      from price_configuration
     where market_reference_normalized = any(${names}) and deleted_at_ms is null
     order by configuration_key, id
     limit ${CONFIGURATIONS_MAX}`);
  return ({ brand_folded, reference_normalized }) =>
    rows
      .filter(
        ({ brand, reference }) =>
          reference === reference_normalized && foldWord(brand) === brand_folded,
      )
      .map(({ id }) => id);
}

/** The sets of a configuration, with the profile that it follows. */
interface SetsOfConfiguration {
  readonly id: string;
  readonly filters: Readonly<Record<string, unknown>>;
  readonly sets: Sets | null;
  readonly profile_name: string;
  readonly profile_sets: Sets;
}

export async function findSetsOfConfigurations(
  db: Database,
  ids: readonly string[],
): Promise<readonly SetsOfConfiguration[]> {
  return db.query<SetsOfConfiguration>(sql`
    select configuration.id, configuration.filters, configuration.sets, profile.name as profile_name,
           profile.sets as profile_sets
      from price_configuration as configuration
      join price_profile as profile on profile.id = configuration.profile_id
     where configuration.id = any(${ids}::uuid[]) and configuration.deleted_at_ms is null
     order by configuration.id
     limit ${ids.length}`);
}

interface PricingHealth {
  readonly configuration_count: number;
  /** Not calculated yet, or too long ago, or changed since. */
  readonly stale_count: number;
  readonly failed_count: number;
  /** One of the errors, if several failed. */
  readonly last_refresh_error: string | null;
  readonly has_eu_view: boolean;
  readonly has_hk_view: boolean;
}

export async function findPricingHealth(db: Database, nowMs: number): Promise<PricingHealth> {
  const [row] = await db.query<PricingHealth>(sql`
    select count(*) as configuration_count,
           count(*) filter (where configuration.last_success_at_ms is null
                               or ${nowMs} - configuration.last_success_at_ms > profile.stale_after_ms
                               or snapshot.revision is distinct from configuration.revision) as stale_count,
           count(configuration.last_refresh_error) as failed_count,
           max(configuration.last_refresh_error) as last_refresh_error,
           exists (select from market_view where source_market = 'EU') as has_eu_view,
           exists (select from market_view where source_market = 'HK') as has_hk_view
      from price_configuration as configuration
      join price_profile as profile on profile.id = configuration.profile_id
      left join price_snapshot as snapshot on snapshot.configuration_id = configuration.id
     where configuration.deleted_at_ms is null`);
  assert(row !== undefined, "an aggregate must return one row");
  return row;
}
