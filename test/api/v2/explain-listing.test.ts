import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import type { Database } from "../../../src/db/database.ts";
import { sql } from "../../../src/db/sql.ts";
import { anAsk, refresh } from "../../support/pricing.ts";
import { aConfiguration, aListing, aMatch, anAlert, aProfile } from "../../support/rows.ts";
import { borrowTestApp } from "../../support/shared-store.ts";
import { addToken, NOW_MS } from "../../support/test-app.ts";

test("a listing's explanation names what it belongs to, and by which clause it misses the rest", async (t) => {
  const { db, call } = await borrowTestApp(t);
  const profile_id = await aProfile(db, { minimum_listings: 5, lookback_days: 100_000 });
  const inside = await aConfiguration(db, { profile_id, label: "inside" });
  const far = await aConfiguration(db, {
    profile_id,
    label: "far",
    filters: { dial_type: ["white"], year: { gte: 2024 } },
  });
  const queued = await aConfiguration(db, { profile_id, label: "queued" });
  await aConfiguration(db, { profile_id, label: "deleted", deleted_at_ms: NOW_MS });
  const europe = await aView(db, "Europe", { country_codes: { include: ["49"] } }, "EU");
  const asia = await aView(db, "Asia", { country_codes: { include: ["852"] } }, "HK");
  for (const euros of [10_000, 10_400, 11_000, 10_600])
    await anAsk(db, euros, { models: [inside] });
  const id = await anAsk(db, 9_000, {
    models: [inside],
    market: "HK",
    columns: { phone_number: "85260000001" },
  });
  await refresh(db, [inside]);
  const alerts = {
    matched: await anAlert(db, { filters: { brand: ["Omega"], reference: ["1"], years: [1999] } }),
    brand: await anAlert(db, { filters: { brand: ["Rolex"] } }),
    buys: await anAlert(db, { strategy: "price_engine", filters: {} }),
    ofFar: await anAlert(db, {
      strategy: "price_engine",
      filters: { configuration_ids: [far] },
    }),
    dollars: await anAlert(db, { filters: { price: { lte: 700_000, currency: "USD" } } }),
    disabled: await anAlert(db, { is_enabled: false, filters: { side: ["for_sale"] } }),
    withView: await anAlert(db, { filters: {}, view_id: europe }),
  };
  await anAlert(db, { filters: { brand: ["Omega"], reference: ["2"], years: [1999] } });
  await anAlert(db, { filters: { resource: "messages" } });
  await db.execute(sql`
    insert into fx_rate (currency, day, kind, per_eur) values ('USD', '2026-08-01', 'declared', 2)`);
  await aMatch(db, { alert_id: alerts.matched, resource_id: id, matched_at_ms: NOW_MS });

  const { status, body } = await call("GET", `/v2/market/listings/${id}/explain`);

  assert.equal(status, 200);
  assert.equal(body.is_exact, true);
  assert.deepEqual(body.views, [
    { id: asia, name: "Asia", is_match: true, failures: [] },
    {
      id: europe,
      name: "Europe",
      is_match: false,
      failures: [{ member: "country_codes", expected: "49", actual: "85260000001" }],
    },
  ]);
  assert.deepEqual(body.configurations, [
    { id: inside, name: "inside", is_match: true, failures: [] },
    {
      id: queued,
      name: "queued",
      is_match: false,
      failures: [{ member: "source_view", expected: "a source view that selects the listing" }],
    },
    {
      id: far,
      name: "far",
      is_match: false,
      failures: [
        { member: "year", expected: "at least 2024", actual: "2023" },
        { member: "dial_type", expected: "white" },
      ],
    },
  ]);
  const shown = new Map<string, { is_match: boolean; failures: unknown; matched_at_ms?: number }>(
    body.alerts.map((alert: { id: string }) => [alert.id, alert]),
  );
  assert.equal(shown.size, Object.keys(alerts).length);
  assert.equal(shown.get(alerts.matched)?.matched_at_ms, NOW_MS);
  assert.equal(shown.get(alerts.matched)?.is_match, false);
  assert.deepEqual(
    [alerts.brand, alerts.buys].map((alert) => shown.get(alert)?.is_match),
    [true, true],
  );
  assert.deepEqual(shown.get(alerts.ofFar)?.failures, [
    { member: "configuration_ids", expected: "a listing of one of its configurations" },
  ]);
  assert.deepEqual(shown.get(alerts.dollars)?.failures, [
    {
      member: "price",
      expected: "at most 700000 in hundredths of USD",
      actual: "900000 in EUR",
    },
  ]);
  assert.deepEqual(shown.get(alerts.disabled)?.failures, [
    { member: "enabled", expected: "true", actual: "false" },
  ]);
  assert.deepEqual(shown.get(alerts.withView)?.failures, body.views[1].failures);
  assert.equal(body.alerts.at(-1).id, alerts.matched);
});

test("a buy of a configuration that sends no buys is explained as such", async (t) => {
  const { db, call } = await borrowTestApp(t);
  const profile_id = await aProfile(db, { minimum_listings: 5, lookback_days: 100_000 });
  const silent = await aConfiguration(db, { profile_id, buy_signals_enabled: false });
  for (const euros of [10_000, 10_400, 11_000, 10_600])
    await anAsk(db, euros, { models: [silent] });
  const buy = await anAsk(db, 8_000, { models: [silent] });
  const dear = await anAsk(db, 11_200, { models: [silent] });
  await refresh(db, [silent]);
  await anAlert(db, { strategy: "price_engine", filters: {} });
  const explain = async (id: string) =>
    (await call("GET", `/v2/market/listings/${id}/explain`)).body.alerts[0].failures;

  assert.deepEqual(await explain(buy), [
    { member: "buy_signals_enabled", expected: "true", actual: "false" },
  ]);
  assert.deepEqual(await explain(dear), [
    { member: "strategy", expected: "a buy of the price engine", actual: "no buy" },
  ]);
});

test("an explanation shows the nearest twenty of many", async (t) => {
  const { db, call } = await borrowTestApp(t);
  const id = await aListing(db);
  await db.execute(sql`
    insert into alert (id, name, is_enabled, filters, strategy, is_system, created_at_ms, updated_at_ms)
    select gen_random_uuid(), case when number % 100 = 0 then 'near' else 'far' end, true,
           case when number % 100 = 0 then '{"year": {"gte": 2024}}'::jsonb
                else '{"year": {"gte": 2024}, "brand": ["Omega"]}'::jsonb end,
           'market_filter', false, 0, 0
      from generate_series(1, 1500) as number`);

  const { body } = await call("GET", `/v2/market/listings/${id}/explain`);

  assert.equal(body.is_exact, true);
  assert.deepEqual(
    body.alerts.map(({ name }: { name: string }) => name),
    [...Array(15).fill("near"), ...Array(5).fill("far")],
  );
});

test("an explanation parses a bounded number of filters, says so, and the next one continues", async (t) => {
  const { db, call } = await borrowTestApp(t);
  const id = await aListing(db);
  await db.execute(sql`
    insert into alert (id, name, is_enabled, filters, strategy, is_system, created_at_ms, updated_at_ms)
    select gen_random_uuid(), 'one', true, jsonb_build_object('brand', array['Omega', 'x' || number]),
           'market_filter', false, 0, 0
      from generate_series(1, 2500) as number`);
  const explain = async () => (await call("GET", `/v2/market/listings/${id}/explain`)).body;

  const [first, second] = [await explain(), await explain()];

  assert.deepEqual([first.is_exact, second.is_exact], [false, true]);
  assert.deepEqual([first.alerts.length, second.alerts.length], [20, 20]);
});

test("a listing without anything near has an empty explanation; an old id, a read-only token and bad ids", async (t) => {
  const { db, call } = await borrowTestApp(t);
  const id = await aListing(db);
  const old = randomUUID();
  await db.execute(sql`insert into listing_alias (old_id, listing_id) values (${old}, ${id})`);
  const reader = await addToken(db, { isReadOnly: true });
  const empty = { views: [], configurations: [], alerts: [], is_exact: true };

  const shown = await call("GET", `/v2/market/listings/${id}/explain`, {
    authorization: `Bearer ${reader}`,
  });
  assert.deepEqual([shown.status, shown.body], [200, empty]);
  assert.deepEqual((await call("GET", `/v2/market/listings/${old}/explain`)).body, empty);
  const unknown = await call("GET", `/v2/market/listings/${randomUUID()}/explain`);
  assert.deepEqual([unknown.status, unknown.body.error.code], [404, "listing_not_found"]);
  const malformed = await call("GET", "/v2/market/listings/7/explain");
  assert.deepEqual([malformed.status, malformed.body.error.code], [400, "invalid_payload"]);
  assert.equal((await call("GET", `/v2/market/listings/${id}/explain`, {})).status, 401);
});

async function aView(db: Database, name: string, filters: object, market: string): Promise<string> {
  const id = randomUUID();
  await db.execute(sql`
    insert into market_view (id, name, filters, source_market, created_at_ms, updated_at_ms)
    values (${id}, ${name}, ${JSON.stringify(filters)}, ${market}, 0, 0)`);
  return id;
}
