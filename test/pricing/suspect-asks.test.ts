import assert from "node:assert/strict";
import { test } from "node:test";
import { createLogger } from "../../src/base/log.ts";
import type { DatabasePool } from "../../src/db/database.ts";
import { listMigrations, migrate } from "../../src/db/migrate.ts";
import { sql } from "../../src/db/sql.ts";
import { refreshConfigurations } from "../../src/pricing/cells/refresh-configurations.ts";
import { anAsk, refresh, showCells } from "../support/pricing.ts";
import { aConfiguration, anAlert, aProfile } from "../support/rows.ts";
import { borrowTestApp, borrowTestDatabase } from "../support/shared-store.ts";
import { createTestClock, NOW_MS } from "../support/test-app.ts";
import { openTestDatabase } from "../support/test-database.ts";

type Columns = Readonly<Record<string, unknown>>;

async function aConfigurationWith(db: DatabasePool, profile: Columns = {}): Promise<string> {
  return aConfiguration(db, { profile_id: await aProfile(db, profile), exclude_outliers: false });
}

/** Refreshes and returns the listings that are buys. */
async function listBuys(db: DatabasePool, ids: readonly string[]): Promise<readonly string[]> {
  const context = { clock: createTestClock(), log: createLogger("silent") };
  return db.transaction(async (tx) => {
    const { signals } = await refreshConfigurations(tx, ids, context);
    return signals.map(({ listing_id }) => listing_id);
  });
}

async function aFreshAsk(
  db: DatabasePool,
  euros: number,
  ask: Parameters<typeof anAsk>[2],
): Promise<string> {
  const listingId = await anAsk(db, euros, ask);
  await db.execute(
    sql`insert into fresh_listing (listing_id, until_ms) values (${listingId}, ${NOW_MS})`,
  );
  return listingId;
}

async function boundsOf(db: DatabasePool, id: string) {
  const [cell] = await db.query(sql`
    select plausible_min_eur_minor as min, plausible_max_eur_minor as max, ask_median_eur_minor as median,
           suspect_count as count
      from price_cell where configuration_id = ${id}`);
  return { ...cell };
}

test("a misread ask counts in no price and fires nothing, whether it comes first, last or in between", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  const misread = 2_024;
  const cheap = 9_400;
  const asks = [misread, 10_000, cheap, 10_200, 10_400];
  for (const first of asks.keys()) {
    const id = await aConfigurationWith(pool);
    const listings = new Map<number, string>();
    const fired = new Set<string>();
    for (const euros of [...asks.slice(first), ...asks.slice(0, first)]) {
      listings.set(euros, await aFreshAsk(pool, euros, { models: [id] }));
      for (const listingId of await listBuys(pool, [id])) fired.add(listingId);
    }

    assert.deepEqual(await showCells(pool, id), ["2023 new: available 4 1000000"]);
    assert.deepEqual(await boundsOf(pool, id), {
      min: 500_000,
      max: 3_000_000,
      median: 1_000_000,
      count: 1,
    });
    assert.deepEqual([...fired], [listings.get(cheap)]);
  }
});

test("a misread ask that does not count in the cell fires nothing either", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  const careful = await aConfigurationWith(pool);
  const careless = await aConfigurationWith(pool, { implausible_below_bps: 0 });
  const models = [careful, careless];
  for (const euros of [10_000, 10_200, 10_400]) await anAsk(pool, euros, { models });
  const contact_id = "1d5c1b9e-0000-4000-8000-000000000007";
  await anAsk(pool, 10_300, { models, columns: { contact_id } });
  const superseded = await aFreshAsk(pool, 2_024, {
    models,
    columns: { contact_id, first_seen_at_ms: NOW_MS - 1, last_seen_at_ms: NOW_MS - 1 },
  });
  const anonymous = await aFreshAsk(pool, 2_025, { models, columns: { contact_id: null } });

  assert.deepEqual(await listBuys(pool, [careful]), []);
  assert.deepEqual(
    (await listBuys(pool, [careless])).toSorted(),
    [superseded, anonymous].toSorted(),
  );
  assert.equal((await boundsOf(pool, careful))["count"], 0);
});

test("an ask far above the others does not raise the average", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  const id = await aConfigurationWith(pool);
  for (const euros of [10_000, 10_200, 10_400, 78_000]) await anAsk(pool, euros, { models: [id] });

  await listBuys(pool, [id]);

  assert.deepEqual(await showCells(pool, id), ["2023 new: available 3 1020000"]);
});

test("without suspect asks a cell may have too few for prices, and two asks have no bounds", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  const three = await aConfigurationWith(pool);
  const two = await aConfigurationWith(pool, { minimum_listings: 2 });
  await anAsk(pool, 2_024, { models: [three, two] });
  await anAsk(pool, 10_000, { models: [three, two] });
  await anAsk(pool, 10_400, { models: [three] });

  await listBuys(pool, [three, two]);

  assert.deepEqual(await showCells(pool, three), ["2023 new: insufficient 2"]);
  assert.equal((await boundsOf(pool, three))["min"], 500_000);
  assert.deepEqual(await showCells(pool, two), ["2023 new: available 2 601200"]);
  assert.deepEqual(await boundsOf(pool, two), { min: null, max: null, median: null, count: 0 });
});

test("the bounds are those of the profile, and a change of the bounds alone is stored without history", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  const id = await aConfigurationWith(pool, {
    implausible_below_bps: 9_000,
    implausible_above_bps: 11_000,
  });
  for (const euros of [8_000, 10_000, 10_000, 12_000]) await anAsk(pool, euros, { models: [id] });
  await listBuys(pool, [id]);
  const before = await boundsOf(pool, id);
  await pool.execute(sql`update price_profile set implausible_above_bps = 11500`);

  await listBuys(pool, [id]);

  const history = await pool.query(sql`select from price_cell_history`);
  assert.deepEqual(before, { min: 900_000, max: 1_100_000, median: 1_000_000, count: 2 });
  assert.equal((await boundsOf(pool, id))["max"], 1_150_000);
  assert.equal(history.length, 1);
});

test("the API compares a suspect ask like any other and shows no bounds, but its alert is not triggered", async (t) => {
  const { call, db } = await borrowTestApp(t);
  const id = await aConfigurationWith(db);
  await anAlert(db, { strategy: "price_engine", is_system: true, configuration_id: id });
  for (const euros of [10_000, 10_200, 10_400]) await anAsk(db, euros, { models: [id] });
  const misread = await aFreshAsk(db, 2_024, { models: [id] });
  const cheap = await aFreshAsk(db, 9_000, { models: [id] });
  await refresh(db, [id]);

  const { body } = await call("GET", `/v2/market/listings/${misread}/price-engine`);
  const other = await call("GET", `/v2/market/listings/${cheap}/price-engine`);
  const cells = await call("GET", `/v2/market/price-engine/configurations/${id}/cells`);

  const [item] = body.items;
  assert.equal(item.profit_opportunity_eur_minor, 990_000 - 202_400);
  assert.equal(item.meets_buy_threshold, true);
  assert.equal(item.alert.triggered, false);
  assert.equal(other.body.items[0].meets_buy_threshold, true);
  assert.equal(other.body.items[0].alert.triggered, true);
  for (const shown of [item, cells.body.items[0]]) {
    assert.deepEqual(
      Object.keys(shown).filter((name) => /plausible|suspect|ask_median/.test(name)),
      [],
    );
  }
});

test("an update gives existing profiles the defaults and queues every configuration", async (t) => {
  const { pool } = await openTestDatabase(t, { template: "template0" });
  const log = createLogger("silent");
  await migrate(
    pool,
    log,
    listMigrations().filter(({ version }) => version < 22),
  );
  await pool.script(`
    insert into price_profile
    select gen_random_uuid(), 'old', 'live', 30, 3, 50000, 500, 15000, 2500, 7500, 1000, 21600000, 0, 0;
    insert into price_configuration
           (id, configuration_key, profile_id, brand, brand_lower, reference, reference_normalized,
            market_reference_normalized, filters, filter_summary, minimum_profit_overrides, exclude_outliers,
            publish_enabled, buy_signals_enabled, created_at_ms, updated_at_ms)
    select gen_random_uuid(), 'key', id, 'Rolex', 'rolex', '1', '1', '1', '{}', '', '[]', true, true, true, 0, 0
      from price_profile;
    insert into price_cell (configuration_id, year, condition_bucket, status, lookback_days, listing_count,
                            minimum_profit_eur_minor)
    select id, 2023, 'new', 'insufficient', 30, 1, 0 from price_configuration`);

  await migrate(pool, log);

  const [profile] = await pool.query(sql`
    select implausible_below_bps, implausible_above_bps from price_profile`);
  const [cell] = await pool.query(
    sql`select plausible_min_eur_minor, suspect_count from price_cell`,
  );
  const queued = await pool.query(sql`select from refresh_queue`);
  assert.deepEqual({ ...profile }, { implausible_below_bps: 5_000, implausible_above_bps: 30_000 });
  assert.deepEqual({ ...cell }, { plausible_min_eur_minor: null, suspect_count: 0 });
  assert.equal(queued.length, 1);
});
