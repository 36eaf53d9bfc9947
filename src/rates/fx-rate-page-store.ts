import type { Database } from "../db/database.ts";
import { joinSql, sql } from "../db/sql.ts";
import type { RateKind } from "./fx.ts";

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
