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
  readonly brand: string;
  readonly reference: string;
  readonly reference_normalized: string;
  readonly model: string | null;
  readonly listing_count: number;
  readonly median_price_eur_minor: number | null;
}

/** Those of the references that have a listing that `where` selects, most listings first. Each costs `listingsMax` at most. */
export async function describeReferences(
  db: Database,
  where: Sql,
  asked: { readonly references: readonly string[]; readonly listingsMax: number },
): Promise<readonly FoundReference[]> {
  return db.query<FoundReference>(sql`
    select mode() within group (order by brand) as brand,
           mode() within group (order by reference) as reference,
           reference_normalized,
           mode() within group (order by model) as model,
           count(*) as listing_count,
           ${MEDIAN} as median_price_eur_minor
      from unnest(${[...asked.references]}::text[]) as asked (reference_key)
     cross join lateral (
        select brand, brand_folded, reference, reference_normalized, model, side, price_eur_minor
          from listing
         where reference_normalized = asked.reference_key and brand is not null and ${where}
         order by last_seen_at_ms desc, id
         limit ${asked.listingsMax}) as newest
     group by brand_folded, reference_normalized
     order by listing_count desc, brand_folded, reference_normalized
     limit ${asked.references.length}`);
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
