/** The steps that read messages keep the plans of their statements, and the plans hold however much is stored by then. */

import assert from "node:assert/strict";
import { test } from "node:test";
import type { DatabasePool } from "../../src/db/database.ts";
import { sql } from "../../src/db/sql.ts";
import { saveRawEvents } from "../../src/intake/raw-event-store.ts";
import { drain, process, rawEvent, stepContext } from "../support/drain.ts";
import { openTestDatabase } from "../support/test-database.ts";
import { aMessageEvent } from "../support/waha.ts";

const aPost = (at: number) =>
  aMessageEvent({
    rawId: `K${at}`,
    text: `126610LN €${10_000 + at}`,
    sender: { phone: `4477009${1000 + at}`, lid: `1999${1000 + at}`, name: `Dealer ${at}` },
  });

interface PlannedStatement {
  readonly statement: string;
  readonly kept: number;
  readonly own: number;
}

test("a statement about messages or listings is planned once for a connection", async (t) => {
  // One connection runs all steps.
  const { pool } = await openTestDatabase(t, { sessionsMax: 1 });
  for (let at = 0; at < 4; at += 1) await process(pool, [aPost(at)]);

  const planned = await pool.transaction((tx) =>
    tx.query<PlannedStatement>(sql`
      select statement, generic_plans as kept, custom_plans as own
        from pg_prepared_statements
       where statement ~ '^[[:space:]]*insert into (reported_message|occurrence|message_version|listing|message_extraction|fresh_listing)[[:space:]]'`),
  );
  assert.ok(planned.length >= 5, `only ${planned.length} statements ran`);
  for (const { statement, kept, own } of planned) {
    assert.deepEqual(
      { own, isKept: kept >= 4 || /fresh/.test(statement) },
      { own: 0, isKept: true },
      statement,
    );
  }
});

test("plans that were made for an empty store still look rows up by key when it is full", async (t) => {
  const { pool } = await openTestDatabase(t, { sessionsMax: 1 });
  const context = await stepContext(pool);
  t.after(() => context.close());
  const read = async (posts: readonly number[]): Promise<void> => {
    await saveRawEvents(
      pool,
      posts.map((at) => rawEvent(aPost(at))),
      "window",
    );
    await drain(context);
  };
  await read([0]);
  await read(Array.from({ length: 1_000 }, (_, at) => at + 1));

  const before = await countReadRows(pool);
  await read([2_000]);
  const readCount = (await countReadRows(pool)) - before;
  assert.ok(readCount < 500, `one message read ${readCount} rows of a store of a thousand`);
});

/** Rows and index entries that were read so far in the tables of messages and listings. */
async function countReadRows(pool: DatabasePool): Promise<number> {
  // What this connection read is counted when the transaction after that ends.
  for (const _ of [1, 2]) {
    await pool.transaction((tx) => tx.execute(sql`select pg_stat_force_next_flush()`));
  }
  const [row] = await pool.query<{ count: number }>(sql`
    select (sum(seq_tup_read + coalesce(idx_tup_fetch, 0)))::bigint as count
      from pg_stat_user_tables
     where relname in ('reported_message', 'occurrence', 'message_version', 'canonical_message', 'occurrence_rollup',
                       'listing', 'message_extraction', 'listing_model', 'fresh_listing')`);
  return row?.count ?? 0;
}
