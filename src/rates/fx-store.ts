import { type Database, type DatabasePool, LONG_WORK } from "../db/database.ts";
import { takeLock } from "../db/locks.ts";
import { recordset, type Sql, sql } from "../db/sql.ts";
import { BUILT_IN_RATES } from "./built-in-rates.ts";
import { createRateTable, type DatedRateOf, type FxRateRow, type RateKind } from "./fx.ts";
import { PEGS, pegRates } from "./pegs.ts";

/** A rate that somebody vouches for: the operator, or the ECB. */
export interface NewFxRate {
  /** As `2026-11-13`. */
  readonly day: string;
  readonly currency: string;
  /** What one euro buys; a decimal as text, because a double would round it. */
  readonly per_eur: string;
}

export interface ChangedFxRate extends NewFxRate {
  readonly kind: RateKind;
  /** False: the day had another rate before. */
  readonly is_new: boolean;
}

/** Forty currencies over a hundred years of working days. */
const RATES_MAX = 1_000_000;
const CHUNK = 20_000;
/** To be raised whenever built-in rates or pegs change: a store takes over those of the newest release it has met. */
export const SHIPPED_RATES_VERSION = 1;

export async function listFxRates(db: Database): Promise<readonly FxRateRow[]> {
  return db.query<FxRateRow>(sql`
    select currency, day - date '1970-01-01' as day_number, kind, per_eur::text as per_eur
      from fx_rate
     order by currency, day, kind
     limit ${RATES_MAX}`);
}

/**
 * The rates for these asks, as the transaction sees them. A step reads them so, and not from a copy that follows changes
 * within a second: whoever saves a rate queues the messages that it prices, and they must not meet an older one.
 */
export async function findRates(
  db: Database,
  asks: readonly { readonly currency: string; readonly atMs: number }[],
): Promise<DatedRateOf> {
  const asked = new Map(
    asks.map(({ currency, atMs }) => {
      const day = Math.floor(atMs / 86_400_000);
      return [`${currency} ${day}`, { currency, day }];
    }),
  );
  const rows = await db.query<FxRateRow>(sql`
    select distinct asked.currency, rate.day - date '1970-01-01' as day_number, rate.kind,
           rate.per_eur::text as per_eur
      from ${recordset([...asked.values()])} as asked (currency text, day integer)
     cross join lateral (
           select day, kind, per_eur
             from fx_rate
            where fx_rate.currency = asked.currency and fx_rate.day <= date '1970-01-01' + asked.day
            order by fx_rate.day desc, fx_rate.kind desc
            limit 1) as rate
     limit ${RATES_MAX}`);
  return createRateTable(rows);
}

export interface PricedDay {
  readonly currency: string;
  readonly day_number: number;
  /** Of the listings that need the rate. */
  readonly count: number;
}

/** For which days rates are needed, because visible listings ask a price in another currency than the euro. */
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

/**
 * Saves declared rates and what follows from them by pegs, and queues the messages whose prices in euros change, and the
 * listings that saved filters read in one of these currencies. Gives the rates that are new or have another value now,
 * pegged ones included.
 */
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

/** Brings the built-in rates and the pegs of this release into the store, unless those of a newer one are there. */
export async function saveShippedRates(pool: DatabasePool): Promise<void> {
  if ((await findRelease(pool)) >= SHIPPED_RATES_VERSION) return;
  await pool.transaction(async (tx) => {
    await lockRates(tx);
    if ((await findRelease(tx)) >= SHIPPED_RATES_VERSION) return;
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

async function findRelease(db: Database): Promise<number> {
  const [row] = await db.query<{ version: number }>(sql`select version from fx_release limit 1`);
  return row?.version ?? 0;
}

/** No step is under way meanwhile: one that has read the old rate and not committed yet would not be queued again. */
async function lockRates(tx: Database): Promise<void> {
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
             as given (currency text, day date, kind fx_rate_kind, per_eur numeric)
       order by currency, day, kind
      on conflict (currency, day, kind) do update set per_eur = excluded.per_eur
       where fx_rate.per_eur <> excluded.per_eur
      returning currency, day::text as day, kind, per_eur::text as per_eur, xmax = 0 as is_new`);
    changed.push(...saved);
    await queuePricedMessages(tx, saved);
  }
  if (changed.length > 0) await queueReadListings(tx, changed);
  return changed;
}

/** Of the currencies and days that are asked about, those for which one of the changed rates counts. */
function pricedDays(
  asked: Sql,
  changed: readonly { readonly currency: string; readonly day: string }[],
): Sql {
  return sql`
    select asked.currency, asked.day
      from (${asked}) as asked
     cross join lateral (
           select fx_rate.day
             from fx_rate
            where fx_rate.currency = asked.currency and fx_rate.day <= asked.day
            order by fx_rate.day desc
            limit 1) as rate
     where (asked.currency, rate.day) in (
           select currency, day from ${recordset(changed)} as changed (currency text, day date))`;
}

/** The messages with a listing whose price in euros is made with one of these rates are read again; nothing fires for them. */
async function queuePricedMessages(tx: Database, changed: readonly ChangedFxRate[]): Promise<void> {
  const days = changed.map(({ currency, day }) => ({ currency, day }));
  const asked = sql`
    select distinct price_currency as currency,
           date '1970-01-01' + (message_timestamp_ms / 86400000)::integer as day
      from listing
     where price_currency <> 'EUR'`;
  await tx.execute(sql`
    insert into message_queue (canonical_message_id)
    select distinct listing.canonical_message_id
      from listing
      join (${pricedDays(asked, days)}) as priced
        on priced.currency = listing.price_currency
       and priced.day = date '1970-01-01' + (message_timestamp_ms / 86400000)::integer
     order by 1
    on conflict (canonical_message_id) do update
       set alert_ms = greatest(message_queue.alert_ms, excluded.alert_ms)`);
}

/**
 * A filter may bound the price in a currency that is neither the euro nor the listing's own. The listings of the days for
 * which one of these rates counts are held against the filters again; nothing fires for them.
 */
async function queueReadListings(tx: Database, changed: readonly ChangedFxRate[]): Promise<void> {
  const currencies = await tx.query<{ currency: string }>(sql`
    select distinct upper(price #>> '{currency}') as currency
      from saved_filter
     cross join lateral jsonb_path_query(filters, '$[*].price') as price
     where upper(price #>> '{currency}') = any(${[...new Set(changed.map(({ currency }) => currency))]})
     order by 1
     limit ${RATES_MAX}`);
  const read = new Set(currencies.map(({ currency }) => currency));
  const days = changed.flatMap(({ currency, day }) =>
    read.has(currency) ? [{ currency, day }] : [],
  );
  if (days.length === 0) return;
  const asked = sql`
    select read.currency, listed.day
      from (select distinct date '1970-01-01' + (message_timestamp_ms / 86400000)::integer as day
              from listing) as listed
     cross join unnest(${[...read]}::text[]) as read (currency)`;
  await tx.execute(sql`
    insert into match_queue (resource, resource_id)
    select distinct 'watch_listing', listing.id
      from listing
      join (${pricedDays(asked, days)}) as priced
        on priced.day = date '1970-01-01' + (message_timestamp_ms / 86400000)::integer
       and priced.currency <> listing.price_currency
     where listing.price_eur_minor is not null
     order by 2
    on conflict (resource, resource_id) do nothing`);
}
