// Ranks the asks of a market best first, and the matches of its alerts, on the embedded server. `ms` is the time of one call with
// so many callers at once; each caller asks for other values. The peer prices all asks within the look-back in one statement,
// and sorts them.
//   node --import tsx bench/ranking.ts [LISTINGS] [CONFIGURATIONS] [CALLERS]      default 1000000 1000 16
//   ROUNDS=5 for fewer calls

import { findListingPrices } from "../src/alerts/listing-prices.ts";
import { listPricedWatches, summarizeWatches } from "../src/alerts/priced-watches.ts";
import type { WatchQuery } from "../src/alerts/watch-matches.ts";
import { DAY_MS } from "../src/base/clock.ts";
import type { Database, DatabasePool } from "../src/db/database.ts";
import { sql } from "../src/db/sql.ts";
import { openFilterIndex } from "../src/filters/index/filter-index.ts";
import { refreshCells } from "../src/pipeline/refresh-cells.ts";
import { queueAllRefreshes } from "../src/pricing/cells/schedule-store.ts";
import { rankAsks } from "../src/pricing/rank-asks.ts";
import type { Minima, Ranking } from "../src/pricing/ranking.ts";
import { anAlert } from "../test/support/rows.ts";
import { createMarket, createRandom, type FilterObject, NOW_MS } from "./support/market.ts";
import { loadListings } from "./support/market-store.ts";
import { addMembers, declareConfigurations, toPricedRow } from "./support/priced-market.ts";
import {
  log,
  measure,
  openStore,
  quantile,
  readNumbers,
  readVariable,
  round,
  runBenchmark,
} from "./support/runner.ts";

const [LISTINGS, CONFIGURATIONS, CALLERS] = readNumbers(1_000_000, 1_000, 16);
/** Of each caller. */
const ROUNDS = readVariable("ROUNDS", 5);
const PAGE = 50;
const MATCHES = 200_000;

const market = createMarket(11);
const sample = Array.from({ length: 400 }, () => market.listing());
const random = createRandom(5);
const any = () => sample[Math.floor(random() * sample.length)] ?? market.listing();

interface Ranked {
  readonly filters?: FilterObject;
  readonly ranking?: Ranking;
  readonly minima?: Minima;
  readonly skipPages?: number;
}

const RANKINGS: Readonly<Record<string, () => Ranked>> = {
  "everything, by profit": () => ({}),
  "everything, by share": () => ({ ranking: "profit_bps" }),
  "page 20, by profit": () => ({ skipPages: 19 }),
  "page 20, by share": () => ({ skipPages: 19, ranking: "profit_bps" }),
  "at least 500 euros, 10 %": () => ({
    minima: { minimumProfitEurMinor: 50_000, minimumDiscountBps: 1_000 },
  }),
  brand: () => ({ filters: { brand: [any().brand] } }),
  reference: () => ({ filters: { reference: [any().reference] } }),
  "phone number": () => ({ filters: { phone_number: any().phone_number ?? "1" } }),
  "year and condition": () => ({ filters: { year: { gte: 2022 }, condition: ["NEW"] } }),
  country: () => ({ filters: { country_codes: { include: ["852"] } } }),
  "country and dial": () => ({
    filters: { country_codes: { include: ["49"] }, dial_type: ["salmon"] },
  }),
  "common word": () => ({ filters: { q: "w0" } }),
  "rare word": () => ({ filters: { q: any().search_text.split(" ").at(-1) ?? "w0" } }),
};

/** Where a later page of a search begins. */
const cursors = new Map<string, { cursor?: string }>();

const selection: WatchQuery = {
  strategy: null,
  alertId: null,
  isUnseenOnly: false,
  includesShadow: false,
  leftOut: "blocked_and_passed",
  sinceMs: null,
  listing: null,
};

const clock = { nowMs: () => NOW_MS, elapsedMs: () => performance.now() };
const feed = { isLive: () => true, subscribe: () => undefined, close: async () => undefined };

await runBenchmark("ranking", async (t) => {
  const { db } = await openStore(t);
  await loadMarket(db);
  const index = await openFilterIndex({ db, feed, log });
  t.after(() => index.close());
  await queueAllRefreshes(db, NOW_MS);
  while ((await refreshCells(db, { batchMax: 300, clock, log, index })).takenCount > 0);
  await addMatches(db);
  await db.script("vacuum analyze");
  const [size] = await db.query(sql`
    select (select count(*) from listing_model) as members, (select count(*) from price_cell where status = 'available') as cells,
           pg_table_size('listing_model') / 1000000 as members_mb, pg_indexes_size('listing_model') / 1000000 as indexes_mb`);
  const ms: Record<string, object> = {};
  for (const [name, create] of Object.entries(RANKINGS)) {
    ms[name] = await timeCalls(() => prepareRanked(db, create()));
  }
  ms["matches of a day, summary"] = await timeCalls(async () => () => summarize(db, 1));
  ms["matches of 30 days, summary"] = await timeCalls(async () => () => summarize(db, 30));
  ms["matches of a day, by profit"] = await timeCalls(async () => () => rankMatches(db, 1));
  ms["matches of 30 days, by profit"] = await timeCalls(async () => () => rankMatches(db, 30));
  const peer = [];
  for (let at = 0; at < 3; at += 1) peer.push((await measure(() => rankAll(db))).ms);
  return {
    listings: LISTINGS,
    ...size,
    callers: CALLERS,
    page: PAGE,
    ms,
    one_statement_over_all_ms: round(quantile(peer, 0.5)),
  };
});

async function prepareRanked(db: Database, { skipPages = 0, ...ranked }: Ranked) {
  const search = { filters: {}, ranking: "profit" as const, minima: {}, ...ranked };
  const page = { limit: PAGE, nowMs: NOW_MS };
  const key = JSON.stringify([search, skipPages]);
  const place = cursors.get(key) ?? {};
  for (let at = place.cursor === undefined ? 0 : skipPages; at < skipPages; at += 1) {
    const { nextCursor } = await rankAsks(db, { ...search, ...page, ...place });
    if (nextCursor !== undefined) place.cursor = nextCursor;
  }
  cursors.set(key, place);
  return async () => (await rankAsks(db, { ...search, ...page, ...place })).ids.length;
}

async function summarize(db: Database, days: number): Promise<number> {
  const since = { ...selection, sinceMs: NOW_MS - days * DAY_MS };
  return (await summarizeWatches(db, since, NOW_MS)).matchCount;
}

async function rankMatches(db: Database, days: number): Promise<number> {
  const query = {
    selection: { ...selection, sinceMs: NOW_MS - days * DAY_MS },
    conditions: { isBuy: true, offerState: null, minima: {} },
    ranking: "profit" as const,
    limit: PAGE,
    key: [],
  };
  const context = {
    nowMs: NOW_MS,
    describePrices: (own: Database, ids: readonly string[]) =>
      findListingPrices(own, ids, { nowMs: NOW_MS }),
  };
  return (await listPricedWatches(db, query, context)).watches.length;
}

/** What `prepare` returns is timed. One round more, whose time does not count, warms the caches. */
async function timeCalls(prepare: () => Promise<() => Promise<number>>) {
  const times: number[] = [];
  let rowCount = 0;
  const callOnce = async (isCounted: boolean) => {
    const calls = [];
    for (let at = 0; at < CALLERS; at += 1) calls.push(await prepare());
    await Promise.all(
      calls.map(async (call) => {
        const { ms, result } = await measure(call);
        if (!isCounted) return;
        times.push(ms);
        rowCount += result;
      }),
    );
  };
  for (let at = 0; at <= ROUNDS; at += 1) await callOnce(at > 0);
  return {
    p50: round(quantile(times, 0.5)),
    p95: round(quantile(times, 0.95)),
    rows: round(rowCount / times.length),
  };
}

/** A simple implementation: the headline of every ask within the look-back, sorted by profit. */
async function rankAll(db: Database): Promise<void> {
  await db.query(sql`
    select listing.id, cell.average - cell.landed as profit
      from listing
     cross join lateral (
           select price_cell.market_average_eur_minor as average, price_cell.plausible_min_eur_minor as low,
                  price_cell.plausible_max_eur_minor as high,
                  listing.price_eur_minor + case when model.source_market = 'EU' then 0
                    else (listing.price_eur_minor * profile.hk_markup_rate_bps + 5000) / 10000
                         + profile.hk_markup_fixed_eur_minor end as landed
             from listing_model as model
             join price_configuration as configuration on configuration.id = model.configuration_id
             join price_profile as profile on profile.id = configuration.profile_id
             join price_cell
               on price_cell.configuration_id = model.configuration_id and price_cell.year = listing.year
              and price_cell.condition_bucket = lower(listing.condition) and price_cell.status = 'available'
            where model.listing_id = listing.id
            order by configuration.buy_signals_enabled desc, configuration.specificity desc,
                     configuration.configuration_key collate "C"
            limit 1) as cell
     where side = 'for_sale' and not is_hidden and not is_revoked and not is_duplicate
       and last_seen_at_ms >= ${NOW_MS - 30 * DAY_MS}
       and (cell.low is null or cell.landed between cell.low and cell.high)
     order by profit desc, id
     limit ${PAGE}`);
}

async function loadMarket(db: DatabasePool): Promise<void> {
  await db.script("alter table listing_model disable trigger all");
  const createRow = (sequence: number) => toPricedRow(market.listing(), sequence);
  await loadListings(db, { count: LISTINGS, createRow });
  await declareConfigurations(db, CONFIGURATIONS);
  await addMembers(db, 0);
  await db.script("vacuum analyze");
}

/** One alert that matched the latest listings for sale, when they were seen. */
async function addMatches(db: DatabasePool): Promise<void> {
  const alertId = await anAlert(db);
  await db.execute(sql`
    insert into alert_match (alert_id, resource, resource_id, listing_id, canonical_message_id, matched_at_ms, match_context)
    select ${alertId}, 'watch_listing', id, id, canonical_message_id, last_seen_at_ms, '{"strategy": "market_filter"}'
      from listing
     where side = 'for_sale' and not is_hidden and not is_revoked
     order by last_seen_at_ms desc
     limit ${MATCHES}`);
}
