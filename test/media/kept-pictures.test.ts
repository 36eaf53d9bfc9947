import assert from "node:assert/strict";
import { test } from "node:test";
import { DAY_MS, dayStartOf } from "../../src/base/clock.ts";
import type { DatabasePool } from "../../src/db/database.ts";
import { sql } from "../../src/db/sql.ts";
import { queuePictures } from "../../src/media/media-write-store.ts";
import { queueErasures } from "../../src/messages/privacy/erased-store.ts";
import { raiseFloor } from "../../src/messages/privacy/retention-store.ts";
import { requestReplay } from "../../src/pipeline/replay.ts";
import { removeBatch } from "../../src/privacy/remove-old-messages.ts";
import { process } from "../support/drain.ts";
import { backUp, restore } from "../support/files.ts";
import {
  aPicture,
  aPictureEvent,
  fetchAll,
  fetchOptions,
  listPictureStates,
  openPictureGateway,
} from "../support/media/pictures.ts";
import { NOW_MS } from "../support/test-app.ts";
import { type Lifetime, openTestDatabase } from "../support/test-database.ts";
import { SENDER } from "../support/waha.ts";

const ASK = "126610LN 2024 full set €12,500";
const OTHER = { phone: "447700900199", lid: "199900000000299", name: "Other" };

/** A picture of each of two dealers, the same file, and one more of the first. */
async function open(t: Lifetime) {
  const store = await openTestDatabase(t);
  const { pool } = store;
  const gateway = await openPictureGateway(t);
  const options = fetchOptions(t, pool, gateway);
  for (const [id, seed] of [
    ["AA01", 1],
    ["AA02", 1],
    ["AA03", 2],
  ] as const)
    gateway.files.set(`recv-hk-1/${id}.jpeg`, await aPicture(seed));
  await process(pool, [
    aPictureEvent({ rawId: "AA01", text: ASK }),
    aPictureEvent({ rawId: "AA02", text: ASK, sender: OTHER }),
    aPictureEvent({ rawId: "AA03", text: "5711/1A 2019 EUR 92,000" }),
  ]);
  await fetchAll(options);
  assert.equal(await countFiles(pool), 2);
  return { store, pool, gateway, options };
}

async function countFiles(pool: DatabasePool): Promise<number> {
  const [row] = await pool.query<{ count: number }>(sql`select count(*) as count from media_file`);
  return row?.count ?? 0;
}

test("an erasure removes the pictures of the person, and a file that another dealer posted stays his", async (t) => {
  const { pool } = await open(t);

  await queueErasures(pool, [`phone:${SENDER.phone}`]);
  await process(pool, []);

  const left = await listPictureStates(pool);
  assert.deepEqual(
    left.map(({ raw_id, state }) => [raw_id, state]),
    [["AA02", "stored"]],
  );
  assert.equal(await countFiles(pool), 1);
});

test("an erasure in the middle of a replay finds pictures whose messages are not read again yet", async (t) => {
  const { pool } = await open(t);

  await requestReplay(pool, { alerting: "never" });
  await queueErasures(pool, [`lid:${SENDER.lid}`, `phone:${SENDER.phone}`]);
  await process(pool, []);

  assert.deepEqual(
    (await listPictureStates(pool)).map(({ raw_id }) => raw_id),
    ["AA02"],
  );
  assert.equal(await countFiles(pool), 1);
});

test("pictures leave with the days that are no longer kept", async (t) => {
  const { pool } = await open(t);

  const floorMs = dayStartOf(NOW_MS) + DAY_MS;
  await raiseFloor(pool, { floorMs, nowMs: NOW_MS + 2 * DAY_MS });
  for (let batch = 1; batch < 20 && (await removeBatch(pool)) > 0; batch += 1);

  assert.deepEqual(await listPictureStates(pool), []);
  assert.equal(await countFiles(pool), 0);
});

test("a backup has pictures only if they are asked for; without them they can be fetched again", async (t) => {
  const { store, options } = await open(t);
  const [whole, small] = [await backUp(t, store), await backUp(t, store, { withMedia: false })];
  const [one, two] = [await openTestDatabase(t), await openTestDatabase(t)];

  await restore(one, whole);
  await restore(two, small);
  const again = { ...options, pool: two.pool };
  const rows = await two.pool.query<{ id: string }>(
    sql`select id from media order by raw_id limit 10`,
  );
  await queuePictures(
    two.pool,
    rows.map(({ id }) => id),
    options.clock.nowMs(),
  );
  const before = await countFiles(two.pool);
  await fetchAll(again);

  assert.deepEqual([await countFiles(one.pool), before, await countFiles(two.pool)], [2, 0, 2]);
  assert.deepEqual(
    (await listPictureStates(two.pool)).map(({ state }) => state),
    ["stored", "stored", "stored"],
  );
});
