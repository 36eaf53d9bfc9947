// Prints one JSON line: the time from a webhook's acknowledgement to the commit of the buy that it causes, first without
// and then behind a backlog of messages that are extracted again, and the ratio of the two.
//   node --import tsx bench/fairness.ts [BACKLOG] [BUYS] [PER_SECOND]      default 12000 200 10

import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createLogger } from "../src/base/log.ts";
import type { DatabasePool } from "../src/db/database.ts";
import { openEmbeddedServer } from "../src/db/embedded/server.ts";
import { openPool } from "../src/db/pool.ts";
import { sql } from "../src/db/sql.ts";
import { type NewRawEvent, saveRawEvents } from "../src/intake/raw-event-store.ts";
import { aSavedFilter } from "../test/support/alerts.ts";
import { aConfiguration, anAlert } from "../test/support/rows.ts";
import { aMessageEvent } from "../test/support/waha.ts";
import { startService } from "./start-service.ts";
import { openWebhookClient } from "./webhook-client.ts";

const BACKLOG = Number(process.argv[2] ?? 12_000);
const BUYS = Number(process.argv[3] ?? 200);
const PER_SECOND = Number(process.argv[4] ?? 10);
const REFERENCES =
  "126610LN 126610LV 124060 126500LN 126710BLRO 126334 228238 126600 226570 126900".split(" ");
/** A dealer who repeats a price repeats the ask, which is no new buy. So each phase has its own prices. */
const FIRST_PRICE_EUR = { W: 8_000, A: 8_500, B: 9_500 };
const DEALERS = 400;
const WARM_UP = 20;
const STORED_AT_ONCE = 1_000;
const WAIT_MAX_MS = 600_000;
const LATE_MAX_MS = 60_000;

const dataDir = mkdtempSync(join(tmpdir(), "assay-bench-"));
const environment = {
  PATH: process.env["PATH"] ?? "",
  PORT: "0",
  ASSAY_DATA_DIR: dataDir,
  LOG_LEVEL: "error",
  ASSAY_WAHA_UNSIGNED: "true",
};
await (await startService(environment)).stop();
const server = await openEmbeddedServer({ dataDir, log: createLogger("error") });
const pool = openPool({ url: server.url("assay"), name: "assay bench" });
await declareMarket(pool);
const service = await startService(environment);
await importAsks(pool);
await untilEmpty(pool);

await measure("W", WARM_UP);
const alone = await measure("A", BUYS);
await pool.execute(
  sql`insert into message_queue (canonical_message_id) select id from canonical_message`,
);
const queued = await countQueued(pool);
const behind = await measure("B", BUYS);
const left = await countQueued(pool);

await service.stop();
await pool.end();
await server.release();
rmSync(dataDir, { recursive: true, force: true });
process.stdout.write(
  `${JSON.stringify({
    bench: "fairness",
    buys_per_second: PER_SECOND,
    alone,
    behind_backlog: behind,
    backlog_queued: queued,
    backlog_left: left,
    p99_ratio: Number((behind.p99_ms / alone.p99_ms).toFixed(2)),
  })}\n`,
);

/** A configuration and its alert for each reference; every listing counts as an ask in Europe. */
async function declareMarket(db: DatabasePool): Promise<void> {
  await aSavedFilter(db, "view_eu", randomUUID());
  for (const reference of REFERENCES) {
    const id = await aConfiguration(db, {
      configuration_key: `rolex:${reference}`,
      reference,
      reference_normalized: reference,
      market_reference_normalized: reference,
    });
    await aSavedFilter(db, "configuration", id, { reference: [reference] });
    await anAlert(db, {
      strategy: "price_engine",
      is_system: true,
      configuration_id: id,
      filters: { configuration_ids: [id] },
    });
  }
}

function anAsk(name: string, at: number, euros: number) {
  const dealer = at % DEALERS;
  return aMessageEvent({
    rawId: `${name}${at}`,
    group: `1203630000000${100 + (at % 60)}@g.us`,
    sender: { phone: `4477009${1000 + dealer}`, lid: `1999${dealer}`, name: `Dealer ${dealer}` },
    text: `WTS Rolex ${REFERENCES[at % REFERENCES.length]} 2023 new full set EUR ${euros} lot ${name}${at}`,
    atS: Math.floor(Date.now() / 1000),
  });
}

async function importAsks(db: DatabasePool): Promise<void> {
  for (let from = 0; from < BACKLOG; from += STORED_AT_ONCE) {
    const events = Array.from(
      { length: Math.min(STORED_AT_ONCE, BACKLOG - from) },
      (_, at): NewRawEvent => ({
        gateway: "waha",
        origin: "import",
        body: Buffer.from(JSON.stringify(anAsk("I", from + at, 11_000 + ((from + at) % 900)))),
        receivedAtMs: Date.now(),
      }),
    );
    await saveRawEvents(db, events, "never");
  }
}

/** Posts buys at a steady rate, and waits for their matches. */
async function measure(name: keyof typeof FIRST_PRICE_EUR, count: number) {
  const sentAtMs = new Map<string, number>();
  const seenAtMs = new Map<string, number>();
  // The service closes a connection that was idle for long.
  const client = await openWebhookClient(service.url);
  const startedAtMs = performance.now();
  const state = { isPosting: true };
  const watching = watch({ name, count, seenAtMs, state });
  for (let at = 0; at < count; at += 1) {
    const waitMs = startedAtMs + (at * 1000) / PER_SECOND - performance.now();
    if (waitMs > 0) await pause(waitMs);
    await client.post(JSON.stringify(anAsk(name, at, FIRST_PRICE_EUR[name] + at)));
    sentAtMs.set(`${name}${at}`, performance.now());
  }
  client.close();
  state.isPosting = false;
  await watching;
  const delays = [...seenAtMs]
    .map(([id, atMs]) => atMs - (sentAtMs.get(id) ?? atMs))
    .toSorted((left, right) => left - right);
  const quantile = (share: number) => Math.round(delays[Math.ceil(share * delays.length) - 1] ?? 0);
  return {
    measured: delays.length,
    p50_ms: quantile(0.5),
    p99_ms: quantile(0.99),
    max_ms: quantile(1),
  };
}

/** Records when the match of each buy becomes visible to a reader of the store. */
async function watch(work: {
  readonly name: string;
  readonly count: number;
  readonly seenAtMs: Map<string, number>;
  readonly state: { readonly isPosting: boolean };
}): Promise<void> {
  const { name, count, seenAtMs, state } = work;
  let quietSinceMs = performance.now();
  while (seenAtMs.size < count) {
    const rows = await pool.query<{ raw_id: string }>(sql`
      select distinct occurrence.raw_id
        from alert_match as match
        join occurrence on occurrence.canonical_message_id = match.canonical_message_id
       where occurrence.raw_id like ${`${name}%`}`);
    const nowMs = performance.now();
    const added = rows.filter(({ raw_id }) => !seenAtMs.has(raw_id));
    for (const { raw_id } of added) seenAtMs.set(raw_id, nowMs);
    if (added.length > 0 || state.isPosting) quietSinceMs = nowMs;
    if (nowMs - quietSinceMs > LATE_MAX_MS) return;
    await pause(10);
  }
}

async function untilEmpty(db: DatabasePool): Promise<void> {
  const endMs = performance.now() + WAIT_MAX_MS;
  while ((await countQueued(db)) > 0) {
    if (performance.now() > endMs)
      throw new Error("the service did not process the import in time");
    await pause(200);
  }
}

async function countQueued(db: DatabasePool): Promise<number> {
  const [row] = await db.query<{ count: number }>(sql`
    select (select count(*) from raw_event_queue) + (select count(*) from identity_queue)
         + (select count(*) from message_queue) + (select count(*) from match_queue)
         + (select count(*) from refresh_queue) as count`);
  return row?.count ?? 0;
}

function pause(ms: number): Promise<void> {
  return new Promise((settle) => setTimeout(settle, ms));
}
