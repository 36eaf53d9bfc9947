import { foldWord } from "../base/text.ts";
import type { Database } from "../db/database.ts";
import { rowset, type Sql, sql } from "../db/sql.ts";
import type { Clause } from "../filters/language/clause.ts";
import type { Filter } from "../filters/language/filter.ts";
import { compileSql, loadDirectory } from "../filters/sql/compile-sql.ts";
import type { SourceMarket } from "../matching/membership-store.ts";
import type { ConditionBucket } from "./cells/cell.ts";
import { IS_PRICEABLE } from "./cells/refresh-store.ts";
import type { Ranking, RankingCell } from "./ranking.ts";

/** An available cell, and the highest value that one of its asks can have. */
export interface BoundedCell extends RankingCell {
  readonly configuration_id: string;
  readonly year: number;
  readonly condition_bucket: ConditionBucket;
  /** No ask of the cell that is not suspect is landed below it. */
  readonly lowest_ask_eur_minor: number;
  readonly bound: number;
}

/** The cells that can have asks of a filter. */
export interface CellSelection {
  readonly ranking: Ranking;
  /** A condition on the cell, as `compileCells` returns it. */
  readonly where: Sql;
  /** No cell whose bound is lower. */
  readonly boundMin: number;
}

const BOUNDS: Readonly<Record<Ranking, Sql>> = {
  profit: sql`profit_bound_eur_minor`,
  profit_bps: sql`profit_bound_bps`,
};

/** The available cells with the columns of `listing` that all members of a cell agree on. */
const CELLS = sql`
  (select cell.configuration_id, cell.year, cell.condition_bucket, cell.market_average_eur_minor,
          cell.plausible_min_eur_minor, cell.plausible_max_eur_minor, profile.hk_markup_rate_bps,
          profile.hk_markup_fixed_eur_minor, cell.profit_bound_eur_minor, cell.profit_bound_bps,
          coalesce(cell.lowest_ask_eur_minor, cell.plausible_min_eur_minor, 0) as lowest_ask_eur_minor,
          configuration.brand, configuration.market_reference_normalized as reference_normalized,
          upper(cell.condition_bucket) as condition, null::text as left_out_reason
     from price_cell as cell
     join price_configuration as configuration
       on configuration.id = cell.configuration_id and configuration.deleted_at_ms is null
     join price_profile as profile on profile.id = configuration.profile_id
    where cell.status = 'available') as cell`;

/** The next cells, highest bound first: all whose bound is at least `atLeast`, and `count` more. */
export async function listCells(
  db: Database,
  { ranking, where, boundMin }: CellSelection,
  page: { readonly after?: BoundedCell; readonly atLeast: number; readonly count: number },
): Promise<{ readonly cells: readonly BoundedCell[]; readonly isLast: boolean }> {
  const { after } = page;
  const bound = BOUNDS[ranking];
  const start =
    after === undefined
      ? sql`true`
      : sql`${bound} <= ${after.bound}::bigint
            and (${bound} < ${after.bound}::bigint
                 or (configuration_id, year, condition_bucket)
                    > (${after.configuration_id}::uuid, ${after.year}::integer, ${after.condition_bucket}))`;
  const above =
    after === undefined
      ? sql`(select count(*) from price_cell where status = 'available' and ${bound} >= ${page.atLeast}::bigint)`
      : sql`0`;
  const statement = sql`
    select configuration_id, year, condition_bucket, market_average_eur_minor, plausible_min_eur_minor,
           plausible_max_eur_minor, hk_markup_rate_bps, hk_markup_fixed_eur_minor, lowest_ask_eur_minor,
           ${bound} as bound, ${page.count}::bigint + ${above} as count
      from ${CELLS}
     where ${bound} >= ${boundMin}::bigint and ${start} and ${where}
     order by ${bound} desc, configuration_id, year, condition_bucket
     limit ${page.count}::bigint + ${above}`;
  const rows = await db.query<BoundedCell & { readonly count: number }>(statement, {
    isStatic: false,
  });
  return { cells: rows, isLast: rows.length < (rows[0]?.count ?? 1) };
}

/** The part of a filter that all members of a cell agree on, as a condition on the rows of `listCells`. */
export async function compileCells(db: Database, filter: Filter): Promise<Sql> {
  const clauses = filter.clauses.filter(isOfCell);
  const others = clauses.filter((clause) => !isOfBrand(clause));
  const own = compileSql({ ...filter, clauses: others }, await loadDirectory(db, filter));
  const brands = clauses
    .filter(isOfBrand)
    .flatMap((clause) => ("values" in clause ? [clause] : []));
  if (brands.length === 0) return own;
  const rows = await db.query<{ readonly brand: string }>(sql`
    select distinct brand from price_configuration where deleted_at_ms is null`);
  const names = rows
    .map(({ brand }) => brand)
    .filter((brand) => brands.every(({ values }) => values.includes(foldWord(brand))));
  return sql`${own} and brand = any(${names}::text[])`;
}

function isOfBrand(clause: Clause): boolean {
  return clause.kind === "any_of" && clause.attribute === "brand";
}

function isOfCell(clause: Clause): boolean {
  if (clause.kind === "between") return clause.attribute === "year";
  return clause.kind === "any_of" && OF_CELL.has(clause.attribute);
}

const OF_CELL: ReadonlySet<string> = new Set(["brand", "reference", "year", "condition"]);

/** The members of a cell in one market, from an ask on. */
export interface MemberRange
  extends Pick<BoundedCell, "configuration_id" | "year" | "condition_bucket"> {
  readonly source_market: SourceMarket;
  /** The first ask, or the one after which to go on. */
  readonly price_eur_minor: number;
  readonly listing_id: string;
}

export interface CellMember {
  /** Which of the ranges it is of. */
  readonly at: number;
  readonly listing_id: string;
  readonly price_eur_minor: number;
}

const RANGE_TYPES = {
  at: "integer",
  configuration_id: "uuid",
  year: "integer",
  condition_bucket: "text",
  source_market: "text",
  price_eur_minor: "bigint",
  listing_id: "uuid",
} as const;

/** The first members of each range, lowest ask first. Reads one index and nothing else. */
export async function listMembers(
  db: Database,
  ranges: readonly MemberRange[],
  count: number,
): Promise<readonly CellMember[]> {
  const rows = ranges.map((range, at) => ({ ...range, at }));
  return db.query<CellMember>(sql`
    select range.at, member.listing_id, member.price_eur_minor
      from ${rowset("range", rows, RANGE_TYPES)}
     cross join lateral (
           select model.listing_id, model.price_eur_minor
             from listing_model as model
            where model.configuration_id = range.configuration_id and model.year = range.year
              and model.condition_bucket = range.condition_bucket and model.source_market = range.source_market
              and (model.price_eur_minor, model.listing_id) > (range.price_eur_minor, range.listing_id)
            order by model.price_eur_minor, model.listing_id
            limit ${count}) as member
     order by range.at, member.price_eur_minor, member.listing_id`);
}

/** The listings that a filter selects and that a cell could have, at most `max` of them, in no order. */
export async function listFew(
  db: Database,
  { where, sinceMs }: { readonly where: Sql; readonly sinceMs: number },
  max: number,
): Promise<readonly string[]> {
  const statement = sql`
    select listing.id
      from listing
     where ${where} and ${IS_PRICEABLE} and listing.last_seen_at_ms >= ${sinceMs}::bigint
     limit ${max}`;
  const rows = await db.query<{ readonly id: string }>(statement, { isStatic: false });
  return rows.map(({ id }) => id);
}
