import type { Database } from "../../db/database.ts";
import { dropNulls, type Present } from "../../db/row.ts";
import { sql } from "../../db/sql.ts";

export interface HistoryQuery {
  readonly configurationId: string;
  readonly year: number;
  readonly conditionBucket: string;
  readonly fromMs: number | null;
  readonly toMs: number | null;
  readonly limit: number;
}

interface HistoryRow {
  readonly calculated_at_ms: number;
  readonly status: string;
  readonly listing_count: number;
  readonly market_average_eur_minor: number | null;
  readonly market_median_eur_minor: number | null;
  readonly consumer_min_eur_minor: number | null;
  readonly consumer_max_eur_minor: number | null;
  readonly maximum_buy_eur_minor: number | null;
}

/** The values of a cell from a time on. */
export type CellPoint = Present<HistoryRow>;

export interface CellHistory {
  /** The latest ones, oldest first. */
  readonly items: readonly CellPoint[];
  /** How many rows the query selects without its limit. */
  readonly total: number;
}

/** The changes of one cell, in one statement. A deleted configuration keeps its history. Returns undefined if there never was one. */
export async function findCellHistory(
  db: Database,
  query: HistoryQuery,
): Promise<CellHistory | undefined> {
  const selection = sql`
    configuration_id = ${query.configurationId} and year = ${query.year}
    and condition_bucket = ${query.conditionBucket}
    and calculated_at_ms >= ${query.fromMs ?? 0} and calculated_at_ms <= ${query.toMs ?? MS_MAX}`;
  const rows = await db.query<{ total: number } & HistoryRow>(sql`
    with points as (
      select configuration_id, calculated_at_ms, status, listing_count, market_average_eur_minor,
             market_median_eur_minor, consumer_min_eur_minor, consumer_max_eur_minor, maximum_buy_eur_minor
        from price_cell_history
       where ${selection}
       order by calculated_at_ms desc
       limit ${query.limit}
    )
    select (select count(*) from price_cell_history where ${selection}) as total,
           points.calculated_at_ms, points.status, points.listing_count, points.market_average_eur_minor,
           points.market_median_eur_minor, points.consumer_min_eur_minor, points.consumer_max_eur_minor,
           points.maximum_buy_eur_minor
      from price_configuration as configuration
      left join points on points.configuration_id = configuration.id
     where configuration.id = ${query.configurationId}
     order by points.calculated_at_ms`);
  const [first] = rows;
  if (first === undefined) return undefined;
  const items = rows
    .filter(({ calculated_at_ms }) => calculated_at_ms !== null)
    .map(({ total: _, ...point }) => dropNulls(point));
  return { items, total: first.total };
}

const MS_MAX = Number.MAX_SAFE_INTEGER;
