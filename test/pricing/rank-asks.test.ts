/** The order "best first", against a slow twin that prices every listing and sorts. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { findListingPrices } from "../../src/alerts/listing-prices.ts";
import { DAY_MS } from "../../src/base/clock.ts";
import { createLogger } from "../../src/base/log.ts";
import type { DatabasePool } from "../../src/db/database.ts";
import { listMigrations, migrate } from "../../src/db/migrate.ts";
import { sql } from "../../src/db/sql.ts";
import { searchListings } from "../../src/filters/sql/search-listings.ts";
import { isOnOffer } from "../../src/listings/offers.ts";
import { rebuildMembers } from "../../src/matching/rebuild-members.ts";
import { queueAllRefreshes } from "../../src/pricing/cells/schedule-store.ts";
import { rankAsks } from "../../src/pricing/rank-asks.ts";
import type { Minima, Ranking } from "../../src/pricing/ranking.ts";
import { aListingWith, insertListings, type TestListing } from "../support/listings.ts";
import { applyTexts } from "../support/manifest.ts";
import { refreshQueued } from "../support/pricing.ts";
import { aCell, aConfiguration, aListing, aSnapshot } from "../support/rows.ts";
import { borrowTestDatabase } from "../support/shared-store.ts";
import { NOW_MS } from "../support/test-app.ts";
import { openTestDatabase } from "../support/test-database.ts";

const RUNS = globalThis.process.env["ASSAY_TEST_LONG"] === "1" ? 40 : 4;

/** Two references, three rules for one of them: for all, for a dial with buys, and for a dial without. */
const MARKET = `
profiles:
  - {name: wide, status: live, lookback_days: 30, minimum_listings: 2, implausible_below_bps: 3000,
     hk_markup: {rate_bps: 500, fixed_eur_minor: 15000}}
  - {name: short, status: live, lookback_days: 10, minimum_listings: 1,
     hk_markup: {rate_bps: 333, fixed_eur_minor: 7}}
views:
  - {name: Europe, source_market: EU, filters: {country_codes: {include: ["49"]}}}
  - {name: Hong Kong, source_market: HK, filters: {country_codes: {include: ["852"]}}}
configurations:
  - {profile: wide, brand: Rolex, reference: 126610LN}
  - {profile: short, brand: Rolex, reference: 126610LN, filters: {dial_type: [Blue]}}
  - {profile: wide, brand: Rolex, reference: 126610LN, filters: {dial_type: [Green]}, buy_signals_enabled: false}
  - {profile: short, brand: Patek Philippe, reference: 5711/1A-010, filters: {include_hidden: true}}
`;

/** The same in each run, so that a seed gives the same market again. */
const CONTACTS = Array.from({ length: 8 }, (_, at) => toId(at));
const ASK_KEYS = Array.from({ length: 3 }, (_, at) => toId(100 + at));

function toId(at: number): string {
  return `00000000-0000-4000-8000-${String(at).padStart(12, "0")}`;
}

/** Few prices, so that profits are equal; some are suspect. */
const anyAsk = fc.record({
  id: fc.uuid(),
  watch: fc.constantFrom(
    { brand: "Rolex", reference: "126610LN", dial_type: "Blue" },
    { brand: "Rolex", reference: "126610LN", dial_type: "Green" },
    { brand: "Rolex", reference: "126610LN", dial_type: null },
    { brand: "Patek Philippe", reference: "5711/1A-010", dial_type: null },
  ),
  phone_number: fc.constantFrom("4930100", "4930100", "85291000", "85291000", "1555"),
  contact_id: fc.option(fc.constantFrom(...CONTACTS), { nil: null }),
  ask_key: fc.constantFrom(null, null, null, null, null, null, ...ASK_KEYS),
  year: fc.constantFrom(2022, 2023),
  condition: fc.constantFrom("NEW" as const, "NEW" as const, "USED" as const, null),
  price: fc.oneof(
    fc.integer({ min: 36, max: 44 }).map((step) => step * 25_000),
    fc.integer({ min: 900_000, max: 900_020 }),
    fc.constantFrom(0, 1, 90_000, 9_000_000, 1_000_000, 1_000_000),
  ),
  age: fc.constantFrom(
    0,
    1,
    DAY_MS,
    DAY_MS,
    9 * DAY_MS,
    10 * DAY_MS,
    10 * DAY_MS + 1,
    30 * DAY_MS + 1,
  ),
  is_duplicate: fc.constantFrom(false, false, false, false, true),
  is_hidden: fc.constantFrom(false, false, false, false, false, true),
});

const anyMarket = fc.uniqueArray(anyAsk, {
  selector: ({ id }) => id,
  minLength: 180,
  maxLength: 240,
  size: "max",
});

function toListing({
  watch,
  price,
  age,
  ask_key,
  ...facts
}: typeof anyAsk extends fc.Arbitrary<infer Ask> ? Ask : never): TestListing {
  const listing = aListingWith({
    ...watch,
    ...facts,
    message_text: "on the wrist",
    price_amount_minor: price,
    price_eur_minor: price,
    message_timestamp_ms: NOW_MS - age,
    last_seen_at_ms: NOW_MS - age,
  });
  return { ...listing, ...{ ask_key } };
}

/** Makes these the only listings, and calculates the market. */
async function fillMarket(pool: DatabasePool, listings: readonly TestListing[]): Promise<void> {
  await pool.script(
    "delete from listing; delete from listing_model; delete from canonical_message",
  );
  await insertListings(pool, listings);
  await pool.transaction((tx) => rebuildMembers(tx, "all"));
  await queueAllRefreshes(pool, NOW_MS);
  await refreshQueued(pool);
}

interface Search {
  readonly filters: object;
  readonly ranking: Ranking;
  readonly minima: Minima;
}

const anySearch: fc.Arbitrary<Search> = fc.record({
  filters: fc.constantFrom(
    {},
    {},
    {},
    { brand: ["Rolex"] },
    { brand: ["patek philippe"], include_duplicates: true },
    { reference: ["5711/1a-010"], include_hidden: true },
    { year: { gte: 2023 }, conditions: ["new"] },
    { years: [2022], country_codes: { include: ["852"] }, include_duplicates: true },
    { contact_ids: CONTACTS.slice(0, 3), include_duplicates: true },
    { text_search: { query: "wrist", mode: "exact" } },
    { price: { lte: 1_000_000 }, dial_type: ["green", "blue"] },
    { brand: [], reference: ["none"] },
  ),
  ranking: fc.constantFrom("profit" as const, "profit_bps" as const),
  minima: fc.constantFrom<Minima>(
    {},
    {},
    { minimumProfitEurMinor: 0 },
    { minimumProfitEurMinor: 30_000 },
    { minimumDiscountBps: 500 },
    { minimumProfitEurMinor: 20_000, minimumDiscountBps: 100 },
  ),
});

async function slowRanking(db: DatabasePool, search: Search): Promise<readonly string[]> {
  const selected = await searchListings(db, {
    filters: search.filters,
    sort: "newest",
    limit: 1_000,
    isTotalAsked: false,
  });
  const rows = new Map(selected.rows.map((row) => [row.id, row]));
  const prices = await findListingPrices(db, [...rows.keys()], { nowMs: NOW_MS });
  const { minimumProfitEurMinor = -Infinity, minimumDiscountBps = -Infinity } = search.minima;
  const ranked = Array.from(prices, ([id, { headline, offer_state = "gone", reason }]) => {
    const average = headline?.market_average_eur_minor;
    const profit = headline?.profit_opportunity_eur_minor;
    const lastSeenAtMs = rows.get(id)?.last_seen_at_ms ?? 0;
    if (headline === undefined || average === undefined || profit === undefined) return [];
    if (!isOnOffer(offer_state) || reason === "suspect") return [];
    if (lastSeenAtMs < NOW_MS - headline.lookback_days * DAY_MS) return [];
    const bps = shareOf(profit, average);
    if (profit < minimumProfitEurMinor || bps < minimumDiscountBps) return [];
    return [{ id, profit, value: search.ranking === "profit" ? profit : bps }];
  }).flat();
  return ranked
    .sort((a, b) => b.value - a.value || b.profit - a.profit || (a.id < b.id ? -1 : 1))
    .map(({ id }) => id);
}

interface Walk {
  readonly fewMax: number;
  readonly chunkCount: number;
  readonly listingsMax: number;
}

/** Any loss is the whole of an average of 0. */
function shareOf(profit: number, average: number): number {
  if (average === 0) return profit === 0 ? 0 : Number.MIN_SAFE_INTEGER;
  return Math.floor((profit * 10_000) / average);
}

const WALKS: readonly [Walk, Walk, Walk] = [
  { fewMax: 1_000, chunkCount: 1_000, listingsMax: 10_000 },
  { fewMax: 0, chunkCount: 1_000, listingsMax: 10_000 },
  { fewMax: 0, chunkCount: 4, listingsMax: 7 },
];

async function walkPages(
  db: DatabasePool,
  search: Search,
  page: { readonly limit: number; readonly walk: Walk },
): Promise<readonly string[]> {
  const found: string[] = [];
  let cursor: string | undefined;
  let pageCount = 0;
  do {
    pageCount += 1;
    assert.ok(pageCount < 1_000, "the pages do not end");
    const { ids, nextCursor } = await rankAsks(db, {
      ...search,
      ...page,
      nowMs: NOW_MS,
      ...(cursor === undefined ? {} : { cursor }),
    });
    assert.ok(ids.length <= page.limit);
    found.push(...ids);
    cursor = nextCursor;
  } while (cursor !== undefined);
  return found;
}

test("both ways to rank give the order of a slow twin that prices all listings and sorts", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  await applyTexts(pool, MARKET);
  let rankedCount = 0;
  await fc.assert(
    fc.asyncProperty(
      anyMarket,
      fc.array(anySearch, { minLength: 10, maxLength: 10 }),
      async (asks, searches) => {
        await fillMarket(pool, asks.map(toListing));
        for (const search of searches) {
          const expected = await slowRanking(pool, search);
          rankedCount += expected.length;
          for (const [at, walk] of WALKS.entries()) {
            const limit = [5, 11, 50][at] ?? 50;
            const found = await walkPages(pool, search, { limit, walk });
            assert.deepEqual(found, expected, JSON.stringify({ search, walk }));
          }
        }
      },
    ),
    { numRuns: RUNS, endOnFailure: true },
  );
  assert.ok(rankedCount > 50 * RUNS, `only ${rankedCount} asks were ranked`);
});

/** Asks of different dealers for one watch, all seen now. */
function asksFor(
  watch: { readonly brand: string; readonly reference: string; readonly dial_type: string | null },
  { prices, phone_number }: { readonly prices: readonly number[]; readonly phone_number: string },
): readonly TestListing[] {
  return prices.map((price_eur_minor, at) =>
    aListingWith({
      ...watch,
      contact_id: CONTACTS[at] ?? null,
      year: 2023,
      condition: "NEW",
      phone_number,
      price_amount_minor: price_eur_minor,
      price_eur_minor,
      message_timestamp_ms: NOW_MS,
      last_seen_at_ms: NOW_MS,
    }),
  );
}

const ONE_BY_ONE = { limit: 9, walk: { fewMax: 0, chunkCount: 1, listingsMax: 1 } };

test("an ask is not lost if a page ends between its place in the headline and the same place in another cell", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  // Each ask is in the cell for all dials and in that for blue ones, and these have one average.
  await applyTexts(pool, MARKET);
  const listings = asksFor(
    { brand: "Rolex", reference: "126610LN", dial_type: "Blue" },
    { prices: [900_000, 950_000, 1_000_000, 1_050_000, 1_100_000], phone_number: "4930100" },
  );
  await fillMarket(pool, listings);

  for (const ranking of ["profit", "profit_bps"] as const) {
    const found = await walkPages(pool, { filters: {}, ranking, minima: {} }, ONE_BY_ONE);
    assert.deepEqual(
      found,
      listings.map(({ id }) => id),
    );
  }
});

test("behind an ask whose average is nothing the pages go on", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  await applyTexts(pool, MARKET);
  const given = asksFor(
    { brand: "Patek Philippe", reference: "5711/1A-010", dial_type: null },
    { prices: [0, 0, 0, 1], phone_number: "4930100" },
  );
  const asked = asksFor(
    { brand: "Rolex", reference: "126610LN", dial_type: "Blue" },
    { prices: [900_000, 90_000_000_000], phone_number: "85291000" },
  );
  await fillMarket(pool, [...given, ...asked]);

  const search = { filters: {}, ranking: "profit_bps", minima: {} } as const;
  const found = await walkPages(pool, search, ONE_BY_ONE);

  assert.deepEqual(found.toSorted(), [...given, ...asked].map(({ id }) => id).toSorted());
  assert.equal(found.at(-1), given.at(-1)?.id);
});

test("an update fills the memberships, and cells that were calculated before it are ranked", async (t) => {
  const { pool } = await openTestDatabase(t, { template: "template0" });
  const log = createLogger("silent");
  const earlier = listMigrations().filter(({ version }) => version < 50);
  await migrate(pool, log, earlier);
  const configuration_id = await aConfiguration(pool);
  await aSnapshot(pool, configuration_id);
  await aCell(pool, {
    configuration_id,
    plausible_min_eur_minor: 500_000,
    plausible_max_eur_minor: 3_000_000,
    ask_median_eur_minor: 1_000_000,
  });
  const ids = [];
  for (const price_eur_minor of [990_000, 900_000, 400_000]) {
    ids.push(await aListing(pool, { price_eur_minor }));
  }
  await pool.execute(sql`
    insert into listing_model (listing_id, configuration_id, source_market)
    select id, ${configuration_id}, 'EU' from listing`);

  await migrate(pool, log);

  const members = await pool.query(sql`
    select year, condition_bucket, price_eur_minor from listing_model order by price_eur_minor limit 1`);
  assert.deepEqual(members, [{ year: 2023, condition_bucket: "new", price_eur_minor: 400_000 }]);
  for (const ranking of ["profit", "profit_bps"] as const) {
    const search = { filters: {}, ranking, minima: {} };
    assert.deepEqual(await walkPages(pool, search, { limit: 1, walk: WALKS[1] }), [ids[1], ids[0]]);
  }
});
