import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { sql } from "../../../src/db/sql.ts";
import { anAsk, refresh } from "../../support/pricing.ts";
import { aConfiguration, aMatch, anAlert, aProfile } from "../../support/rows.ts";
import { callAssay } from "../../support/run-assay.ts";
import { borrowTestApp, borrowTestDatabase } from "../../support/shared-store.ts";
import { NOW_MS } from "../../support/test-app.ts";

test("explain shows every number with its formula, and why a listing is left out", async (t) => {
  const { pool, url } = await borrowTestDatabase(t);
  const profile_id = await aProfile(pool, { minimum_listings: 5, lookback_days: 100_000 });
  const inside = await aConfiguration(pool, { profile_id, configuration_key: "inside" });
  await aConfiguration(pool, {
    profile_id,
    configuration_key: "white",
    filters: { dial_type: ["white"], year: { gte: 2024 } },
  });
  await aConfiguration(pool, {
    profile_id,
    configuration_key: "other",
    reference: "126500LN",
    market_reference_normalized: "126500LN",
  });
  for (const [name, market, code] of [
    ["Europe", "EU", "49"],
    ["Asia", "HK", "852"],
  ] as const) {
    await pool.execute(sql`
      insert into market_view (id, name, filters, source_market, created_at_ms, updated_at_ms)
      values (${randomUUID()}, ${name}, ${JSON.stringify({ country_codes: { include: [code] } })}, ${market}, 0, 0)`);
  }
  for (const euros of [10_000, 10_400, 11_000, 10_600])
    await anAsk(pool, euros, { models: [inside] });
  const listingId = await anAsk(pool, 9_000, {
    models: [inside],
    market: "HK",
    columns: { phone_number: "85260000001" },
  });
  await refresh(pool, [inside]);
  const matched = await anAlert(pool, { name: "all Rolex" });
  await aMatch(pool, { alert_id: matched, resource_id: listingId, matched_at_ms: NOW_MS });
  await anAlert(pool, { name: "cheap", filters: { price: { lte: 1 } } });
  await anAlert(pool, {
    name: "far",
    filters: { brand: ["Omega"], reference: ["1"], years: [1999] },
  });
  const environment = { DATABASE_URL: url, ASSAY_ALLOW_UNSAFE_STORE: "true" };

  const { out, code, err } = await callAssay(["explain", listingId], environment);
  const unknown = await callAssay(["explain", randomUUID()], environment);
  const malformed = await callAssay(["explain", "this"], environment);

  assert.equal(code, 0, err);
  for (const line of [
    "Europe (EU): does not match",
    "country_codes: expected 49, found 85260000001",
    "Asia (HK): matches",
    "hk_markup      = 9,000.00 x 5 % + 150.00 = 600.00",
    "comparable_ask = original_ask + hk_markup = 9,600.00",
    "cell 2023 new: available, 5 asks of 100000 days (at least 5), without outliers",
    "plausible asks = 50 % to 300 % of the median of all asks, 10,400.00 = 5,200.00 to 31,200.00\n",
    "counts in it   = yes\n",
    "consumer_max   = 75 % quantile x (100 + 10) % = 11,660.00",
    "maximum_buy    = market_average - minimum_profit = 10,320.00 - 500.00 = 9,820.00",
    "is not above it = 9,209.52",
    "profit_opportunity  = market_average - comparable_ask = 720.00",
    "meets_buy_threshold = 9,600.00 <= 9,820.00: yes",
    "dial_type: expected white, found none",
    "year: expected at least 2024, found 2023",
    "reference: expected 126500LN, found 126610LN",
    `all Rolex (${matched}), market_filter: matched at 2026-11-15T12:00:00.000Z`,
    "price: expected at most 1 in hundredths of EUR, found 900000 in EUR",
  ]) {
    assert.ok(out.includes(line), `${line}\n---\n${out}`);
  }
  assert.ok(!out.includes("far"));
  assert.equal(unknown.code, 1);
  assert.match(unknown.err, /there is no listing with the id/);
  assert.equal(malformed.code, 2);
});

test("explain says that an ask is suspect, with the bounds, the median and what to do", async (t) => {
  const { pool, url } = await borrowTestDatabase(t);
  const id = await aConfiguration(pool, {
    profile_id: await aProfile(pool, { lookback_days: 100_000 }),
  });
  for (const euros of [10_000, 10_400, 11_000]) await anAsk(pool, euros, { models: [id] });
  const misread = await anAsk(pool, 2_024, { models: [id] });
  await refresh(pool, [id]);

  const { out } = await callAssay(["explain", misread], {
    DATABASE_URL: url,
    ASSAY_ALLOW_UNSAFE_STORE: "true",
  });

  for (const line of [
    "of the median of all asks, 10,200.00 = 5,100.00 to 30,600.00: 2,024.00 is suspect",
    `look at its message, and correct it: assay correct ${misread} price='AMOUNT CURRENCY'`,
    "counts in it   = no, it is suspect",
    "meets_buy_threshold = 2,024.00 <= 9,966.67: yes, but the ask is suspect, so it fires no alert",
  ]) {
    assert.ok(out.includes(line), `${line}\n---\n${out}`);
  }
});

test("explain shows the nearest twenty configurations and alerts, says how many more there are, and shows all if asked", async (t) => {
  const { pool, url } = await borrowTestDatabase(t);
  const profile_id = await aProfile(pool, {});
  // The names are in the opposite order of nearness.
  for (let at = 0; at < 60; at += 1) {
    const isNear = at >= 55;
    await aConfiguration(pool, {
      profile_id,
      configuration_key: `${isNear ? "near" : "far"}-${String(at).padStart(2, "0")}`,
      filters: isNear ? { year: { gte: 2024 } } : { year: { gte: 2024 }, dial_type: ["white"] },
    });
  }
  for (let at = 0; at < 25; at += 1) {
    await anAlert(pool, { name: `alert ${at}`, filters: { price: { lte: 1 } } });
  }
  const listingId = await anAsk(pool, 9_000, { models: [] });
  const environment = { DATABASE_URL: url, ASSAY_ALLOW_UNSAFE_STORE: "true" };

  const { out } = await callAssay(["explain", listingId], environment);
  const all = await callAssay(["explain", listingId, "--all"], environment);

  const shown = [...out.matchAll(/^ {2}(near|far)-\d\d:/gm)].map((match) => match[1]);
  assert.deepEqual(shown, [
    ...Array.from({ length: 5 }, () => "near"),
    ...Array.from({ length: 15 }, () => "far"),
  ]);
  assert.match(out, /^ {2}and 40 more; --all shows them$/m);
  assert.match(out, /^ {2}and 5 more; --all shows them$/m);
  assert.equal([...all.out.matchAll(/^ {2}(near|far)-\d\d:/gm)].length, 60);
  assert.doesNotMatch(all.out, /more; --all/);
});

test("explain prints the verdicts of the API, and the rate of a price in another currency", async (t) => {
  const { db, url, call } = await borrowTestApp(t);
  const profile_id = await aProfile(db, { minimum_listings: 3, lookback_days: 100_000 });
  const silent = await aConfiguration(db, { profile_id, buy_signals_enabled: false });
  await aConfiguration(db, { profile_id, configuration_key: "queued" });
  const contact_id = randomUUID();
  for (const euros of [10_000, 10_400, 11_000]) await anAsk(db, euros, { models: [silent] });
  const listingId = await anAsk(db, 8_000, {
    models: [silent],
    columns: { contact_id, price_amount_minor: 1_000_000, price_currency: "USD" },
  });
  const later = await anAsk(db, 8_100, {
    models: [silent],
    columns: { contact_id, last_seen_at_ms: NOW_MS + 1 },
  });
  await refresh(db, [silent]);
  await db.execute(sql`
    insert into fx_rate (currency, day, kind, per_eur) values ('USD', '2026-11-14', 'declared', 1.25)`);
  await db.execute(sql`
    insert into market_view (id, name, filters, created_at_ms, updated_at_ms)
    values (${randomUUID()}, 'Old ones', '{"years": [1999]}', 0, 0)`);
  const matched = await anAlert(db, { name: "before", filters: { years: [1999] } });
  await aMatch(db, { alert_id: matched, resource_id: listingId, matched_at_ms: NOW_MS });
  await anAlert(db, { name: "all" });
  await anAlert(db, { name: "off", is_enabled: false, filters: {} });
  await anAlert(db, { name: "buys", strategy: "price_engine", filters: {} });
  await anAlert(db, { name: "dollars", filters: { price: { gte: 2_000_000, currency: "USD" } } });

  const { body } = await call("GET", `/v2/market/listings/${listingId}/explain`);
  const { out } = await callAssay(["explain", listingId], {
    DATABASE_URL: url,
    ASSAY_ALLOW_UNSAFE_STORE: "true",
  });

  const said = [...body.views, ...body.configurations, ...body.alerts].flatMap(
    ({ failures }: { failures: { member: string; expected: string; actual?: string }[] }) =>
      failures.map(
        ({ member, expected, actual = "none" }) =>
          `${member}: expected ${expected}, found ${actual}`,
      ),
  );
  const printed = out.split("\n").map((line) => line.trim());
  assert.deepEqual(
    printed.filter((line) => line.includes(": expected ")),
    said,
  );
  for (const line of [
    "Price 10,000.00 USD / 1.25 (rate of 2026-11-14, declared) = 8,000.00 EUR",
    "there is no source view, so no listing is in any model; declare one",
    "Old ones: does not match",
    `counts in it   = no, ${later} of the same contact counts instead`,
    "source_view: expected a source view that selects the listing, found none",
    `before (${matched}), market_filter: matched at 2026-11-15T12:00:00.000Z, but would not match now`,
    "enabled: expected true, found false",
    "buy_signals_enabled: expected true, found false",
  ]) {
    assert.ok(printed.includes(line), `${line}\n---\n${out}`);
  }
  assert.match(out, /meets_buy_threshold = .*: yes, but buy_signals_enabled is false/);
  assert.match(out, /all \(.*did not match, although its conditions hold/);
});
