import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { Agent, request } from "node:http";
import { test } from "node:test";
import { createLogger } from "../../src/base/log.ts";
import { openEmbeddedServer } from "../../src/db/embedded/server.ts";
import { openPool } from "../../src/db/pool.ts";
import { sql } from "../../src/db/sql.ts";
import { aDataDir, startAssay } from "../support/run-assay.ts";
import { aMessageEvent } from "../support/waha.ts";

const ROUNDS = process.env["ASSAY_TEST_LONG"] === "1" ? 25 : 3;

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
    const agent = new Agent({ keepAlive: true, maxSockets: 16 });
    const state = { isOver: false };
    const clients = Array.from({ length: 16 }, async (_, client) => {
      for (let at = 0; !state.isOver; at += 1) {
        const rawId = `K${round}x${client}x${at}`;
        const body = JSON.stringify(
          aMessageEvent({ rawId, text: `126610LN 2024 €12,${100 + client}` }),
        );
        // One event in five is sent twice, as gateways do.
        for (let copy = 0; copy < (at % 5 === 0 ? 2 : 1); copy += 1) {
          const status = await post(`${service.url}/v2/webhooks/waha`, body, agent);
          if (status === 202)
            acknowledged.set(createHash("sha256").update(body).digest("hex"), rawId);
          else if (status === 0) return;
        }
      }
    });
    // Waits for a count instead of a duration, because a busy machine is slower.
    const enough = acknowledged.size + 120 + round * 37;
    while (acknowledged.size < enough) await new Promise((settle) => setTimeout(settle, 10));
    await service.end("SIGKILL");
    state.isOver = true;
    await Promise.all(clients);
    agent.destroy();
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

/** Returns 0 if the service is down. */
function post(url: string, body: string, agent: Agent): Promise<number> {
  return new Promise((settle) => {
    const call = request(url, {
      method: "POST",
      agent,
      headers: { "content-type": "application/json" },
    });
    call.on("response", (response) => {
      response.resume();
      response.on("end", () => settle(response.statusCode ?? 0));
      response.on("error", () => settle(0));
    });
    call.on("error", () => settle(0));
    call.end(body);
  });
}
