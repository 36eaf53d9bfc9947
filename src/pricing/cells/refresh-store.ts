import { DAY_MS } from "../../base/clock.ts";
import { type Database, readInChunks } from "../../db/database.ts";
import { recordset, sql } from "../../db/sql.ts";
import type { SourceMarket } from "../../matching/membership-store.ts";
import { queueMissingRefreshes } from "../../matching/refresh-queue-store.ts";
import { lookbackStartMs, type OfferedMember } from "./calculate-cells.ts";
import { CALCULATION_VERSION, type ConditionBucket, type PriceRules } from "./cell.ts";
import { type ConfigurationCells, type SavedCells, saveCells } from "./cell-store.ts";

/**
 * The queries of a refresh, which calculates the cells of some configurations again. All of them run in one transaction:
 *  1. `loadConfigurations` reads and locks the configurations.
 *  2. `readMembers` streams the listings that are on offer in their cells.
 *  3. `saveSnapshots` replaces the cells; `saveFailures` stores why a calculation failed.
 *  4. `listFreshAsks` returns the listings that may fire an alert by the new prices.
 *
 * Invariant: a reader sees the cells of one snapshot, never a mix of two. After a failure it sees the last good ones.
 *
 * Example: "Rolex 126610LN" has a look-back of 30 days and five new watches of 2023 for sale, one last seen 31 days ago.
 * `readMembers` passes on four. The snapshot has the cell "2023 new" with their average. The next snapshot replaces it,
 * and `price_cell_history` gets a row only if a price of the cell changed.
 */

/** How many members are read at once, however large a model is. */
const MEMBERS_CHUNK = 2_000;

/** For sale, visible, with a price, a year and a condition: all that a cell requires. */
export const IS_PRICEABLE = sql`
  listing.side = 'for_sale' and not listing.is_hidden and not listing.is_revoked
  and listing.price_eur_minor is not null and listing.year is not null and listing.condition is not null`;

/** Such a listing of a known contact counts in a cell. */
export const IS_COUNTABLE = sql`${IS_PRICEABLE} and listing.contact_id is not null`;

/** The columns of `Member`, without its market and the time at which it was last seen. */
export const ASK_COLUMNS = sql`
  listing.id as listing_id, listing.contact_id, listing.year, lower(listing.condition) as condition_bucket,
  listing.price_eur_minor`;

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

export interface Snapshot extends ConfigurationCells {
  /** Of the cells, as `hashCells` returns it. */
  readonly cells_hash: string;
  /** The revision of the configuration that was calculated. */
  readonly revision: number;
  /** The sequence of the latest listing that was counted. */
  readonly source_sequence: number;
  /** By `nameOfCell`: when the newest ask that counts was seen. */
  readonly newest_at_ms: Readonly<Record<string, number>>;
}

export interface RefreshFailure {
  readonly configuration_id: string;
  readonly reason: string;
}

interface MemberRow extends OfferedMember {
  readonly configuration_id: string;
  readonly sequence: number;
}

/** A listing that may still fire alerts, and a configuration that it is a member of. */
export interface FreshAsk {
  readonly configuration_id: string;
  readonly listing_id: string;
  readonly canonical_message_id: string;
  /** When the listing arrived, in the numbers of `alert.since_sequence`. */
  readonly came_sequence: number;
  readonly source_market: SourceMarket;
  readonly year: number;
  readonly condition_bucket: ConditionBucket;
  readonly price_eur_minor: number;
}

/** The columns of `PriceRules`. */
const RULE_COLUMNS = sql`
  configuration.minimum_profit_overrides,
  configuration.exclude_outliers or configuration.filters @> '{"exclude_outliers": true}' as excludes_outliers,
  profile.lookback_days, profile.minimum_listings, profile.minimum_profit_eur_minor, profile.hk_markup_rate_bps,
  profile.hk_markup_fixed_eur_minor, profile.consumer_low_quantile_bps, profile.consumer_high_quantile_bps,
  profile.consumer_margin_bps, profile.implausible_below_bps, profile.implausible_above_bps`;

/** The columns of `RefreshedConfiguration`, without deleted ones. */
export const SELECT_CONFIGURATIONS = sql`
  select configuration.id, configuration.revision, configuration.configuration_key,
         configuration.calculator_mapping_id, configuration.brand_lower, configuration.reference,
         configuration.market_reference_normalized, configuration.buy_signals_enabled,
         ${RULE_COLUMNS}
    from price_configuration as configuration
    join price_profile as profile
      on profile.id = configuration.profile_id and configuration.deleted_at_ms is null`;

/** Leaves out deleted ones. Locks the others, so that the schedule does not queue them while they are calculated. */
export async function loadConfigurations(
  tx: Database,
  ids: readonly string[],
): Promise<readonly RefreshedConfiguration[]> {
  return tx.query<RefreshedConfiguration>(sql`
    ${SELECT_CONFIGURATIONS}
     where configuration.id = any(${ids}::uuid[])
     order by configuration.id
     limit ${ids.length}
       for no key update of configuration`);
}

/**
 * Calls `onMember` for each listing that is on offer in these configurations, with one query. The query finds listings by
 * reference, which all members of a configuration share, and by time. So listings older than the look-back cost nothing, and
 * those of a reference are read once for all of its configurations.
 */
export async function readMembers(
  tx: Database,
  configurations: readonly RefreshedConfiguration[],
  options: { readonly nowMs: number; readonly onMember: (member: MemberRow) => void },
): Promise<void> {
  const sinceMs = new Map<string, number>();
  const markets = new Map<string, number>();
  for (const { id, market_reference_normalized: reference, lookback_days } of configurations) {
    const startMs = lookbackStartMs(lookback_days, options.nowMs);
    sinceMs.set(id, startMs);
    markets.set(reference, Math.min(startMs, markets.get(reference) ?? startMs));
  }
  const members = sql`
    select model.configuration_id, ${ASK_COLUMNS}, model.source_market, listing.last_seen_at_ms, listing.sequence
      from unnest(${[...markets.keys()]}::text[], ${[...markets.values()]}::bigint[])
             as market (reference, since_ms)
      join listing
        on listing.reference_normalized = market.reference and listing.last_seen_at_ms >= market.since_ms
      join listing_model as model
        on model.listing_id = listing.id and model.configuration_id = any(${[...sinceMs.keys()]}::uuid[])
     where ${IS_PRICEABLE}`;
  for await (const rows of readInChunks<MemberRow>(tx, members, MEMBERS_CHUNK)) {
    for (const row of rows) {
      if (row.last_seen_at_ms >= (sinceMs.get(row.configuration_id) ?? 0)) options.onMember(row);
    }
  }
}

/**
 * The members within the look-back that may still fire alerts. Also duplicates, because the first post may have been no buy:
 * `recordMatches` leaves out what an alert was told of.
 */
export async function listFreshAsks(
  tx: Database,
  ids: readonly string[],
  nowMs: number,
): Promise<readonly FreshAsk[]> {
  return tx.query<FreshAsk>(sql`
    select model.configuration_id, listing.id as listing_id, listing.canonical_message_id,
           fresh.came_sequence, model.source_market, listing.year, lower(listing.condition) as condition_bucket,
           listing.price_eur_minor
      from listing_model as model
      join fresh_listing as fresh on fresh.listing_id = model.listing_id and fresh.until_ms >= ${nowMs}
      join listing on listing.id = model.listing_id
      join price_configuration as configuration on configuration.id = model.configuration_id
      join price_profile as profile on profile.id = configuration.profile_id
     where model.configuration_id = any(${ids}::uuid[]) and ${IS_PRICEABLE}
       and listing.last_seen_at_ms >= ${nowMs} - profile.lookback_days * ${DAY_MS}::bigint
     order by model.configuration_id, listing.id`);
}

const NOTHING_SAVED: SavedCells = { changedCellCount: 0, lostIds: [] };

/** Replaces the snapshots of these configurations. Writes only the cells that changed. */
export async function saveSnapshots(
  tx: Database,
  snapshots: readonly Snapshot[],
  nowMs: number,
): Promise<SavedCells> {
  // A step runs with `force_custom_plan`. With that the server would plan the foreign key check again for each row, which
  // takes longer than all the rest.
  await tx.execute(sql`select set_config('plan_cache_mode', 'auto', true)`);
  const changed = await selectChanged(tx, snapshots);
  const saved = changed.length === 0 ? NOTHING_SAVED : await saveCells(tx, changed, nowMs);
  const valuesOf = (name: keyof Snapshot) => snapshots.map((snapshot) => snapshot[name]);
  await tx.execute(sql`
    with calculated as materialized (
      select * from unnest(
        ${valuesOf("configuration_id")}::uuid[], ${valuesOf("revision")}::bigint[],
        ${valuesOf("source_sequence")}::bigint[], ${valuesOf("cells_hash")}::text[],
        ${snapshots.map(({ newest_at_ms }) => JSON.stringify(newest_at_ms))}::jsonb[]
      ) as row (configuration_id, revision, source_sequence, cells_hash, newest_at_ms)
    ), saved as (
      insert into price_snapshot (configuration_id, calculated_at_ms, source_sequence, calculation_version, revision,
        cells_hash, newest_at_ms)
      select configuration_id, ${nowMs}::bigint, source_sequence, ${CALCULATION_VERSION}, revision, cells_hash,
             newest_at_ms
        from calculated order by configuration_id
      on conflict (configuration_id) do update
         set calculated_at_ms = excluded.calculated_at_ms, source_sequence = excluded.source_sequence,
             calculation_version = excluded.calculation_version, revision = excluded.revision,
             cells_hash = excluded.cells_hash, newest_at_ms = excluded.newest_at_ms
    )
    update price_configuration as configuration
       set last_attempt_at_ms = ${nowMs}, last_success_at_ms = ${nowMs}, last_refresh_error = null
      from calculated
     where configuration.id = calculated.configuration_id`);
  await tx.execute(sql`select set_config('plan_cache_mode', 'force_custom_plan', true)`);
  return saved;
}

/** The snapshots whose cells differ from the stored ones. Most calculations end in the cells that are stored. */
async function selectChanged(
  tx: Database,
  snapshots: readonly Snapshot[],
): Promise<readonly Snapshot[]> {
  const ids = snapshots.map(({ configuration_id }) => configuration_id);
  const stored = await tx.query<{ configuration_id: string; cells_hash: string | null }>(sql`
    select configuration_id, cells_hash from price_snapshot where configuration_id = any(${ids}::uuid[])`);
  const hashes = new Map(
    stored.map(({ configuration_id, cells_hash }) => [configuration_id, cells_hash]),
  );
  return snapshots.filter(
    ({ configuration_id, cells_hash }) => hashes.get(configuration_id) !== cells_hash,
  );
}

/**
 * Queues the rules of the same references that send buys: where a headline is available no more, the ask is judged by the next
 * rule. Leaves out `refreshedIds`, and what is queued or being calculated, so that it does not wait.
 */
export async function queueNextHeadlines(
  tx: Database,
  {
    lostIds,
    refreshedIds,
  }: { readonly lostIds: readonly string[]; readonly refreshedIds: readonly string[] },
  nowMs: number,
): Promise<void> {
  const next = sql`
    select distinct other.id
      from price_configuration as lost
      join price_configuration as other
        on other.market_reference_normalized = lost.market_reference_normalized
       and other.buy_signals_enabled and other.deleted_at_ms is null
     where lost.id = any(${lostIds}::uuid[]) and lost.buy_signals_enabled
       and other.id <> all(${refreshedIds}::uuid[])
       and not exists (select from refresh_queue where refresh_queue.configuration_id = other.id)`;
  await queueMissingRefreshes(tx, next, nowMs);
}

/** Stores why the calculation failed. The cells stay as they are. */
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
