import assert from "node:assert/strict";
import { test } from "node:test";
import type { DatabasePool } from "../../src/db/database.ts";
import { sql } from "../../src/db/sql.ts";
import { saveRawEvents } from "../../src/intake/raw-event-store.ts";
import { queueErasures } from "../../src/messages/privacy/erased-store.ts";
import { requestReplay } from "../../src/pipeline/replay.ts";
import { process, rawEvent } from "../support/drain.ts";
import { LENA, MARC, OWN_TEXT, SHARED_TEXT } from "../support/erasure.ts";
import { NOW_MS } from "../support/test-app.ts";
import { openTestDatabase } from "../support/test-database.ts";
import { aMessageEvent, aWindow } from "../support/waha.ts";

const AT_S = NOW_MS / 1000 - 600;

test("a window loses the ids of an erased person's messages, before and after it comes, and keeps those of others", async (t) => {
  const { pool } = await openTestDatabase(t);
  const before = aWindow({ missing: ["LENA1", "MARC1"], atMs: NOW_MS });
  const after = aWindow({ missing: ["LENA1"], listed: ["LENA2", "MARC2"], atMs: NOW_MS + 1 });
  await receive(pool, [
    ...["LENA1", "LENA2"].map((rawId) =>
      aMessageEvent({ rawId, sender: LENA, text: `${OWN_TEXT} ${rawId}`, atS: AT_S }),
    ),
    ...["MARC1", "MARC2"].map((rawId) =>
      aMessageEvent({ rawId, sender: MARC, text: `${SHARED_TEXT} ${rawId}`, atS: AT_S }),
    ),
    before,
  ]);

  await queueErasures(pool, [`phone:${LENA.phone}`]);
  await process(pool, []);
  await receive(pool, [after]);
  const windows = await listWindows(pool);
  const revoked = await revokedIds(pool);
  await requestReplay(pool, { alerting: "never" });
  await process(pool, []);

  assert.deepEqual(
    windows.map(({ data }) => data),
    [
      [{ group: before.data[0]?.group, missing: ["MARC1"], listed: [] }],
      [{ group: before.data[0]?.group, missing: [], listed: ["MARC2"] }],
    ],
  );
  assert.deepEqual(revoked, ["MARC1"]);
  assert.deepEqual(await revokedIds(pool), revoked);
});

async function receive(pool: DatabasePool, bodies: readonly object[]): Promise<void> {
  const events = bodies.map((body) => rawEvent(body, { receivedAtMs: AT_S * 1000 }));
  await saveRawEvents(pool, events, "window");
  await process(pool, []);
}

async function listWindows(pool: DatabasePool): Promise<readonly { readonly data: unknown }[]> {
  const rows = await pool.query<{ body: Buffer }>(sql`select body from raw_event order by id`);
  return rows
    .map(({ body }) => JSON.parse(body.toString()))
    .filter((body) => body.assay_pull === "window");
}

async function revokedIds(pool: DatabasePool): Promise<readonly string[]> {
  const rows = await pool.query<{ raw_id: string }>(
    sql`select raw_id from occurrence where is_revoked order by raw_id`,
  );
  return rows.map(({ raw_id }) => raw_id);
}
