// Prints one JSON line: how fast webhooks are acknowledged, beside plain inserts of the same bytes on the same server, and
// how fast a single worker makes messages of them, with few and with many messages stored.
//   node --import tsx bench/intake.ts [MESSAGES]      default 50000
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { Agent, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "../src/base/clock.ts";
import { createLogger } from "../src/base/log.ts";
import { type DatabasePool, openPool } from "../src/db/database.ts";
import { openEmbeddedServer } from "../src/db/embedded-postgres.ts";
import { saveRawEvents } from "../src/intake/raw-event-store.ts";
import { canonicalizeEvents } from "../src/messages/canonicalize-events.ts";
import { mergeContacts } from "../src/messages/merge-contacts.ts";
import { rawEvent } from "../test/support/drain.ts";
import { aMessageEvent } from "../test/support/waha.ts";

const MESSAGES = Number(process.argv[2] ?? 50_000);
const CONNECTIONS = 64;
const SECONDS = 5;

const dataDir = mkdtempSync(join(tmpdir(), "assay-bench-"));
const service = spawn(process.execPath, ["dist/cli/main.js", "serve", "--role", "api"], {
  env: { PATH: process.env["PATH"] ?? "", PORT: "0", ASSAY_DATA_DIR: dataDir, LOG_LEVEL: "error" },
  stdio: ["ignore", "pipe", "inherit"],
});
const [first] = await once(service.stdout, "data");
const url = /(http:\S+)/.exec(String(first))?.[1] ?? "";
const server = await openEmbeddedServer({ dataDir, log: createLogger("error") });
const peerPool = openPool({ url: server.url("assay"), connectionsMax: 24, name: "assay bench" });

const rounds: { readonly webhooks: number; readonly inserts: number }[] = [];
for (let round = 0; round < 2; round += 1) {
  rounds.push({ webhooks: await webhookRate(round), inserts: await insertRate(peerPool, round) });
}
await peerPool.end();
service.kill("SIGINT");
await once(service, "exit");

const pool = openPool({ url: server.url("assay"), connectionsMax: 2, name: "assay bench" });
await pool`truncate raw_event_queue`;
const steps = [];
for (const total of [Math.min(10_000, MESSAGES), MESSAGES]) {
  steps.push({ stored: total, per_second: await stepRate(pool, total) });
}
await pool.end();
await server.release();
rmSync(dataDir, { recursive: true, force: true });

const best = (pick: (round: { webhooks: number; inserts: number }) => number) =>
  Math.round(Math.max(...rounds.map(pick)));
process.stdout.write(
  `${JSON.stringify({
    bench: "intake",
    connections: CONNECTIONS,
    webhooks_per_second: best(({ webhooks }) => webhooks),
    inserts_per_second: best(({ inserts }) => inserts),
    ratio: Number((best(({ webhooks }) => webhooks) / best(({ inserts }) => inserts)).toFixed(2)),
    steps,
  })}\n`,
);

function bodyOf(name: string): string {
  return JSON.stringify(aMessageEvent({ rawId: name }));
}

async function webhookRate(round: number): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  return rate(CONNECTIONS, async (client, at) => {
    const call = request(`${url}/v2/webhooks/waha`, { method: "POST", agent });
    call.end(bodyOf(`W${round}x${client}x${at}`));
    const [response] = await once(call, "response");
    response.resume();
    await once(response, "end");
    if (response.statusCode !== 202) throw new Error(`answered ${response.statusCode}`);
  });
}

/** The peer: one insert and one commit for each body, on as many connections as the server bears beside the service. */
function insertRate(db: DatabasePool, round: number): Promise<number> {
  const ready = db`create table if not exists peer (id bigint generated always as identity, body bytea not null)`;
  return ready.then(() =>
    rate(24, async (client, at) => {
      await db`insert into peer (body) values (${Buffer.from(bodyOf(`P${round}x${client}x${at}`))})`;
    }),
  );
}

async function rate(
  clients: number,
  work: (client: number, at: number) => Promise<void>,
): Promise<number> {
  const startedAtMs = performance.now();
  let count = 0;
  await Promise.all(
    Array.from({ length: clients }, async (_, client) => {
      for (let at = 0; performance.now() - startedAtMs < SECONDS * 1000; at += 1) {
        await work(client, at);
        count += 1;
      }
    }),
  );
  return count / ((performance.now() - startedAtMs) / 1000);
}

/** Fills the store up to `total` messages and gives the rate of the last ten thousand. */
async function stepRate(db: DatabasePool, total: number): Promise<number> {
  const [row] = await db<{ count: number }[]>`select count(*) as count from occurrence`;
  let stored = row?.count ?? 0;
  let measured = 0;
  while (stored < total) {
    const size = Math.min(10_000, total - stored);
    for (let at = 0; at < size; at += 500) {
      const events = Array.from({ length: Math.min(500, size - at) }, (_, k) =>
        rawEvent(aPost(stored + at + k)),
      );
      await saveRawEvents(db, events, "window");
    }
    const startedAtMs = performance.now();
    await work(db);
    measured = size / ((performance.now() - startedAtMs) / 1000);
    stored += size;
  }
  return Math.round(measured);
}

async function work(db: DatabasePool): Promise<void> {
  for (;;) {
    const { takenCount } = await canonicalizeEvents(db, {
      batchMax: 500,
      clock: systemClock,
      alertWindowMs: 86_400_000,
    });
    const merged = await mergeContacts(db, { batchMax: 500 });
    if (takenCount + merged.takenCount === 0) return;
  }
}

/** 400 dealers in 60 groups, who post a text about three times. */
function aPost(at: number) {
  const dealer = at % 400;
  return aMessageEvent({
    rawId: `S${at}`,
    group: `1203630000000${100 + (at % 60)}@g.us`,
    sender: { phone: `4477009${1000 + dealer}`, lid: `1999${dealer}`, name: `Dealer ${dealer}` },
    text: `126610LN 2024 full set, number ${Math.floor(at / 1200)} of ${dealer}, HKD 98,500`,
    atS: 1_787_217_330 + at,
  });
}
