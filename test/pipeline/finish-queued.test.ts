import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { sleep } from "../../src/base/clock.ts";
import type { DatabasePool } from "../../src/db/database.ts";
import { rawSql, type Sql, sql } from "../../src/db/sql.ts";
import { saveRawEvents } from "../../src/intake/raw-event-store.ts";
import { finishQueued } from "../../src/pipeline/finish-queued.ts";
import { process as processEvents, rawEvent, stepContext } from "../support/drain.ts";
import { until } from "../support/test-app.ts";
import { openTestDatabase } from "../support/test-database.ts";
import { aMessageEvent } from "../support/waha.ts";

/** A command that does not wait has returned long before. */
const WAITED_MS = 700;

for (const queue of ["raw_event_queue", "message_queue", "match_queue"]) {
  test(`a command waits for the last batch of ${queue} that a service is working on`, async (t) => {
    const { pool } = await openTestDatabase(t, { sessionsMax: 8 });
    await processEvents(pool, [aMessageEvent({ rawId: "A1", text: "126610LN 98k" })]);
    await queueAgain(pool, queue);
    const release = await lockRows(t, pool, queue);
    const context = await stepContext(pool);
    t.after(() => context.close());
    const state = { isDone: false };

    const finishing = finishQueued(context).then(() => {
      state.isDone = true;
    });
    await sleep(WAITED_MS);
    const wasDone = state.isDone;
    await release();
    await finishing;

    assert.equal(wasDone, false);
    assert.equal((await list(pool, queue)).length, 0);
  });
}

test("a command ends although new events keep arriving, and everything queued before is processed", {
  timeout: 120_000,
}, async (t) => {
  const { pool } = await openTestDatabase(t, { sessionsMax: 8 });
  const events = Array.from({ length: 30 }, (_, at) =>
    rawEvent(aMessageEvent({ rawId: `A${at}`, text: `hello ${at}` }), { origin: "import" }),
  );
  await saveRawEvents(pool, events, "never");
  const context = await stepContext(pool);
  t.after(() => context.close());
  const state = { isPosting: true, count: 0 };
  const posting = (async () => {
    for (; state.isPosting; state.count += 1) {
      const event = aMessageEvent({ rawId: `N${state.count}`, text: `news ${state.count}` });
      await saveRawEvents(pool, [rawEvent(event)], "window");
    }
  })();
  await until(() => state.count > 0);

  await finishQueued(context);
  const stored = await pool.query(sql`select from occurrence where raw_id like 'A%'`);
  state.isPosting = false;
  await posting;

  assert.equal(stored.length, 30);
});

async function queueAgain(pool: DatabasePool, queue: string): Promise<void> {
  const statements: Readonly<Record<string, Sql>> = {
    raw_event_queue: sql`insert into raw_event_queue (raw_event_id, alerting) select id, 'never' from raw_event`,
    message_queue: sql`insert into message_queue (canonical_message_id) select id from canonical_message`,
    match_queue: sql`insert into match_queue (resource, resource_id) select 'watch_listing', id from listing`,
  };
  await pool.execute(statements[queue] ?? sql`select 1`);
  assert.ok((await list(pool, queue)).length > 0);
}

function list(pool: DatabasePool, queue: string): Promise<readonly object[]> {
  return pool.query(sql`select from ${rawSql(queue)}`);
}

/** Stands for a worker that is processing all rows of the queue. */
async function lockRows(
  t: TestContext,
  pool: DatabasePool,
  queue: string,
): Promise<() => Promise<void>> {
  const end = new AbortController();
  t.after(() => end.abort());
  let isLocked = false;
  const working = pool.transaction(async (tx) => {
    await tx.script(`select from ${queue} for update`);
    isLocked = true;
    await sleep(60_000, end.signal);
  });
  await until(() => isLocked);
  return async () => {
    end.abort();
    await working;
  };
}
