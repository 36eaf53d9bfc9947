import assert from "node:assert/strict";
import { test } from "node:test";
import type { Database } from "../../src/db/database.ts";
import { sql } from "../../src/db/sql.ts";
import { aListingWith, insertListings } from "../support/listings.ts";
import { applyTexts } from "../support/manifest.ts";
import { borrowTestDatabase } from "../support/shared-store.ts";
import { NOW_MS } from "../support/test-app.ts";

const MARKET = `
profiles: [{name: default, status: live}]
views: [{name: Europe, source_market: EU, filters: {country_codes: {include: ['44']}}}]
configurations: [{profile: default, brand: Rolex, reference: 126610LN}]
alerts: [{name: buys, strategy: price_engine, view: Europe}]`;

test("after a change of a source view, listings that arrived before do not fire alerts on buys", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  const british = aListingWith({ phone_number: "447700900123" });
  const german = aListingWith({ phone_number: "4915100000000" });
  await insertListings(pool, [british, german]);
  await applyTexts(pool, MARKET);
  for (const { id } of [british, german]) {
    await pool.execute(
      sql`insert into fresh_listing (listing_id, until_ms) values (${id}, ${NOW_MS + 1000})`,
    );
  }
  const before = await sinceSequenceOf(pool, "buys");

  await applyTexts(
    pool,
    "views: [{name: Europe, source_market: EU, filters: {country_codes: {include: ['44', '49']}}}]",
  );

  const members = await pool.query(sql`select from listing_model`);
  const fresh = await pool.query<{ id: string }>(sql`select listing_id as id from fresh_listing`);
  assert.equal(members.length, 2);
  assert.deepEqual(
    fresh.map(({ id }) => id),
    [british.id],
  );
  assert.ok((await sinceSequenceOf(pool, "buys")) > before);
});

async function sinceSequenceOf(db: Database, name: string): Promise<number> {
  const [row] = await db.query<{ since: number }>(
    sql`select since_sequence as since from alert where name = ${name}`,
  );
  return row?.since ?? Number.NaN;
}
