import assert from "node:assert/strict";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import type { DatabasePool } from "../../src/db/database.ts";
import { openHosts } from "../../src/db/driver/hosts.ts";
import { openPool, type PoolOptions } from "../../src/db/pool.ts";
import { sql } from "../../src/db/sql.ts";
import { describeStandbyProblem, findStandbys } from "../../src/db/standbys.ts";
import { watchHosts } from "../../src/db/watch-hosts.ts";
import { saveRawEvents } from "../../src/intake/raw-event-store.ts";
import { rawEvent } from "../support/drain.ts";
import { startReplicatedServer } from "../support/faults/replicated-server.ts";
import { until } from "../support/test-app.ts";
import { aMessageEvent } from "../support/waha.ts";

test("when another server takes over, the old primary is left although it takes writes, and is not used again", async (t) => {
  const server = await startServers(t, { isSynchronous: false });
  const [oldPort, newPort] = [server.primary, server.replica].map(({ url }) => portIn(url));
  const hosts = openHosts(server.url);
  const watch = watchHosts(hosts);
  const pool = open(t, hosts);
  // The control: what happens without timelines.
  const careless = open(t, openHosts(server.url, { ignoresTimelines: true }));
  t.after(() => watch.stop());
  await watch.asked;
  assert.equal(await portOf(pool), oldPort);
  const told = [2, 1].map(async (hostCount) => problemOf(pool, hostCount));
  assert.match(
    (await told[0]) ?? "",
    /^DATABASE_URL names several hosts, but the server waits for no/,
  );
  assert.match((await told[1]) ?? "", /^a standby follows the server, but the server waits for no/);
  const cut = assert.rejects(
    pool.transaction(async (tx) => {
      await tx.query(sql`select 1`);
      await server.promote();
      await until(async () => (await portOf(pool)) === newPort);
      await tx.query(sql`select 1`);
    }),
    { code: "STORE_DOWN" },
  );
  await cut;
  await careless.script("create table taken ()");
  const late = openHosts(server.url);
  const lateWatch = watchHosts(late);
  t.after(() => lateWatch.stop());
  await lateWatch.asked;

  assert.equal(await portOf(careless), oldPort, "without timelines nothing shows the fail-over");
  const [kept] = await pool.query(sql`select to_regclass('taken')::text as "table"`);
  assert.deepEqual(kept, { table: null }, "what the old primary takes is lost");
  assert.equal(await portOf(open(t, late)), newPort, "a process that starts later finds it too");
  const { position, timeline, failOverCount } = hosts.state();
  assert.deepEqual([position, timeline, failOverCount], [2, 2, 1]);

  await server.replica.kill();
  await assert.rejects(async () => {
    // The connections of the pool to the killed server end first.
    for (;;) await pool.query(sql`select 1`).catch(throwIf(/timeline 1.*timeline 2/));
  }, /timeline 1.*timeline 2/);
});

test("a repeated event is acknowledged only after the standby has its first copy", async (t) => {
  const server = await startServers(t, { isSynchronous: true });
  const pool = open(t, server.primary.url);
  for (const hostCount of [2, 1]) assert.equal(await problemOf(pool, hostCount), undefined);
  const event = rawEvent(aMessageEvent({ rawId: "A1" }));
  await server.replica.kill();
  const first = assert.rejects(saveRawEvents(pool, [event], "window"));
  await until(() => isWaiting(pool));
  // The first copy stays on the primary, and its sender is not told so.
  await pool.query(sql`
    select pg_terminate_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'`);
  await first;
  assert.match((await problemOf(pool, 1)) ?? "", /waits for a standby .*, and none is connected/);

  let isAcknowledged = false;
  const repeat = saveRawEvents(pool, [event], "window").then((count) => {
    isAcknowledged = true;
    return count;
  });
  await until(async () => isAcknowledged || (await isWaiting(pool)));
  assert.equal(isAcknowledged, false);
  await server.replica.startAgain();

  assert.equal(await repeat, 0);
  const replica = open(t, server.replica.url, { isReadOnly: true });
  assert.equal((await replica.query(sql`select from raw_event`)).length, 1);
});

test("a server that never had a standby is no problem, and one that has lost its last standby is", () => {
  const alone = { connected: 0, isSynchronous: false };

  assert.equal(describeStandbyProblem(alone, { hostCount: 1, hadStandby: false }), undefined);
  assert.match(
    describeStandbyProblem(alone, { hostCount: 1, hadStandby: true }) ?? "",
    /^the last standby is gone, but the server waits for no standby/,
  );
});

async function problemOf(pool: DatabasePool, hostCount: number): Promise<string | undefined> {
  return describeStandbyProblem(await findStandbys(pool), { hostCount, hadStandby: false });
}

async function startServers(t: TestContext, options: { readonly isSynchronous: boolean }) {
  const server = await startReplicatedServer(mkdtempSync(join(tmpdir(), "assay-test-")), options);
  t.after(() => server.stop());
  return server;
}

function open(t: TestContext, url: PoolOptions["url"], options: Partial<PoolOptions> = {}) {
  const pool = openPool({ url, name: "assay test", ...options });
  t.after(() => pool.end(1_000));
  return pool;
}

function portIn(url: string): number {
  return Number(new URL(url).port);
}

async function portOf(pool: DatabasePool): Promise<number | undefined> {
  const [row] = await pool.query<{ port: number }>(sql`select inet_server_port() as port`);
  return row?.port;
}

async function isWaiting(pool: DatabasePool): Promise<boolean> {
  const rows = await pool.query(sql`select from pg_stat_activity where wait_event = 'SyncRep'`);
  return rows.length > 0;
}

function throwIf(pattern: RegExp): (error: unknown) => void {
  return (error) => {
    if (pattern.test(String(error))) throw error;
  };
}
