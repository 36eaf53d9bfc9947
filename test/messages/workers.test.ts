import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { DatabasePool, Transaction } from "../../src/db/database.ts";
import { shareLock } from "../../src/db/locks.ts";
import { sql } from "../../src/db/sql.ts";
import { isConflict } from "../../src/db/store-error.ts";
import { saveRawEvents } from "../../src/intake/raw-event-store.ts";
import { canonicalizeEvents } from "../../src/messages/canonicalize-events.ts";
import { mergeContacts } from "../../src/messages/contacts/merge-contacts.ts";
import { process, rawEvent } from "../support/drain.ts";
import { borrowTestDatabase } from "../support/shared-store.ts";
import { createGate, createTestClock, until } from "../support/test-app.ts";
import { openTestDatabase } from "../support/test-database.ts";
import { aMessageEvent, anEditEvent, aRevokeEvent } from "../support/waha.ts";

const AT_S = 1_787_217_330;

test("when several workers process events, exactly those that the store refuses are quarantined", async (t) => {
  const { pool } = await openTestDatabase(t, { sessionsMax: 8 });
  await pool.execute(
    sql`alter table occurrence add constraint no_bad_event check (raw_id not like 'BAD%')`,
  );
  const rawIds = Array.from({ length: 120 }, (_, at) => (at % 12 === 5 ? `BAD${at}` : `GOOD${at}`));
  const events = rawIds.map((rawId) => rawEvent(aMessageEvent({ rawId, text: `98k ${rawId}` })));
  await saveRawEvents(pool, events, "never");
  const work = async (batchMax: number): Promise<void> => {
    for (;;) {
      await processBatch(pool, batchMax).catch((error: unknown) => {
        // A worker tries again.
        if (!isConflict(error)) throw error;
      });
      if ((await pool.query(sql`select from raw_event_queue limit 1`)).length === 0) return;
    }
  };

  await Promise.all([work(7), work(5), work(3), work(11)]);

  const quarantined = await pool.query<{ body: Buffer; reason: string }>(sql`
    select body, reason from quarantined_event join raw_event on raw_event.id = raw_event_id`);
  const bad = rawIds.filter((rawId) => rawId.startsWith("BAD"));
  assert.deepEqual(
    quarantined
      .map(({ body, reason }) => `${/98k (\w+)/.exec(body.toString())?.[1]} ${reason}`)
      .sort(),
    bad.map((rawId) => `${rawId} failed: 23514`).toSorted(),
  );
  const stored = await pool.query(sql`select from occurrence`);
  assert.equal(stored.length, rawIds.length - bad.length);
});

for (const isEditFirst of [false, true]) {
  const name = isEditFirst ? "an edit and its message" : "a message and its edit";
  test(`${name} that two workers process at the same time are counted as by one worker`, async (t) => {
    const first = aMessageEvent({ rawId: "A0", text: "hello" });
    const sent = aMessageEvent({ rawId: "A1", text: "98k" });
    const edited = anEditEvent({ rawId: "A1", text: "97k", atS: AT_S + 60 });
    const { pool: alone } = await borrowTestDatabase(t);
    for (const body of [first, sent, edited]) await process(alone, [body]);
    const { pool } = await openTestDatabase(t);
    await process(pool, [first]);
    for (const body of isEditFirst ? [edited, sent] : [sent, edited]) {
      await saveRawEvents(pool, [rawEvent(body)], "window");
    }
    // The first worker waits after it stored what was reported, which the second cannot see yet.
    const unlock = await openTransaction(t, pool, (tx) =>
      tx.script("lock table messaging_session in exclusive mode"),
    );

    const workers = [processBatch(pool, 1)];
    await untilBlocked(pool, 1);
    workers.push(processBatch(pool, 1));
    await untilBlocked(pool, 2);
    await unlock();
    await Promise.all(workers);

    assert.deepEqual(await countsOf(pool), await countsOf(alone));
  });
}

test("a message and its revocation that two workers process at the same time are counted as revoked", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  await process(pool, [aMessageEvent({ rawId: "A0", text: "hello" })]);
  await saveRawEvents(pool, [rawEvent(aMessageEvent({ rawId: "A1", text: "98k" }))], "window");
  await saveRawEvents(pool, [rawEvent(aRevokeEvent({ rawId: "A1", atS: AT_S + 60 }))], "window");
  const unlock = await openTransaction(t, pool, (tx) =>
    tx.script("lock table messaging_session in exclusive mode"),
  );

  const workers = [processBatch(pool, 1)];
  await untilBlocked(pool, 1);
  workers.push(processBatch(pool, 1));
  await untilBlocked(pool, 2);
  await unlock();
  await Promise.all(workers);

  const [message] = await pool.query(
    sql`select is_revoked from canonical_message where text = '98k'`,
  );
  const counts = await pool.query(sql`select revoked_count from occurrence_rollup order by 1`);
  assert.equal(message?.["is_revoked"], true);
  assert.deepEqual(
    counts.map((row) => row["revoked_count"]),
    [0, 1],
  );
});

test("a message whose last post leaves while a worker stores another one is made again", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  const posts = ["A1", "A2"].map((rawId) => rawEvent(aMessageEvent({ rawId, text: "98k" })));
  await saveRawEvents(pool, posts.slice(0, 1), "window");
  await processBatch(pool, 1);
  await saveRawEvents(pool, posts.slice(1), "window");
  const [locked, isWaitedFor] = [createGate(), createGate()];
  // As the removal of old days does it.
  const removal = pool.transaction(async (tx) => {
    await tx.query(sql`select id from canonical_message for update`);
    locked.open();
    await isWaitedFor.opened;
    const parts =
      "occurrence_rollup message_version occurrence reported_message canonical_message".split(" ");
    for (const part of parts) await tx.script(`delete from ${part}`);
  });
  await locked.opened;

  const worker = processBatch(pool, 1);
  await untilBlocked(pool, 1);
  isWaitedFor.open();
  await Promise.all([removal, worker]);

  const messages = await pool.query(sql`select text, occurrence_count from canonical_message`);
  const rollups = await pool.query(sql`select occurrence_count from occurrence_rollup`);
  assert.deepEqual(
    [messages, rollups].map((rows) => rows.map((row) => ({ ...row }))),
    [[{ text: "98k", occurrence_count: 1 }], [{ occurrence_count: 1 }]],
  );
});

test("a merge that waits for a worker runs before workers that start later", async (t) => {
  const { pool } = await openTestDatabase(t, { sessionsMax: 8 });
  const messageEvent = (rawId: string, addressing: "lid" | "both") =>
    rawEvent(aMessageEvent({ rawId, addressing, text: `98k ${rawId}` }));
  await saveRawEvents(pool, [messageEvent("A1", "lid"), messageEvent("A2", "both")], "never");
  await processBatch(pool, 10);
  await saveRawEvents(pool, [messageEvent("A3", "both"), messageEvent("A4", "both")], "never");
  const order: string[] = [];
  // Stands for a worker that is processing events.
  const finish = await openTransaction(t, pool, (tx) => shareLock(tx, "identities"));

  const merging = mergeContacts(pool, { batchMax: 10 }).then(({ takenCount }) => {
    order.push(`merged ${takenCount > 0}`);
  });
  await untilBlocked(pool, 1);
  const processing = [1, 2].map(() => processBatch(pool, 1).then(() => order.push("processed")));
  await untilBlocked(pool, 3);
  await finish();
  await Promise.all([merging, ...processing]);

  assert.deepEqual(order, ["merged true", "processed", "processed"]);
});

function processBatch(pool: DatabasePool, batchMax: number) {
  return canonicalizeEvents(pool, { batchMax, clock: createTestClock(), alertWindowMs: 1 });
}

/** Does the work in a transaction that stays open until the returned function is called. */
async function openTransaction(
  t: TestContext,
  pool: DatabasePool,
  work: (tx: Transaction) => PromiseLike<unknown>,
): Promise<() => Promise<void>> {
  const end = new AbortController();
  t.after(() => end.abort());
  let isReady = false;
  const transaction = pool.transaction(async (tx) => {
    await work(tx);
    isReady = true;
    await until(() => end.signal.aborted, 60_000);
  });
  await until(() => isReady);
  return async () => {
    end.abort();
    await transaction;
  };
}

/** Waits until exactly `count` connections wait for a lock. */
async function untilBlocked(pool: DatabasePool, count: number): Promise<void> {
  await until(async () => {
    const rows = await pool.query(sql`
      select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`);
    return rows.length === count;
  });
}

async function countsOf(pool: DatabasePool): Promise<readonly unknown[]> {
  const messages = await pool.query(sql`
    select text, occurrence_count, is_revoked from canonical_message order by text`);
  const rollups = await pool.query(sql`
    select text, day_start_ms, rollup.occurrence_count, edited_count, revoked_count
      from occurrence_rollup as rollup join canonical_message as message on message.id = canonical_message_id
     order by text, day_start_ms`);
  return [[...messages], [...rollups]];
}
