import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { createLogger } from "../../src/base/log.ts";
import { openEmbeddedServer } from "../../src/db/embedded/server.ts";
import { openPool } from "../../src/db/pool.ts";
import { sql } from "../../src/db/sql.ts";
import { countLostIn, startLoad } from "../support/faults/acknowledged-events.ts";
import { isAlive } from "../support/faults/replicated-server.ts";
import { aDataDir, startAssay } from "../support/run-assay.ts";
import { until } from "../support/test-app.ts";

const isLong = process.env["ASSAY_TEST_LONG"] === "1";
const ROUNDS = isLong ? 25 : 3;

test("a service killed under load keeps every acknowledged event exactly once, with its occurrence and listing", async (t) => {
  const dataDir = aDataDir(t);
  const environment = {
    ASSAY_DATA_DIR: dataDir,
    LOG_LEVEL: "error",
    ASSAY_WAHA_UNSIGNED: "true",
  };
  const acknowledged = new Map<string, string>();
  for (let round = 0; round < ROUNDS; round += 1) {
    const service = await startAssay(t, ["serve"], environment);
    const load = startLoad(t, () => service.url, { clients: 16, name: `K${round}` });
    // Waits for a count instead of a duration, because a busy machine is slower.
    await load.more(120 + round * 37);
    await service.end("SIGKILL");
    await load.stop();
    for (const [key, rawId] of load.acknowledged) acknowledged.set(key, rawId);
  }
  const last = await startAssay(t, ["serve"], environment);
  const server = await openEmbeddedServer({ dataDir, log: createLogger("silent") });
  const pool = openPool({ url: server.url("assay"), name: "assay test" });
  t.after(async () => {
    await pool.end();
    await server.release();
  });

  const waiting = async () =>
    (
      await pool.query(
        sql`select 1 from raw_event_queue union all select 1 from message_queue limit 1`,
      )
    ).length > 0;
  while (await waiting()) await new Promise((settle) => setTimeout(settle, 50));
  const stored = await pool.query<{ sha256: string }>(
    sql`select encode(sha256, 'hex') as sha256 from raw_event`,
  );
  const occurrences = await pool.query<{ raw_id: string }>(sql`select raw_id from occurrence`);
  const listings = await pool.query(sql`
    select message.occurrence_count - listing.occurrence_count as missing
      from canonical_message as message
      left join listing on listing.canonical_message_id = message.id`);
  await last.end("SIGINT");

  const storedKeys = new Set(stored.map((row) => row.sha256));
  const rawIds = new Set(occurrences.map((row) => row.raw_id));
  assert.ok(acknowledged.size > 300, String(acknowledged.size));
  assert.equal(storedKeys.size, stored.length);
  assert.ok(listings.length > 0);
  assert.deepEqual(
    listings.filter((row) => row["missing"] !== 0),
    [],
  );
  assert.deepEqual(
    [...acknowledged].filter(([sha256, rawId]) => !storedKeys.has(sha256) || !rawIds.has(rawId)),
    [],
  );
});

test("when PostgreSQL crashes under load, clients get 503 until it is back, and nothing acknowledged is lost", async (t) => {
  const dataDir = aDataDir(t);
  const environment = { ASSAY_DATA_DIR: dataDir, ASSAY_WAHA_UNSIGNED: "true", LOG_LEVEL: "fatal" };
  const service = await startAssay(t, ["serve"], environment);
  const load = startLoad(t, () => service.url, { clients: 16, name: "P" });
  const gaps: number[] = [];
  for (let crash = 0; crash < (isLong ? 20 : 2); crash += 1) {
    await load.more(150);
    const [pid = ""] = readFileSync(join(dataDir, "store/cluster/postmaster.pid"), "utf8").split(
      "\n",
    );
    // An immediate stop: no checkpoint, every connection is cut.
    process.kill(Number(pid), "SIGQUIT");
    const crashedAtMs = performance.now();
    await until(() => !isAlive(Number(pid)), 60_000);
    await load.more(1);
    gaps.push(Math.round(performance.now() - crashedAtMs));
  }
  await load.more(50);
  await load.stop();
  const lost = await countLostIn(dataDir, load);
  await service.end("SIGTERM");

  const statuses = JSON.stringify([...load.statuses]);
  t.diagnostic(
    `${lost} of ${load.acknowledged.size} lost; back after ${gaps.join(", ")} ms; ${statuses}`,
  );
  assert.equal(lost, 0);
  assert.deepEqual(
    [...load.statuses.keys()].filter((status) => status !== 202 && status !== 503),
    [],
  );
});
