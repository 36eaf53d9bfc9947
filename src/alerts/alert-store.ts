import { DAY_MS, dayStartOf } from "../base/clock.ts";
import type { Database } from "../db/database.ts";
import { dropNulls, type Present } from "../db/row.ts";
import { sql } from "../db/sql.ts";

interface AlertRow {
  readonly id: string;
  readonly name: string;
  readonly enabled: boolean;
  readonly filters: Readonly<Record<string, unknown>>;
  readonly strategy: string;
  readonly is_system: boolean;
  readonly created_at_ms: number;
  readonly updated_at_ms: number;
  readonly view_id: string | null;
  readonly managed_by: string | null;
  readonly created_by: string | null;
  readonly updated_by: string | null;
}

/** Seed 2.1. */
export type Alert = Present<AlertRow>;

const ALERT_COLUMNS = sql`
  id, name, is_enabled as enabled, filters, strategy, is_system, created_at_ms, updated_at_ms, view_id, managed_by,
  created_by, updated_by`;

/** All alerts, newest first. The contract has no pages here. */
export async function listAlerts(db: Database): Promise<readonly Alert[]> {
  const rows = await db.query<AlertRow>(sql`
    select ${ALERT_COLUMNS}
      from alert
     order by created_at_ms desc, id`);
  return rows.map(dropNulls);
}

export async function findAlert(
  db: Database,
  id: string,
): Promise<{ readonly alert: Alert; readonly createdHash: string | null } | undefined> {
  const [row] = await db.query<AlertRow & { created_hash: string | null }>(sql`
    select ${ALERT_COLUMNS}, created_hash from alert where id = ${id}`);
  if (row === undefined) return undefined;
  const { created_hash, ...alert } = row;
  return { alert: dropNulls(alert), createdHash: created_hash };
}

export interface NamedAlert {
  readonly id: string;
  readonly name: string;
  readonly enabled: boolean;
  readonly strategy: string;
  readonly is_system: boolean;
}

/** More are not searched by name. */
const NAMED_MAX = 20_000;

/** The names of alerts, those of people first, then the newest. They are folded by the caller. */
export async function listAlertNames(db: Database): Promise<readonly NamedAlert[]> {
  return db.query<NamedAlert>(sql`
    select id, name, is_enabled as enabled, strategy, is_system
      from alert
     order by is_system, created_at_ms desc, id
     limit ${NAMED_MAX}`);
}

export async function hasAlert(db: Database, id: string): Promise<boolean> {
  const rows = await db.query(sql`select 1 from alert where id = ${id}`);
  return rows.length > 0;
}

interface StateRow {
  readonly alert_id: string;
  readonly total_count: number;
  readonly unseen_count: number;
  readonly last_matched_at_ms: number | null;
  /** Null if the alert is not muted now. */
  readonly muted_until_ms: number | null;
  /** UTC days with a match, oldest first. */
  readonly days: readonly { readonly day_start_ms: number; readonly match_count: number }[];
}

type AlertState = Present<StateRow>;
/** Today and the days before it. */
export const STATE_DAYS = 30;

/** How often each alert matched, in the order of the list of alerts. Reads the matches of these days in the index only. */
export async function listAlertStates(db: Database, nowMs: number): Promise<readonly AlertState[]> {
  const sinceMs = dayStartOf(nowMs) - (STATE_DAYS - 1) * DAY_MS;
  const rows = await db.query<StateRow>(sql`
    select alert.id as alert_id, counted.total as total_count, counted.unseen as unseen_count,
           (select match.matched_at_ms
              from alert_match as match
             where match.alert_id = alert.id
             order by match.matched_at_ms desc, match.resource_id
             limit 1) as last_matched_at_ms,
           case when alert.muted_until_ms > ${nowMs}::bigint then alert.muted_until_ms end as muted_until_ms,
           (select coalesce(json_agg(json_build_object(
                     'day_start_ms', day.start_ms, 'match_count', day.count) order by day.start_ms), '[]')
              from (select matched_at_ms - matched_at_ms % ${DAY_MS}::bigint as start_ms, count(*) as count
                      from alert_match as match
                     where match.alert_id = alert.id and match.matched_at_ms >= ${sinceMs}
                     group by 1) as day) as days
      from alert
      join alert_match_count as counted on counted.alert_id = alert.id
     order by alert.created_at_ms desc, alert.id`);
  return rows.map(dropNulls);
}

/** By alert: listings that arrived before this number do not fire it. */
export async function findSinceSequences(
  db: Database,
  ids: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (ids.length === 0) return new Map();
  const rows = await db.query<{ id: string; since_sequence: number }>(sql`
    select id, since_sequence from alert where id = any(${[...new Set(ids)]}::uuid[]) order by id limit ${ids.length}`);
  return new Map(rows.map(({ id, since_sequence }) => [id, since_sequence]));
}

export interface PriceAlert {
  readonly id: string;
  /** Empty if any configuration counts. */
  readonly configuration_ids: readonly string[];
  /** True if the alert has a saved filter, which must match the listing too. */
  readonly has_filter: boolean;
  /** Listings that arrived before this number do not fire it. */
  readonly since_sequence: number;
}

/**
 * The enabled price_engine alerts that these buys may fire: the system alerts of the configurations, and the alerts of users
 * that name one of the configurations or none. An alert with a saved filter is included only if `foundIds` has it.
 */
export async function listPriceAlerts(
  tx: Database,
  configurationIds: readonly string[],
  foundIds: readonly string[],
): Promise<readonly PriceAlert[]> {
  const filter = sql`
    exists (select from saved_filter
             where saved_filter.owner_kind = 'price_alert' and saved_filter.owner_id = alert.id)`;
  const isOfUser = sql`alert.strategy = 'price_engine' and alert.is_enabled and not alert.is_system`;
  return tx.query<PriceAlert>(sql`
    select id, array[configuration_id::text] as configuration_ids, false as has_filter, since_sequence
      from alert
     where configuration_id = any(${[...configurationIds]}::uuid[]) and is_enabled
    union all
    select id, configuration_ids, false, since_sequence
      from alert
     where ${isOfUser} and configuration_ids && ${[...configurationIds]}::text[] and not ${filter}
    union all
    select id, configuration_ids, false, since_sequence
      from alert
     where ${isOfUser} and configuration_ids = '{}' and not ${filter}
    union all
    select id, configuration_ids, true, since_sequence
      from alert
     where ${isOfUser} and id = any(${[...foundIds]}::uuid[]) and ${filter}`);
}

/** Of the alerts, those that exist. */
export async function findExistingAlertIds(
  db: Database,
  ids: readonly string[],
): Promise<readonly string[]> {
  const rows = await db.query<{ id: string }>(sql`
    select id from alert where id = any(${[...ids]}::uuid[]) order by id limit ${ids.length}`);
  return rows.map(({ id }) => id);
}
