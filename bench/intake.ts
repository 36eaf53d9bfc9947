// Prints one JSON line: how fast webhooks are acknowledged, next to plain inserts of the same bytes on the same server,
// and how fast a single worker turns them into messages, with few and with many messages stored.
//   node --import tsx bench/intake.ts [MESSAGES]      default 100000; 0 skips the steps
// Each rate comes with the processor time per event in µs, which other programs on the machine affect less.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DAY_MS, systemClock } from "../src/base/clock.ts";
import { createLogger } from "../src/base/log.ts";
import type { DatabasePool } from "../src/db/database.ts";
import { openEmbeddedServer } from "../src/db/embedded/server.ts";
import { openPool } from "../src/db/pool.ts";
import { sql } from "../src/db/sql.ts";
import { saveRawEvents } from "../src/intake/raw-event-store.ts";
import { canonicalizeEvents } from "../src/messages/canonicalize-events.ts";
import { mergeContacts } from "../src/messages/contacts/merge-contacts.ts";
import { rawEvent } from "../test/support/drain.ts";
import { aMessageEvent } from "../test/support/waha.ts";
import { openWebhookClient } from "./webhook-client.ts";

const MESSAGES = Number(process.argv[2] ?? 100_000);
const CONNECTIONS = 64;
const SECONDS = 3;
const ROUNDS = 5;
const PIECE = 10_000;
const MARKS = [10_000, 100_000, 1_000_000];
const TEMPLATE = JSON.stringify(aMessageEvent({ rawId: "RAW_ID" }));

const dataDir = mkdtempSync(join(tmpdir(), "assay-bench-"));
const service = spawn(process.execPath, ["dist/cli/main.js", "serve", "--role", "api"], {
  env: {
    PATH: process.env["PATH"] ?? "",
    PORT: "0",
    ASSAY_DATA_DIR: dataDir,
    LOG_LEVEL: "error",
    ASSAY_WAHA_UNSIGNED: "true",
  },
  stdio: ["ignore", "pipe", "inherit"],
});
const [first] = await once(service.stdout, "data");
const url = /(http:\S+)/.exec(String(first))?.[1] ?? "";
const server = await openEmbeddedServer({ dataDir, log: createLogger("error") });
const masterPid = Number(
  readFileSync(join(dataDir, "store", "cluster", "postmaster.pid"), "utf8").split("\n")[0],
);
const peerPool = openPool({
  url: server.url("assay"),
  sharedCount: CONNECTIONS,
  name: "assay bench",
});
await peerPool.execute(
  sql`create table peer (id bigint generated always as identity, body bytea not null)`,
);
const clients = await Promise.all(
  Array.from({ length: CONNECTIONS }, () => openWebhookClient(url)),
);
const rounds: { readonly webhooks: Rate; readonly inserts: Rate }[] = [];
// The first round warms both up and is not counted.
for (let round = 0; round <= ROUNDS; round += 1) {
  const webhooks = await rate((client, at) =>
    clients[client]?.post(bodyOf(`W${round}x${client}x${at}`)),
  );
  const inserts = await rate((client, at) =>
    peerPool.execute(
      sql`insert into peer (body) values (${Buffer.from(bodyOf(`P${round}x${client}x${at}`))})`,
    ),
  );
  if (round > 0) rounds.push({ webhooks, inserts });
}
for (const client of clients) client.close();
await peerPool.end();
service.kill("SIGINT");
await once(service, "exit");

const pool = openPool({ url: server.url("assay"), name: "assay bench" });
await pool.execute(sql`truncate raw_event_queue`);
const steps = MESSAGES === 0 ? [] : await stepRates(pool);
await pool.end();
await server.release();
rmSync(dataDir, { recursive: true, force: true });

process.stdout.write(
  `${JSON.stringify({
    bench: "intake",
    connections: CONNECTIONS,
    webhooks: middle(rounds.map(({ webhooks }) => webhooks)),
    inserts: middle(rounds.map(({ inserts }) => inserts)),
    ratios: rounds
      .map(({ webhooks, inserts }) => webhooks.per_second / inserts.per_second)
      .map((ratio) => Number(ratio.toFixed(2)))
      .sort(),
    steps,
  })}\n`,
);

interface Rate {
  readonly per_second: number;
  /** Of this process, which is the client or the worker. */
  readonly own_us: number;
  readonly service_us: number;
  readonly server_us: number;
}

/** Returns the round with the median rate. */
function middle(rates: readonly Rate[]): Rate | undefined {
  return rates.toSorted((left, right) => left.per_second - right.per_second)[rates.length >> 1];
}

function bodyOf(name: string): string {
  return TEMPLATE.replace("RAW_ID", name);
}

/** Sends on all connections at once, each as fast as it gets responses. */
async function rate(
  work: (client: number, at: number) => PromiseLike<unknown> | undefined,
): Promise<Rate> {
  const startedAtMs = performance.now();
  let count = 0;
  return measure(async () => {
    await Promise.all(
      Array.from({ length: CONNECTIONS }, async (_, client) => {
        for (let at = 0; performance.now() - startedAtMs < SECONDS * 1000; at += 1) {
          await work(client, at);
          count += 1;
        }
      }),
    );
    return count;
  });
}

async function measure(work: () => Promise<number>): Promise<Rate> {
  const startedAtMs = performance.now();
  const before = { own: process.cpuUsage(), service: cpuUs(service.pid), server: serverUs() };
  const count = await work();
  const own = process.cpuUsage(before.own);
  const each = (us: number) => Math.round(us / count);
  return {
    per_second: Math.round(count / ((performance.now() - startedAtMs) / 1000)),
    own_us: each(own.user + own.system),
    service_us: each(cpuUs(service.pid) - before.service),
    server_us: each(serverUs() - before.server),
  };
}

/** Returns the CPU time of all processes of the database server. */
function serverUs(): number {
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return pids
    .filter((pid) => Number(statOf(pid)[1]) === masterPid)
    .reduce((sum, pid) => sum + cpuUs(pid), cpuUs(masterPid));
}

function cpuUs(pid: number | string | undefined): number {
  const fields = statOf(pid);
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) * 10_000;
}

/** Returns the fields of /proc/PID/stat from the state on, or none if the process has ended. */
function statOf(pid: number | string | undefined): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  } catch {
    return [];
  }
}

/** Fills the store piece by piece, and returns the rates of the pieces that end at the marks. */
async function stepRates(db: DatabasePool) {
  const rates: (Rate & { readonly stored: number })[] = [];
  for (let stored = 0; stored < MESSAGES; stored += PIECE) {
    for (let at = 0; at < PIECE; at += 500) {
      const events = Array.from({ length: 500 }, (_, k) => rawEvent(aPost(stored + at + k)));
      await saveRawEvents(db, events, "window");
    }
    const piece = await measure(async () => {
      await work(db);
      return PIECE;
    });
    const total = stored + PIECE;
    // The first piece runs code that V8 has not optimised yet, so the mark is at the second.
    if (total === 2 * PIECE || MARKS.includes(total) || total >= MESSAGES) {
      rates.push({ stored: total, ...piece });
    }
  }
  return rates;
}

async function work(db: DatabasePool): Promise<void> {
  for (;;) {
    const { takenCount } = await canonicalizeEvents(db, {
      batchMax: 500,
      clock: systemClock,
      alertWindowMs: DAY_MS,
    });
    const merged = await mergeContacts(db, { batchMax: 500 });
    if (takenCount + merged.takenCount === 0) return;
  }
}

/** 400 dealers in 60 groups. Each text is posted about three times. */
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
