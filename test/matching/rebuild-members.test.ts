import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { DatabasePool } from "../../src/db/database.ts";
import { sql } from "../../src/db/sql.ts";
import { parseFilters } from "../../src/filters/language/filter.ts";
import { matches } from "../../src/filters/language/predicate.ts";
import type { Sets } from "../../src/filters/language/sets.ts";
import { saveComparedSets, saveSavedFilters } from "../../src/filters/saved-filter-store.ts";
import { findListingFacts } from "../../src/listings/listing-store.ts";
import { rebuildMembers } from "../../src/matching/rebuild-members.ts";
import { createRateTable } from "../../src/rates/fx.ts";
import { listFxRates } from "../../src/rates/fx-store.ts";
import { anyFilterObject, anyListing, anySets } from "../support/generators/filter-arbitraries.ts";
import { aListingWith, insertListings } from "../support/listings.ts";
import { aConfiguration, aModel, aProfile } from "../support/rows.ts";
import { borrowTestDatabase } from "../support/shared-store.ts";

const ROUNDS = process.env["ASSAY_TEST_LONG"] === undefined ? 6 : 60;
const LISTINGS = 150;

type Filters = Readonly<Record<string, unknown>>;

/** Saves the filters and returns their ids; configurations have rows of their own. */
async function save(pool: DatabasePool, ownerKind: string, filters: readonly Filters[]) {
  const profileId = await aProfile(pool);
  const owners = await Promise.all(
    filters.map(async (filter) => ({
      owner_id: await aConfiguration(pool, { profile_id: profileId }),
      filter,
    })),
  );
  await saveSavedFilters(
    pool,
    owners.map(({ owner_id, filter }) => ({
      owner_kind: ownerKind,
      owner_id,
      filters: [{ side: ["for_sale"] }, filter],
      reads_duplicates: true,
    })),
  );
  return owners.map(({ owner_id }) => owner_id);
}

test("the members of configurations are those that the predicate selects, EU before HK", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  const listings = [
    ...new Map(fc.sample(anyListing, LISTINGS).map((one) => [one.id, one])).values(),
  ];
  await insertListings(pool, listings);
  // As the matcher reads them: group names and merged ids as the store has them.
  const facts = await findListingFacts(
    pool,
    listings.map(({ id }) => id),
  );
  const rateOf = createRateTable(await listFxRates(pool));
  const seen = { EU: 0, HK: 0, both: 0, neither: 0 };

  const world = fc.record({
    configurations: fc.array(fc.tuple(anyFilterObject, anySets), { minLength: 1, maxLength: 25 }),
    eu: fc.array(anyFilterObject, { maxLength: 2 }),
    hk: fc.array(anyFilterObject, { maxLength: 2 }),
  });
  await fc.assert(
    fc.asyncProperty(world, async ({ configurations, eu, hk }) => {
      await pool.execute(sql`truncate saved_filter, saved_filter_change`);
      const filters = configurations.map(([filter]) => filter);
      const ids = await save(pool, "configuration", filters);
      const compared = configurations.map(([, sets], at) => ({
        id: ids[at] ?? "",
        sets: sets ?? "any",
      }));
      await saveComparedSets(pool, compared);
      await save(pool, "view_eu", eu);
      await save(pool, "view_hk", hk);

      await pool.transaction((tx) => rebuildMembers(tx, "all"));

      const holds = (given: Filters, at: number, sets: Sets | null = null) => {
        const [listing] = facts.slice(at, at + 1);
        const all = [{ side: ["for_sale"] }, given];
        const filter = parseFilters(all, { readsDuplicates: true, sets });
        return listing !== undefined && matches(filter, listing, { rateOf });
      };
      const expected = facts.flatMap((listing, at) => {
        const isEu = eu.some((view) => holds(view, at));
        const isHk = hk.some((view) => holds(view, at));
        seen[isEu && isHk ? "both" : isEu ? "EU" : isHk ? "HK" : "neither"] += 1;
        if (!isEu && !isHk) return [];
        return configurations.flatMap(([given, sets], which) =>
          holds(given, at, sets) ? [`${listing.id} ${ids[which]} ${isEu ? "EU" : "HK"}`] : [],
        );
      });
      const rows = await pool.query<{ line: string }>(sql`
        select concat_ws(' ', listing_id, configuration_id, source_market) as line
          from listing_model where configuration_id = any(${ids}::uuid[])`);
      assert.deepEqual(rows.map(({ line }) => line).sort(), expected.sort());
    }),
    {
      numRuns: ROUNDS,
      // Whatever else is made up, each market is seen alone, and both of them.
      examples: [
        [{ configurations: [[{}, null]], eu: [{}], hk: [] }],
        [{ configurations: [[{}, null]], eu: [], hk: [{}] }],
        [{ configurations: [[{}, null]], eu: [{}], hk: [{}] }],
      ],
    },
  );

  assert.ok(
    Object.values(seen).every((count) => count > 0),
    JSON.stringify(seen),
  );
});

test("only the named configurations are rebuilt, and only the difference is written", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  const [stays, comes] = [aListingWith({ year: 2020 }), aListingWith({ year: 2021 })];
  const cheaper = aListingWith({ price_eur_minor: 900_000 });
  await insertListings(pool, [stays, comes, cheaper]);
  const [one = "", other = ""] = await save(pool, "configuration", [{}, {}]);
  await save(pool, "view_hk", [{}]);
  await aModel(pool, { listing_id: stays.id, configuration_id: one, source_market: "HK" });
  await pool.execute(sql`
    insert into listing_model values (${cheaper.id}, ${one}, 'HK', 2023, 'new', 950000)`);
  const [before] = await pool.query(
    sql`select xmin::text from listing_model where listing_id = ${stays.id}`,
  );
  const reported: number[] = [];

  await pool.transaction((tx) => rebuildMembers(tx, [one], (count) => reported.push(count)));

  const rows = await pool.query(sql`
    select listing_id, configuration_id, year, condition_bucket, price_eur_minor, xmin::text from listing_model`);
  const ids = [stays.id, comes.id, cheaper.id];
  assert.deepEqual(rows.map((row) => row["listing_id"]).sort(), ids.sort());
  const toCell = (id: string) => rows.find((row) => row["listing_id"] === id);
  assert.deepEqual(
    [toCell(comes.id)?.["year"], toCell(comes.id)?.["condition_bucket"]],
    [2021, "new"],
  );
  assert.equal(toCell(cheaper.id)?.["price_eur_minor"], 900_000);
  assert.ok(rows.every((row) => row["configuration_id"] === one && one !== other));
  assert.equal(rows.find((row) => row["listing_id"] === stays.id)?.["xmin"], before?.["xmin"]);
  assert.deepEqual(reported, [1]);
});
