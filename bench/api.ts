// Every read of the contract on the demo, the heavy reads on a large market, and what they cost the intake.
//   node --import tsx bench/api.ts                         the demo and a million listings
//   LISTINGS=100000 SECONDS=5 node --import tsx bench/api.ts
// DEMO_MESSAGES makes the demo smaller. `slowest_to_aim` is the slowest p95 divided by its aim, `intake_ratio` the rate
// beside the reads divided by the rate alone.

import { parseConfig } from "../src/base/config.ts";
import { createLogger } from "../src/base/log.ts";
import type { Database } from "../src/db/database.ts";
import { sql } from "../src/db/sql.ts";
import { startService } from "../src/service/service.ts";
import { listDemoRequests, listReadIds } from "../test/support/api/api-examples.ts";
import { aCell, aConfiguration, aProfile, aSnapshot } from "../test/support/rows.ts";
import { type ApiCall, type Called, callAll, type Target } from "./support/api-calls.ts";
import { openWebhookClient } from "./support/connection.ts";
import { createMarket } from "./support/market.ts";
import { loadListings, toListingRow } from "./support/market-store.ts";
import { aPost } from "./support/messages.ts";
import {
  addToken,
  makeFolder,
  openStore,
  type Run,
  readVariable,
  round,
  runBenchmark,
  serve,
  withClosing,
} from "./support/runner.ts";

const LISTINGS = readVariable("LISTINGS", 1_000_000);
const SECONDS = readVariable("SECONDS", 10);
const DEMO_CALLS = 200;
/** Each is a table of thousands of rows. */
const DEMO_EXPORTS = 32;
const DEMO_CALLERS = 16;
const DEMO_AIM_MS = 200;
const HEAVY_CALLS = 40;
const HEAVY_CALLERS = 8;
const HEAVY_AIM_MS = 1_000;
const INTAKE_ROUNDS = 3;
const GATEWAY_CONNECTIONS = 16;
const CONFIGURATIONS = 20;

type Results = Readonly<Record<string, Called>>;

const WORDS = [
  "daytona",
  "pepsi",
  "1267",
  "5711",
  "submariner",
  "hk",
  "speedmaster",
  "gmt",
  "+852",
  "1165",
];

/** What the examples of the contract do not ask: another question each time, and the best first. */
const FINDS: Readonly<Record<string, (at: number) => ApiCall>> = {
  "searchListings, best first": (at) => ({
    method: "POST",
    path: "/v2/market/listings/search",
    body: { filters: { price: { gte: at + 1 } }, sort: "profit", include: ["price"], limit: 50 },
  }),
  "listWatchMatches, best first": (at) => ({
    method: "GET",
    path: `/v2/alerts/matches?sort=profit&is_buy=true&limit=50&since_ms=${Date.now() - 8 * 86_400_000 - at}`,
  }),
  "summarizeMatches, other times": (at) => ({
    method: "GET",
    path: `/v2/alerts/matches/summary?since_ms=${Date.now() - 8 * 86_400_000 - at}`,
  }),
  "search, other words": (at) => ({
    method: "GET",
    path: `/v2/search?q=${encodeURIComponent(wordsAt(at))}`,
  }),
  "parseQuery, other words": (at) => ({
    method: "POST",
    path: "/v2/market/parse-query",
    body: { text: `${wordsAt(at)} under ${at + 5}k full set` },
  }),
};

await runBenchmark("api", async () => {
  const demo = await withClosing(measureDemo);
  // The rest takes ten minutes, so the first part is already worth a look.
  process.stderr.write(`demo: ${JSON.stringify(demo)}\n`);
  const { reads, intake } = await withClosing(measureLarge);
  return {
    demo: { callers: DEMO_CALLERS, slowest_to_aim: slowest(demo, DEMO_AIM_MS), reads: demo },
    large: { listings: LISTINGS, slowest_to_aim: slowest(reads, HEAVY_AIM_MS), reads },
    intake,
  };
});

function slowest(results: Results, aimMs: number): number {
  return round(Math.max(...Object.values(results).map(({ p95_ms }) => p95_ms / aimMs)));
}

/** All reads come from the contract, so a new one is measured as soon as it is there. */
async function measureDemo(t: Run): Promise<Results> {
  const { DEMO_MESSAGES } = process.env;
  const config = parseConfig({
    PORT: "0",
    LOG_LEVEL: "fatal",
    ASSAY_DATA_DIR: makeFolder(t),
    ASSAY_DEMO: "true",
    ASSAY_DEMO_TRICKLE: "false",
    ASSAY_RATE_LIMIT_PER_MINUTE: "0",
    ...(DEMO_MESSAGES === undefined ? {} : { ASSAY_DEMO_MESSAGES: DEMO_MESSAGES }),
  });
  const service = await startService(config, createLogger("fatal"), { warmsUp: true });
  t.after(() => service.stop({ lameDuckMs: 0 }));
  const db = service.store.pool;
  const target = { url: service.url, token: await addToken(db) };
  const readIds = listReadIds();
  const requests = await listDemoRequests(db);
  const results: Record<string, Called> = {};
  for (const { operationId, ...example } of requests) {
    if (!readIds.has(operationId)) continue;
    const isStream = operationId === "exportListings";
    const call: ApiCall = { ...example, isStream };
    const count = isStream ? DEMO_EXPORTS : DEMO_CALLS;
    const measure = (create: (at: number) => ApiCall) =>
      callAll(target, (at) => (at < count ? create(at) : undefined), DEMO_CALLERS);
    results[operationId] = await measure(() => call);
    if (call.body !== undefined && "filters" in call.body) {
      results[`${operationId}, other filters each time`] = await measure((at) =>
        withPrice(call, at + 1),
      );
    }
  }
  for (const [name, create] of Object.entries(FINDS)) {
    const questions = (at: number) => (at < DEMO_CALLS ? create(at) : undefined);
    results[name] = await callAll(target, questions, DEMO_CALLERS);
  }
  return results;
}

function wordsAt(at: number): string {
  return `${WORDS[at % WORDS.length]} ${WORDS[(at * 7 + 3) % WORDS.length]}`.slice(
    0,
    4 + (at % 12),
  );
}

/** Another question each time, so that its answer is not a kept one. All asks of the demo are above these prices. */
function withPrice(call: ApiCall, gte: number): ApiCall {
  const { filters = {}, ...body } = call.body as { readonly filters?: object };
  return { ...call, body: { ...body, filters: { ...filters, price: { gte } } } };
}

async function measureLarge(t: Run) {
  const market = createMarket(11);
  const sample = Array.from({ length: 400 }, () => market.listing());
  const { db, url } = await openStore(t);
  const createRow = (sequence: number) => toListingRow(market.listing(), sequence);
  await loadListings(db, { count: LISTINGS, createRow });
  const calls = heavyCalls(sample, await addConfigurations(db));
  const token = await addToken(db);
  const service = await serve(t, { DATABASE_URL: url });
  const target = { url: service.url, token };
  const reads: Record<string, Called> = {};
  for (const [name, create] of Object.entries(calls)) {
    reads[name] = await callAll(target, (at) => (at < HEAVY_CALLS ? create() : undefined), 1);
  }
  return { reads, intake: await measureIntake(target, Object.values(calls)) };
}

interface CellId {
  readonly id: string;
  readonly year: number;
  readonly condition_bucket: string;
}

function heavyCalls(
  sample: readonly { readonly brand: string; readonly reference: string }[],
  cells: readonly CellId[],
): Readonly<Record<string, () => ApiCall>> {
  let at = 0;
  const pick = <Item>(items: readonly Item[]): Item => {
    at += 1;
    return items[at % items.length] as Item;
  };
  const post = (path: string, create: () => object) => () => ({
    method: "POST",
    path: `/v2/${path}`,
    body: create(),
  });
  const ofCell = (path: string) => () => {
    const { id, year, condition_bucket } = pick(cells);
    const query = `year=${year}&condition_bucket=${condition_bucket}`;
    return { method: "GET", path: `/v2/market/price-engine/configurations/${id}/${path}?${query}` };
  };
  // All asks are above this price; it makes each question a new one.
  const of = (filters: object) => ({ filters: { ...filters, price: { gte: at } } });
  const ofAll = () => of(pick([{}]));
  const ofBrand = () => of({ brand: [pick(sample).brand] });
  const ofReference = () => of({ reference: [pick(sample).reference] });
  return {
    "facets: everything": post("market/facets", ofAll),
    "facets: brand": post("market/facets", ofBrand),
    "facets: reference": post("market/facets", ofReference),
    "references: everything": post("market/references/search", ofAll),
    "references: brand": post("market/references/search", ofBrand),
    "summary: everything": post("market/summary", ofAll),
    "live feed": post("market/live-feed/search", ofAll),
    "preview: brand": post("alerts/preview", ofBrand),
    "preview: reference": post("alerts/preview", ofReference),
    "preview: buys": post("alerts/preview", () => ({ strategy: "price_engine", ...ofAll() })),
    population: ofCell("population"),
    backcast: ofCell("backcast"),
  };
}

/** Acknowledged events per second, alone and beside callers of the heaviest reads, in turns. */
async function measureIntake(target: Target, calls: readonly (() => ApiCall)[]) {
  const alone: number[] = [];
  const beside: number[] = [];
  const reads: Called[] = [];
  for (let turn = 0; turn < INTAKE_ROUNDS; turn += 1) {
    alone.push(await intakeRate(target.url, `A${turn}`));
    const endMs = performance.now() + (SECONDS + 1) * 1_000;
    const next = (at: number) =>
      performance.now() < endMs ? calls[at % calls.length]?.() : undefined;
    const reading = callAll(target, next, HEAVY_CALLERS);
    beside.push(await intakeRate(target.url, `B${turn}`));
    reads.push(await reading);
  }
  const [aloneMax, besideMax] = [Math.max(...alone), Math.max(...beside)];
  return {
    alone_per_s: Math.round(aloneMax),
    beside_reads_per_s: Math.round(besideMax),
    intake_ratio: round(besideMax / aloneMax),
    reads,
  };
}

async function intakeRate(url: string, prefix: string): Promise<number> {
  const startedAtMs = performance.now();
  let count = 0;
  const drive = async (): Promise<void> => {
    const client = await openWebhookClient(url);
    while (performance.now() - startedAtMs < SECONDS * 1_000) {
      count += 1;
      const text = `WTS Rolex 126610LN 2024 new full set ${10_000 + count} EUR ${prefix}`;
      await client.post(JSON.stringify(aPost({ id: `${prefix}x${count}`, at: count, text })));
    }
    client.close();
  };
  await Promise.all(Array.from({ length: GATEWAY_CONNECTIONS }, drive));
  return count / ((performance.now() - startedAtMs) / 1_000);
}

/** Configurations of the references with the most listings, each with its members and its most frequent cell. */
async function addConfigurations(db: Database): Promise<readonly CellId[]> {
  const rows = await db.query<{ reference: string; year: number; condition: string }>(sql`
    select reference_normalized as reference, mode() within group (order by year) as year,
           mode() within group (order by condition) as condition
      from listing
     where reference_normalized is not null and year is not null and condition is not null
     group by 1 order by count(*) desc, 1 limit ${CONFIGURATIONS}`);
  const profile_id = await aProfile(db);
  const cells: CellId[] = [];
  for (const { reference, year, condition } of rows) {
    const id = await aConfiguration(db, {
      profile_id,
      reference,
      reference_normalized: reference,
      market_reference_normalized: reference,
    });
    const cell = { id, year, condition_bucket: condition.toLowerCase() };
    await aSnapshot(db, id);
    await aCell(db, { configuration_id: id, year, condition_bucket: cell.condition_bucket });
    await db.execute(sql`
      insert into listing_model (listing_id, configuration_id, source_market, year, condition_bucket, price_eur_minor)
      select id, ${id}, 'EU', year, lower(condition), price_eur_minor
        from listing
       where reference_normalized = ${reference}`);
    cells.push(cell);
  }
  await db.script("vacuum analyze listing_model");
  return cells;
}
