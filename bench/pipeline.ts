// Prints one JSON line: how many messages per second one worker takes from the stored event to matches and prices, with the
// processor time of the worker and of the server, and the share of each step; then how many when all is replayed. Most messages
// are new offers in the styles of the three markets; one in five repeats an offer. Beside it, in the same run:
// the same listings copied by one statement into a table with the same indexes, which no pipeline can beat.
//   node --import tsx bench/pipeline.ts [MESSAGES] [ALERTS]      default 20,000 and 200
//   node --import tsx bench/pipeline.ts 1000000 200 replay       only the replay

import { mkdtempSync, rmSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { sleep, systemClock } from "../src/base/clock.ts";
import { createLogger } from "../src/base/log.ts";
import { createMetrics } from "../src/base/metrics.ts";
import { openEmbeddedServer } from "../src/db/embedded/server.ts";
import { migrate } from "../src/db/migrate.ts";
import { openPool } from "../src/db/pool.ts";
import { rawSql, sql } from "../src/db/sql.ts";
import { saveRawEvents } from "../src/intake/raw-event-store.ts";
import { requestReplay } from "../src/pipeline/replay.ts";
import { openStepContext } from "../src/pipeline/step-context.ts";
import { startWorker } from "../src/pipeline/worker.ts";
import { rawEvent } from "../test/support/drain.ts";
import { applyTexts } from "../test/support/manifest.ts";
import { aMessageEvent } from "../test/support/waha.ts";
import { nextMessage } from "./dealer-messages.ts";
import { findServerPid, serverCpuMs } from "./server-cpu.ts";

const [MESSAGES = 20_000, ALERTS = 200] = process.argv.slice(2).map(Number);
const IS_REPLAY = process.argv[4] === "replay";
const DEALERS = 400;
const GROUPS = 60;
const CHUNK = 1_000;
/** Each look reads past the rows that the queues had, so a long run looks less often. */
const POLL_MS = MESSAGES > 100_000 ? 1_000 : 50;
const QUEUES = [
  "raw_event_queue",
  "identity_queue",
  "message_queue",
  "match_queue",
  "refresh_queue",
];
const log = createLogger("warn");
const feed = { isLive: () => true, subscribe: () => undefined, close: async () => undefined };

const dataDir = mkdtempSync(join(tmpdir(), "assay-bench-"));
const server = await openEmbeddedServer({ dataDir, log });
const pool = openPool({
  url: server.setUpUrl("postgres"),
  name: "bench",
  statementTimeoutMs: 600_000,
});
try {
  await migrate(pool, log);
  const serverPid = await findServerPid(pool);
  await declare();
  await storeEvents();
  const metrics = createMetrics();
  const context = await openStepContext({
    pool,
    clock: systemClock,
    feed,
    log,
    config: { alertWindowHours: 24 },
  });
  if (IS_REPLAY) {
    await pool.script("truncate raw_event_queue");
    await requestReplay(pool, { alerting: "never" });
  }
  const before = look(serverPid);
  const worker = startWorker({ ...context, feed, metrics });
  while (await isBusy()) await sleep(POLL_MS);
  const after = look(serverPid);
  const stepMs = await stepTimes(metrics);
  const replayMs = IS_REPLAY ? after.atMs - before.atMs : await replay();
  await worker.stop();
  const each = (us: number) => Math.round(us / MESSAGES);
  const peer = await copyListings();
  const perSecond = MESSAGES / ((after.atMs - before.atMs) / 1_000);
  const [size] = await pool.query(sql`
    select (select count(*) from listing) as listings, (select count(*) from alert_match) as matches,
           (select count(*) from price_cell) as cells`);
  process.stdout.write(
    `${JSON.stringify({
      bench: "pipeline",
      machine: `${cpus().length} x ${cpus()[0]?.model ?? process.arch}`,
      messages: MESSAGES,
      ...size,
      ...(IS_REPLAY ? {} : { messages_per_second: Math.round(perSecond) }),
      worker_cpu_us: each(after.workerUs - before.workerUs),
      server_cpu_us: each(after.serverUs - before.serverUs),
      step_ms: stepMs,
      replayed_messages_per_second: Math.round(MESSAGES / (replayMs / 1_000)),
      plain_copy_messages_per_second: Math.round(MESSAGES / (peer.ms / 1_000)),
      share_of_plain_copy: Number((perSecond / (MESSAGES / (peer.ms / 1_000))).toFixed(3)),
    })}\n`,
  );
  await context.close();
} finally {
  await pool.end();
  await server.release();
  rmSync(dataDir, { recursive: true, force: true });
}

/** Alerts on filters, of which one in fifty offers matches some; prices of four references, and an alert on their buys. */
async function declare(): Promise<void> {
  const references = ["126610LN", "126334", "116500LN", "228238"];
  const manifest = {
    profiles: [{ name: "default" }],
    views: [{ name: "everywhere", source_market: "EU", filters: {} }],
    configurations: references.map((reference) => ({
      profile: "default",
      brand: "Rolex",
      reference,
    })),
    alerts: [
      { name: "buys", strategy: "price_engine" },
      ...Array.from({ length: ALERTS }, (_, at) => ({
        name: `alert ${at}`,
        filters: { reference: [references[at % 4]], price: { lte: (at + 1) * 10_000 } },
      })),
    ],
    fx_rates: ["HKD", "USD"].map((currency) => ({ date: "2026-01-02", currency, per_eur: 2 })),
  };
  await applyTexts(pool, JSON.stringify(manifest), { clock: systemClock });
}

async function storeEvents(): Promise<void> {
  const texts: string[] = [];
  const nowS = Math.floor(systemClock.nowMs() / 1_000);
  for (let at = 0; at < MESSAGES; at += 1) {
    const last = at % 5 === 4 ? texts[at - DEALERS] : undefined;
    texts.push(last ?? nextMessage());
  }
  for (let from = 0; from < MESSAGES; from += CHUNK) {
    const events = texts.slice(from, from + CHUNK).map((text, index) => {
      const at = from + index;
      const dealer = at % DEALERS;
      return rawEvent(
        aMessageEvent({
          rawId: `P${at}`,
          group: `1203630000000${100 + (at % GROUPS)}@g.us`,
          sender: {
            phone: `4477009${1000 + dealer}`,
            lid: `1999${dealer}`,
            name: `Dealer ${dealer}`,
          },
          text,
          // Within the alert window, in the order in which they were sent.
          atS: nowS - 20 * 3_600 + Math.floor((at / MESSAGES) * 19 * 3_600),
        }),
        { receivedAtMs: systemClock.nowMs() },
      );
    });
    await saveRawEvents(pool, events, "window");
  }
}

async function isBusy(): Promise<boolean> {
  const counts = QUEUES.map((queue) => `exists (select from ${queue})`).join(" or ");
  const [row] = await pool.query<{ is_busy: boolean }>(sql`select ${rawSql(counts)} as is_busy`);
  return row?.is_busy ?? false;
}

/** From the request until all is made again, cells included. */
async function replay(): Promise<number> {
  const startedAtMs = performance.now();
  await requestReplay(pool, { alerting: "never" });
  while (await isBusy()) await sleep(POLL_MS);
  return performance.now() - startedAtMs;
}

/** The rows of the listings into an empty table with all indexes. */
async function copyListings() {
  await pool.script("create table listing_copy (like listing including all)");
  const startedAtMs = performance.now();
  await pool.script("insert into listing_copy select * from listing");
  return { ms: performance.now() - startedAtMs };
}

async function stepTimes(metrics: ReturnType<typeof createMetrics>) {
  const { text } = await metrics.render();
  const sums = text.matchAll(/^assay_step_batch_seconds_sum\{step="([^"]+)"\} ([\d.e+-]+)$/gm);
  return Object.fromEntries(
    Array.from(sums, ([, step, s]) => [step, Math.round(Number(s) * 1_000)]),
  );
}

function look(serverPid: number) {
  const { user, system } = process.cpuUsage();
  return {
    atMs: performance.now(),
    workerUs: user + system,
    serverUs: serverCpuMs(serverPid) * 1_000,
  };
}
