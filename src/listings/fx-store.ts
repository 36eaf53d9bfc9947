import type { Database } from "../db/database.ts";
import { recordset } from "../db/row.ts";
import { createRateTable, type FxRateRow, type RateOf } from "./fx.ts";

/** Forty currencies over a hundred years of working days. */
const RATES_MAX = 1_000_000;

export async function listFxRates(db: Database): Promise<readonly FxRateRow[]> {
  return db<FxRateRow[]>`
    select currency, day - date '1970-01-01' as day_number, is_declared, per_eur::text as per_eur
      from fx_rate
     order by currency, day, is_declared
     limit ${RATES_MAX}`;
}

const DAY_MS = 86_400_000;

/** The rates for these asks, as the transaction sees them: whoever saves a rate prices what is stored by then anew. */
export async function findRates(
  db: Database,
  asks: readonly { readonly currency: string; readonly atMs: number }[],
): Promise<RateOf> {
  const asked = new Map(
    asks.map(({ currency, atMs }) => {
      const day = Math.floor(atMs / DAY_MS);
      return [`${currency} ${day}`, { currency, day }];
    }),
  );
  if (asked.size === 0) return createRateTable([]);
  const rows = await db<FxRateRow[]>`
    select distinct asked.currency, rate.day - date '1970-01-01' as day_number, rate.is_declared,
           rate.per_eur::text as per_eur
      from ${recordset(db, [...asked.values()])} as asked (currency text, day integer)
     cross join lateral (
           select day, is_declared, per_eur
             from fx_rate
            where fx_rate.currency = asked.currency and fx_rate.day <= date '1970-01-01' + asked.day
            order by fx_rate.day desc, fx_rate.is_declared desc
            limit 1) as rate
     limit ${RATES_MAX}`;
  return createRateTable(rows);
}
