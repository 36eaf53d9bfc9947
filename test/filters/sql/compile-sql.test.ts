import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { DAY_MS } from "../../../src/base/clock.ts";
import { createLogger } from "../../../src/base/log.ts";
import type { Database } from "../../../src/db/database.ts";
import { listMigrations, type Migration, migrate } from "../../../src/db/migrate.ts";
import { sql } from "../../../src/db/sql.ts";
import { TEXT_MODES } from "../../../src/filters/language/clause.ts";
import { type Filter, parseFilter, parseFilters } from "../../../src/filters/language/filter.ts";
import { matches } from "../../../src/filters/language/predicate.ts";
import { compileSearch, compileSql } from "../../../src/filters/sql/compile-sql.ts";
import { createRateTable } from "../../../src/rates/fx.ts";
import { listFxRates } from "../../../src/rates/fx-store.ts";
import {
  anyFilterObject,
  anyListing,
  anySets,
  CONTEXT,
  DIRECTORY,
  RATES,
} from "../../support/generators/filter-arbitraries.ts";
import { aListingWith, insertListings, type TestListing } from "../../support/listings.ts";
import { borrowTestDatabase } from "../../support/shared-store.ts";
import { openTestDatabase } from "../../support/test-database.ts";

const SCALE = process.env["ASSAY_TEST_LONG"] === undefined ? 1 : 10;
const FILTERS = 200 * SCALE;
const LISTINGS = 200;

test("a filter selects the same listings in memory and in SQL", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  const listings = uniqueById(fc.sample(anyListing, LISTINGS));
  await insertListings(pool, listings);
  await insertRates(pool);
  const counts = { matched: 0, matching: 0 };

  await fc.assert(
    fc.asyncProperty(anyFilterObject, anySets, async (given, sets) => {
      const filter = parseFilters([given], { sets });
      const inMemory = listings.filter((listing) => matches(filter, listing, CONTEXT));
      const inSql = await selectIds(pool, filter);
      counts.matched += inMemory.length;
      counts.matching += inMemory.length > 0 ? 1 : 0;
      assert.deepEqual(inSql, new Set(inMemory.map(({ id }) => id)));
    }),
    { numRuns: FILTERS },
  );

  assert.ok(counts.matching > FILTERS / 4, `only ${counts.matching} of ${FILTERS} match anything`);
  assert.ok(counts.matched > (FILTERS * LISTINGS) / 50, `only ${counts.matched} pairs match`);
});

const TEXTS = [
  "and or not",
  "劳力士 迪通拿 全新",
  "Ρολόι χρυσό",
  "ساعة رولكس",
  "1e5 0x10 5711/1A-010 12,500.00",
  `${"x".repeat(300)} long`,
  "full set, full box",
  "'; drop table listing; --",
  "rolex:* & !daytona",
];

const QUERIES = [
  ...TEXTS,
  "or",
  "劳力",
  "χρυσ",
  "رولكس",
  "5711 1a",
  "57111",
  "x".repeat(255),
  "x".repeat(299),
  "full box",
  "box ful",
  "力 全",
  "drop",
  "dayt",
];

test("the index of words finds what the predicate finds, in every script", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  const listings = TEXTS.map((message_text) => aListingWith({ message_text }));
  await insertListings(pool, listings);

  let foundCount = 0;
  // On one connection, which reads the table only by its indexes.
  await pool.session(async (session) => {
    await session.execute(sql`select set_config('enable_seqscan', 'off', false)`);
    for (const mode of TEXT_MODES) {
      for (const query of QUERIES) {
        const filter = { text_search: { query, mode } };
        const inMemory = listings.filter((one) => matches(parseFilter(filter), one, CONTEXT));
        foundCount += inMemory.length;
        const expected = new Set(inMemory.map(({ id }) => id));
        assert.deepEqual(await selectIds(session, parseFilter(filter)), expected, query);
        // As a search finds them: if one listing, or any, has the words.
        for (const fewMax of [0, 1_000]) {
          const where = await compileSearch(session, parseFilter(filter), fewMax);
          const found = await session.query<{ id: string }>(
            sql`select id from listing where ${where} limit 1000`,
          );
          assert.deepEqual(new Set(found.map(({ id }) => id)), expected, `${query} ${fewMax}`);
        }
      }
    }
    const plan = await session.query(sql`
    explain select id from listing where ${compileSql(parseFilter({ q: "daytona" }), DIRECTORY)}`);
    assert.match(JSON.stringify(plan), /listing_by_text/);
  });
  assert.ok(foundCount > QUERIES.length, `only ${foundCount} were found`);
});

test("an update cuts the long words of stored listings as new ones are cut", async (t) => {
  const { pool } = await openTestDatabase(t, { template: "template0" });
  const log = createLogger("silent");
  const isBefore = ({ version }: Migration) => version < 38;
  await migrate(pool, log, listMigrations().filter(isBefore));
  const message_text = `劳${"x".repeat(3_000)} ${"y".repeat(256)} short ${"z".repeat(255)}`;
  const listing = aListingWith({ message_text });
  // As they were stored: words of any length.
  const search_text = listing.search_text.replace(/\n劳.*/, `\n${message_text}`);
  await insertListings(pool, [{ ...listing, search_text }]);

  await migrate(pool, log);

  const [stored] = await pool.query<{ search_text: string }>(sql`select search_text from listing`);
  assert.notEqual(search_text, listing.search_text);
  assert.equal(stored?.search_text, listing.search_text);
});

test("the rates read from the store are those that the predicate uses", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  await insertRates(pool);

  const rateOf = createRateTable(await listFxRates(pool));

  for (const { currency, day_number } of RATES) {
    for (const day of [day_number - 1, day_number, day_number + 1]) {
      const atMs = day * DAY_MS + 86_399_999;
      assert.deepEqual(rateOf(currency, atMs), CONTEXT.rateOf(currency, atMs));
    }
  }
});

async function selectIds(db: Database, filter: Filter): Promise<Set<string>> {
  const rows = await db.query<{ id: string }>(sql`
    select id from listing where ${compileSql(filter, DIRECTORY)} order by id limit 1000`);
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
