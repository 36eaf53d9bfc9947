// Refreshes the cells of configurations, next to the queries that a simple implementation would run: one for each
// configuration, by index and by scan, and one set-based query for all. None of the queries writes.
//   node --import tsx bench/pricing.ts [LISTINGS] [CONFIGURATIONS] [QUERIES]      default 100000 1000 300

import { DAY_MS } from "../src/base/clock.ts";
import { foldWord } from "../src/base/text.ts";
import type { Database, DatabasePool } from "../src/db/database.ts";
import { rawSql, sql } from "../src/db/sql.ts";
import { openFilterIndex } from "../src/filters/index/filter-index.ts";
import { queueRefreshes } from "../src/matching/refresh-queue-store.ts";
import { refreshCells } from "../src/pipeline/refresh-cells.ts";
import { queueAllRefreshes } from "../src/pricing/cells/schedule-store.ts";
import { createMarket, NOW_MS } from "./support/market.ts";
import { insertListings, loadListings } from "./support/market-store.ts";
import { addMembers, declareConfigurations, toPricedRow } from "./support/priced-market.ts";
import {
  type Cost,
  log,
  measure,
  openStore,
  quantile,
  readNumbers,
  round,
  runBenchmark,
  withPeakMemory,
} from "./support/runner.ts";

const [LISTINGS, CONFIGURATIONS, QUERIES] = readNumbers(100_000, 1_000, 300);
const NEW_LISTINGS = 1_000;
/** The worker's batch size. */
const BATCH_MAX = 300;
const SCANS = 5;
const market = createMarket(7);
const USED_INDEXES = ["listing_by_reference", "listing_by_sequence"];

const clock = { nowMs: () => NOW_MS, elapsedMs: () => performance.now() };
const feed = { isLive: () => true, subscribe: () => undefined, close: async () => undefined };

await runBenchmark("pricing", async (t) => {
  const store = await openStore(t);
  const { db } = store;
  const index = await openFilterIndex({ db, feed, log });
  t.after(() => index.close());
  await loadMarket(db);
  const [size] = await db.query(sql`
    select (select count(*) from listing_model) as members, (select count(*) from price_configuration) as configurations`);
  const refresh = (batchMax = BATCH_MAX) => refreshCells(db, { batchMax, clock, log, index });
  const drain = async () => {
    while ((await refresh()).takenCount > 0);
  };
  const drainAll = async () => {
    await queueAllRefreshes(db, clock.nowMs());
    return measure(drain, store);
  };
  const refreshed = await withPeakMemory(async () => ({
    first: await drainAll(),
    again: await drainAll(),
    touched: await addArrivals(db),
    arrivals: await measure(drain, store),
    one: await refreshOneByOne(db, () => refresh(1)),
  }));
  const { first, again, touched, arrivals, one } = refreshed.result;
  const setBased = await measure(() => runSetBased(db), store);
  const cells = await compareCells(db);
  const queryCount = Math.min(QUERIES, CONFIGURATIONS);
  const queries = await measure(() => runQueries(db, queryCount), store);
  const scans = await measure(() => runQueries(db, SCANS, { isScan: true }));
  const queriesOfAllMs = (queries.ms / queryCount) * CONFIGURATIONS;
  const seconds = (ms: number) => round(ms / 1000, 4);
  const cpuSeconds = ({ ownUs, serverUs }: Cost) => round((ownUs + serverUs) / 1e6);
  return {
    listings: LISTINGS,
    configurations: size?.["configurations"],
    members: size?.["members"],
    cells,
    first_refresh_of_all_s: seconds(first.ms),
    next_refresh_of_all_s: seconds(again.ms),
    touched_by_1000_listings: touched,
    incremental_refresh_s: seconds(arrivals.ms),
    one_configuration_ms: one,
    set_based_query_s: seconds(setBased.ms),
    per_configuration_query_ms: round(queries.ms / queryCount, 3),
    per_configuration_scan_ms: round(scans.ms / SCANS, 3),
    per_configuration_queries_of_all_s: seconds(queriesOfAllMs),
    first_refresh_faster_than_queries: round(queriesOfAllMs / first.ms),
    next_refresh_faster_than_queries: round(queriesOfAllMs / again.ms),
    cpu_s: {
      first_refresh: cpuSeconds(first),
      next_refresh: cpuSeconds(again),
      set_based_query: cpuSeconds(setBased),
      per_configuration_queries: round((cpuSeconds(queries) / queryCount) * CONFIGURATIONS),
    },
    rss_before_mb: Math.round(refreshed.beforeBytes / 1e6),
    rss_peak_mb: Math.round(refreshed.peakBytes / 1e6),
  };
});

/** Inserts new asks and queues the configurations that they affect, as matching does. Returns how many. */
async function addArrivals(db: DatabasePool): Promise<number> {
  await insertListings(db, { from: LISTINGS + 1, to: LISTINGS + NEW_LISTINGS, createRow });
  const touched = await addMembers(db, LISTINGS);
  await queueRefreshes(db, touched, clock.nowMs());
  return touched.length;
}

async function refreshOneByOne(db: DatabasePool, refresh: () => Promise<unknown>) {
  const rows = await db.query<{ id: string }>(sql`
    select id from price_configuration order by id limit 50`);
  const times: number[] = [];
  for (const { id } of rows) {
    await queueRefreshes(db, [id], clock.nowMs());
    times.push((await measure(refresh)).ms);
  }
  return { p50: round(quantile(times, 0.5)), max: round(quantile(times, 1)) };
}

/** Calculates the cells of all configurations with one statement over the memberships, into a separate table. */
async function runSetBased(db: DatabasePool): Promise<void> {
  await db.script(`
    drop table if exists set_based;
    create table set_based as
    ${cellsOf(`
      select model.configuration_id, listing.*,
             listing.price_eur_minor + case when source_market = 'EU' then 0
               else (listing.price_eur_minor * 500 + 5000) / 10000 + 15000 end as ask
        from listing_model as model join listing on listing.id = model.listing_id`)}`);
}

/** A simple implementation: for each configuration, evaluates its filter and those of the source views over the listings. */
async function runQueries(db: DatabasePool, count: number, { isScan = false } = {}) {
  await db.transaction(async (tx) => {
    if (isScan) {
      await tx.execute(sql`
        select set_config('enable_indexscan', 'off', true), set_config('enable_bitmapscan', 'off', true),
               set_config('enable_indexonlyscan', 'off', true),
               set_config('plan_cache_mode', 'force_custom_plan', true)`);
    }
    await queryConfigurations(tx, count);
  });
}

async function queryConfigurations(tx: Database, count: number): Promise<void> {
  const rows = await tx.query<{
    id: string;
    brand: string;
    reference: string;
    dial: string | null;
  }>(sql`
    select id, brand_lower as brand, market_reference_normalized as reference,
           filters -> 'dial_type' ->> 0 as dial
      from price_configuration order by id limit ${count}`);
  const texts = cellsOf(`
    select @::uuid as configuration_id, listing.*,
           price_eur_minor + case when phone_number like '852%' is not true then 0
             else (price_eur_minor * 500 + 5000) / 10000 + 15000 end as ask
      from listing
     where brand_folded = @ and reference_normalized = @ and (@::text is null or dial_type_folded = @)`)
    .split("@")
    .map((text) => rawSql(text));
  for (const { id, brand, reference, dial } of rows) {
    const folded = foldWord(brand);
    await tx.query(
      sql`${texts[0]}${id}${texts[1]}${folded}${texts[2]}${reference}${texts[3]}${dial}${texts[4]}${dial}${texts[5]}`,
    );
  }
}

/** Calculates cells from the asks of configurations, in SQL only. */
function cellsOf(asks: string): string {
  const key = "configuration_id, year, condition";
  // Not round(), which rounds half of a double to even.
  const quantile = (share: number) =>
    `floor(percentile_cont(${share}) within group (order by ask) + 0.5)::bigint`;
  return `
    with asks as (${asks}), latest as (
      select distinct on (${key}, contact_id) ${key}, ask
        from asks
       where side = 'for_sale' and not is_hidden and not is_revoked and price_eur_minor is not null
         and year is not null and condition is not null and contact_id is not null and last_seen_at_ms >= ${NOW_MS - 30 * DAY_MS}
       order by ${key}, contact_id, last_seen_at_ms desc, ask, id
    ), medians as (
      select ${key}, count(*) as size, percentile_cont(0.5) within group (order by ask) as median
        from latest group by ${key}
    ), plausible as (
      select ${key}, ask from latest join medians using (${key})
       where size < 3 or median = 0 or ask * 10000 between median * 5000 and median * 30000
    ), fences as (
      select ${key}, count(*) as size, ${quantile(0.25)} as q1, ${quantile(0.75)} as q3
        from plausible group by ${key}
    ), kept as (
      select ${key}, ask from plausible join fences using (${key})
       where size < 5 or ask between q1 - 1.5 * (q3 - q1) and q3 + 1.5 * (q3 - q1)
    )
    select ${key}, count(*)::int as listing_count, round(avg(ask)) as average, ${quantile(0.5)} as median,
           round(${quantile(0.25)} * 1.1) as consumer_min, round(${quantile(0.75)} * 1.1) as consumer_max
      from kept group by ${key}`;
}

/** Both ways must agree. Rounded quantiles may differ by one, plus the margin on it. */
async function compareCells(db: DatabasePool): Promise<number> {
  const [row] = await db.query<{ count: number; differences: number }>(sql`
    select count(*) as count,
           count(*) filter (where (cell.listing_count = other.listing_count
             and (cell.status = 'insufficient' or (cell.market_average_eur_minor = other.average
               and abs(cell.market_median_eur_minor - other.median) <= 1
               and abs(cell.consumer_min_eur_minor - other.consumer_min) <= 2
               and abs(cell.consumer_max_eur_minor - other.consumer_max) <= 2))) is not true) as differences
      from price_cell as cell
      full join set_based as other
        on other.configuration_id = cell.configuration_id and other.year = cell.year
       and lower(other.condition) = cell.condition_bucket`);
  if (row === undefined || row.differences > 0) throw new Error(`${row?.differences} cells differ`);
  return row.count;
}

/** With only the indexes used here: the others take a quarter of an hour. */
async function loadMarket(db: DatabasePool): Promise<void> {
  await db.script("alter table listing_model disable trigger all");
  await loadListings(db, { count: LISTINGS, createRow, indexes: USED_INDEXES });
  // New listings come without triggers too.
  await db.script("alter table listing disable trigger all");
  await declareConfigurations(db, CONFIGURATIONS);
  await addMembers(db, 0);
  await db.script("vacuum analyze listing_model");
  await db.script("vacuum analyze price_configuration");
}

function createRow(sequence: number) {
  return toPricedRow(market.listing(), sequence);
}
