import assert from "node:assert/strict";
import { test } from "node:test";
import { sleep, withDeadline } from "../../src/base/clock.ts";
import { listen } from "../../src/db/changes.ts";
import { type Database, type DatabasePool, readInChunks } from "../../src/db/database.ts";
import { openPool } from "../../src/db/pool.ts";
import { rawSql, sql } from "../../src/db/sql.ts";
import { isStoreDown } from "../../src/db/store-error.ts";
import { openFaultyNetwork } from "../support/faults/faulty-network.ts";
import { until } from "../support/test-app.ts";
import { openTestDatabase } from "../support/test-database.ts";

const IS_LONG = process.env["ASSAY_TEST_LONG"] !== undefined;
const CUTS = IS_LONG ? 500 : 25;
const ROUNDS = IS_LONG ? 500 : 30;
const name = "assay test";

/** Fails after hundreds of rows were sent: the division is evaluated row by row. */
const FAILS_AMID_ROWS = sql`select 1 / (700 - n) as own, repeat('x', 200) as filler from generate_series(1, 1000) as n`;

/** Sends rows until the server cancels it. */
const TIMES_OUT_AMID_ROWS = sql`
  select n, repeat('x', 1000) as filler from generate_series(1, 100000000) as n`;

test("after a statement that fails in the middle of its rows, the next result on the connection is complete", async (t) => {
  const { url } = await openTestDatabase(t);
  // Long enough for the statements behind it, even if the machine stands still for a moment.
  const pool = openPool({ url, name, sharedCount: 1, statementTimeoutMs: 1_000 });
  t.after(() => pool.end());

  for (let round = 0; round < ROUNDS; round += 1) {
    const fails = round % 30 === 0 ? TIMES_OUT_AMID_ROWS : FAILS_AMID_ROWS;
    const isExpected = round % 30 === 0 ? isStatementTimeout : isDivisionByZero;
    // Queued behind it on the same connection, and sent after it.
    const [failed, ...behind] = await Promise.allSettled([
      pool.query(fails),
      pool.query(sql`select ${round}::int as own`),
      pool.query(sql`select n from generate_series(1, 5) as n`),
    ]);
    const after = await pool.query(sql`select ${round}::int as own`);

    assert.ok(failed.status === "rejected" && isExpected(failed.reason));
    assert.deepEqual(
      behind.map((answer) => answer.status === "fulfilled" && answer.value),
      [[{ own: round }], [1, 2, 3, 4, 5].map((n) => ({ n }))],
    );
    assert.deepEqual(after, [{ own: round }]);
  }
});

type Mode = (pool: DatabasePool) => Promise<void>;

let lastNumber = 0;
const nextNumber = (): number => {
  lastNumber += 1;
  return lastNumber;
};

/** Every way in which the program uses the store. Each checks that the result belongs to its query. */
const MODES: Readonly<Record<string, Mode>> = {
  plain: (pool) => askOwn(pool),
  "plain, amid failures": async (pool) => {
    const [failed, answered] = await Promise.allSettled([
      pool.query(FAILS_AMID_ROWS),
      askOwn(pool),
    ]);
    assert.ok(failed.status === "rejected");
    if (!isDivisionByZero(failed.reason)) throw failed.reason;
    if (answered.status === "rejected") throw answered.reason;
  },
  "many rows": async (pool) => {
    const rows = await pool.query<{ n: number }>(sql`select n from generate_series(1, 2000) as n`);
    assert.deepEqual(
      rows,
      Array.from({ length: 2000 }, (_, at) => ({ n: at + 1 })),
    );
  },
  "new statements": async (pool) => {
    const own = nextNumber();
    const [row] = await pool.query(sql`select ${own}::int as ${rawSql(`n${own}`)}`, {
      isStatic: false,
    });
    assert.equal(row?.[`n${own}`], own);
  },
  transaction: (pool) =>
    pool.transaction(async (tx) => {
      await Promise.all([askOwn(tx), askOwn(tx), askOwn(tx)]);
      await tx.savepoint(async (inner) => {
        await askOwn(inner);
      });
      await askOwn(tx);
    }),
  "failed savepoint": (pool) =>
    pool.transaction(async (tx) => {
      await assertRejects(
        tx.savepoint((inner) => inner.query(FAILS_AMID_ROWS)),
        isDivisionByZero,
      );
      await askOwn(tx);
    }),
  cursor: (pool) =>
    pool.transaction(async (tx) => {
      const seen: number[] = [];
      const question = sql`select n from generate_series(1, 250) as n`;
      for await (const rows of readInChunks<{ n: number }>(tx, question, 100)) {
        seen.push(...rows.map(({ n }) => n));
      }
      assert.deepEqual(
        seen,
        Array.from({ length: 250 }, (_, at) => at + 1),
      );
    }),
  session: (pool) =>
    pool.session(async (session) => {
      await Promise.all([askOwn(session), askOwn(session)]);
    }),
};

for (const isSplit of [false, true]) {
  const how = isSplit ? "split packets" : "whole packets";
  test(`every query gets its own result or an error, however connections are cut (${how})`, {
    timeout: 300_000,
  }, async (t) => {
    const { pool: admin, url } = await openTestDatabase(t);
    const network = await openFaultyNetwork(t, url, { isSplit });
    // Every second pool has several hosts.
    const choice = network.url.replace(/@([^/]+)/, "@$1,$1");
    const pools = [network.url, choice].map((to) =>
      openPool({ url: to, name: "assay victim", sharedCount: 2, sessionsMax: 2 }),
    );
    const work = startWork(pools);
    const rejections = watchRejections(t);

    for (let cutCount = 0; cutCount < CUTS * Object.keys(MODES).length; ) {
      // However busy the machine is, queries of every kind succeed between the cuts.
      if (Math.random() < 0.05) await work.progress();
      await sleep(2 + Math.random() * 15);
      cutCount += network.cut(() => Math.random() < 0.5);
      // The server can end a connection too, with a message.
      const ended = await admin.query(sql`
        select pg_terminate_backend(pid) from pg_stat_activity
         where application_name = 'assay victim' and datname = current_database() and random() < 0.2`);
      cutCount += ended.length;
    }
    await work.progress();
    await work.stop();

    assert.deepEqual(rejections, []);
    // No connection is lost for good: as many transactions as before can run at once.
    for (const pool of pools) {
      await Promise.all([1, 2].map(() => pool.transaction(async (tx) => askOwn(tx))));
      await pool.end();
    }
  });
}

test("a transaction whose connection is cut leaves all of its changes or none", {
  timeout: 120_000,
}, async (t) => {
  const { pool: admin, url } = await openTestDatabase(t);
  await admin.script("create table entry (batch integer not null, item integer not null)");
  const network = await openFaultyNetwork(t, url);
  const pool = openPool({ url: network.url, name, sessionsMax: 4 });
  t.after(() => pool.end());
  let isRunning = true;
  let doneCount = 0;
  const write = async (): Promise<void> => {
    while (isRunning) {
      const batch = nextNumber();
      const insert = (tx: Database, item: number) =>
        tx.execute(sql`insert into entry (batch, item) values (${batch}, ${item})`);
      await pool
        .transaction(async (tx) => {
          await Promise.all([1, 2, 3].map((item) => insert(tx, item)));
          await insert(tx, 4);
        })
        .then(() => {
          doneCount += 1;
        })
        .catch((error: unknown) => assert.ok(isStoreDown(error), String(error)));
    }
  };
  const writing = [write(), write(), write(), write()];

  for (let cutCount = 0, turn = 0; cutCount < CUTS * 3; turn += 1) {
    // However busy the machine is, some transactions are committed between the cuts.
    const wantedCount = doneCount + (turn % 20 === 0 ? 1 : 0);
    await until(() => doneCount >= wantedCount);
    await sleep(Math.random() * 10);
    cutCount += network.cut(() => Math.random() < 0.7);
  }
  isRunning = false;
  await Promise.all(writing);

  const parts = await admin.query(sql`select batch from entry group by batch having count(*) <> 4`);
  const [row] = await admin.query<{ count: number }>(sql`select count(*) as count from entry`);
  assert.deepEqual(parts, []);
  assert.ok((row?.count ?? 0) > 0);
});

test("every kind of query fails in time if the server stops answering", {
  timeout: 60_000,
}, async (t) => {
  const { url } = await openTestDatabase(t);
  const network = await openFaultyNetwork(t, url);
  const pool = openPool({ url: network.url, name, statementTimeoutMs: 200 });
  t.after(() => pool.end(0));
  await askOwn(pool);
  await pool.transaction(askOwn);

  network.fallSilent();
  const asked = [
    askOwn(pool),
    pool.transaction(askOwn),
    pool.session(askOwn),
    // On a connection that has to be opened first.
    openPool({ url: network.url, name, statementTimeoutMs: 200 }).query(sql`select 1`),
  ];
  const answers = await Promise.allSettled(
    asked.map((answer) => withDeadline<unknown>(answer, 20_000)),
  );
  network.speak();

  for (const answer of answers) {
    assert.ok(answer.status === "rejected" && isStoreDown(answer.reason), JSON.stringify(answer));
    assert.notEqual((answer.reason as { code?: string }).code, "ETIMEDOUT");
  }
  await until(() =>
    askOwn(pool).then(
      () => true,
      () => false,
    ),
  );
  await pool.transaction(askOwn);
});

test("a listener detects a cut and a silent server with its next check", {
  timeout: 60_000,
}, async (t) => {
  const { pool, url } = await openTestDatabase(t);
  const network = await openFaultyNetwork(t, url);
  const heard: string[] = [];
  const open = () =>
    listen({
      url: network.url,
      name,
      statementTimeoutMs: 200,
      channel: "test_channel",
      onNotify: (payload) => heard.push(payload),
    });
  const first = await open();
  await pool.script("notify test_channel, 'one'");
  // The result arrives after every notification that was sent before the query.
  await first.query(sql`select 1`);
  assert.deepEqual(heard, ["one"]);

  network.cut();
  await assertRejects(first.query(sql`select 1`), isStoreDown);
  const second = await open();
  network.fallSilent();
  await assertRejects(second.query(sql`select 1`), isStoreDown);
  network.speak();
  const third = await open();
  await pool.script("notify test_channel, 'two'");
  await third.query(sql`select 1`);
  third.close();

  assert.deepEqual(heard, ["one", "two"]);
});

test("refused attempts take no connection from later ones", {
  timeout: 60_000,
}, async (t) => {
  const { url } = await openTestDatabase(t);
  const network = await openFaultyNetwork(t, url);
  await network.close();
  const pool = openPool({ url: network.url, name, sessionsMax: 2 });
  t.after(() => pool.end());
  for (let at = 0; at < 5; at += 1) await assertRejects(pool.transaction(askOwn), isStoreDown);

  await network.open();
  await Promise.all(
    [1, 2].map(() =>
      pool.transaction(async (tx) => {
        await askOwn(tx);
        await sleep(50);
      }),
    ),
  );
});

test("long work fails when its server vanishes, and not before", {
  timeout: 60_000,
}, async (t) => {
  const { url } = await openTestDatabase(t);
  const network = await openFaultyNetwork(t, url);
  const pool = openPool({ url: network.url, name, statementTimeoutMs: 100, checkIntervalMs: 200 });
  t.after(() => pool.end(0));
  const long = { statementTimeoutMs: 600_000 };

  await pool.transaction((tx) => tx.execute(sql`select pg_sleep(1.5)`), long);
  const doomed = pool.transaction((tx) => tx.execute(sql`select pg_sleep(60)`), long);
  await sleep(300);
  network.fallSilent();

  await assertRejects(withDeadline<unknown>(doomed, 20_000), isStoreDown);
  network.speak();
  await until(() =>
    pool.transaction(askOwn, long).then(
      () => true,
      () => false,
    ),
  );
});

test("a pool ends in time even if queries are running and the server is silent", async (t) => {
  const { url } = await openTestDatabase(t);
  const network = await openFaultyNetwork(t, url);
  const pool = openPool({ url: network.url, name });
  await askOwn(pool);
  const working = pool.transaction(async (tx) => {
    await askOwn(tx);
    network.fallSilent();
    await askOwn(tx);
  });
  const failed = assertRejects(working, isStoreDown);
  await sleep(50);

  await withDeadline(pool.end(300), 5_000);

  await failed;
  await assertRejects(pool.query(sql`select 1`), isStoreDown);
});

async function askOwn(db: Database): Promise<void> {
  const own = nextNumber();
  const [row, ...more] = await db.query<{ own: number }>(sql`
    select ${own}::int as own, pg_sleep(0.0005)::text as slept`);
  assert.equal(row?.own, own);
  assert.equal(more.length, 0);
}

/** Runs every mode at once on every pool, repeatedly. Only a lost connection is an allowed failure. */
function startWork(pools: readonly DatabasePool[]) {
  const doneCounts = new Map(Object.keys(MODES).map((mode) => [mode, 0]));
  let isRunning = true;
  const repeat = async (pool: DatabasePool, mode: string, deed: Mode): Promise<void> => {
    while (isRunning) {
      try {
        await withDeadline(deed(pool), 60_000);
        doneCounts.set(mode, (doneCounts.get(mode) ?? 0) + 1);
      } catch (error) {
        const isUnanswered = (error as { code?: string }).code === "ETIMEDOUT";
        assert.ok(isStoreDown(error) && !isUnanswered, `${mode}: ${String(error)}`);
        await sleep(1);
      }
    }
  };
  const working = pools.flatMap((pool) =>
    Object.entries(MODES).map(([mode, deed]) => repeat(pool, mode, deed)),
  );
  return {
    /** Resolves when every mode has succeeded once more. */
    progress: async () => {
      const before = new Map(doneCounts);
      const isDone = () =>
        [...doneCounts].every(([mode, count]) => count > (before.get(mode) ?? 0));
      await until(isDone, 100_000);
    },
    stop: async () => {
      isRunning = false;
      await Promise.all(working);
    },
  };
}

function watchRejections(t: { after(fn: () => void): void }): readonly unknown[] {
  const seen: unknown[] = [];
  const note = (reason: unknown) => void seen.push(reason);
  process.on("unhandledRejection", note);
  t.after(() => void process.off("unhandledRejection", note));
  return seen;
}

async function assertRejects(
  answer: Promise<unknown>,
  isExpected: (error: unknown) => boolean,
): Promise<void> {
  const error: unknown = await answer.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error !== undefined && isStoreDown(error) && !isExpected(error)) throw error;
  assert.ok(error !== undefined && isExpected(error), String(error));
}

function isDivisionByZero(error: unknown): boolean {
  return (error as { code?: unknown }).code === "22012";
}

function isStatementTimeout(error: unknown): boolean {
  return (error as { code?: unknown }).code === "57014";
}
