import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { firePriceAlerts } from "../../src/alerts/fire-alerts.ts";
import { HOUR_MS } from "../../src/base/clock.ts";
import type { Database, DatabasePool } from "../../src/db/database.ts";
import { sql } from "../../src/db/sql.ts";
import type { BuySignal } from "../../src/pricing/buy-signal.ts";
import { renewConfigurations } from "../../src/pricing/configurations/configuration-write-store.ts";
import { aLiveAlert, listMiscounted, listStoredMatches } from "../support/alerts.ts";
import { stepContext } from "../support/drain.ts";
import { aListingWith, insertListings } from "../support/listings.ts";
import { aConfiguration, anAlert, aProfile, aSnapshot } from "../support/rows.ts";
import { borrowTestDatabase } from "../support/shared-store.ts";
import { NOW_MS } from "../support/test-app.ts";

test("a buy fires the system alert of its configuration, with the whole calculation", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  const { configuration, alert } = await aPricedConfiguration(pool);
  const listing = await aStoredListing(pool);
  const signal = aSignal({
    listing_id: listing.id,
    canonical_message_id: listing.canonical_message_id,
    configuration_id: configuration,
    calculator_mapping_id: randomUUID(),
  });

  await fire(pool, [signal]);
  await fire(pool, [{ ...signal, profit_opportunity_eur_minor: 99 }]);

  const [match, ...others] = await listStoredMatches(pool);
  assert.deepEqual(others, []);
  const { listing_id, canonical_message_id, came_sequence: _, ...calculation } = signal;
  assert.deepEqual(match, {
    alert_id: alert,
    resource: "watch_listing",
    resource_id: listing_id,
    listing_id,
    canonical_message_id,
    matched_at_ms: NOW_MS,
    seen_at_ms: null,
    match_context: { strategy: "price_engine", ...calculation },
    is_outward: true,
    sequence: match?.sequence,
  });
  assert.deepEqual(await listMiscounted(pool), []);
});

test("a mapping that is not declared is left out", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  const { configuration } = await aPricedConfiguration(pool);

  await fire(pool, [await aSignalFor(pool, configuration)]);

  const [match] = await listStoredMatches(pool);
  assert.ok(match !== undefined && !("calculator_mapping_id" in match.match_context));
});

test("buys of a configuration without buy signals, of a stale snapshot or of a disabled alert fire nothing", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  const silent = await aPricedConfiguration(pool, { buy_signals_enabled: false });
  const changed = await aPricedConfiguration(pool);
  await pool.execute(
    sql`update price_configuration set label = 'x' where id = ${changed.configuration}`,
  );
  const disabled = await aPricedConfiguration(pool);
  await pool.execute(sql`update alert set is_enabled = false where id = ${disabled.alert}`);
  const aged = await aPricedConfiguration(pool);
  const signals = [
    await aSignalFor(pool, silent.configuration),
    await aSignalFor(pool, changed.configuration),
    await aSignalFor(pool, disabled.configuration),
    await aSignalFor(pool, aged.configuration, { snapshot_at_ms: NOW_MS - 6 * HOUR_MS - 1 }),
  ];

  await fire(pool, signals);

  assert.deepEqual(await listStoredMatches(pool), []);
});

test("a listing that arrived before an alert was created, changed or enabled again does not fire it", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  const { configuration, alert } = await aPricedConfiguration(pool);
  const signal = await aSignalFor(pool, configuration, { came_sequence: await arriveNow(pool) });
  await pool.execute(sql`update alert set is_enabled = false where id = ${alert}`);
  await pool.execute(sql`update alert set is_enabled = true where id = ${alert}`);
  await fire(pool, [signal]);
  const before = await listStoredMatches(pool);

  await fire(pool, [{ ...signal, came_sequence: await arriveNow(pool) }]);

  assert.deepEqual(before, []);
  assert.equal((await listStoredMatches(pool)).length, 1);
});

test("a listing that arrived before its configuration changed fires no alert on it, and one that came later does", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  const { configuration } = await aPricedConfiguration(pool);
  await aLiveAlert(pool, {}, "price_alert");

  const before = await aSignalFor(pool, configuration, { came_sequence: await arriveNow(pool) });
  await renewConfigurations(pool, [configuration]);
  const after = await aSignalFor(pool, configuration, { came_sequence: await arriveNow(pool) });
  await fire(pool, [before, after]);

  const matches = await listStoredMatches(pool);
  assert.deepEqual(
    matches.map(({ resource_id }) => resource_id),
    [after.listing_id, after.listing_id],
  );
});

test("users' alerts fire for the configurations that they name, or for any, if their other members hold", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  const [first, second] = [await aPricedConfiguration(pool), await aPricedConfiguration(pool)];
  const user = (filters: object) => anAlert(pool, { strategy: "price_engine", filters });
  const fitting = [
    first.alert,
    await user({}),
    await user({ configuration_ids: [] }),
    await user({ configuration_ids: [first.configuration.toUpperCase(), randomUUID()] }),
    await aLiveAlert(pool, { brand: ["Rolex"] }, "price_alert"),
    await aLiveAlert(
      pool,
      { configuration_ids: [first.configuration], year: { gte: 2020 } },
      "price_alert",
    ),
  ];
  await user({ configuration_ids: [second.configuration] });
  await aLiveAlert(pool, { brand: ["Omega"] }, "price_alert");
  await aLiveAlert(
    pool,
    { configuration_ids: [second.configuration], year: { gte: 2020 } },
    "price_alert",
  );
  await anAlert(pool, { strategy: "price_engine", filters: {}, is_enabled: false });
  await aLiveAlert(pool, {}, "alert");

  await fire(pool, [await aSignalFor(pool, first.configuration)]);

  const matches = await listStoredMatches(pool);
  assert.deepEqual(matches.map(({ alert_id }) => alert_id).sort(), fitting.toSorted());
});

test("of several configurations the match shows the one with the highest profit, then the lower id", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  const configurations = [
    await aPricedConfiguration(pool),
    await aPricedConfiguration(pool),
    await aPricedConfiguration(pool),
  ];
  const [low, left = "", right = ""] = configurations.map(({ configuration }) => configuration);
  const anyAlert = await anAlert(pool, { strategy: "price_engine", filters: {} });
  const listing = await aStoredListing(pool);
  const signalOf = (configuration_id: string | undefined, profit: number) =>
    aSignal({
      listing_id: listing.id,
      canonical_message_id: listing.canonical_message_id,
      configuration_id: configuration_id ?? "",
      profit_opportunity_eur_minor: profit,
    });

  await fire(pool, [signalOf(low, 10), signalOf(left, 20), signalOf(right, 20)]);

  const matches = await listStoredMatches(pool);
  assert.equal(matches.length, 4);
  const shown = matches.find(({ alert_id }) => alert_id === anyAlert)?.match_context;
  assert.equal(shown?.["configuration_id"], left < right ? left : right);
});

test("a shadow match is not sent; the first live buy sends it", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  const profile = await aProfile(pool, { status: "shadow" });
  const { configuration } = await aPricedConfiguration(pool, { profile_id: profile });
  await pool.execute(sql`
    insert into webhook_target (id, name, url, secret, created_at_ms, updated_at_ms)
    values (${randomUUID()}, 'desk', 'https://example.com', 'whsec_AAAA', 0, 0)`);
  const signal = await aSignalFor(pool, configuration);
  await fire(pool, [signal]);
  const [kept] = await listStoredMatches(pool);
  assert.equal(kept?.is_outward, false);
  assert.equal((await pool.query(sql`select from webhook_delivery`)).length, 0);

  await pool.execute(sql`update price_profile set status = 'live'`);
  await fire(pool, [{ ...signal, profit_opportunity_eur_minor: 1 }]);
  await fire(pool, [signal]);

  const [released, ...others] = await listStoredMatches(pool);
  assert.deepEqual(others, []);
  assert.equal(released?.is_outward, true);
  assert.ok(Number(released?.sequence) > Number(kept?.sequence));
  assert.deepEqual(released?.match_context, kept?.match_context);
  assert.equal((await pool.query(sql`select from webhook_delivery`)).length, 1);
});

test("a buy of a deleted listing fires nothing", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  const { configuration } = await aPricedConfiguration(pool);

  await fire(pool, [aSignal({ configuration_id: configuration })]);

  assert.deepEqual(await listStoredMatches(pool), []);
});

async function fire(pool: DatabasePool, signals: readonly BuySignal[]): Promise<void> {
  const { index, close } = await stepContext(pool);
  await pool.transaction((tx) => firePriceAlerts(tx, signals, { index, nowMs: NOW_MS }));
  await close();
}

async function aPricedConfiguration(db: Database, columns: Readonly<Record<string, unknown>> = {}) {
  const configuration = await aConfiguration(db, columns);
  await aSnapshot(db, configuration);
  const alert = await anAlert(db, {
    strategy: "price_engine",
    is_system: true,
    configuration_id: configuration,
    filters: { configuration_ids: [configuration] },
  });
  return { configuration, alert };
}

/** The next number of an arrival. */
async function arriveNow(db: Database): Promise<number> {
  const [row] = await db.query<{ next: number }>(sql`select nextval('arrival_sequence') as next`);
  return row?.next ?? 0;
}

async function aStoredListing(db: Database) {
  const listing = aListingWith();
  await insertListings(db, [listing]);
  return listing;
}

async function aSignalFor(
  db: Database,
  configuration_id: string,
  columns: Partial<BuySignal> = {},
): Promise<BuySignal> {
  const listing = await aStoredListing(db);
  return aSignal({
    configuration_id,
    listing_id: listing.id,
    canonical_message_id: listing.canonical_message_id,
    ...columns,
  });
}

function aSignal(columns: Partial<BuySignal> = {}): BuySignal {
  return {
    listing_id: randomUUID(),
    canonical_message_id: randomUUID(),
    came_sequence: Number.MAX_SAFE_INTEGER,
    configuration_id: randomUUID(),
    configuration_key: "rolex:126610LN",
    calculator_mapping_id: null,
    brand: "rolex",
    reference: "126610LN",
    year: 2023,
    condition_bucket: "new",
    source_market: "HK",
    baseline_average_eur_minor: 1_032_000,
    baseline_median_eur_minor: 1_040_000,
    original_ask_eur_minor: 900_000,
    hk_markup_eur_minor: 60_000,
    comparable_ask_eur_minor: 960_000,
    profit_opportunity_eur_minor: 72_000,
    minimum_profit_eur_minor: 50_000,
    snapshot_at_ms: NOW_MS,
    source_sequence: 77,
    calculation_version: "price-engine.v1",
    ...columns,
  };
}
