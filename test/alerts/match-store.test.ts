import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { planMoves } from "../../src/alerts/match.ts";
import { listMatches } from "../../src/alerts/match-store.ts";
import type { DatabasePool } from "../../src/db/database.ts";
import { sql } from "../../src/db/sql.ts";
import { anAlert } from "../support/rows.ts";
import { until } from "../support/test-app.ts";
import { openTestDatabase } from "../support/test-database.ts";

const MATCHES = 10_000;

test("a page and its total cost the same however many matches there are, and an offset is skipped in the index", async (t) => {
  // On the disk, because a vacuum takes no row for visible to all whose commit is not.
  const { pool } = await openTestDatabase(t, { sessionsMax: 1 });
  const alert = await anAlert(pool);
  await pool.execute(sql`
    insert into alert_match
           (alert_id, resource, resource_id, listing_id, canonical_message_id, matched_at_ms, seen_at_ms, match_context)
    select ${alert}, 'watch_listing', id, id, id, at, case when at % 2 = 0 then 1 end, '{}'
      from (select gen_random_uuid() as id, at from generate_series(1, ${MATCHES}::int) as at) as made`);
  // Repeated if another reader, such as autovacuum, used the table at the same time.
  await until(async () => {
    await pool.execute(sql`vacuum analyze alert_match`);
    const [table] = await pool.query<{ isVisible: boolean }>(sql`
      select relallvisible = relpages as "isVisible" from pg_class where relname = 'alert_match'`);
    return table?.isVisible === true;
  });
  const query = { alertId: alert, limit: 10 };

  for (const isUnseenOnly of [false, true]) {
    const total = isUnseenOnly ? MATCHES / 2 : MATCHES;
    for (const offset of [0, total - 500, total, 2_000_000_000]) {
      const { page, rowsRead } = await counting(pool, { ...query, isUnseenOnly, offset });
      assert.equal(page?.total, total);
      assert.equal(page?.items.length, offset < total ? 10 : 0);
      assert.ok(rowsRead <= 100, `${rowsRead} rows were read at offset ${offset}`);
    }
  }
});

/** The rows of matches, not of indexes, that a page reads. */
async function counting(pool: DatabasePool, query: Parameters<typeof listMatches>[1]) {
  return pool.transaction(async (tx) => {
    const page = await listMatches(tx, query);
    const [row] = await tx.query<{ count: number }>(sql`
      select seq_tup_read + coalesce(idx_tup_fetch, 0) as count
        from pg_stat_xact_user_tables
       where relname = 'alert_match'`);
    return { page, rowsRead: row?.count ?? Number.NaN };
  });
}

test("of matches of what is one listing now, one that was told again stays as it is, so it is not told once more", () => {
  const resource = "watch_listing" as const;
  const [alert_id, from, to] = [randomUUID(), randomUUID(), randomUUID()];
  const early = {
    alert_id,
    resource,
    resource_id: from,
    matched_at_ms: 1,
    seen_at_ms: 2,
    sequence: 1,
  };
  const again = { ...early, resource_id: to, matched_at_ms: 9, seen_at_ms: null, sequence: 7 };
  const moves = [{ resource, from, to, canonical_message_id: randomUUID() }];

  const told = planMoves(
    [
      { ...early, returned_at_ms: null },
      { ...again, returned_at_ms: 9 },
    ],
    moves,
  );
  const plain = planMoves(
    [early, again].map((match) => ({ ...match, returned_at_ms: null })),
    moves,
  );

  const kept = [told, plain].map((plan) =>
    plan.kept.map((match) => [match.sequence, match.seen_at_ms]),
  );
  assert.deepEqual(kept, [[[7, null]], [[1, 2]]]);
});
