import type { Database } from "../../db/database.ts";
import { joinSql, rawSql, type Sql, sql } from "../../db/sql.ts";
import { TWO_DIGIT_CODES } from "../listing.ts";

/** What the listings can be counted by, in the order of the response. */
export const FACETS = [
  "brand",
  "model",
  "reference",
  "year",
  "condition",
  "full_set_status",
  "dial_type",
  "variant",
  "country_code",
  "group",
] as const;

export type FacetName = (typeof FACETS)[number];

export interface FacetValue {
  /** As a filter takes it. */
  readonly value: string;
  readonly count: number;
  /** Of a group. */
  readonly id?: string;
}

export interface FacetCounts {
  readonly facets: ReadonlyMap<FacetName, readonly FacetValue[]>;
  readonly total: number;
  readonly priceMinMinor: number | null;
  readonly priceMaxMinor: number | null;
}

interface CountRow {
  readonly facet: FacetName | null;
  readonly value: string | null;
  readonly id: string | null;
  readonly count: number;
  readonly low: number | null;
  readonly high: number | null;
}

/** The most frequent values of each facet among the listings that `where` selects, all counted in one pass. */
export async function countFacets(
  db: Database,
  where: Sql,
  asked: { readonly facets: readonly FacetName[]; readonly limit: number },
): Promise<FacetCounts> {
  const { facets, limit } = asked;
  const columns = [sql`price_eur_minor`, ...facets.map((facet) => COUNTS[facet].columns)];
  const counts = facets.map((facet, at) => {
    const rows = COUNTS[facet].count(limit);
    return sql`
      union all
      select ${facet}, ${at + 1}::integer, value, id, count, null, null from (${rows}) as counted`;
  });
  const statement = sql`
    with matched as materialized (select ${joinSql(columns, ", ")} from listing where ${where})
    select facet, value, id, count, low, high
      from (select null as facet, 0 as facet_at, null as value, null::uuid as id, count(*) as count,
                   min(price_eur_minor) as low, max(price_eur_minor) as high
              from matched
            ${joinSql([sql``, ...counts], " ")}) as every
     order by facet_at, count desc, value collate "C", id`;
  const rows = await db.query<CountRow>(statement, { isStatic: false });
  const [all] = rows;
  const valuesOf = (facet: FacetName) =>
    rows
      .filter((row) => row.facet === facet)
      .map(({ value, count, id }) => ({
        value: value ?? id ?? "",
        count,
        ...(id === null ? {} : { id }),
      }));
  return {
    facets: new Map(facets.map((facet) => [facet, valuesOf(facet)])),
    total: all?.count ?? 0,
    priceMinMinor: all?.low ?? null,
    priceMaxMinor: all?.high ?? null,
  };
}

interface FacetSql {
  readonly columns: Sql;
  /** Rows of value, id and count. */
  readonly count: (limit: number) => Sql;
}

/** The country calling code of `phone_number` in SQL, as `countryPrefixOf` reads it. */
const COUNTRY_PREFIX = sql`
  left(phone_number,
       case when phone_number ~ '^[17]' then 1
            when phone_number ~ ${TWO_DIGIT_CODES.source} then 2
            else 3 end)`;

const COUNTS: Readonly<Record<FacetName, FacetSql>> = {
  brand: spelled("brand"),
  model: spelled("model"),
  reference: single("reference_normalized", sql`reference_normalized`),
  year: single("year", sql`year`),
  condition: single("condition", sql`condition`),
  full_set_status: single("full_set_status", sql`unnest(full_set_status)`),
  dial_type: spelled("dial_type"),
  variant: spelled("variant"),
  country_code: single("phone_number", COUNTRY_PREFIX),
  group: {
    columns: sql`group_ids`,
    count: (limit) => sql`
      select coalesce(market_group.name, counted.id::text) as value, counted.id, counted.count
        from (select unnest(group_ids) as id, count(*) as count
                from matched
               group by 1
               order by count desc, id
               limit ${limit}) as counted
        left join market_group on market_group.id = counted.id`,
  },
};

function single(column: string, value: Sql): FacetSql {
  return {
    columns: rawSql(column),
    count: (limit) => sql`
      select value::text, null::uuid as id, count(*) as count
        from (select ${value} as value from matched where ${rawSql(column)} is not null) as own
       group by value
       order by count desc, value
       limit ${limit}`,
  };
}

/** Counted as filters compare it, and shown in its most frequent spelling. */
function spelled(column: string): FacetSql {
  const [written, folded] = [rawSql(column), rawSql(`${column}_folded`)];
  return {
    columns: sql`${written}, ${folded}`,
    count: (limit) => sql`
      select (array_agg(spelling order by count desc, spelling))[1] as value, null::uuid as id,
             sum(count)::bigint as count
        from (select ${folded} as folded, coalesce(${written}, ${folded}) as spelling,
                     count(*) as count
                from matched
               where ${folded} is not null
               group by 1, 2) as own
       group by folded
       order by 3 desc, folded
       limit ${limit}`,
  };
}
