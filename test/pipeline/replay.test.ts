import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { type TestContext, test } from "node:test";
import type { DatabasePool } from "../../src/db/database.ts";
import { sql } from "../../src/db/sql.ts";
import { saveRawEvents } from "../../src/intake/raw-event-store.ts";
import { requestReplay } from "../../src/pipeline/replay.ts";
import { runRefresh, STEPS } from "../../src/pipeline/steps.ts";
import { dropRebuild, isRebuilding } from "../../src/pricing/cells/schedule-store.ts";
import { listStoredMatches } from "../support/alerts.ts";
import { drain, rawEvent, stepContext } from "../support/drain.ts";
import { aMarketOfDealers, anAskOf, showCells, showHistory } from "../support/pricing.ts";
import { borrowTestDatabase } from "../support/shared-store.ts";
import { createTestClock, NOW_MS } from "../support/test-app.ts";

test("no cell is calculated from half a market, and a new ask is compared with the whole one", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  const { configuration, alert } = await aMarketOfDealers(pool);
  const history = await showHistory(pool, configuration);
  await requestReplay(pool, { alerting: "never" });
  const runRound = await startRounds(t, pool);

  await runRound(2);
  await saveRawEvents(pool, [rawEvent(anAskOf(5, 9_600))], "window");
  await runRound(1);
  await runRound(1);
  const halfway = await showHistory(pool, configuration);
  const half = await pool.query(sql`select from listing_model`);
  while ((await runRound(1)) > 0);

  assert.ok(half.length > 0 && half.length < 5);
  assert.deepEqual(halfway, history);
  assert.deepEqual(await showCells(pool, configuration), ["2023 new: available 5 1012000"]);
  assert.deepEqual(await showHistory(pool, configuration), [
    ...history,
    "2023 new: available 5 1012000",
  ]);
  const [match, ...others] = await listStoredMatches(pool);
  assert.deepEqual(others, []);
  assert.equal(match?.alert_id, alert);
  assert.equal(match?.match_context["baseline_average_eur_minor"], 1_012_000);
});

test("a replay of the same market leaves its cells and their history as they were", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  const { configuration } = await aMarketOfDealers(pool);
  const before = [await showCells(pool, configuration), await showHistory(pool, configuration)];

  await requestReplay(pool, { alerting: "never" });
  const runRound = await startRounds(t, pool);
  while ((await runRound(2)) > 0);

  const after = [await showCells(pool, configuration), await showHistory(pool, configuration)];
  assert.deepEqual(after, before);
  assert.equal((await pool.query(sql`select from market_rebuild`)).length, 0);
});

test("a replay that another one overtakes does not end that one", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  await aMarketOfDealers(pool);

  const first = await requestReplay(pool, { alerting: "never" });
  const second = await requestReplay(pool, { alerting: "never" });
  await dropRebuild(pool, first.rebuildId ?? "");
  const isStillOn = await isRebuilding(pool);
  await dropRebuild(pool, second.rebuildId ?? "");

  assert.deepEqual([isStillOn, await isRebuilding(pool)], [true, false]);
  assert.equal((await requestReplay(pool, { fromMs: 0, alerting: "never" })).rebuildId, undefined);
});

test("a replay ends when all that it queued is processed, also if the queues are never empty", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  const { configuration } = await aMarketOfDealers(pool);
  await requestReplay(pool, { alerting: "never" });
  const context = await stepContext(pool);
  t.after(() => context.close());
  await drain(context, { steps: STEPS.slice(0, -1) });
  const queue = async () => {
    const id = randomUUID();
    await pool.execute(sql`insert into message_queue (canonical_message_id) values (${id})`);
    return id;
  };
  const unqueue = (id: string) =>
    pool.execute(sql`delete from message_queue where canonical_message_id = ${id}`);
  const refresh = async () => (await runRefresh(context, { batchMax: 10 })).takenCount;

  const ofReplay = await queue();
  const taken = [await refresh(), await refresh()];
  const anchors = await pool.query(sql`select from match_anchor`);
  // Before the last message of the replay is read, another one arrives.
  await queue();
  await unqueue(ofReplay);
  taken.push(await refresh());

  assert.deepEqual(taken, [0, 0, 1]);
  assert.ok(anchors.length > 0);
  assert.deepEqual([...(await pool.query(sql`select from match_anchor`))], []);
  assert.deepEqual(await showCells(pool, configuration), ["2023 new: available 4 1025000"]);
});

test("a configuration that is named by id is calculated even while the market is rebuilt", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  const { configuration } = await aMarketOfDealers(pool);
  await requestReplay(pool, { alerting: "never" });
  await pool.execute(sql`insert into refresh_queue values (${configuration}, ${NOW_MS})`);
  const context = await stepContext(pool);
  t.after(() => context.close());

  const all = await runRefresh(context, { batchMax: 10 });
  const asked = await runRefresh(context, { batchMax: 10, configurationIds: [configuration] });

  assert.deepEqual([all.takenCount, asked.takenCount], [0, 1]);
});

/** Runs each step once, a second after the last time, and returns how much they found to do. */
async function startRounds(t: TestContext, pool: DatabasePool) {
  const clock = createTestClock();
  const context = { ...(await stepContext(pool)), clock };
  t.after(() => context.close());
  return async (batchMax: number): Promise<number> => {
    clock.advance(1000);
    let takenCount = 0;
    for (const step of STEPS) takenCount += (await step.run(context, { batchMax })).takenCount;
    return takenCount;
  };
}
