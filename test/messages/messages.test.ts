import assert from "node:assert/strict";
import { test } from "node:test";
import type { DatabasePool } from "../../src/db/database.ts";
import { sql } from "../../src/db/sql.ts";
import { saveRawEvents } from "../../src/intake/raw-event-store.ts";
import { canonicalizeEvents } from "../../src/messages/canonicalize-events.ts";
import { findOccurrenceRollups } from "../../src/messages/occurrences/occurrence-store.ts";
import { listSessions } from "../../src/messages/session-store.ts";
import { drain, process, rawEvent, stepContext } from "../support/drain.ts";
import { borrowTestDatabase } from "../support/shared-store.ts";
import { createTestClock, until } from "../support/test-app.ts";
import { openTestDatabase } from "../support/test-database.ts";
import {
  aGroupEvent,
  aMessageEvent,
  anEditEvent,
  aRevokeEvent,
  aStatusEvent,
  SESSION_A,
  SESSION_B,
} from "../support/waha.ts";

const AT_S = 1_787_217_330;
const OTHER_GROUP = "120363000000000102@g.us";

test("of more words than one author may say by edits the same count, one by one or at once", async (t) => {
  const edits = [1, 2, 3, 4, 5].map((at) =>
    anEditEvent({ rawId: "A1", text: `${at} ${"x".repeat(60_000)}`, atS: AT_S + at * 60 }),
  );
  const events = [
    aMessageEvent({ rawId: "A1", text: `0 ${"x".repeat(60_000)}` }),
    ...edits,
    anEditEvent({ rawId: "A1", text: "97k", atS: AT_S + 900 }),
  ];
  const textsAfter = async (batches: readonly (readonly object[])[]) => {
    const { pool } = await openTestDatabase(t);
    for (const batch of batches) await process(pool, batch);
    const rows = await pool.query<{ text: string }>(
      sql`select left(text, 3) as text from canonical_message where occurrence_count > 0`,
    );
    return rows.map(({ text }) => text);
  };

  const atOnce = await textsAfter([events]);

  assert.deepEqual(await textsAfter(events.map((event) => [event])), atOnce);
  assert.deepEqual(await textsAfter(events.toReversed().map((event) => [event])), atOnce);
});

test("a message that two sessions receive is one occurrence with two sessions", async (t) => {
  const { pool } = await borrowTestDatabase(t);

  await process(pool, [
    aMessageEvent({ addressing: "lid" }),
    aMessageEvent({ session: SESSION_B, addressing: "phone", event: "message" }),
    aMessageEvent({ session: SESSION_B, addressing: "phone", event: "message.any" }),
  ]);

  const occurrences = await pool.query<{ session_ids: string[] }>(
    sql`select session_ids, contact_id from occurrence`,
  );
  const contacts = await pool.query(sql`select key, display_name from contact where not is_own`);
  assert.equal(occurrences.length, 1);
  assert.equal(occurrences[0]?.session_ids.length, 2);
  assert.deepEqual([...contacts], [{ key: "phone:447700900123", display_name: "Kenji M." }]);
});

test("posts of one text by one contact are one message, regardless of group, letter case and emoji", async (t) => {
  const { pool } = await borrowTestDatabase(t);

  await process(pool, [
    aMessageEvent({ rawId: "A1", text: "WTS 126610LN\n98k 🔥🔥" }),
    aMessageEvent({
      rawId: "A2",
      text: "wts  126610ln\n\n98K",
      group: OTHER_GROUP,
      atS: AT_S + 90_000,
    }),
    aMessageEvent({ rawId: "A3", text: "wts 126610ln 98k" }),
  ]);

  const messages = await pool.query(
    sql`select text, occurrence_count from canonical_message order by text`,
  );
  assert.deepEqual(
    [...messages],
    [
      { text: "WTS 126610LN\n98k 🔥🔥", occurrence_count: 2 },
      { text: "wts 126610ln 98k", occurrence_count: 1 },
    ],
  );
});

test("a message is counted by UTC day and group, and an edit moves the occurrence to another message", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  await process(pool, [
    aGroupEvent({ name: "EU Dealers", atMs: 1 + AT_S * 1000 }),
    aMessageEvent({ rawId: "A1", text: "98k" }),
    aMessageEvent({ rawId: "A2", text: "98k", atS: AT_S + 86_400, hasMedia: true }),
  ]);
  const [message] = await pool.query<{ id: string }>(sql`select id from canonical_message`);
  const before = await rollupsOf(pool, message?.id);

  await process(pool, [anEditEvent({ rawId: "A2", text: "97k", atS: AT_S + 86_500 })]);
  const after = await rollupsOf(pool, message?.id);

  assert.deepEqual(
    before?.map((rollup) => [rollup.group_name, rollup.occurrence_count, rollup.media_count]),
    [
      ["EU Dealers", 1, 1],
      ["EU Dealers", 1, 0],
    ],
  );
  assert.equal(after?.length, 1);
  const [edited] = await pool.query(sql`select id from canonical_message where text = '97k'`);
  const moved = await rollupsOf(pool, String(edited?.["id"]));
  assert.deepEqual(
    moved?.map((rollup) => [rollup.occurrence_count, rollup.edited_count]),
    [[1, 1]],
  );
});

test("an edit and a revocation that arrive before their message take effect when it arrives", async (t) => {
  const { pool } = await borrowTestDatabase(t);

  await process(pool, [
    anEditEvent({ rawId: "A1", text: "97k", atS: AT_S + 60 }),
    aRevokeEvent({ rawId: "A1", atS: AT_S + 120 }),
  ]);
  assert.equal((await pool.query(sql`select id from canonical_message`)).length, 0);
  await process(pool, [aMessageEvent({ rawId: "A1", text: "98k" })]);

  const [message] = await pool.query(sql`
    select text, is_revoked from canonical_message where occurrence_count > 0`);
  assert.deepEqual(message, { text: "97k", is_revoked: true });
});

test("a LID whose phone number becomes known later joins the contact of that number, and old ids are aliases", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  await process(pool, [aMessageEvent({ rawId: "A1", addressing: "lid" })]);
  const [old] = await pool.query<{ id: string }>(sql`select id from canonical_message`);

  await process(pool, [aMessageEvent({ rawId: "A2", addressing: "both", group: OTHER_GROUP })]);

  const [message] = await pool.query(sql`select id, occurrence_count from canonical_message`);
  assert.equal(message?.["occurrence_count"], 2);
  assert.notEqual(message?.["id"], old?.id);
  assert.equal((await rollupsOf(pool, old?.id))?.length, 2);
});

test("the newest status of a session wins, even if an older one arrives later", async (t) => {
  const { pool } = await borrowTestDatabase(t);

  await process(pool, [aStatusEvent({ status: "WORKING", atMs: AT_S * 1000 + 5 })]);
  await process(pool, [aStatusEvent({ status: "FAILED", atMs: AT_S * 1000 })]);
  await process(pool, [aMessageEvent()]);

  const [session] = await listSessions(pool, undefined);
  assert.equal(session?.status, "WORKING");
  assert.equal(session?.last_message_at_ms, AT_S * 1000);
  assert.equal(session?.phone_number, SESSION_A.phone);
  assert.equal(session?.role, "receiving");
});

test("messages of an ignored group are stored as raw events only", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  await process(pool, [aGroupEvent({ name: "noise", atMs: AT_S * 1000 })]);
  await pool.execute(sql`update market_group set is_ignored = true`);

  await process(pool, [aMessageEvent(), aMessageEvent({ group: OTHER_GROUP })]);

  assert.equal((await pool.query(sql`select id from occurrence`)).length, 1);
  assert.equal((await pool.query(sql`select id from raw_event`)).length, 3);
});

test("the body of an event of a private chat is deleted, and a repeat of the event changes nothing", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  const secret = aMessageEvent({ group: "447700900199@c.us", text: "my secret" });

  const unreadable = { ...secret, event: "message.telepathy" };

  await process(pool, [secret, unreadable]);
  await process(pool, [secret, unreadable]);

  const rows = await pool.query(sql`select body from raw_event`);
  const quarantined = await pool.query(sql`select reason from quarantined_event`);
  assert.deepEqual([...rows], [{ body: null }, { body: null }]);
  assert.deepEqual([...quarantined], [{ reason: "unknown_event: message.telepathy" }]);
});

test("events that cannot be read are quarantined with a reason, and the others are processed", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  const unreadable = [
    "not json",
    JSON.stringify(aMessageEvent({ rawId: "P1", text: "LONE" })).replace("LONE", "\\ud800"),
    `{"event":"message","session":"x","payload":${"[".repeat(400)}${"]".repeat(400)}}`,
    `{"event":"message","session":"x","payload":${"[".repeat(50_000)}${"]".repeat(50_000)}}`,
    JSON.stringify({ ...aMessageEvent(), event: "message.telepathy" }),
  ];

  await process(pool, [...unreadable, aMessageEvent({ rawId: "GOOD" })]);

  const reasons = await pool.query(
    sql`select reason, count(*) as count from quarantined_event group by reason order by reason`,
  );
  assert.deepEqual(
    reasons.map((row) => [row["reason"], row["count"]]),
    [
      ["not_an_event", 1],
      ["not_json", 1],
      ["too_many_parts", 1],
      ["unknown_event: message.telepathy", 1],
      ["unstorable_text", 1],
    ],
  );
  assert.equal((await pool.query(sql`select id from occurrence`)).length, 1);
  assert.equal((await pool.query(sql`select raw_event_id from raw_event_queue`)).length, 0);
});

test("four workers process a queue without a deadlock, and count each event once", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  const isLong = globalThis.process.env["ASSAY_TEST_LONG"] === "1";
  const count = isLong ? 20_000 : 4_000;
  const bodies = Array.from({ length: count }, (_, at) =>
    aMessageEvent({
      rawId: `R${at % (count / 2)}`,
      session: at < count / 2 ? SESSION_A : SESSION_B,
      addressing: at < count / 2 ? "lid" : "phone",
      group: `1203630000000${100 + (at % 20)}@g.us`,
      sender: {
        phone: `4477009${1000 + (at % 50)}`,
        lid: `1999${at % 50}`,
        name: `Dealer ${at % 50}`,
      },
      text: `126610LN 2024 €12,${100 + ((at % (count / 2)) % 700)}`,
      atS: AT_S + (at % (count / 2)),
    }),
  );
  for (let at = 0; at < count; at += 500) {
    await saveRawEvents(
      pool,
      bodies.slice(at, at + 500).map((body) => rawEvent(body)),
      "window",
    );
  }
  const context = await stepContext(pool);
  const conflicts: unknown[] = [];
  const worker = async (): Promise<void> => {
    for (;;) {
      try {
        await drain(context, { batchMax: 200 });
        return;
      } catch (error) {
        conflicts.push(error);
      }
    }
  };

  await Promise.all([worker(), worker(), worker(), worker()]);
  await drain(context);

  assert.deepEqual(conflicts, []);
  const [row] = await pool.query(sql`
    select (select count(*) from occurrence) as occurrences,
           (select sum(occurrence_count)::integer from occurrence_rollup) as counted,
           (select count(*) from contact where not is_own) as contacts,
           (select count(*) from occurrence where cardinality(session_ids) = 2) as doubles,
           (select count(*)
              from listing full join canonical_message as message on message.id = canonical_message_id
             where listing.id is null or message.id is null
                or listing.occurrence_count <> message.occurrence_count) as mismatched`);
  assert.deepEqual(row, {
    occurrences: count / 2,
    counted: count / 2,
    contacts: 50,
    doubles: count / 2,
    mismatched: 0,
  });
});

test("when a worker fails in the middle of a batch, another worker can take the batch", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  await saveRawEvents(pool, [rawEvent(aMessageEvent())], "window");
  let isLocked = false;
  let release = () => {};
  const failing = pool
    .transaction(async (tx) => {
      await tx.execute(sql`select raw_event_id from raw_event_queue for update skip locked`);
      await new Promise<void>((settle) => {
        release = settle;
        isLocked = true;
      });
      throw new Error("the worker fails");
    })
    .catch(() => undefined);
  await until(() => isLocked);
  const busy = await canonicalizeEvents(pool, {
    batchMax: 10,
    clock: createTestClock(),
    alertWindowMs: 1,
  });

  release();
  await failing;
  const freed = await canonicalizeEvents(pool, {
    batchMax: 10,
    clock: createTestClock(),
    alertWindowMs: 1,
  });

  assert.equal(busy.takenCount, 0);
  assert.equal(freed.takenCount, 1);
});

async function rollupsOf(pool: DatabasePool, id = "") {
  return (await findOccurrenceRollups(pool, [id])).get(id);
}
