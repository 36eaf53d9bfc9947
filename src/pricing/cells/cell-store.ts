import { createHash } from "node:crypto";
import type { Database } from "../../db/database.ts";
import { dropNulls, type Present } from "../../db/row.ts";
import { rawSql, type Sql, sql } from "../../db/sql.ts";
import type { Sets } from "../../filters/language/sets.ts";
import type { CalculatedCell, CellKey } from "./cell.ts";

/** All cells of one calculation of a configuration. */
export interface ConfigurationCells {
  readonly configuration_id: string;
  readonly cells: readonly CalculatedCell[];
}

/** The values that the history of a cell records. */
const PRICES = [
  "status",
  "listing_count",
  "market_average_eur_minor",
  "market_median_eur_minor",
  "consumer_min_eur_minor",
  "consumer_max_eur_minor",
  "maximum_buy_eur_minor",
] as const;
/** Values that can change although no price changes. History does not record them. */
const TERMS = [
  "lookback_days",
  "minimum_profit_eur_minor",
  "maximum_hk_ask_eur_minor",
  "plausible_min_eur_minor",
  "plausible_max_eur_minor",
  "ask_median_eur_minor",
  "suspect_count",
  "quartile_low_eur_minor",
  "quartile_high_eur_minor",
  "lowest_ask_eur_minor",
] as const;
const PRICES_AND_TERMS = [...PRICES, ...TERMS];
const HASHED = ["year", "condition_bucket", ...PRICES_AND_TERMS] as const;

export interface SavedCells {
  /** How many cells were added, changed or deleted. */
  readonly changedCellCount: number;
  /** The configurations with a cell that is available no more. */
  readonly lostIds: readonly string[];
}

/**
 * Replaces the stored cells of these configurations by the calculated ones, in one statement that writes only the
 * difference.
 *
 * Invariant: afterwards `price_cell` has exactly the calculated cells, and the latest row of each cell's history has the
 * prices of the cell, or the status `gone` if it was deleted.
 *
 * Example: stored are the cells 2023 new, 2023 used and 2022 new. Calculated are 2023 new with another average, 2023 used
 * as before, and 2021 new. The statement updates 2023 new, inserts 2021 new and deletes 2022 new, with one row of history
 * for each of the three, and counts 3. It does not write 2023 used. If only the minimum profit of a cell changes, the
 * cell is updated without a row of history.
 */
export async function saveCells(
  tx: Database,
  configurations: readonly ConfigurationCells[],
  nowMs: number,
): Promise<SavedCells> {
  const ids = configurations.map(({ configuration_id }) => configuration_id);
  const [row] = await tx.query<{ count: number; lost_ids: readonly string[] }>(sql`
    with calculated as materialized (${selectCalculated(configurations)}),
         changed as materialized (${selectChanged(ids)}),
         saved as (${SAVE_CHANGED}),
         deleted as (${deleteOthers(ids)}),
         recorded as (${recordHistory(nowMs)})
    select (select count(*) from changed) + (select count(*) from deleted) as count,
           array(select configuration_id from changed where was_available and status <> 'available'
                 union
                 select configuration_id from deleted where was_available) as lost_ids`);
  return { changedCellCount: row?.count ?? 0, lostIds: row?.lost_ids ?? [] };
}

/**
 * Equal for equal cells, and only for those. It covers the names of the columns, so that a new column changes every hash and
 * its values are written.
 */
export function hashCells(cells: readonly CalculatedCell[]): string {
  const values = cells.map((cell) => HASHED.map((name) => cell[name]));
  return createHash("sha256")
    .update(JSON.stringify([HASHED, values]))
    .digest("base64");
}

/** One array for each column, because the server needs ten times as long for JSON with so many rows. */
function selectCalculated(configurations: readonly ConfigurationCells[]): Sql {
  const cells = configurations.flatMap(({ configuration_id, cells }) =>
    cells.map((cell) => ({ configuration_id, ...cell })),
  );
  const valuesOf = (name: keyof (typeof cells)[number]) => cells.map((cell) => cell[name]);
  return sql`
    select *
      from unnest(
        ${valuesOf("configuration_id")}::uuid[], ${valuesOf("year")}::integer[],
        ${valuesOf("condition_bucket")}::text[], ${valuesOf("status")}::text[],
        ${valuesOf("listing_count")}::integer[], ${valuesOf("market_average_eur_minor")}::bigint[],
        ${valuesOf("market_median_eur_minor")}::bigint[], ${valuesOf("consumer_min_eur_minor")}::bigint[],
        ${valuesOf("consumer_max_eur_minor")}::bigint[], ${valuesOf("maximum_buy_eur_minor")}::bigint[],
        ${valuesOf("lookback_days")}::integer[], ${valuesOf("minimum_profit_eur_minor")}::bigint[],
        ${valuesOf("maximum_hk_ask_eur_minor")}::bigint[], ${valuesOf("plausible_min_eur_minor")}::bigint[],
        ${valuesOf("plausible_max_eur_minor")}::bigint[], ${valuesOf("ask_median_eur_minor")}::bigint[],
        ${valuesOf("suspect_count")}::integer[], ${valuesOf("quartile_low_eur_minor")}::bigint[],
        ${valuesOf("quartile_high_eur_minor")}::bigint[], ${valuesOf("lowest_ask_eur_minor")}::bigint[]
      ) as cell (configuration_id, year, condition_bucket, ${columns(PRICES_AND_TERMS)})`;
}

/** The cells that are new or differ from the stored ones; `has_moved` if they need a row of history. */
function selectChanged(ids: readonly string[]): Sql {
  return sql`
    select cell.*,
           old.configuration_id is null
           or (${columns(PRICES, "old")}) is distinct from (${columns(PRICES, "cell")}) as has_moved,
           old.status = 'available' as was_available
      from calculated as cell
      left join price_cell as old
        on old.configuration_id = any(${ids}::uuid[])
       and (old.configuration_id, old.year, old.condition_bucket)
           = (cell.configuration_id, cell.year, cell.condition_bucket)
     where old.configuration_id is null
        or (${columns(PRICES_AND_TERMS, "old")}) is distinct from (${columns(PRICES_AND_TERMS, "cell")})`;
}

const SAVE_CHANGED = sql`
  insert into price_cell (configuration_id, year, condition_bucket, ${columns(PRICES_AND_TERMS)})
  select configuration_id, year, condition_bucket, ${columns(PRICES_AND_TERMS)}
    from changed
   order by configuration_id, year, condition_bucket
  on conflict (configuration_id, year, condition_bucket) do update
     set (${columns(PRICES_AND_TERMS)}) = row (${columns(PRICES_AND_TERMS, "excluded")})`;

/** Deletes the stored cells that the calculation no longer has. */
function deleteOthers(ids: readonly string[]): Sql {
  return sql`
    delete from price_cell as old
     where old.configuration_id = any(${ids}::uuid[])
       and not exists (
         select from calculated as cell
          where (cell.configuration_id, cell.year, cell.condition_bucket)
                = (old.configuration_id, old.year, old.condition_bucket))
    returning old.configuration_id, old.year, old.condition_bucket, old.status = 'available' as was_available`;
}

function recordHistory(nowMs: number): Sql {
  return sql`
    insert into price_cell_history (configuration_id, year, condition_bucket, calculated_at_ms, ${columns(PRICES)})
    select configuration_id, year, condition_bucket, ${nowMs}::bigint, ${columns(PRICES)}
      from changed
     where has_moved
    union all
    select configuration_id, year, condition_bucket, ${nowMs}::bigint, 'gone', 0, null, null, null, null, null
      from deleted
     order by configuration_id, year, condition_bucket
    on conflict (configuration_id, year, condition_bucket, calculated_at_ms) do update
       set (${columns(PRICES)}) = row (${columns(PRICES, "excluded")})`;
}

function columns(names: readonly string[], table?: string): Sql {
  return rawSql(names.map((name) => (table === undefined ? name : `${table}.${name}`)).join(", "));
}

/** A cell of the latest snapshot. */
export async function findCell(
  db: Database,
  configurationId: string,
  { year, condition_bucket }: CellKey,
): Promise<CalculatedCell | undefined> {
  const [cell] = await db.query<CalculatedCell>(sql`
    select year, condition_bucket, ${columns(PRICES_AND_TERMS)}
      from price_cell
     where configuration_id = ${configurationId} and year = ${year} and condition_bucket = ${condition_bucket}`);
  return cell;
}

interface HistoryQuery {
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

interface CellHistory {
  /** The latest ones, oldest first. */
  readonly items: readonly CellPoint[];
  /** How many rows the query selects without its limit. */
  readonly total: number;
  /** The times between the bounds at which the configuration began to compare other sets, oldest first. */
  readonly marks: readonly HistoryMark[];
}

interface HistoryMark {
  readonly at_ms: number;
  readonly kind: "sets";
  readonly from: Sets;
  readonly to: Sets;
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
  const rows = await db.query<Pick<CellHistory, "total" | "marks"> & HistoryRow>(sql`
    with points as (
      select configuration_id, calculated_at_ms, status, listing_count, market_average_eur_minor,
             market_median_eur_minor, consumer_min_eur_minor, consumer_max_eur_minor, maximum_buy_eur_minor
        from price_cell_history
       where ${selection}
       order by calculated_at_ms desc
       limit ${query.limit}
    )
    select (select count(*) from price_cell_history where ${selection}) as total,
           (select coalesce(json_agg(json_build_object('at_ms', at_ms, 'kind', kind, 'from', before, 'to', after) order by at_ms), '[]')
              from price_configuration_mark
             where configuration_id = ${query.configurationId} and before is not null
               and at_ms >= ${query.fromMs ?? 0} and at_ms <= ${query.toMs ?? MS_MAX}) as marks,
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
    .map(({ total: _, marks: _marks, ...point }) => dropNulls(point));
  return { items, total: first.total, marks: first.marks };
}

const MS_MAX = Number.MAX_SAFE_INTEGER;
