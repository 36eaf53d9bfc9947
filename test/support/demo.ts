import assert from "node:assert/strict";
import { sleep } from "../../src/base/clock.ts";
import type { DatabasePool } from "../../src/db/database.ts";
import { whileLocked } from "../../src/db/locks.ts";
import { openPool } from "../../src/db/pool.ts";
import { sql } from "../../src/db/sql.ts";
import { loadDemo } from "../../src/demo/load-demo.ts";
import { sizeOf } from "../../src/demo/posts.ts";
import { shiftedClock } from "./console/shifted-clock.ts";
import { drain, stepContext } from "./drain.ts";
import { openTestApp, type TestApp } from "./test-app.ts";
import { type Lifetime, openTestDatabase, type TestDatabase } from "./test-database.ts";
import { DEMO_TEMPLATE, TEMPLATE, withDatabase } from "./test-server.ts";

/** Every page has content, every member of every answer has a value somewhere, and it loads in seconds. */
export const DEMO_SIZE = sizeOf(1_200);
/** As long as a start may take (`run-assay.ts`): on a busy machine two minutes were not enough. */
const LOAD_TIMEOUT_MS = 300_000;
const TURN_DELAY_MS = 300;

interface Call {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly path: string;
  readonly body?: object;
}

interface Answer {
  readonly status: number;
  readonly text: string;
  readonly requestId: string;
}

/** As the examples of the docs call it. A correction is answered once a worker has read the message again. */
export async function callWithBody(demo: TestApp, call: Call): Promise<Answer> {
  if (!call.path.endsWith("/correction")) return send(demo, call);
  const context = await stepContext(demo.db);
  let isAnswered = false;
  const answer = send(demo, call).finally(() => {
    isAnswered = true;
  });
  while (!isAnswered) {
    await drain(context);
    await sleep(20);
  }
  await drain(context);
  await context.close();
  return answer;
}

async function send({ app, token }: TestApp, { method, path, body }: Call): Promise<Answer> {
  const response = await app.inject({
    method,
    url: path,
    headers: { authorization: `Bearer ${token}` },
    ...(body === undefined ? {} : { payload: body }),
  });
  const requestId = String(response.headers["x-request-id"]);
  return { status: response.statusCode, text: response.body, requestId };
}

/** The HTTP side over `openDemoDatabase`, with its clock at the time of that market. */
export async function openDemoApp(t: Lifetime): Promise<TestApp> {
  await ensureDemoTemplate(process.env["ASSAY_TEST_SERVER_URL"] ?? "");
  const opened = await openTestApp(t, {
    template: DEMO_TEMPLATE,
    environment: {
      ASSAY_PUBLIC_URL: "https://assay.example",
      ASSAY_RATE_LIMIT_PER_MINUTE: "0",
      ASSAY_WAHA_UNSIGNED: "true",
      ASSAY_WEBHOOK_ALLOW_PRIVATE: "true",
    },
  });
  opened.clock.set(shiftedClock.nowMs());
  return opened;
}

/**
 * A small demo market as it stands at the time of the run (see `shiftedClock`), in a database that belongs to this test alone. The first test of a run that asks for
 * one loads it; the others copy what was loaded.
 */
export async function openDemoDatabase(t: Lifetime): Promise<TestDatabase> {
  await ensureDemoTemplate(process.env["ASSAY_TEST_SERVER_URL"] ?? "");
  return openTestDatabase(t, { template: DEMO_TEMPLATE });
}

async function ensureDemoTemplate(serverUrl: string): Promise<void> {
  const maintenance = openPool({ url: serverUrl, name: "assay test" });
  const deadlineMs = performance.now() + LOAD_TIMEOUT_MS;
  try {
    while (!(await hasDatabase(maintenance, DEMO_TEMPLATE))) {
      assert.ok(performance.now() < deadlineMs, "the demo of the tests is not loaded");
      const loaded = await whileLocked(maintenance, "demo", async () => {
        if (!(await hasDatabase(maintenance, DEMO_TEMPLATE))) await load(maintenance, serverUrl);
      });
      // Another file is loading it. To ask for the lock costs a connection.
      if (loaded === undefined) await sleep(TURN_DELAY_MS);
    }
  } finally {
    await maintenance.end();
  }
}

/** The database gets its name when it is complete, so that no test copies half a market. */
async function load(maintenance: DatabasePool, serverUrl: string): Promise<void> {
  const loading = `${DEMO_TEMPLATE}_loading`;
  await maintenance.script(`drop database if exists ${loading} with (force)`);
  await maintenance.script(`create database ${loading} template ${TEMPLATE}`);
  const url = withDatabase(serverUrl, loading);
  const pool = openPool({ url, name: "assay test", sessionsMax: 4 });
  const context = await stepContext(pool, shiftedClock);
  await loadDemo(context, { size: DEMO_SIZE, say: () => undefined });
  await context.close();
  await pool.end();
  await maintenance.script(`alter database ${loading} rename to ${DEMO_TEMPLATE}`);
}

async function hasDatabase(maintenance: DatabasePool, name: string): Promise<boolean> {
  const rows = await maintenance.query(sql`select 1 from pg_database where datname = ${name}`);
  return rows.length > 0;
}
