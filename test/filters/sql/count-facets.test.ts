import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { scanBudget } from "../../../src/filters/sql/figure-scan.ts";
import { countFacets } from "../../../src/filters/sql/market-figures.ts";
import { FACETS, type FacetName } from "../../../src/listings/figures/facet-store.ts";
import { countryPrefixOf } from "../../../src/listings/listing.ts";
import { anyFilterObject, GROUPS } from "../../support/generators/filter-arbitraries.ts";
import {
  insertGeneratedMarket,
  selectForFigures,
} from "../../support/generators/generated-market.ts";
import type { TestListing } from "../../support/listings.ts";
import { borrowTestDatabase } from "../../support/shared-store.ts";
import { NOW_MS } from "../../support/test-app.ts";
import { openTestDatabase } from "../../support/test-database.ts";

const SCALE = process.env["ASSAY_TEST_LONG"] === undefined ? 1 : 10;
const FILTERS = 40 * SCALE;
const LISTINGS = 200;

/** The values by which the twin counts a listing; of a group, its id. */
const VALUES: Readonly<
  Record<FacetName, (listing: TestListing) => readonly (string | number | null)[]>
> = {
  brand: ({ brand_folded }) => [brand_folded],
  model: ({ model_folded }) => [model_folded],
  reference: ({ reference_normalized }) => [reference_normalized],
  year: ({ year }) => [year],
  condition: ({ condition }) => [condition],
  full_set_status: ({ full_set_status }) => full_set_status,
  dial_type: ({ dial_type_folded }) => [dial_type_folded],
  variant: ({ variant_folded }) => [variant_folded],
  country_code: ({ phone_number }) => [
    phone_number === null ? null : countryPrefixOf(phone_number),
  ],
  group: ({ group_ids }) => group_ids,
};

/** Counts by the predicate, one listing after the other. */
function countSlowly(listings: readonly TestListing[], filters: unknown, facet: FacetName) {
  const own = facet === "group" ? ["group_id", "group_name"] : [facet];
  const counts = new Map<string, number>();
  const selected = selectForFigures(
    listings,
    filters,
    (clause) => "attribute" in clause && own.includes(clause.attribute),
  );
  for (const value of selected.flatMap(VALUES[facet])) {
    if (value !== null) counts.set(String(value), (counts.get(String(value)) ?? 0) + 1);
  }
  return new Map([...counts].sort());
}

test("facets count what the predicate selects without the facet's own members", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  const listings = await insertGeneratedMarket(pool, LISTINGS);
  let countedSum = 0;

  await fc.assert(
    fc.asyncProperty(anyFilterObject, async (filters) => {
      const question = { filters, limit: 200, nowMs: NOW_MS, budget: scanBudget(false) };
      const found = await countFacets(pool, question);

      const selected = selectForFigures(listings, filters);
      assert.equal(found.total, selected.length);
      assert.equal(found.isExact, true);
      const prices = selectForFigures(listings, filters, ({ kind }) => kind === "price").flatMap(
        ({ price_eur_minor }) => price_eur_minor ?? [],
      );
      assert.deepEqual(
        [found.priceMinMinor, found.priceMaxMinor],
        prices.length === 0 ? [null, null] : [Math.min(...prices), Math.max(...prices)],
      );
      for (const facet of FACETS) {
        const values = found.facets.get(facet) ?? [];
        const counted = values.map(({ value, id, count }) => [id ?? value, count] as const);
        assert.deepEqual(
          new Map(counted.toSorted()),
          countSlowly(listings, filters, facet),
          `${facet} of ${JSON.stringify(filters)}`,
        );
        countedSum += counted.length;
      }
    }),
    { numRuns: FILTERS },
  );

  assert.ok(countedSum > FILTERS * 10, `only ${countedSum} values were compared`);
});

test("a value of a facet selects as many listings as it counts", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  const listings = await insertGeneratedMarket(pool, LISTINGS);
  const toMember = (facet: FacetName, value: string, id = ""): Record<string, unknown> => {
    if (facet === "year") return { years: [Number(value)] };
    if (facet === "country_code") return { country_codes: { include: [value] } };
    return facet === "group" ? { group_ids: [id] } : { [facet]: [value] };
  };

  const { facets } = await countFacets(pool, {
    filters: {},
    limit: 200,
    nowMs: NOW_MS,
    budget: scanBudget(false),
  });

  for (const [facet, values] of facets) {
    assert.ok(values.length > 1, facet);
    for (const { value, count, id } of values) {
      const selected = selectForFigures(listings, toMember(facet, value, id));
      assert.equal(selected.length, count, `${facet} ${value}`);
    }
  }
  assert.deepEqual(
    new Set(facets.get("group")?.map(({ id, value }) => `${id} ${value}`)),
    new Set(GROUPS.map(({ id, name }) => `${id} ${name ?? id}`)),
  );
});

test("values are sorted by count, and the limit keeps the most frequent ones", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  await insertGeneratedMarket(pool, LISTINGS);
  const question = { filters: {}, nowMs: NOW_MS, budget: scanBudget(false) };

  const all = await countFacets(pool, { ...question, limit: 200 });
  const few = await countFacets(pool, { ...question, limit: 2, facets: ["year", "brand"] });

  assert.deepEqual([...few.facets.keys()], ["year", "brand"]);
  for (const [facet, values] of few.facets) {
    const counts = all.facets.get(facet)?.map(({ count }) => count) ?? [];
    assert.deepEqual(
      counts,
      counts.toSorted((left, right) => right - left),
    );
    assert.deepEqual(
      values.map(({ count }) => count),
      counts.slice(0, 2),
    );
  }
});

test("a scan over the budget counts a sample and scales it", async (t) => {
  const { pool } = await openTestDatabase(t);
  const listings = await insertGeneratedMarket(pool, LISTINGS);
  await pool.script("analyze listing");
  const isSampled = ({ id }: TestListing) => id < "40000000";

  const found = await countFacets(pool, {
    filters: { include_duplicates: true, from_ms: 1 },
    facets: ["condition"],
    limit: 20,
    nowMs: NOW_MS,
    budget: { costMax: 0, rowsMax: LISTINGS / 4 },
  });

  const selected = selectForFigures(listings.filter(isSampled), {
    include_duplicates: true,
    from_ms: 1,
  });
  assert.equal(found.isExact, false);
  assert.equal(found.total, selected.length * 4);
  const values = found.facets.get("condition") ?? [];
  assert.deepEqual(
    new Map(values.map(({ value, count }) => [value, count / 4] as const).toSorted()),
    countSlowly(selected, { include_duplicates: true, from_ms: 1 }, "condition"),
  );
});
