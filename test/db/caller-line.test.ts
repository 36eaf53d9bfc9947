import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { sleep } from "../../src/base/clock.ts";
import { budgetUsedUp } from "../../src/base/shares/caller.ts";
import type { DatabasePool } from "../../src/db/database.ts";
import { openPool } from "../../src/db/pool.ts";
import { sql } from "../../src/db/sql.ts";
import { aCaller } from "../support/api/callers.ts";
import { until } from "../support/test-app.ts";
import { openTestDatabase } from "../support/test-database.ts";

test("a caller with many statements takes half of the connections, and another is served at once", async (t) => {
  const { pool, running } = await openFairPool(t);
  const slow = Array.from({ length: 20 }, () =>
    pool.as(aCaller("a", 2_000)).query(sql`select pg_sleep(30)`),
  );
  const ended = Promise.allSettled(slow);
  await until(async () => (await running("pg_sleep")) === 2);

  const [row] = await pool.as(aCaller("b")).query<{ one: number }>(sql`select 1 as one`);

  assert.equal(row?.one, 1);
  assert.equal(await running("pg_sleep"), 2, "the others of the first caller are not sent");
  await ended;
});

test("a statement is cancelled at its caller's deadline, and the connection serves the next one", async (t) => {
  const { pool, running } = await openFairPool(t);
  const caller = aCaller("a", 300);

  await assert.rejects(pool.as(caller).query(sql`select pg_sleep(30)`), { code: "57014" });

  await until(async () => (await running("pg_sleep")) === 0);
  for (let at = 0; at < 20; at += 1) {
    const [row] = await pool.as(aCaller("a")).query<{ at: number }>(sql`select ${at}::int as at`);
    assert.equal(row?.at, at);
  }
});

test("a statement whose caller gave up before its turn is never sent", async (t) => {
  const { pool } = await openFairPool(t);
  await pool.script("create table sent (name text)");
  const slow = [1, 2].map(() =>
    pool
      .as(aCaller("a", 900))
      .query(sql`select pg_sleep(30)`)
      .catch(() => undefined),
  );
  await sleep(50);

  const late = pool.as(aCaller("a", 100)).execute(sql`insert into sent values ('late')`);

  await assert.rejects(late, { code: "rate_limited" });
  await Promise.all(slow);
  await pool.as(aCaller("a")).execute(sql`insert into sent values ('in time')`);
  assert.deepEqual(await pool.query(sql`select name from sent`), [{ name: "in time" }]);
});

test("what the store works for a caller is counted, and one that has used up its budget leaves the line", async (t) => {
  const { pool } = await openFairPool(t);
  let spentMs = 0;
  const caller = {
    ...aCaller("a"),
    spend: (ms: number) => {
      spentMs += ms;
    },
    findWait: () => (spentMs > 100 ? 7 : undefined),
  };

  const all = await Promise.allSettled(
    Array.from({ length: 10 }, () => pool.as(caller).query(sql`select pg_sleep(0.3)`)),
  );

  const reasons = all.flatMap((one) => (one.status === "rejected" ? [one.reason.message] : []));
  assert.deepEqual(new Set(reasons), new Set([budgetUsedUp(7).message]));
  // The first two, and what began beside the second before it ended.
  assert.ok(reasons.length >= 7, `${reasons.length} were refused`);
  assert.ok(spentMs >= 250, `${spentMs} ms`);
});

test("a transaction ends with its caller, and so does each statement in it", async (t) => {
  const { pool } = await openFairPool(t);
  await pool.script("create table written (name text)");

  await assert.rejects(
    pool.as(aCaller("a", 300)).transaction(async (tx) => {
      await tx.execute(sql`insert into written values ('lost')`);
      await tx.query(sql`select pg_sleep(30)`);
    }),
    { code: "57014" },
  );

  assert.deepEqual(await pool.query(sql`select name from written`), []);
});

async function openFairPool(t: TestContext): Promise<{
  readonly pool: DatabasePool;
  /** How many statements with this text the server works on. */
  running(text: string): Promise<number>;
}> {
  const { pool: own, url } = await openTestDatabase(t);
  const pool = openPool({ url, name: "fair", sharedCount: 4, sessionsMax: 2, isFair: true });
  t.after(() => pool.end());
  return {
    pool,
    running: async (text) => {
      const [row] = await own.query<{ count: number }>(sql`
        select count(*)::int as count
          from pg_stat_activity
         where application_name = 'fair' and state = 'active' and query like ${`%${text}%`}`);
      return row?.count ?? 0;
    },
  };
}
