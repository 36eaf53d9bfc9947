import assert from "node:assert/strict";
import { test } from "node:test";
import type { DatabasePool } from "../../src/db/database.ts";
import { type Sql, sql } from "../../src/db/sql.ts";
import { queueRefreshes } from "../../src/matching/refresh-queue-store.ts";
import { NO_WINDOWS, queueMessages } from "../../src/messages/message-queue-store.ts";
import { aConfiguration } from "../support/rows.ts";
import { borrowTestDatabase } from "../support/shared-store.ts";

/** Columns that change again and again while their rows stay. */
const BUSY = {
  contact_identifier: ["first_seen_at_ms", "named_on_ms"],
  price_configuration: ["last_attempt_at_ms", "last_success_at_ms", "last_refresh_error"],
};

test("what changes with every message or refresh is in no index, so its update writes no index entry", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  const indexed = await pool.query<{ table: string; column: string }>(sql`
    select distinct class.relname as table, attribute.attname as column
      from pg_index as index
      join pg_class as class on class.oid = index.indrelid
      join pg_depend as depend on depend.objid = index.indexrelid and depend.refobjid = index.indrelid
      join pg_attribute as attribute
        on attribute.attrelid = index.indrelid and attribute.attnum = depend.refobjsubid and attribute.attnum > 0
     where class.relname = any(${Object.keys(BUSY)}::text[])`);
  assert.ok(indexed.length > 0);
  for (const [table, columns] of Object.entries(BUSY)) {
    const found = indexed.filter((row) => row.table === table && columns.includes(row.column));
    assert.deepEqual(found, [], table);
  }
});

test("what is queued already is not written again, unless it is to wait less or has a longer alert window", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  const id = "11111111-1111-4111-8111-111111111111";
  const configurationId = await aConfiguration(pool, {});
  const queue = async (alertMs: number, atMs: number): Promise<void> => {
    await pool.transaction(async (tx) => {
      await queueMessages(tx, [id], { ...NO_WINDOWS, alertMs: new Map([[id, alertMs]]) });
      await queueRefreshes(tx, [configurationId], atMs);
    });
  };
  await queue(1_000, 50);
  const first = await placesOf(pool);
  await queue(900, 60);
  assert.deepEqual(await placesOf(pool), first, "the rows were written again");

  await queue(2_000, 40);
  const [message] = await pool.query(sql`select alert_ms from message_queue`);
  const [configuration] = await pool.query(sql`select queued_at_ms from refresh_queue`);
  assert.deepEqual([message, configuration], [{ alert_ms: 2_000 }, { queued_at_ms: 40 }]);
});

/** Where the rows are in their tables. A row that is written again is elsewhere. */
async function placesOf(pool: DatabasePool): Promise<readonly unknown[]> {
  const placeIn = (table: Sql) => pool.query(sql`select ctid::text as place from ${table}`);
  return Promise.all([placeIn(sql`message_queue`), placeIn(sql`refresh_queue`)]);
}
