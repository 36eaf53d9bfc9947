import type { Database } from "../../db/database.ts";
import { byName, type NamePage } from "../../db/page.ts";
import {
  freeNames,
  isNamed,
  type ManagedBy,
  type Naming,
  type Stamp,
  saveStamp,
} from "../../db/row.ts";
import { recordset, sql } from "../../db/sql.ts";
import type { Sets } from "../../filters/language/sets.ts";

/** The declared rules for pricing a set of configurations. */
export interface ProfileRow {
  readonly id: string;
  readonly name: string;
  readonly status: "shadow" | "live";
  readonly lookback_days: number;
  readonly minimum_listings: number;
  readonly minimum_profit_eur_minor: number;
  readonly implausible_below_bps: number;
  readonly implausible_above_bps: number;
  readonly hk_markup_rate_bps: number;
  readonly hk_markup_fixed_eur_minor: number;
  readonly consumer_low_quantile_bps: number;
  readonly consumer_high_quantile_bps: number;
  readonly consumer_margin_bps: number;
  readonly stale_after_ms: number;
  /** Which sets its configurations compare, if they do not say it themselves. */
  readonly sets: Sets;
  readonly managed_by: ManagedBy;
}

const COLUMNS = sql`
  id, name, status, lookback_days, minimum_listings, minimum_profit_eur_minor, hk_markup_rate_bps,
  hk_markup_fixed_eur_minor, consumer_low_quantile_bps, consumer_high_quantile_bps, consumer_margin_bps,
  stale_after_ms, implausible_below_bps, implausible_above_bps, sets, managed_by`;

export async function listProfiles(db: Database, naming?: Naming): Promise<readonly ProfileRow[]> {
  return db.query<ProfileRow>(sql`
    select ${COLUMNS}
      from price_profile
     where ${isNamed(naming, sql`name`)}
     order by id
     limit 1000000`);
}

/** Look-back of a profile that declares none. */
export const LOOKBACK_DAYS_DEFAULT = 30;

/** Returns the profile that looks back the longest; undefined if there is none. */
export async function findLongestLookback(
  db: Database,
): Promise<Pick<ProfileRow, "name" | "lookback_days"> | undefined> {
  const [row] = await db.query<Pick<ProfileRow, "name" | "lookback_days">>(sql`
    select name, lookback_days from price_profile order by lookback_days desc, name limit 1`);
  return row;
}

export async function findProfile(
  db: Database,
  id: string,
): Promise<{ readonly profile: ProfileRow; readonly createdHash: string | null } | undefined> {
  const [row] = await db.query<ProfileRow & { created_hash: string | null }>(sql`
    select ${COLUMNS}, created_hash from price_profile where id = ${id}`);
  if (row === undefined) return undefined;
  const { created_hash, ...profile } = row;
  return { profile, createdHash: created_hash };
}

export async function listProfilePage(
  db: Database,
  page: NamePage,
): Promise<readonly ProfileRow[]> {
  return db.query<ProfileRow>(sql`select ${COLUMNS} from price_profile ${byName(page)}`);
}

export async function saveProfiles(
  tx: Database,
  rows: readonly ProfileRow[],
  stamp: Stamp,
): Promise<void> {
  await freeNames(tx, sql`update price_profile`, rows);
  await tx.execute(sql`
    insert into price_profile
           (id, name, status, lookback_days, minimum_listings, minimum_profit_eur_minor, hk_markup_rate_bps,
            hk_markup_fixed_eur_minor, consumer_low_quantile_bps, consumer_high_quantile_bps,
            consumer_margin_bps, stale_after_ms, implausible_below_bps, implausible_above_bps, sets, managed_by,
            created_at_ms, updated_at_ms)
    select id, name, status, lookback_days, minimum_listings, minimum_profit_eur_minor, hk_markup_rate_bps,
           hk_markup_fixed_eur_minor, consumer_low_quantile_bps, consumer_high_quantile_bps,
           consumer_margin_bps, stale_after_ms, implausible_below_bps, implausible_above_bps, sets, managed_by,
           ${stamp.nowMs}, ${stamp.nowMs}
      from ${recordset(rows)} as declared
           (id uuid, name text, status text, lookback_days integer, minimum_listings integer,
            minimum_profit_eur_minor bigint, hk_markup_rate_bps integer, hk_markup_fixed_eur_minor bigint,
            consumer_low_quantile_bps integer, consumer_high_quantile_bps integer,
            consumer_margin_bps integer, stale_after_ms bigint, implausible_below_bps integer,
            implausible_above_bps integer, sets text, managed_by text)
     order by id
    on conflict (id) do update set
      name = excluded.name, status = excluded.status, lookback_days = excluded.lookback_days,
      minimum_listings = excluded.minimum_listings,
      minimum_profit_eur_minor = excluded.minimum_profit_eur_minor,
      hk_markup_rate_bps = excluded.hk_markup_rate_bps,
      hk_markup_fixed_eur_minor = excluded.hk_markup_fixed_eur_minor,
      consumer_low_quantile_bps = excluded.consumer_low_quantile_bps,
      consumer_high_quantile_bps = excluded.consumer_high_quantile_bps,
      consumer_margin_bps = excluded.consumer_margin_bps, stale_after_ms = excluded.stale_after_ms,
      implausible_below_bps = excluded.implausible_below_bps,
      implausible_above_bps = excluded.implausible_above_bps, sets = excluded.sets, managed_by = excluded.managed_by,
      updated_at_ms = excluded.updated_at_ms`);
  await saveStamp(tx, sql`update price_profile`, rows, stamp);
}

export async function deleteProfiles(tx: Database, ids: readonly string[]): Promise<void> {
  await tx.execute(sql`delete from price_profile where id = any(${ids}::uuid[])`);
}
