import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { findListingModels } from "../../../src/alerts/listing-matches.ts";
import { HOUR_MS } from "../../../src/base/clock.ts";
import type { DatabasePool } from "../../../src/db/database.ts";
import { sql } from "../../../src/db/sql.ts";
import { findConfiguration } from "../../../src/pricing/configurations/configuration-store.ts";
import { anAsk, refresh } from "../../support/pricing.ts";
import { aConfiguration, aListing, aProfile } from "../../support/rows.ts";
import { borrowTestApp } from "../../support/shared-store.ts";
import { NOW_MS, openTestApp } from "../../support/test-app.ts";

const CONFIGURATIONS = "/v2/market/price-engine/configurations";

interface Item {
  readonly id: string;
  readonly configuration_key: string;
}

async function keyed(db: DatabasePool, key: string, columns: object = {}): Promise<string> {
  return aConfiguration(db, { configuration_key: key, ...columns });
}

test("before the first refresh, the cells of overrides are pending and sorted like all cells", async (t) => {
  const { call, db } = await borrowTestApp(t);
  const id = await aConfiguration(db, {
    minimum_profit_overrides: [
      { year: 2022, condition_bucket: "used", amount_eur_minor: 1 },
      { year: 2022, condition_bucket: "new", amount_eur_minor: 2 },
      { year: 2024, condition_bucket: "like_new", amount_eur_minor: 3 },
    ],
  });

  const { body } = await call("GET", `${CONFIGURATIONS}/${id}/cells`);

  const pending = { lookback_days: 30, listing_count: 0, status: "pending" };
  assert.deepEqual(body.items, [
    { year: 2024, condition_bucket: "like_new", ...pending, minimum_profit_eur_minor: 3 },
    { year: 2022, condition_bucket: "new", ...pending, minimum_profit_eur_minor: 2 },
    { year: 2022, condition_bucket: "used", ...pending, minimum_profit_eur_minor: 1 },
  ]);
  assert.equal(body.configuration.cell_status, "pending");
  assert.deepEqual(body.configuration.available_years, []);
  assert.equal(body.is_stale, true);
  assert.equal(body.as_of_ms, NOW_MS - 2000);
});

test("a configuration has all members of the contract, and its label defaults to brand and reference", async (t) => {
  const { call, db } = await borrowTestApp(t);
  const mapping = randomUUID();
  const profile_id = await aProfile(db, { minimum_listings: 1 });
  const id = await aConfiguration(db, {
    profile_id,
    configuration_key: "rolex:126610LN",
    image_url: "https://example.com/a.jpg",
    imported_from_mapping_id: mapping,
    filters: { dial_type: ["black"], mine: 1 },
    filter_summary: "dial black",
    minimum_profit_overrides: [{ year: 2023, condition_bucket: "new", amount_eur_minor: 5 }],
  });
  await anAsk(db, 10_000, { models: [id] });
  await refresh(db, [id]);

  const { body } = await call("GET", `${CONFIGURATIONS}/${id}/cells`);

  assert.deepEqual(body.configuration, {
    id,
    profile_id,
    brand: "Rolex",
    brand_lower: "rolex",
    reference: "126610LN",
    reference_normalized: "126610LN",
    market_reference_normalized: "126610LN",
    filters: { dial_type: ["black"], mine: 1 },
    filter_summary: "dial black",
    minimum_profit_overrides: [{ year: 2023, condition_bucket: "new", amount_eur_minor: 5 }],
    exclude_outliers: true,
    publish_enabled: false,
    buy_signals_enabled: true,
    available_years: [2023],
    cell_status: "available",
    is_stale: false,
    updated_at_ms: NOW_MS - 2000,
    configuration_key: "rolex:126610LN",
    configuration_label: "Rolex 126610LN",
    image_url: "https://example.com/a.jpg",
    imported_from_mapping_id: mapping,
    last_attempt_at_ms: NOW_MS,
    last_success_at_ms: NOW_MS,
  });
  assert.equal(body.as_of_ms, NOW_MS);
});

test("a configuration is stale if its snapshot is too old or older than its last change, also within a millisecond", async (t) => {
  const { call, db, clock } = await openTestApp(t);
  const id = await aConfiguration(db, { updated_at_ms: NOW_MS });
  const listingId = await anAsk(db, 10_000, { models: [id] });
  const isStale = async () => {
    const cells = (await call("GET", `${CONFIGURATIONS}/${id}/cells`)).body;
    const [match] = (await call("GET", `/v2/market/listings/${listingId}/price-engine`)).body.items;
    const [listed] = (await call("GET", CONFIGURATIONS)).body.items;
    const answers = [cells.is_stale, cells.configuration.is_stale, match.is_stale, listed.is_stale];
    assert.equal(new Set(answers).size, 1);
    return answers[0];
  };

  await refresh(db, [id], { clock });
  assert.equal(await isStale(), false);
  await db.execute(sql`update price_configuration set publish_enabled = true where id = ${id}`);
  assert.equal(await isStale(), true);
  await refresh(db, [id], { clock });
  assert.equal(await isStale(), false);
  // The same declaration again changes nothing.
  await db.execute(sql`update price_configuration set publish_enabled = true where id = ${id}`);
  assert.equal(await isStale(), false);
  clock.advance(6 * HOUR_MS);
  assert.equal(await isStale(), false);
  clock.advance(1);
  assert.equal(await isStale(), true);
});

test("the listing endpoint accepts an id from before a merge, and both reads write nothing", async (t) => {
  const { call, db } = await borrowTestApp(t);
  const id = await aConfiguration(db, { profile_id: await aProfile(db, { minimum_listings: 1 }) });
  const listingId = await anAsk(db, 10_000, { models: [id] });
  await refresh(db, [id]);
  const old = randomUUID();
  await db.execute(
    sql`insert into listing_alias (old_id, listing_id) values (${old}, ${listingId})`,
  );

  const byOld = await call("GET", `/v2/market/listings/${old}/price-engine`);
  const byNew = await call("GET", `/v2/market/listings/${listingId}/price-engine`);
  // In a read-only transaction, a write would fail.
  const [matches, cells] = await db.transaction(async (tx) => {
    await tx.script("set transaction read only");
    return [
      (await findListingModels(tx, [listingId])).get(listingId),
      await findConfiguration(tx, id),
    ] as const;
  });

  assert.equal(byOld.body.total, 1);
  assert.deepEqual(byOld.body, byNew.body);
  assert.equal(byOld.body.items[0].configuration_label, "Rolex 126610LN");
  assert.equal(matches?.length, 1);
  assert.equal(cells?.cells.length, 1);
});

test("an older ask of the same contact and one before the look-back still show their model", async (t) => {
  const { call, db } = await borrowTestApp(t);
  const id = await aConfiguration(db, { profile_id: await aProfile(db, { minimum_listings: 1 }) });
  const contact_id = randomUUID();
  await anAsk(db, 10_000, { models: [id], columns: { contact_id } });
  const seenAt = (last_seen_at_ms: number) => ({
    contact_id,
    first_seen_at_ms: last_seen_at_ms,
    last_seen_at_ms,
  });
  const older = await anAsk(db, 9_000, { models: [id], columns: seenAt(NOW_MS - 1) });
  const aged = await anAsk(db, 8_000, { models: [id], columns: seenAt(1) });
  await refresh(db, [id]);

  for (const [listingId, profit] of [
    [older, 100_000],
    [aged, 200_000],
  ]) {
    const { body } = await call("GET", `/v2/market/listings/${listingId}/price-engine`);
    assert.equal(body.items[0].listing_count, 1);
    assert.equal(body.items[0].profit_opportunity_eur_minor, profit);
    assert.equal(body.items[0].meets_buy_threshold, true);
  }
});

test("an insufficient cell returns an item without prices that is not a buy", async (t) => {
  const { call, db } = await borrowTestApp(t);
  const id = await aConfiguration(db);
  const listingId = await anAsk(db, 10_000, { models: [id] });
  await refresh(db, [id]);

  const { body } = await call("GET", `/v2/market/listings/${listingId}/price-engine`);

  const [item] = body.items;
  assert.equal(item.cell_status, "insufficient");
  assert.equal(item.meets_buy_threshold, false);
  for (const member of [
    "market_average_eur_minor",
    "consumer_min_eur_minor",
    "consumer_max_eur_minor",
    "maximum_eu_ask_eur_minor",
    "maximum_hk_ask_eur_minor",
    "profit_opportunity_eur_minor",
  ]) {
    assert.equal(member in item, false, member);
  }
});

test("pages of configurations are sorted by key and have each configuration once", async (t) => {
  const { call, db } = await borrowTestApp(t);
  const profile_id = await aProfile(db);
  const sorted = ["a", "b", "c", "d", "e", "🕐".repeat(500), `${"🕐".repeat(500)}z`];
  for (const key of sorted.toReversed()) await keyed(db, key, { profile_id });

  const keys: string[] = [];
  let cursor = "";
  do {
    const { body } = await call("GET", `${CONFIGURATIONS}?limit=2${cursor}`);
    assert.equal(body.total, sorted.length);
    keys.push(...body.items.map((item: Item) => item.configuration_key));
    cursor = body.next_cursor === undefined ? "" : `&cursor=${body.next_cursor}`;
  } while (cursor !== "");

  assert.deepEqual(keys, sorted);
});

test("configurations can be filtered by brand, reference, status, profile and words", async (t) => {
  const { call, db } = await borrowTestApp(t);
  const profile_id = await aProfile(db, { name: "steel", minimum_listings: 1 });
  const gold = await aProfile(db, { name: "gold" });
  const priced = await keyed(db, "priced", { profile_id, label: "Sub black" });
  const thin = await keyed(db, "thin", { profile_id: gold, filter_summary: "dial black" });
  await keyed(db, "new", {
    profile_id,
    brand: "Patek Philippe",
    brand_lower: "patek philippe",
    reference: "5711/1A-010",
    reference_normalized: "57111A010",
    market_reference_normalized: "57111A",
  });
  await anAsk(db, 10_000, { models: [priced, thin] });
  await refresh(db, [priced, thin]);
  const keysOf = async (query: string) => {
    const { status, body } = await call("GET", `${CONFIGURATIONS}?${query}`);
    assert.equal(status, 200);
    assert.equal(body.total, body.items.length);
    return body.items.map((item: Item) => item.configuration_key);
  };

  assert.deepEqual(await keysOf("brand=PATEK%20philippe"), ["new"]);
  assert.deepEqual(await keysOf("reference=5711%2F1a.010"), ["new"]);
  assert.deepEqual(await keysOf("reference=5711-1A"), ["new"]);
  assert.deepEqual(await keysOf("status=available"), ["priced"]);
  assert.deepEqual(await keysOf("status=insufficient"), ["thin"]);
  assert.deepEqual(await keysOf("status=pending"), ["new"]);
  assert.deepEqual(await keysOf("profile=gold"), ["thin"]);
  assert.deepEqual(await keysOf(`profile=${gold.toUpperCase()}`), ["thin"]);
  assert.deepEqual(await keysOf("q=BLACK"), ["priced", "thin"]);
  assert.deepEqual(await keysOf("q=black%20sub"), ["priced"]);
  assert.deepEqual(await keysOf("brand=none"), []);
});

test("the list refuses a bad filter, limit or cursor", async (t) => {
  const { call, db } = await borrowTestApp(t);
  const profile_id = await aProfile(db);
  for (const key of ["a", "b"]) await keyed(db, key, { profile_id });
  const { next_cursor } = (await call("GET", `${CONFIGURATIONS}?limit=1`)).body;

  for (const query of [
    "limit=0",
    "limit=101",
    "limit=1.5",
    "status=fine",
    "status=gone",
    "brand=",
    "brand=%00",
    "brand=a&brand=b",
    "q=1%202%203%204%205%206%207%208%209",
    "cursor=nonsense",
    `cursor=${Buffer.from("{}").toString("base64url")}`,
    `cursor=${next_cursor}&brand=rolex`,
  ]) {
    const { status, body } = await call("GET", `${CONFIGURATIONS}?${query}`);
    assert.equal(status, 400, query);
    assert.equal(body.error.code, "invalid_payload", query);
  }
  assert.equal((await call("GET", CONFIGURATIONS, {})).status, 401);
});

test("the history of a cell is sorted oldest first and limited to the latest points", async (t) => {
  const { call, db, clock } = await openTestApp(t);
  const id = await aConfiguration(db, { profile_id: await aProfile(db, { minimum_listings: 1 }) });
  const listingId = await anAsk(db, 10_000, { models: [id] });
  for (const price_eur_minor of [1_000_000, 1_100_000, 1_200_000]) {
    await db.execute(
      sql`update listing set price_eur_minor = ${price_eur_minor} where id = ${listingId}`,
    );
    await refresh(db, [id], { clock });
    clock.advance(1000);
  }
  await db.execute(sql`update listing set is_hidden = true where id = ${listingId}`);
  await refresh(db, [id], { clock });
  const history = async (query: string) =>
    (await call("GET", `${CONFIGURATIONS}/${id}/history?year=2023&condition_bucket=new${query}`))
      .body;

  const all = await history("");
  const latest = await history("&limit=2");
  const between = await history(`&from_ms=${NOW_MS + 1000}&to_ms=${NOW_MS + 2000}`);
  const other = (
    await call("GET", `${CONFIGURATIONS}/${id}/history?year=1999&condition_bucket=used`)
  ).body;

  assert.equal(all.total, 4);
  assert.deepEqual(all.items[0], {
    calculated_at_ms: NOW_MS,
    status: "available",
    listing_count: 1,
    market_average_eur_minor: 1_000_000,
    market_median_eur_minor: 1_000_000,
    consumer_min_eur_minor: 1_100_000,
    consumer_max_eur_minor: 1_100_000,
    maximum_buy_eur_minor: 950_000,
  });
  assert.deepEqual(all.items[3], {
    calculated_at_ms: NOW_MS + 3000,
    status: "gone",
    listing_count: 0,
  });
  assert.deepEqual(latest, { items: all.items.slice(2), total: 4, marks: [] });
  assert.deepEqual(between, { items: all.items.slice(1, 3), total: 2, marks: [] });
  assert.deepEqual(other, { items: [], total: 0, marks: [] });
});

test("a history request without a cell, with a bad id or an unknown configuration is refused", async (t) => {
  const { call, db } = await borrowTestApp(t);
  const id = await aConfiguration(db);
  const statusOf = async (path: string) => (await call("GET", `${CONFIGURATIONS}/${path}`)).status;

  assert.equal(await statusOf(`${id}/history`), 400);
  assert.equal(await statusOf(`${id}/history?year=2023`), 400);
  assert.equal(await statusOf(`${id}/history?year=2023&condition_bucket=mint`), 400);
  assert.equal(await statusOf(`${id}/history?year=x&condition_bucket=new`), 400);
  assert.equal(await statusOf(`${id}/history?year=2023&condition_bucket=new&limit=1001`), 400);
  assert.equal(await statusOf("nonsense/history?year=2023&condition_bucket=new"), 400);
  assert.equal(await statusOf(`${randomUUID()}/history?year=2023&condition_bucket=new`), 404);
});

test("a listing that belongs to no model has no items", async (t) => {
  const { call, db } = await borrowTestApp(t);
  const id = await aConfiguration(db);
  await anAsk(db, 10_000, { models: [id] });
  await refresh(db, [id]);

  const { body } = await call("GET", `/v2/market/listings/${await aListing(db)}/price-engine`);

  assert.deepEqual(body, { items: [], total: 0 });
});
