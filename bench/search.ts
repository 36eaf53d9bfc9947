// Searches a million listings on the embedded server, and counts them. Prints one JSON line. LISTINGS=100000 for a smaller market.

import { cpus } from "node:os";
import { rawSql, sql } from "../src/db/sql.ts";
import { parseFilter } from "../src/filters/language/filter.ts";
import { compileSql, loadDirectory } from "../src/filters/sql/compile-sql.ts";
import { scanBudget } from "../src/filters/sql/figure-scan.ts";
import { countFacets, summarizeMarket } from "../src/filters/sql/market-figures.ts";
import { searchListings } from "../src/filters/sql/search-listings.ts";
import { searchReferences } from "../src/filters/sql/search-references.ts";
import type { Sort } from "../src/listings/listing-store.ts";
import { openLargeMarket } from "./large-market.ts";
import { createMarket, createRandom, type FilterObject, NOW_MS } from "./market.ts";

const LISTINGS = Number(process.env["LISTINGS"] ?? 1_000_000);
const ROUNDS = Number(process.env["ROUNDS"] ?? 40);
const isShowingPlans = process.argv.includes("--plans");

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
  Record<string, (filters: FilterObject) => Promise<{ readonly isExact: boolean }>>
> = {
  facets: (filters) => countFacets(db, { ...figure, filters, limit: 20 }),
  references: (filters) =>
    searchReferences(db, { ...figure, filters, sort: "listing_count", limit: 50 }),
  summary: (filters) => summarizeMarket(db, { ...figure, filters }),
};

const startedAtMs = performance.now();
const { db, close } = await openLargeMarket(market, LISTINGS);
try {
  const loadSeconds = Math.round((performance.now() - startedAtMs) / 1000);
  const results: Record<string, unknown> = {};
  for (const [name, create] of Object.entries(SEARCHES))
    results[name] = await measure(name, create);
  const figures: Record<string, unknown> = {};
  for (const [name, ask] of Object.entries(FIGURES)) {
    for (const [filterName, create] of Object.entries(FIGURE_FILTERS)) {
      figures[`${name}: ${filterName}`] = await measureFigure(() => ask(create()));
    }
  }
  const [size] = await db.query<{ table: number; indexes: number }>(sql`
    select pg_table_size('listing') / 1000000 as table, pg_indexes_size('listing') / 1000000 as indexes`);
  process.stdout.write(
    `${JSON.stringify({
      bench: "search",
      machine: `${cpus().length} x ${cpus()[0]?.model ?? process.arch}`,
      node: process.version,
      listings: LISTINGS,
      load_s: loadSeconds,
      table_mb: size?.table,
      indexes_mb: size?.indexes,
      page: 50,
      ms: results,
      figures_ms: figures,
    })}\n`,
  );
} finally {
  await close();
}

/** Milliseconds from the call to the rows of one page, after one call that warms the caches. */
async function measure(name: string, create: () => Search) {
  const times: number[] = [];
  let rowCount = 0;
  for (let round = 0; round <= ROUNDS; round += 1) {
    const { filters, sort = "newest", skipPages = 0 } = create();
    const search = { filters, sort, limit: 50, isTotalAsked: false };
    let cursor: string | undefined;
    for (let page = 0; page < skipPages; page += 1) {
      cursor = (
        await searchListings(db, { ...search, ...(cursor === undefined ? {} : { cursor }) })
      ).nextCursor;
    }
    const startedAtMs = performance.now();
    const found = await searchListings(db, {
      ...search,
      ...(cursor === undefined ? {} : { cursor }),
    });
    if (round > 0) times.push(performance.now() - startedAtMs);
    rowCount += found.rows.length;
    if (round === 0 && isShowingPlans) await showPlan(name, filters, sort);
  }
  return { ...toQuantiles(times), rows: Math.round(rowCount / (ROUNDS + 1)) };
}

async function measureFigure(ask: () => Promise<{ readonly isExact: boolean }>) {
  const times: number[] = [];
  let exactCount = 0;
  for (let round = 0; round <= ROUNDS; round += 1) {
    const startedAtMs = performance.now();
    const { isExact } = await ask();
    if (round === 0) continue;
    times.push(performance.now() - startedAtMs);
    exactCount += isExact ? 1 : 0;
  }
  return { ...toQuantiles(times), exact: Math.round((exactCount / ROUNDS) * 100) / 100 };
}

function toQuantiles(times: number[]) {
  times.sort((left, right) => left - right);
  const at = (share: number) =>
    Math.round((times[Math.floor((times.length - 1) * share)] ?? 0) * 100) / 100;
  return { p50: at(0.5), p95: at(0.95), max: at(1) };
}

async function showPlan(name: string, filters: FilterObject, sort: Sort): Promise<void> {
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
    `\n${name}: ${JSON.stringify(filters)}\n${rows.map((row) => row["QUERY PLAN"]).join("\n")}\n`,
  );
}
