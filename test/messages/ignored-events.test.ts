import assert from "node:assert/strict";
import { test } from "node:test";
import type { DatabasePool } from "../../src/db/database.ts";
import { sql } from "../../src/db/sql.ts";
import { countIgnoredEvents } from "../../src/intake/raw-event-store.ts";
import { examineIgnored, examineQuarantine } from "../../src/operations/examine-pipeline.ts";
import { requestReplay } from "../../src/pipeline/replay.ts";
import { process } from "../support/drain.ts";
import { openTestDatabase } from "../support/test-database.ts";
import { aMessageEvent, envelope, GROUP, SESSION_A } from "../support/waha.ts";

const AT_S = 1_787_217_330;
const EVENTS = [
  aRecorded("S1", { stickerMessage: {} }),
  aRecorded("S2", { stickerMessage: {} }),
  aRecorded("U1", { telepathyMessage: {} }),
  aMessageEvent({ group: "447700900199@c.us", rawId: "P1" }),
  envelope(SESSION_A, AT_S * 1000, "message.reaction", { id: `false_${GROUP}_R1_x`, from: GROUP }),
  aMessageEvent({ rawId: "M1" }),
];
const COUNTS = { sticker: 2, private_chat: 1, reaction: 1 };

test("an ignored event counts once, in any order, with repeats and after replays", async (t) => {
  const { pool } = await openTestDatabase(t);

  await process(pool, EVENTS.toReversed(), { batchMax: 2 });
  assert.deepEqual(await countsOf(pool), COUNTS);
  await process(pool, EVENTS);
  assert.deepEqual(await countsOf(pool), COUNTS, "after repeats");

  for (const fromMs of [undefined, 0]) {
    const options = { alerting: "never" as const, ...(fromMs === undefined ? {} : { fromMs }) };
    await requestReplay(pool, options);
    await process(pool, []);
    assert.deepEqual(await countsOf(pool), COUNTS, `after a replay from ${fromMs}`);
  }
  assert.equal((await pool.query(sql`select from occurrence`)).length, 1);
});

test("a replay forgets that an event was ignored or in quarantine, if it can be read", async (t) => {
  const { pool } = await openTestDatabase(t);
  await process(pool, [aMessageEvent()]);
  await pool.execute(
    sql`insert into ignored_event (raw_event_id, kind) select id, 'old' from raw_event`,
  );
  await pool.execute(sql`
    insert into quarantined_event (raw_event_id, reason, quarantined_at_ms)
    select id, 'unknown_message: old', 0 from raw_event`);

  await requestReplay(pool, { alerting: "never", fromMs: 0 });
  await process(pool, []);

  assert.deepEqual(await countsOf(pool), {});
  assert.equal((await pool.query(sql`select from quarantined_event`)).length, 0);
});

test("an ignored message shows that its session receives", async (t) => {
  const { pool } = await openTestDatabase(t);

  await process(pool, [aRecorded("S1", { stickerMessage: {} })]);

  const sessions = await pool.query(sql`select last_message_at_ms from messaging_session`);
  assert.deepEqual([...sessions], [{ last_message_at_ms: AT_S * 1000 }]);
});

test("doctor names what was ignored, and the kinds that no reader knows", async (t) => {
  const { pool } = await openTestDatabase(t);
  const novel = envelope(SESSION_A, AT_S * 1000, "group.v2.novelty", { group: { id: GROUP } });

  await process(pool, [...EVENTS, novel, aRecorded("U2", { telepathyMessage: {} })]);

  const found = [...(await examineIgnored(pool)), ...(await examineQuarantine(pool))];
  assert.deepEqual(
    found.map(({ isFine, text }) => [isFine, text.replace(/; .*/, "")]),
    [
      [true, "ignored events: sticker (2), private_chat (1), reaction (1) (docs/gateways.md)"],
      [
        true,
        "quarantine: events of kinds that this version does not know: " +
          "message: telepathyMessage (2), event: group.v2.novelty (1)",
      ],
    ],
  );
});

/** A message without a text, with this content. */
function aRecorded(rawId: string, Message: object) {
  const event = aMessageEvent({ rawId, atS: AT_S });
  return { ...event, payload: { ...event.payload, body: null, _data: { Message } } };
}

async function countsOf(pool: DatabasePool): Promise<Readonly<Record<string, number>>> {
  const counts = await countIgnoredEvents(pool);
  return Object.fromEntries(counts.map(({ kind, count }) => [kind, count]));
}
