import assert from "node:assert/strict";
import { test } from "node:test";
import { HOUR_MS } from "../../src/base/clock.ts";
import type { DatabasePool } from "../../src/db/database.ts";
import { sql } from "../../src/db/sql.ts";
import { type Alerting, saveRawEvents } from "../../src/intake/raw-event-store.ts";
import { changeShippedRates } from "../../src/pipeline/change-rates.ts";
import { runPass } from "../../src/pipeline/finish-queued.ts";
import { requestReplay } from "../../src/pipeline/replay.ts";
import { STEPS } from "../../src/pipeline/steps.ts";
import { aLiveAlert, listStoredMatches, openRatedMarket } from "../support/alerts.ts";
import { drain, process, rawEvent, stepContext } from "../support/drain.ts";
import { borrowTestDatabase } from "../support/shared-store.ts";
import { createTestClock, NOW_MS } from "../support/test-app.ts";
import { openTestDatabase } from "../support/test-database.ts";
import { aGroupEvent, aMessageEvent, SENDER, SESSION_A, SESSION_B } from "../support/waha.ts";

const NOW_S = NOW_MS / 1000;
const POST = {
  rawId: "X1",
  text: "WTS Rolex 126610LN 2024 new full set EUR 9500",
  atS: NOW_S - 5,
} as const;

interface Arriving {
  readonly event: ReturnType<typeof rawEvent>;
  readonly alerting: Alerting;
}

const posted = (session = SESSION_A, receivedAtMs = NOW_MS): Arriving => ({
  event: rawEvent(aMessageEvent({ ...POST, session }), { receivedAtMs }),
  alerting: "window",
});
const fetched = (receivedAtMs = NOW_MS, alerting: Alerting = "window"): Arriving => ({
  event: rawEvent(
    {
      assay_pull: "messages",
      session: SESSION_A.name,
      at_ms: POST.atS * 1000,
      data: [aMessageEvent(POST).payload],
    },
    { origin: "pull", receivedAtMs },
  ),
  alerting,
});

test("a young message fires, whichever of its webhook and the fetch is first, and once", async (t) => {
  const orders: readonly (readonly [string, readonly Arriving[]])[] = [
    ["webhook", [posted()]],
    ["fetch", [fetched()]],
    ["webhook, fetch", [posted(), fetched()]],
    ["fetch, webhook", [fetched(), posted()]],
    ["fetch, webhook of another session", [fetched(), posted(SESSION_B)]],
    ["import, webhook of another session", [fetched(NOW_MS, "never"), posted(SESSION_B)]],
  ];
  for (const [name, order] of orders) {
    await t.test(name, async (t) => {
      const pool = await openRatedMarket(t);
      for (const one of order) await arrive(pool, one);

      assert.deepEqual(await countFired(pool), { matches: 1, fresh: 1 }, name);
    });
  }
});

test("the first receipt decides whether a message is young enough, also if it is read last", async (t) => {
  const late = NOW_MS + 30 * HOUR_MS;
  const orders: readonly (readonly [string, readonly Arriving[], number])[] = [
    ["old webhook, young fetch", [posted(SESSION_B, late), fetched(NOW_MS + HOUR_MS)], 1],
    ["young fetch, old webhook", [fetched(NOW_MS + HOUR_MS), posted(SESSION_B, late)], 1],
    ["old fetch, old webhook", [fetched(late), posted(SESSION_B, late)], 0],
  ];
  for (const [name, order, matches] of orders) {
    await t.test(name, async (t) => {
      const pool = await openRatedMarket(t);
      for (const one of order) await arrive(pool, one);

      assert.equal((await countFired(pool)).matches, matches);
    });
  }
});

test("an import and a replay fire nothing, and after a replay a repeat fires no alert that came after the message", async (t) => {
  const pool = await openRatedMarket(t);
  await arrive(pool, fetched(NOW_MS, "never"));
  const imported = await countFired(pool);
  await arrive(pool, posted());
  await aLiveAlert(pool, { brand: ["Rolex"] });
  await requestReplay(pool, { alerting: "never" });
  await process(pool, []);
  await arrive(pool, posted(SESSION_B));

  assert.equal(imported.matches, 0);
  assert.equal((await countFired(pool)).matches, 1);
});

test("a replay fires what was between two steps when it began, and what was not priced yet", async (t) => {
  for (const stepCount of [1, 2, 3, 4, 5, 6]) {
    await t.test(`after ${stepCount} steps`, async (t) => {
      const pool = await openRatedMarket(t);
      await saveRawEvents(pool, [posted().event], "window");
      const context = await stepContext(pool);
      await runPass(context, { steps: STEPS.slice(0, stepCount) });
      await context.close();

      await requestReplay(pool, { alerting: "never" });
      await process(pool, []);

      assert.deepEqual(
        await countFired(pool),
        { matches: 1, fresh: 1 },
        `after ${stepCount} steps`,
      );
      assert.equal((await pool.query(sql`select from carried_alert`)).length, 0);
    });
  }
});

test("an alert fires whether the name of the group or the number of the sender comes before or after the message", async (t) => {
  const message = aMessageEvent({ ...POST, addressing: "lid" });
  const pair = aMessageEvent({
    rawId: "X0",
    text: "good morning",
    atS: NOW_S - 60,
    addressing: "both",
  });
  const name = aGroupEvent({ name: "Dealers HK", atMs: NOW_MS });
  for (const [place, order] of [
    ["both before", [pair, name, message]],
    ["both after, the number first", [message, pair, name]],
    ["both after, the name first", [message, name, pair]],
  ] as const) {
    await t.test(place, async (t) => {
      const { pool } = await borrowTestDatabase(t);
      await changeShippedRates(pool);
      const isBritish = { country_codes: { include: [SENDER.phone.slice(0, 2)] } };
      await aLiveAlert(pool, { brand: ["Rolex"], ...isBritish });
      await aLiveAlert(pool, { brand: ["Rolex"], group_names: ["Dealers HK"] });
      await aLiveAlert(pool, { q: "full set", ...isBritish }, "message_alert");
      await aLiveAlert(pool, { q: "full set", group_names: ["Dealers HK"] }, "message_alert");
      for (const event of order) await process(pool, [event]);
      await aLiveAlert(pool, { brand: ["Rolex"], group_names: ["Dealers Asia"] });
      await aLiveAlert(pool, { q: "full set", group_names: ["Dealers Asia"] }, "message_alert");
      await process(pool, [aGroupEvent({ name: "Dealers Asia", atMs: NOW_MS + 1 })]);

      const kinds = (await listStoredMatches(pool)).map(({ resource }) => resource).sort();
      assert.deepEqual(kinds, ["message", "message", "watch_listing", "watch_listing"]);
    });
  }
});

test("what moves because contacts merge does not arrive again", async (t) => {
  const { pool } = await openTestDatabase(t);
  await changeShippedRates(pool);
  await aLiveAlert(pool, { q: "nothing" }, "message_alert");
  const arrivals = () =>
    pool.query<{ id: string; at: number }>(sql`
      select listing_id as id, came_sequence as at from fresh_listing
      union all
      select canonical_message_id, came_sequence from fresh_message
      order by at`);
  await process(pool, [aMessageEvent({ ...POST, addressing: "lid" })]);
  const before = await arrivals();
  const alerts = [
    await aLiveAlert(pool, { brand: ["Rolex"] }, "price_alert"),
    await aLiveAlert(pool, { brand: ["Rolex"] }),
    await aLiveAlert(pool, { q: "full set" }, "message_alert"),
  ];

  const pair = {
    rawId: "X0",
    text: "good morning",
    atS: NOW_S - 90_000,
    addressing: "both",
  } as const;
  await process(pool, [aMessageEvent(pair)]);

  const after = await arrivals();
  assert.equal(before.length, 2);
  assert.ok(after.every(({ id }) => before.every((row) => row.id !== id)));
  assert.deepEqual(
    after.map(({ at }) => at),
    before.map(({ at }) => at),
  );
  const matches = await listStoredMatches(pool);
  assert.deepEqual(
    matches.filter(({ alert_id }) => alerts.includes(alert_id)),
    [],
  );
});

test("a name that comes after the alert window has ended fires no alert", async (t) => {
  const { pool } = await openTestDatabase(t);
  await aLiveAlert(pool, { q: "full set", group_names: ["Dealers HK"] }, "message_alert");
  await aLiveAlert(pool, { brand: ["Rolex"], group_names: ["Dealers HK"] });
  await process(pool, [aMessageEvent(POST)]);

  const clock = createTestClock();
  clock.set(NOW_MS + 25 * HOUR_MS);
  await saveRawEvents(
    pool,
    [rawEvent(aGroupEvent({ name: "Dealers HK", atMs: NOW_MS }))],
    "window",
  );
  const context = await stepContext(pool, clock);
  await drain(context);
  await context.close();

  assert.deepEqual(await listStoredMatches(pool), []);
});

async function arrive(pool: DatabasePool, { event, alerting }: Arriving): Promise<void> {
  await saveRawEvents(pool, [event], alerting);
  await process(pool, []);
}

async function countFired(pool: DatabasePool) {
  const [row] = await pool.query<{ matches: number; fresh: number }>(sql`
    select (select count(*) from alert_match)::integer as matches,
           (select count(*) from fresh_listing)::integer as fresh`);
  return { matches: row?.matches ?? 0, fresh: row?.fresh ?? 0 };
}
