import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { createLogger } from "../../src/base/log.ts";
import type { DatabasePool } from "../../src/db/database.ts";
import { sql } from "../../src/db/sql.ts";
import { type NewRawEvent, saveRawEvents } from "../../src/intake/raw-event-store.ts";
import { newMemory, syncOnce } from "../../src/messages/sync/sync-gateway.ts";
import { process, rawEvent } from "../support/drain.ts";
import { assertSameState, emptyStore, stateOf } from "../support/generators/histories.ts";
import {
  anAction,
  createLossyGateway,
  LOSSY_SESSION,
} from "../support/generators/lossy-gateway.ts";
import { createTestClock, NOW_MS } from "../support/test-app.ts";
import { openTestDatabase } from "../support/test-database.ts";
import { openWahaGateway } from "../support/waha.ts";

const isLong = globalThis.process.env["ASSAY_TEST_LONG"] === "1";
const HISTORIES = isLong ? 150 : 5;

test("with events lost, what is revoked is what a model says, and the stored events end there in any order", async (t) => {
  const { pool } = await openTestDatabase(t);
  const gateway = await openWahaGateway(t, LOSSY_SESSION);
  let missing = 0;

  await fc.assert(
    fc.asyncProperty(
      fc.array(anAction, { minLength: 30, maxLength: 60 }),
      fc.infiniteStream(fc.nat({ max: 1_000_000 })),
      async (actions, dice) => {
        await emptyStore(pool);
        await pool.script("delete from message_backfill");
        const model = createLossyGateway(gateway, NOW_MS);
        const clock = createTestClock();
        const receive = async () => {
          const events = model.takePosted();
          if (events.length > 0) await saveRawEvents(pool, events.map(toRawEvent), "window");
          await process(pool, []);
          clock.advance(model.nowMs() - clock.nowMs());
        };
        const options = { pool, client: gateway.client, clock, log: createLogger("silent") };
        await receive();
        // It sets the mark that the model starts with.
        await syncOnce(options, newMemory());
        for (const action of actions) {
          model.apply(action);
          if (action.kind !== "sync") continue;
          await receive();
          await syncOnce(options, newMemory());
        }
        await receive();

        assert.deepEqual(await revokedIds(pool), model.revokedIds());
        missing += model.countMissing();
        const expected = await stateOf(pool);
        const events = await listEvents(pool);
        await emptyStore(pool);
        for (const part of shuffle(events, () => dice.next().value ?? 0)) {
          await saveRawEvents(pool, part, "window");
          await process(pool, []);
        }
        assertSameState(await stateOf(pool), expected, "another order differs");
      },
    ),
    { numRuns: HISTORIES },
  );

  t.diagnostic(`${missing} messages were missing from a window`);
  assert.ok(missing > HISTORIES / 2, "the histories lose revocations");
});

function toRawEvent({ body, atMs }: { readonly body: object; readonly atMs: number }): NewRawEvent {
  return rawEvent(body, { receivedAtMs: atMs });
}

/** In any order, in two to four parts, with some of them twice. */
function shuffle(events: readonly NewRawEvent[], roll: () => number): readonly NewRawEvent[][] {
  const parts: NewRawEvent[][] = Array.from({ length: 2 + (roll() % 3) }, () => []);
  for (const event of [...events, ...events.filter(() => roll() % 4 === 0)]) {
    parts[roll() % parts.length]?.push(event);
  }
  return parts.filter((part) => part.length > 0);
}

async function revokedIds(pool: DatabasePool): Promise<readonly string[]> {
  const rows = await pool.query<{ raw_id: string }>(
    sql`select raw_id from occurrence where is_revoked order by raw_id`,
  );
  return rows.map(({ raw_id }) => raw_id);
}

async function listEvents(pool: DatabasePool): Promise<readonly NewRawEvent[]> {
  return pool.query<NewRawEvent>(sql`
    select gateway, origin, body, received_at_ms as "receivedAtMs" from raw_event order by id`);
}
