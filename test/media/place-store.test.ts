import assert from "node:assert/strict";
import { test } from "node:test";
import { MINUTE_MS, SECOND_MS } from "../../src/base/clock.ts";
import type { DatabasePool } from "../../src/db/database.ts";
import { sql } from "../../src/db/sql.ts";
import { saveRawEvents } from "../../src/intake/raw-event-store.ts";
import type { FetchOptions } from "../../src/media/fetch-pictures.ts";
import { placeNearby, settlePlaces } from "../../src/media/place-store.ts";
import { requestReplay } from "../../src/pipeline/replay.ts";
import { STEPS } from "../../src/pipeline/steps.ts";
import { drain, process, rawEvent, stepContext } from "../support/drain.ts";
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
import { aMessageEvent } from "../support/waha.ts";

const ASK = "126610LN 2024 full set €12,500";
const OTHER_ASK = "5711/1A 2019 92.000 EUR";
const NOW_S = NOW_MS / 1000;

async function open(t: Lifetime) {
  const { pool } = await openTestDatabase(t);
  const gateway = await openPictureGateway(t);
  for (const id of ["AA01", "AA02"])
    gateway.files.set(`recv-hk-1/${id}.jpeg`, await aPicture(Number(id.slice(3))));
  return { pool, options: fetchOptions(t, pool, gateway) };
}

async function settle({ pool, clock }: FetchOptions): Promise<void> {
  const nowMs = clock.nowMs();
  while ((await settlePlaces(pool, { nowMs, batchMax: 2 })) > 0);
}

async function listPlaces(pool: DatabasePool) {
  return (await listPictureStates(pool)).map((row) => [
    row.raw_id,
    row.shown_raw_id,
    row.is_beside,
  ]);
}

const BEFORE = aMessageEvent({ rawId: "BB01", text: ASK, atS: NOW_S - 60 });
const PICTURE = aPictureEvent({ rawId: "AA01", text: "", atS: NOW_S - 50 });
const AFTER = aMessageEvent({ rawId: "BB02", text: OTHER_ASK, atS: NOW_S - 40 });

test("a picture leaves the listing before it when another text follows, and its file is kept", async (t) => {
  const { pool, options } = await open(t);
  await process(pool, [BEFORE, PICTURE]);
  await fetchAll(options);
  const early = await listPlaces(pool);

  await process(pool, [AFTER]);
  options.clock.advance(90 * SECOND_MS);
  await settle(options);

  assert.deepEqual(early, [["AA01", "BB01", true]]);
  assert.deepEqual(await listPlaces(pool), [["AA01", null, false]]);
  assert.equal((await listPictureStates(pool))[0]?.state, "stored");
});

test("a picture is beside no listing while a text of its sender is not read", async (t) => {
  const { pool, options } = await open(t);
  await process(pool, [BEFORE, PICTURE]);
  await saveRawEvents(pool, [rawEvent(AFTER)], "always");
  const context = await stepContext(pool);
  t.after(() => context.close());
  await drain(context, { steps: STEPS.filter(({ name }) => name === "canonicalize events") });

  assert.deepEqual(await fetchAll(options), ["retry"]);
  assert.deepEqual(await listPlaces(pool), [["AA01", null, false]]);
});

test("a picture that was stored and has no place gets one when its listing is opened", async (t) => {
  const { pool, options } = await open(t);
  await process(pool, [BEFORE, PICTURE]);
  await fetchAll(options);
  await pool.execute(
    sql`update media set shown_raw_id = null, shown_second = null, is_beside = false`,
  );

  await openAll(options);

  assert.deepEqual(await listPlaces(pool), [["AA01", "BB01", true]]);
});

test("a replay leaves pictures where they are, also if their places are looked for in the middle of it", async (t) => {
  const { pool, options } = await open(t);
  await process(pool, [BEFORE, PICTURE]);
  await fetchAll(options);

  await requestReplay(pool, { alerting: "never" });
  options.clock.advance(10 * MINUTE_MS);
  await settlePlaces(pool, { nowMs: options.clock.nowMs(), batchMax: 10 });
  const during = await listPlaces(pool);
  assert.deepEqual(await pool.query(sql`select from occurrence limit 1`), []);
  await process(pool, []);
  options.clock.advance(MINUTE_MS);
  await settle(options);

  assert.deepEqual(during, [["AA01", "BB01", true]]);
  assert.deepEqual(await listPlaces(pool), during);
});

/** As people do who open each listing. */
async function openAll({ pool, clock }: FetchOptions): Promise<void> {
  const rows = await pool.query<{ id: string }>(
    sql`select canonical_message_id as id from listing order by id limit 10`,
  );
  for (const { id } of rows) await placeNearby(pool, id, clock.nowMs());
}

function listOrders<Item>(items: readonly Item[]): readonly (readonly Item[])[] {
  if (items.length < 2) return [items];
  return items.flatMap((item, at) =>
    listOrders(items.toSpliced(at, 1)).map((rest) => [item, ...rest]),
  );
}

const ALBUM = { albumRawId: "HEAD" };
const HISTORIES = {
  "between two listings": {
    events: [BEFORE, PICTURE, AFTER],
    places: [["AA01", null, false]],
  },
  "an album beside another listing": {
    events: [
      BEFORE,
      aPictureEvent({ rawId: "AA01", text: OTHER_ASK, atS: NOW_S - 30, ...ALBUM }),
      aPictureEvent({ rawId: "AA02", text: "", atS: NOW_S - 30, ...ALBUM }),
    ],
    places: [
      ["AA01", "AA01", false],
      ["AA02", "AA01", false],
    ],
  },
};

for (const [name, { events, places }] of Object.entries(HISTORIES)) {
  test(`${name}: in whatever order events come, and how late, pictures are in the same place in the end`, async (t) => {
    for (const order of listOrders(events)) {
      for (const earlyCount of [1, 2]) {
        const { pool, options } = await open(t);
        const follow = async (some: readonly unknown[]): Promise<void> => {
          for (const event of some) {
            await process(pool, [event]);
            await fetchAll(options);
          }
          options.clock.advance(10 * MINUTE_MS);
          await settle(options);
        };

        await follow(order.slice(0, earlyCount));
        await follow([...order.slice(earlyCount), ...order]);
        await openAll(options);

        assert.deepEqual(await listPlaces(pool), places, JSON.stringify(order));
      }
    }
  });
}
