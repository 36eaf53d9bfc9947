import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { DAY_MS, HOUR_MS } from "../../../src/base/clock.ts";
import type { Database } from "../../../src/db/database.ts";
import { anAsk, refresh } from "../../support/pricing.ts";
import { aConfiguration, aGroup, aProfile, insertRows } from "../../support/rows.ts";
import { borrowTestApp } from "../../support/shared-store.ts";
import { addToken, NOW_MS, openTestApp, type TestApp } from "../../support/test-app.ts";

const CONFIGURATIONS = "/v2/market/price-engine/configurations";
const CELL = "year=2023&condition_bucket=new";

/** An ask whose message was posted so many days ago. */
async function aDatedAsk(
  db: Database & TestApp["db"],
  euros: number,
  options: {
    readonly models: readonly string[];
    readonly daysAgo: readonly number[];
    readonly revokedDaysAgo?: readonly number[];
    readonly columns?: object;
  },
): Promise<string> {
  const times = options.daysAgo.map((days) => NOW_MS - days * DAY_MS);
  const id = randomUUID();
  const group_id = await aGroup(db);
  const listingId = await anAsk(db, euros, {
    models: options.models,
    columns: {
      canonical_message_id: id,
      message_timestamp_ms: Math.min(...times),
      first_seen_at_ms: Math.min(...times),
      last_seen_at_ms: Math.max(...times),
      ...options.columns,
    },
  });
  const occurrence = (is_revoked: boolean) => (days: number) => ({
    id: randomUUID(),
    group_id,
    raw_id: randomUUID(),
    sent_at_ms: NOW_MS - days * DAY_MS,
    sender_ids: [],
    is_own: false,
    has_media: false,
    is_revoked,
    is_edited: false,
    session_ids: [],
    canonical_message_id: id,
  });
  await db.execute(
    insertRows("occurrence", [
      ...options.daysAgo.map(occurrence(false)),
      ...(options.revokedDaysAgo ?? []).map(occurrence(true)),
    ]),
  );
  return listingId;
}

test("the population names every ask of the cell with its role, as of the latest calculation", async (t) => {
  const { call, db, clock } = await openTestApp(t);
  const id = await aConfiguration(db);
  const asks = [];
  for (const euros of [10_000, 10_400, 11_000, 10_600]) {
    asks.push(await anAsk(db, euros, { models: [id] }));
  }
  const hk = await anAsk(db, 9_000, { models: [id], market: "HK" });
  const far = await anAsk(db, 2_024, { models: [id] });
  const seenAt = (days: number) => ({
    first_seen_at_ms: NOW_MS - days * DAY_MS,
    last_seen_at_ms: NOW_MS - days * DAY_MS,
  });
  const aged = await anAsk(db, 10_000, { models: [id], columns: seenAt(31) });
  await anAsk(db, 10_000, { models: [id], columns: seenAt(61) });
  await anAsk(db, 10_000, { models: [id], columns: { year: 2022 } });
  await anAsk(db, 10_000, { models: [id], columns: { condition: "USED" } });
  await anAsk(db, 10_000, { models: [id], columns: { contact_id: null } });
  await anAsk(db, 10_000, { models: [id], columns: { is_hidden: true } });
  await anAsk(db, 10_000, { models: [] });
  await refresh(db, [id]);
  clock.advance(HOUR_MS);

  const { status, body } = await call("GET", `${CONFIGURATIONS}/${id}/population?${CELL}`);

  assert.equal(status, 200);
  assert.equal(body.as_of_ms, NOW_MS);
  assert.equal(body.is_exact, true);
  const roles = new Map(
    body.items.map((item: { listing_id: string; role: string }) => [item.listing_id, item.role]),
  );
  assert.deepEqual(
    roles,
    new Map([
      ...[...asks, hk, far]
        .sort()
        .map((one) => [one, one === far ? "suspect" : "counted"] as const),
      [aged, "aged_out"],
    ]),
  );
  const item = body.items.find(({ listing_id }: { listing_id: string }) => listing_id === hk);
  assert.deepEqual(Object.keys(item).sort(), [
    "comparable_ask_eur_minor",
    "contact_id",
    "full_set_status",
    "is_buy",
    "last_seen_at_ms",
    "listing_id",
    "offer_state",
    "original_ask_eur_minor",
    "role",
    "source_market",
  ]);
  assert.equal(item.original_ask_eur_minor, 900_000);
  assert.equal(item.comparable_ask_eur_minor, 960_000);
  // Q1 10,000 and Q3 10,600.
  assert.equal(body.lower_fence_eur_minor, 910_000);
  assert.equal(body.upper_fence_eur_minor, 1_150_000);
  const cells = (await call("GET", `${CONFIGURATIONS}/${id}/cells`)).body.items;
  const cell = cells.find(
    (one: { year: number; condition_bucket: string }) =>
      one.year === 2023 && one.condition_bucket === "new",
  );
  assert.equal(cell.listing_count, 5);
  assert.equal(cell.market_average_eur_minor, 1_032_000);
});

test("a cell without asks has an empty population, before and after the first calculation", async (t) => {
  const { call, db } = await borrowTestApp(t);
  const id = await aConfiguration(db);

  const before = await call("GET", `${CONFIGURATIONS}/${id}/population?${CELL}`);
  await refresh(db, [id]);
  const after = await call("GET", `${CONFIGURATIONS}/${id}/population?${CELL}`);

  assert.deepEqual(before.body, { items: [], is_exact: true, as_of_ms: NOW_MS });
  assert.deepEqual(after.body, before.body);
});

test("the backcast follows the times at which asks were posted, and ends at the current cell", async (t) => {
  const { call, db } = await borrowTestApp(t);
  const id = await aConfiguration(db, { profile_id: await aProfile(db, { minimum_listings: 1 }) });
  await aDatedAsk(db, 10_000, { models: [id], daysAgo: [50, 45] });
  await aDatedAsk(db, 11_000, { models: [id], daysAgo: [40, 5], revokedDaysAgo: [60] });
  await aDatedAsk(db, 12_000, { models: [id], daysAgo: [3], columns: { is_hidden: true } });
  await refresh(db, [id]);
  const from = NOW_MS - 60 * DAY_MS;

  const { status, body } = await call(
    "GET",
    `${CONFIGURATIONS}/${id}/backcast?${CELL}&from_ms=${from}&step_ms=${10 * DAY_MS}`,
  );

  assert.equal(status, 200);
  assert.equal(body.total, 7);
  assert.equal(body.is_exact, true);
  assert.deepEqual(
    body.items.map(
      (point: {
        calculated_at_ms: number;
        status: string;
        listing_count: number;
        market_average_eur_minor?: number;
      }) => [
        (point.calculated_at_ms - NOW_MS) / DAY_MS,
        point.status,
        point.listing_count,
        point.market_average_eur_minor,
      ],
    ),
    [
      [-60, "gone", 0, undefined],
      [-50, "available", 1, 1_000_000],
      [-40, "available", 2, 1_050_000],
      [-30, "available", 2, 1_050_000],
      [-20, "available", 2, 1_050_000],
      [-10, "available", 1, 1_100_000],
      [0, "available", 1, 1_100_000],
    ],
  );
  const [cell] = (await call("GET", `${CONFIGURATIONS}/${id}/cells`)).body.items;
  const last = body.items.at(-1);
  for (const member of [
    "listing_count",
    "market_average_eur_minor",
    "consumer_min_eur_minor",
    "consumer_max_eur_minor",
    "maximum_buy_eur_minor",
  ]) {
    assert.equal(last[member], cell[member], member);
  }
});

test("a backcast has a point a day for 90 days by default, and never one in the future", async (t) => {
  const { call, db } = await borrowTestApp(t);
  const id = await aConfiguration(db);
  const url = `${CONFIGURATIONS}/${id}/backcast?${CELL}`;

  const byDefault = (await call("GET", url)).body;
  const future = (await call("GET", `${url}&to_ms=${NOW_MS + DAY_MS}&from_ms=${NOW_MS}`)).body;
  const reversed = (await call("GET", `${url}&to_ms=${NOW_MS - 1}&from_ms=${NOW_MS}`)).body;

  assert.equal(byDefault.total, 90);
  assert.equal(byDefault.items[0].calculated_at_ms, NOW_MS - 89 * DAY_MS);
  assert.deepEqual(
    future.items.map((point: { calculated_at_ms: number }) => point.calculated_at_ms),
    [NOW_MS],
  );
  assert.deepEqual(reversed, { items: [], total: 0, is_exact: true });
});

test("the cell reads refuse bad ids, queries and too many points, and accept a read-only token", async (t) => {
  const { call, db } = await borrowTestApp(t);
  const id = await aConfiguration(db);
  const headers = { authorization: `Bearer ${await addToken(db, { isReadOnly: true })}` };

  for (const name of ["population", "backcast"]) {
    const url = (of: string, query: string) => `${CONFIGURATIONS}/${of}/${name}?${query}`;
    const unknown = await call("GET", url(randomUUID(), CELL));
    assert.equal(unknown.status, 404);
    assert.equal(unknown.body.error.code, "configuration_not_found");
    for (const bad of [
      url("not-an-id", CELL),
      url(id, ""),
      url(id, "year=2023"),
      url(id, "year=2023&condition_bucket=mint"),
      url(id, "year=x&condition_bucket=new"),
      url(id, "year=0&condition_bucket=new"),
    ]) {
      const { status, body } = await call("GET", bad);
      assert.equal(status, 400, bad);
      assert.equal(body.error.code, "invalid_payload");
    }
    assert.equal((await call("GET", url(id, CELL), headers)).status, 200);
    assert.equal((await call("GET", url(id, CELL), {})).status, 401);
  }
  for (const query of ["step_ms=59999", "from_ms=0", "from_ms=-1", "to_ms=1.5"]) {
    const { status } = await call("GET", `${CONFIGURATIONS}/${id}/backcast?${CELL}&${query}`);
    assert.equal(status, 400, query);
  }
});
