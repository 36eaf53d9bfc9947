// Prints one JSON line: how many messages per second the step from canonical messages to listings processes, alone and
// on one worker: new messages, the same messages unchanged, and each message with one more occurrence. Measured by the
// clock, and by the CPU time of this process and of the server (Linux only), which other programs affect little.
//   node --import tsx bench/listings.ts [MESSAGES] [BATCH…]      default 10000, batches of 50 200 500

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DAY_MS, systemClock } from "../src/base/clock.ts";
import { toStableId } from "../src/base/ids.ts";
import { createLogger } from "../src/base/log.ts";
import type { DatabasePool } from "../src/db/database.ts";
import { openEmbeddedServer } from "../src/db/embedded/server.ts";
import { migrate } from "../src/db/migrate.ts";
import { openPool } from "../src/db/pool.ts";
import { recordset, sql } from "../src/db/sql.ts";
import { loadCatalogue } from "../src/listings/dealer-catalogue.ts";
import { extractListings } from "../src/listings/extract-listings.ts";
import { nextMessage } from "./dealer-messages.ts";
import { findServerPid, serverCpuMs } from "./server-cpu.ts";

const MESSAGES = Number(process.argv[2] ?? 10_000);
const BATCHES = process.argv.length > 3 ? process.argv.slice(3).map(Number) : [50, 200, 500];
const DEALERS = 400;
const START_MS = Date.UTC(2026, 3, 1);

const log = createLogger("error");
const dataDir = mkdtempSync(join(tmpdir(), "assay-bench-"));
const server = await openEmbeddedServer({ dataDir, log });
const catalogue = await loadCatalogue(undefined);
const texts: string[] = [];
const messages = Array.from({ length: MESSAGES }, (_, at) => aMessage(at));
const results = [];
for (const batchMax of BATCHES) results.push(await measure(batchMax));
await server.release();
rmSync(dataDir, { recursive: true, force: true });
process.stdout.write(`${JSON.stringify({ bench: "listings", messages: MESSAGES, results })}\n`);

function aMessage(at: number) {
  const dealer = at % DEALERS;
  // One message in five repeats the dealer's last offer in other words.
  const last = at % 5 === 4 ? texts[at - DEALERS] : undefined;
  texts.push(last === undefined ? nextMessage() : `${last}\nstill available`);
  return {
    id: toStableId("message", String(at)),
    contact_id: toStableId("contact", String(dealer)),
    group_id: toStableId("group", String(at % 60)),
    text: texts[at] ?? "",
    // Spread over eight weeks, so that some asks of a dealer are less than 30 days apart.
    at_ms: START_MS + Math.floor((at / MESSAGES) * 56 * DAY_MS),
  };
}

async function measure(batchMax: number) {
  const name = `bench_${batchMax}`;
  const maintenance = openPool({ url: server.setUpUrl("postgres"), name: "bench" });
  await maintenance.script(`create database ${name}`);
  const pool = openPool({ url: server.setUpUrl(name), name: "bench" });
  await migrate(pool, log);
  await fill(pool);
  const fresh = await rate(pool, batchMax);
  const unchanged = await rate(pool, batchMax);
  await pool.execute(
    sql`update canonical_message set occurrence_count = 2, last_seen_at_ms = last_seen_at_ms + 1000`,
  );
  const reposted = await rate(pool, batchMax);
  const [row] = await pool.query<{ listings: number; duplicates: number }>(sql`
    select count(*) as listings, count(*) filter (where is_duplicate) as duplicates from listing`);
  await pool.end();
  await maintenance.script(`drop database ${name}`);
  await maintenance.end();
  return {
    batch: batchMax,
    fresh,
    unchanged,
    reposted,
    ...row,
  };
}

async function fill(pool: DatabasePool): Promise<void> {
  await pool.execute(sql`
    insert into fx_rate (currency, day, kind, per_eur) values ('HKD', '2026-03-01', 'declared', 8.5),
                                                                    ('USD', '2026-03-01', 'declared', 1.1)`);
  await pool.execute(sql`
    insert into contact (id, key, phone_number)
    select distinct contact_id, contact_id::text, '852' || (90000000 + abs(hashtext(contact_id::text)) % 9999999)
      from ${recordset(messages)} as made (contact_id uuid)`);
  await pool.execute(sql`
    insert into canonical_message (id, contact_id, text, first_seen_at_ms, last_seen_at_ms, occurrence_count, group_ids)
    select id, contact_id, text, at_ms, at_ms, 1, array[group_id]
      from ${recordset(messages)} as made (id uuid, contact_id uuid, group_id uuid, text text, at_ms bigint)`);
}

async function rate(pool: DatabasePool, batchMax: number) {
  await pool.execute(
    sql`insert into message_queue (canonical_message_id) select id from canonical_message`,
  );
  const serverPid = await findServerPid(pool);
  const before = { atMs: performance.now(), cpuMs: cpuMs(serverPid) };
  for (;;) {
    const options = { batchMax, clock: systemClock, log, catalogue };
    if ((await extractListings(pool, options)).takenCount === 0) break;
  }
  const cpu = cpuMs(serverPid) - before.cpuMs;
  return {
    per_second: Math.round(MESSAGES / ((performance.now() - before.atMs) / 1000)),
    per_cpu_second: Math.round(MESSAGES / (cpu / 1000)),
  };
}

/** Processor time of this process and of the server. */
function cpuMs(serverPid: number): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000 + serverCpuMs(serverPid);
}
