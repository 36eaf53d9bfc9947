import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { sleep } from "../../src/base/clock.ts";
import { listen } from "../../src/db/changes.ts";
import { withCopyConnection } from "../../src/db/copy.ts";
import { type DatabasePool, readInChunks } from "../../src/db/database.ts";
import { openClient } from "../../src/db/driver/client.ts";
import { openPool, type PoolOptions, toClientOptions } from "../../src/db/pool.ts";
import { type Sql, sql } from "../../src/db/sql.ts";
import { openFaultyNetwork } from "../support/faults/faulty-network.ts";
import { until } from "../support/test-app.ts";
import { openTestDatabase } from "../support/test-database.ts";

const ONE = sql`select 1 as one`;

test("a connection that cannot be opened now is opened by a later statement", async (t) => {
  const { pool: admin, url } = await openTestDatabase(t);
  const pool = open(t, { url, sharedCount: 1, statementTimeoutMs: 300 });

  // The first query of a connection needs this catalogue, as while VACUUM FULL runs on it.
  await admin.transaction(async (tx) => {
    await tx.script("lock table pg_proc in access exclusive mode");
    await assert.rejects(pool.query(ONE), { code: "57014" });
  });

  assert.deepEqual(await pool.query(ONE), [{ one: 1 }]);
});

test("a connection that is lost while idle fails no statement", async (t) => {
  const { url } = await openTestDatabase(t);
  const network = await openFaultyNetwork(t, url);
  const pool = open(t, { url: network.url, sharedCount: 1 });
  await pool.query(ONE);
  await pool.transaction((tx) => tx.query(ONE));

  network.cut(() => true);
  await sleep(50);

  assert.deepEqual(await pool.query(ONE), [{ one: 1 }]);
  assert.deepEqual(await pool.transaction((tx) => tx.query(ONE)), [{ one: 1 }]);
});

test("all callers of a statement that the server could not prepare get its error", async (t) => {
  const { pool: admin, url } = await openTestDatabase(t);
  await admin.script("create table entry (item integer)");
  const pool = open(t, { url, sharedCount: 2, statementTimeoutMs: 300 });
  const ask = () => pool.query(sql`select item from entry`);

  await admin.transaction(async (tx) => {
    await tx.script("lock table entry in access exclusive mode");
    const settled = await Promise.allSettled(Array.from({ length: 8 }, ask));

    for (const one of settled) {
      assert.ok(one.status === "rejected");
      assert.equal(one.reason.code, "57014");
    }
  });

  assert.deepEqual(await ask(), []);
});

test("a stale plan inside a savepoint is not met again by the next transaction", async (t) => {
  const { pool: admin, url } = await openTestDatabase(t);
  await admin.script("create table entry (item integer); insert into entry values (1)");
  const pool = open(t, { url, sessionsMax: 1 });
  const ask = () =>
    pool.transaction((tx) =>
      tx
        .savepoint((inner) => inner.query(sql`select item from entry`))
        .catch((error: { code?: string }) => error.code),
    );
  await ask();
  await ask();

  await admin.script("alter table entry alter column item type text");

  assert.equal(await ask(), "0A000");
  assert.deepEqual(await ask(), [{ item: "1" }]);
});

test("a long queue of statements that are each in time fails none of them", async (t) => {
  const { url } = await openTestDatabase(t);
  // An answer may take 3 seconds more than the statement. The queue takes 4.
  const pool = open(t, { url, sharedCount: 1, statementTimeoutMs: 500 });

  const sleeps = Array.from({ length: 20 }, () => pool.query(sql`select pg_sleep(0.2)::text`));

  assert.equal((await Promise.all(sleeps)).length, 20);
});

test("busy shared connections do not end long work", async (t) => {
  const { url } = await openTestDatabase(t);
  const pool = open(t, { url, sharedCount: 1, checkIntervalMs: 200 });

  const busy = pool.query(sql`select pg_sleep(2)::text`);
  const long = pool.transaction((tx) => tx.query(sql`select pg_sleep(2)::text, 1 as one`), {
    statementTimeoutMs: 60_000,
  });

  assert.deepEqual(await long, [{ pg_sleep: "", one: 1 }]);
  await busy;
});

test("a slow statement is not taken for a lost one if the primary is the last of several hosts", async (t) => {
  const { url } = await openTestDatabase(t);
  const severalHosts = url.replace(/@([^/]+)/, "@127.0.0.1:1,127.0.0.1:2,$1");
  const pool = open(t, { url: severalHosts, sharedCount: 1, checkIntervalMs: 200 });

  assert.deepEqual(await pool.query(sql`select pg_sleep(2)::text, 1 as one`), [
    { pg_sleep: "", one: 1 },
  ]);
});

test("an answer that arrived while the process stood still is in time", async (t) => {
  const { url } = await openTestDatabase(t);
  const client = await openClient({
    ...toClientOptions({ url, name: "assay paused" }),
    answerTimeoutMs: 100,
  });
  t.after(() => client.destroy());

  const answer = client.run({ text: "select 1 as one" });
  // The statement is sent, and then nothing of this process runs for longer than the time-out.
  await new Promise(setImmediate);
  const untilMs = performance.now() + 300;
  while (performance.now() < untilMs);

  assert.deepEqual((await answer).rows, [{ one: 1 }]);
});

test("no connection compiles queries, whatever the server's default is", async (t) => {
  const { pool: admin, url } = await openTestDatabase(t);
  const [names] = await admin.query<{ database: string }>(
    sql`select current_database() as database`,
  );
  await admin.script(`alter database ${names?.database} set jit = on`);
  const asked = sql`select current_setting('jit') as jit`;
  const ask = async (db: Pick<DatabasePool, "query">) =>
    (await db.query<{ jit: string }>(asked))[0]?.jit;
  const pool = open(t, { url });
  const name = "assay of one kind";
  const listener = await listen({ url, name, channel: "nothing", onNotify: () => undefined });
  t.after(() => listener.close());

  const found = {
    shared: await ask(pool),
    transaction: await pool.transaction(ask),
    session: await pool.session(ask),
    replica: await ask(open(t, { url, isReadOnly: true })),
    listener: (await listener.query<{ jit: string }>(asked))[0]?.jit,
    copy: await withCopyConnection(url, async ({ copyOut }) => {
      const chunks: Buffer[] = [];
      const rows = copyOut("copy (select current_setting('jit')) to stdout");
      for await (const chunk of rows) chunks.push(chunk);
      return Buffer.concat(chunks).toString().trim();
    }),
  };

  assert.deepEqual([...new Set(Object.values(found))], ["off"], JSON.stringify(found));
});

test("a listener that cannot listen leaves no connection behind", async (t) => {
  const { pool, url } = await openTestDatabase(t);
  const name = "assay failing listener";

  const failing = listen({ url, name, channel: "", onNotify: () => undefined });
  await assert.rejects(failing, { code: "42601" });

  await until(async () => (await countConnections(pool, name)) === 0);
});

test("a connection to a primary that became read-only is not used again", async (t) => {
  const { url } = await openTestDatabase(t);
  const pool = open(t, { url, sharedCount: 1 });
  await pool.script("create table entry (item integer)");
  await pool.script("set default_transaction_read_only = on");

  await assert.rejects(pool.execute(sql`insert into entry values (1)`), { code: "25006" });

  assert.equal(await pool.execute(sql`insert into entry values (1)`), 1);
});

test("a pool that ends refuses callers that wait, and never runs their work", async (t) => {
  const { url } = await openTestDatabase(t);
  const pool = open(t, { url, sessionsMax: 1 });
  let isHeld = false;
  const holder = pool.transaction((tx) => {
    isHeld = true;
    return tx.query(sql`select pg_sleep(1)::text, 1 as one`);
  });
  await until(() => isHeld);
  let isRun = false;
  const waiter = pool.transaction(async () => {
    isRun = true;
  });

  const ended = pool.end();

  await assert.rejects(waiter, /the pool has been closed/);
  assert.deepEqual(await holder, [{ pg_sleep: "", one: 1 }]);
  await ended;
  await assert.rejects(
    pool.transaction(async () => undefined),
    /the pool has been closed/,
  );
  assert.equal(isRun, false);
});

test("two savepoints at once in one transaction are refused", async (t) => {
  const { pool } = await openTestDatabase(t);

  const both = pool.transaction((tx) =>
    Promise.all([
      tx.savepoint((inner) => inner.query(ONE)),
      tx.savepoint((inner) => inner.query(ONE)),
    ]),
  );

  await assert.rejects(both, /a savepoint is open already/);
});

test("a cursor that is not read to its end is closed", async (t) => {
  const { pool } = await openTestDatabase(t);
  const readFirst = async (tx: Parameters<typeof readInChunks>[0], question: Sql) => {
    for await (const rows of readInChunks(tx, question, 2)) return rows;
    return [];
  };

  const both = await pool.transaction(async (tx) => [
    await readFirst(tx, sql`select n from generate_series(1, 9) as n`),
    await readFirst(tx, sql`select n from generate_series(5, 9) as n`),
  ]);

  assert.deepEqual(both, [
    [{ n: 1 }, { n: 2 }],
    [{ n: 5 }, { n: 6 }],
  ]);
});

test("an array with a hole cannot be bound", async (t) => {
  const { pool } = await openTestDatabase(t);
  const items: number[] = [1];
  items[2] = 3;

  await assert.rejects(pool.query(sql`select ${items}::int[] as items`), /cannot be bound/);
});

function open(t: TestContext, options: Omit<PoolOptions, "name">): DatabasePool {
  const pool = openPool({ name: "assay test", ...options });
  t.after(() => pool.end(1_000));
  return pool;
}

async function countConnections(pool: DatabasePool, name: string): Promise<number> {
  const rows = await pool.query(sql`select from pg_stat_activity where application_name = ${name}`);
  return rows.length;
}
