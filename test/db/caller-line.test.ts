import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { sleep } from "../../src/base/clock.ts";
import { budgetUsedUp } from "../../src/base/shares/caller.ts";
import { createCallerLine } from "../../src/db/caller-line.ts";
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

test("a late statement behind others is cancelled in its turn, and the others are done once", async (t) => {
  const { pool } = await openFairPool(t);
  await pool.script("create table done (name text)");
  const add = (name: string) => sql`insert into done values (${name})`;
  const own = pool.as(aCaller("a"));

  const outcomes = await Promise.allSettled([
    ...Array.from({ length: 20 }, () => own.execute(add("quick"))),
    own.query(sql`select pg_sleep(0.5)`),
    own.query(sql`select pg_sleep(0.5)`),
    pool.as(aCaller("a", 200)).query(sql`select pg_sleep(30)`),
    pool.as(aCaller("a", 200)).query(sql`select pg_sleep(30)`),
    ...Array.from({ length: 20 }, () => own.execute(add("later"))),
  ]);

  const failed = outcomes.flatMap((one, at) => (one.status === "rejected" ? [at] : []));
  assert.deepEqual(failed, [22, 23]);
  assert.deepEqual(
    await pool.query(sql`select name, count(*)::int as count from done group by 1 order by 1`),
    [
      { name: "later", count: 20 },
      { name: "quick", count: 20 },
    ],
  );
});

test("one caller's quick statements share connections, up to eight on each, until somebody else waits", async () => {
  const line = createCallerLine(4, "reads");
  const sent = new Map<number, string[]>();
  const seen: { readonly key: string; readonly keys: readonly string[] }[] = [];
  const ask = (key: string) =>
    line.run(
      aCaller(key),
      async (_untilMs, lane = -1) => {
        const own = [...(sent.get(lane) ?? []), key];
        sent.set(lane, own);
        seen.push({ key, keys: own });
        await new Promise((resolve) => setImmediate(resolve));
        sent.set(lane, (sent.get(lane) ?? []).slice(1));
      },
      () => true,
    );

  await Promise.all(Array.from({ length: 100 }, () => ask("a")));
  const alone = seen.splice(0);
  await Promise.all([...Array.from({ length: 30 }, () => ["a", "b", "c"].map(ask))].flat());

  assert.equal(Math.max(...alone.map(({ keys }) => keys.length)), 8);
  assert.equal(new Set(alone.map(({ key }) => key)).size, 1);
  assert.ok(
    seen.every(({ key, keys }) => keys.every((other) => other === key)),
    "a connection works for one caller at a time",
  );
  assert.ok(seen.slice(0, 60).every(({ keys }) => keys.length <= 2));
});

test("slow statements of a caller, and those with long answers, are sent one at a time", async () => {
  const line = createCallerLine(4, "reads");
  for (const [tookMs, isShort] of [
    [20, true],
    [1, false],
  ] as const) {
    let most = 0;
    let sentCount = 0;
    const work = async () => {
      sentCount += 1;
      most = Math.max(most, sentCount);
      await sleep(tookMs);
      sentCount -= 1;
    };

    await Promise.all(
      Array.from({ length: 12 }, () => line.run(aCaller("a"), work, () => isShort)),
    );

    assert.equal(most, 2);
  }
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
