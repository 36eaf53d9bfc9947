import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { DAY_MS } from "../../src/base/clock.ts";
import type { Database } from "../../src/db/database.ts";
import { sql } from "../../src/db/sql.ts";
import {
  eraseActivity,
  listActivity,
  recordActivity,
  removeOldActivity,
} from "../../src/people/activity-store.ts";
import { borrowTestDatabase } from "../support/shared-store.ts";
import { NOW_MS } from "../support/test-app.ts";

async function record(db: Database, name: string, nowMs = NOW_MS, contactId?: string) {
  const object = { kind: "listing", id: randomUUID(), name } as const;
  const entry = { action: "corrected", object, after: { year: 2021 }, contactId } as const;
  await recordActivity(db, { name: "test", nowMs }, [entry]);
}

async function namesOf(db: Database): Promise<readonly (string | null)[]> {
  return (await listActivity(db, { limit: 100 })).map(({ object_name }) => object_name);
}

test("rows leave after two years, by the newest row if the clock is ahead", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  await record(pool, "old", NOW_MS - 731 * DAY_MS);
  await record(pool, "kept", NOW_MS - 729 * DAY_MS);
  await record(pool, "new");

  const byWrongClock = await removeOldActivity(pool, NOW_MS + 3_650 * DAY_MS);
  const again = await removeOldActivity(pool, NOW_MS);

  assert.deepEqual([byWrongClock, again], [1, 0]);
  assert.deepEqual(await namesOf(pool), ["new", "kept"]);
});

test("the log has a bound, and the oldest rows leave", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  for (const name of ["a", "b", "c", "d"]) await record(pool, name);

  await removeOldActivity(pool, NOW_MS, { rowsMax: 2 });

  assert.deepEqual(await namesOf(pool), ["d", "c"]);
});

test("an erasure deletes what is about the contact, and nothing else", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  const [his, hers] = [randomUUID(), randomUUID()];
  await record(pool, "his", NOW_MS, his);
  await record(pool, "hers", NOW_MS, hers);
  await record(pool, "nobody's");

  await eraseActivity(pool, [his]);

  assert.deepEqual(await namesOf(pool), ["nobody's", "hers"]);
});

test("a write that fails leaves no row, and one write of many objects leaves one for each", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  const entries = Array.from({ length: 1_200 }, () => {
    return { action: "erased", object: { kind: "person", id: randomUUID() } } as const;
  });

  await assert.rejects(
    pool.transaction(async (tx) => {
      await record(tx, "lost");
      throw new Error("the write fails");
    }),
  );
  await recordActivity(pool, { name: "test", nowMs: NOW_MS }, entries);

  const [count] = await pool.query<{ count: number }>(sql`select count(*) as count from activity`);
  assert.equal(count?.count, 1_200);
  assert.ok(!(await namesOf(pool)).includes("lost"));
});

test("a page walk visits every row once, also those of one millisecond", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  for (let at = 0; at < 9; at += 1) await record(pool, String(at), NOW_MS + Math.floor(at / 4));
  const seen: (string | null)[] = [];
  let after: { atMs: number; sequence: number } | undefined;
  do {
    const rows = await listActivity(pool, { limit: 2, ...(after === undefined ? {} : { after }) });
    seen.push(...rows.map(({ object_name }) => object_name));
    const last = rows.at(-1);
    after = last === undefined ? undefined : { atMs: last.at_ms, sequence: last.sequence };
  } while (after !== undefined);

  assert.deepEqual(seen, ["8", "7", "6", "5", "4", "3", "2", "1", "0"]);
});
