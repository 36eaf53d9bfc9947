import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { applyTexts } from "../../support/manifest.ts";
import { askOf, CONFIGURATIONS, MARKET, processAll, systemAlert } from "../../support/pricing.ts";
import { borrowTestApp } from "../../support/shared-store.ts";
import { addToken, type TestApp } from "../../support/test-app.ts";

const PROFILES = "/v2/market/price-engine/profiles";

test("profiles are listed by name, page by page, with every rule", async (t) => {
  const own = await borrowTestApp(t);
  const none = await own.call("GET", PROFILES);
  await applyTexts(own.db, "profiles: [{name: b}, {name: a, status: live}, {name: C}]");

  const first = await own.call("GET", `${PROFILES}?limit=2`);
  const second = await own.call("GET", `${PROFILES}?limit=2&cursor=${first.body.next_cursor}`);
  const foreign = await own.call("GET", `${CONFIGURATIONS}?cursor=${first.body.next_cursor}`);

  assert.deepEqual(none.body, { items: [] });
  const names = [...first.body.items, ...second.body.items].map(({ name }) => name);
  assert.deepEqual(names, ["C", "a", "b"]);
  assert.ok(!("next_cursor" in second.body));
  assert.equal(foreign.body.error.code, "invalid_payload");
  const { id, ...profile } = first.body.items[1];
  assert.deepEqual(profile, {
    name: "a",
    status: "live",
    lookback_days: 30,
    minimum_listings: 3,
    minimum_profit_eur_minor: 50_000,
    sets: "any",
    implausible_below_bps: 5_000,
    implausible_above_bps: 30_000,
    hk_markup: { rate_bps: 500, fixed_eur_minor: 15_000 },
    consumer_range: { low_quantile_bps: 2_500, high_quantile_bps: 7_500, margin_bps: 1_000 },
    stale_after_ms: 21_600_000,
    managed_by: "manifest",
  });
  assert.deepEqual((await own.call("GET", `${PROFILES}/${id}`)).body, first.body.items[1]);
});

test("a profile is created, changed member by member, and deleted when no configuration uses it", async (t) => {
  const own = await borrowTestApp(t);

  const made = await own.send("POST", PROFILES, { name: "mine", lookback_days: 7 });
  const path = `${PROFILES}/${made.body.id}`;
  const changed = await own.send("PATCH", path, {
    hk_markup: { rate_bps: 1 },
    lookback_days: null,
  });
  await own.send("POST", CONFIGURATIONS, { profile: "mine", brand: "Rolex", reference: "124060" });
  const used = await own.send("DELETE", path);
  const { body } = await own.call("GET", CONFIGURATIONS);
  await own.send("DELETE", `${CONFIGURATIONS}/${body.items[0].id}`);
  const deleted = await own.send("DELETE", path);

  assert.deepEqual([made.status, made.body.status], [201, "shadow"]);
  assert.deepEqual(changed.body, {
    ...made.body,
    lookback_days: 30,
    hk_markup: { rate_bps: 1, fixed_eur_minor: 15_000 },
  });
  assert.deepEqual([used.status, used.body.error.code], [409, "in_use"]);
  assert.equal(deleted.status, 204);
  assert.equal((await own.call("GET", path)).body.error.code, "profile_not_found");
});

test("wrong changes of profiles are refused and change nothing", async (t) => {
  const own = await borrowTestApp(t);
  await applyTexts(own.db, "profiles: [{name: declared}]");
  const [declared] = (await own.call("GET", PROFILES)).body.items;
  const made = await own.send("POST", PROFILES, { name: "mine" });
  const path = `${PROFILES}/${made.body.id}`;
  const reader = { authorization: `Bearer ${await addToken(own.db, { isReadOnly: true })}` };

  const answers = [
    await own.send("PATCH", `${PROFILES}/${declared.id}`, { status: "live" }),
    await own.send("PATCH", `${PROFILES}/${randomUUID()}`, { status: "live" }),
    await own.send("PATCH", `${PROFILES}/no-id`, { status: "live" }),
    await own.send("PATCH", path, { name: "declared" }),
    await own.send("PATCH", path, { status: "loud" }),
    await own.send("PATCH", path, { lookback: 3 }),
    await own.send("PATCH", path, { consumer_range: { low_quantile_bps: 9_000 } }),
    await own.send("PATCH", path, { name: null }),
    await own.send("PATCH", path, { status: "live" }, { "if-match": '"old"' }),
    await own.send("PATCH", path, { status: "live" }, reader),
    await own.send("POST", PROFILES, { name: "mine" }),
    await own.call("GET", `${PROFILES}?limit=0`),
    await own.call("GET", `${PROFILES}?cursor=x`),
  ];

  assert.deepEqual(
    answers.map(({ status, body }) => `${status} ${body.error.code}`),
    [
      "409 managed_elsewhere",
      "404 profile_not_found",
      "400 invalid_payload",
      "409 already_exists",
      "400 invalid_payload",
      "400 invalid_payload",
      "400 invalid_payload",
      "400 invalid_payload",
      "412 precondition_failed",
      "403 forbidden",
      "409 already_exists",
      "400 invalid_payload",
      "400 invalid_payload",
    ],
  );
  assert.deepEqual((await own.call("GET", path)).body, made.body);
});

/** A configuration of a profile of the API, with three asks of which none is a buy yet. */
async function aMarketOfApi(own: TestApp, profile: object): Promise<string> {
  await applyTexts(own.db, MARKET);
  const made = await own.send("POST", PROFILES, { name: "mine", minimum_listings: 1, ...profile });
  await own.send("POST", CONFIGURATIONS, {
    profile: "mine",
    brand: "Rolex",
    reference: "126610LN",
  });
  await processAll(own);
  for (const price of [1_100_000, 900_000, 800_000]) await askOf(own, price);
  await processAll(own);
  return `${PROFILES}/${made.body.id}`;
}

test("lower demands of a profile fire nothing for listings that are already there, and count for those that come", async (t) => {
  const own = await borrowTestApp(t);
  const path = await aMarketOfApi(own, { status: "live", minimum_profit_eur_minor: 900_000 });
  const before = await systemAlert(own);

  await own.send("PATCH", path, { minimum_profit_eur_minor: 1_000 });
  const stale = await own.call("GET", CONFIGURATIONS);
  await processAll(own);
  const after = await systemAlert(own);
  const fresh = await own.call("GET", CONFIGURATIONS);
  await askOf(own, 700_000);
  await processAll(own);

  assert.deepEqual([before.matchCount, after.matchCount], [0, 0]);
  assert.deepEqual(
    [stale, fresh].map(({ body }) => body.items[0].is_stale),
    [true, false],
  );
  assert.equal((await systemAlert(own)).matchCount, 1);
});

test("a profile that goes live sends nothing of listings that are already there", async (t) => {
  const own = await borrowTestApp(t);
  const path = await aMarketOfApi(own, { minimum_profit_eur_minor: 50_000 });
  const shadow = await systemAlert(own);

  await own.send("PATCH", path, { status: "live" });
  await processAll(own);
  const after = await systemAlert(own);
  await askOf(own, 650_000);
  await processAll(own);

  assert.ok(shadow.matchCount > 0);
  assert.deepEqual(after, shadow);
  const rows = await own.call("GET", `/v2/alerts/${after.id}/matches`);
  assert.equal(rows.body.total, shadow.matchCount + 1);
});
