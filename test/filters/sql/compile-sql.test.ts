import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { DAY_MS } from "../../../src/base/time.ts";
import type { Database } from "../../../src/db/database.ts";
import { sql } from "../../../src/db/sql.ts";
import { parseFilter } from "../../../src/filters/language/filter.ts";
import { matches } from "../../../src/filters/language/predicate.ts";
import { compileSql } from "../../../src/filters/sql/compile-sql.ts";
import { createRateTable } from "../../../src/rates/fx.ts";
import { listFxRates } from "../../../src/rates/fx-store.ts";
import {
  anyFilterObject,
  anyListing,
  CONTEXT,
  DIRECTORY,
  RATES,
} from "../../support/filter-arbitraries.ts";
import { insertListings, type TestListing } from "../../support/listings.ts";
import { openTestDatabase } from "../../support/test-database.ts";

const SCALE = process.env["ASSAY_TEST_LONG"] === undefined ? 1 : 10;
const FILTERS = 200 * SCALE;
const LISTINGS = 200;

test("a filter selects the same listings in memory and in SQL", async (t) => {
  const { pool } = await openTestDatabase(t);
  const listings = uniqueById(fc.sample(anyListing, LISTINGS));
  await insertListings(pool, listings);
  await insertRates(pool);
  const counts = { matched: 0, matching: 0 };

  await fc.assert(
    fc.asyncProperty(anyFilterObject, async (given) => {
      const filter = parseFilter(given);
      const inMemory = listings.filter((listing) => matches(filter, listing, CONTEXT));
      const inSql = await selectIds(pool, given);
      counts.matched += inMemory.length;
      counts.matching += inMemory.length > 0 ? 1 : 0;
      assert.deepEqual(inSql, new Set(inMemory.map(({ id }) => id)));
    }),
    { numRuns: FILTERS },
  );

  assert.ok(counts.matching > FILTERS / 4, `only ${counts.matching} of ${FILTERS} match anything`);
  assert.ok(counts.matched > (FILTERS * LISTINGS) / 50, `only ${counts.matched} pairs match`);
});

test("the rates read from the store are those that the predicate uses", async (t) => {
  const { pool } = await openTestDatabase(t);
  await insertRates(pool);

  const rateOf = createRateTable(await listFxRates(pool));

  for (const { currency, day_number } of RATES) {
    for (const day of [day_number - 1, day_number, day_number + 1]) {
      const atMs = day * DAY_MS + 86_399_999;
      assert.deepEqual(rateOf(currency, atMs), CONTEXT.rateOf(currency, atMs));
    }
  }
});

async function selectIds(db: Database, given: unknown): Promise<Set<string>> {
  const rows = await db.query<{ id: string }>(sql`
    select id from listing where ${compileSql(parseFilter(given), DIRECTORY)} order by id limit 1000`);
  return new Set(rows.map(({ id }) => id));
}

async function insertRates(db: Database): Promise<void> {
  for (const { currency, day_number, kind, per_eur } of RATES) {
    await db.execute(sql`
      insert into fx_rate (currency, day, kind, per_eur)
      values (${currency}, date '1970-01-01' + ${day_number}::integer, ${kind}::fx_rate_kind, ${per_eur})`);
  }
}

function uniqueById(listings: readonly TestListing[]): readonly TestListing[] {
  return [...new Map(listings.map((listing) => [listing.id, listing])).values()];
}
