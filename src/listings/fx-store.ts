import type { Database } from "../db/database.ts";
import type { FxRateRow } from "./fx.ts";

/** Forty currencies over a hundred years of working days. */
const RATES_MAX = 1_000_000;

export async function listFxRates(db: Database): Promise<readonly FxRateRow[]> {
  return db<FxRateRow[]>`
    select currency, day - date '1970-01-01' as day_number, is_declared, per_eur::text as per_eur
      from fx_rate
     order by currency, day, is_declared
     limit ${RATES_MAX}`;
}
