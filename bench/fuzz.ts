// Sends bad requests over HTTP to the whole service with a small demo market. Prints one JSON line.
//   node --import tsx bench/fuzz.ts            1,000,000 requests
//   REQUESTS=100000 FIRST_SEED=7 node --import tsx bench/fuzz.ts

import { mkdtempSync, rmSync } from "node:fs";
import { Agent } from "node:http";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { createTokenText } from "../src/api/auth/token.ts";
import { saveToken } from "../src/api/auth/token-store.ts";
import { systemClock } from "../src/base/clock.ts";
import { parseConfig } from "../src/base/config.ts";
import { createLogger } from "../src/base/log.ts";
import type { Database } from "../src/db/database.ts";
import { rawSql, sql } from "../src/db/sql.ts";
import { startService } from "../src/service/service.ts";
import { listRoutes, listSchemas } from "../test/support/fuzz-routes.ts";
import { collectCursors, runFuzz } from "../test/support/fuzz-run.ts";

const REQUESTS = Number(process.env["REQUESTS"] ?? 1_000_000);
const FIRST_SEED = Number(process.env["FIRST_SEED"] ?? 1);
const TABLES = ["alert", "listing", "price_configuration", "canonical_message", "group_preset"];

const dataDir = mkdtempSync(join(tmpdir(), "assay-fuzz-"));
const config = parseConfig({
  PORT: "0",
  LOG_LEVEL: "fatal",
  ASSAY_DATA_DIR: dataDir,
  ASSAY_DEMO: "true",
  ASSAY_DEMO_MESSAGES: "1000",
  ASSAY_DEMO_TRICKLE: "false",
  ASSAY_RATE_LIMIT_PER_MINUTE: "0",
});
const service = await startService(config, createLogger("fatal"));
const agent = new Agent({ keepAlive: true, maxSockets: 16 });
try {
  const db = service.store.pool;
  const token = await addToken(db, "fuzz", false);
  const options = {
    token,
    readOnlyToken: await addToken(db, "fuzz reader", true),
    ids: (await Promise.all(TABLES.map((table) => someIds(db, table)))).flat(),
    cursors: await collectCursors(service.url, token),
    routes: listRoutes(),
    schemas: listSchemas(),
  };
  const startedAtMs = performance.now();
  const report = await runFuzz(service.url, {
    options,
    agent,
    firstSeed: FIRST_SEED,
    count: REQUESTS,
    atOnce: 16,
  });
  const seconds = (performance.now() - startedAtMs) / 1000;
  const alive = await fetch(`${service.url}/v2/alerts`, {
    headers: { authorization: `Bearer ${options.token}` },
  });
  const line = {
    bench: "fuzz",
    requests: report.count,
    first_seed: FIRST_SEED,
    statuses: report.statuses,
    faults: report.faults,
    still_answers: alive.status === 200,
    requests_per_second: Math.round(report.count / seconds),
    cpu: cpus()[0]?.model,
    node: process.version,
  };
  process.stdout.write(`${JSON.stringify(line)}\n`);
  if (report.faults.length > 0 || alive.status !== 200) process.exitCode = 1;
} finally {
  agent.destroy();
  await service.stop({ lameDuckMs: 0 });
  rmSync(dataDir, { recursive: true, force: true });
}

async function addToken(db: Database, name: string, isReadOnly: boolean): Promise<string> {
  const text = createTokenText();
  await saveToken(db, { text, name, isReadOnly, createdAtMs: systemClock.nowMs() });
  return text;
}

async function someIds(db: Database, table: string): Promise<readonly string[]> {
  const rows = await db.query<{ id: string }>(
    sql`select id from ${rawSql(table)} order by id limit 20`,
  );
  return rows.map(({ id }) => id);
}
