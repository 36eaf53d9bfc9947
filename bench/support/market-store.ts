import { systemClock } from "../../src/base/clock.ts";
import type { DatabasePool } from "../../src/db/database.ts";
import { sql } from "../../src/db/sql.ts";
import { insertRows } from "../../test/support/rows.ts";
import { type MarketListing, NOW_MS } from "./market.ts";

const ROWS_AT_ONCE = 2_000;

export interface Loading {
  readonly count: number;
  createRow(sequence: number): object;
  /** The indexes that are created again; all, if absent. */
  readonly indexes?: readonly string[];
}

/** Loads the rows first and then creates the indexes, which is faster for a million rows. */
export async function loadListings(
  db: DatabasePool,
  { count, createRow, indexes }: Loading,
): Promise<void> {
  const all = await db.query<{ name: string; definition: string }>(sql`
    select indexname as name, indexdef as definition from pg_indexes
     where tablename = 'listing' and indexname <> 'listing_pkey'`);
  for (const { name } of all) await db.script(`drop index ${name}`);
  await db.script("alter table listing disable trigger all");
  await insertListings(db, { from: 1, to: count, createRow });
  await db.transaction(async (tx) => {
    await tx.script("set local maintenance_work_mem = '512MB'");
    for (const { name, definition } of all) {
      if (indexes?.includes(name) ?? true) await tx.script(definition);
    }
  });
  await db.script("alter table listing enable trigger all");
  await db.execute(sql`select setval('listing_sequence', ${count})`);
  await db.script("vacuum analyze listing");
}

export async function insertListings(
  db: DatabasePool,
  rows: { readonly from: number; readonly to: number; createRow(sequence: number): object },
): Promise<void> {
  for (let from = rows.from; from <= rows.to; from += ROWS_AT_ONCE) {
    const length = Math.min(ROWS_AT_ONCE, rows.to - from + 1);
    const some = Array.from({ length }, (_, at) => rows.createRow(from + at));
    await db.execute(insertRows("listing", some));
  }
}

/** The row of a generated listing, whose message is that of a dealer of its own. */
export function toListingRow(made: MarketListing, sequence: number, nowMs = systemClock.nowMs()) {
  const { group_names_folded, contact_ids, canonical_message_ids, is_not_offered, ...listing } =
    made;
  // The generator's clock stands still; what is read is bounded by the service's clock.
  const shiftMs = nowMs - NOW_MS;
  const messageAtMs = listing.message_timestamp_ms + shiftMs;
  return {
    ...listing,
    price_drop_from_minor:
      listing.price_drop_bps === null
        ? null
        : Math.round(
            ((listing.price_amount_minor ?? 0) * 10_000) / (10_000 - listing.price_drop_bps),
          ),
    canonical_message_id: canonical_message_ids[0],
    contact_id: canonical_message_ids[0],
    message_timestamp_ms: messageAtMs,
    first_seen_at_ms: messageAtMs,
    last_seen_at_ms: listing.last_seen_at_ms + shiftMs,
    sequence,
    created_at_ms: NOW_MS,
    updated_at_ms: NOW_MS,
  };
}

/** One event, message and occurrence for each listing: most of a real store is made of these. */
export async function addMessages(db: DatabasePool): Promise<void> {
  await db.execute(sql`
    insert into raw_event (sha256, gateway, origin, body, received_at_ms)
    select sha256(id::text::bytea), 'waha', 'webhook', convert_to(row_to_json(listing)::text, 'UTF8'), first_seen_at_ms
      from listing`);
  await db.execute(sql`
    insert into canonical_message (id, contact_id, text, first_seen_at_ms, last_seen_at_ms, occurrence_count)
    select canonical_message_id, min(contact_id::text)::uuid, min(search_text), min(first_seen_at_ms), max(last_seen_at_ms), count(*)
      from listing
     group by canonical_message_id`);
  await db.execute(sql`
    insert into occurrence (id, group_id, raw_id, sent_at_ms, sender_ids, contact_id, is_own, has_media, is_revoked, is_edited,
                            session_ids, canonical_message_id)
    select id, group_ids[1], md5(id::text), message_timestamp_ms, array[contact_id::text], contact_id, false, false, false, false,
           '{}', canonical_message_id
      from listing`);
}
