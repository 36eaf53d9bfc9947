import assert from "node:assert/strict";
import { once } from "node:events";
import { type AddressInfo, connect, createServer } from "node:net";
import { test } from "node:test";
import { sleep } from "../../src/base/sleep.ts";
import { type DatabasePool, isStoreDown, openPool } from "../../src/db/database.ts";
import { until } from "../support/test-app.ts";
import { openTestDatabase } from "../support/test-database.ts";

const CUTS = process.env["ASSAY_TEST_LONG"] === undefined ? 150 : 3_000;
const POOLS = 6;

/** What was asked and has not been answered yet, by what it was. */
type Open = Map<number, string>;

test("whatever is cut at whatever moment, every question gets its own answer or an error", {
  timeout: 300_000,
}, async (t) => {
  const { pool: admin, url } = await openTestDatabase(t);
  const open: Open = new Map();
  // Every second one has a choice of hosts.
  const choice = url.replace(/@([^/]+)/, "@$1,$1");
  const pools = Array.from({ length: POOLS }, (_, at) =>
    openPool({ url: at % 2 === 0 ? url : choice, connectionsMax: 2, name: "assay victim" }),
  );
  t.after(() => Promise.all(pools.map((pool) => pool.end({ timeout: 1 }))));
  let isRunning = true;
  const work = async (deed: () => Promise<void>): Promise<number> => {
    let doneCount = 0;
    while (isRunning) {
      try {
        await deed();
        doneCount += 1;
      } catch (error) {
        // Also what a transaction says whose connection is lost before its end.
        assert.ok(isStoreDown(error), String(error));
      }
    }
    return doneCount;
  };
  const working = pools.flatMap((pool) => [
    work(() => transact(pool, open)),
    work(() => transact(pool, open)),
    work(() => askPlainly(pool, open)),
    work(() => askAlone(pool, open)),
  ]);

  let cutCount = 0;
  while (cutCount < CUTS) {
    await sleep(5 + Math.random() * 20);
    const cut = await admin`
      select pg_terminate_backend(pid) from pg_stat_activity
       where application_name = 'assay victim' and datname = current_database() and random() < 0.5
         and (state <> 'idle' or random() < 0.1)`;
    cutCount += cut.length;
  }
  isRunning = false;
  await until(() => open.size === 0).catch(() => undefined);

  assert.deepEqual([...open.values()], []);
  const done = await Promise.all(working);
  assert.ok(done.reduce((sum, count) => sum + count, 0) > 0);
});

test("who could not have a connection of his own takes none from those who ask later", {
  timeout: 60_000,
}, async (t) => {
  const { url } = await openTestDatabase(t);
  const server = new URL(url);
  const { port, hostname } = server;
  const gate = createServer((socket) => {
    const inner = connect(Number(port), hostname);
    for (const [from, to] of [
      [socket, inner],
      [inner, socket],
    ] as const) {
      from.on("error", () => to.destroy());
      from.pipe(to);
    }
  });
  gate.listen(0, "127.0.0.1");
  await once(gate, "listening");
  const gatePort = (gate.address() as AddressInfo).port;
  gate.close();
  server.port = String(gatePort);
  const pool = openPool({ url: server.href, connectionsMax: 2, name: "assay test" });
  t.after(async () => {
    await pool.end({ timeout: 1 });
    gate.close();
  });
  for (let at = 0; at < 3; at += 1) await assert.rejects(pool.reserve(), isStoreDown);

  gate.listen(gatePort, "127.0.0.1");
  await until(async () => {
    const [row] = await pool<{ one: number }[]>`select 1 as one`.catch(() => []);
    return row?.one === 1;
  });

  // Both of them can be had at once.
  const connections = [await pool.reserve(), await pool.reserve()];
  for (const connection of connections) {
    const [row] = await connection<{ one: number }[]>`select 1 as one`;
    assert.equal(row?.one, 1);
    connection.release();
  }
});

let lastNumber = 0;

/** Several statements at once, none of them prepared before, so that some wait within the driver. */
async function transact(pool: DatabasePool, open: Open): Promise<void> {
  await watch(
    open,
    "transaction",
    pool.begin(async (tx) => {
      lastNumber += 1;
      const name = `n${lastNumber}`;
      const answers = Array.from({ length: 5 }, async (_, at) => {
        const [row] = await watch(
          open,
          "statement",
          tx.unsafe(`select $1::int as ${name}, pg_sleep(0.0005)`, [at]).execute(),
        );
        assert.equal(row?.[name], at);
      });
      for (const answer of await Promise.allSettled(answers))
        if (answer.status === "rejected") throw answer.reason;
      await tx.savepoint(async (inner) => {
        await watch(open, "savepoint", inner`select pg_sleep(0.001)`.execute());
      });
    }),
  );
}

async function askPlainly(pool: DatabasePool, open: Open): Promise<void> {
  lastNumber += 1;
  const asked = lastNumber;
  const [row] = await watch(
    open,
    "plain",
    pool<{ own: number }[]>`select ${asked}::int as own, pg_sleep(0.0005)`.execute(),
  );
  assert.equal(row?.own, asked);
}

async function askAlone(pool: DatabasePool, open: Open): Promise<void> {
  const connection = await watch(open, "reservation", pool.reserve());
  try {
    const answers = await Promise.allSettled(
      [1, 2, 3].map((own) =>
        watch(open, "reserved", connection<{ own: number }[]>`select ${own}::int as own`.execute()),
      ),
    );
    for (const [at, answer] of answers.entries()) {
      if (answer.status === "rejected") throw answer.reason;
      assert.equal(answer.value[0]?.own, at + 1);
    }
  } finally {
    connection.release();
  }
}

function watch<Answer>(open: Open, what: string, answer: PromiseLike<Answer>): Promise<Answer> {
  lastNumber += 1;
  const number = lastNumber;
  open.set(number, what);
  return Promise.resolve(answer).finally(() => open.delete(number));
}
