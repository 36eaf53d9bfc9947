import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { DAY_MS, dayStartOf } from "../../../src/base/clock.ts";
import type { DatabasePool } from "../../../src/db/database.ts";
import { toCursor } from "../../../src/db/page.ts";
import { scanBudget } from "../../../src/filters/sql/figure-scan.ts";
import { summarizeMarket } from "../../../src/filters/sql/market-figures.ts";
import { searchReferences } from "../../../src/filters/sql/search-references.ts";
import { anyFilterObject } from "../../support/generators/filter-arbitraries.ts";
import {
  insertGeneratedMarket,
  selectForFigures,
} from "../../support/generators/generated-market.ts";
import { aListingWith, insertListings, type TestListing } from "../../support/listings.ts";
import { borrowTestDatabase } from "../../support/shared-store.ts";
import { NOW_MS } from "../../support/test-app.ts";
import { openTestDatabase } from "../../support/test-database.ts";

const SCALE = process.env["ASSAY_TEST_LONG"] === undefined ? 1 : 10;
const FILTERS = 40 * SCALE;
const question = { nowMs: NOW_MS, budget: scanBudget(false) };

function countDistinct(values: readonly (string | null)[]): number {
  return new Set(values.filter((value) => value !== null)).size;
}

function median(prices: readonly number[]): number | null {
  const sorted = prices.toSorted((left, right) => left - right);
  const at = (index: number) => sorted[Math.floor(index)] ?? 0;
  if (sorted.length === 0) return null;
  return (at((sorted.length - 1) / 2) + at(sorted.length / 2)) / 2;
}

test("a summary and references count what the predicate selects", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  const listings = await insertGeneratedMarket(pool, 200);
  let referenceSum = 0;

  await fc.assert(
    fc.asyncProperty(anyFilterObject, async (filters) => {
      const selected = selectForFigures(listings, filters);
      const summary = await summarizeMarket(pool, { ...question, filters });
      const sort = "listing_count";
      const { rows } = await searchReferences(pool, { ...question, filters, sort, limit: 200 });

      const { days, ...counts } = summary;
      assert.deepEqual(counts, {
        listing_count: selected.length,
        for_sale_count: selected.filter(({ side }) => side === "for_sale").length,
        want_to_buy_count: selected.filter(({ side }) => side === "want_to_buy").length,
        contact_count: countDistinct(selected.map(({ contact_id }) => contact_id)),
        group_count: countDistinct(selected.flatMap(({ group_ids }) => group_ids)),
        message_count: countDistinct(selected.map((listing) => listing.canonical_message_id)),
        isExact: true,
      });
      for (const { day_start_ms, listing_count } of days) {
        const ofDay = selected.filter((one) => dayStartOf(one.last_seen_at_ms) === day_start_ms);
        assert.equal(listing_count, ofDay.length);
      }
      assert.equal(
        days.reduce((sum, { listing_count }) => sum + listing_count, 0),
        selected.length,
      );
      const named = selected.filter((one) => one.brand_folded && one.reference_normalized);
      assert.equal(
        rows.reduce((sum, { listing_count }) => sum + listing_count, 0),
        named.length,
      );
      for (const row of rows) compareReference(row, named);
      referenceSum += rows.length;
    }),
    { numRuns: FILTERS },
  );

  assert.ok(referenceSum > FILTERS, `only ${referenceSum} references were compared`);
});

function compareReference(
  row: Awaited<ReturnType<typeof searchReferences>>["rows"][number],
  named: readonly TestListing[],
): void {
  const own = named.filter(
    (one) =>
      one.brand_folded === row.brand_folded &&
      one.reference_normalized === row.reference_normalized,
  );
  const asks = own.filter(({ side }) => side === "for_sale");
  const prices = asks.flatMap(({ price_eur_minor }) => price_eur_minor ?? []);
  assert.deepEqual(
    [row.listing_count, row.for_sale_count, row.contact_count, row.last_seen_at_ms],
    [
      own.length,
      asks.length,
      countDistinct(own.map(({ contact_id }) => contact_id)),
      Math.max(...own.map(({ last_seen_at_ms }) => last_seen_at_ms)),
    ],
  );
  const half = median(prices);
  assert.ok(Math.abs((row.median_price_eur_minor ?? 0) - (half ?? 0)) <= 0.5);
  assert.equal(row.median_price_eur_minor === null, half === null);
  assert.equal(row.min_price_eur_minor ?? 0, prices.length === 0 ? 0 : Math.min(...prices));
  assert.equal(row.max_price_eur_minor ?? 0, prices.length === 0 ? 0 : Math.max(...prices));
}

/** 64 listings, four of each contact and message, so that a sample has the same part of each and of both references. */
async function insertEvenMarket(pool: DatabasePool): Promise<void> {
  const idOf = (at: number) =>
    `${(at * 0x1000_0000).toString(16).padStart(8, "0")}-0000-5000-8000-00000000000a`;
  const listings = Array.from({ length: 64 }, (_, at) =>
    aListingWith({
      id: idOf(at % 16).replace(/0a$/, (at + 16).toString(16)),
      contact_id: idOf(Math.floor(at / 4)),
      canonical_message_id: idOf(Math.floor(at / 4)),
      reference: `R${at % 2}`,
    }),
  );
  await insertListings(pool, listings);
  await pool.script("analyze listing");
}

test("over the budget, listings, contacts and messages are sampled each by itself", async (t) => {
  const { pool } = await openTestDatabase(t);
  await insertEvenMarket(pool);
  const budget = { costMax: 0, rowsMax: 48 };

  const summary = await summarizeMarket(pool, { filters: {}, nowMs: NOW_MS, budget });
  const references = await searchReferences(pool, {
    filters: {},
    sort: "listing_count",
    limit: 1,
    nowMs: NOW_MS + DAY_MS,
    budget,
  });
  const rest = await searchReferences(pool, {
    filters: {},
    sort: "listing_count",
    limit: 1,
    nowMs: NOW_MS + DAY_MS,
    // The budget allows all listings by now, but the first page was made of a half.
    budget: scanBudget(false),
    cursor: references.nextCursor ?? "",
  });

  assert.deepEqual(summary, {
    listing_count: 64,
    for_sale_count: 64,
    want_to_buy_count: 0,
    contact_count: 16,
    group_count: 0,
    message_count: 16,
    days: [{ day_start_ms: dayStartOf(NOW_MS), listing_count: 64 }],
    isExact: false,
  });
  for (const page of [references, rest]) {
    assert.equal(page.isExact, false);
    assert.deepEqual(
      page.rows.map(({ listing_count }) => listing_count),
      [32],
    );
  }
});

test("later pages of references keep the sample of the first, also in a crowd, within twice the budget", async (t) => {
  const { pool } = await openTestDatabase(t);
  await insertEvenMarket(pool);
  const read = (rowsMax: number, cursor?: string) =>
    searchReferences(pool, {
      filters: {},
      sort: "listing_count",
      limit: 1,
      nowMs: NOW_MS,
      budget: { costMax: 0, rowsMax },
      ...(cursor === undefined ? {} : { cursor }),
    });
  const namesOf = ({ rows }: Awaited<ReturnType<typeof read>>) =>
    rows.map(({ reference, listing_count }) => [reference, listing_count]);

  const first = await read(48);
  const second = await read(12, first.nextCursor);

  assert.deepEqual(namesOf(first), [["R0", 32]]);
  assert.deepEqual(namesOf(second), [["R1", 32]]);

  const [digest, sinceMs, , ...place] = JSON.parse(
    Buffer.from(first.nextCursor ?? "", "base64url").toString(),
  );
  const forged = toCursor(digest, [sinceMs, 1, ...place]);
  assert.equal((await read(48, forged)).isExact, true);
  // What the planner then expects is a market that is too large to be read.
  await pool.script("update pg_class set reltuples = 1e9 where relname = 'listing'");
  assert.equal((await read(48, forged)).isExact, false);
});
