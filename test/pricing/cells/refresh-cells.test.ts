import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { DAY_MS, HOUR_MS } from "../../../src/base/clock.ts";
import { createLogger } from "../../../src/base/log.ts";
import type { DatabasePool } from "../../../src/db/database.ts";
import { sql } from "../../../src/db/sql.ts";
import { queueRefreshes } from "../../../src/matching/refresh-queue-store.ts";
import { refreshConfigurations } from "../../../src/pricing/cells/refresh-configurations.ts";
import { takeQueuedConfigurations } from "../../../src/pricing/cells/schedule-store.ts";
import { anAsk, refresh, refreshQueued, showCells, showHistory } from "../../support/pricing.ts";
import { aConfiguration, anAlert, aProfile, setColumns } from "../../support/rows.ts";
import { borrowTestDatabase } from "../../support/shared-store.ts";
import { createTestClock, NOW_MS } from "../../support/test-app.ts";
import { openTestDatabase } from "../../support/test-database.ts";

async function configurationOf(db: DatabasePool, id: string) {
  const [row] = await db.query(sql`
    select configuration.*, snapshot.calculated_at_ms, snapshot.source_sequence, snapshot.calculation_version
      from price_configuration as configuration
      left join price_snapshot as snapshot on snapshot.configuration_id = configuration.id
     where configuration.id = ${id}`);
  assert.ok(row);
  return row;
}

test("the worked example has the same cells through the store", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  const id = await aConfiguration(pool, {
    profile_id: await aProfile(pool, { minimum_listings: 5 }),
  });
  for (const euros of [10_000, 10_400, 11_000, 10_600]) await anAsk(pool, euros, { models: [id] });
  await anAsk(pool, 9_000, { models: [id], market: "HK" });

  const report = await refresh(pool, [id]);

  assert.deepEqual(report, { takenCount: 1, failedCount: 0, changedCellCount: 1 });
  const [cell] = await pool.query(sql`select * from price_cell`);
  assert.deepEqual(
    { ...cell },
    {
      configuration_id: id,
      year: 2023,
      condition_bucket: "new",
      status: "available",
      lookback_days: 30,
      listing_count: 5,
      market_average_eur_minor: 1_032_000,
      market_median_eur_minor: 1_040_000,
      consumer_min_eur_minor: 1_100_000,
      consumer_max_eur_minor: 1_166_000,
      minimum_profit_eur_minor: 50_000,
      maximum_buy_eur_minor: 982_000,
      maximum_hk_ask_eur_minor: 920_952,
      plausible_min_eur_minor: 520_000,
      plausible_max_eur_minor: 3_120_000,
      ask_median_eur_minor: 1_040_000,
      suspect_count: 0,
      quartile_low_eur_minor: 1_000_000,
      quartile_high_eur_minor: 1_060_000,
      lowest_ask_eur_minor: 960_000,
      profit_bound_eur_minor: 72_000,
      profit_bound_bps: 697,
    },
  );
  const [highest] = await pool.query<{ sequence: number }>(
    sql`select max(sequence) as sequence from listing`,
  );
  const configuration = await configurationOf(pool, id);
  assert.equal(configuration["source_sequence"], highest?.sequence);
  assert.equal(configuration["calculated_at_ms"], NOW_MS);
  assert.equal(configuration["last_success_at_ms"], NOW_MS);
  assert.equal(configuration["last_attempt_at_ms"], NOW_MS);
  assert.equal(configuration["calculation_version"], "price-engine.v1");
});

test("only visible members with a price, a year and a condition count", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  const id = await aConfiguration(pool);
  const outside = [
    { is_hidden: true },
    { is_revoked: true },
    { side: "want_to_buy" },
    { price_amount_minor: null, price_currency: null, price_eur_minor: null },
    { year: null },
    { condition: null },
    { last_seen_at_ms: NOW_MS - 30 * DAY_MS - 1, first_seen_at_ms: 0, message_timestamp_ms: 0 },
  ];
  for (const columns of outside) await anAsk(pool, 9_000, { models: [id], columns });
  await anAsk(pool, 9_000, { models: [] });
  await anAsk(pool, 9_000, { models: [id], columns: { is_duplicate: true } });

  await refresh(pool, [id]);

  assert.deepEqual(await showCells(pool, id), ["2023 new: insufficient 1"]);
});

test("configurations of one reference keep their own look-backs and members in one batch", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  const short = await aProfile(pool, { lookback_days: 10 });
  const all = await aConfiguration(pool);
  const recent = await aConfiguration(pool, { profile_id: short });
  const few = await aConfiguration(pool);
  const old = {
    last_seen_at_ms: NOW_MS - 20 * DAY_MS,
    first_seen_at_ms: 0,
    message_timestamp_ms: 0,
  };
  await anAsk(pool, 9_000, { models: [all, recent, few] });
  await anAsk(pool, 10_000, { models: [all, recent] });
  const [newest] = await pool.query<{ sequence: number }>(
    sql`select max(sequence) as sequence from listing`,
  );
  await anAsk(pool, 11_000, { models: [all, recent], columns: old });

  await refresh(pool, [all, recent, few]);

  assert.deepEqual(await showCells(pool, few), ["2023 new: insufficient 1"]);
  assert.deepEqual(await showCells(pool, recent), ["2023 new: insufficient 2"]);
  assert.match((await showCells(pool, all)).join(), /^2023 new: available 3/);
  assert.equal((await configurationOf(pool, recent))["source_sequence"], newest?.sequence);
});

test("a refresh without changes writes a snapshot, but no cell and no history", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  const id = await aConfiguration(pool);
  for (const euros of [9_000, 10_000, 11_000]) await anAsk(pool, euros, { models: [id] });
  const clock = createTestClock();
  await refresh(pool, [id], { clock });
  const [before] = await pool.query(sql`select xmin::text, ctid::text from price_cell`);
  clock.advance(1000);

  const report = await refresh(pool, [id], { clock });

  const [after] = await pool.query(sql`select xmin::text, ctid::text from price_cell`);
  assert.equal(report.changedCellCount, 0);
  assert.deepEqual(after, before);
  assert.equal((await showHistory(pool, id)).length, 1);
  assert.equal((await configurationOf(pool, id))["calculated_at_ms"], NOW_MS + 1000);
});

test("a changed listing changes exactly its cells, and each change has a row of history", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  const profile_id = await aProfile(pool, { minimum_listings: 1 });
  const id = await aConfiguration(pool, { profile_id });
  const other = await aConfiguration(pool, { profile_id });
  await anAsk(pool, 8_000, { models: [id, other] });
  await anAsk(pool, 7_000, { models: [id], columns: { year: 2020 } });
  const moving = await anAsk(pool, 10_000, { models: [id] });
  const clock = createTestClock();
  const after = async (change: () => Promise<unknown>) => {
    await change();
    clock.advance(1000);
    const { changedCellCount } = await refresh(pool, [id], { clock });
    return [changedCellCount, ...(await showCells(pool, id))];
  };
  const set = (columns: Record<string, unknown>) => () =>
    pool.execute(sql`update listing set ${setColumns("listing", columns)} where id = ${moving}`);
  await refresh(pool, [id, other], { clock });
  const old = "2020 new: available 1 700000";

  assert.deepEqual(await after(set({ price_eur_minor: 900_000 })), [
    1,
    "2023 new: available 2 850000",
    old,
  ]);
  assert.deepEqual(await after(set({ year: 2024 })), [
    2,
    "2024 new: available 1 900000",
    "2023 new: available 1 800000",
    old,
  ]);
  assert.deepEqual(await after(set({ condition: "USED" })), [
    2,
    "2024 used: available 1 900000",
    "2023 new: available 1 800000",
    old,
  ]);
  assert.deepEqual(await after(set({ is_revoked: true })), [
    1,
    "2023 new: available 1 800000",
    old,
  ]);
  assert.deepEqual(await after(set({ is_revoked: false, year: 2023, condition: "NEW" })), [
    1,
    "2023 new: available 2 850000",
    old,
  ]);
  const aged = { first_seen_at_ms: 0, last_seen_at_ms: clock.nowMs() - 30 * DAY_MS + 1000 };
  assert.deepEqual(await after(set(aged)), [0, "2023 new: available 2 850000", old]);
  assert.deepEqual(await after(async () => undefined), [1, "2023 new: available 1 800000", old]);
  assert.deepEqual(await showHistory(pool, id), [
    "2023 new: available 2 900000",
    old,
    "2023 new: available 2 850000",
    "2024 new: available 1 900000",
    "2023 new: available 1 800000",
    "2024 new: gone 0",
    "2024 used: available 1 900000",
    "2024 used: gone 0",
    "2023 new: available 2 850000",
    "2023 new: available 1 800000",
  ]);
  assert.deepEqual(await showHistory(pool, other), ["2023 new: available 1 800000"]);
});

test("an ask in neither market is in no cell, and an ask in Hong Kong counts with its mark-up", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  const id = await aConfiguration(pool, {
    profile_id: await aProfile(pool, { minimum_listings: 1 }),
  });
  await anAsk(pool, 10_000, { models: [id], market: "HK" });
  await anAsk(pool, 5_000, { models: [] });

  await refresh(pool, [id]);

  assert.deepEqual(await showCells(pool, id), ["2023 new: available 1 1065000"]);
});

test("outliers are left out if the configuration or its filters ask for it", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  const wanted = [
    { exclude_outliers: true },
    { exclude_outliers: false, filters: { exclude_outliers: true } },
    { exclude_outliers: false, filters: { exclude_outliers: false } },
  ];
  const ids = [];
  for (const columns of wanted) ids.push(await aConfiguration(pool, columns));
  for (const euros of [9_000, 9_100, 9_200, 9_300, 19_000]) {
    await anAsk(pool, euros, { models: ids });
  }

  await refresh(pool, ids);

  const counts = await Promise.all(ids.map((id) => showCells(pool, id)));
  assert.deepEqual(counts, [
    ["2023 new: available 4 915000"],
    ["2023 new: available 4 915000"],
    ["2023 new: available 5 1112000"],
  ]);
});

test("a configuration that fails keeps its last good cells and stores the reason; the others are calculated", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  const profile_id = await aProfile(pool, { minimum_listings: 1 });
  const ids = [];
  for (let at = 0; at < 3; at += 1) ids.push(await aConfiguration(pool, { profile_id }));
  const [odd = "", strange = "", good = ""] = ids;
  await anAsk(pool, 10_000, { models: ids });
  const clock = createTestClock();
  await refresh(pool, ids, { clock });
  await anAsk(pool, 11_000, { models: ids });
  const breakBy = (id: string, override: object) =>
    pool.execute(sql`
      update price_configuration
         set minimum_profit_overrides = ${JSON.stringify([override])}
       where id = ${id}`);
  // The calculation rejects one of them, only the store rejects the other.
  await breakBy(odd, { year: 2023, condition_bucket: "mint", amount_eur_minor: 1 });
  await breakBy(strange, { year: 2 ** 40, condition_bucket: "new", amount_eur_minor: 1 });
  clock.advance(1000);

  const report = await refresh(pool, ids, { clock });

  assert.deepEqual(report, { takenCount: 3, failedCount: 2, changedCellCount: 1 });
  assert.deepEqual(await showCells(pool, good), ["2023 new: available 2 1050000"]);
  for (const id of [odd, strange]) {
    assert.deepEqual(await showCells(pool, id), ["2023 new: available 1 1000000"]);
    const configuration = await configurationOf(pool, id);
    assert.equal(configuration["calculated_at_ms"], NOW_MS);
    assert.equal(configuration["last_success_at_ms"], NOW_MS);
    assert.equal(configuration["last_attempt_at_ms"], NOW_MS + 1000);
  }
  assert.match((await configurationOf(pool, odd))["last_refresh_error"] as string, /override/);
  assert.match(
    (await configurationOf(pool, strange))["last_refresh_error"] as string,
    /out of range/,
  );
  await pool.execute(sql`update price_configuration set minimum_profit_overrides = '[]'`);
  await refresh(pool, ids, { clock });
  assert.equal((await configurationOf(pool, odd))["last_refresh_error"], null);
});

test("an error while alerts are fired fails that configuration only", async (t) => {
  const { pool } = await openTestDatabase(t);
  const profile_id = await aProfile(pool, { minimum_listings: 1 });
  const [bad, good] = [
    await aConfiguration(pool, { profile_id }),
    await aConfiguration(pool, { profile_id }),
  ];
  await anAlert(pool, { strategy: "price_engine", is_system: true, configuration_id: bad });
  await pool.script(`
    create function refuse_match() returns trigger language plpgsql as 'begin raise exception ''no''; end';
    create trigger refused before insert on alert_match for each row execute function refuse_match()`);
  await anAsk(pool, 20_000, { models: [bad, good] });
  const cheap = await anAsk(pool, 10_000, { models: [bad, good] });
  await pool.execute(
    sql`insert into fresh_listing (listing_id, until_ms) values (${cheap}, ${NOW_MS})`,
  );

  const report = await refresh(pool, [bad, good]);

  assert.equal(report.failedCount, 1);
  assert.deepEqual(await showCells(pool, bad), []);
  assert.equal((await showCells(pool, good)).length, 1);
});

test("two workers never calculate a configuration at the same time, and a change during a calculation is calculated later", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  const profile_id = await aProfile(pool, { minimum_listings: 1 });
  const [held, free] = [
    await aConfiguration(pool, { profile_id }),
    await aConfiguration(pool, { profile_id }),
  ];
  await anAsk(pool, 20_000, { models: [held, free] });
  const cheap = await anAsk(pool, 10_000, { models: [held] });
  await pool.execute(
    sql`insert into fresh_listing (listing_id, until_ms) values (${cheap}, ${NOW_MS})`,
  );
  let proceed = (): void => undefined;
  const gate = new Promise<void>((resolve) => {
    proceed = resolve;
  });
  let arrive = (): void => undefined;
  const arrived = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  await queueRefreshes(pool, [held], NOW_MS);
  const context = { clock: createTestClock(), log: createLogger("silent") };
  const first = pool.transaction(async (tx) => {
    const ids = await takeQueuedConfigurations(tx, { batchMax: 100 });
    await refreshConfigurations(tx, ids, context);
    arrive();
    await gate;
  });
  await arrived;

  // Waits for the commit of the first worker, which has locked the row.
  const queueing = (async () => {
    await anAsk(pool, 30_000, { models: [held] });
    await queueRefreshes(pool, [held], NOW_MS);
  })();
  const second = await refresh(pool, [free]);
  const third = await refreshQueued(pool);
  proceed();
  await first;
  await queueing;
  const fourth = await refreshQueued(pool);

  assert.equal(second.takenCount, 1);
  assert.equal(third.takenCount, 0);
  assert.equal(fourth.takenCount, 1);
  assert.deepEqual(await showCells(pool, held), ["2023 new: available 3 2000000"]);
});

test("a configuration not tried for an hour is calculated by schedule, and expired fresh listings are deleted", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  const id = await aConfiguration(pool);
  const clock = createTestClock();
  const run = async () => (await refreshQueued(pool, { clock })).takenCount;
  await pool.execute(sql`
    insert into fresh_listing (listing_id, until_ms)
    values (${randomUUID()}, ${NOW_MS}), (${randomUUID()}, ${NOW_MS + HOUR_MS + 1})`);
  const countFresh = async () => (await pool.query(sql`select 1 from fresh_listing`)).length;

  // It was never tried before.
  assert.equal(await run(), 1);
  assert.equal(await countFresh(), 2);
  clock.advance(HOUR_MS);
  assert.equal(await run(), 0);
  assert.equal(await countFresh(), 1);
  clock.advance(1);
  assert.equal(await run(), 1);
  assert.equal((await configurationOf(pool, id))["last_attempt_at_ms"], NOW_MS + HOUR_MS + 1);
});

test("a configuration not tried for an hour gets its turn even if others are queued all the time", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  const clock = createTestClock();
  const of = (reference: string) => ({ market_reference_normalized: reference });
  const busy = [];
  for (const one of ["A", "B", "C"]) busy.push(await aConfiguration(pool, of(one)));
  const quiet = await aConfiguration(pool, {
    ...of("D"),
    last_attempt_at_ms: NOW_MS - HOUR_MS - 1,
  });
  await pool.execute(
    sql`update price_configuration set last_attempt_at_ms = ${NOW_MS} where id = any(${busy}::uuid[])`,
  );

  for (let round = 0; round < 6; round += 1) {
    await queueRefreshes(pool, busy, clock.nowMs());
    await refreshQueued(pool, { clock, batchMax: 2 });
    clock.advance(1);
  }

  const { last_attempt_at_ms } = await configurationOf(pool, quiet);
  assert.ok(Number(last_attempt_at_ms) >= NOW_MS, String(last_attempt_at_ms));
});

test("a batch takes the configurations that wait longest", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  const profile_id = await aProfile(pool);
  const ids = [];
  for (let at = 0; at < 5; at += 1) {
    const id = await aConfiguration(pool, {
      profile_id,
      market_reference_normalized: `R${at}`,
    });
    await queueRefreshes(pool, [id], NOW_MS - at);
    ids.push(id);
  }
  // A configuration that is queued again keeps its place.
  await queueRefreshes(pool, ids, NOW_MS);

  const { takenCount } = await refreshQueued(pool, { batchMax: 2 });

  const left = await pool.query<{ id: string }>(
    sql`select configuration_id as id from refresh_queue`,
  );
  assert.equal(takenCount, 2);
  assert.deepEqual(new Set(left.map(({ id }) => id)), new Set(ids.slice(0, 3)));
});

test("the rules of one reference that send buys are calculated with each other", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  const first = await aConfiguration(pool);
  const sibling = await aConfiguration(pool);
  const silent = await aConfiguration(pool, { buy_signals_enabled: false });
  const other = await aConfiguration(pool, { market_reference_normalized: "126500LN" });
  await queueRefreshes(pool, [first], NOW_MS - 1);
  await queueRefreshes(pool, [sibling, silent, other], NOW_MS);

  await refreshQueued(pool, { batchMax: 1 });

  const left = await pool.query<{ id: string }>(
    sql`select configuration_id as id from refresh_queue`,
  );
  assert.deepEqual(new Set(left.map(({ id }) => id)), new Set([silent, other]));
});
