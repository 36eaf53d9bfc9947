// Searches a million listings on the embedded server, and counts them. `ms` is the time from the call to the rows of one
// page.
//   node --import tsx bench/search.ts                   LISTINGS=100000 for a smaller market, ROUNDS=5 for fewer searches
//   node --import tsx bench/search.ts --plans           also shows the plans, on standard error

import type { Database } from "../src/db/database.ts";
import { rawSql, sql } from "../src/db/sql.ts";
import { parseFilter } from "../src/filters/language/filter.ts";
import { compileSql, loadDirectory } from "../src/filters/sql/compile-sql.ts";
import { scanBudget } from "../src/filters/sql/figure-scan.ts";
import { countFacets, summarizeMarket } from "../src/filters/sql/market-figures.ts";
import { searchListings } from "../src/filters/sql/search-listings.ts";
import { searchReferences } from "../src/filters/sql/search-references.ts";
import type { Sort } from "../src/listings/listing-store.ts";
import { createMarket, createRandom, type FilterObject, NOW_MS } from "./support/market.ts";
import { loadListings, toListingRow } from "./support/market-store.ts";
import {
  measure,
  openStore,
  quantile,
  readVariable,
  readWords,
  round,
  runBenchmark,
} from "./support/runner.ts";

const LISTINGS = readVariable("LISTINGS", 1_000_000);
const ROUNDS = readVariable("ROUNDS", 40);
const PAGE = 50;
const isShowingPlans = readWords().includes("--plans");

interface Search {
  readonly filters: FilterObject;
  readonly sort?: Sort;
  /** Pages to walk before the one that is measured. */
  readonly skipPages?: number;
}

const market = createMarket(11);
const sample = Array.from({ length: 400 }, () => market.listing());
const random = createRandom(5);
const any = () => sample[Math.floor(random() * sample.length)] ?? market.listing();

const SEARCHES: Readonly<Record<string, () => Search>> = {
  "selective: reference": () => ({ filters: { reference: [any().reference] } }),
  "selective: reference, year, condition": () => {
    const { brand, reference } = any();
    return {
      filters: { brand: [brand], reference: [reference], year: { gte: 2020 }, condition: ["NEW"] },
    };
  },
  "selective: reference, cheapest first": () => ({
    filters: { reference: [any().reference] },
    sort: "price_asc",
  }),
  "selective: phone number": () => ({ filters: { phone_number: any().phone_number ?? "1" } }),
  "selective: group": () => ({ filters: { group_ids: any().group_ids } }),
  "selective: rare phrase": () => ({
    filters: {
      text_search: {
        query: any().search_text.split("\n").at(-1)?.split(" ").slice(0, 3).join(" "),
        mode: "exact",
      },
    },
  }),
  "selective: brand and year": () => ({
    filters: { brand: [any().brand], years: [any().year ?? 2020] },
  }),
  "selective: price drop of 45 %": () => ({ filters: { price_drop_bps: { gte: 4_500 } } }),
  "selective: price drop of 45 %, cheapest": () => ({
    filters: { price_drop_bps: { gte: 4_500 } },
    sort: "price_asc",
  }),
  "selective: nothing": () => ({ filters: { brand: ["no such brand"], price: { lte: 500_000 } } }),
  "broad: everything, newest": () => ({ filters: {} }),
  "broad: everything, cheapest": () => ({ filters: {}, sort: "price_asc" }),
  "broad: everything, dearest": () => ({ filters: {}, sort: "price_desc" }),
  "broad: everything, oldest": () => ({ filters: {}, sort: "oldest" }),
  "broad: everything, latest year": () => ({ filters: {}, sort: "year_desc" }),
  "broad: brand": () => ({ filters: { brand: [any().brand] } }),
  "broad: brand, cheapest": () => ({ filters: { brand: [any().brand] }, sort: "price_asc" }),
  "broad: brand, dearest": () => ({ filters: { brand: [any().brand] }, sort: "price_desc" }),
  "broad: brand, latest year": () => ({ filters: { brand: [any().brand] }, sort: "year_desc" }),
  "broad: price drop of 5 %": () => ({ filters: { price_drop_bps: { gte: 500 } } }),
  "broad: price drop of 5 %, cheapest": () => ({
    filters: { price_drop_bps: { gte: 500 } },
    sort: "price_asc",
  }),
  "broad: common word": () => ({ filters: { q: "w0" } }),
  "broad: country and price": () => ({
    filters: { country_codes: { include: ["852"] }, price: { gte: 500_000, lte: 800_000 } },
  }),
  "broad: condition and year, cheapest": () => ({
    filters: { condition: ["NEW"], year: { gte: 2022 } },
    sort: "price_asc",
  }),
  "broad: everything, tenth page": () => ({ filters: {}, skipPages: 9 }),
};

const FIGURE_FILTERS: Readonly<Record<string, () => FilterObject>> = {
  everything: () => ({}),
  brand: () => ({ brand: [any().brand] }),
  "brand, year, condition": () => ({
    brand: [any().brand],
    year: { gte: 2020 },
    condition: ["NEW"],
  }),
  reference: () => ({ reference: [any().reference] }),
  "country and price": () => ({
    country_codes: { include: ["852"] },
    price: { gte: 500_000, lte: 800_000 },
  }),
  "common word": () => ({ q: "w0" }),
  "all time": () => ({ from_ms: 0 }),
};

const figure = { nowMs: NOW_MS, budget: scanBudget(false) };
const FIGURES: Readonly<
  Record<string, (db: Database, filters: FilterObject) => Promise<{ readonly isExact: boolean }>>
> = {
  facets: (db, filters) => countFacets(db, { ...figure, filters, limit: 20 }),
  references: (db, filters) =>
    searchReferences(db, { ...figure, filters, sort: "listing_count", limit: 50 }),
  summary: (db, filters) => summarizeMarket(db, { ...figure, filters }),
};

await runBenchmark("search", async (t) => {
  const { db } = await openStore(t);
  const createRow = (sequence: number) => toListingRow(market.listing(), sequence);
  const loading = await measure(() => loadListings(db, { count: LISTINGS, createRow }));
  const searches: Record<string, object> = {};
  for (const [name, create] of Object.entries(SEARCHES)) {
    searches[name] = await timeSearch(db, create);
    if (isShowingPlans) await showPlan(db, create());
  }
  const figures: Record<string, object> = {};
  for (const [name, ask] of Object.entries(FIGURES)) {
    for (const [filterName, create] of Object.entries(FIGURE_FILTERS)) {
      figures[`${name}: ${filterName}`] = await timeFigure(() => ask(db, create()));
    }
  }
  const [size] = await db.query<{ table: number; indexes: number }>(sql`
    select pg_table_size('listing') / 1000000 as table, pg_indexes_size('listing') / 1000000 as indexes`);
  return {
    listings: LISTINGS,
    load_s: Math.round(loading.ms / 1000),
    table_mb: size?.table,
    indexes_mb: size?.indexes,
    page: PAGE,
    ms: searches,
    figures_ms: figures,
  };
});

async function timeSearch(db: Database, create: () => Search) {
  let rowCount = 0;
  const times = await timeRounds(async () => {
    const { filters, sort = "newest", skipPages = 0 } = create();
    const search = { filters, sort, limit: PAGE, isTotalAsked: false };
    let place: { readonly cursor?: string } = {};
    for (let page = 0; page < skipPages; page += 1) {
      const { nextCursor } = await searchListings(db, { ...search, ...place });
      place = nextCursor === undefined ? {} : { cursor: nextCursor };
    }
    const { ms, result } = await measure(() => searchListings(db, { ...search, ...place }));
    rowCount += result.rows.length;
    return ms;
  });
  return { ...times, rows: Math.round(rowCount / (ROUNDS + 1)) };
}

async function timeFigure(ask: () => Promise<{ readonly isExact: boolean }>) {
  let exactCount = 0;
  const times = await timeRounds(async () => {
    const { ms, result } = await measure(ask);
    if (result.isExact) exactCount += 1;
    return ms;
  });
  return { ...times, exact: round(exactCount / (ROUNDS + 1)) };
}

/** One round more, whose time does not count, warms the caches. */
async function timeRounds(run: () => Promise<number>) {
  await run();
  const times: number[] = [];
  for (let at = 0; at < ROUNDS; at += 1) times.push(await run());
  return {
    p50: round(quantile(times, 0.5)),
    p95: round(quantile(times, 0.95)),
    max: round(quantile(times, 1)),
  };
}

async function showPlan(db: Database, { filters, sort = "newest" }: Search): Promise<void> {
  const filter = parseFilter(filters);
  const where = compileSql(filter, await loadDirectory(db, filter));
  const orders: Readonly<Record<Sort, string>> = {
    newest: "last_seen_at_ms desc, id",
    oldest: "last_seen_at_ms, id",
    price_asc: "price_eur_minor, id",
    price_desc: "price_eur_minor desc, id",
    year_desc: "year desc, id",
  };
  const hasValue = sort === "year_desc" ? "year" : "price_eur_minor";
  const start = sort === "newest" || sort === "oldest" ? "true" : `${hasValue} is not null`;
  const rows = await db.query<{ "QUERY PLAN": string }>(sql`
    explain (analyze, buffers, costs off, timing off)
    select id from listing where ${where} and ${rawSql(start)} order by ${rawSql(orders[sort])} limit 51`);
  process.stderr.write(
    `\n${sort}: ${JSON.stringify(filters)}\n${rows.map((row) => row["QUERY PLAN"]).join("\n")}\n`,
  );
}
