import assert from "node:assert/strict";
import { test } from "node:test";
import { DAY_MS, dayStartOf } from "../../../src/base/clock.ts";
import {
  aCell,
  aConfiguration,
  aGroup,
  aListing,
  aMatch,
  aMessage,
  aModel,
  anAlert,
  aPreset,
  aProfile,
  aRollup,
  aSession,
  aSnapshot,
} from "../../support/rows.ts";
import { borrowTestApp } from "../../support/shared-store.ts";
import { NOW_MS } from "../../support/test-app.ts";

const TODAY_MS = dayStartOf(NOW_MS);

test("an empty store returns empty lists", async (t) => {
  const { call } = await borrowTestApp(t);

  assert.deepEqual((await call("GET", "/v2/alerts")).body, { items: [], total: 0 });
  assert.deepEqual((await call("GET", "/v2/sessions")).body, { items: [] });
  assert.deepEqual((await call("GET", "/v2/outbound/group-presets")).body, { items: [], total: 0 });
});

test("alerts are sorted newest first, and a member without a value is left out", async (t) => {
  const { call, db } = await borrowTestApp(t);
  const old = await anAlert(db, { created_at_ms: NOW_MS - 1, managed_by: "manifest" });
  const [low, high] = [await anAlert(db), await anAlert(db)].sort();

  const { body } = await call("GET", "/v2/alerts");

  assert.equal(body.total, 3);
  assert.deepEqual(
    body.items.map((item: { id: string }) => item.id),
    [low, high, old],
  );
  assert.deepEqual(body.items[2], {
    id: old,
    name: "cheap Submariners",
    enabled: true,
    filters: { brand: ["Rolex"] },
    strategy: "market_filter",
    is_system: false,
    created_at_ms: NOW_MS - 1,
    updated_at_ms: NOW_MS,
    managed_by: "manifest",
  });
});

test("matches are paged newest first, and total counts all that the query selects", async (t) => {
  const { call, db } = await borrowTestApp(t);
  const alertId = await anAlert(db);
  const otherId = await anAlert(db);
  for (let at = 0; at < 7; at += 1) {
    await aMatch(db, {
      alert_id: alertId,
      matched_at_ms: NOW_MS - at,
      seen_at_ms: at < 2 ? NOW_MS : null,
    });
  }
  await aMatch(db, { alert_id: otherId });
  const page = async (query: string) =>
    (await call("GET", `/v2/alerts/${alertId}/matches?${query}`)).body;

  const walked = [];
  for (let offset = 0; offset < 8; offset += 3) {
    const body = await page(`offset=${offset}&limit=3`);
    assert.equal(body.total, 7);
    walked.push(
      ...body.items.map((item: { matched_at_ms: number }) => NOW_MS - item.matched_at_ms),
    );
  }
  const unseen = await page("unseen_only=true&limit=2");
  const beyond = await page("offset=100");
  for (const offset of [2n ** 31n, 2n ** 63n, 10n ** 30n]) {
    const farBeyond = await page(`offset=${offset}`);
    assert.deepEqual(farBeyond, { items: [], total: beyond.total }, String(offset));
  }

  assert.deepEqual(walked, [0, 1, 2, 3, 4, 5, 6]);
  assert.equal(unseen.total, 5);
  assert.deepEqual(
    unseen.items.map((item: { matched_at_ms: number }) => NOW_MS - item.matched_at_ms),
    [2, 3],
  );
  assert.deepEqual(beyond, { items: [], total: 7 });
});

test("a match of a message has no listing, and a seen match has the time", async (t) => {
  const { call, db } = await borrowTestApp(t);
  const alertId = await anAlert(db);
  const message = "0a4f6f2c-5b55-5d0f-8f43-0c9a3f6c1d11";
  await aMatch(db, {
    alert_id: alertId,
    resource: "message",
    resource_id: message,
    listing_id: null,
    canonical_message_id: message,
    seen_at_ms: NOW_MS,
  });

  const { body } = await call("GET", `/v2/alerts/${alertId}/matches`);

  assert.deepEqual(body.items, [
    {
      alert_id: alertId,
      resource: "message",
      resource_id: message,
      canonical_message_id: message,
      matched_at_ms: NOW_MS,
      seen_at_ms: NOW_MS,
      match_context: { strategy: "market_filter" },
    },
  ]);
});

test("cells are returned with their configuration, from one snapshot, newest year first", async (t) => {
  const { call, db } = await borrowTestApp(t);
  const id = await aConfiguration(db, {
    label: "Submariner Date",
    minimum_profit_overrides: [{ year: 2024, condition_bucket: "new", amount_eur_minor: 1 }],
  });
  await aSnapshot(db, id);
  for (const [year, condition_bucket] of [
    [2023, "used"],
    [2023, "new"],
    [2024, "like_new"],
  ] as const) {
    await aCell(db, { configuration_id: id, year, condition_bucket });
  }
  await aCell(db, {
    configuration_id: id,
    year: 2022,
    status: "insufficient",
    listing_count: 1,
    market_average_eur_minor: null,
    market_median_eur_minor: null,
    consumer_min_eur_minor: null,
    consumer_max_eur_minor: null,
    maximum_buy_eur_minor: null,
    maximum_hk_ask_eur_minor: null,
  });

  const { body } = await call("GET", `/v2/market/price-engine/configurations/${id}/cells`);

  assert.deepEqual(
    body.items.map((cell: { year: number; condition_bucket: string }) => [
      cell.year,
      cell.condition_bucket,
    ]),
    [
      [2024, "like_new"],
      [2023, "new"],
      [2023, "used"],
      [2022, "new"],
    ],
  );
  assert.deepEqual(body.items[1], {
    year: 2023,
    condition_bucket: "new",
    lookback_days: 30,
    listing_count: 5,
    status: "available",
    source_sequence: 77,
    calculation_version: "price-engine.v1",
    calculated_at_ms: NOW_MS - 1000,
    market_average_eur_minor: 1_032_000,
    consumer_min_eur_minor: 1_100_000,
    consumer_max_eur_minor: 1_166_000,
    minimum_profit_eur_minor: 50_000,
    maximum_buy_eur_minor: 982_000,
  });
  assert.equal("market_average_eur_minor" in body.items[3], false);
  assert.equal(body.as_of_ms, NOW_MS - 1000);
  assert.equal(body.is_stale, false);
  assert.equal(body.configuration.cell_status, "available");
  assert.deepEqual(body.configuration.available_years, [2024, 2023]);
  assert.equal(body.configuration.configuration_label, "Submariner Date");
  assert.equal("image_url" in body.configuration, false);
});

test("a configuration is pending and stale before its first refresh, as of its last change", async (t) => {
  const { call, db } = await borrowTestApp(t);
  const id = await aConfiguration(db);

  const { body } = await call("GET", `/v2/market/price-engine/configurations/${id}/cells`);

  assert.equal(body.configuration.cell_status, "pending");
  assert.equal(body.is_stale, true);
  assert.equal(body.as_of_ms, NOW_MS - 2000);
  assert.deepEqual(body.items, []);
});

test("a listing is compared with its exact cell, after the mark-up if it is from Hong Kong", async (t) => {
  const { call, db } = await borrowTestApp(t);
  const configurationId = await aConfiguration(db);
  await aSnapshot(db, configurationId);
  await aCell(db, { configuration_id: configurationId });
  const alertId = await anAlert(db, {
    name: "buy",
    is_system: true,
    strategy: "price_engine",
    configuration_id: configurationId,
  });
  const listingId = await aListing(db);
  await aModel(db, {
    listing_id: listingId,
    configuration_id: configurationId,
    source_market: "HK",
  });
  await aMatch(db, { alert_id: alertId, resource_id: listingId });

  const { body } = await call("GET", `/v2/market/listings/${listingId}/price-engine`);

  assert.equal(body.total, 1);
  const [item] = body.items;
  assert.equal(item.original_ask_eur_minor, 900_000);
  assert.equal(item.hk_markup_eur_minor, 60_000);
  assert.equal(item.comparable_ask_eur_minor, 960_000);
  assert.equal(item.profit_opportunity_eur_minor, 72_000);
  assert.equal(item.maximum_eu_ask_eur_minor, 982_000);
  assert.equal(item.maximum_hk_ask_eur_minor, 920_952);
  assert.equal(item.meets_buy_threshold, true);
  assert.deepEqual(item.alert, {
    id: alertId,
    name: "buy",
    enabled: true,
    triggered: true,
    matched_at_ms: NOW_MS,
  });
});

test("a listing without a price, on the wanted side or outside every cell belongs to no model", async (t) => {
  const { call, db } = await borrowTestApp(t);
  const configurationId = await aConfiguration(db);
  await aSnapshot(db, configurationId);
  await aCell(db, { configuration_id: configurationId });
  const outside = [
    { price_amount_minor: null, price_currency: null, price_eur_minor: null },
    { side: "want_to_buy" },
    { year: 2019 },
    { condition: null },
  ];

  for (const columns of outside) {
    const listingId = await aListing(db, columns);
    await aModel(db, {
      listing_id: listingId,
      configuration_id: configurationId,
      source_market: "EU",
    });
    const { status, body } = await call("GET", `/v2/market/listings/${listingId}/price-engine`);
    assert.equal(status, 200);
    assert.deepEqual(body, { items: [], total: 0 });
  }
});

test("a hidden or revoked listing is not found", async (t) => {
  const { call, db } = await borrowTestApp(t);

  for (const columns of [{ is_hidden: true }, { is_revoked: true }]) {
    const listingId = await aListing(db, columns);
    const { status } = await call("GET", `/v2/market/listings/${listingId}/price-engine`);
    assert.equal(status, 404);
  }
});

test("the headline comes first, then the configuration with the highest profit", async (t) => {
  const { call, db } = await borrowTestApp(t);
  const listingId = await aListing(db);
  const profile_id = await aProfile(db);
  const ids: string[] = [];
  for (const [specificity, average] of [
    [0, 1_000_000],
    [3, null],
    [0, 1_100_000],
    [1, 950_000],
  ]) {
    const configuration_id = await aConfiguration(db, { profile_id, specificity });
    ids.push(configuration_id);
    await aSnapshot(db, configuration_id);
    await aCell(db, {
      configuration_id,
      market_average_eur_minor: average,
      status: average === null ? "insufficient" : "available",
    });
    await aModel(db, { listing_id: listingId, configuration_id, source_market: "EU" });
  }

  const { body } = await call("GET", `/v2/market/listings/${listingId}/price-engine`);

  assert.deepEqual(
    body.items.map((item: { configuration_id: string }) => item.configuration_id),
    [ids[3], ids[2], ids[0], ids[1]],
  );
  assert.equal(body.items[3].meets_buy_threshold, false);
});

test("occurrences are counted per day and group, the newest day and the largest group first", async (t) => {
  const { call, db } = await borrowTestApp(t);
  const message = await aMessage(db);
  const [desk, backup] = [
    await aSession(db, { gateway_name: "recv-1", declared_label: "Desk" }),
    await aSession(db, { gateway_name: "recv-2" }),
  ];
  const [beta, alpha] = [
    await aGroup(db, { gateway_name: "Beta" }),
    await aGroup(db, { gateway_name: "Alpha" }),
  ];
  const unnamed = await aGroup(db);
  const rollup = (columns: Record<string, unknown>) =>
    aRollup(db, { canonical_message_id: message, session_ids: [desk], ...columns });
  await rollup({ day_start_ms: TODAY_MS, group_id: beta, occurrence_count: 2, media_count: 1 });
  await rollup({
    day_start_ms: TODAY_MS,
    group_id: alpha,
    occurrence_count: 2,
    session_ids: [backup, desk],
  });
  await rollup({ day_start_ms: TODAY_MS, group_id: unnamed, occurrence_count: 9, edited_count: 3 });
  await rollup({
    day_start_ms: TODAY_MS - DAY_MS,
    group_id: beta,
    first_seen_at_ms: TODAY_MS - 500,
    last_seen_at_ms: TODAY_MS - 400,
    revoked_count: 1,
  });

  const { body } = await call("GET", `/v2/messages/${message}/occurrences/summary`);

  assert.deepEqual(
    { ...body, days: body.days.length },
    {
      total_count: 14,
      group_count: 3,
      session_count: 2,
      first_seen_at_ms: TODAY_MS - 500,
      last_seen_at_ms: NOW_MS,
      days: 2,
    },
  );
  const [today, yesterday] = body.days;
  assert.deepEqual(
    today.groups.map((group: { group_id: string }) => group.group_id),
    [unnamed, alpha, beta],
  );
  assert.equal("group_name" in today.groups[0], false);
  assert.deepEqual(today.groups[1].session_labels, ["Desk", "recv-2"]);
  assert.equal(yesterday.latest_at_ms, TODAY_MS - 400);
  assert.equal(yesterday.groups[0].revoked_count, 1);
});

test("a message without occurrences has an empty summary", async (t) => {
  const { call, db } = await borrowTestApp(t);
  const message = await aMessage(db);

  const { status, body } = await call("GET", `/v2/messages/${message}/occurrences/summary`);

  assert.equal(status, 200);
  assert.deepEqual(body, { total_count: 0, group_count: 0, session_count: 0, days: [] });
});

test("sessions are sorted by name, have their health, and can be filtered by role", async (t) => {
  const { call, db } = await borrowTestApp(t);
  await aSession(db, {
    gateway_name: "b",
    declared_role: "sending",
    status: "WORKING",
    last_status_at_ms: NOW_MS - 5,
    engine: "NOWEB",
  });
  await aSession(db, {
    gateway_name: "a",
    status: "WORKING",
    last_status_at_ms: NOW_MS - 9_000_000,
    last_message_at_ms: NOW_MS - 7_000_000,
    phone_number: "447700900101",
  });

  const all = (await call("GET", "/v2/sessions")).body.items;
  const sending = (await call("GET", "/v2/sessions?role=sending")).body.items;

  assert.deepEqual(
    all.map((item: Record<string, unknown>) => [item["gateway_name"], item["health_state"]]),
    [
      ["a", "stale"],
      ["b", "healthy"],
    ],
  );
  assert.equal(all[0].can_receive, true);
  assert.equal(all[0].last_activity_at_ms, NOW_MS - 7_000_000);
  assert.equal("label" in all[0], false);
  assert.deepEqual(sending, [all[1]]);
  assert.equal(sending[0].can_send, true);
});

test("a session that delivered a message after its last status works, until a newer status says otherwise", async (t) => {
  const { call, db } = await borrowTestApp(t);
  const message = { last_message_at_ms: NOW_MS - 1_000 };
  await aSession(db, { gateway_name: "a never had one", ...message });
  await aSession(db, {
    gateway_name: "b older",
    status: "FAILED",
    last_status_at_ms: NOW_MS - 2_000,
    ...message,
  });
  await aSession(db, {
    gateway_name: "c newer",
    status: "FAILED",
    last_status_at_ms: NOW_MS - 500,
    ...message,
  });
  await aSession(db, { gateway_name: "d silent" });

  const { items } = (await call("GET", "/v2/sessions")).body;

  assert.deepEqual(
    items.map((item: Record<string, unknown>) => [item["health_state"], item["can_receive"]]),
    [
      ["healthy", true],
      ["healthy", true],
      ["down", false],
      ["down", false],
    ],
  );
});

test("a preset is listed, deleted with 204 and no body, and then not found", async (t) => {
  const { call, db } = await borrowTestApp(t);
  const keep = await aPreset(db, { name: "keep", description: "all of Asia" });
  const drop = await aPreset(db, { name: "drop" });

  const before = (await call("GET", "/v2/outbound/group-presets")).body;
  const deleted = await call("DELETE", `/v2/outbound/group-presets/${drop.toUpperCase()}`);
  const again = await call("DELETE", `/v2/outbound/group-presets/${drop}`);
  const after = (await call("GET", "/v2/outbound/group-presets")).body;

  assert.equal(before.total, 2);
  assert.equal(deleted.status, 204);
  assert.equal(deleted.text, "");
  assert.equal(again.status, 404);
  assert.deepEqual(
    after.items.map((item: { id: string }) => item.id),
    [keep],
  );
  assert.equal(after.items[0].description, "all of Asia");
});
