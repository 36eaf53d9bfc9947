import { DAY_MS } from "../base/clock.ts";
import type { Database } from "../db/database.ts";
import { rawSql, rowset, sql } from "../db/sql.ts";
import type { ListingColumns } from "./listing-rows.ts";
import { DROP_MS, isSameAsk, priceDropOf } from "./offers.ts";
import { SEARCH_TEXT_BYTES_MAX } from "./search-text.ts";

const COLUMN_TYPES: Readonly<Record<keyof ListingColumns, string>> = {
  id: "uuid",
  canonical_message_id: "uuid",
  line: "integer",
  ordinal: "integer",
  side: "text",
  message_type: "text",
  brand: "text",
  brand_folded: "text",
  model: "text",
  model_folded: "text",
  reference: "text",
  reference_normalized: "text",
  dial_type: "text",
  dial_type_folded: "text",
  variant: "text",
  variant_folded: "text",
  year: "integer",
  card_month: "integer",
  condition: "text",
  full_set_status: "text[]",
  price_amount_minor: "bigint",
  price_currency: "text",
  alternative_price_amount_minor: "bigint",
  alternative_price_currency: "text",
  price_eur_minor: "bigint",
  asks: "jsonb",
  status: "text",
  contact_id: "uuid",
  phone_number: "text",
  group_ids: "uuid[]",
  message_timestamp_ms: "bigint",
  first_seen_at_ms: "bigint",
  last_seen_at_ms: "bigint",
  occurrence_count: "integer",
  has_media: "boolean",
  is_hidden: "boolean",
  left_out_reason: "text",
  is_revoked: "boolean",
  is_found: "boolean",
  ask_key: "uuid",
  search_text: "text",
  extraction_version: "integer",
  confidence: "double precision",
  sources: "jsonb",
};

/** The columns of `ListingColumns`. */
const COLUMN_NAMES = Object.keys(COLUMN_TYPES);

const COLUMNS = rawSql(COLUMN_NAMES.join(", "));

const COLUMNS_WITHOUT_TEXT = rawSql(
  COLUMN_NAMES.filter((name) => name !== "search_text").join(", "),
);

/** An ask that is repeated within so many days, at the same price, is a duplicate. */
export const REPEAT_DAYS = 30;

export const REPEAT_MS = REPEAT_DAYS * DAY_MS;

/** True if the row called `ask` repeats an earlier visible listing of another message. */
const IS_REPEAT = sql`
  exists (select
            from listing as earlier
           where ${isSameAsk("ask", "earlier")} and not earlier.is_hidden and not earlier.is_revoked
             and earlier.message_timestamp_ms >= ask.message_timestamp_ms - ${REPEAT_MS}::bigint
             and (earlier.message_timestamp_ms, earlier.id) < (ask.message_timestamp_ms, ask.id))`;

/**
 * All listings of these messages, in the order of the text. A search text that is larger than we would write is cut, so
 * it differs from the one just read and is replaced.
 */
export async function findListingsOf(
  tx: Database,
  messageIds: readonly string[],
): Promise<readonly ListingColumns[]> {
  return tx.query<ListingColumns>(sql`
    select ${COLUMNS_WITHOUT_TEXT}, left(search_text, ${SEARCH_TEXT_BYTES_MAX + 1}) as search_text
      from listing
     where canonical_message_id = any(${messageIds}::uuid[])
     order by canonical_message_id, line, ordinal`);
}

/** What is stored of the listings of a message. */
export interface StoredListings {
  readonly id: string;
  /** Of their search texts. */
  readonly bytes: number;
  readonly contact_ids: readonly string[];
}

/** By message. One without listings has no entry. */
export async function findStoredListings(
  tx: Database,
  messageIds: readonly string[],
): Promise<ReadonlyMap<string, StoredListings>> {
  // The length is known without reading the text.
  const rows = await tx.query<StoredListings>(sql`
    select canonical_message_id as id, sum(octet_length(search_text))::bigint as bytes,
           array_remove(array_agg(distinct contact_id), null) as contact_ids
      from listing
     where canonical_message_id = any(${messageIds}::uuid[])
     group by canonical_message_id
     order by canonical_message_id
     limit ${messageIds.length}`);
  return new Map(rows.map((row) => [row.id, row]));
}

/**
 * Stores listings that are new or changed. `is_duplicate` is computed from the listings stored before this statement;
 * `refreshNeighbours` corrects it where these rows are duplicates of each other, and computes price drops, which few have.
 */
export async function saveListings(
  tx: Database,
  rows: readonly ListingColumns[],
  nowMs: number,
): Promise<void> {
  await tx.execute(sql`
    insert into listing (${COLUMNS}, is_duplicate, created_at_ms, updated_at_ms)
    select ${COLUMNS}, ${IS_REPEAT}, ${nowMs}::bigint, ${nowMs}::bigint
      from ${rowset("ask", rows, COLUMN_TYPES)}
     order by id
    on conflict (id) do update set
      side = excluded.side, message_type = excluded.message_type, brand = excluded.brand,
      brand_folded = excluded.brand_folded, model = excluded.model, model_folded = excluded.model_folded,
      reference = excluded.reference, reference_normalized = excluded.reference_normalized,
      dial_type = excluded.dial_type, dial_type_folded = excluded.dial_type_folded, variant = excluded.variant,
      variant_folded = excluded.variant_folded, year = excluded.year, card_month = excluded.card_month,
      condition = excluded.condition, full_set_status = excluded.full_set_status,
      price_amount_minor = excluded.price_amount_minor, price_currency = excluded.price_currency,
      alternative_price_amount_minor = excluded.alternative_price_amount_minor,
      alternative_price_currency = excluded.alternative_price_currency,
      price_eur_minor = excluded.price_eur_minor, asks = excluded.asks, status = excluded.status, contact_id = excluded.contact_id,
      phone_number = excluded.phone_number, group_ids = excluded.group_ids,
      message_timestamp_ms = excluded.message_timestamp_ms, first_seen_at_ms = excluded.first_seen_at_ms,
      last_seen_at_ms = excluded.last_seen_at_ms, occurrence_count = excluded.occurrence_count,
      has_media = excluded.has_media, is_duplicate = excluded.is_duplicate, is_hidden = excluded.is_hidden,
      left_out_reason = excluded.left_out_reason, is_revoked = excluded.is_revoked, is_found = excluded.is_found, ask_key = excluded.ask_key,
      search_text = excluded.search_text, extraction_version = excluded.extraction_version,
      confidence = excluded.confidence, sources = excluded.sources, updated_at_ms = excluded.updated_at_ms,
      -- Without a key it has no neighbours.
      price_drop_from_minor = case when excluded.ask_key is not null then listing.price_drop_from_minor end,
      price_drop_bps = case when excluded.ask_key is not null then listing.price_drop_bps end`);
}

/** An ask that was added, removed or changed, and when it was said first. */
interface TouchedAsk {
  readonly ask_key: string;
  readonly at_ms: number;
}

/** A listing with another `is_duplicate` or price drop than before. */
export interface FlippedAsk {
  readonly id: string;
  /** Its price drop is larger, or new, and it has not just stopped being a duplicate. */
  readonly has_fallen: boolean;
}

/** What a listing says about its neighbours. */
interface Judged {
  readonly id: string;
  readonly is_duplicate: boolean;
  readonly from_minor: number | null;
  readonly bps: number | null;
}

const JUDGED_TYPES = {
  id: "uuid",
  is_duplicate: "boolean",
  from_minor: "bigint",
  bps: "integer",
} as const;

/**
 * Computes `is_duplicate` and the price drop again for the listings that follow a touched ask: the same watch, up to 60 days
 * later, and those whose ask is that of a reply. Returns those whose value changed.
 */
export async function refreshNeighbours(
  tx: Database,
  touched: readonly TouchedAsk[],
  nowMs: number,
): Promise<readonly FlippedAsk[]> {
  const changed = await tx.query<FlippedAsk & Judged>(sql`
    with touched as materialized (
      select ask_key, at_ms from ${rowset("sent", touched, { ask_key: "uuid", at_ms: "bigint" })}
    ), replied as materialized (
      select distinct on (listing.id) listing.id, listing.ask_key, listing.canonical_message_id,
             listing.message_timestamp_ms, listing.side, listing.variant_folded, listing.is_hidden, listing.is_revoked,
             listing.asks
        from touched
        join listing on listing.ask_key = touched.ask_key and listing.asks is not null
    ), near as materialized (
      select following.id
        from touched
        -- Looked up one by one: a planner that guesses the count walks all listings.
       cross join lateral (select id
                             from listing
                            where ask_key = touched.ask_key
                              and message_timestamp_ms between touched.at_ms and touched.at_ms + ${DROP_MS}::bigint
                           offset 0) as following
      union
      select id from replied
    )
    select judged.id, judged.is_duplicate, judged.from_minor, judged.bps,
           coalesce(judged.bps, 0) > coalesce(judged.old_bps, 0)
             and (judged.is_duplicate or not judged.was_duplicate) as has_fallen
      from (select ask.id, ask.is_duplicate as was_duplicate, ask.price_drop_from_minor as old_from_minor,
                   ask.price_drop_bps as old_bps, ${IS_REPEAT} as is_duplicate, price_drop.from_minor, price_drop.bps
              from near
             cross join lateral (select * from listing where listing.id = near.id limit 1) as ask
              left join lateral ${priceDropOf("ask")} on true) as judged
     where judged.is_duplicate <> judged.was_duplicate
        or judged.from_minor is distinct from judged.old_from_minor
        or judged.bps is distinct from judged.old_bps`);
  if (changed.length === 0) return [];
  await tx.execute(sql`
    update listing
       set is_duplicate = judged.is_duplicate, price_drop_from_minor = judged.from_minor,
           price_drop_bps = judged.bps, updated_at_ms = ${nowMs}
      from ${rowset("judged", changed, JUDGED_TYPES)}
     where listing.id = judged.id`);
  return changed;
}

export async function removeListings(tx: Database, ids: readonly string[]): Promise<void> {
  await tx.execute(sql`delete from listing where id = any(${ids}::uuid[])`);
}

/** The ids under which the listings of these messages were known before contacts merged. */
export async function listFormerListings(
  db: Database,
  messageIds: readonly string[],
): Promise<readonly string[]> {
  const rows = await db.query<{ old_id: string }>(sql`
    select alias.old_id
      from listing
      join listing_alias as alias on alias.listing_id = listing.id
     where listing.canonical_message_id = any(${[...messageIds]}::uuid[])
     order by alias.old_id`);
  return rows.map(({ old_id }) => old_id);
}

/** Makes the old ids lead to the new listings. Aliases that led to an old id now lead to the new listing too. */
export async function saveListingAliases(
  tx: Database,
  moves: readonly { readonly from: string; readonly to: string }[],
): Promise<void> {
  const pairs = sql`unnest(${moves.map(({ from }) => from)}::uuid[], ${moves.map(({ to }) => to)}::uuid[])
                   as moved (old_id, new_id)`;
  await tx.execute(sql`
    update listing_alias set listing_id = moved.new_id
      from ${pairs} where listing_alias.listing_id = moved.old_id`);
  await tx.execute(sql`
    insert into listing_alias (old_id, listing_id) select old_id, new_id from ${pairs}
    on conflict (old_id) do update set listing_id = excluded.listing_id`);
}

/** An id that a listing uses again must not be an alias. */
export async function removeListingAliases(tx: Database, ids: readonly string[]): Promise<void> {
  await tx.execute(sql`delete from listing_alias where old_id = any(${ids}::uuid[])`);
}

/** Deletes the aliases that lead to these listings. */
export async function removeAliasesToListings(tx: Database, ids: readonly string[]): Promise<void> {
  await tx.execute(sql`delete from listing_alias where listing_id = any(${ids}::uuid[])`);
}

/** Deletes the aliases whose listing does not exist, and those whose old id is in use again. */
export async function removeVoidListingAliases(tx: Database): Promise<void> {
  await tx.execute(sql`
    delete from listing_alias as alias
     where not exists (select from listing where id = alias.listing_id)
        or exists (select from listing where id = alias.old_id)`);
}

/**
 * Deletes all that was made from messages. The aliases stay: ids that clients have keep working. Corrections stay too,
 * because people made them.
 */
export async function clearListings(tx: Database): Promise<void> {
  await tx.execute(sql`truncate message_extraction, match_queue, listing, corrected_message`);
}
