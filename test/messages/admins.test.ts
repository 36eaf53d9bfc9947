import assert from "node:assert/strict";
import { test } from "node:test";
import { SECOND_MS } from "../../src/base/clock.ts";
import type { DatabasePool } from "../../src/db/database.ts";
import { sql } from "../../src/db/sql.ts";
import { saveRawEvents } from "../../src/intake/raw-event-store.ts";
import { requestReplay } from "../../src/pipeline/replay.ts";
import { process, rawEvent } from "../support/drain.ts";
import { emptyStore } from "../support/generators/histories.ts";
import { NOW_MS } from "../support/test-app.ts";
import { openTestDatabase } from "../support/test-database.ts";
import {
  aJoinEvent,
  aMessageEvent,
  anAdminEvent,
  aRevokeEvent,
  GROUP,
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
    // The last before counts, however soon after it another one comes.
    [true, [nina(50, "promote"), list(101, OTTO)]],
    [false, [nina(50, "promote"), nina(60, "demote"), nina(101, "promote")]],
    [true, [nina(50, "promote"), list(60, OTTO), list(70, NINA)]],
  ];
  // Each case has a group of its own, so that all of them need one store.
  const histories = cases.map(([, changes], number) =>
    [post, ...changes, revoke].map((event) => inGroup(event, groupOf(number))),
  );
  const expected = cases.flatMap(([isRevoked], number) => (isRevoked ? [groupOf(number)] : []));
  const { pool } = await openTestDatabase(t);

  await processByTurns(pool, histories);
  assert.deepEqual(await revokedGroups(pool), expected);
  await requestReplay(pool, { alerting: "never" });
  await process(pool, [], { batchMax: 7 });
  assert.deepEqual(await revokedGroups(pool), expected, "replayed");

  await emptyStore(pool);
  await processByTurns(
    pool,
    histories.map((events) => events.toReversed()),
  );
  assert.deepEqual(await revokedGroups(pool), expected, "backwards");
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

function groupOf(number: number): string {
  return `1203630000000003${String(number).padStart(2, "0")}@g.us`;
}

/** The same event in another group. */
function inGroup(event: object, group: string): object {
  return JSON.parse(JSON.stringify(event).replaceAll(GROUP, group));
}

/** The first event of each history, then the second of each. */
async function processByTurns(
  pool: DatabasePool,
  histories: readonly (readonly object[])[],
): Promise<void> {
  const longest = Math.max(...histories.map((events) => events.length));
  for (let turn = 0; turn < longest; turn += 1) {
    await process(
      pool,
      histories.flatMap((events) => events[turn] ?? []),
    );
  }
}

async function revokedGroups(pool: DatabasePool): Promise<readonly string[]> {
  const rows = await pool.query<{ group: string }>(sql`
    select gateway_group_id as group
      from occurrence join market_group on market_group.id = group_id
     where is_revoked
     order by 1`);
  return rows.map(({ group }) => group);
}

test("a number that was taken for an admin's loses the rights again with the pair", async (t) => {
  const { pool } = await openTestDatabase(t);
  const seen = (sender: typeof NINA, addressing: "lid" | "phone") =>
    aMessageEvent({ rawId: "B1", sender, text: "hello", atS: AT_S, addressing });
  await process(pool, [
    post,
    nina(50, "promote"),
    seen(NINA, "lid"),
    seen(NINA, "phone"),
    aRevokeEvent({ rawId: "A1", author: NINA, addressing: "phone", atS: AT_S + 100 }),
  ]);
  const revokedCount = async () =>
    (await pool.query(sql`select from occurrence where is_revoked`)).length;
  const joined = await revokedCount();

  await process(pool, [seen(OTTO, "phone")]);

  assert.deepEqual([joined, await revokedCount()], [1, 0]);
});
