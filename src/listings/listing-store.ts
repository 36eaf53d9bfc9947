import { foldWord } from "../base/text.ts";
import type { Database } from "../db/database.ts";
import { rawSql, type Sql, sql } from "../db/sql.ts";
import { groupNamesOf } from "../messages/group-store.ts";
import type { ListingFacts } from "./listing.ts";
import { askedAtMs } from "./offers.ts";
import { SEARCH_TEXT_BYTES_MAX } from "./search-text.ts";

/** A stored listing, without the columns that only filters read. */
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
  readonly price_drop_from_minor: number | null;
  readonly price_drop_bps: number | null;
  /** When the ask was said first that is the price drop. */
  readonly price_drop_since_ms: number | null;
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

/** The orders of a search. Listings without the value come last; ties are ordered by id. */
export const SORTS = ["newest", "oldest", "price_asc", "price_desc", "year_desc"] as const;

export type Sort = (typeof SORTS)[number];

/** A page starts after the listing with this value and id. The value is null for a listing without one. */
export interface Position {
  readonly value: number | null;
  readonly id: string;
}

export interface ListingPage {
  readonly sort: Sort;
  readonly after?: Position;
  readonly limit: number;
  /** The filter selects few listings: find all and sort them, instead of walking an index in sort order. */
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

/** The position of a listing in that order. */
export function positionOf(row: ListingRow, sort: Sort): Position {
  const value = row[ORDERS[sort].column as "last_seen_at_ms" | "price_eur_minor" | "year"];
  return { value, id: row.id };
}

const GROUP_NAMES = groupNamesOf(sql`group_ids`);

/** The columns of `ListingRow`. */
export const LISTING_COLUMNS = sql`
  id, canonical_message_id, side, message_type, brand, model, reference, reference_normalized, dial_type,
  variant, year, card_month, condition, full_set_status, price_amount_minor, price_currency,
  alternative_price_amount_minor, alternative_price_currency, price_eur_minor, price_drop_from_minor, price_drop_bps,
  case when price_drop_bps is not null then ${askedAtMs("listing")} end as price_drop_since_ms, contact_id, phone_number,
  (select display_name from contact where contact.id = listing.contact_id) as display_name,
  group_ids, ${GROUP_NAMES} as group_names, message_timestamp_ms, first_seen_at_ms, last_seen_at_ms,
  occurrence_count, has_media, is_duplicate, is_hidden, is_revoked, extraction_version, confidence,
  sources, created_at_ms, updated_at_ms`;

export const MESSAGE_TEXT = sql`
  (select text
     from canonical_message as message
    -- The second one after contacts merged, until the listing is read again.
    where message.id = any(array[listing.canonical_message_id,
                                 (select alias.canonical_message_id from message_alias as alias
                                   where alias.old_id = listing.canonical_message_id)])
    limit 1)
    as message_text`;

/** A listing with the text of its message. */
export type ListingInText = ListingRow & { readonly message_text: string | null };

/** Also returns hidden and revoked listings, which have flags for that. Accepts ids from before contacts merged. */
export async function findListing(db: Database, id: string): Promise<ListingInText | undefined> {
  const [row] = await db.query<ListingInText>(sql`
    select ${LISTING_COLUMNS}, ${MESSAGE_TEXT}
      from listing
     where id = ${currentListingId(id)}`);
  return row;
}

/** Without texts, which may have 64 kB each. Unknown ids are left out. */
export async function findListings(
  db: Database,
  ids: readonly string[],
): Promise<readonly ListingRow[]> {
  return db.query<ListingRow>(sql`
    select ${LISTING_COLUMNS}
      from listing
     where id = any(${ids}::uuid[])
     order by id
     limit ${ids.length}`);
}

/** Unknown ids are left out. */
export async function findListingsInText(
  db: Database,
  ids: readonly string[],
): Promise<readonly ListingInText[]> {
  return db.query<ListingInText>(sql`
    select ${LISTING_COLUMNS}, ${MESSAGE_TEXT}
      from listing
     where id = any(${ids}::uuid[])
     order by id
     limit ${ids.length}`);
}

/** The ids of the listings that a message is read as, in the order of the text. */
export interface MessageListings {
  readonly ids: readonly string[];
  /** What was read as talk. */
  readonly notOfferedIds: readonly string[];
}

/** A message without listings has no entry. */
export async function findListingIdsOf(
  db: Database,
  messageIds: readonly string[],
): Promise<ReadonlyMap<string, MessageListings>> {
  const rows = await db.query<MessageListings & { readonly canonical_message_id: string }>(sql`
    select canonical_message_id,
           coalesce(array_agg(id order by line, ordinal) filter (where ${IS_OFFERED}), '{}') as ids,
           coalesce(array_agg(id order by line, ordinal) filter (where not ${IS_OFFERED}), '{}') as "notOfferedIds"
      from listing
     where canonical_message_id = any(${messageIds}::uuid[]) and is_found
     group by canonical_message_id
     order by canonical_message_id
     limit ${messageIds.length}`);
  return new Map(rows.map((row) => [row.canonical_message_id, row]));
}

/** The latest of them are looked at. */
const NOT_OFFERED_MAX = 20_000;

/** A selection of the messages with listings that were read as talk. */
export function messagesNotOffered(): Sql {
  return sql`
    select canonical_message_id
      from listing
     where left_out_reason = 'not_an_offer' and is_found
     order by last_seen_at_ms desc
     limit ${NOT_OFFERED_MAX}`;
}

/** How many listings of messages that are still there were read as talk, at most `NOT_OFFERED_MAX`. */
export async function countNotOffered(
  db: Database,
): Promise<{ readonly listing_count: number; readonly message_count: number }> {
  const [row] = await db.query<{ listing_count: number; message_count: number }>(sql`
    select count(*) as listing_count, count(distinct canonical_message_id) as message_count
      from (select canonical_message_id
              from listing
             where left_out_reason = 'not_an_offer' and is_found and not is_revoked and occurrence_count > 0
             order by last_seen_at_ms desc
             limit ${NOT_OFFERED_MAX}) as latest`);
  return row ?? { listing_count: 0, message_count: 0 };
}

/** The id itself if a listing has it, otherwise the id that it is an alias of; null if it is neither. */
export function currentListingId(id: string): Sql {
  return sql`
    coalesce((select known.id from listing as known where known.id = ${id}),
             (select listing_id from listing_alias where old_id = ${id}))`;
}

/** The whole order of a sort, for a statement without pages. */
export function orderOf(sort: Sort): Sql {
  const { column, isDescending } = ORDERS[sort];
  return sql`${rawSql(column)} ${isDescending ? sql`desc` : sql`asc`} nulls last, id`;
}

/** One page of the listings that `where` selects. At most two statements: listings with the value, then without. */
export async function listListings(
  db: Database,
  where: Sql,
  page: ListingPage,
): Promise<readonly ListingRow[]> {
  const withValue = await listWithValue(db, where, page);
  if (!ORDERS[page.sort].isNullable || withValue.length === page.limit) return withValue;
  return [
    ...withValue,
    ...(await listWithoutValue(db, where, { ...page, limit: page.limit - withValue.length })),
  ];
}

/** Looks at the first `walkMax` listings of the order only. Undefined if they do not fill the page. */
export async function walkListings(
  db: Database,
  where: Sql,
  page: ListingPage & { readonly walkMax: number },
): Promise<readonly ListingRow[] | undefined> {
  const { select, order } = compilePage(page);
  const first = sql`(select * from listing where ${select} ${order} limit ${page.walkMax}) as listing`;
  const rows = await listWithValue(db, where, page, first);
  return rows.length < page.limit ? undefined : rows;
}

async function listWithValue(
  db: Database,
  where: Sql,
  page: ListingPage,
  from = sql`listing`,
): Promise<readonly ListingRow[]> {
  if (page.after?.value === null) return [];
  const { select, order } = compilePage(page);
  const statement = sql`
    select ${LISTING_COLUMNS} from ${from} where ${where} and ${select} ${order} limit ${page.limit}`;
  return db.query<ListingRow>(statement, { isStatic: false });
}

/** Which listings with a value are on this page and on those after it, and their order. */
function compilePage({ sort, after, isSelective }: ListingPage): {
  readonly select: Sql;
  readonly order: Sql;
} {
  const { column, isDescending } = ORDERS[sort];
  const value = rawSql(column);
  // Without `nulls last`, which an index cannot serve in both directions. Listings without a value are left out here.
  const direction = isDescending ? sql`desc` : sql`asc`;
  const start = after === undefined ? sql`true` : compileStart(ORDERS[sort], after);
  return {
    select: sql`${value} is not null and ${start}`,
    // No index fits an expression, so the planner has to use the indexes of the filter.
    order: sql`order by ${isSelective ? sql`(${value} + 0)` : value} ${direction}, id`,
  };
}

/** The first condition is redundant, but it is the one that an index can use; the second orders ties. */
function compileStart(order: Order, after: Position): Sql {
  const value = rawSql(order.column);
  return order.isDescending
    ? sql`${value} <= ${after.value}::bigint and (${value} < ${after.value}::bigint or id > ${after.id})`
    : sql`${value} >= ${after.value}::bigint and (${value} > ${after.value}::bigint or id > ${after.id})`;
}

async function listWithoutValue(
  db: Database,
  where: Sql,
  { sort, after, limit }: ListingPage,
): Promise<readonly ListingRow[]> {
  const value = rawSql(ORDERS[sort].column);
  const start = after?.value === null ? sql`id > ${after.id}` : sql`true`;
  const statement = sql`
    select ${LISTING_COLUMNS}
      from listing
     where ${where} and ${value} is null and ${start}
     order by id
     limit ${limit}`;
  return db.query<ListingRow>(statement, { isStatic: false });
}

/**
 * The listings whose texts have the words of a query of the index, at most `max` of them, in no order. The ids are an array as
 * the store writes it: they go back to the store, and nobody else reads them.
 */
export async function findListingsWithWords(
  db: Database,
  query: string,
  max: number,
): Promise<{ readonly count: number; readonly ids: string }> {
  const [row] = await db.query<{ readonly count: number; readonly ids: string }>(sql`
    select count(*) as count, coalesce(array_agg(id), '{}')::text as ids
      from listings_with_words(${query}::tsquery, ${max}::integer) as found (id)`);
  return row ?? { count: 0, ids: "{}" };
}

/** False if the listing was read as talk. It is then hidden. Of this form the planner knows that it holds for nearly all. */
export const IS_OFFERED = sql`(left_out_reason is distinct from 'not_an_offer')`;

/** The columns of `FactsRow`. The search text is cut to `textMax` characters. */
const factColumns = (textMax: number) => sql`
  id, side, message_type, brand_folded, model_folded, reference_normalized, dial_type_folded,
  variant_folded, year, condition, full_set_status, price_amount_minor, price_currency, price_eur_minor,
  price_drop_bps, phone_number, group_ids, ${GROUP_NAMES} as group_names,
  array_remove(array[contact_id], null)
    || array(select old_id from contact_alias where contact_alias.contact_id = listing.contact_id order by 1)
    as contact_ids,
  array[canonical_message_id]
    || array(select old_id
               from message_alias
              where message_alias.canonical_message_id = listing.canonical_message_id
              order by 1)
    as canonical_message_ids,
  message_timestamp_ms, last_seen_at_ms, has_media, is_duplicate, is_hidden, is_revoked, not ${IS_OFFERED} as is_not_offered,
  left(search_text, ${textMax}::integer) as search_text`;

type FactsRow = Omit<ListingFacts, "group_names_folded"> & {
  readonly group_names: readonly string[];
};

/** What filters read of the listings that were seen last, with the first `textMax` characters of their search texts. */
export async function sampleListingFacts(
  db: Database,
  { limit, textMax }: { readonly limit: number; readonly textMax: number },
): Promise<readonly ListingFacts[]> {
  const rows = await db.query<FactsRow>(sql`
    select ${factColumns(textMax)} from listing order by last_seen_at_ms desc, id limit ${limit}`);
  return rows.map(toFacts);
}

/** What filters read of these listings. Unknown ids are left out. Older releases stored larger search texts: these are cut. */
export async function findListingFacts(
  db: Database,
  ids: readonly string[],
): Promise<readonly ListingFacts[]> {
  const rows = await db.query<FactsRow>(sql`
    select ${factColumns(SEARCH_TEXT_BYTES_MAX)} from listing where id = any(${ids}::uuid[]) order by id
     limit ${ids.length}`);
  return rows.map(toFacts);
}

function toFacts({ group_names, ...row }: FactsRow): ListingFacts {
  return { ...row, group_names_folded: group_names.map(foldWord).filter((name) => name !== "") };
}
