import assert from "node:assert/strict";
import { test } from "node:test";
import type { Database, DatabasePool } from "../../src/db/database.ts";
import type { Alerting } from "../../src/intake/raw-event-store.ts";
import { saveRawEvents } from "../../src/intake/raw-event-store.ts";
import { requestReplay } from "../../src/pipeline/replay.ts";
import { STEPS } from "../../src/pipeline/steps.ts";
import { aLiveAlert, listMiscounted, listStoredMatches } from "../support/alerts.ts";
import { drain, process as processEvents, rawEvent, stepContext } from "../support/drain.ts";
import { borrowTestDatabase } from "../support/shared-store.ts";
import { NOW_MS } from "../support/test-app.ts";
import { openTestDatabase } from "../support/test-database.ts";
import { aMessageEvent, anEditEvent, GROUP } from "../support/waha.ts";

const NOW_S = NOW_MS / 1000;
const HOUR_S = 3600;
const TEXT = "WTS 126610LN 2024 full set HKD 98,500";

test("a message that arrives within the window fires once, however many sessions and repeats report it", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  const [listings, messages] = await twoAlerts(pool);
  const event = aMessageEvent({ text: TEXT, atS: NOW_S - 23 * HOUR_S });

  await processEvents(pool, [event]);
  await processEvents(pool, [{ ...event, id: "evt_again" }]);
  await processEvents(pool, [aMessageEvent({ text: TEXT, rawId: "B", atS: NOW_S - HOUR_S })]);

  const matches = await listStoredMatches(pool);
  assert.deepEqual(matches.map(({ alert_id }) => alert_id).sort(), [listings, messages].sort());
  const [listing] = matches.filter(({ resource }) => resource === "watch_listing");
  assert.equal(listing?.match_context["reference"], "126610LN");
});

test("a message that arrives after the window fires nothing; a new occurrence of it does", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  await twoAlerts(pool);
  await processEvents(pool, [aMessageEvent({ text: TEXT, atS: NOW_S - 24 * HOUR_S - 1 })]);
  assert.deepEqual(await listStoredMatches(pool), []);

  await processEvents(pool, [aMessageEvent({ text: TEXT, rawId: "B", atS: NOW_S - 60 })]);

  assert.equal((await listStoredMatches(pool)).length, 2);
});

test("imports and replays fire nothing, unless with alerts, which also removes the window", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  await twoAlerts(pool);
  const old = aMessageEvent({ text: TEXT, atS: NOW_S - 1000 * HOUR_S });
  const fresh = aMessageEvent({ text: `${TEXT} !`, rawId: "B", atS: NOW_S - 1 });
  await processEvents(pool, [old, fresh], { alerting: "never" });
  await replay(pool, "never");
  assert.deepEqual(await listStoredMatches(pool), []);

  await replay(pool, "always");
  const matches = await listStoredMatches(pool);
  assert.equal(matches.length, 4);

  await replay(pool, "always");
  assert.deepEqual(await listStoredMatches(pool), matches);
  assert.deepEqual(await listMiscounted(pool), []);
});

test("an edit that makes a listing fit fires, if its message is fresh", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  await aLiveAlert(pool, { reference: ["5711/1A-010"] });
  await processEvents(pool, [
    aMessageEvent({ rawId: "A", text: TEXT, atS: NOW_S - 60 }),
    aMessageEvent({ rawId: "B", text: `${TEXT} ok`, atS: NOW_S - 30 * HOUR_S }),
  ]);

  await processEvents(pool, [
    anEditEvent({ rawId: "A", text: "WTS 5711/1A-010 2020 EUR 90,000", atS: NOW_S - 10 }),
    anEditEvent({ rawId: "B", text: "WTS 5711/1A-010 2019 EUR 95,000", atS: NOW_S - 10 }),
  ]);

  assert.equal((await listStoredMatches(pool)).length, 1);
});

test("wherever the pipeline is interrupted, within a step or between two, everything is matched once", async (t) => {
  const { pool } = await openTestDatabase(t, { sessionsMax: 2 });
  const [listings, messages] = await twoAlerts(pool);
  const count = STEPS.length * 2;

  for (let cut = 0; cut < count; cut += 1) {
    const event = aMessageEvent({ rawId: `C${cut}`, text: `${TEXT} no ${cut}`, atS: NOW_S - 60 });
    await saveRawEvents(pool, [rawEvent(event)], "window");
    const context = await stepContext(pool);
    for (const [at, step] of STEPS.entries()) {
      if (at === Math.floor(cut / 2)) {
        // Before its commit everything of the step is lost; after it, nothing.
        if (cut % 2 === 0) await runAndLose(pool, step.run.bind(step), context);
        break;
      }
      await step.run(context, step);
    }
    // A new process, which knows nothing but the store.
    await context.close();
    await processEvents(pool, []);
  }

  const matches = await listStoredMatches(pool);
  assert.equal(matches.filter(({ alert_id }) => alert_id === listings).length, count);
  assert.equal(matches.filter(({ alert_id }) => alert_id === messages).length, count);
  assert.deepEqual(await listMiscounted(pool), []);
});

test("two workers on the same queues create each match once", async (t) => {
  const { pool } = await openTestDatabase(t, { sessionsMax: 8 });
  await twoAlerts(pool);
  const events = Array.from({ length: 40 }, (_, at) =>
    rawEvent(
      aMessageEvent({
        rawId: `W${at}`,
        group: `${GROUP.slice(0, -6)}${at % 3}@g.us`,
        text: `${TEXT} no ${at % 20}`,
        atS: NOW_S - 60 - at,
      }),
    ),
  );
  await saveRawEvents(pool, events, "window");

  await Promise.all([drainOnce(pool), drainOnce(pool)]);
  await drainOnce(pool);

  assert.equal((await listStoredMatches(pool)).length, 40);
  assert.deepEqual(await listMiscounted(pool), []);
});

async function twoAlerts(db: Database): Promise<readonly [string, string]> {
  return [
    await aLiveAlert(db, { reference: ["126610LN"], include_duplicates: true }),
    await aLiveAlert(
      db,
      { text_search: { query: "126610ln 2024", mode: "exact" } },
      "message_alert",
    ),
  ];
}

async function replay(pool: DatabasePool, alerting: Alerting): Promise<void> {
  await requestReplay(pool, { alerting });
  await processEvents(pool, []);
}

async function drainOnce(pool: DatabasePool): Promise<void> {
  const context = await stepContext(pool);
  for (;;) {
    try {
      await drain(context, { batchMax: 5 });
      break;
    } catch (error) {
      if ((error as { code?: unknown }).code !== "40P01") throw error;
    }
  }
  await context.close();
}

type StepRun = (typeof STEPS)[number]["run"];

/** Runs a step up to its commit, which is lost, as in a crash. */
async function runAndLose(
  pool: DatabasePool,
  run: StepRun,
  context: Parameters<StepRun>[0],
): Promise<void> {
  const losing: DatabasePool = {
    ...pool,
    transaction: (work) =>
      pool.transaction(async (tx) => {
        await work(tx);
        throw new Error("lost");
      }),
  };
  await run({ ...context, pool: losing }, { batchMax: 100 }).catch((error: Error) => {
    assert.equal(error.message, "lost");
  });
}
