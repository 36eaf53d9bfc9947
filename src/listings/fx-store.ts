import type { Database } from "../db/database.ts";
import { recordset } from "../db/row.ts";
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

/** A rate that the operator vouches for. */
export interface NewFxRate {
  /** As `2026-11-13`. */
  readonly day: string;
  readonly currency: string;
  /** What one euro buys; a decimal as text, because a double would round it. */
  readonly per_eur: string;
}

export interface ChangedFxRate extends NewFxRate {
  readonly kind: string;
  /** False: the day had another rate before. */
  readonly is_new: boolean;
}

/** Gives the rates that are new or have another value now. */
export async function saveFxRates(
  tx: Database,
  rows: readonly NewFxRate[],
): Promise<readonly ChangedFxRate[]> {
  return tx<ChangedFxRate[]>`
    insert into fx_rate (currency, day, is_declared, per_eur)
    select currency, day, true, per_eur
      from ${recordset(tx, rows)} as given (currency text, day date, per_eur numeric)
     order by currency, day
    on conflict (currency, day, is_declared) do update set per_eur = excluded.per_eur
     where fx_rate.per_eur <> excluded.per_eur
    returning currency, day::text as day, per_eur::text as per_eur, 'declared' as kind, xmax = 0 as is_new`;
}
