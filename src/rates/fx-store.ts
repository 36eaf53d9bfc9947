import { DAY_MS } from "../base/clock.ts";
import type { Database } from "../db/database.ts";
import { takeLock } from "../db/locks.ts";
import { joinSql, recordset, type Sql, sql } from "../db/sql.ts";
import { BUILT_IN_RATES } from "./built-in-rates.ts";
import {
  createRateTable,
  type DatedRateOf,
  type FxRateRow,
  PEGS,
  pegRates,
  type RateKind,
} from "./fx.ts";

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

/** Of the currencies, those with a rate. The euro needs none. */
export async function findRatedCurrencies(
  db: Database,
  currencies: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await db.query<{ currency: string }>(sql`
    select currency
      from unnest(${currencies}::text[]) as currency
     where exists (select from fx_rate where fx_rate.currency = currency.currency)`);
  return new Set(["EUR", ...rows.map(({ currency }) => currency)]);
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

export interface FxRatePageRow {
  readonly currency: string;
  /** Such as `2026-11-13`. */
  readonly day: string;
  readonly kind: RateKind;
  /** A decimal as text, because a double would round it. */
  readonly per_eur: string;
  /** Whether it is the rate of its day: no other of the day has precedence. */
  readonly is_used: boolean;
}

export type RatePosition = Pick<FxRatePageRow, "currency" | "day" | "kind">;

/** A probe of the key for each currency, because a comparison of every rate with the others takes long. */
const IS_LATEST = sql`(rate.currency, rate.day, rate.kind) in (
  select known.currency, latest.day, latest.kind
    from (select distinct currency from fx_rate) as known
   cross join lateral (select day, kind
                         from fx_rate
                        where fx_rate.currency = known.currency
                        order by day desc, kind desc
                        limit 1) as latest)`;

/** One page of rates, the latest day first, then by currency; of one day and currency, the one with precedence last. */
export async function listRatePage(
  db: Database,
  page: {
    readonly currency?: string;
    /** Bounds of the day, both inclusive, such as `2026-11-13`. */
    readonly fromDay?: string;
    readonly toDay?: string;
    /** True for the newest rate of each currency only. */
    readonly isLatest?: boolean;
    readonly after?: RatePosition;
    readonly limit: number;
  },
): Promise<readonly FxRatePageRow[]> {
  const { currency, fromDay, toDay, isLatest, after } = page;
  const conditions = [
    sql`true`,
    ...(currency === undefined ? [] : [sql`rate.currency = ${currency}`]),
    ...(fromDay === undefined ? [] : [sql`rate.day >= ${fromDay}::date`]),
    ...(toDay === undefined ? [] : [sql`rate.day <= ${toDay}::date`]),
    ...(isLatest === true ? [IS_LATEST] : []),
    ...(after === undefined
      ? []
      : [
          // The first condition is implied by the second one, but only the first one is looked up in the index.
          sql`rate.day <= ${after.day}::date`,
          sql`(rate.day < ${after.day}::date
               or (rate.currency, rate.kind) > (${after.currency}, ${after.kind}::fx_rate_kind))`,
        ]),
  ];
  return db.query<FxRatePageRow>(sql`
    select rate.currency, rate.day::text as day, rate.kind, rate.per_eur::text as per_eur,
           not exists (select from fx_rate as other
                        where other.currency = rate.currency and other.day = rate.day and other.kind > rate.kind)
           as is_used
      from fx_rate as rate
     where ${joinSql(conditions, " and ")}
     order by rate.day desc, rate.currency, rate.kind
     limit ${page.limit}`);
}

/** Where quoted rates come from: the operator, or the ECB's files that a worker fetches. */
export type QuoteKind = Extract<RateKind, "declared" | "ecb">;

/**
 * Saves quoted rates and the pegged rates that follow from them. Returns those that are new or changed. Prices depend on
 * rates, so only `pipeline/change-rates.ts` may call it.
 */
export async function saveFxRates(
  tx: Database,
  rows: readonly NewFxRate[],
  kind: QuoteKind,
): Promise<readonly ChangedFxRate[]> {
  const bases = kind === "declared" ? rows : await withoutDeclared(tx, rows);
  return saveRates(tx, [
    ...rows.map((row) => ({ ...row, kind })),
    ...pegRates(bases).map((row) => ({ ...row, kind: "pegged" as const })),
  ]);
}

/** A pegged rate follows from the declared rate of its base, if that day has one. */
async function withoutDeclared(
  tx: Database,
  rows: readonly NewFxRate[],
): Promise<readonly NewFxRate[]> {
  const declared = await tx.query<RateDay>(sql`
    select currency, day::text as day
      from fx_rate
     where kind = 'declared' and currency = any(${PEGS.map(({ base }) => base)})
     order by currency, day
     limit ${RATES_MAX}`);
  const known = new Set(declared.map(({ currency, day }) => `${currency} ${day}`));
  return rows.filter(({ currency, day }) => !known.has(`${currency} ${day}`));
}

/** Returns true if a rate is missing or differs, so that saving these rates would change something. */
export async function areRatesNew(
  db: Database,
  rows: readonly NewFxRate[],
  kind: QuoteKind,
): Promise<boolean> {
  const found = await db.query(sql`
    select
      from ${recordset(rows)} as rate (currency text, day date, per_eur numeric)
     where not exists (select from fx_rate as stored
                        where stored.currency = rate.currency and stored.day = rate.day
                          and stored.kind = ${kind}::fx_rate_kind and stored.per_eur = rate.per_eur)
     limit 1`);
  return found.length > 0;
}

export async function areShippedRatesOld(db: Database): Promise<boolean> {
  const [row] = await db.query<{ version: number }>(sql`select version from fx_release limit 1`);
  return (row?.version ?? 0) < SHIPPED_RATES_VERSION;
}

/** Saves the built-in rates and pegs of this release if the stored ones are older. Returns the changed rates, likewise. */
export async function saveShippedRates(tx: Database): Promise<readonly ChangedFxRate[]> {
  if (!(await areShippedRatesOld(tx))) return [];
  const quoted = await tx.query<NewFxRate>(sql`
    select distinct on (currency, day) currency, day::text as day, per_eur::text as per_eur
      from fx_rate
     where kind in ('ecb', 'declared') and currency = any(${PEGS.map(({ base }) => base)})
     order by currency, day, kind desc
     limit ${RATES_MAX}`);
  const builtIn = [...BUILT_IN_RATES, ...pegRates(BUILT_IN_RATES)];
  const changed = await saveRates(tx, [
    ...builtIn.map((row) => ({ ...row, kind: "built_in" as const })),
    ...pegRates(quoted).map((row) => ({ ...row, kind: "pegged" as const })),
  ]);
  await tx.execute(sql`
    insert into fx_release (version) values (${SHIPPED_RATES_VERSION})
    on conflict (is_only) do update set version = excluded.version`);
  return changed;
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

/** Waits until no step runs, and keeps new ones from starting until the commit. */
export async function lockRates(tx: Database): Promise<void> {
  // A long history of rates may change every listing.
  await tx.execute(sql`select set_config('statement_timeout', '0', true)`);
  await takeLock(tx, "pipeline");
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
