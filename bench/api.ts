// Every read of the contract on the demo, the heavy reads on a large market, and what they cost the intake. Prints one
// JSON line.
//   node --import tsx bench/api.ts                         the demo and a million listings
//   LISTINGS=100000 SECONDS=5 node --import tsx bench/api.ts
// `slowest_to_aim` is the slowest p95 divided by its aim, `intake_ratio` the rate beside the reads divided by the rate alone.

import { mkdtempSync, rmSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { createTokenText } from "../src/api/auth/token.ts";
import { saveToken } from "../src/api/auth/token-store.ts";
import { systemClock } from "../src/base/clock.ts";
import { parseConfig } from "../src/base/config.ts";
import { createLogger } from "../src/base/log.ts";
import type { Database } from "../src/db/database.ts";
import { sql } from "../src/db/sql.ts";
import { startService } from "../src/service/service.ts";
import { listDemoRequests } from "../test/support/api-examples.ts";
import { listReadIds } from "../test/support/example-requests.ts";
import { aCell, aConfiguration, aProfile, aSnapshot } from "../test/support/rows.ts";
import { aMessageEvent } from "../test/support/waha.ts";
import { type ApiCall, type Called, callAll } from "./api-callers.ts";
import { openLargeMarket } from "./large-market.ts";
import { createMarket } from "./market.ts";
import { startService as startProcess } from "./start-service.ts";
import { openWebhookClient } from "./webhook-client.ts";

const LISTINGS = Number(process.env["LISTINGS"] ?? 1_000_000);
const SECONDS = Number(process.env["SECONDS"] ?? 10);
const DEMO_CALLS = 200;
/** Each is a table of thousands of rows. */
const DEMO_EXPORTS = 32;
const DEMO_CALLERS = 16;
const DEMO_AIM_MS = 200;
const HEAVY_CALLS = 40;
const HEAVY_CALLERS = 8;
const HEAVY_AIM_MS = 1_000;
const GATEWAY_CONNECTIONS = 16;
const CONFIGURATIONS = 20;

let eventCount = 0;

const demo = await measureDemo();
// The rest takes ten minutes, so the first part is already worth a look.
process.stderr.write(`demo: ${JSON.stringify(demo)}\n`);
const large = await measureLarge();
process.stdout.write(
  `${JSON.stringify({
    bench: "api",
    machine: `${cpus().length} x ${cpus()[0]?.model ?? process.arch}`,
    node: process.version,
    demo: { callers: DEMO_CALLERS, slowest_to_aim: slowest(demo, DEMO_AIM_MS), reads: demo },
    large: {
      listings: LISTINGS,
      slowest_to_aim: slowest(large.reads, HEAVY_AIM_MS),
      reads: large.reads,
    },
    intake: large.intake,
  })}\n`,
);

type Results = Readonly<Record<string, Called>>;

function slowest(results: Results, aimMs: number): number {
  const ratios = Object.values(results).map(({ p95_ms }) => p95_ms / aimMs);
  return Number(Math.max(...ratios).toFixed(2));
}

/** All reads come from the contract, so a new one is measured as soon as it is there. */
async function measureDemo(): Promise<Results> {
  const dataDir = mkdtempSync(join(tmpdir(), "assay-bench-"));
  const config = parseConfig({
    PORT: "0",
    LOG_LEVEL: "fatal",
    ASSAY_DATA_DIR: dataDir,
    ASSAY_DEMO: "true",
    ASSAY_DEMO_TRICKLE: "false",
    ASSAY_RATE_LIMIT_PER_MINUTE: "0",
    ...(process.env["DEMO_MESSAGES"] === undefined
      ? {}
      : { ASSAY_DEMO_MESSAGES: process.env["DEMO_MESSAGES"] }),
  });
  const service = await startService(config, createLogger("fatal"), { warmsUp: true });
  try {
    const db = service.store.pool;
    const target = { url: service.url, token: await addToken(db) };
    const readIds = listReadIds();
    const reads = (await listDemoRequests(db)).filter(({ operationId }) =>
      readIds.has(operationId),
    );
    const results: Record<string, Called> = {};
    const measure = async (name: string, create: () => ApiCall) => {
      const count = create().isStream === true ? DEMO_EXPORTS : DEMO_CALLS;
      results[name] = await callAll(target, times(count, create), DEMO_CALLERS);
    };
    for (const { operationId, ...example } of reads) {
      const call = { ...example, isStream: operationId === "exportListings" };
      await measure(operationId, () => call);
      let at = 0;
      const vary = () => {
        at += 1;
        return withPrice(call, at);
      };
      if (hasFilters(call)) await measure(`${operationId}, other filters each time`, vary);
    }
    return results;
  } finally {
    await service.stop({ lameDuckMs: 0 });
    rmSync(dataDir, { recursive: true, force: true });
  }
}

function hasFilters({ body }: ApiCall): boolean {
  return body !== undefined && "filters" in body;
}

/** Another question each time, so that its answer is not a kept one. All asks of the demo are above these prices. */
function withPrice(call: ApiCall, gte: number): ApiCall {
  const { filters = {}, ...body } = call.body as { readonly filters?: object };
  return { ...call, body: { ...body, filters: { ...filters, price: { gte } } } };
}

async function measureLarge() {
  const market = createMarket(11);
  const sample = Array.from({ length: 400 }, () => market.listing());
  const { db, url, close } = await openLargeMarket(market, LISTINGS);
  try {
    const cells = await addConfigurations(db);
    const token = await addToken(db);
    const service = await startProcess({
      PATH: process.env["PATH"] ?? "",
      DATABASE_URL: url,
      PORT: "0",
      LOG_LEVEL: "error",
      ASSAY_RATE_LIMIT_PER_MINUTE: "0",
      ASSAY_WAHA_UNSIGNED: "true",
    });
    try {
      const target = { url: service.url, token };
      const calls = heavyCalls(sample, cells);
      const reads: Record<string, Called> = {};
      for (const [name, create] of Object.entries(calls)) {
        reads[name] = await callAll(target, times(HEAVY_CALLS, create), 1);
      }
      return { reads, intake: await measureIntake(target, Object.values(calls)) };
    } finally {
      await service.stop();
    }
  } finally {
    await close();
  }
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
async function measureIntake(
  target: { readonly url: string; readonly token: string },
  calls: readonly (() => ApiCall)[],
) {
  const alone: number[] = [];
  const beside: number[] = [];
  const reads: Called[] = [];
  for (let round = 0; round < 3; round += 1) {
    alone.push(await intakeRate(target.url));
    const end = performance.now() + (SECONDS + 1) * 1_000;
    let at = 0;
    const next = () => {
      at += 1;
      return performance.now() < end ? calls[at % calls.length]?.() : undefined;
    };
    const reading = callAll(target, next, HEAVY_CALLERS);
    beside.push(await intakeRate(target.url));
    reads.push(await reading);
  }
  const best = (rates: readonly number[]) => Math.round(Math.max(...rates));
  return {
    alone_per_s: best(alone),
    beside_reads_per_s: best(beside),
    intake_ratio: Number((best(beside) / best(alone)).toFixed(2)),
    reads,
  };
}

async function intakeRate(url: string): Promise<number> {
  const startedAtMs = performance.now();
  let count = 0;
  const drive = async (): Promise<void> => {
    const client = await openWebhookClient(url);
    while (performance.now() - startedAtMs < SECONDS * 1_000) {
      await client.post(JSON.stringify(anEvent()));
      count += 1;
    }
    client.close();
  };
  await Promise.all(Array.from({ length: GATEWAY_CONNECTIONS }, drive));
  return count / ((performance.now() - startedAtMs) / 1_000);
}

function anEvent() {
  eventCount += 1;
  return aMessageEvent({
    rawId: `API${eventCount}`,
    group: `1203630000000${100 + (eventCount % 60)}@g.us`,
    sender: { phone: `4477009${1000 + (eventCount % 400)}`, lid: "1999", name: "Dealer" },
    text: `WTS Rolex 126610LN 2024 new full set ${10_000 + eventCount} EUR`,
    atS: Math.floor(systemClock.nowMs() / 1000),
  });
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
      insert into listing_model (listing_id, configuration_id, source_market)
      select id, ${id}, 'EU' from listing where reference_normalized = ${reference}`);
    cells.push(cell);
  }
  await db.script("vacuum analyze listing_model");
  return cells;
}

async function addToken(db: Database): Promise<string> {
  const text = createTokenText();
  await saveToken(db, {
    text,
    name: "bench",
    isReadOnly: false,
    createdAtMs: systemClock.nowMs(),
  });
  return text;
}

function times<Value>(count: number, create: () => Value): () => Value | undefined {
  let left = count;
  return () => {
    left -= 1;
    return left < 0 ? undefined : create();
  };
}
