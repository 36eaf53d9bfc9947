import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtempSync } from "node:fs";
import { type AddressInfo, connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { sleep } from "../../src/base/clock.ts";
import { LOST_AFTER_MS, openHosts, type ServerFacts } from "../../src/db/driver/hosts.ts";
import { openPool } from "../../src/db/pool.ts";
import { sql } from "../../src/db/sql.ts";
import { findTimelineProblem, watchHosts } from "../../src/db/watch-hosts.ts";
import { startReplicatedServer } from "../support/faults/replicated-server.ts";
import { call } from "../support/faults/scale-out.ts";
import { startAssay } from "../support/run-assay.ts";
import { until } from "../support/test-app.ts";
import { openTestDatabase } from "../support/test-database.ts";

const URL_OF_TWO = "postgres://u@a:1,b:2/d";
const [A = "", B = ""] = ["postgres://u@a:1/d", "postgres://u@b:2/d"];

test("a timeline is lost when all hosts have answered for a minute and none has it", () => {
  const { hosts, clock, lost } = openWatched(URL_OF_TWO);
  hosts.note(A, primaryOn(8));
  hosts.note(B, primaryOn(9));
  assert.equal(hosts.state().isRefusing, false);

  hosts.note(B, standbyOn(8));
  assert.equal(hosts.state().isRefusing, true);
  clock.ms += LOST_AFTER_MS - 1;
  hosts.note(A, primaryOn(8));
  assert.deepEqual(lost, []);
  clock.ms += 1;
  hosts.note(A, primaryOn(8));
  hosts.note(B, standbyOn(8));

  assert.deepEqual(lost, [9], "it is told once");
});

test("a timeline is not lost while a host does not answer, or shows it, or none takes writes", () => {
  const silent = openWatched(URL_OF_TWO);
  const shown = openWatched(URL_OF_TWO);
  const standbys = openWatched(URL_OF_TWO);
  for (const { hosts } of [silent, shown, standbys]) hosts.note(B, primaryOn(9));

  silent.hosts.note(A, primaryOn(8));
  silent.hosts.note(B, undefined);
  shown.hosts.note(A, primaryOn(8));
  shown.hosts.note(B, standbyOn(9));
  standbys.hosts.note(A, standbyOn(8));
  standbys.hosts.note(B, standbyOn(8));
  for (const { clock, hosts, lost } of [silent, shown, standbys]) {
    clock.ms += 2 * LOST_AFTER_MS;
    hosts.note(A, hosts === standbys.hosts ? standbyOn(8) : primaryOn(8));
    assert.deepEqual(lost, []);
  }

  assert.deepEqual(
    [silent, shown, standbys].map(({ hosts }) => hosts.state().isRefusing),
    [true, true, false],
  );
});

test("a host that was away for a moment begins the minute anew", () => {
  const { hosts, clock, lost } = openWatched(URL_OF_TWO);
  hosts.note(B, primaryOn(9));
  hosts.note(A, primaryOn(8));
  hosts.note(B, standbyOn(8));

  clock.ms += LOST_AFTER_MS - 1_000;
  hosts.note(B, undefined);
  hosts.note(B, standbyOn(8));
  clock.ms += LOST_AFTER_MS - 1_000;
  hosts.note(A, primaryOn(8));
  assert.deepEqual(lost, []);
  clock.ms += 1_000;
  hosts.note(A, primaryOn(8));

  assert.deepEqual(lost, [9]);
});

for (const hostCount of [2, 1]) {
  test(`when the server of a timeline is gone, its followers say so (${hostCount} named)`, async (t) => {
    const { url, loseTimeline } = await startRelayed(t, hostCount);
    const { hosts, clock, lost } = openWatched(url);
    const watch = watchHosts(hosts);
    t.after(() => watch.stop());
    await watch.asked;
    const pool = openPool({ url: hosts, name: "assay test" });
    t.after(() => pool.end(100));
    await until(() =>
      pool.query(sql`select 1`).then(
        () => hosts.state().timeline === 2,
        () => false,
      ),
    );

    const fresh = await loseTimeline();
    // Health checks and the change feed go on trying like this.
    const refused = () => pool.query(sql`select 1`).then(() => "", String);
    await until(async () => /timeline 1.*timeline 2/.test(await refused()), 60_000);
    await until(async () => (await findTimelineProblem(fresh)) !== undefined, 60_000);

    assert.match((await findTimelineProblem(fresh)) ?? "", /^refused_timeline: .* timeline 2, /);
    assert.equal(hosts.state().isRefusing, true);
    assert.deepEqual(lost, []);
    // Both hosts must have answered once before the minute begins.
    await until(() => {
      clock.ms += LOST_AFTER_MS;
      return lost.length === 1;
    });
    assert.deepEqual(lost, [2]);
  });
}

test("a host that answers slowly is asked over one connection, which the end of the watch closes", async (t) => {
  const { pool, url } = await openTestDatabase(t);
  const relay = await openRelay(t, portIn(url), 250);
  const slow = url.replace(/@[^/]+/, `@127.0.0.1:${relay.port},127.0.0.1:${relay.port}`);
  const count = async () =>
    (
      await pool.query(sql`
        select from pg_stat_activity where datname = current_database() and application_name = 'assay hosts'`)
    ).length;

  const watch = watchHosts(openHosts(slow));
  await watch.asked;
  await sleep(2_500);
  const watching = await count();
  await watch.stop();

  assert.equal(watching, 2);
  await until(async () => (await count()) === 0);
});

test("a service says that it refuses a timeline, ends after a minute, and starts again on the server that is there", {
  skip: process.env["ASSAY_TEST_LONG"] === "1" ? false : "only in the long form",
}, async (t) => {
  const { url, loseTimeline } = await startRelayed(t, 2);
  const environment = { DATABASE_URL: url, ASSAY_WAHA_HMAC_KEY: "key" };
  const service = await startAssay(t, ["serve"], environment);
  const checks = async () =>
    JSON.parse((await call(`${service.url}/health/ready`, {})).text).checks;
  assert.equal((await checks()).store, "ok");

  await loseTimeline();
  await until(async () => (await checks()).store === "refused_timeline", 60_000);
  const metrics = (await call(`${service.url}/metrics`, {})).text;
  const { code, err, out } = await service.finished;

  assert.match(metrics, /^assay_store_timeline_refused 1$/m);
  assert.equal(code, 1);
  assert.match(out + err, /none has the highest timeline any more/);
  const again = await startAssay(t, ["serve"], environment);
  const { status } = await call(`${again.url}/health/ready`, {});
  assert.equal(status, 200);
});

function openWatched(url: string) {
  const clock = { ms: 0, elapsedMs: () => clock.ms };
  const lost: number[] = [];
  const hosts = openHosts(url, { clock, onTimelineLost: ({ timeline }) => lost.push(timeline) });
  return { hosts, clock, lost };
}

function primaryOn(timeline: number): ServerFacts {
  return { process_id: 1, is_read_only: false, is_in_recovery: false, timeline };
}

function standbyOn(timeline: number): ServerFacts {
  return { process_id: 1, is_read_only: true, is_in_recovery: true, timeline };
}

/**
 * A primary on timeline 1 and a promoted replica on timeline 2, both behind relays. `loseTimeline` leads all relays to the old primary, as
 * if the cluster had gone back to it. It returns a pool to that server.
 */
async function startRelayed(t: TestContext, hostCount: number) {
  const server = await startReplicatedServer(mkdtempSync(join(tmpdir(), "assay-timeline-")), {
    isSynchronous: false,
  });
  t.after(() => server.stop());
  await server.promote();
  const [oldPort, newPort] = [server.primary, server.replica].map(({ url }) => portIn(url));
  const relays = [
    await openRelay(t, newPort ?? 0),
    ...(hostCount === 1 ? [] : [await openRelay(t, oldPort ?? 0)]),
  ];
  const places = relays.map(({ port }) => `127.0.0.1:${port}`).join();
  return {
    url: server.primary.url.replace(/@[^/]+/, `@${places}`),
    loseTimeline: async () => {
      for (const relay of relays) relay.leadTo(oldPort ?? 0);
      const pool = openPool({ url: server.primary.url, name: "assay test", sessionsMax: 0 });
      t.after(() => pool.end(100));
      return pool;
    },
  };
}

function portIn(url: string): number {
  return Number(new URL(url).port);
}

/** A relay whose server can be changed, which cuts the connections to the one before. */
async function openRelay(t: TestContext, firstPort: number, delayMs = 0) {
  let target = firstPort;
  const sockets = new Set<{ destroy(): unknown }>();
  const relay = createServer((client) => {
    const upstream = connect(target, "127.0.0.1");
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on("close", () => sockets.delete(socket));
    }
    client.on("data", (chunk) => upstream.write(chunk));
    upstream.on("data", (chunk) => setTimeout(() => client.write(chunk), delayMs));
    client.on("error", () => upstream.destroy()).on("close", () => upstream.destroy());
    upstream.on("error", () => client.destroy()).on("close", () => client.destroy());
  });
  relay.listen(0, "127.0.0.1");
  await once(relay, "listening");
  t.after(() => relay.close());
  return {
    port: (relay.address() as AddressInfo).port,
    leadTo: (port: number) => {
      target = port;
      for (const socket of sockets) socket.destroy();
    },
  };
}
