import assert from "node:assert/strict";
import { test } from "node:test";
import { SECOND_MS } from "../../src/base/clock.ts";
import { sql } from "../../src/db/sql.ts";
import { saveRawEvents } from "../../src/intake/raw-event-store.ts";
import { requestReplay } from "../../src/pipeline/replay.ts";
import { process, rawEvent } from "../support/drain.ts";
import { NOW_MS } from "../support/test-app.ts";
import { openTestDatabase } from "../support/test-database.ts";
import {
  aJoinEvent,
  aMessageEvent,
  anAdminEvent,
  aRevokeEvent,
  SENDER,
  SESSION_A,
  SESSION_B,
  type WahaSession,
} from "../support/waha.ts";

const AT_S = NOW_MS / 1000 - 3_600;
const NINA = { phone: "447700900166", lid: "199900000000266", name: "Nina" };
const OTTO = { phone: "447700900177", lid: "199900000000277", name: "Otto" };
const ENGINES: readonly WahaSession[] = [
  SESSION_A,
  { ...SESSION_A, engine: "NOWEB" },
  SESSION_B,
  { ...SESSION_B, engine: "WPP" },
];

/** Nina does, or loses, something at a second after the start. */
const nina = (second: number, type: "promote" | "demote" | "leave", session = SESSION_A) =>
  anAdminEvent({ session, type, lid: NINA.lid, atMs: (AT_S + second) * SECOND_MS });
const list = (second: number, ...admins: (typeof NINA)[]) =>
  aJoinEvent({
    adminLids: admins.map(({ lid }) => lid),
    atMs: (AT_S + second) * SECOND_MS,
  });
const post = aMessageEvent({ rawId: "A1", sender: SENDER, text: "126610LN 98k", atS: AT_S });
const revoke = aRevokeEvent({ rawId: "A1", author: NINA, atS: AT_S + 100 });

test("a revocation counts if its author was an admin at that time, as far as all events say, in any order", async (t) => {
  const cases: readonly (readonly [boolean, readonly object[]])[] = [
    [false, []],
    [true, [nina(50, "promote")]],
    // Known later than the revocation, and so he may have been one then.
    [true, [nina(150, "promote")]],
    [false, [nina(50, "promote"), nina(60, "demote")]],
    [true, [nina(50, "promote"), nina(160, "demote")]],
    [true, [nina(50, "promote"), nina(60, "demote"), nina(70, "promote")]],
    [false, [nina(50, "promote"), nina(60, "leave")]],
    [true, [nina(50, "promote"), nina(160, "leave")]],
    // Only known from losing it: after that he is none, before it he was one.
    [false, [nina(60, "demote")]],
    [true, [nina(160, "demote")]],
    [false, [nina(160, "leave")]],
    [false, [nina(60, "leave")]],
    // A list of all members.
    [true, [list(60, NINA, OTTO)]],
    [true, [list(160, NINA)]],
    [false, [nina(50, "promote"), list(60, OTTO)]],
    [true, [nina(50, "promote"), list(160, OTTO)]],
    [true, [nina(50, "promote"), list(60, OTTO), list(70, NINA)]],
  ];
  for (const [number, [isRevoked, changes]] of cases.entries()) {
    const { pool } = await openTestDatabase(t);
    const expected = isRevoked ? ["A1"] : [];
    const revoked = async () =>
      (
        await pool.query<{ raw_id: string }>(sql`select raw_id from occurrence where is_revoked`)
      ).map(({ raw_id }) => raw_id);

    for (const event of [post, ...changes, revoke]) await process(pool, [event]);
    assert.deepEqual(await revoked(), expected, `case ${number}`);
    await requestReplay(pool, { alerting: "never" });
    await process(pool, []);
    assert.deepEqual(await revoked(), expected, `case ${number} replayed`);

    await pool.script("truncate raw_event cascade");
    await requestReplay(pool, { alerting: "never" });
    for (const event of [revoke, ...changes.toReversed(), post]) await process(pool, [event]);
    assert.deepEqual(await revoked(), expected, `case ${number} backwards`);
  }
});

test("an admin who was demoted has no rights on any engine, though NOWEB calls him an admin", async (t) => {
  for (const session of ENGINES) {
    const { pool } = await openTestDatabase(t);
    await process(pool, [
      post,
      nina(50, "promote", session),
      nina(60, "demote", session),
      aRevokeEvent({ session, rawId: "A1", author: NINA, atS: AT_S + 100 }),
    ]);

    const rows = await pool.query(sql`select from occurrence where is_revoked`);
    assert.equal(rows.length, 0, session.engine);
  }
});

test("an event without a time counts from its receipt", async (t) => {
  const { pool } = await openTestDatabase(t);
  const without = ({ timestamp: _, ...event }: ReturnType<typeof nina>) => {
    const { timestamp: __, ...payload } = event.payload as { timestamp?: number };
    return { ...event, payload };
  };
  const events = [
    { body: post, second: 0 },
    { body: without(nina(0, "promote")), second: 50 },
    { body: without(nina(0, "demote")), second: 60 },
    { body: without(revoke), second: 55 },
  ];

  await saveRawEvents(
    pool,
    events.map(({ body, second }) => rawEvent(body, { receivedAtMs: (AT_S + second) * SECOND_MS })),
    "window",
  );
  await process(pool, []);

  const rows = await pool.query(sql`select at_ms, is_admin from group_admin order by at_ms`);
  const at = (second: number) => (AT_S + second) * SECOND_MS;
  assert.deepEqual(
    [...rows],
    [
      { at_ms: at(50), is_admin: true },
      { at_ms: at(60) - 1, is_admin: true },
      { at_ms: at(60), is_admin: false },
    ],
  );
  assert.equal((await pool.query(sql`select from occurrence where is_revoked`)).length, 1);
});

test("a member who leaves and was never an admin becomes no contact", async (t) => {
  const { pool } = await openTestDatabase(t);

  await process(pool, [post, nina(50, "leave")]);

  const rows = await pool.query(
    sql`select from contact_identifier where identifier = ${`lid:${NINA.lid}`}`,
  );
  assert.equal(rows.length, 0);
});
