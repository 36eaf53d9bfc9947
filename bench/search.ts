// Searches a million listings on the embedded server, and counts them. Prints one JSON line. LISTINGS=100000 for a smaller market.

import { mkdtempSync, rmSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { createLogger } from "../src/base/log.ts";
import { HOUR_MS } from "../src/base/time.ts";
import type { DatabasePool } from "../src/db/database.ts";
import { openEmbeddedServer } from "../src/db/embedded/server.ts";
import { migrate } from "../src/db/migrate.ts";
import { openPool } from "../src/db/pool.ts";
import { rawSql, sql } from "../src/db/sql.ts";
import { parseFilter } from "../src/filters/language/filter.ts";
import { compileSql } from "../src/filters/sql/compile-sql.ts";
import { countFacets } from "../src/filters/sql/count-facets.ts";
import { loadDirectory } from "../src/filters/sql/directory-store.ts";
import { SCAN_BUDGET } from "../src/filters/sql/figure-scan.ts";
import { searchListings } from "../src/filters/sql/search-listings.ts";
import { searchReferences } from "../src/filters/sql/search-references.ts";
import { summarizeMarket } from "../src/filters/sql/summarize-market.ts";
import type { Sort } from "../src/listings/listing-store.ts";
import { insertRows } from "../test/support/insert.ts";
import { createMarket, createRandom, type FilterObject, NOW_MS } from "./market.ts";

const LISTINGS = Number(process.env["LISTINGS"] ?? 1_000_000);
const ROUNDS = Number(process.env["ROUNDS"] ?? 40);
const isShowingPlans = process.argv.includes("--plans");
const log = createLogger("warn");

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
  "broad: everything, latest year": () => ({ filters: {}, sort: "year_desc" }),
  "broad: brand": () => ({ filters: { brand: [any().brand] } }),
  "broad: brand, cheapest": () => ({ filters: { brand: [any().brand] }, sort: "price_asc" }),
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

const figure = { nowMs: NOW_MS, budget: SCAN_BUDGET };
const FIGURES: Readonly<
  Record<string, (filters: FilterObject) => Promise<{ readonly isExact: boolean }>>
> = {
  facets: (filters) => countFacets(db, { ...figure, filters, limit: 20 }),
  references: (filters) =>
    searchReferences(db, { ...figure, filters, sort: "listing_count", limit: 50 }),
  summary: (filters) => summarizeMarket(db, { ...figure, filters }),
};

const dataDir = mkdtempSync(join(tmpdir(), "assay-bench-"));
const server = await openEmbeddedServer({ dataDir, log });
const setUp = openPool({ url: server.setUpUrl("postgres"), name: "bench" });
await setUp.script("create database bench template template0");
await setUp.end();
const db = openPool({
  url: server.setUpUrl("bench"),
  name: "bench",
  statementTimeoutMs: HOUR_MS,
});
try {
  await migrate(db, log);
  const startedAtMs = performance.now();
  await loadListings(db);
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
  await db.end();
  await server.release();
  rmSync(dataDir, { recursive: true, force: true });
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
    price_desc: "price_eur_minor desc nulls last, id",
    year_desc: "year desc nulls last, id",
  };
  const rows = await db.query<{ "QUERY PLAN": string }>(sql`
    explain (analyze, buffers, costs off, timing off)
    select id from listing where ${where} order by ${rawSql(orders[sort])} limit 51`);
  process.stderr.write(
    `\n${name}: ${JSON.stringify(filters)}\n${rows.map((row) => row["QUERY PLAN"]).join("\n")}\n`,
  );
}

/** Loads the rows first and then creates the indexes, which is faster for a million rows. */
async function loadListings(pool: DatabasePool): Promise<void> {
  const indexes = await pool.query<{ name: string; definition: string }>(sql`
    select indexname as name, indexdef as definition from pg_indexes
     where tablename = 'listing' and indexname <> 'listing_pkey'`);
  for (const { name } of indexes) await pool.script(`drop index ${name}`);
  await pool.script(`alter table listing disable trigger all`);
  let rows: object[] = [];
  for (let at = 1; at <= LISTINGS; at += 1) {
    rows.push(toRow(at));
    if (rows.length < 2_000 && at < LISTINGS) continue;
    await pool.execute(insertRows("listing", rows));
    rows = [];
  }
  await pool.transaction(async (tx) => {
    await tx.script("set local maintenance_work_mem = '512MB'");
    for (const { definition } of indexes) await tx.script(definition);
  });
  await pool.script("vacuum analyze listing");
}

function toRow(sequence: number) {
  const { group_names_folded, contact_ids, canonical_message_ids, ...listing } = market.listing();
  return {
    ...listing,
    canonical_message_id: canonical_message_ids[0],
    first_seen_at_ms: listing.message_timestamp_ms,
    sequence,
    created_at_ms: NOW_MS,
    updated_at_ms: NOW_MS,
  };
}
