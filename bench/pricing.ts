// Refreshes cells on the embedded server, next to the queries that a simple implementation would run. Prints one JSON line.
//   node --import tsx bench/pricing.ts [LISTINGS] [CONFIGURATIONS] [QUERIES]

import { mkdtempSync, rmSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { DAY_MS, HOUR_MS } from "../src/base/clock.ts";
import { toStableId } from "../src/base/ids.ts";
import { createLogger } from "../src/base/log.ts";
import { foldWord, normalizeReference } from "../src/base/text.ts";
import type { Database, DatabasePool } from "../src/db/database.ts";
import { openEmbeddedServer } from "../src/db/embedded/server.ts";
import { migrate } from "../src/db/migrate.ts";
import { openPool } from "../src/db/pool.ts";
import { rawSql, sql } from "../src/db/sql.ts";
import { openFilterIndex } from "../src/filters/index/filter-index.ts";
import { queueRefreshes } from "../src/matching/refresh-queue-store.ts";
import { refreshCells } from "../src/pipeline/refresh-cells.ts";
import { queueAllRefreshes } from "../src/pricing/cells/schedule-store.ts";
import { insertRows } from "../test/support/insert.ts";
import { createMarket, NOW_MS } from "./market.ts";

const [LISTINGS = 100_000, CONFIGURATIONS = 1_000, QUERIES = 300] = process.argv
  .slice(2)
  .map(Number);
const NEW_LISTINGS = 1_000;
/** The worker's batch size. */
const BATCH_MAX = 300;
const SCANS = 5;
const log = createLogger("warn");
const market = createMarket(7);
const USED_INDEXES = ["listing_by_reference", "listing_by_sequence"];
const PROFILE = toStableId("profile", "bench");

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
const clock = { nowMs: () => NOW_MS, elapsedMs: () => performance.now() };
await migrate(db, log);
const index = await openFilterIndex({
  db,
  feed: { isLive: () => true, subscribe: () => undefined, close: async () => undefined },
  log,
});
const peak = { rssMb: 0 };
const watch = setInterval(noteMemory, 50);
try {
  await loadMarket(db);
  const rssAtStartMb = noteMemory();
  peak.rssMb = 0;
  const [size] = await db.query(sql`
    select (select count(*) from listing_model) as members, (select count(*) from price_configuration) as configurations`);
  const first = await refreshAll();
  const again = await refreshAll();
  const incremental = await refreshAfterArrivals();
  const one = await refreshOne();
  const rssPeakMb = noteMemory();
  const setBased = await measure(runSetBased);
  const cells = await compareCells();
  const queries = await measure(() => runQueries(Math.min(QUERIES, CONFIGURATIONS)));
  const scans = await measure(() => runQueries(SCANS, { isScan: true }));
  const perQueryMs = queries.ms / Math.min(QUERIES, CONFIGURATIONS);
  process.stdout.write(
    `${JSON.stringify({
      bench: "pricing",
      machine: `${cpus().length} x ${cpus()[0]?.model ?? process.arch}`,
      node: process.version,
      listings: LISTINGS,
      configurations: size?.["configurations"],
      members: size?.["members"],
      cells,
      first_refresh_of_all_s: first.ms / 1000,
      next_refresh_of_all_s: again.ms / 1000,
      ...incremental,
      one_configuration_ms: one,
      set_based_query_s: setBased.ms / 1000,
      per_configuration_query_ms: perQueryMs,
      per_configuration_scan_ms: scans.ms / SCANS,
      per_configuration_queries_of_all_s: (perQueryMs * CONFIGURATIONS) / 1000,
      first_refresh_faster_than_queries: (perQueryMs * CONFIGURATIONS) / first.ms,
      next_refresh_faster_than_queries: (perQueryMs * CONFIGURATIONS) / again.ms,
      rss_before_mb: rssAtStartMb,
      rss_peak_mb: rssPeakMb,
    })}\n`,
  );
} finally {
  clearInterval(watch);
  await index.close();
  await db.end();
  await server.release();
  rmSync(dataDir, { recursive: true, force: true });
}

function noteMemory(): number {
  peak.rssMb = Math.max(peak.rssMb, Math.round(process.memoryUsage.rss() / 1e6));
  return peak.rssMb;
}

async function measure(work: () => Promise<unknown>): Promise<{ readonly ms: number }> {
  const startedAtMs = performance.now();
  await work();
  return { ms: Math.round((performance.now() - startedAtMs) * 10) / 10 };
}

async function drainQueue(): Promise<number> {
  let count = 0;
  for (;;) {
    const { takenCount } = await refreshCells(db, { batchMax: BATCH_MAX, clock, log, index });
    count += takenCount;
    if (takenCount === 0) return count;
  }
}

async function refreshAll() {
  await queueAllRefreshes(db, clock.nowMs());
  return measure(drainQueue);
}

/** Inserts new asks and queues the configurations that they affect, as matching does. Only the refresh is measured. */
async function refreshAfterArrivals() {
  await copyListings(db, LISTINGS + 1, LISTINGS + NEW_LISTINGS);
  const touched = await addMembers(db, LISTINGS);
  await queueRefreshes(db, touched, clock.nowMs());
  const { ms } = await measure(drainQueue);
  return { touched_by_1000_listings: touched.length, incremental_refresh_s: ms / 1000 };
}

async function refreshOne() {
  const rows = await db.query<{ id: string }>(sql`
    select id from price_configuration order by id limit 50`);
  const times: number[] = [];
  for (const { id } of rows) {
    await queueRefreshes(db, [id], clock.nowMs());
    times.push((await measure(() => refreshCells(db, { batchMax: 1, clock, log, index }))).ms);
  }
  times.sort((left, right) => left - right);
  return { p50: times[25], max: times.at(-1) };
}

/** Calculates the cells of all configurations with one statement over the memberships, into a separate table. */
async function runSetBased(): Promise<void> {
  await db.script(`
    drop table if exists set_based;
    create table set_based as
    ${cellsOf(`
      select model.configuration_id, listing.*,
             price_eur_minor + case when source_market = 'EU' then 0
               else (price_eur_minor * 500 + 5000) / 10000 + 15000 end as ask
        from listing_model as model join listing on listing.id = model.listing_id`)}`);
}

/** A simple implementation: for each configuration, evaluates its filter and those of the source views over the listings. */
async function runQueries(count: number, { isScan = false } = {}): Promise<void> {
  await db.transaction((tx) => runQueriesIn(tx, count, isScan));
}

async function runQueriesIn(tx: Database, count: number, isScan: boolean): Promise<void> {
  if (isScan) {
    await tx.execute(sql`
      select set_config('enable_indexscan', 'off', true), set_config('enable_bitmapscan', 'off', true),
             set_config('enable_indexonlyscan', 'off', true),
             set_config('plan_cache_mode', 'force_custom_plan', true)`);
  }
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
async function compareCells(): Promise<number> {
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

/** Loads the rows first and then creates only the indexes used here: the others take a quarter of an hour. */
async function loadMarket(pool: DatabasePool): Promise<void> {
  const indexes = await pool.query<{ name: string; definition: string }>(sql`
    select indexname as name, indexdef as definition from pg_indexes
     where tablename = 'listing' and indexname <> 'listing_pkey'`);
  for (const { name } of indexes) await pool.script(`drop index ${name}`);
  await pool.script(`
    alter table listing disable trigger all;
    alter table listing_model disable trigger all`);
  await copyListings(pool, 1, LISTINGS);
  await pool.transaction(async (tx) => {
    await tx.script("set local maintenance_work_mem = '256MB'");
    for (const { name, definition } of indexes) {
      if (USED_INDEXES.includes(name)) await tx.script(definition);
    }
  });
  await pool.script("vacuum analyze listing");
  await declareConfigurations(pool);
  await addMembers(pool, 0);
  for (const table of ["listing_model", "price_configuration"]) {
    await pool.script(`vacuum analyze ${table}`);
  }
}

/** For each of the most offered references: one configuration for all its listings, and one for a dial. */
async function declareConfigurations(pool: DatabasePool): Promise<void> {
  await pool.execute(sql`
    insert into price_profile (id, name, status, lookback_days, minimum_listings, minimum_profit_eur_minor,
      hk_markup_rate_bps, hk_markup_fixed_eur_minor, consumer_low_quantile_bps, consumer_high_quantile_bps,
      consumer_margin_bps, stale_after_ms, implausible_below_bps, implausible_above_bps, created_at_ms,
      updated_at_ms)
    values (${PROFILE}, 'bench', 'live', 30, 3, 50000, 500, 15000, 2500, 7500, 1000, 21600000, 5000, 30000, 0, 0)`);
  await pool.execute(sql`
    insert into price_configuration (id, configuration_key, profile_id, brand, brand_lower, reference,
      reference_normalized, market_reference_normalized, filters, filter_summary, minimum_profit_overrides,
      exclude_outliers, publish_enabled, buy_signals_enabled, created_at_ms, updated_at_ms)
    select gen_random_uuid(), reference || filters::text, ${PROFILE}, brand, lower(brand), reference,
           reference_normalized, reference_normalized, filters, 'everything', '[]', true, false, true, 0, 0
      from (select brand, reference, reference_normalized from listing
             group by brand, reference, reference_normalized
             order by count(*) desc, reference limit ${Math.ceil(CONFIGURATIONS / 2)}) as offered,
           (values ('{}'::jsonb), ('{"dial_type": ["black"]}')) as declared (filters)
     order by reference limit ${CONFIGURATIONS}`);
}

/** Stores what matching would store for the listings after a number. Returns the configurations that got one. */
async function addMembers(pool: DatabasePool, afterSequence: number): Promise<readonly string[]> {
  const touched = await pool.query<{ id: string }>(sql`
    with added as (
      insert into listing_model (listing_id, configuration_id, source_market)
      select listing.id, configuration.id, case when phone_number like '852%' then 'HK' else 'EU' end
        from price_configuration as configuration
        join listing on listing.reference_normalized = configuration.market_reference_normalized
       where listing.sequence > ${afterSequence} and side = 'for_sale' and not is_hidden and not is_revoked
         and (configuration.filters = '{}' or dial_type_folded = configuration.filters -> 'dial_type' ->> 0)
      returning configuration_id
    )
    select distinct configuration_id as id from added`);
  return touched.map(({ id }) => id);
}

async function copyListings(pool: DatabasePool, from: number, to: number): Promise<void> {
  let rows: object[] = [];
  for (let sequence = from; sequence <= to; sequence += 1) {
    rows.push(toRow(sequence));
    if (rows.length < 2_000 && sequence < to) continue;
    await pool.execute(insertRows("listing", rows));
    rows = [];
  }
}

function toRow(sequence: number) {
  const { group_names_folded, contact_ids, canonical_message_ids, ...listing } = market.listing();
  return {
    ...listing,
    reference_normalized: normalizeReference(listing.reference),
    canonical_message_id: canonical_message_ids[0],
    contact_id: listing.phone_number === null ? null : toStableId("contact", listing.phone_number),
    first_seen_at_ms: listing.message_timestamp_ms,
    sequence,
    created_at_ms: NOW_MS,
    updated_at_ms: NOW_MS,
  };
}
