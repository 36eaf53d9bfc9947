import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { DAY_MS } from "../../src/base/clock.ts";
import type { DatabasePool } from "../../src/db/database.ts";
import { sql } from "../../src/db/sql.ts";
import { saveRawEvents } from "../../src/intake/raw-event-store.ts";
import { aLiveAlert, listStoredMatches } from "../support/alerts.ts";
import { process, rawEvent } from "../support/drain.ts";
import { NOW_MS } from "../support/test-app.ts";
import { openTestDatabase } from "../support/test-database.ts";
import { aMessageEvent, anEditEvent, aRevokeEvent } from "../support/waha.ts";

const NOW_S = NOW_MS / 1000;
const WEEK_S = (7 * DAY_MS) / 1000;
const OLD = "126610LN 2024 full set €12,500\n126710BLRO 2023 full set €9,000";
/** A post of last week, which came then. */
const posted = (text = OLD) =>
  rawEvent(aMessageEvent({ rawId: "POST", text, atS: NOW_S - WEEK_S }), {
    receivedAtMs: NOW_MS - 7 * DAY_MS,
  });
const reply = (text: string, more = {}) =>
  aMessageEvent({ rawId: "REPLY", text, atS: NOW_S - 60, replyTo: "POST", ...more });

test("a reply with a price opens the alert window for its own listing, at its receipt", async (t) => {
  const pool = await openOldMarket(t);

  await process(pool, [reply("126610LN now 9,900")]);
  const first = await listFired(pool);
  await process(pool, [reply("126610LN now 9,800", { rawId: "R2", atS: NOW_S - 30 })]);

  assert.deepEqual(first, ["126610LN"]);
  assert.deepEqual(await listFired(pool), first);
});

test("a reply to an update opens the alert window too", async (t) => {
  const pool = await openOldMarket(t);
  await process(pool, [reply("126610LN now 12,000")]);
  const first = await listFired(pool);

  await process(pool, [reply("now 9,900", { rawId: "R2", replyTo: "REPLY", atS: NOW_S - 30 })]);

  assert.deepEqual(first, []);
  assert.deepEqual(await listFired(pool), ["126610LN"]);
});

test("a reply that came late, was imported, or only says sold fires nothing", async (t) => {
  const pool = await openOldMarket(t);

  await process(pool, [reply("126610LN now 9,900", { atS: NOW_S - WEEK_S + 60 })]);
  await process(pool, [reply("126610LN now 9,800", { rawId: "R2" })], { alerting: "never" });
  await process(pool, [reply("126710BLRO sold", { rawId: "R3" })]);

  assert.deepEqual(await listFired(pool), []);
});

test("an edited reply fires, and a revoked one does not", async (t) => {
  const pool = await openOldMarket(t);
  await process(pool, [reply("126610LN still here")]);

  await process(pool, [anEditEvent({ rawId: "REPLY", text: "126610LN now 9,900", atS: NOW_S })]);
  const edited = await listFired(pool);
  await aLiveAlert(pool, { reference: ["126610LN"], price: { gte: 1_200_000 } });
  await process(pool, [aRevokeEvent({ rawId: "REPLY", atS: NOW_S })]);

  assert.deepEqual(edited, ["126610LN"]);
  assert.deepEqual(await listFired(pool), edited);
});

test("a reply that was imported before fires once it is heard", async (t) => {
  const pool = await openOldMarket(t);
  await process(pool, [reply("126610LN now 9,900")], { alerting: "never" });
  const imported = await listFired(pool);

  await process(pool, [reply("126610LN now 9,900", { event: "message" })]);

  assert.deepEqual(imported, []);
  assert.deepEqual(await listFired(pool), ["126610LN"]);
});

test("a listing that a reply sold is no buy and matches nothing any more", async (t) => {
  const { pool } = await openTestDatabase(t);
  await aLiveAlert(pool, { reference: ["126610LN"] });
  const event = aMessageEvent({ rawId: "POST", text: "126610LN 2024 €9,500", atS: NOW_S - 120 });
  for (const one of [reply("SOLD"), event]) await process(pool, [one]);

  assert.deepEqual(await listFired(pool), []);
});

/** Alerts on cheap watches, and two watches that were posted last week. */
async function openOldMarket(t: TestContext): Promise<DatabasePool> {
  const { pool } = await openTestDatabase(t);
  await saveRawEvents(pool, [posted()], "never");
  await process(pool, []);
  await aLiveAlert(pool, { price: { lte: 1_000_000 } });
  return pool;
}

async function listFired(pool: DatabasePool): Promise<readonly string[]> {
  const ids = (await listStoredMatches(pool)).map(({ listing_id }) => listing_id);
  const rows = await pool.query<{ reference: string }>(
    sql`select reference from listing where id = any(${ids}::uuid[]) order by 1`,
  );
  return rows.map(({ reference }) => reference);
}
