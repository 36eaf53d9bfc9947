import { DAY_MS } from "../base/time.ts";
import { type Database, type DatabasePool, LONG_WORK } from "../db/database.ts";
import { takeLock } from "../db/locks.ts";
import { recordset, type Sql, sql } from "../db/sql.ts";
import { BUILT_IN_RATES } from "./built-in-rates.ts";
import { createRateTable, type DatedRateOf, type FxRateRow, type RateKind } from "./fx.ts";
import { PEGS, pegRates } from "./pegs.ts";

/**
 * Stored exchange rates. A price in euros is stored with its listing, so a changed rate must also change listings.
 *
 * Invariant: after a rate is saved, all messages whose prices depend on it are queued to be read again, and all listings
 * that a saved filter reads in its currency are queued to be matched again. No step runs meanwhile, so none can commit a
 * price made with the old rate afterwards.
 *
 * Example: USD has rates for 2 and 5 March. A new rate for 3 March counts on 3 and 4 March, until the next rate. So the
 * messages with USD prices of these two days are queued, and no others. With it come rates of AED and other currencies
 * that are pegged to the dollar.
 */

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

export interface PricedDay {
  readonly currency: string;
  readonly day_number: number;
  /** How many listings need the rate. */
  readonly count: number;
}

/** The currencies and days for which visible listings need a rate. */
export async function listPricedDays(db: Database): Promise<readonly PricedDay[]> {
  return db.query<PricedDay>(sql`
    select price_currency as currency, (message_timestamp_ms / 86400000)::integer as day_number,
           count(*)::integer as count
      from listing
     where price_currency <> 'EUR' and not is_hidden and not is_revoked
     group by 1, 2
     order by 1, 2
     limit ${RATES_MAX}`);
}

/** Saves declared rates and the pegged rates that follow from them. Returns those that are new or changed. */
export async function saveFxRates(
  tx: Database,
  rows: readonly NewFxRate[],
): Promise<readonly ChangedFxRate[]> {
  await lockRates(tx);
  return saveRates(tx, [
    ...rows.map((row) => ({ ...row, kind: "declared" as const })),
    ...pegRates(rows).map((row) => ({ ...row, kind: "pegged" as const })),
  ]);
}

/** Saves the built-in rates and pegs of this release, unless the store already has those of this or a newer one. */
export async function saveShippedRates(pool: DatabasePool): Promise<void> {
  if ((await findShippedVersion(pool)) >= SHIPPED_RATES_VERSION) return;
  await pool.transaction(async (tx) => {
    await lockRates(tx);
    if ((await findShippedVersion(tx)) >= SHIPPED_RATES_VERSION) return;
    const declared = await tx.query<NewFxRate>(sql`
      select currency, day::text as day, per_eur::text as per_eur
        from fx_rate
       where kind = 'declared' and currency = any(${PEGS.map(({ base }) => base)})
       order by currency, day
       limit ${RATES_MAX}`);
    const builtIn = [...BUILT_IN_RATES, ...pegRates(BUILT_IN_RATES)];
    await saveRates(tx, [
      ...builtIn.map((row) => ({ ...row, kind: "built_in" as const })),
      ...pegRates(declared).map((row) => ({ ...row, kind: "pegged" as const })),
    ]);
    await tx.execute(sql`
      insert into fx_release (version) values (${SHIPPED_RATES_VERSION})
      on conflict (is_only) do update set version = excluded.version`);
  }, LONG_WORK);
}

async function findShippedVersion(db: Database): Promise<number> {
  const [row] = await db.query<{ version: number }>(sql`select version from fx_release limit 1`);
  return row?.version ?? 0;
}

/** Waits until no step runs, and keeps new ones from starting until the commit. */
async function lockRates(tx: Database): Promise<void> {
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
    await queuePricedMessages(tx, saved);
  }
  if (changed.length > 0) await queueConvertedListings(tx, changed);
  return changed;
}

/** Of the currencies and days that `candidates` selects, those for which one of the changed rates counts. */
function selectPricedDays(
  candidates: Sql,
  changed: readonly { readonly currency: string; readonly day: string }[],
): Sql {
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
           select currency, day from ${recordset(changed)} as changed (currency text, day date))`;
}

/** Queues the messages with a listing whose price in euros depends on one of these rates. They fire no alerts. */
async function queuePricedMessages(tx: Database, changed: readonly ChangedFxRate[]): Promise<void> {
  const days = changed.map(({ currency, day }) => ({ currency, day }));
  const candidates = sql`
    select distinct price_currency as currency,
           date '1970-01-01' + (message_timestamp_ms / 86400000)::integer as day
      from listing
     where price_currency <> 'EUR'`;
  await tx.execute(sql`
    insert into message_queue (canonical_message_id)
    select distinct listing.canonical_message_id
      from listing
      join (${selectPricedDays(candidates, days)}) as priced
        on priced.currency = listing.price_currency
       and priced.day = date '1970-01-01' + (message_timestamp_ms / 86400000)::integer
     order by 1
    on conflict (canonical_message_id) do update
       set alert_ms = greatest(message_queue.alert_ms, excluded.alert_ms)`);
}

/**
 * Queues the listings that a saved filter converts with one of these rates: a filter may limit the price in a currency that
 * is neither the euro nor the listing's own. They fire no alerts.
 */
async function queueConvertedListings(
  tx: Database,
  changed: readonly ChangedFxRate[],
): Promise<void> {
  const currencies = await tx.query<{ currency: string }>(sql`
    select distinct upper(price #>> '{currency}') as currency
      from saved_filter
     cross join lateral jsonb_path_query(filters, '$[*].price') as price
     where upper(price #>> '{currency}') = any(${[...new Set(changed.map(({ currency }) => currency))]})
     order by 1
     limit ${RATES_MAX}`);
  const filtered = new Set(currencies.map(({ currency }) => currency));
  const days = changed.flatMap(({ currency, day }) =>
    filtered.has(currency) ? [{ currency, day }] : [],
  );
  if (days.length === 0) return;
  const candidates = sql`
    select filtered.currency, listed.day
      from (select distinct date '1970-01-01' + (message_timestamp_ms / 86400000)::integer as day
              from listing) as listed
     cross join unnest(${[...filtered]}::text[]) as filtered (currency)`;
  await tx.execute(sql`
    insert into match_queue (resource, resource_id)
    select distinct 'watch_listing', listing.id
      from listing
      join (${selectPricedDays(candidates, days)}) as priced
        on priced.day = date '1970-01-01' + (message_timestamp_ms / 86400000)::integer
       and priced.currency <> listing.price_currency
     where listing.price_eur_minor is not null
     order by 2
    on conflict (resource, resource_id) do nothing`);
}
