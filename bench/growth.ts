// Prints one JSON line: what a new message, a refresh, a search and a backup cost in a store that already has this many listings,
// each with its event, message and occurrence. Run it with 10000, 100000 and 1000000 and compare.
//   node --import tsx bench/growth.ts [LISTINGS] [MESSAGES]      default 10,000 and 4,000

import { mkdtempSync, rmSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { writeBackup } from "../src/backup/write-backup.ts";
import { systemClock } from "../src/base/clock.ts";
import { createLogger } from "../src/base/log.ts";
import { sql } from "../src/db/sql.ts";
import { searchListings } from "../src/filters/sql/search-listings.ts";
import { saveRawEvents } from "../src/intake/raw-event-store.ts";
import type { StepContext } from "../src/pipeline/step.ts";
import { openStepContext } from "../src/pipeline/step-context.ts";
import { STEPS } from "../src/pipeline/steps.ts";
import { drain, rawEvent } from "../test/support/drain.ts";
import { applyTexts } from "../test/support/manifest.ts";
import { aMessageEvent } from "../test/support/waha.ts";
import { nextMessage } from "./dealer-messages.ts";
import { addMessages, openLargeMarket } from "./large-market.ts";
import { createMarket } from "./market.ts";
import { findServerPid, serverCpuMs } from "./server-cpu.ts";

const [LISTINGS = 10_000, MESSAGES = 4_000] = process.argv.slice(2).map(Number);
const DEALERS = 200;
const SEARCHES = 40;
const REFRESHES = 20;
const log = createLogger("warn");
const feed = { isLive: () => true, subscribe: () => undefined, close: async () => undefined };

const market = createMarket(7);
const sample = Array.from({ length: 400 }, () => market.listing());
const { db, url, close } = await openLargeMarket(market, LISTINGS);
const folder = mkdtempSync(join(tmpdir(), "assay-bench-growth-"));
const context = await openStepContext({
  pool: db,
  clock: systemClock,
  feed,
  log,
  config: { alertWindowHours: 24 },
});
try {
  await addMessages(db);
  await db.script("vacuum analyze");
  await declare();
  await drain(context);
  const serverPid = await findServerPid(db);
  await storeEvents(0);
  await drain(context);
  await storeEvents(1);
  const intake = await timeStep("canonicalize events", serverPid);
  await timeStep("merge contacts", serverPid);
  const listings = await timeStep("extract listings", serverPid);
  const matching = await timeStep("match listings", serverPid);
  await drain(context);
  const result = {
    bench: "growth",
    machine: `${cpus().length} x ${cpus()[0]?.model ?? process.arch}`,
    listings: LISTINGS,
    messages: MESSAGES,
    intake,
    listings_step: listings,
    matching,
    refresh: await timeRefresh(),
    search_ms: {
      newest: await timeSearch(() => ({})),
      brand: await timeSearch(() => ({ brand: [any().brand] })),
      reference: await timeSearch(() => ({ reference: [any().reference] })),
      phrase: await timeSearch(() => ({ q: any().search_text.split(/[\n ]/).at(-1) })),
    },
    backup: await timeBackup(),
  };
  process.stdout.write(`${JSON.stringify(result)}\n`);
} finally {
  await context.close();
  await close();
  rmSync(folder, { recursive: true, force: true });
}

/** Prices of the commonest references of the market and of two that the messages offer, and an alert on each. */
async function declare(): Promise<void> {
  const references = [...new Set(sample.map(({ reference }) => reference))].slice(0, 20);
  const manifest = {
    profiles: [{ name: "default" }],
    views: [{ name: "everywhere", source_market: "EU", filters: {} }],
    configurations: [
      ...references.map((reference) => ({
        profile: "default",
        brand: sample.find((listing) => listing.reference === reference)?.brand ?? "Rolex",
        reference,
      })),
      ...["126610LN", "126334"].map((reference) => ({
        profile: "default",
        brand: "Rolex",
        reference,
      })),
    ],
    alerts: [
      { name: "buys", strategy: "price_engine" },
      ...references.map((reference) => ({ name: reference, filters: { reference: [reference] } })),
    ],
    fx_rates: ["HKD", "USD"].map((currency) => ({ date: "2026-01-02", currency, per_eur: 2 })),
  };
  await applyTexts(db, JSON.stringify(manifest), { clock: systemClock });
}

/** The first round fills caches and compiles; the second is measured. */
async function storeEvents(round: number): Promise<void> {
  const nowS = Math.floor(systemClock.nowMs() / 1_000);
  const events = Array.from({ length: MESSAGES }, (_, at) => {
    const dealer = at % DEALERS;
    const event = aMessageEvent({
      rawId: `G${round}.${at}`,
      group: `1203630000000${100 + (at % 60)}@g.us`,
      sender: {
        phone: `4477009${1000 + dealer}`,
        lid: `1999${dealer}`,
        name: `Dealer ${dealer}`,
      },
      text: nextMessage(),
      atS: nowS - 3_600 + Math.floor((at / MESSAGES) * 3_000),
    });
    return rawEvent(event, { receivedAtMs: systemClock.nowMs() });
  });
  for (let from = 0; from < MESSAGES; from += 1_000) {
    await saveRawEvents(db, events.slice(from, from + 1_000), "window");
  }
}

/** Until the step finds nothing: microseconds for each message, and of these the processor time of the server. */
async function timeStep(name: string, serverPid: number) {
  const steps = STEPS.filter((step) => step.name === name);
  const serverMs = serverCpuMs(serverPid);
  const startedAtMs = performance.now();
  await drain(context as StepContext, { steps });
  const each = (ms: number) => Math.round((ms * 1_000) / MESSAGES);
  return {
    us: each(performance.now() - startedAtMs),
    server_us: each(serverCpuMs(serverPid) - serverMs),
  };
}

/** Each configuration by itself. */
async function timeRefresh() {
  const rows = await db.query<{ id: string; members: number }>(sql`
    select configuration_id as id, count(*) as members
      from listing_model group by 1 order by 2 limit ${REFRESHES}`);
  const refresh = STEPS.filter(({ name }) => name === "refresh cells");
  const times: number[] = [];
  for (const { id } of rows) {
    await db.execute(
      sql`insert into refresh_queue (configuration_id, queued_at_ms) values (${id}, 0) on conflict do nothing`,
    );
    const startedAtMs = performance.now();
    await drain(context as StepContext, { steps: refresh });
    times.push(performance.now() - startedAtMs);
  }
  const members = rows.reduce((sum, row) => sum + row.members, 0);
  const ms = times.reduce((sum, time) => sum + time, 0);
  return {
    configurations: rows.length,
    members,
    each_ms: round(ms / rows.length),
    us_per_member: Math.round((ms * 1_000) / Math.max(1, members)),
  };
}

async function timeSearch(create: () => Readonly<Record<string, unknown>>) {
  const times: number[] = [];
  for (let at = 0; at <= SEARCHES; at += 1) {
    const filters = create();
    const startedAtMs = performance.now();
    await searchListings(db, { filters, sort: "newest", limit: 50, isTotalAsked: false });
    if (at > 0) times.push(performance.now() - startedAtMs);
  }
  times.sort((left, right) => left - right);
  const quantile = (share: number) => round(times[Math.floor(share * (times.length - 1))] ?? 0);
  return { p50: quantile(0.5), p95: quantile(0.95) };
}

async function timeBackup() {
  const startedAtMs = performance.now();
  const { tables } = await writeBackup({
    pool: db,
    url,
    path: join(folder, "growth.backup"),
    clock: systemClock,
  });
  const seconds = (performance.now() - startedAtMs) / 1_000;
  const rows = tables.reduce((sum, { row_count }) => sum + row_count, 0);
  return { seconds: round(seconds), us_per_row: round((seconds * 1e6) / rows) };
}

function any() {
  return sample[Math.floor(Math.random() * sample.length)] ?? market.listing();
}

function round(value: number): number {
  return Number(value.toFixed(1));
}
