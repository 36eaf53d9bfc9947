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

test("an actor who writes without end loses the own oldest rows, and no others", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  const [busy, quiet] = [randomUUID(), randomUUID()];
  const write = (tokenId: string | undefined, name: string, actor = "anna") =>
    recordActivity(
      pool,
      { name: actor, nowMs: NOW_MS, ...(tokenId === undefined ? {} : { tokenId }) },
      [{ action: "created", object: { kind: "alert", id: randomUUID(), name } }],
    );
  await write(quiet, "quiet 1");
  await write(undefined, "command 1", "cli");
  await write(quiet, "quiet 2");
  // Both have the same name: a token that was made anew is another actor.
  for (let at = 1; at <= 5; at += 1) await write(busy, `busy ${at}`);
  for (let at = 2; at <= 4; at += 1) await write(undefined, `command ${at}`, "cli");

  const count = await removeOldActivity(pool, NOW_MS, { actorRowsMax: 2 });
  const again = await removeOldActivity(pool, NOW_MS, { actorRowsMax: 2 });

  assert.deepEqual([count, again], [5, 0]);
  assert.deepEqual(await namesOf(pool), [
    "command 4",
    "command 3",
    "busy 5",
    "busy 4",
    "quiet 2",
    "quiet 1",
  ]);
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
