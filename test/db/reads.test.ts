import assert from "node:assert/strict";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { createLogger } from "../../src/base/log.ts";
import { createMetrics } from "../../src/base/metrics.ts";
import { openChangeFeed } from "../../src/db/changes.ts";
import type { Database, DatabasePool } from "../../src/db/database.ts";
import { openPool } from "../../src/db/pool.ts";
import { openReads, type Read } from "../../src/db/reads.ts";
import { sql } from "../../src/db/sql.ts";
import { openFaultyNetwork } from "../support/faults/faulty-network.ts";
import {
  type ReplicatedServer,
  startReplicatedServer,
} from "../support/faults/replicated-server.ts";
import { aPreset } from "../support/rows.ts";
import { until } from "../support/test-app.ts";

const log = createLogger("silent");

test("reads go to the replica unless it is down or more than a second behind", async (t) => {
  const server = await startReplicatedServer(aFolder(), { isSynchronous: false });
  const { read, primary, replica } = openOn(t, server);
  const isReplicaAsked = async () => (await read(whoAnswers)) === "replica";
  await until(isReplicaAsked, 60_000);
  // A wrong query is the caller's error. It is not sent to another server.
  await assert.rejects(
    read((db) => db.query(sql`select 1 / 0`)),
    { code: "22012" },
  );
  assert.equal(await isReplicaAsked(), true);

  await replica.execute(sql`select pg_wal_replay_pause()`);
  await aPreset(primary, { name: "while it waits" });
  await until(async () => !(await isReplicaAsked()));
  const whileBehind = await read(listPresets);
  await replica.execute(sql`select pg_wal_replay_resume()`);
  await until(isReplicaAsked);
  const caughtUp = await read(listPresets);

  // An uncommitted write is at the end of the WAL. It may be sent to the replica late.
  await primary.session(async (open) => {
    await open.execute(sql`begin`);
    await aPreset(open, { name: "not yet" });
    await until(isReplicaAsked);
    await open.execute(sql`rollback`);
  });

  await server.replica.kill();
  const whileDown = await read(listPresets);
  assert.deepEqual([whileBehind, caughtUp, whileDown], Array(3).fill(["while it waits"]));
  assert.equal(await isReplicaAsked(), false);
  await server.replica.startAgain();
  await until(isReplicaAsked, 60_000);
});

test("of several hosts for reads, one that is in recovery and answers is read", async (t) => {
  const server = await startReplicatedServer(aFolder(), { isSynchronous: false });
  const network = await openFaultyNetwork(t, server.replica.url);
  // The primary first, then one way to the replica, then another one.
  const ports = [server.primary.url, network.url, server.replica.url].map(
    (url) => new URL(url).host,
  );
  const replicaUrl = server.replica.url.replace(new URL(server.replica.url).host, ports.join(","));
  const { read } = openOn(t, server, replicaUrl);
  const isReplicaAsked = async () => (await read(whoAnswers)) === "replica";

  await until(isReplicaAsked, 60_000);
  network.fallSilent();
  await until(async () => !(await isReplicaAsked()));
  await until(isReplicaAsked);
});

/** Removed together with the servers in it. */
function aFolder(): string {
  return mkdtempSync(join(tmpdir(), "assay-test-"));
}

function openOn(
  t: TestContext,
  server: ReplicatedServer,
  replicaUrl = server.replica.url,
): { readonly read: Read; readonly primary: DatabasePool; readonly replica: DatabasePool } {
  const name = "assay test";
  const primary = openPool({ url: server.primary.url, name });
  const replica = openPool({ url: server.replica.url, isReadOnly: true, name });
  const reads = openReads({
    primary,
    figures: primary,
    replicaUrl,
    connectionsMax: 2,
    log,
    metrics: createMetrics(),
  });
  const feed = openChangeFeed({ url: server.primary.url, log, onPosition: reads.notePosition });
  t.after(async () => {
    await feed.close();
    await reads.close();
    await Promise.all([primary.end(1_000), replica.end(1_000)]);
    await server.stop();
  });
  return { read: reads.read, primary, replica };
}

async function whoAnswers(db: Database): Promise<string> {
  const [row] = await db.query<{ isReplica: boolean }>(
    sql`select pg_is_in_recovery() as "isReplica"`,
  );
  return row?.isReplica === true ? "replica" : "primary";
}

async function listPresets(db: Database): Promise<readonly string[]> {
  const rows = await db.query<{ name: string }>(sql`select name from group_preset order by name`);
  return rows.map(({ name }) => name);
}
