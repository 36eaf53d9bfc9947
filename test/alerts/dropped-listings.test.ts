import assert from "node:assert/strict";
import { test } from "node:test";
import { HOUR_MS } from "../../src/base/clock.ts";
import type { DatabasePool } from "../../src/db/database.ts";
import { sql } from "../../src/db/sql.ts";
import { saveRawEvents } from "../../src/intake/raw-event-store.ts";
import { changeShippedRates } from "../../src/pipeline/change-rates.ts";
import { requestReplay } from "../../src/pipeline/replay.ts";
import { aLiveAlert, listStoredMatches } from "../support/alerts.ts";
import { drain, process, rawEvent, stepContext } from "../support/drain.ts";
import { applyTexts } from "../support/manifest.ts";
import { borrowTestDatabase } from "../support/shared-store.ts";
import { createTestClock, NOW_MS } from "../support/test-app.ts";
import { aMessageEvent, aRevokeEvent, SENDER } from "../support/waha.ts";

const NOW_S = NOW_MS / 1000;
const ask = (euros: number, words = "") =>
  `${words}WTS Rolex 126610LN 2024 new full set EUR ${euros}`;
/** An ask so many hours before now. */
const post = (rawId: string, text: string, hoursAgo: number, more: object = {}) =>
  aMessageEvent({ rawId, text, atS: NOW_S - hoursAgo * 3_600, ...more });

const OLD = post("A", ask(10_000), 40);
const LOWER = post("B", ask(9_000), 1);
const FALLEN = { price_drop_bps: { gte: 500 } };

/** The asks that an alert has matched, in euros. */
async function listFired(pool: DatabasePool, alertId: string): Promise<readonly number[]> {
  const rows = await pool.query<{ euros: number }>(sql`
    select listing.price_amount_minor / 100 as euros
      from alert_match as match
      join listing on listing.id = match.resource_id
     where match.alert_id = ${alertId}
     order by listing.message_timestamp_ms`);
  return rows.map(({ euros }) => euros);
}

test("a fresh ask fires an alert on price drops once, whichever of the two asks arrives first", async (t) => {
  for (const [name, order] of [
    ["the earlier ask first", [OLD, LOWER]],
    ["the lower ask first", [LOWER, OLD]],
    ["with repeats", [LOWER, LOWER, OLD, LOWER, OLD]],
  ] as const) {
    await t.test(name, async (t) => {
      const { pool } = await borrowTestDatabase(t);
      const fallen = await aLiveAlert(pool, FALLEN);
      const far = await aLiveAlert(pool, { price_drop_bps: { gte: 1_001 } });
      for (const event of order) await process(pool, [event]);
      const fired = await listFired(pool, fallen);
      await requestReplay(pool, { alerting: "never" });
      await process(pool, []);

      assert.deepEqual(fired, [9_000]);
      assert.deepEqual(await listFired(pool, fallen), fired);
      assert.deepEqual(await listFired(pool, far), []);
    });
  }
});

test("a drop that shows after the alert window fires nothing", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  const fallen = await aLiveAlert(pool, FALLEN);
  await process(pool, [LOWER]);
  const clock = createTestClock();
  clock.set(NOW_MS + 25 * HOUR_MS);
  await saveRawEvents(pool, [rawEvent(OLD)], "window");
  const context = await stepContext(pool, clock);
  await drain(context);
  await context.close();

  assert.deepEqual(await listFired(pool, fallen), []);
});

test("an alert that was made after the lower ask came does not fire for it", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  const before = await aLiveAlert(pool, FALLEN);
  await process(pool, [LOWER]);
  const after = await aLiveAlert(pool, FALLEN);

  await process(pool, [OLD]);

  assert.deepEqual(await listFired(pool, before), [9_000]);
  assert.deepEqual(await listFired(pool, after), []);
});

test("a reply that lowers the ask fires for the post, and one that raises it does not", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  const fallen = await aLiveAlert(pool, FALLEN);
  await process(pool, [OLD]);
  await process(pool, [post("R1", "now 10,200", 3, { replyTo: "A" })]);
  const raised = await listFired(pool, fallen);

  await process(pool, [post("R2", "now 9,500", 2, { replyTo: "A" })]);

  assert.deepEqual(raised, []);
  assert.deepEqual(await listFired(pool, fallen), [9_500]);
});

test("a repeat of a lowered ask does not fire when the first post is withdrawn", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  const alerts = [await aLiveAlert(pool, FALLEN), await aLiveAlert(pool, { brand: ["Rolex"] })];
  await process(pool, [OLD]);
  await process(pool, [LOWER]);
  await process(pool, [post("C", ask(9_000, "still here: "), 0.5)]);
  const told = await listStoredMatches(pool);

  await process(pool, [aRevokeEvent({ rawId: "B", author: SENDER, atS: NOW_S })]);

  const [repeat] = await pool.query<{ bps: number | null; is_duplicate: boolean }>(sql`
    select price_drop_bps as bps, is_duplicate from listing where not is_revoked and price_amount_minor = 900000`);
  assert.deepEqual(repeat, { bps: 1_000, is_duplicate: false });
  assert.equal(new Set(told.map(({ alert_id }) => alert_id)).size, alerts.length);
  assert.deepEqual(await listStoredMatches(pool), told);
});

const MARKET = `
profiles: [{name: p, status: live, minimum_listings: 3, minimum_profit_eur_minor: 50000}]
views: [{name: EU, source_market: EU, filters: {}}]
configurations: [{profile: p, brand: Rolex, reference: 126610LN}]
alerts: [{name: fallen, strategy: price_engine, filters: {price_drop_bps: {gte: 500}}}]`;

test("a buy that is a price drop fires its alert in any order", async (t) => {
  const others = [1, 2, 3].map((n) =>
    post(`M${n}`, ask(10_000 + n), 2, {
      sender: { phone: `44770090014${n}`, lid: `19990000000024${n}`, name: "D" },
    }),
  );
  for (const [name, order] of [
    ["the lower ask last", [OLD, ...others, LOWER]],
    ["the market last", [LOWER, OLD, ...others]],
    ["the earlier ask last", [...others, LOWER, OLD]],
  ] as const) {
    await t.test(name, async (t) => {
      const { pool } = await borrowTestDatabase(t);
      await changeShippedRates(pool);
      await applyTexts(pool, MARKET);
      for (const event of order) await process(pool, [event]);

      const [alert] = await pool.query<{ id: string }>(sql`
        select id from alert where name = 'fallen'`);
      assert.deepEqual(await listFired(pool, alert?.id ?? ""), [9_000]);
    });
  }
});
