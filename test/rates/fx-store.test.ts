import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { DAY_MS } from "../../src/base/clock.ts";
import type { Database, DatabasePool } from "../../src/db/database.ts";
import { sql } from "../../src/db/sql.ts";
import { examineRates } from "../../src/operations/examine-market.ts";
import { changeRates, changeShippedRates } from "../../src/pipeline/change-rates.ts";
import { STEPS } from "../../src/pipeline/steps.ts";
import { createRateTable } from "../../src/rates/fx.ts";
import { findRates, listFxRates, type NewFxRate } from "../../src/rates/fx-store.ts";
import { aLiveAlert, arrive, aSavedFilter, listStoredMatches } from "../support/alerts.ts";
import { drain, stepContext } from "../support/drain.ts";
import { aListingWith, insertListings } from "../support/listings.ts";
import { aConfiguration } from "../support/rows.ts";
import { borrowTestDatabase } from "../support/shared-store.ts";

const at = (day: string) => Date.parse(`${day}T12:00:00Z`);

test("a declared dollar rate also saves the rates of currencies pegged to it, and repeating it changes nothing", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  const rates = [{ day: "2026-11-13", currency: "USD", per_eur: "1.1762" }];

  const first = await save(pool, rates);
  const second = await save(pool, rates);

  const rateOf = await findRates(pool, [{ currency: "AED", atMs: at("2026-11-14") }]);
  const dirham = rateOf("AED", at("2026-11-14"));
  assert.deepEqual(
    [dirham?.kind, dirham?.digits, dirham?.divisor, dirham?.dayNumber],
    ["pegged", 431_959_450n, 100_000_000n, at("2026-11-13") / DAY_MS - 0.5],
  );
  assert.ok(first.length > 5 && first.every(({ is_new }) => is_new));
  assert.deepEqual(second, []);
});

test("saving another value for a day reports a changed rate, and pegged rates change with it", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  await save(pool, [{ day: "2026-11-13", currency: "USD", per_eur: "1.1" }]);

  const changed = await save(pool, [{ day: "2026-11-13", currency: "USD", per_eur: "1.2" }]);

  const usd = changed.find(({ currency }) => currency === "USD");
  assert.deepEqual([usd?.is_new, usd?.per_eur], [false, "1.2"]);
  assert.equal(changed.find(({ currency }) => currency === "USDT")?.per_eur, "1.2");
});

test("a declared rate of a pegged currency wins on its day, in memory and in SQL", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  await save(pool, [
    { day: "2026-11-13", currency: "AED", per_eur: "4.31" },
    { day: "2026-11-13", currency: "USD", per_eur: "1.1762" },
    { day: "2026-11-16", currency: "USD", per_eur: "1.18" },
  ]);
  await changeShippedRates(pool);

  const inMemory = createRateTable(await listFxRates(pool));
  const asks = ["2026-11-12", "2026-11-13", "2026-11-15", "2026-11-16"].flatMap((day) =>
    ["AED", "USD", "USDT", "HKD", "XXX"].map((currency) => ({ currency, atMs: at(day) })),
  );
  const inStore = await findRates(pool, asks);

  for (const { currency, atMs } of asks) {
    assert.deepEqual(inStore(currency, atMs), inMemory(currency, atMs));
  }
  const kindOf = (day: string) => inMemory("AED", at(day))?.kind;
  assert.deepEqual(["2026-11-12", "2026-11-13", "2026-11-15", "2026-11-16"].map(kindOf), [
    "built_in",
    "declared",
    "declared",
    "pegged",
  ]);
});

test("the rates of a release are saved once, keep declared rates, and do not replace those of a newer release", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  await save(pool, [{ day: "2026-11-02", currency: "USD", per_eur: "9" }]);

  await changeShippedRates(pool);
  const shipped = await listFxRates(pool);
  await pool.execute(
    sql`update fx_rate set per_eur = 5 where kind = 'built_in' and currency = 'USD'`,
  );
  await changeShippedRates(pool);
  const sameRelease = await countUsdAtFive(pool);
  await pool.execute(sql`update fx_release set version = version - 1`);
  await changeShippedRates(pool);

  assert.equal(createRateTable(shipped)("USD", at("2026-11-02"))?.digits, 9n);
  assert.equal(createRateTable(shipped)("USDT", at("2026-10-10"))?.kind, "built_in");
  assert.equal(sameRelease, 35);
  assert.equal(await countUsdAtFive(pool), 0);
  assert.deepEqual(await listFxRates(pool), shipped);
});

test("processes that start at the same time all find the rates of the release", async (t) => {
  const { pool } = await borrowTestDatabase(t);

  await Promise.all([1, 2, 3].map(() => changeShippedRates(pool)));

  assert.ok((await listFxRates(pool)).length > 700);
});

test("a new rate queues the messages of the days for which it counts, and no others", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  const message = () => randomUUID();
  const inHkd = (day: string, canonical_message_id = message()) =>
    aListingWith({ price_currency: "HKD", message_timestamp_ms: at(day), canonical_message_id });
  const listings = [
    inHkd("2026-11-09"),
    inHkd("2026-11-10"),
    inHkd("2026-11-11"),
    inHkd("2026-11-12"),
    aListingWith({ price_currency: "EUR", message_timestamp_ms: at("2026-11-10") }),
    aListingWith({ price_currency: "USD", message_timestamp_ms: at("2026-11-10") }),
  ];
  await insertListings(pool, listings);
  await save(pool, [{ day: "2026-11-12", currency: "HKD", per_eur: "9" }]);
  await pool.execute(sql`delete from message_queue`);

  await save(pool, [{ day: "2026-11-10", currency: "HKD", per_eur: "9.1" }]);

  const queued = await pool.query<{ id: string; alert_ms: number | null }>(sql`
    select canonical_message_id as id, alert_ms from message_queue order by 1 limit 10`);
  const expected = [listings[1], listings[2]].map((listing) => listing?.canonical_message_id);
  assert.deepEqual(new Set(queued.map(({ id }) => id)), new Set(expected));
  assert.ok(queued.every(({ alert_ms }) => alert_ms === null));
});

test("listings are matched again, in every process, when a filter reads them in a currency whose rate changed", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  const configuration = await aConfiguration(pool);
  const usd = { price: { currency: "usd", lte: 1_500_000 } };
  await aSavedFilter(pool, "configuration", configuration, usd);
  await aSavedFilter(pool, "view_eu", randomUUID(), {});
  await aLiveAlert(pool, usd);
  const [early, late, dear, inUsd] = [
    aListingWith({ message_timestamp_ms: at("2026-11-10") }),
    aListingWith({ message_timestamp_ms: at("2026-11-12") }),
    aListingWith({ message_timestamp_ms: at("2026-11-12"), price_eur_minor: 9_000_000 }),
    aListingWith({ message_timestamp_ms: at("2026-11-12"), price_currency: "USD" }),
  ];
  await save(pool, [{ day: "2026-11-10", currency: "USD", per_eur: "1.3" }]);
  await arrive(pool, [early, late, dear, inUsd], null);
  // A process that started earlier and receives no notifications of changes.
  const context = await stepContext(pool);
  t.after(() => context.close());
  const members = async () => {
    await drain(context, { steps: STEPS.filter(({ name }) => name === "match listings") });
    const rows = await pool.query<{ id: string }>(
      sql`select listing_id as id from listing_model order by 1`,
    );
    return new Set(rows.map(({ id }) => id));
  };
  const before = await members();

  await save(pool, [{ day: "2026-11-12", currency: "USD", per_eur: "1.1" }]);
  const queued = await pool.query<{ id: string }>(
    sql`select resource_id as id from match_queue order by 1`,
  );
  const cheap = await members();
  await save(pool, [{ day: "2026-11-10", currency: "USD", per_eur: "1.2" }]);
  const both = await members();
  await save(pool, [{ day: "2026-11-12", currency: "USD", per_eur: "1.21" }]);
  const dearAgain = await members();

  assert.deepEqual(before, new Set([inUsd.id]));
  assert.deepEqual(new Set(queued.map(({ id }) => id)), new Set([late.id, dear.id]));
  assert.deepEqual(cheap, new Set([inUsd.id, late.id]));
  assert.deepEqual(both, new Set([inUsd.id, late.id, early.id]));
  assert.deepEqual(dearAgain, new Set([inUsd.id, early.id]));
  assert.deepEqual(await listStoredMatches(pool), []);
});

test("a rate in a currency that no saved filter uses queues no listing for matching", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  await aLiveAlert(pool, { price: { currency: "USD", lte: 1_500_000 } });
  await insertListings(pool, [aListingWith({ message_timestamp_ms: at("2026-11-12") })]);

  await save(pool, [{ day: "2026-11-12", currency: "GBP", per_eur: "0.9" }]);

  assert.equal((await pool.query(sql`select from match_queue`)).length, 0);
});

test("doctor reports currencies without a rate, with an old rate, and with an approximate rate", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  const none = await examineRates(pool);
  const asked = (price_currency: string, day: string) =>
    aListingWith({ price_currency, message_timestamp_ms: at(day) });
  await insertListings(pool, [
    asked("USD", "2026-11-13"),
    asked("GBP", "2026-11-13"),
    asked("GBP", "2026-11-13"),
    asked("TWD", "2026-11-13"),
    asked("USDT", "2026-11-13"),
  ]);
  await save(pool, [
    { day: "2026-11-13", currency: "USD", per_eur: "1.1762" },
    { day: "2026-11-02", currency: "GBP", per_eur: "0.87" },
  ]);

  const findings = await examineRates(pool);

  assert.deepEqual(none, [{ isFine: true, text: "rates: no listing needs one yet" }]);
  assert.deepEqual(
    findings.map(({ isFine }) => isFine),
    [false, false, true],
  );
  assert.match(findings[0]?.text ?? "", /\(1 in TWD\) have no rate.*fx import/);
  assert.match(findings[1]?.text ?? "", /\(2 in GBP \(up to 11 days old\)\) .*too old/);
  assert.match(findings[2]?.text ?? "", /\(1 in USDT\) .*approximate/);
});

function save(pool: DatabasePool, rates: readonly NewFxRate[]) {
  return pool.transaction((tx) => changeRates(tx, rates));
}

async function countUsdAtFive(db: Database): Promise<number> {
  const [row] = await db.query<{ count: number }>(sql`
    select count(*)::integer as count from fx_rate where currency = 'USD' and per_eur = 5`);
  return row?.count ?? 0;
}
