import assert from "node:assert/strict";
import { test } from "node:test";
import type { Database } from "../../src/db/database.ts";
import { checkServer } from "../../src/db/open-store.ts";
import { openPool } from "../../src/db/pool.ts";
import { dropNulls } from "../../src/db/row.ts";
import { rawSql, sql } from "../../src/db/sql.ts";
import { isItemFault, isStoreDown, RolledBackError } from "../../src/db/store-error.ts";
import { aServedDataDir } from "../support/run-assay.ts";
import { openTestDatabase } from "../support/test-database.ts";

test("bigint and count(*) are returned as numbers, and a value that a number cannot hold is an error", async (t) => {
  const { pool } = await openTestDatabase(t);

  const [row] = await pool.query(
    sql`select 9007199254740991::bigint as big, count(*) as count from pg_class`,
  );

  assert.equal(row?.["big"], Number.MAX_SAFE_INTEGER);
  assert.equal(typeof row?.["count"], "number");
  await assert.rejects(
    async () => await pool.query(sql`select 9007199254740993::bigint`),
    /beyond 2\^53/,
  );
});

test("a bigint parameter is returned unchanged", async (t) => {
  const { pool } = await openTestDatabase(t);

  const [row] = await pool.query(
    sql`select ${1_787_217_390_500}::bigint as at_ms, ${[1, 2]}::bigint[] as list`,
  );

  assert.equal(row?.["at_ms"], 1_787_217_390_500);
  assert.deepEqual(row?.["list"], [1, 2]);
});

test("a server that may lose acknowledged commits is refused unless that is allowed", async (t) => {
  const { server } = await aServedDataDir(t);
  const url = server.setUpUrl("postgres");
  const pool = openPool({ url, name: "assay test" });
  t.after(() => pool.end());
  await pool.script("alter database postgres set synchronous_commit = off");
  const careless = openPool({ url, name: "assay test" });
  t.after(() => careless.end());

  await checkServer(pool, { isUnsafeStoreAllowed: false });
  await assert.rejects(
    checkServer(careless, { isUnsafeStoreAllowed: false }),
    /synchronous_commit off.*ASSAY_ALLOW_UNSAFE_STORE/,
  );
  await checkServer(careless, { isUnsafeStoreAllowed: true });
});

test("a lost store and a wrong query are different errors", async (t) => {
  const { pool } = await openTestDatabase(t);
  const gone = openPool({ url: "postgres://a:b@127.0.0.1:1/x", name: "test" });
  t.after(() => gone.end());

  const refused = await gone.query(sql`select 1`).catch((error: unknown) => error);
  const wrong = await pool.query(sql`select no_such_column`).catch((error: unknown) => error);
  const slow = await pool
    .transaction(async (tx) => {
      await tx.execute(sql`set local statement_timeout = 20`);
      await tx.execute(sql`select pg_sleep(5)`);
    })
    .catch((error: unknown) => error);
  const ended = await pool
    .query(sql`select pg_terminate_backend(pg_backend_pid())`)
    .catch((e: unknown) => e);

  assert.deepEqual([refused, wrong, slow, ended].map(isStoreDown), [true, false, true, true]);
});

test("a transaction's handle rejects after its end", async (t) => {
  const { pool } = await openTestDatabase(t);
  const kept: Database[] = [];

  await pool.transaction(async (tx) => {
    kept.push(tx);
    await tx.savepoint(async (inner) => {
      kept.push(inner);
    });
    await assert.rejects(async () => kept[1]?.query(sql`select 1`), /is over/);
  });
  await pool.session(async (session) => {
    kept.push(session);
  });

  for (const handle of kept) {
    await assert.rejects(handle.query(sql`select 1`), /is over/);
    await assert.rejects(handle.script("select 1"), /is over/);
  }
});

test("a commit that the server answers with a rollback is an error", async (t) => {
  const { pool } = await openTestDatabase(t);
  await pool.script("create table entry (item integer not null)");

  const swallowed = pool.transaction(async (tx) => {
    await tx.execute(sql`insert into entry (item) values (1)`);
    await tx.query(sql`select 1 / 0`).catch(() => undefined);
    return "done";
  });

  await assert.rejects(swallowed, RolledBackError);
  assert.deepEqual(await pool.query(sql`select item from entry`), []);
});

test("of statements that were sent together, the error is that of the one that failed", async (t) => {
  const { pool } = await openTestDatabase(t);
  const slowly = async (depth: number, run: () => Promise<unknown>): Promise<void> => {
    await (depth === 0 ? run() : slowly(depth - 1, run));
  };
  const code = (error: unknown) => (error as { code?: unknown }).code;
  const failing = pool.transaction(async (tx) => {
    const sent = Promise.all([
      slowly(10, () => tx.execute(sql`select 1 / 0`)),
      tx.execute(sql`select 1`),
      tx.execute(sql`select 2`),
    ]);
    await new Promise((settle) => setImmediate(settle));
    // Nothing is read meanwhile, so the answers are read at once.
    const untilMs = performance.now() + 200;
    while (performance.now() < untilMs);
    await sent;
  });

  await assert.rejects(failing, (error) => code(error) === "22012");
  await pool.transaction(async (tx) => {
    await assert.rejects(
      tx.savepoint((inner) => inner.execute(sql`select 1 / 0`)),
      (error) => code(error) === "22012",
    );
    await tx.execute(sql`select 1`);
    await assert.rejects(
      tx.savepoint((inner) => inner.execute(sql`select 'x'::integer`)),
      (error) => code(error) === "22P02",
    );
  });
});

test("the first error of a transaction is reported, even if the rollback fails", async (t) => {
  const { pool } = await openTestDatabase(t);

  const failed = pool.transaction(async (tx) => {
    await tx
      .query(sql`select pg_terminate_backend(pg_backend_pid())`)
      .catch((error: unknown) => assert.ok(isStoreDown(error)));
    throw new Error("the first");
  });

  await assert.rejects(failed, /^Error: the first$/);
  assert.deepEqual(await pool.transaction((tx) => tx.query(sql`select 1 as one`)), [{ one: 1 }]);
});

test("only the failed savepoint is rolled back", async (t) => {
  const { pool } = await openTestDatabase(t);
  await pool.script("create table entry (item integer primary key)");

  await pool.transaction(async (tx) => {
    await tx.execute(sql`insert into entry (item) values (1)`);
    const inner = tx.savepoint(async (inside) => {
      await inside.execute(sql`insert into entry (item) values (2)`);
      await inside.execute(sql`insert into entry (item) values (1)`);
    });
    await assert.rejects(inner, isItemFault);
    await tx.savepoint((inside) => inside.execute(sql`insert into entry (item) values (3)`));
  });

  const rows = await pool.query(sql`select item from entry order by item`);
  assert.deepEqual(rows, [{ item: 1 }, { item: 3 }]);
});

test("a value that cannot be bound is an error, and the statement works afterwards", async (t) => {
  const { pool } = await openTestDatabase(t);
  const ask = (value: unknown) => pool.query(sql`select ${value}::text as given`);
  const circular: unknown[] = [];
  circular.push(circular);

  for (const value of [
    undefined,
    { a: 1 },
    [undefined],
    Symbol("x"),
    () => 1,
    [{ a: 1 }],
    circular,
  ]) {
    await assert.rejects(ask(value), TypeError);
  }

  assert.deepEqual(await ask("x"), [{ given: "x" }]);
  assert.deepEqual(await ask(null), [{ given: null }]);
});

test("a fragment runs nothing by itself, and its values stay bound wherever it is nested", async (t) => {
  const { pool } = await openTestDatabase(t);
  await pool.script("create table entry (item text not null)");
  const text = "'); drop table entry; --";

  const insert = sql`insert into entry (item) select ${text}`;
  await Promise.resolve(insert);
  const before = await pool.query(sql`select item from entry`);
  const inserted = await pool.query(
    sql`with added as (${insert} returning item) select item from added`,
  );

  assert.deepEqual(before, []);
  assert.deepEqual(inserted, [{ item: text }]);
  assert.equal(await pool.execute(sql`delete from entry where item = ${text}`), 1);
});

test("only statements whose text is fixed get a name on the server", async (t) => {
  const { url } = await openTestDatabase(t);
  const pool = openPool({ url, name: "assay test", sharedCount: 1 });
  t.after(() => pool.end());

  for (let at = 0; at < 5; at += 1) {
    await pool.query(sql`select ${at}::int as fixed`);
    await pool.query(sql`select ${rawSql(String(at))} as changing`, { isStatic: false });
  }

  const named = await pool.query(
    sql`select statement from pg_prepared_statements where statement ~ 'fixed$|changing$'`,
  );
  assert.deepEqual(named, [{ statement: "select $1::int as fixed" }]);
});

test("a statement whose result type changed with the schema is prepared again", async (t) => {
  const { pool, url } = await openTestDatabase(t);
  await pool.script("create table entry (item integer not null); insert into entry values (1)");
  const other = openPool({ url, name: "assay test", sharedCount: 1 });
  t.after(() => other.end());
  const ask = (db: Database) => db.query(sql`select * from entry`);
  await ask(other);
  await other.transaction(ask);

  await pool.script("alter table entry add column more text");

  assert.deepEqual(await ask(other), [{ item: 1, more: null }]);
  await assert.rejects(other.transaction(ask), /cached plan/);
  assert.deepEqual(await other.transaction(ask), [{ item: 1, more: null }]);
});

test("only the nulls of a row are left out", () => {
  assert.deepEqual(dropNulls({ a: null, b: 0, c: false, d: "" }), { b: 0, c: false, d: "" });
});
