import { foldWord } from "../base/text.ts";
import type { Database } from "../db/database.ts";
import { rawSql, type Sql, sql } from "../db/sql.ts";
import type { ListingFacts } from "./listing.ts";

/** A listing as it is stored, without what only filters read. */
export interface ListingRow {
  readonly id: string;
  readonly canonical_message_id: string;
  readonly side: string;
  readonly message_type: string;
  readonly brand: string | null;
  readonly model: string | null;
  readonly reference: string | null;
  readonly reference_normalized: string | null;
  readonly dial_type: string | null;
  readonly variant: string | null;
  readonly year: number | null;
  readonly card_month: number | null;
  readonly condition: string | null;
  readonly full_set_status: readonly string[];
  readonly price_amount_minor: number | null;
  readonly price_currency: string | null;
  readonly alternative_price_amount_minor: number | null;
  readonly alternative_price_currency: string | null;
  readonly price_eur_minor: number | null;
  readonly contact_id: string | null;
  readonly phone_number: string | null;
  readonly display_name: string | null;
  readonly group_ids: readonly string[];
  readonly group_names: readonly string[];
  readonly message_timestamp_ms: number;
  readonly first_seen_at_ms: number;
  readonly last_seen_at_ms: number;
  readonly occurrence_count: number;
  readonly has_media: boolean;
  readonly is_duplicate: boolean;
  readonly is_hidden: boolean;
  readonly is_revoked: boolean;
  readonly extraction_version: number;
  readonly confidence: number;
  readonly sources: Readonly<Record<string, unknown>>;
  readonly created_at_ms: number;
  readonly updated_at_ms: number;
}

/** The orders of a search. What lacks the value comes last; ties are broken by id. */
export const SORTS = ["newest", "oldest", "price_asc", "price_desc", "year_desc"] as const;
export type Sort = (typeof SORTS)[number];

/** Where a page begins: behind the listing with this value and id; null is what lacks the value. */
export interface Position {
  readonly value: number | null;
  readonly id: string;
}

export interface ListingPage {
  readonly sort: Sort;
  readonly after?: Position;
  readonly limit: number;
  /** Few listings are selected: find them all and sort them, and do not walk the order until enough of them came. */
  readonly isSelective: boolean;
}

type Order = {
  readonly column: string;
  readonly isDescending: boolean;
  readonly isNullable: boolean;
};

const ORDERS: Readonly<Record<Sort, Order>> = {
  newest: { column: "last_seen_at_ms", isDescending: true, isNullable: false },
  oldest: { column: "last_seen_at_ms", isDescending: false, isNullable: false },
  price_asc: { column: "price_eur_minor", isDescending: false, isNullable: true },
  price_desc: { column: "price_eur_minor", isDescending: true, isNullable: true },
  year_desc: { column: "year", isDescending: true, isNullable: true },
};

/** The value by which a listing stands in that order. */
export function positionOf(row: ListingRow, sort: Sort): Position {
  const value = row[ORDERS[sort].column as "last_seen_at_ms" | "price_eur_minor" | "year"];
  return { value, id: row.id };
}

/** A listing with the text that it stands in. */
export type ListingInText = ListingRow & { readonly message_text: string | null };

/** Hidden and revoked ones too: they say so themselves. An id from before contacts merged leads to the listing. */
export async function findListing(db: Database, id: string): Promise<ListingInText | undefined> {
  const [row] = await db.query<ListingInText>(sql`
    select ${columns()}, ${messageText()}
      from listing
     where id = ${currentListingId(id)}`);
  return row;
}

/** In no particular order; an id that is not there is left out. */
export async function findListings(
  db: Database,
  ids: readonly string[],
): Promise<readonly ListingInText[]> {
  return db.query<ListingInText>(sql`
    select ${columns()}, ${messageText()}
      from listing
     where id = any(${[...ids]}::uuid[])
     order by id
     limit ${ids.length}`);
}

function messageText(): Sql {
  return sql`
    (select text from canonical_message where canonical_message.id = listing.canonical_message_id)
      as message_text`;
}

/** The id itself while a listing has it, else the one that it leads to; null when it never was one. */
export function currentListingId(id: string): Sql {
  return sql`
    coalesce((select known.id from listing as known where known.id = ${id}),
             (select listing_id from listing_alias where old_id = ${id}))`;
}

/** One page of the listings that `where` selects. Two statements at most, each read in the order of an index. */
export async function listListings(
  db: Database,
  where: Sql,
  page: ListingPage,
): Promise<readonly ListingRow[]> {
  const valued = await listValued(db, where, page);
  if (!ORDERS[page.sort].isNullable || valued.length === page.limit) return valued;
  return [
    ...valued,
    ...(await listValueless(db, where, { ...page, limit: page.limit - valued.length })),
  ];
}

export async function countListings(db: Database, where: Sql): Promise<number> {
  const statement = sql`select count(*) as total from listing where ${where}`;
  const [row] = await db.query<{ total: number }>(statement, { isStatic: false });
  return row?.total ?? 0;
}

async function listValued(
  db: Database,
  where: Sql,
  { sort, after, limit, isSelective }: ListingPage,
): Promise<readonly ListingRow[]> {
  if (after?.value === null) return [];
  const { column, isDescending, isNullable } = ORDERS[sort];
  const value = rawSql(column);
  // An expression has no index, so the planner must take those of the filter.
  const order = isSelective ? sql`(${value} + 0)` : value;
  const direction = isDescending ? (isNullable ? sql`desc nulls last` : sql`desc`) : sql`asc`;
  const start = after === undefined ? sql`true` : compileStart(ORDERS[sort], after);
  const statement = sql`
    select ${columns()}
      from listing
     where ${where} and ${value} is not null and ${start}
     order by ${order} ${direction}, id
     limit ${limit}`;
  return db.query<ListingRow>(statement, { isStatic: false });
}

// The bound on the value alone is what an index is read from; the rest settles ties.
function compileStart(order: Order, after: Position): Sql {
  const value = rawSql(order.column);
  return order.isDescending
    ? sql`${value} <= ${after.value}::bigint and (${value} < ${after.value}::bigint or id > ${after.id})`
    : sql`${value} >= ${after.value}::bigint and (${value} > ${after.value}::bigint or id > ${after.id})`;
}

async function listValueless(
  db: Database,
  where: Sql,
  { sort, after, limit }: ListingPage,
): Promise<readonly ListingRow[]> {
  const value = rawSql(ORDERS[sort].column);
  const start = after?.value === null ? sql`id > ${after.id}` : sql`true`;
  const statement = sql`
    select ${columns()}
      from listing
     where ${where} and ${value} is null and ${start}
     order by id
     limit ${limit}`;
  return db.query<ListingRow>(statement, { isStatic: false });
}

function columns(): Sql {
  return sql`
    id, canonical_message_id, side, message_type, brand, model, reference, reference_normalized, dial_type,
    variant, year, card_month, condition, full_set_status, price_amount_minor, price_currency,
    alternative_price_amount_minor, alternative_price_currency, price_eur_minor, contact_id, phone_number,
    (select display_name from contact where contact.id = listing.contact_id) as display_name, group_ids, ${groupNames()} as group_names, message_timestamp_ms, first_seen_at_ms, last_seen_at_ms,
    occurrence_count, has_media, is_duplicate, is_hidden, is_revoked, extraction_version, confidence,
    sources, created_at_ms, updated_at_ms`;
}

/** In the order of the ids; a group without a name has none. */
function groupNames(): Sql {
  return sql`
    array(select market_group.name
            from unnest(group_ids) with ordinality as own (id, at)
            join market_group on market_group.id = own.id
           where market_group.name is not null
           order by own.at)`;
}

type FactsRow = Omit<ListingFacts, "group_names_folded"> & {
  readonly group_names: readonly string[];
};

/** What filters read of the latest changed listings. */
export async function listListingFacts(
  db: Database,
  limit: number,
): Promise<readonly ListingFacts[]> {
  const rows = await db.query<FactsRow>(sql`
    select ${factColumns()} from listing order by sequence desc limit ${limit}`);
  return rows.map(toFacts);
}

/** What filters read of these listings, in no particular order; an id that is not there is left out. */
export async function findListingFacts(
  db: Database,
  ids: readonly string[],
): Promise<readonly ListingFacts[]> {
  const rows = await db.query<FactsRow>(sql`
    select ${factColumns()} from listing where id = any(${`{${ids.join(",")}}`}::uuid[]) order by id
     limit ${ids.length}`);
  return rows.map(toFacts);
}

function factColumns(): Sql {
  return sql`
    id, side, message_type, brand_folded, model_folded, reference_normalized, dial_type_folded,
    variant_folded, year, condition, full_set_status, price_amount_minor, price_currency, price_eur_minor,
    phone_number, group_ids, ${groupNames()} as group_names,
    array_remove(array[contact_id], null)
      || array(select old_id from contact_alias where contact_alias.contact_id = listing.contact_id order by 1)
      as contact_ids,
    array[canonical_message_id]
      || array(select old_id
                 from message_alias
                where message_alias.canonical_message_id = listing.canonical_message_id
                order by 1)
      as canonical_message_ids,
    message_timestamp_ms, last_seen_at_ms, has_media, is_duplicate, is_hidden, is_revoked, search_text`;
}

function toFacts({ group_names, ...row }: FactsRow): ListingFacts {
  return { ...row, group_names_folded: group_names.map(foldWord).filter((name) => name !== "") };
}
