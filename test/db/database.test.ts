import assert from "node:assert/strict";
import { test } from "node:test";
import { checkServer } from "../../src/db/check-server.ts";
import { openPool } from "../../src/db/pool.ts";
import { dropNulls } from "../../src/db/row.ts";
import { sql } from "../../src/db/sql.ts";
import { isStoreDown } from "../../src/db/store-error.ts";
import { openTestDatabase } from "../support/test-database.ts";

test("bigint and count(*) come as numbers, and what a number cannot hold is refused", async (t) => {
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

test("a bigint parameter goes both ways", async (t) => {
  const { pool } = await openTestDatabase(t);

  const [row] = await pool.query(
    sql`select ${1_787_217_390_500}::bigint as at_ms, ${[1, 2]}::bigint[] as list`,
  );

  assert.equal(row?.["at_ms"], 1_787_217_390_500);
  assert.deepEqual(row?.["list"], [1, 2]);
});

test("a server that may lose what it acknowledged is refused unless that is allowed", async (t) => {
  const { pool, url } = await openTestDatabase(t);
  await pool.script(
    `alter database ${new URL(url).pathname.slice(1)} set synchronous_commit = off`,
  );
  const careless = openPool({ url, name: "assay test" });
  t.after(() => careless.end());

  await checkServer(pool, { isUnsafeStoreAllowed: false });
  await assert.rejects(
    checkServer(careless, { isUnsafeStoreAllowed: false }),
    /synchronous_commit off.*ASSAY_ALLOW_UNSAFE_STORE/,
  );
  await checkServer(careless, { isUnsafeStoreAllowed: true });
});

test("the embedded store runs with fsync, full pages and checksums", async (t) => {
  const { pool } = await openTestDatabase(t);

  const rows = await pool.query(sql`
    select name, setting from pg_settings
     where name in ('fsync', 'synchronous_commit', 'full_page_writes', 'data_checksums') order by name`);

  assert.deepEqual(
    rows.map((row) => row["setting"]),
    ["on", "on", "on", "on"],
  );
});

test("a store that is gone is told apart from a query that is wrong", async (t) => {
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

test("a row's nulls are left out, and nothing else is", () => {
  assert.deepEqual(dropNulls({ a: null, b: 0, c: false, d: "" }), { b: 0, c: false, d: "" });
});
