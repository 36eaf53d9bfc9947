import assert from "node:assert/strict";
import { test } from "node:test";
import { sleep } from "../../src/base/clock.ts";
import { sql } from "../../src/db/sql.ts";
import { saveRawEvents } from "../../src/intake/raw-event-store.ts";
import { rawEvent } from "../support/drain.ts";
import { openFaultyNetwork } from "../support/faults/faulty-network.ts";
import { runAssay, startAssay } from "../support/run-assay.ts";
import { until } from "../support/test-app.ts";
import { openTestDatabase } from "../support/test-database.ts";
import { aMessageEvent } from "../support/waha.ts";

/** The shared test server does not wait for the disk, and the events of the tests are not signed. */
const ALLOWED = { ASSAY_ALLOW_UNSAFE_STORE: "true", ASSAY_WAHA_UNSIGNED: "true" };
const SEARCHES = 40;
/** Longer than a worker waits between two looks at its queues. */
const POLLED_MS = 1_000;

test("while every search is stuck, events are acknowledged and health checks answer", {
  timeout: 120_000,
}, async (t) => {
  const { pool, url } = await openTestDatabase(t);
  const environment = { ...ALLOWED, DATABASE_URL: url };
  const service = await startAssay(t, ["serve", "--role", "api"], environment);
  const token = (await runAssay(["token", "create", "--name", "desk"], environment)).out.trim();
  const end = new AbortController();
  let isLocked = false;
  const locked = pool.transaction(async (tx) => {
    await tx.script("lock table listing in access exclusive mode");
    isLocked = true;
    await sleep(60_000, end.signal);
  });
  await until(() => isLocked);
  // Different ones, because callers with the same search share a read.
  const search = async (limit: number): Promise<number> => {
    const answer = await fetch(`${service.url}/v2/market/listings/search`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify({ limit }),
    });
    return answer.status;
  };
  const searches = Array.from({ length: SEARCHES }, (_, at) => search(at + 1));
  await until(async () => (await countWaiting(pool)) >= 2);

  const posted = [];
  for (let at = 0; at < 20; at += 1) posted.push(await post(service.url, `A${at}`));
  const ready = await fetch(`${service.url}/health/ready`);
  end.abort();
  await locked;

  assert.deepEqual([...new Set(posted)], [202]);
  assert.equal(ready.status, 200);
  const statuses = new Set(await Promise.all(searches));
  assert.ok(statuses.size > 0 && [...statuses].every((status) => [200, 503].includes(status)));
});

test("a service whose database fell silent works again, its worker too, without a restart", {
  timeout: 180_000,
}, async (t) => {
  const { pool, url } = await openTestDatabase(t);
  const network = await openFaultyNetwork(t, url);
  const service = await startAssay(t, ["serve"], { ...ALLOWED, DATABASE_URL: network.url });
  const isRead = async (rawId: string): Promise<boolean> =>
    (await pool.query(sql`select from occurrence where raw_id = ${rawId}`)).length > 0;
  assert.equal(await post(service.url, "BEFORE"), 202);
  await until(() => isRead("BEFORE"), 30_000);

  network.fallSilent();
  const silent = await post(service.url, "SILENT");
  // What was sent meanwhile is lost: the connections stay open and will never answer.
  network.speak();
  const spokeAtMs = performance.now();
  await until(async () => (await post(service.url, "AFTER")) === 202, 30_000);
  await until(() => isRead("AFTER"), 30_000);
  t.diagnostic(`the worker worked again after ${Math.round(performance.now() - spokeAtMs)} ms`);
  const finished = await service.end("SIGTERM");

  assert.equal(silent, 503);
  assert.equal(finished.code, 0);
});

for (const role of ["all", "worker"] as const) {
  test(`SIGTERM ends a service (${role}) whose database does not answer any more`, {
    timeout: 120_000,
  }, async (t) => {
    const { pool, url } = await openTestDatabase(t);
    const network = await openFaultyNetwork(t, url);
    const environment = { ...ALLOWED, DATABASE_URL: network.url, ASSAY_LAME_DUCK_MS: "0" };
    const service = await startAssay(t, ["serve", "--role", role], environment);
    await saveRawEvents(pool, [rawEvent(aMessageEvent({ rawId: "BEFORE" }))], "window");
    await until(async () => (await pool.query(sql`select from occurrence`)).length > 0, 30_000);

    // The relay acknowledges what it gets and accepts new connections, but never answers.
    network.fallSilent();
    await sleep(POLLED_MS);
    const startedAtMs = performance.now();
    const finished = await service.end("SIGTERM");

    t.diagnostic(`it ended after ${Math.round(performance.now() - startedAtMs)} ms`);
    // It gives up all statements at about the time at which it gives up waiting for them.
    if (finished.code !== 0) {
      assert.equal(finished.code, 1);
      assert.match(finished.err, /did not stop in time/);
    }
  });
}

async function post(url: string, rawId: string): Promise<number> {
  const answer = await fetch(`${url}/v2/webhooks/waha`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(aMessageEvent({ rawId })),
  });
  return answer.status;
}

async function countWaiting(pool: Awaited<ReturnType<typeof openTestDatabase>>["pool"]) {
  const rows = await pool.query(sql`
    select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`);
  return rows.length;
}
