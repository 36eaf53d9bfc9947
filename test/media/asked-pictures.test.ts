import assert from "node:assert/strict";
import { test } from "node:test";
import { DAY_MS, MINUTE_MS } from "../../src/base/clock.ts";
import type { DatabasePool } from "../../src/db/database.ts";
import { sql } from "../../src/db/sql.ts";
import { takePace } from "../../src/media/claim-store.ts";
import { queuePictures } from "../../src/media/media-write-store.ts";
import { ASKED_PER_MINUTE_MAX } from "../../src/media/picture.ts";
import { process } from "../support/drain.ts";
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

const OLD_S = (NOW_MS - 3 * DAY_MS) / 1000;

/** A store with old pictures of so many listings, and two processes that fetch. */
async function open(t: Lifetime, count: number) {
  const { pool } = await openTestDatabase(t);
  const gateway = await openPictureGateway(t);
  const first = fetchOptions(t, pool, gateway);
  const second = { ...fetchOptions(t, pool, gateway), clock: first.clock };
  const picture = await aPicture(1);
  const ids = Array.from({ length: count }, (_, at) => `AA${100 + at}`);
  for (const id of ids) gateway.messages.set(id, `recv-hk-1/again-${id}.jpeg`);
  for (const id of ids) gateway.files.set(`recv-hk-1/again-${id}.jpeg`, picture);
  await process(
    pool,
    ids.map((rawId, at) =>
      aPictureEvent({ rawId, file: null, text: `126610LN ${9_000 + at} EUR`, atS: OLD_S - at }),
    ),
  );
  const downloads = () => gateway.asked.filter((path) => path.includes("/messages/")).length;
  return { pool, gateway, first, second, downloads };
}

async function askForAll(pool: DatabasePool, nowMs: number): Promise<number> {
  const rows = await pool.query<{ id: string }>(sql`select id from media limit 1000`);
  return queuePictures(
    pool,
    rows.map(({ id }) => id),
    nowMs,
  );
}

test("what people ask for has a pace over all processes, and the rest waits in the queue", async (t) => {
  const { pool, first, second, downloads } = await open(t, 50);
  await askForAll(pool, first.clock.nowMs());
  const work = () => Promise.all([fetchAll(first), fetchAll(second), fetchAll(first)]);

  const counts: number[] = [];
  for (const waitMs of [0, 1_000, MINUTE_MS - 3_000, 2_000, MINUTE_MS, MINUTE_MS]) {
    first.clock.advance(waitMs);
    await work();
    counts.push(downloads());
  }

  assert.equal(ASKED_PER_MINUTE_MAX, 20);
  assert.deepEqual(counts, [20, 20, 20, 40, 50, 50]);
  const states = (await listPictureStates(pool)).map(({ state }) => state);
  assert.deepEqual(new Set(states), new Set(["stored"]));
});

test("pictures of new messages wait for no one who asks for old ones", async (t) => {
  const { pool, gateway, first, downloads } = await open(t, 25);
  await askForAll(pool, first.clock.nowMs());
  await fetchAll(first);
  const fresh = Array.from({ length: 25 }, (_, at) => `BB${100 + at}`);
  const picture = await aPicture(2);
  for (const id of fresh) gateway.files.set(`recv-hk-1/${id}.jpeg`, picture);

  await process(
    pool,
    fresh.map((rawId, at) => aPictureEvent({ rawId, text: `5711/1A 2019 ${92_000 + at} EUR` })),
  );
  const results = await fetchAll(first);

  assert.equal(downloads(), 20);
  assert.deepEqual(results, new Array(25).fill("stored"));
  const waiting = (await listPictureStates(pool)).filter(({ state }) => state === "queued");
  assert.equal(waiting.length, 5);
});

test("a clock that is set back does not stop the pace for longer than a minute", async (t) => {
  const { pool } = await openTestDatabase(t);
  const take = (nowMs: number) => takePace(pool, { nowMs, askedMax: 2 });
  const later = NOW_MS + DAY_MS;

  const taken = [await take(later), await take(later), await take(later)];
  const back = [await take(NOW_MS), await take(NOW_MS), await take(NOW_MS)];

  assert.deepEqual(taken, [true, true, false]);
  assert.deepEqual(back, [true, true, false]);
});
