import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { DatabasePool } from "../../src/db/database.ts";
import { sql } from "../../src/db/sql.ts";
import { readWaha } from "../../src/messages/gateways/waha.ts";
import { process } from "../support/drain.ts";
import { borrowTestDatabase } from "../support/shared-store.ts";

const FOLDER = "test/fixtures/waha";
const ENGINES = ["gows", "noweb", "webjs", "wpp"];
/** The events in the gateway's documentation, and our pulls. An engine may have more. */
const EVENTS = [
  ...["message", "message.any", "message.edited", "message.revoked", "session.status"],
  ...["group.v2.join", "group.v2.leave", "group.v2.update", "group.v2.participants"],
  ...["message.reaction", "message.ack", "message.private", "message.lid", "message.media"],
  ...["pull.sessions", "pull.groups", "pull.lids", "pull.messages"],
];

interface Fixture {
  readonly name: string;
  readonly body: Buffer;
  readonly expected: unknown;
}

test("every engine has a fixture for every event", () => {
  assert.deepEqual(readdirSync(FOLDER).filter(isFolder), ENGINES);
  for (const engine of ENGINES) {
    const names = readFixtures(engine).map(({ name }) => name);
    assert.deepEqual(
      EVENTS.filter((event) => !names.includes(event)),
      [],
      engine,
    );
  }
});

for (const engine of ENGINES) {
  test(`each ${engine} fixture is read as its expected facts`, () => {
    for (const { name, body, expected } of readFixtures(engine)) {
      assert.deepEqual(readWaha(body), expected, name);
    }
  });

  test(`the ${engine} fixtures make the expected occurrences, in reverse order and repeated`, async (t) => {
    const { pool } = await borrowTestDatabase(t);
    const bodies = readFixtures(engine).map(({ body }) => body.toString());
    const expected = readJson(join(FOLDER, engine, "store.expected.json"));

    await process(pool, bodies.toReversed(), { batchMax: 5 });
    assert.deepEqual(await storedOf(pool), expected);

    await process(
      pool,
      bodies.map((body) => `${body}\n`),
    );
    assert.deepEqual(await storedOf(pool), expected);
  });
}

function readFixtures(engine: string): readonly Fixture[] {
  const folder = join(FOLDER, engine);
  return readdirSync(folder)
    .filter((file) => !file.endsWith(".expected.json"))
    .sort()
    .map((file) => {
      const name = file.replace(/\.json$/, "");
      const body = readFileSync(join(folder, file));
      return { name, body, expected: readJson(join(folder, `${name}.expected.json`)) };
    });
}

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(path, "utf8"));
}

function isFolder(name: string): boolean {
  return !name.includes(".");
}

async function storedOf(pool: DatabasePool) {
  const occurrences = await pool.query(sql`
    select market_group.gateway_group_id as "group", occurrence.raw_id, occurrence.sent_at_ms, message.text,
           occurrence.sender_ids, contact.phone_number, occurrence.is_own, occurrence.has_media,
           occurrence.is_edited, occurrence.is_revoked,
           array(select gateway_name from messaging_session where id = any(occurrence.session_ids)) as sessions
      from occurrence
      join market_group on market_group.id = occurrence.group_id
      join canonical_message as message on message.id = occurrence.canonical_message_id
      join contact on contact.id = occurrence.contact_id
     order by occurrence.raw_id`);
  const groups = await pool.query(sql`select gateway_group_id, name from market_group`);
  const sessions = await pool.query(
    sql`select gateway_name, status, is_restricted from messaging_session`,
  );
  const quarantined = await pool.query(sql`select reason from quarantined_event`);
  assert.deepEqual([...quarantined], []);
  return {
    occurrences: occurrences.map((row) => ({ ...row })),
    groups: Object.fromEntries(groups.map((row) => [row["gateway_group_id"], row["name"]])),
    sessions: Object.fromEntries(
      sessions.map(({ gateway_name, ...row }) => [gateway_name, { ...row }]),
    ),
  };
}
