// Prints one JSON line: how much disk, WAL and processor time a message needs from raw event to listings. Each text is
// posted three times and offers two watches. There are no configurations and alerts.
//   node --import tsx bench/volume.ts [MESSAGES]      default 6000

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "../src/base/clock.ts";
import { createLogger } from "../src/base/log.ts";
import { openEmbeddedServer } from "../src/db/embedded/server.ts";
import { migrate } from "../src/db/migrate.ts";
import { openPool } from "../src/db/pool.ts";
import { sql } from "../src/db/sql.ts";
import { process as run } from "../test/support/drain.ts";
import { aMessageEvent } from "../test/support/waha.ts";
import { findServerPid, serverCpuMs } from "./server-cpu.ts";

const { process } = globalThis;
const MESSAGES = Number(process.argv[2] ?? 6_000);

const dataDir = mkdtempSync(join(tmpdir(), "assay-bench-"));
const server = await openEmbeddedServer({ dataDir, log: createLogger("error") });
const pool = openPool({ url: server.setUpUrl("postgres"), name: "assay bench" });
await migrate(pool, createLogger("error"));
const serverPid = await findServerPid(pool);

const before = await look();
for (let at = 0; at < MESSAGES; at += 500) {
  await run(
    pool,
    Array.from({ length: Math.min(500, MESSAGES - at) }, (_, k) => aPost(at + k)),
  );
}
const after = await look();
const tables = await pool.query<{ name: string; bytes: number }>(sql`
  select relname as name, pg_total_relation_size(oid) / ${MESSAGES}::bigint as bytes
    from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' order by 2 desc limit 6`);
await pool.end();
await server.release();
rmSync(dataDir, { recursive: true, force: true });

const each = (total: number) => Math.round(total / MESSAGES);
process.stdout.write(
  `${JSON.stringify({
    bench: "volume",
    messages: MESSAGES,
    disk_bytes: each(after.diskBytes - before.diskBytes),
    log_bytes: each(after.logBytes - before.logBytes),
    worker_cpu_us: each(after.workerUs - before.workerUs),
    server_cpu_us: each(after.serverUs - before.serverUs),
    largest: Object.fromEntries(tables.map(({ name, bytes }) => [name, bytes])),
  })}\n`,
);

async function look() {
  const [row] = await pool.query<{ diskBytes: number; logBytes: number }>(sql`
    select (select sum(pg_total_relation_size(oid))::bigint from pg_class
             where relnamespace = 'public'::regnamespace and relkind = 'r') as "diskBytes",
           (pg_current_wal_insert_lsn() - '0/0')::bigint as "logBytes"`);
  const { user, system } = process.cpuUsage();
  return {
    diskBytes: row?.diskBytes ?? 0,
    logBytes: row?.logBytes ?? 0,
    workerUs: user + system,
    serverUs: serverCpuMs(serverPid) * 1000,
  };
}

function aPost(at: number) {
  const post = Math.floor(at / 3);
  const dealer = post % 400;
  return aMessageEvent({
    rawId: `V${at}`,
    group: `1203630000000${100 + (at % 60)}@g.us`,
    sender: { phone: `4477009${1000 + dealer}`, lid: `1999${dealer}`, name: `Dealer ${dealer}` },
    text:
      `WTS Rolex 126610LN 2024 new full set ${10_000 + post} EUR\n` +
      `Patek 5711/1A-010 2019 used ${60_000 + post} EUR\nready in HK, serious buyers only`,
    atS: Math.floor(systemClock.nowMs() / 1000),
  });
}
