import assert from "node:assert/strict";
import { test } from "node:test";
import type { Database, DatabasePool } from "../../src/db/database.ts";
import { sql } from "../../src/db/sql.ts";
import { retrySetAside } from "../../src/pipeline/set-aside.ts";
import { listSetAsideItems } from "../../src/pipeline/set-aside-store.ts";
import { STEPS } from "../../src/pipeline/steps.ts";
import { aLiveAlert, arrive, listStoredMatches } from "../support/alerts.ts";
import { drain, process as processEvents, stepContext } from "../support/drain.ts";
import { aListingWith } from "../support/listings.ts";
import { createTestClock, NOW_MS } from "../support/test-app.ts";
import { openTestDatabase } from "../support/test-database.ts";
import { aMessageEvent, GROUP } from "../support/waha.ts";

const MINUTE_MS = 60_000;

test("a listing that cannot be matched is set aside with its reason, and all others are matched", async (t) => {
  const { pool } = await openTestDatabase(t);
  await aLiveAlert(pool);
  const listings = Array.from({ length: 5 }, () => aListingWith());
  const bad = listings[2]?.id ?? "";
  await refuse(pool, "fresh_listing", `listing_id <> '${bad}'`);
  await arrive(pool, listings);

  await drainAll(pool);

  const matched = (await listStoredMatches(pool)).map(({ resource_id }) => resource_id);
  const others = listings.map(({ id }) => id).filter((id) => id !== bad);
  assert.deepEqual(matched.toSorted(), others.toSorted());
  const [item, ...more] = await listItems(pool);
  assert.deepEqual(more, []);
  assert.equal(item?.step, "match listings");
  assert.equal(item?.key, bad);
  assert.match(item?.reason ?? "", /violates check constraint.*\(23514\)/);
});

test("an item that was set aside is tried again when it is due, later each time, and loses nothing", async (t) => {
  const { pool } = await openTestDatabase(t);
  await aLiveAlert(pool);
  const listing = aListingWith();
  await refuse(pool, "fresh_listing", "false");
  await arrive(pool, [listing]);
  await drainAll(pool);
  const clock = createTestClock();
  const context = await stepContext(pool, clock);
  const retry = () => retrySetAside(context, STEPS, { dueAtMs: clock.nowMs() });

  const tooEarly = await retry();
  clock.advance(MINUTE_MS);
  const failed = await retry();
  const [item] = await listItems(pool);
  await pool.execute(sql`alter table fresh_listing drop constraint refused`);
  clock.advance(4 * MINUTE_MS);
  const done = await retry();
  await context.close();

  assert.deepEqual(tooEarly, { doneCount: 0, failedCount: 0 });
  assert.deepEqual(failed, { doneCount: 0, failedCount: 1 });
  assert.equal(item?.attempt_count, 2);
  assert.equal(item?.next_attempt_at_ms, NOW_MS + 5 * MINUTE_MS);
  assert.deepEqual(done, { doneCount: 1, failedCount: 0 });
  assert.deepEqual(await listItems(pool), []);
  assert.equal((await listStoredMatches(pool)).length, 1);
});

test("a sighting that cannot be merged is set aside, and the other contacts are merged", async (t) => {
  const { pool } = await openTestDatabase(t);
  await refuse(pool, "contact_pair", "right_identifier <> 'phone:447700900666'");
  for (const at of [1, 2, 3]) {
    const phone = at === 2 ? "447700900666" : `44770090012${at}`;
    await pool.execute(sql`
      insert into identity_queue (identifiers, at_ms, is_own, evidence)
      values (${[`lid:199${at}`, `phone:${phone}`]}::text[], ${NOW_MS}, false, 'list')`);
  }

  await drainAll(pool);

  const keys = await pool.query<{ key: string }>(sql`select key from contact order by key`);
  assert.deepEqual(
    keys.map(({ key }) => key),
    ["phone:447700900121", "phone:447700900123"],
  );
  assert.deepEqual(
    (await listItems(pool)).map(({ step }) => step),
    ["merge contacts"],
  );
});

test("a group whose messages cannot be queued is set aside, and a retry queues them", async (t) => {
  const { pool } = await openTestDatabase(t);
  const groups = [GROUP, `${GROUP.slice(0, -6)}9@g.us`];
  await processEvents(
    pool,
    groups.map((group, at) => aMessageEvent({ rawId: `G${at}`, group, text: `98k ${at}` })),
  );
  await refuse(pool, "message_queue", "not has_new_names");
  await pool.execute(sql`insert into group_queue (group_id) select id from market_group`);

  await drainAll(pool);
  const items = await listItems(pool);
  await pool.execute(sql`alter table message_queue drop constraint refused`);
  const context = await stepContext(pool);
  const ids = (await listSetAsideItems(pool, { limit: 10 })).map(({ id }) => id);
  const retried = await retrySetAside(context, STEPS, { ids });
  await context.close();

  assert.deepEqual(
    items.map(({ step }) => step),
    ["queue group messages", "queue group messages"],
  );
  assert.deepEqual(retried, { doneCount: 2, failedCount: 0 });
  assert.equal((await pool.query(sql`select from message_queue`)).length, 2);
});

test("nothing is set aside or quarantined if a statement is wrong, as with another version of the schema", async (t) => {
  const { pool } = await openTestDatabase(t);
  await arrive(pool, [aListingWith()]);
  await pool.execute(sql`alter table fresh_listing rename column until_ms to until_another_ms`);

  await assert.rejects(drainAll(pool), { code: "42703" });

  assert.deepEqual(await listItems(pool), []);
  assert.equal((await pool.query(sql`select from match_queue`)).length, 1);
});

/** From now on the table refuses rows that do not meet the condition. */
async function refuse(pool: DatabasePool, table: string, condition: string): Promise<void> {
  await pool.script(`alter table ${table} add constraint refused check (${condition}) not valid`);
}

async function drainAll(pool: DatabasePool): Promise<void> {
  const context = await stepContext(pool);
  try {
    await drain(context);
  } finally {
    await context.close();
  }
}

interface ItemRow {
  readonly step: string;
  readonly key: string;
  readonly reason: string;
  readonly attempt_count: number;
  readonly next_attempt_at_ms: number;
}

function listItems(db: Database): Promise<readonly ItemRow[]> {
  return db.query<ItemRow>(sql`
    select step, key, reason, attempt_count, next_attempt_at_ms from set_aside_item order by id`);
}
