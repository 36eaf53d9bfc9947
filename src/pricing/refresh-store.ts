import { readInChunks } from "../db/cursor.ts";
import type { Database } from "../db/database.ts";
import { rawSql, recordset, type Sql, sql } from "../db/sql.ts";
import { lookbackStartMs, type Member } from "./calculate-cells.ts";
import { CALCULATION_VERSION, type CalculatedCell, type PriceRules } from "./cell.ts";
import type { ConditionBucket } from "./configuration.ts";
import type { SourceMarket } from "./thresholds.ts";

const DAY_MS = 86_400_000;

/** What a refresh reads of a configuration and its profile. */
export interface RefreshedConfiguration extends PriceRules {
  readonly id: string;
  readonly revision: number;
  readonly configuration_key: string;
  readonly calculator_mapping_id: string | null;
  readonly brand_lower: string;
  readonly reference: string;
  readonly market_reference_normalized: string;
  readonly buy_signals_enabled: boolean;
}

export interface Snapshot {
  readonly configuration_id: string;
  readonly revision: number;
  readonly source_sequence: number;
  readonly cells: readonly CalculatedCell[];
}

export interface RefreshFailure {
  readonly configuration_id: string;
  readonly reason: string;
}

interface MemberRow extends Member {
  /** The place of the configuration among those asked for. */
  readonly at: number;
  readonly sequence: number;
}

/** An ask that is still news, and the configuration in which it lies. */
export interface NewsRow {
  readonly configuration_id: string;
  readonly listing_id: string;
  readonly canonical_message_id: string;
  readonly source_market: SourceMarket;
  readonly year: number;
  readonly condition_bucket: ConditionBucket;
  readonly price_eur_minor: number;
}

/** So many rows are in memory at once, however large a model is. */
const MEMBERS_CHUNK = 5_000;

/** Locks them too, so that the schedule does not queue what is under way. */
export async function loadConfigurations(
  tx: Database,
  ids: readonly string[],
): Promise<readonly RefreshedConfiguration[]> {
  return tx.query<RefreshedConfiguration>(sql`
    select configuration.id, configuration.revision, configuration.configuration_key,
           configuration.calculator_mapping_id, configuration.brand_lower, configuration.reference,
           configuration.market_reference_normalized, configuration.buy_signals_enabled,
           configuration.minimum_profit_overrides,
           configuration.exclude_outliers or configuration.filters @> '{"exclude_outliers": true}'
             as excludes_outliers,
           profile.lookback_days, profile.minimum_listings, profile.minimum_profit_eur_minor,
           profile.hk_markup_rate_bps, profile.hk_markup_fixed_eur_minor, profile.consumer_low_quantile_bps,
           profile.consumer_high_quantile_bps, profile.consumer_margin_bps
      from price_configuration as configuration
      join price_profile as profile on profile.id = configuration.profile_id
     where configuration.id = any(${toArray(ids)}::uuid[])
     order by configuration.id
     limit ${ids.length}
       for no key update of configuration`);
}

/**
 * Hands over the members of these models that may count, in one reading of the store. They are found by the reference,
 * which all members of a model share, and the time: what has aged out costs nothing, however long the store's memory.
 */
export async function readMembers(
  tx: Database,
  configurations: readonly RefreshedConfiguration[],
  options: { readonly nowMs: number; readonly onMember: (member: MemberRow) => void },
): Promise<void> {
  const asked = configurations.map((configuration, at) => ({
    at,
    id: configuration.id,
    reference: configuration.market_reference_normalized,
    since_ms: lookbackStartMs(configuration.lookback_days, options.nowMs),
  }));
  const members = sql`
    select asked.at, listing.id as listing_id, listing.contact_id, listing.year,
           lower(listing.condition) as condition_bucket, model.source_market, listing.price_eur_minor,
           listing.last_seen_at_ms, listing.sequence
      from ${recordset(asked)} as asked (at integer, id uuid, reference text, since_ms bigint)
      join listing
        on listing.reference_normalized = asked.reference and listing.last_seen_at_ms >= asked.since_ms
      join listing_model as model on model.listing_id = listing.id and model.configuration_id = asked.id
     where ${isInACell()}`;
  for await (const rows of readInChunks<MemberRow>(tx, members, MEMBERS_CHUNK)) {
    for (const row of rows) options.onMember(row);
  }
}

/** The visible asks of these models within the look-back that may still fire alerts; what is asked twice fires once. */
export async function listNews(
  tx: Database,
  ids: readonly string[],
  nowMs: number,
): Promise<readonly NewsRow[]> {
  return tx.query<NewsRow>(sql`
    select model.configuration_id, listing.id as listing_id, listing.canonical_message_id,
           model.source_market, listing.year, lower(listing.condition) as condition_bucket,
           listing.price_eur_minor
      from listing_model as model
      join listing_news as news on news.listing_id = model.listing_id and news.until_ms >= ${nowMs}
      join listing on listing.id = model.listing_id
      join price_configuration as configuration on configuration.id = model.configuration_id
      join price_profile as profile on profile.id = configuration.profile_id
     where model.configuration_id = any(${toArray(ids)}::uuid[]) and ${isInACell()} and not listing.is_duplicate
       and listing.last_seen_at_ms >= ${nowMs} - profile.lookback_days * ${DAY_MS}::bigint
     order by model.configuration_id, listing.id`);
}

/** For sale, visible, with a price, a year and a condition. */
function isInACell() {
  return sql`
    listing.side = 'for_sale' and not listing.is_hidden and not listing.is_revoked
    and listing.price_eur_minor is not null and listing.year is not null and listing.condition is not null`;
}

/** Replaces the snapshots in the transaction's commit. Cells that stay as they were are not written. */
export async function saveSnapshots(
  tx: Database,
  snapshots: readonly Snapshot[],
  nowMs: number,
): Promise<{ readonly changedCellCount: number }> {
  // Else the server plans the check of each row's foreign key anew, which takes longer than all the rest.
  await tx.execute(sql`select set_config('plan_cache_mode', 'auto', true)`);
  const changedCellCount = await saveCells(tx, snapshots, nowMs);
  const rows = snapshots.map(({ cells: _, ...snapshot }) => snapshot);
  await tx.execute(sql`
    with calculated as materialized (
      select * from ${recordset(rows)} as row (configuration_id uuid, revision bigint, source_sequence bigint)
    ), saved as (
      insert into price_snapshot (configuration_id, calculated_at_ms, source_sequence, calculation_version, revision)
      select configuration_id, ${nowMs}::bigint, source_sequence, ${CALCULATION_VERSION}, revision
        from calculated order by configuration_id
      on conflict (configuration_id) do update
         set calculated_at_ms = excluded.calculated_at_ms, source_sequence = excluded.source_sequence,
             calculation_version = excluded.calculation_version, revision = excluded.revision
    )
    update price_configuration as configuration
       set last_attempt_at_ms = ${nowMs}, last_success_at_ms = ${nowMs}, last_refresh_error = null
      from calculated
     where configuration.id = calculated.configuration_id`);
  await tx.execute(sql`select set_config('plan_cache_mode', 'force_custom_plan', true)`);
  return { changedCellCount };
}

/** The last good cells stay. */
export async function saveFailures(
  tx: Database,
  failures: readonly RefreshFailure[],
  nowMs: number,
): Promise<void> {
  await tx.execute(sql`
    update price_configuration as configuration
       set last_attempt_at_ms = ${nowMs}, last_refresh_error = failure.reason
      from ${recordset(failures)} as failure (configuration_id uuid, reason text)
     where configuration.id = failure.configuration_id`);
}

/** Gives how many cells changed. As arrays, because JSON of so many rows takes the server ten times as long. A row of history is written for each whose value moved, and for each that is gone. */
async function saveCells(
  tx: Database,
  snapshots: readonly Snapshot[],
  nowMs: number,
): Promise<number> {
  const cells = snapshots.flatMap(({ configuration_id, cells }) =>
    cells.map((cell) => ({ configuration_id, ...cell })),
  );
  const ids = snapshots.map(({ configuration_id }) => configuration_id);
  const array = (name: keyof (typeof cells)[number]) =>
    toArray(cells.map((cell) => String(cell[name])));
  const [row] = await tx.query<{ count: number }>(sql`
    with calculated as materialized (
      select * from unnest(
        ${array("configuration_id")}::uuid[], ${array("year")}::integer[], ${array("condition_bucket")}::text[],
        ${array("status")}::text[], ${array("listing_count")}::integer[],
        ${array("market_average_eur_minor")}::bigint[], ${array("market_median_eur_minor")}::bigint[],
        ${array("consumer_min_eur_minor")}::bigint[], ${array("consumer_max_eur_minor")}::bigint[],
        ${array("maximum_buy_eur_minor")}::bigint[], ${array("lookback_days")}::integer[],
        ${array("minimum_profit_eur_minor")}::bigint[], ${array("maximum_hk_ask_eur_minor")}::bigint[]
      ) as cell (configuration_id, year, condition_bucket, ${values()}, ${terms()})
    ), changed as materialized (
      select cell.*, old.configuration_id is null or (${values("old")}) is distinct from (${values("cell")})
             as has_moved
        from calculated as cell
        left join price_cell as old
          on old.configuration_id = any(${toArray(ids)}::uuid[])
         and (old.configuration_id, old.year, old.condition_bucket)
             = (cell.configuration_id, cell.year, cell.condition_bucket)
       where old.configuration_id is null
          or (${values("old")}, ${terms("old")})
             is distinct from (${values("cell")}, ${terms("cell")})
    ), saved as (
      insert into price_cell (configuration_id, year, condition_bucket, ${values()}, ${terms()})
      select configuration_id, year, condition_bucket, ${values()}, ${terms()}
        from changed order by configuration_id, year, condition_bucket
      on conflict (configuration_id, year, condition_bucket) do update
         set (${values()}, ${terms()}) = row (${values("excluded")}, ${terms("excluded")})
    ), gone as (
      delete from price_cell as old
       where old.configuration_id = any(${toArray(ids)}::uuid[])
         and not exists (
           select from calculated as cell
            where (cell.configuration_id, cell.year, cell.condition_bucket)
                  = (old.configuration_id, old.year, old.condition_bucket))
      returning old.configuration_id, old.year, old.condition_bucket
    ), told as (
      insert into price_cell_history (configuration_id, year, condition_bucket, calculated_at_ms, ${values()})
      select configuration_id, year, condition_bucket, ${nowMs}::bigint, ${values()} from changed where has_moved
      union all
      select configuration_id, year, condition_bucket, ${nowMs}::bigint, 'gone', 0, null, null, null, null, null
        from gone
       order by configuration_id, year, condition_bucket
      on conflict (configuration_id, year, condition_bucket, calculated_at_ms) do update
         set (${values()}) = row (${values("excluded")})
    )
    select (select count(*) from changed) + (select count(*) from gone) as count`);
  return row?.count ?? 0;
}

/** The columns that history keeps. */
const VALUES = [
  "status",
  "listing_count",
  "market_average_eur_minor",
  "market_median_eur_minor",
  "consumer_min_eur_minor",
  "consumer_max_eur_minor",
  "maximum_buy_eur_minor",
] as const;
/** Those that only say under which terms a cell stands. */
const TERMS = ["lookback_days", "minimum_profit_eur_minor", "maximum_hk_ask_eur_minor"] as const;

const values = (table?: string) => columnsOf(VALUES, table);
const terms = (table?: string) => columnsOf(TERMS, table);

function columnsOf(names: readonly string[], table: string | undefined): Sql {
  return rawSql(names.map((name) => (table === undefined ? name : `${table}.${name}`)).join(", "));
}

function toArray(ids: readonly string[]): string {
  return `{${ids.join(",")}}`;
}
