import type { Database } from "../../db/database.ts";
import { type Sql, sql } from "../../db/sql.ts";

/** What references can be sorted by, the highest first. */
export const REFERENCE_SORTS = ["listing_count", "last_seen", "median_price"] as const;
export type ReferenceSort = (typeof REFERENCE_SORTS)[number];

/** One reference of one brand, with figures of its listings. Prices are those of asks. */
export interface ReferenceRow {
  readonly brand_folded: string;
  readonly reference_normalized: string;
  readonly brand: string;
  readonly reference: string;
  readonly model: string | null;
  readonly listing_count: number;
  readonly for_sale_count: number;
  readonly want_to_buy_count: number;
  readonly contact_count: number;
  readonly min_price_eur_minor: number | null;
  readonly median_price_eur_minor: number | null;
  readonly max_price_eur_minor: number | null;
  readonly first_seen_at_ms: number;
  readonly last_seen_at_ms: number;
  /** What the list is sorted by. */
  readonly value: number | null;
}

/** A page starts after the reference with these. The value is null for one without a price. */
export interface ReferencePosition {
  readonly value: number | null;
  readonly brandFolded: string;
  readonly referenceNormalized: string;
}

export interface ReferencePage {
  readonly sort: ReferenceSort;
  readonly limit: number;
  readonly after?: ReferencePosition;
}

const MEDIAN = sql`
  round((percentile_cont(0.5) within group (order by price_eur_minor)
           filter (where side = 'for_sale'))::numeric)::bigint`;

const VALUES: Readonly<Record<ReferenceSort, Sql>> = {
  listing_count: sql`count(*)`,
  last_seen: sql`max(last_seen_at_ms)`,
  median_price: MEDIAN,
};

/**
 * One page of the references of the listings that `where` selects. Listings without a brand or reference count nowhere.
 * The names and the costly figures are only calculated for the page.
 */
export async function listReferences(
  db: Database,
  where: Sql,
  { sort, limit, after }: ReferencePage,
): Promise<readonly ReferenceRow[]> {
  const value = VALUES[sort];
  const start = after === undefined ? sql`true` : compileStart(value, after);
  const statement = sql`
    with matched as materialized (
      select brand, brand_folded, reference, reference_normalized, model, side, contact_id, price_eur_minor,
             first_seen_at_ms, last_seen_at_ms
        from listing
       where ${where} and brand_folded is not null and reference_normalized is not null),
    page as (
      select brand_folded, reference_normalized, ${value} as value
        from matched
       group by brand_folded, reference_normalized
      having ${start}
       order by value desc nulls last, brand_folded, reference_normalized
       limit ${limit})
    select brand_folded, reference_normalized, page.value,
           coalesce(mode() within group (order by brand), brand_folded) as brand,
           coalesce(mode() within group (order by reference), reference_normalized) as reference,
           mode() within group (order by model) as model,
           count(*) as listing_count,
           count(*) filter (where side = 'for_sale') as for_sale_count,
           count(*) filter (where side = 'want_to_buy') as want_to_buy_count,
           count(distinct contact_id) as contact_count,
           min(price_eur_minor) filter (where side = 'for_sale') as min_price_eur_minor,
           ${MEDIAN} as median_price_eur_minor,
           max(price_eur_minor) filter (where side = 'for_sale') as max_price_eur_minor,
           min(first_seen_at_ms) as first_seen_at_ms,
           max(last_seen_at_ms) as last_seen_at_ms
      from page
      join matched using (brand_folded, reference_normalized)
     group by brand_folded, reference_normalized, page.value
     order by page.value desc nulls last, brand_folded, reference_normalized`;
  return db.query<ReferenceRow>(statement, { isStatic: false });
}

/** A reference as a search shows it. The figures are of its newest listings, at most as many as were asked for. */
export interface FoundReference {
  /** As in the newest listing. */
  readonly brand: string;
  readonly reference: string;
  readonly reference_normalized: string;
  readonly model: string | null;
  readonly listing_count: number;
  readonly median_price_eur_minor: number | null;
}

interface AskedReferences {
  readonly references: readonly string[];
  /** Listings of each that are counted at most. */
  readonly listingsMax: number;
  readonly limit: number;
}

/** Enough to tell a reference that is traded from one that is rare. */
const RANKED_MAX = 200;

/**
 * Those of the references that have listings that `where` selects, most listings first. A few listings of each decide which are
 * returned, and only these are counted.
 */
export async function describeReferences(
  db: Database,
  where: Sql,
  { references, listingsMax, limit }: AskedReferences,
): Promise<readonly FoundReference[]> {
  const newestOf = (columns: Sql, rowsMax: number) => sql`
    select ${columns}
      from listing
     where reference_normalized = reference_key and brand is not null and ${where}
     order by last_seen_at_ms desc, id
     limit ${rowsMax}`;
  return db.query<FoundReference>(sql`
    with ranked as materialized (
      select reference_key
        from unnest(${[...references]}::text[]) as asked (reference_key)
       cross join lateral (${newestOf(sql`id`, RANKED_MAX)}) as newest
       group by reference_key
       order by count(*) desc, reference_key
       limit ${limit})
    select (array_agg(brand order by last_seen_at_ms desc, id))[1] as brand,
           (array_agg(reference order by last_seen_at_ms desc, id))[1] as reference,
           reference_key as reference_normalized,
           (array_agg(model order by last_seen_at_ms desc, id))[1] as model,
           count(*) as listing_count,
           ${MEDIAN} as median_price_eur_minor
      from ranked
     cross join lateral (
        ${newestOf(sql`id, brand, brand_folded, reference, model, side, price_eur_minor, last_seen_at_ms`, listingsMax)}
      ) as newest
     group by reference_key, brand_folded
     order by listing_count desc, reference_key, brand_folded
     limit ${limit}`);
}

/** The references of the newest listings that `where` selects, the most frequent first. */
export async function listNewestReferences(
  db: Database,
  where: Sql,
  page: { readonly listingsMax: number; readonly limit: number },
): Promise<readonly string[]> {
  const rows = await db.query<{ reference_normalized: string }>(sql`
    select reference_normalized
      from (select reference_normalized
              from listing
             where ${where}
             order by last_seen_at_ms desc, id
             limit ${page.listingsMax}) as newest
     where reference_normalized is not null
     group by reference_normalized
     order by count(*) desc, reference_normalized
     limit ${page.limit}`);
  return rows.map(({ reference_normalized }) => reference_normalized);
}

/** After the position in the order of the page: lower values, then equal values with a higher name, then no value. */
function compileStart(value: Sql, after: ReferencePosition): Sql {
  const isBehind = sql`
    (brand_folded, reference_normalized) > (${after.brandFolded}::text, ${after.referenceNormalized}::text)`;
  if (after.value === null) return sql`(${value}) is null and ${isBehind}`;
  return sql`
    ((${value}) is null or (${value}) < ${after.value}::bigint
     or ((${value}) = ${after.value}::bigint and ${isBehind}))`;
}
