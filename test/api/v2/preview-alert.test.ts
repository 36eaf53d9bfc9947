import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { DAY_MS, dayStartOf, HOUR_MS } from "../../../src/base/clock.ts";
import type { Database, DatabasePool } from "../../../src/db/database.ts";
import { anAsk, refresh } from "../../support/pricing.ts";
import {
  aConfiguration,
  aGroup,
  aListing,
  aMatch,
  anAlert,
  aProfile,
  insertRows,
} from "../../support/rows.ts";
import { borrowTestApp } from "../../support/shared-store.ts";
import { addToken, NOW_MS } from "../../support/test-app.ts";
import { post } from "../../support/waha.ts";

const PREVIEW = "/v2/alerts/preview";

interface Day {
  readonly day_start_ms: number;
  readonly match_count: number;
  readonly price_basis?: string;
}

const sentAgo = (ms: number) => ({
  message_timestamp_ms: NOW_MS - ms,
  first_seen_at_ms: NOW_MS - ms,
  last_seen_at_ms: NOW_MS - ms,
});

async function aPoint(db: Database, configuration_id: string, columns: object): Promise<void> {
  const row = {
    configuration_id,
    year: 2023,
    condition_bucket: "new",
    status: "available",
    listing_count: 5,
    market_average_eur_minor: 1_050_000,
    ...columns,
  };
  await db.execute(insertRows("price_cell_history", [row]));
}

/** A configuration whose cell is available now, with a maximum of 9,500 and no suspect bounds below. */
async function aMarket(db: DatabasePool): Promise<string> {
  const id = await aConfiguration(db, { profile_id: await aProfile(db) });
  for (let at = 0; at < 4; at += 1) {
    await anAsk(db, 10_000, { models: [id], columns: { ...sentAgo(20 * DAY_MS + at) } });
  }
  await refresh(db, [id]);
  await db.script("delete from price_cell_history");
  return id;
}

test("a preview counts the matches of every day, shows the latest, and names alerts that matched the same", async (t) => {
  const app = await borrowTestApp(t);
  const { db } = app;
  const old = await aListing(db, sentAgo(31 * DAY_MS));
  const first = await aListing(db, sentAgo(2 * DAY_MS));
  const second = await aListing(db, sentAgo(HOUR_MS));
  await aListing(db, { ...sentAgo(HOUR_MS), brand_folded: "omega" });
  await aListing(db, { ...sentAgo(HOUR_MS), is_duplicate: true });
  const busy = await anAlert(db, { name: "busy" });
  const quiet = await anAlert(db, { name: "quiet" });
  for (const resource_id of [first, second, old]) await aMatch(db, { alert_id: busy, resource_id });
  await aMatch(db, { alert_id: quiet, resource_id: first });

  const { status, body } = await post(app, PREVIEW, { filters: { brand: ["Rolex"] } });

  assert.equal(status, 200);
  assert.equal(body.total, 2);
  assert.equal(body.is_exact, true);
  assert.deepEqual(
    body.items.map(({ id }: { id: string }) => id),
    [second, first],
  );
  assert.deepEqual(body.overlaps, [
    { alert_id: busy, name: "busy", shared_count: 2 },
    { alert_id: quiet, name: "quiet", shared_count: 1 },
  ]);
  assert.equal(body.days.length, 31);
  assert.equal(body.days[0].day_start_ms, dayStartOf(NOW_MS) - 30 * DAY_MS);
  assert.deepEqual(
    body.days.filter(({ match_count }: Day) => match_count > 0),
    [
      { day_start_ms: dayStartOf(NOW_MS - 2 * DAY_MS), match_count: 1 },
      { day_start_ms: dayStartOf(NOW_MS), match_count: 1 },
    ],
  );
  const found = await post(app, "/v2/market/listings/search", { filters: { brand: ["Rolex"] } });
  assert.deepEqual(body.items[0], found.body.items[0]);
});

test("a view narrows the preview, and a period bounds it", async (t) => {
  const app = await borrowTestApp(t);
  await aListing(app.db, sentAgo(2 * DAY_MS));
  await aListing(app.db, { ...sentAgo(40 * DAY_MS), year: 2020 });
  const view_id = randomUUID();
  await app.db.execute(
    insertRows("market_view", [
      {
        id: view_id,
        name: "older",
        filters: { years: [2020] },
        managed_by: "manifest",
        created_at_ms: NOW_MS,
        updated_at_ms: NOW_MS,
      },
    ]),
  );
  const total = async (body: object) =>
    (await post(app, PREVIEW, { filters: {}, ...body })).body.total;
  const from_ms = NOW_MS - 41 * DAY_MS;

  assert.equal(await total({}), 1);
  assert.equal(await total({ from_ms }), 2);
  assert.equal(await total({ from_ms, view_id }), 1);
  assert.equal(await total({ from_ms, to_ms: NOW_MS - 3 * DAY_MS }), 1);
  assert.equal(await total({ from_ms: NOW_MS, to_ms: NOW_MS - DAY_MS }), 0);
  assert.equal(await total({ view_id }), 0);
});

test("a group filter counts a listing on the day on which it came to the group", async (t) => {
  const app = await borrowTestApp(t);
  const { db } = app;
  const groups = [await aGroup(db, { name: "First" }), await aGroup(db, { name: "Second" })];
  const canonical_message_id = randomUUID();
  const posts = [5, 2].map((days, at) => ({
    id: randomUUID(),
    group_id: groups[at],
    raw_id: randomUUID(),
    sent_at_ms: NOW_MS - days * DAY_MS,
    sender_ids: [],
    is_own: false,
    has_media: false,
    is_revoked: false,
    is_edited: false,
    session_ids: [],
    canonical_message_id,
  }));
  await db.execute(insertRows("occurrence", posts));
  await aListing(db, {
    ...sentAgo(5 * DAY_MS),
    last_seen_at_ms: NOW_MS - 2 * DAY_MS,
    canonical_message_id,
    group_ids: groups,
  });
  const dayOf = async (filters: object) => {
    const { days } = (await post(app, PREVIEW, { filters })).body;
    return days
      .filter(({ match_count }: Day) => match_count > 0)
      .map(({ day_start_ms }: Day) => (dayStartOf(NOW_MS) - day_start_ms) / DAY_MS);
  };

  assert.deepEqual(await dayOf({}), [5]);
  assert.deepEqual(await dayOf({ group_names: ["first"] }), [5]);
  assert.deepEqual(await dayOf({ group_names: ["SECOND"] }), [2]);
  assert.deepEqual(await dayOf({ group_ids: [groups[1]] }), [2]);
});

test("a price_engine preview uses the prices of the time, and those of now before there were any", async (t) => {
  const app = await borrowTestApp(t);
  const { db } = app;
  const id = await aMarket(db);
  const points = { calculated_at_ms: NOW_MS - 10 * DAY_MS, maximum_buy_eur_minor: 900_000 };
  await aPoint(db, id, points);
  await aPoint(db, id, { calculated_at_ms: NOW_MS - 5 * DAY_MS, maximum_buy_eur_minor: 970_000 });
  const ask = (euros: number, daysAgo: number, columns: object = {}) =>
    anAsk(db, euros, { models: [id], columns: { ...sentAgo(daysAgo * DAY_MS), ...columns } });
  // The maximum is 9,500 now. It was unknown 15 days ago, 9,000 eight days ago, and 9,700 three days ago.
  const byNow = await ask(9_400, 15);
  await ask(9_600, 15);
  const byThen = await ask(8_900, 8);
  await ask(9_400, 8);
  const rising = await ask(9_600, 5.5);
  const repeated = { ask_key: randomUUID(), price_amount_minor: 960_000, price_currency: "EUR" };
  const late = await ask(9_600, 3, repeated);
  await ask(9_600, 2, { ...repeated, is_duplicate: true });
  await ask(4_000, 3);

  const { status, body } = await post(app, PREVIEW, { strategy: "price_engine", filters: {} });

  assert.equal(status, 200);
  assert.deepEqual(
    body.items.map((item: { id: string }) => item.id),
    [late, rising, byThen, byNow],
  );
  const days = body.days.filter(({ match_count }: Day) => match_count > 0);
  assert.deepEqual(
    days.map(({ day_start_ms, price_basis }: Day) => [
      (dayStartOf(NOW_MS) - day_start_ms) / DAY_MS,
      price_basis,
    ]),
    [
      [15, "current"],
      [8, "recorded"],
      [5, "recorded"],
      [3, "recorded"],
    ],
  );
});

test("a price_engine preview can be restricted to configurations, and reads its other members", async (t) => {
  const app = await borrowTestApp(t);
  const ids = [await aMarket(app.db), await aMarket(app.db)];
  for (const id of ids) await anAsk(app.db, 9_000, { models: [id], columns: sentAgo(HOUR_MS) });
  const total = async (filters: object) =>
    (await post(app, PREVIEW, { strategy: "price_engine", filters })).body.total;

  assert.equal(await total({}), 2);
  assert.equal(await total({ configuration_ids: [ids[0]?.toUpperCase()] }), 1);
  assert.equal(await total({ configuration_ids: ids, condition: ["USED"] }), 0);
});

test("a preview without listings is empty, warns of unknown members, and accepts a read-only token", async (t) => {
  const app = await borrowTestApp(t);
  const readOnly = await addToken(app.db, { isReadOnly: true });

  const { status, body } = await post(app, PREVIEW, { filters: { referense: ["x"] } }, readOnly);
  const strict = await post(app, `${PREVIEW}?strict=true`, { filters: { referense: ["x"] } });
  const priced = await post(app, PREVIEW, { strategy: "price_engine", filters: {} });

  assert.equal(status, 200);
  assert.equal(body.total, 0);
  assert.deepEqual([body.items, body.overlaps, body.is_exact], [[], [], true]);
  assert.match(body.warnings[0], /^filters.referense: unknown member, ignored/);
  assert.equal(strict.status, 400);
  assert.equal(priced.body.days[0].price_basis, "current");
});

test("a preview refuses bad bodies and unknown views", async (t) => {
  const app = await borrowTestApp(t);

  for (const body of [
    {},
    { filters: [] },
    { filters: { year: 2020 } },
    { filters: {}, name: "x" },
    { filters: {}, strategy: "other" },
    { filters: {}, view_id: "x" },
    { filters: {}, from_ms: -1 },
    { filters: {}, from_ms: NOW_MS - 93 * DAY_MS },
    { filters: { resource: "messages" } },
    { filters: { resource: "cars" } },
    { filters: { configuration_ids: [] } },
    { filters: { configuration_ids: ["x"] }, strategy: "price_engine" },
    { filters: { configuration_ids: "x" }, strategy: "price_engine" },
    { filters: { configuration_ids: [randomUUID()] }, strategy: "price_engine" },
  ]) {
    const { status, body: answer } = await post(app, PREVIEW, body);
    assert.equal(status, 400, JSON.stringify(body));
    assert.equal(answer.error.code, "invalid_payload");
  }
  const unknown = await post(app, PREVIEW, { filters: {}, view_id: randomUUID() });
  assert.equal(unknown.status, 404);
  assert.equal(unknown.body.error.code, "view_not_found");
  assert.equal((await post(app, PREVIEW, { filters: {} }, "wrong")).status, 401);
});
