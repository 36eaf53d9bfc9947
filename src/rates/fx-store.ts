import { DAY_MS } from "../base/time.ts";
import type { Database } from "../db/database.ts";
import { takeLock } from "../db/locks.ts";
import { recordset, type Sql, sql } from "../db/sql.ts";
import { BUILT_IN_RATES } from "./built-in-rates.ts";
import { createRateTable, type DatedRateOf, type FxRateRow, type RateKind } from "./fx.ts";
import { PEGS, pegRates } from "./pegs.ts";

/** A rate from the operator or from the ECB. */
export interface NewFxRate {
  /** Such as `2026-11-13`. */
  readonly day: string;
  readonly currency: string;
  /** What one euro buys; a decimal as text, because a double would round it. */
  readonly per_eur: string;
}

export interface ChangedFxRate extends NewFxRate {
  readonly kind: RateKind;
  /** False if the day had another rate before. */
  readonly is_new: boolean;
}

/** Forty currencies over a hundred years of working days. */
const RATES_MAX = 1_000_000;
const CHUNK = 20_000;
/** Raise this when built-in rates or pegs change. A store updates its shipped rates only to a higher version. */
export const SHIPPED_RATES_VERSION = 1;

export async function listFxRates(db: Database): Promise<readonly FxRateRow[]> {
  return db.query<FxRateRow>(sql`
    select currency, day - date '1970-01-01' as day_number, kind, per_eur::text as per_eur
      from fx_rate
     order by currency, day, kind
     limit ${RATES_MAX}`);
}

/** By currency and day. */
export async function listDeclaredRates(db: Database): Promise<readonly NewFxRate[]> {
  return db.query<NewFxRate>(sql`
    select currency, day::text as day, per_eur::text as per_eur
      from fx_rate
     where kind = 'declared'
     order by currency, day
     limit ${RATES_MAX}`);
}

/**
 * The rates for these currencies and times, as the transaction sees them. A step must not use a copy in memory, which may
 * be a second old: a message that was queued because of a new rate would be priced with the old one.
 */
export async function findRates(
  db: Database,
  needed: readonly { readonly currency: string; readonly atMs: number }[],
): Promise<DatedRateOf> {
  const targets = new Map(
    needed.map(({ currency, atMs }) => {
      const day = Math.floor(atMs / DAY_MS);
      return [`${currency} ${day}`, { currency, day }];
    }),
  );
  const rows = await db.query<FxRateRow>(sql`
    select distinct target.currency, rate.day - date '1970-01-01' as day_number, rate.kind,
           rate.per_eur::text as per_eur
      from ${recordset([...targets.values()])} as target (currency text, day integer)
     cross join lateral (
           select day, kind, per_eur
             from fx_rate
            where fx_rate.currency = target.currency and fx_rate.day <= date '1970-01-01' + target.day
            order by fx_rate.day desc, fx_rate.kind desc
            limit 1) as rate
     limit ${RATES_MAX}`);
  return createRateTable(rows);
}

/** The rates of all currencies at one time. Jumps from currency to currency in the index, whatever the number of days. */
export async function findRatesAt(db: Database, atMs: number): Promise<DatedRateOf> {
  const currencies = await db.query<{ currency: string }>(sql`
    with recursive known as (
      (select currency from fx_rate order by currency limit 1)
      union all
      select (select currency from fx_rate where currency > known.currency order by currency limit 1)
        from known
       where known.currency is not null
    )
    select currency from known where currency is not null order by currency limit ${RATES_MAX}`);
  return findRates(
    db,
    currencies.map(({ currency }) => ({ currency, atMs })),
  );
}

/**
 * Saves declared rates and the pegged rates that follow from them. Returns those that are new or changed. Prices depend on
 * rates, so only `pipeline/change-rates.ts` may call it.
 */
export async function saveFxRates(
  tx: Database,
  rows: readonly NewFxRate[],
): Promise<readonly ChangedFxRate[]> {
  return saveRates(tx, [
    ...rows.map((row) => ({ ...row, kind: "declared" as const })),
    ...pegRates(rows).map((row) => ({ ...row, kind: "pegged" as const })),
  ]);
}

export async function areShippedRatesOld(db: Database): Promise<boolean> {
  const [row] = await db.query<{ version: number }>(sql`select version from fx_release limit 1`);
  return (row?.version ?? 0) < SHIPPED_RATES_VERSION;
}

/** Saves the built-in rates and pegs of this release if the stored ones are older. Returns the changed rates, likewise. */
export async function saveShippedRates(tx: Database): Promise<readonly ChangedFxRate[]> {
  if (!(await areShippedRatesOld(tx))) return [];
  const declared = await tx.query<NewFxRate>(sql`
    select currency, day::text as day, per_eur::text as per_eur
      from fx_rate
     where kind = 'declared' and currency = any(${PEGS.map(({ base }) => base)})
     order by currency, day
     limit ${RATES_MAX}`);
  const builtIn = [...BUILT_IN_RATES, ...pegRates(BUILT_IN_RATES)];
  const changed = await saveRates(tx, [
    ...builtIn.map((row) => ({ ...row, kind: "built_in" as const })),
    ...pegRates(declared).map((row) => ({ ...row, kind: "pegged" as const })),
  ]);
  await tx.execute(sql`
    insert into fx_release (version) values (${SHIPPED_RATES_VERSION})
    on conflict (is_only) do update set version = excluded.version`);
  return changed;
}

/** Waits until no step runs, and keeps new ones from starting until the commit. */
export async function lockRates(tx: Database): Promise<void> {
  // A long history of rates may change every listing.
  await tx.execute(sql`select set_config('statement_timeout', '0', true)`);
  await takeLock(tx, "pipeline");
}

async function saveRates(
  tx: Database,
  rows: readonly (NewFxRate & { readonly kind: RateKind })[],
): Promise<readonly ChangedFxRate[]> {
  const changed: ChangedFxRate[] = [];
  for (let at = 0; at < rows.length; at += CHUNK) {
    const saved = await tx.query<ChangedFxRate>(sql`
      insert into fx_rate (currency, day, kind, per_eur)
      select distinct on (currency, day, kind) currency, day, kind, per_eur
        from ${recordset(rows.slice(at, at + CHUNK))}
             as rate (currency text, day date, kind fx_rate_kind, per_eur numeric)
       order by currency, day, kind
      on conflict (currency, day, kind) do update set per_eur = excluded.per_eur
       where fx_rate.per_eur <> excluded.per_eur
      returning currency, day::text as day, kind, per_eur::text as per_eur, xmax = 0 as is_new`);
    changed.push(...saved);
  }
  return changed;
}

/** A currency and a day such as `2026-11-13`. */
export type RateDay = Pick<NewFxRate, "currency" | "day">;

/** Of the currencies and days that `candidates` selects, those for which one of the changed rates counts. */
export function selectRatedDays(candidates: Sql, changed: readonly RateDay[]): Sql {
  const days = changed.map(({ currency, day }) => ({ currency, day }));
  return sql`
    select candidate.currency, candidate.day
      from (${candidates}) as candidate
     cross join lateral (
           select fx_rate.day
             from fx_rate
            where fx_rate.currency = candidate.currency and fx_rate.day <= candidate.day
            order by fx_rate.day desc
            limit 1) as rate
     where (candidate.currency, rate.day) in (
           select currency, day from ${recordset(days)} as changed (currency text, day date))`;
}
