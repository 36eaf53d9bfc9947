// Searches a million listings on the embedded server, counts them, and finds references, dealers and typed words among them
// and 100,000 dealers. `ms` is the time from the call to the rows of one page. The peer of a find asks for the same rows with
// patterns, as one would without the indexes and the bounds.
//   node --import tsx bench/search.ts                   LISTINGS=100000 for a smaller market, ROUNDS=5 for fewer searches
//   node --import tsx bench/search.ts --plans           also shows the plans, on standard error

import { findAnything } from "../src/alerts/find-anything.ts";
import type { Database, DatabasePool } from "../src/db/database.ts";
import { rawSql, type Sql, sql } from "../src/db/sql.ts";
import { mergeBrands } from "../src/extraction/catalogue/brand.ts";
import { BUILT_IN_BRANDS, buildCatalogue } from "../src/extraction/catalogue/catalogue.ts";
import { parseFilter } from "../src/filters/language/filter.ts";
import { compileSql, loadDirectory } from "../src/filters/sql/compile-sql.ts";
import { scanBudget } from "../src/filters/sql/figure-scan.ts";
import { countFacets, summarizeMarket } from "../src/filters/sql/market-figures.ts";
import { searchListings } from "../src/filters/sql/search-listings.ts";
import { searchReferences } from "../src/filters/sql/search-references.ts";
import { parseQuery } from "../src/filters/typed/parse-query.ts";
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
  "selective: words that never stand together": () => ({
    filters: { text_search: { query: `${any().reference} ${any().reference}`, mode: "all" } },
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

const CONTACTS = readVariable("CONTACTS", 100_000);
const FIND_LIMIT = 5;
/** The market's own brands, so that words find models of a tenth of all listings. */
const catalogue = buildCatalogue(
  mergeBrands(BUILT_IN_BRANDS, [{ name: "Brand 0", spellings: ["brand 0"] }]),
);

const find = (db: Database, q: string) => findAnything(db, q, { limit: FIND_LIMIT, catalogue });
const parse = (db: Database, text: string) => parseQuery(db, text, { catalogue, nowMs: NOW_MS });
const referencesLike = (start: string) => sql`
  select reference_normalized, count(*), percentile_cont(0.5) within group (order by price_eur_minor)
    from listing where reference_normalized like ${`${start}%`} group by 1 order by 2 desc limit ${FIND_LIMIT}`;
const contactsLike = (condition: Sql) => sql`
  select contact.id, (select max(last_seen_at_ms) from canonical_message where contact_id = contact.id) as last_seen
    from contact where ${condition} order by last_seen desc nulls last limit ${FIND_LIMIT}`;
const nameLike = (part: string) => contactsLike(sql`display_name ilike ${`%${part}%`}`);
const numberLike = (part: string) => contactsLike(sql`phone_number like ${`%${part}%`}`);

interface Find {
  readonly ask: (db: Database, at: number) => Promise<unknown>;
  readonly peer?: (at: number) => Sql;
}

const FINDS: Readonly<Record<string, Find>> = {
  "find: reference": {
    ask: (db) => find(db, any().reference),
    peer: () => referencesLike(any().reference_normalized ?? ""),
  },
  "find: start of many references": {
    ask: (db, at) => find(db, `1${at % 10}`),
    peer: (at) => referencesLike(`1${at % 10}`),
  },
  "find: brand": { ask: (db) => find(db, "brand 0") },
  "find: common word": { ask: (db) => find(db, "w0") },
  "find: words": { ask: (db, at) => find(db, `w${at} w1 w2`) },
  "find: dealer": {
    ask: (db, at) => find(db, `Dealer n${at}`),
    peer: (at) => nameLike(`Dealer n${at}`),
  },
  "find: word of every dealer": { ask: (db) => find(db, "dealer"), peer: () => nameLike("dealer") },
  "find: digits": {
    ask: (db, at) => find(db, `+852 9${1000 + at}`),
    peer: (at) => numberLike(`8529${1000 + at}`),
  },
  "find: digits of every number": { ask: (db) => find(db, "852"), peer: () => numberLike("852") },
  "parse: reference, price, dealer": {
    ask: (db, at) => parse(db, `126500ln weiss neu bis 30k 2023+ n${at}`),
  },
  "parse: start of many references": { ask: (db) => parse(db, "rolex 126710 pepsi under 18k") },
  "parse: 500 characters": { ask: (db) => parse(db, "dealer x ".repeat(55)) },
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
  await addContacts(db);
  const finds: Record<string, object> = {};
  for (const [name, { ask, peer }] of Object.entries(FINDS)) {
    finds[name] = {
      ...(await timeFind((at) => ask(db, at))),
      ...(peer === undefined ? {} : { peer: await timeFind((at) => db.query(peer(at))) }),
    };
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
    contacts: CONTACTS,
    finds_ms: finds,
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

async function timeFind(ask: (at: number) => Promise<unknown>) {
  let at = 0;
  return timeRounds(async () => {
    at += 1;
    return (await measure(() => ask(at))).ms;
  });
}

/** Dealers with a name, a number of Hong Kong and one message each. */
async function addContacts(db: DatabasePool): Promise<void> {
  const id = sql`md5('contact ' || number)::uuid`;
  const phone = sql`(85290000000 + number)::text`;
  const numbers = sql`generate_series(1, ${CONTACTS}::integer) as number`;
  await db.execute(sql`
    insert into contact (id, key, phone_number, display_name)
    select ${id}, 'phone:' || ${phone}, ${phone}, 'Dealer n' || number from ${numbers}`);
  await db.execute(sql`
    insert into contact_identifier (identifier, contact_id, first_seen_at_ms, name, name_words)
    select 'phone:' || ${phone}, ${id}, 0, 'Dealer n' || number, 'dealer n' || number from ${numbers}`);
  await db.execute(sql`
    insert into canonical_message (id, contact_id, text, first_seen_at_ms, last_seen_at_ms, occurrence_count)
    select ${id}, ${id}, '', number, number, 1 from ${numbers}`);
  await db.script("vacuum analyze contact_identifier, contact, canonical_message");
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
