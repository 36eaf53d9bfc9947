import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { sql } from "../../../src/db/sql.ts";
import { applyTexts } from "../../support/manifest.ts";
import {
  aPricedMarket,
  askOf,
  CONFIGURATION,
  CONFIGURATIONS,
  MARKET,
  processAll,
  systemAlert,
} from "../../support/pricing.ts";
import { borrowTestApp } from "../../support/shared-store.ts";
import { addToken, type TestApp } from "../../support/test-app.ts";

const GIVEN = {
  profile: "p",
  brand: "Rolex",
  reference: "126610LN",
  label: "Submariner",
  filters: { year: { gte: 2020 } },
  minimum_profit_overrides: [{ year: 2023, condition_bucket: "new", amount_eur_minor: 5 }],
};

/** Everything of the configurations but what changes with the clock. */
function dump({ db }: TestApp) {
  return db.query(sql`
    select id, configuration_key, label, filters, deleted_at_ms, revision from price_configuration order by id`);
}

test("a configuration is created with its system alert, read with its tag, changed and deleted", async (t) => {
  const own = await borrowTestApp(t);
  await applyTexts(own.db, MARKET);

  const made = await own.send("POST", CONFIGURATIONS, GIVEN);
  const path = `${CONFIGURATIONS}/${made.body.id}`;
  const read = await own.call("GET", path);
  const alert = await systemAlert(own);
  const changed = await own.send("PATCH", path, { label: null, buy_signals_enabled: false });
  const shown = await own.call("GET", CONFIGURATIONS);
  const deleted = await own.send("DELETE", path);

  assert.equal(made.status, 201);
  const declared = {
    ...GIVEN,
    id: made.body.id,
    configuration_key: "rolex:126610LN",
    exclude_outliers: false,
    publish_enabled: false,
    buy_signals_enabled: true,
    alert_enabled: true,
    managed_by: "api",
  };
  assert.deepEqual(made.body, declared);
  assert.deepEqual([read.body, read.headers["etag"]], [made.body, made.headers["etag"]]);
  assert.equal(alert.isEnabled, true);
  const { label: _, ...rest } = declared;
  assert.deepEqual(changed.body, { ...rest, buy_signals_enabled: false });
  assert.equal(shown.body.items[0].id, made.body.id);
  assert.ok(!("managed_by" in shown.body.items[0]));
  assert.equal(deleted.status, 204);
  assert.equal((await own.call("GET", path)).body.error.code, "configuration_not_found");
  assert.equal((await own.send("PATCH", path, { label: "x" })).status, 404);
  assert.equal((await own.call("GET", `${path}/cells`)).status, 404);
  assert.deepEqual(await systemAlert(own), { ...alert, isEnabled: false });
});

test("alert_enabled is the state of the configuration's own alert, also if the alert itself was changed", async (t) => {
  const own = await borrowTestApp(t);
  await applyTexts(own.db, MARKET);
  const made = await own.send("POST", CONFIGURATIONS, { ...GIVEN, alert_enabled: false });
  const path = `${CONFIGURATIONS}/${made.body.id}`;
  const states = [(await systemAlert(own)).isEnabled];

  for (const patch of [{ alert_enabled: true }, { alert_enabled: false }, { label: "x" }]) {
    await own.send("PATCH", path, patch);
    states.push((await systemAlert(own)).isEnabled);
  }
  await own.send("PATCH", path, { alert_enabled: null });
  states.push((await systemAlert(own)).isEnabled);
  const alerts = await own.call("GET", "/v2/alerts");
  await own.send("PATCH", `/v2/alerts/${alerts.body.items[0].id}`, { enabled: false });
  const shown = await own.call("GET", path);

  assert.deepEqual(states, [false, true, false, false, true]);
  assert.equal(shown.body.alert_enabled, false);
});

test("a repeated POST returns the configuration; a taken key, another body and the manifest's are 409; a stale tag is 412", async (t) => {
  const own = await borrowTestApp(t);
  await applyTexts(own.db, [MARKET, "configurations: [{profile: p, brand: a, reference: A1}]"]);
  const [declared] = await own.db.query<{ id: string }>(sql`select id from price_configuration`);
  const id = randomUUID();
  const first = await own.send("POST", CONFIGURATIONS, { ...GIVEN, id });
  const before = await dump(own);

  const again = await own.send("POST", CONFIGURATIONS, { ...GIVEN, id });
  const answers = [
    await own.send("POST", CONFIGURATIONS, { ...GIVEN, id, label: "other" }),
    await own.send("POST", CONFIGURATIONS, GIVEN),
    await own.send("PATCH", `${CONFIGURATIONS}/${declared?.id}`, { label: "x" }),
    await own.send("DELETE", `${CONFIGURATIONS}/${declared?.id}`),
    await own.send("PATCH", `${CONFIGURATIONS}/${id}`, { label: "x" }, { "if-match": '"old"' }),
    await own.send("DELETE", `${CONFIGURATIONS}/${id}`, undefined, { "if-match": '"old"' }),
  ];

  assert.deepEqual([first.status, again.status], [201, 200]);
  assert.deepEqual(again.body, first.body);
  assert.deepEqual(
    answers.map(({ status, body }) => `${status} ${body.error.code}`),
    [
      "409 already_exists",
      "409 already_exists",
      "409 managed_elsewhere",
      "409 managed_elsewhere",
      "412 precondition_failed",
      "412 precondition_failed",
    ],
  );
  assert.deepEqual(await dump(own), before);
});

test("bad bodies, keys that change, unknown ids and read-only tokens change nothing", async (t) => {
  const own = await borrowTestApp(t);
  await applyTexts(own.db, MARKET);
  const made = await own.send("POST", CONFIGURATIONS, GIVEN);
  const path = `${CONFIGURATIONS}/${made.body.id}`;
  const before = await dump(own);
  const other = { ...GIVEN, reference: "124060" };
  const reader = { authorization: `Bearer ${await addToken(own.db, { isReadOnly: true })}` };

  const wrong = [
    await own.send("POST", CONFIGURATIONS, { ...other, profile: "nowhere" }),
    await own.send("POST", CONFIGURATIONS, { ...other, colour: "blue" }),
    await own.send("POST", CONFIGURATIONS, { ...other, filters: { year: { gte: "x" } } }),
    await own.send("POST", `${CONFIGURATIONS}?strict=true`, { ...other, filters: { yeer: 1 } }),
    await own.send("POST", CONFIGURATIONS, {
      ...other,
      brand: "B".repeat(120),
      reference: "1".repeat(120),
    }),
    await own.send("POST", CONFIGURATIONS, { brand: "Rolex" }),
    await own.send("PATCH", path, { configuration_key: "another" }),
    await own.send("PATCH", path, { profile: null }),
    await own.send("PATCH", path, { id: randomUUID() }),
    await own.send("PATCH", path, {}),
    await own.call("GET", `${CONFIGURATIONS}/no-id`),
  ];
  const missing = await own.send("DELETE", `${CONFIGURATIONS}/${randomUUID()}`);
  const forbidden = [
    await own.send("POST", CONFIGURATIONS, other, reader),
    await own.send("PATCH", path, { label: "x" }, reader),
    await own.send("DELETE", path, undefined, reader),
  ];
  const warned = await own.send("PATCH", path, { filters: { yeer: 1 } });

  assert.deepEqual(
    wrong.map(({ status, body }) => `${status} ${body.error.code}`),
    wrong.map(() => "400 invalid_payload"),
  );
  assert.match(wrong[0]?.body.error.message, /^profile: there is no profile "nowhere"/);
  assert.equal(missing.body.error.code, "configuration_not_found");
  assert.deepEqual(
    forbidden.map(({ status }) => status),
    [403, 403, 403],
  );
  assert.match(
    String(warned.headers["x-assay-warnings"]),
    /^filters\.yeer: unknown member, ignored%3B did you mean "year"\?/,
  );
  assert.equal((await own.call("GET", path, reader)).status, 200);
  assert.equal((await dump(own)).length, before.length);
});

test("the key of a deleted configuration revives it: same id, history and matches; by its own id, and by the manifest", async (t) => {
  const own = await borrowTestApp(t);
  const { id } = await aPricedMarket(own);
  await applyTexts(own.db, "configurations: []", { isPruning: true });
  const { label: _, filters: _filters, minimum_profit_overrides: _profits, ...given } = GIVEN;

  const revived = await own.send("POST", CONFIGURATIONS, given);
  const stale = await own.call("GET", `${CONFIGURATIONS}/${id}/cells`);
  await processAll(own);
  const fresh = await own.call("GET", `${CONFIGURATIONS}/${id}/cells`);
  const { isEnabled, matchCount } = await systemAlert(own);
  await own.send("DELETE", `${CONFIGURATIONS}/${id}`);
  const other = await own.send("POST", CONFIGURATIONS, { ...given, id, label: "again" });
  const repeated = await own.send("POST", CONFIGURATIONS, { ...given, id, label: "again" });
  const taken = await applyTexts(own.db, CONFIGURATION);

  assert.deepEqual([revived.status, revived.body.id], [201, id]);
  assert.equal(stale.body.configuration.is_stale, true);
  assert.equal(fresh.body.configuration.is_stale, false);
  assert.equal(fresh.body.items.length, 1);
  assert.deepEqual({ isEnabled, matchCount }, { isEnabled: true, matchCount: 1 });
  assert.deepEqual([other.status, repeated.status, other.body.id], [201, 200, id]);
  assert.deepEqual(taken.kinds[0]?.takenOver, ["rolex:126610LN"]);
});

test("a change is stale until members and cells are new, and fires nothing for listings that are already there", async (t) => {
  const own = await borrowTestApp(t);
  await applyTexts(own.db, MARKET);
  const given = { ...GIVEN, filters: { year: { gte: 2030 } }, minimum_profit_overrides: [] };
  const made = await own.send("POST", CONFIGURATIONS, given);
  const path = `${CONFIGURATIONS}/${made.body.id}`;
  for (const price of [1_100_000, 900_000, 800_000]) await askOf(own, price);
  await processAll(own);
  const empty = await own.call("GET", `${path}/cells`);

  await own.send("PATCH", path, { filters: {} });
  const stale = await own.call("GET", `${path}/cells`);
  await processAll(own);
  const full = await own.call("GET", `${path}/cells`);
  const before = await systemAlert(own);
  await askOf(own, 700_000);
  await processAll(own);

  assert.deepEqual(empty.body.items, []);
  assert.equal(stale.body.configuration.is_stale, true);
  assert.equal(full.body.configuration.is_stale, false);
  assert.equal(full.body.items[0].listing_count, 3);
  assert.equal(before.matchCount, 0);
  assert.equal((await systemAlert(own)).matchCount, 1);
});

test("many writers of one key end with one configuration, and a write that fails leaves nothing", async (t) => {
  const own = await borrowTestApp(t);
  await applyTexts(own.db, MARKET);

  const made = await Promise.all(
    ["a", "b", "c", "d"].map((label) => own.send("POST", CONFIGURATIONS, { ...GIVEN, label })),
  );
  const id = made.find(({ status }) => status === 201)?.body.id;
  const path = `${CONFIGURATIONS}/${id}`;
  const mixed = await Promise.all([
    own.send("PATCH", path, { label: "x" }),
    own.send("DELETE", path),
    own.send("POST", CONFIGURATIONS, { ...GIVEN, label: "y" }),
    processAll(own),
  ]);

  assert.deepEqual(made.map(({ status }) => status).sort(), [201, 409, 409, 409]);
  assert.ok(mixed.slice(0, 3).every((answer) => (answer as { status: number }).status < 500));
  const rows = await own.db.query(sql`
    select deleted_at_ms is null as is_live,
           exists (select from saved_filter where owner_id = price_configuration.id) as has_filter,
           (select is_enabled from alert where configuration_id = price_configuration.id) as is_enabled
      from price_configuration`);
  assert.equal(rows.length, 1);
  const [row] = rows;
  assert.deepEqual(
    [row?.["has_filter"], row?.["is_enabled"]],
    [row?.["is_live"], row?.["is_live"]],
  );
});
