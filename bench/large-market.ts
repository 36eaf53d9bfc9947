import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { HOUR_MS, systemClock } from "../src/base/clock.ts";
import { createLogger } from "../src/base/log.ts";
import type { DatabasePool } from "../src/db/database.ts";
import { openEmbeddedServer } from "../src/db/embedded/server.ts";
import { migrate } from "../src/db/migrate.ts";
import { openPool } from "../src/db/pool.ts";
import { sql } from "../src/db/sql.ts";
import { insertRows } from "../test/support/insert.ts";
import { type Market, NOW_MS } from "./market.ts";

export interface LargeMarket {
  readonly db: DatabasePool;
  readonly url: string;
  close(): Promise<void>;
}

/** A database of its own on an embedded server of its own, with this many listings and all indexes. */
export async function openLargeMarket(market: Market, listingCount: number): Promise<LargeMarket> {
  const log = createLogger("warn");
  const dataDir = mkdtempSync(join(tmpdir(), "assay-bench-"));
  const server = await openEmbeddedServer({ dataDir, log });
  const setUp = openPool({ url: server.setUpUrl("postgres"), name: "bench" });
  await setUp.script("create database bench template template0");
  await setUp.end();
  const url = server.setUpUrl("bench");
  const db = openPool({ url, name: "bench", statementTimeoutMs: HOUR_MS });
  const close = async (): Promise<void> => {
    await db.end();
    await server.release();
    rmSync(dataDir, { recursive: true, force: true });
  };
  try {
    await migrate(db, log);
    await loadListings(db, market, listingCount);
  } catch (error) {
    await close();
    throw error;
  }
  return { db, url, close };
}

/** Loads the rows first and then creates the indexes, which is faster for a million rows. */
async function loadListings(
  pool: DatabasePool,
  market: Market,
  listingCount: number,
): Promise<void> {
  const indexes = await pool.query<{ name: string; definition: string }>(sql`
    select indexname as name, indexdef as definition from pg_indexes
     where tablename = 'listing' and indexname <> 'listing_pkey'`);
  for (const { name } of indexes) await pool.script(`drop index ${name}`);
  await pool.script(`alter table listing disable trigger all`);
  let rows: object[] = [];
  for (let at = 1; at <= listingCount; at += 1) {
    rows.push(toRow(market, at));
    if (rows.length < 2_000 && at < listingCount) continue;
    await pool.execute(insertRows("listing", rows));
    rows = [];
  }
  await pool.transaction(async (tx) => {
    await tx.script("set local maintenance_work_mem = '512MB'");
    for (const { definition } of indexes) await tx.script(definition);
  });
  await pool.script("alter table listing enable trigger all");
  await pool.execute(sql`select setval('listing_sequence', ${listingCount})`);
  await pool.script("vacuum analyze listing");
}

function toRow(market: Market, sequence: number) {
  const { group_names_folded, contact_ids, canonical_message_ids, ...listing } = market.listing();
  // The generator's clock stands still; what is read is bounded by the service's clock.
  const shiftMs = systemClock.nowMs() - NOW_MS;
  const messageAtMs = listing.message_timestamp_ms + shiftMs;
  return {
    ...listing,
    canonical_message_id: canonical_message_ids[0],
    // Each message is of another dealer.
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
export async function addMessages(pool: DatabasePool): Promise<void> {
  await pool.execute(sql`
    insert into raw_event (sha256, gateway, origin, body, received_at_ms)
    select sha256(id::text::bytea), 'waha', 'webhook', convert_to(row_to_json(listing)::text, 'UTF8'), first_seen_at_ms
      from listing`);
  await pool.execute(sql`
    insert into canonical_message (id, contact_id, text, first_seen_at_ms, last_seen_at_ms, occurrence_count)
    select canonical_message_id, min(contact_id::text)::uuid, min(search_text), min(first_seen_at_ms), max(last_seen_at_ms), count(*)
      from listing
     group by canonical_message_id`);
  await pool.execute(sql`
    insert into occurrence (id, group_id, raw_id, sent_at_ms, sender_ids, contact_id, is_own, has_media, is_revoked, is_edited,
                            session_ids, canonical_message_id)
    select id, group_ids[1], md5(id::text), message_timestamp_ms, array[contact_id::text], contact_id, false, false, false, false,
           '{}', canonical_message_id
      from listing`);
}
