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
import { aCell, aConfiguration, aModel, anAlert, aProfile, aSnapshot } from "../support/rows.ts";
import { borrowTestDatabase } from "../support/shared-store.ts";
import { NOW_MS } from "../support/test-app.ts";

test("a buy fires the system alert of its configuration, with the whole calculation", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  const { configuration, alert } = await aPricedConfiguration(pool);
  const signal = await aSignalFor(pool, configuration, { calculator_mapping_id: randomUUID() });

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
    headline: null,
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

test("an alert that names rules fires by the one with the highest profit, then the lower id, and keeps the headline beside it", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  const [low, left, right] = [
    await aPricedConfiguration(pool, { specificity: 2 }),
    await aPricedConfiguration(pool),
    await aPricedConfiguration(pool),
  ].map(({ configuration }) => configuration) as [string, string, string];
  const named = await anAlert(pool, {
    strategy: "price_engine",
    filters: { configuration_ids: [low, left, right] },
  });
  const signals = await signalsFor(pool, { [low]: 10, [left]: 20, [right]: 20 });

  await fire(pool, signals);

  const match = (await listStoredMatches(pool)).find(({ alert_id }) => alert_id === named);
  assert.equal(match?.match_context["configuration_id"], left < right ? left : right);
  assert.equal(match?.headline?.["configuration_id"], low);
  // The headline is calculated from the stored cell: the ask is 12,500, its average 10,320.
  assert.equal(match?.headline?.["profit_opportunity_eur_minor"], 1_032_000 - 1_250_000);
});

test("an alert that names no rule is judged by the headline, whatever the others say", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  const [plain, dial] = [
    await aPricedConfiguration(pool),
    await aPricedConfiguration(pool, { specificity: 1 }),
  ];
  const anyAlert = await anAlert(pool, { strategy: "price_engine", filters: {} });
  const both = await signalsFor(pool, { [plain.configuration]: 90, [dial.configuration]: 10 });
  const notHeadline = both.filter(
    ({ configuration_id }) => configuration_id !== dial.configuration,
  );

  await fire(pool, notHeadline);
  const before = await listFiredBy(pool, anyAlert);
  await fire(pool, both);

  assert.deepEqual(before, []);
  assert.deepEqual(await listFiredBy(pool, anyAlert), [dial.configuration]);
});

test("a rule without an available cell, or without buy signals, is no headline while another is", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  const [plain, silent, empty, gone] = [
    await aPricedConfiguration(pool),
    await aPricedConfiguration(pool, { specificity: 3, buy_signals_enabled: false }),
    await aPricedConfiguration(pool, { specificity: 2 }),
    await aPricedConfiguration(pool, { specificity: 3, deleted_at_ms: NOW_MS }),
  ];
  const anyAlert = await anAlert(pool, { strategy: "price_engine", filters: {} });
  await pool.execute(sql`
    delete from price_cell where configuration_id = ${empty.configuration}`);
  await aCell(pool, { configuration_id: empty.configuration, ...NO_PRICES });
  const models = [plain, silent, empty, gone].map(({ configuration }) => [configuration, 10]);

  await fire(pool, await signalsFor(pool, Object.fromEntries(models)));

  assert.deepEqual(await listFiredBy(pool, anyAlert), [plain.configuration]);
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
  await aCell(db, { configuration_id: configuration });
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

/** Of a cell with too few asks. */
const NO_PRICES = {
  status: "insufficient",
  listing_count: 1,
  market_average_eur_minor: null,
  market_median_eur_minor: null,
  consumer_min_eur_minor: null,
  consumer_max_eur_minor: null,
  maximum_buy_eur_minor: null,
  maximum_hk_ask_eur_minor: null,
};

/** The buys of one listing by its configurations, each with its profit. */
async function signalsFor(
  db: Database,
  profits: Readonly<Record<string, number>>,
): Promise<readonly BuySignal[]> {
  const listing = aListingWith();
  await insertListings(db, [listing]);
  for (const configuration_id of Object.keys(profits)) {
    await aModel(db, { listing_id: listing.id, configuration_id, source_market: "EU" });
  }
  return Object.entries(profits).map(([configuration_id, profit]) =>
    aSignal({
      configuration_id,
      listing_id: listing.id,
      canonical_message_id: listing.canonical_message_id,
      profit_opportunity_eur_minor: profit,
    }),
  );
}

async function aSignalFor(
  db: Database,
  configuration_id: string,
  columns: Partial<BuySignal> = {},
): Promise<BuySignal> {
  const [signal = aSignal()] = await signalsFor(db, { [configuration_id]: 72_000 });
  return { ...signal, ...columns };
}

/** The rules that its matches show. */
async function listFiredBy(db: Database, alertId: string): Promise<readonly unknown[]> {
  const matches = (await listStoredMatches(db)).filter(({ alert_id }) => alert_id === alertId);
  return matches.map(({ match_context }) => match_context["configuration_id"]);
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
