import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { Agent, get } from "node:http";
import { join } from "node:path";
import { test } from "node:test";
import type { DatabasePool } from "../../src/db/database.ts";
import { sql } from "../../src/db/sql.ts";
import { runEnvironment } from "../support/programs/leftovers.ts";
import { aDataDir, aFolder, callAssay, runAssay, startAssay } from "../support/run-assay.ts";
import { until } from "../support/test-app.ts";
import { openTestDatabase } from "../support/test-database.ts";

test("a killed service starts again on the same data", async (t) => {
  const environment = { ASSAY_DATA_DIR: aDataDir(t) };
  const first = await startAssay(t, ["serve"], environment);
  const created = await callAssay(["token", "create", "--name", "desk"], environment);
  const token = created.out.trim();
  assert.equal(await statusOf(`${first.url}/v2/alerts`, token), 200);
  await first.end("SIGKILL");

  const second = await startAssay(t, ["serve"], environment);
  const status = await statusOf(`${second.url}/v2/alerts`, token);
  const finished = await second.end("SIGINT");

  assert.equal(status, 200);
  assert.equal(finished.code, 0);
  assert.equal(existsSync(join(environment.ASSAY_DATA_DIR, "store/cluster/postmaster.pid")), false);
});

test("after SIGTERM the service reports not ready, serves on, finishes the requests in flight and exits with 0", async (t) => {
  const { pool, url } = await openTestDatabase(t);
  const environment = {
    DATABASE_URL: url,
    ASSAY_ALLOW_UNSAFE_STORE: "true",
    // The clients of this test notice within it on a busy machine too, and a request may take longer.
    ASSAY_LAME_DUCK_MS: "3000",
  };
  const service = await startAssay(t, ["serve"], environment);
  const token = (await callAssay(["token", "create", "--name", "load"], environment)).out.trim();
  const agent = new Agent({ keepAlive: true, maxSockets: 8 });
  const ask = (path: string) => request(`${service.url}${path}`, token, agent);
  const counts = { answered: 0, failed: 0, isOver: false };
  const client = async (): Promise<void> => {
    while (!counts.isOver) {
      if ((await ask("/v2/alerts")) === 200) counts.answered += 1;
      else counts.failed += 1;
    }
  };
  const lock = await lockSessions(pool);
  const clients = Array.from({ length: 4 }, client);
  await until(() => counts.answered > 50);

  const inFlight = Array.from({ length: 3 }, () => ask("/v2/sessions"));
  service.child.kill("SIGTERM");
  await until(async () => (await statusOf(`${service.url}/health/ready`, "")) === 503);
  const answeredBefore = counts.answered;
  await until(() => counts.answered > answeredBefore);
  // A load balancer has seen by now that the service is not ready, and its clients go elsewhere.
  counts.isOver = true;
  await Promise.all(clients);
  // From now on new requests are turned away.
  await until(async () => (await request(`${service.url}/health/live`, "")) !== 200);
  const isWaitedFor = await lock.isWaitedFor();
  await lock.release();
  const answers = await Promise.all(inFlight);
  const finished = await service.finished;

  assert.equal(counts.failed, 0);
  assert.equal(isWaitedFor, true);
  assert.deepEqual(answers, [200, 200, 200]);
  assert.equal(finished.code, 0, finished.err);
});

test("the service ends with the npm that started it, and says on an empty store what to do next", async (t) => {
  const { url } = await openTestDatabase(t);
  const env = {
    PATH: process.env["PATH"] ?? "",
    ...runEnvironment(),
    HOME: process.env["HOME"] ?? "",
    DATABASE_URL: url,
    ASSAY_ALLOW_UNSAFE_STORE: "true",
    PORT: "0",
  };
  for (const signal of ["SIGTERM", "SIGKILL"] as const) {
    const npm = spawn("npm", ["run", "--silent", "assay", "--", "serve"], { env });
    let out = "";
    npm.stdout.on("data", (chunk: Buffer) => {
      out += chunk.toString();
    });
    const served = () => /serves (http:\S+)/.exec(out)?.[1];
    await until(() => served() !== undefined || npm.exitCode !== null, 120_000);
    const address = `${served()}/health/live`;
    assert.equal(await request(address, ""), 200);

    npm.kill(signal);

    await until(async () => (await request(address, "")) !== 200, 60_000);
    assert.match(out, /The store is empty\. Next:\n {2}assay console/);
  }
});

test("with DATABASE_URL the embedded server is not used", async (t) => {
  const { url } = await openTestDatabase(t);
  const environment = {
    DATABASE_URL: url,
    ASSAY_ALLOW_UNSAFE_STORE: "true",
    ASSAY_DATA_DIR: join(aFolder(t), "unused"),
  };

  const service = await startAssay(t, ["serve"], environment);
  const token = (await callAssay(["token", "create", "--name", "x"], environment)).out.trim();
  const status = await statusOf(`${service.url}/v2/alerts`, token);
  await service.end("SIGINT");

  assert.equal(status, 200);
  assert.equal(existsSync(environment.ASSAY_DATA_DIR), false);
});

test("a start that cannot work exits with 1 and a clear message", async (t) => {
  const dataDir = aDataDir(t);
  const service = await startAssay(t, ["serve"], { ASSAY_DATA_DIR: dataDir });
  const port = new URL(service.url).port;

  const busy = await runAssay(["serve"], { ASSAY_DATA_DIR: dataDir, PORT: port });
  const wrong = await runAssay(["serve"], { PORT: "x", LOG_LEVEL: "y" });
  const gone = await runAssay(["serve"], { DATABASE_URL: "postgres://a:hunter2@127.0.0.1:1/x" });

  assert.equal(busy.code, 1);
  assert.match(busy.err, /in use by another program, .*; set PORT/);
  assert.equal(wrong.code, 1);
  assert.match(wrong.err, /2 settings are invalid:\n {2}PORT .*\n {2}LOG_LEVEL/);
  assert.equal(gone.code, 1);
  assert.match(gone.err, /the PostgreSQL of DATABASE_URL cannot be used: .*ECONNREFUSED/);
  assert.doesNotMatch(gone.err, /hunter2|\n {4}at /);
});

/** Holds up every request that reads sessions. */
async function lockSessions(pool: DatabasePool) {
  let release = (): void => undefined;
  const released = new Promise<void>((settle) => {
    release = settle;
  });
  const held = pool.transaction(async (tx) => {
    await tx.execute(sql`lock table messaging_session in access exclusive mode`);
    await released;
  });
  const countLocks = async (isGranted: boolean) =>
    (
      await pool.query(sql`
        select 1 from pg_locks
         where relation = 'messaging_session'::regclass and granted = ${isGranted}`)
    ).length;
  await until(async () => (await countLocks(true)) > 0);
  return {
    isWaitedFor: async () => (await countLocks(false)) > 0,
    release: async () => {
      release();
      await held;
    },
  };
}

async function statusOf(url: string, token: string): Promise<number> {
  const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
  await response.arrayBuffer();
  return response.status;
}

/** Returns the status, or the code of the error. */
function request(url: string, token: string, agent?: Agent): Promise<number | string> {
  return new Promise((settle) => {
    get(
      url,
      { agent: agent ?? false, headers: { authorization: `Bearer ${token}` } },
      (response) => {
        response.resume();
        response.on("end", () => settle(response.statusCode ?? 0));
      },
    ).on("error", (error: NodeJS.ErrnoException) => settle(error.code ?? "error"));
  });
}
