// Prints one JSON line: the time from a webhook's acknowledgement to the commit of the matches that it causes, at a steady
// rate of messages, with many alerts of which a listing matches about five.
//   node --import tsx bench/alerting.ts [ALERTS] [MESSAGES] [PER_SECOND]      default 100000 2000 100

import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { Agent, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createLogger } from "../src/base/log.ts";
import type { DatabasePool } from "../src/db/database.ts";
import { openEmbeddedServer } from "../src/db/embedded/server.ts";
import { openPool } from "../src/db/pool.ts";
import { recordset, sql } from "../src/db/sql.ts";
import { aMessageEvent } from "../test/support/waha.ts";
import { startService } from "./start-service.ts";

const ALERTS = Number(process.argv[2] ?? 100_000);
const MESSAGES = Number(process.argv[3] ?? 2_000);
const PER_SECOND = Number(process.argv[4] ?? 100);
const REFERENCES = (
  "126610LN 126610LV 116610LN 116610LV 124060 114060 126500LN 116500LN 116520 126710BLRO 126710BLNR 116710BLNR " +
  "116710LN 126720VTNR 126334 126300 126331 126333 116334 228238 228235 228206 126600 116600 126660 124270 214270 " +
  "226570 216570 116400GV 126900 116900 126622 126621 116622 336934 326934 326935 268622 126200"
).split(" ");
// All of these references were made in each of these years. Extraction rejects a year before a reference's first one.
const FIRST_YEAR = 2023;
const YEARS = 4;
/** Alerts differ by reference, year and price band. A listing matches one in this many. */
const BANDS = 125;
const BAND_EUR = 80;
const WARM_UP = Math.min(200, MESSAGES / 5);
const DRAIN_TIMEOUT_MS = 60_000;
const SETTLE_MS = 5_000;

const dataDir = mkdtempSync(join(tmpdir(), "assay-bench-"));
const environment = {
  PATH: process.env["PATH"] ?? "",
  PORT: "0",
  ASSAY_DATA_DIR: dataDir,
  LOG_LEVEL: "error",
  ASSAY_WAHA_UNSIGNED: "true",
};
const first = await startService(environment);
await first.stop();
const server = await openEmbeddedServer({ dataDir, log: createLogger("error") });
const pool = openPool({ url: server.url("assay"), name: "assay bench" });
await declareAlerts(pool);
const service = await startService(environment);
// The filters are loaded before the first message arrives, so that only matching is measured.
await new Promise((settle) => setTimeout(settle, SETTLE_MS));

const agent = new Agent({ keepAlive: true, maxSockets: 16 });
const acknowledgedAtMs = new Map<string, number>();
const seen = new Map<string, number>();
let isPosting = true;
let refusedCount = 0;
const watching = watch(pool);
await postAll();
isPosting = false;
await watching;

await service.stop();
const [counted] = await pool.query<{ matches: number; listings: number }>(sql`
  select (select count(*) from alert_match) as matches, (select count(*) from listing) as listings`);
await pool.end();
await server.release();
rmSync(dataDir, { recursive: true, force: true });

const delays = [...seen]
  .flatMap(([id, atMs]) => {
    const sentAtMs = acknowledgedAtMs.get(id);
    return sentAtMs === undefined ? [] : [atMs - sentAtMs];
  })
  .toSorted((left, right) => left - right);
const quantile = (share: number) => Math.round(delays[Math.ceil(share * delays.length) - 1] ?? 0);
process.stdout.write(
  `${JSON.stringify({
    bench: "alerting",
    alerts: ALERTS,
    messages_per_second: PER_SECOND,
    measured: delays.length,
    refused: refusedCount,
    matches_per_listing: Number(((counted?.matches ?? 0) / (counted?.listings ?? 1)).toFixed(2)),
    p50_ms: quantile(0.5),
    p99_ms: quantile(0.99),
    max_ms: quantile(1),
  })}\n`,
);

/** A typical alert: one reference, one year, one price band. */
async function declareAlerts(db: DatabasePool): Promise<void> {
  for (let at = 0; at < ALERTS; at += 5_000) {
    const rows = Array.from({ length: Math.min(5_000, ALERTS - at) }, (_, k) => ({
      id: randomUUID(),
      name: `alert ${at + k}`,
      filters: filtersOf(at + k),
    }));
    await db.transaction(async (tx) => {
      await tx.execute(sql`
        insert into alert (id, name, is_enabled, filters, strategy, is_system, created_at_ms, updated_at_ms)
        select id, name, true, filters, 'market_filter', false, 0, 0
          from ${recordset(rows)} as made (id uuid, name text, filters jsonb)`);
      await tx.execute(sql`
        insert into saved_filter (owner_kind, owner_id, filters, reads_duplicates)
        select 'alert', id, jsonb_build_array(filters), false
          from ${recordset(rows)} as made (id uuid, filters jsonb)`);
    });
  }
}

interface Wish {
  readonly reference: string;
  readonly year: number;
  readonly band: number;
}

function wishOf(at: number): Wish {
  const reference = REFERENCES[at % REFERENCES.length] ?? "";
  const rest = Math.floor(at / REFERENCES.length);
  return { reference, year: FIRST_YEAR + (rest % YEARS), band: Math.floor(rest / YEARS) % BANDS };
}

function filtersOf(at: number) {
  const { reference, year, band } = wishOf(at);
  const fromMinor = (10_000 + band * BAND_EUR) * 100;
  return {
    reference: [reference],
    years: [year],
    price: { gte: fromMinor, lte: fromMinor + BAND_EUR * 100 - 1 },
  };
}

async function postAll(): Promise<void> {
  const startedAtMs = performance.now();
  const posts: Promise<void>[] = [];
  for (let at = 0; at < MESSAGES; at += 1) {
    const dueAtMs = startedAtMs + (at * 1000) / PER_SECOND;
    const waitMs = dueAtMs - performance.now();
    if (waitMs > 0) await new Promise((settle) => setTimeout(settle, waitMs));
    posts.push(post(at));
  }
  await Promise.all(posts);
}

async function post(at: number): Promise<void> {
  const dealer = at % 400;
  const { reference, year, band } = wishOf(at * 7_919);
  const ask = 10_000 + band * BAND_EUR + (at % BAND_EUR);
  const body = aMessageEvent({
    rawId: `A${at}`,
    group: `1203630000000${100 + (at % 60)}@g.us`,
    sender: { phone: `4477009${1000 + dealer}`, lid: `1999${dealer}`, name: `Dealer ${dealer}` },
    text: `WTS Rolex ${reference} ${year} used full set EUR ${ask} lot x${at}`,
    atS: Math.floor(Date.now() / 1000),
  });
  // A refused event is sent again after a pause, as a gateway does.
  while ((await statusOf(JSON.stringify(body))) !== 202) {
    refusedCount += 1;
    await new Promise((settle) => setTimeout(settle, 500));
  }
  // The first messages warm the process up and are not counted.
  if (at >= WARM_UP) acknowledgedAtMs.set(`A${at}`, performance.now());
}

async function statusOf(body: string): Promise<number | undefined> {
  const call = request(`${service.url}/v2/webhooks/waha`, { method: "POST", agent });
  call.end(body);
  const [response] = await once(call, "response");
  response.resume();
  await once(response, "end");
  return response.statusCode;
}

/** Records when the match of each message becomes visible to a reader of the store. */
async function watch(db: DatabasePool): Promise<void> {
  let readUpTo = 0;
  let quietSinceMs = performance.now();
  for (;;) {
    const rows = await db.query<{ sequence: number; raw_id: string }>(sql`
      select match.sequence, occurrence.raw_id
        from alert_match as match
        join occurrence on occurrence.canonical_message_id = match.canonical_message_id
       where match.sequence > ${readUpTo}
       order by match.sequence`);
    const nowMs = performance.now();
    for (const { sequence, raw_id } of rows) {
      readUpTo = sequence;
      if (!seen.has(raw_id)) seen.set(raw_id, nowMs);
    }
    if (rows.length > 0) quietSinceMs = nowMs;
    if (!isPosting && seen.size >= MESSAGES) return;
    if (!isPosting && nowMs - quietSinceMs > DRAIN_TIMEOUT_MS) return;
    await new Promise((settle) => setTimeout(settle, 5));
  }
}
