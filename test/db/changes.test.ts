import assert from "node:assert/strict";
import { test } from "node:test";
import { sleep } from "../../src/base/clock.ts";
import { createLogger } from "../../src/base/log.ts";
import { openChangeFeed } from "../../src/db/changes.ts";
import { openPool } from "../../src/db/pool.ts";
import { sql } from "../../src/db/sql.ts";
import { openTransactionPooler } from "../support/faults/transaction-pooler.ts";
import { addToken, until } from "../support/test-app.ts";
import { openTestDatabase } from "../support/test-database.ts";

const log = createLogger("silent");

test("a change of any process is announced by its table's name", async (t) => {
  const { pool, url } = await openTestDatabase(t);
  const feed = openChangeFeed({ url, log });
  t.after(() => feed.close());
  const heard: string[] = [];
  feed.subscribe("api_token", () => heard.push("api_token"));
  feed.subscribe("other", () => heard.push("other"));
  await until(() => feed.isLive());
  heard.length = 0;

  await addToken(pool, {});
  await until(() => heard.length > 0);

  assert.deepEqual(heard, ["api_token"]);
});

test("using a token does not announce a change", async (t) => {
  const { pool, url } = await openTestDatabase(t);
  await addToken(pool, {});
  const feed = openChangeFeed({ url, log });
  t.after(() => feed.close());
  let heardCount = 0;
  feed.subscribe("api_token", () => {
    heardCount += 1;
  });
  await until(() => feed.isLive());
  heardCount = 0;

  await pool.execute(sql`update api_token set last_used_at_ms = 1`);
  await pool.execute(sql`notify assay_changes, 'marker'`);
  await sleep(300);

  assert.equal(heardCount, 0);
});

test("an interrupted feed reports it, reconnects by itself, and tells every listener that changes may be missing", async (t) => {
  const { pool, url } = await openTestDatabase(t);
  const feed = openChangeFeed({ url, log });
  t.after(() => feed.close());
  let heardCount = 0;
  feed.subscribe("api_token", () => {
    heardCount += 1;
  });
  await until(() => feed.isLive());
  const heardBefore = heardCount;

  await pool.execute(sql`select pg_terminate_backend(pid) from pg_stat_activity
              where application_name = 'assay changes' and datname = current_database()`);

  await until(() => !feed.isLive());
  await until(() => feed.isLive());
  assert.ok(heardCount > heardBefore);
});

test("a feed without a store is not live and does not end the process", async (t) => {
  const feed = openChangeFeed({ url: "postgres://a:b@127.0.0.1:1/x", log });
  t.after(() => feed.close());

  await sleep(600);

  assert.equal(feed.isLive(), false);
});

test("a feed through a pooler that gives sessions to others is never live", async (t) => {
  const { url } = await openTestDatabase(t);
  const pooled = await openTransactionPooler(t, url);
  const lines: string[] = [];
  const noted = createLogger("warn", { write: (line) => void lines.push(line) });
  const feed = openChangeFeed({ url: pooled, log: noted });
  const others = openPool({ url: pooled, name: "assay test" });
  const idle = openPool({ url: pooled, name: "assay test" });
  t.after(async () => {
    await feed.close();
    await others.end(1_000);
    await idle.end(1_000);
  });
  // Its session can always be given away.
  await idle.script("select 1");
  const wasLive = new Set<boolean>();

  const countCuts = () => lines.filter((line) => line.includes("the change feed was cut")).length;
  await until(async () => {
    await others.script("select 1");
    wasLive.add(feed.isLive());
    return countCuts() > 0;
  });

  assert.deepEqual([...wasLive], [false]);
});
