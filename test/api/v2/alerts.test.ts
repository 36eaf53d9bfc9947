import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { sql } from "../../../src/db/sql.ts";
import { arrive, listStoredMatches, matchAll } from "../../support/alerts.ts";
import { aListingWith } from "../../support/listings.ts";
import { applyTexts } from "../../support/manifest.ts";
import { anAlert } from "../../support/rows.ts";
import { borrowTestApp } from "../../support/shared-store.ts";
import { addToken, NOW_MS, openTestApp } from "../../support/test-app.ts";

test("an alert is created, read, changed and deleted with its matches, and fires for what arrives from then on", async (t) => {
  const own = await openTestApp(t);
  const [token] = await own.db.query<{ name: string }>(sql`select name from api_token`);
  const [earlier, later, last] = [aListingWith(), aListingWith(), aListingWith()];
  await arrive(own.db, [earlier]);
  await matchAll(own.db);

  const made = await own.send("POST", "/v2/alerts", {
    name: "mine",
    filters: { brand: ["Rolex"] },
  });
  const path = `/v2/alerts/${made.body.id}`;
  await arrive(own.db, [later]);
  await matchAll(own.db);

  assert.equal(made.status, 201);
  assert.deepEqual(made.body, {
    id: made.body.id,
    name: "mine",
    enabled: true,
    filters: { brand: ["Rolex"] },
    strategy: "market_filter",
    is_system: false,
    managed_by: "api",
    created_by: token?.name,
    updated_by: token?.name,
    created_at_ms: NOW_MS,
    updated_at_ms: NOW_MS,
  });
  assert.deepEqual((await own.call("GET", "/v2/alerts")).body, { items: [made.body], total: 1 });
  const matched = (await listStoredMatches(own.db)).map(({ resource_id }) => resource_id);
  assert.deepEqual(matched, [later.id]);
  own.clock.advance(1);
  const other = await addToken(own.db, {});
  const as = { authorization: `Bearer ${other}` };
  const changed = await own.send("PATCH", path, { filters: { brand: ["Omega"] } }, as);
  await arrive(own.db, [last]);
  await matchAll(own.db);
  assert.equal(changed.body.created_by, token?.name);
  assert.notEqual(changed.body.updated_by, token?.name);
  assert.equal(changed.body.updated_at_ms, NOW_MS + 1);
  assert.equal((await listStoredMatches(own.db)).length, 1);
  assert.equal((await own.send("DELETE", path)).status, 204);
  assert.deepEqual(await listStoredMatches(own.db), []);
  assert.deepEqual(await own.db.query(sql`select from saved_filter`), []);
  assert.equal((await own.call("GET", path)).body.error.code, "alert_not_found");
});

test("a patch that changes nothing writes nothing, and a disabled alert has no filter", async (t) => {
  const own = await openTestApp(t);
  const made = await own.send("POST", "/v2/alerts", { name: "a", filters: {} });
  const path = `/v2/alerts/${made.body.id}`;

  own.clock.advance(1);
  const same = await own.send("PATCH", path, { name: "a", enabled: true });
  const off = await own.send("PATCH", path, { enabled: false });
  const filters = await own.db.query(sql`select from saved_filter`);
  const reset = await own.send("PATCH", path, { enabled: null });

  assert.deepEqual(same.body, made.body);
  assert.equal(off.body.enabled, false);
  assert.deepEqual(filters, []);
  assert.equal(reset.body.enabled, true);
});

test("an alert on buys names configurations, and an alert of a view follows its changes", async (t) => {
  const own = await borrowTestApp(t);
  await applyTexts(
    own.db,
    "profiles: [{name: p}]\nconfigurations: [{profile: p, brand: Rolex, reference: 126610LN}]",
  );
  const [configuration] = await own.db.query<{ id: string }>(
    sql`select id from price_configuration`,
  );
  const view = await own.send("POST", "/v2/views", { name: "v", filters: { brand: ["Rolex"] } });
  const ids = [configuration?.id];

  const buys = await own.send("POST", "/v2/alerts", {
    name: "buys",
    strategy: "price_engine",
    filters: { configuration_ids: ids },
  });
  const unknown = await own.send("POST", "/v2/alerts", {
    name: "x",
    strategy: "price_engine",
    filters: { configuration_ids: [randomUUID()] },
  });
  const viewed = await own.send("POST", "/v2/alerts", {
    name: "viewed",
    filters: {},
    view_id: view.body.id,
  });
  const noView = await own.send("POST", "/v2/alerts", {
    name: "x",
    filters: {},
    view_id: randomUUID(),
  });
  await own.send("PATCH", `/v2/views/${view.body.id}`, { filters: { brand: ["Omega"] } });

  assert.deepEqual(buys.body.filters, { configuration_ids: ids });
  assert.match(unknown.body.error.message, /^filters\.configuration_ids\[0\]: there is no conf/);
  assert.match(noView.body.error.message, /^view_id: there is no view with this id/);
  const [saved] = await own.db.query<{ filters: unknown }>(sql`
    select filters from saved_filter where owner_id = ${viewed.body.id}`);
  assert.deepEqual(saved?.filters, [{}, { brand: ["Omega"] }]);
  const used = await own.send("DELETE", `/v2/views/${view.body.id}`);
  assert.equal(used.body.error.code, "in_use");
});

test("of a configuration's alert only enabled changes; a manifest's alert is managed elsewhere", async (t) => {
  const own = await borrowTestApp(t);
  await applyTexts(
    own.db,
    `profiles: [{name: p}]
configurations: [{profile: p, brand: Rolex, reference: 126610LN}]
alerts: [{name: declared}]`,
  );
  const alerts = (await own.call("GET", "/v2/alerts")).body.items as {
    id: string;
    is_system: boolean;
  }[];
  const system = `/v2/alerts/${alerts.find((alert) => alert.is_system)?.id}`;
  const declared = `/v2/alerts/${alerts.find((alert) => !alert.is_system)?.id}`;
  const unmanaged = `/v2/alerts/${await anAlert(own.db)}`;

  const off = await own.send("PATCH", system, { enabled: false });
  const renamed = await own.send("PATCH", system, { enabled: true, name: "x" });
  const deleted = await own.send("DELETE", system);
  const refusals = [
    await own.send("PATCH", declared, { enabled: false }),
    await own.send("DELETE", declared),
    await own.send("PATCH", unmanaged, { enabled: false }),
  ];

  assert.deepEqual([off.status, off.body.enabled], [200, false]);
  assert.deepEqual([renamed.status, renamed.body.error.code], [409, "managed_elsewhere"]);
  assert.match(renamed.body.error.message, /the price engine manages this alert/);
  assert.equal(deleted.status, 409);
  for (const { body } of refusals) assert.equal(body.error.code, "managed_elsewhere");
  assert.equal((await own.call("GET", system)).body.enabled, false);
});

test("an alert that a target names is in use, and a name is taken by users' alerts only", async (t) => {
  const own = await borrowTestApp(t);
  const made = await own.send("POST", "/v2/alerts", { name: "mine", filters: {} });
  const secret = `whsec_${Buffer.alloc(24, 1).toString("base64")}`;
  await applyTexts(
    own.db,
    `webhooks: [{name: desk, url: "https://example.org", secret: ${secret}, alerts: [mine]}]
profiles: [{name: p}]
configurations: [{profile: p, brand: Rolex, reference: 126610LN, label: system}]`,
  );

  const deleted = await own.send("DELETE", `/v2/alerts/${made.body.id}`);
  const taken = await own.send("POST", "/v2/alerts", { name: "mine", filters: {} });
  const free = await own.send("POST", "/v2/alerts", { name: "system", filters: {} });
  const renamed = await own.send("PATCH", `/v2/alerts/${free.body.id}`, { name: "mine" });

  assert.deepEqual([deleted.status, deleted.body.error.code], [409, "in_use"]);
  assert.match(deleted.body.error.message, /"desk"/);
  assert.equal(taken.body.error.code, "already_exists");
  assert.equal(free.status, 201);
  assert.equal(renamed.body.error.code, "already_exists");
});

test("a manifest takes over an alert of the API with its id and matches, and never prunes one", async (t) => {
  const own = await borrowTestApp(t);
  const made = await own.send("POST", "/v2/alerts", {
    name: "mine",
    filters: { brand: ["Rolex"] },
  });
  await arrive(own.db, [aListingWith()]);
  await matchAll(own.db);

  const pruned = await applyTexts(own.db, "alerts: []", { isPruning: true });
  const report = await applyTexts(own.db, "alerts: [{name: mine, filters: {brand: [Rolex]}}]");

  assert.deepEqual(pruned.kinds[0]?.pruned, []);
  assert.deepEqual(report.kinds[0]?.takenOver, ["mine"]);
  const read = await own.call("GET", `/v2/alerts/${made.body.id}`);
  assert.deepEqual([read.body.managed_by, read.body.updated_by], ["manifest", "apply"]);
  assert.equal((await listStoredMatches(own.db)).length, 1);
});

test("bad requests on alerts name the member and change nothing", async (t) => {
  const own = await borrowTestApp(t);
  const readOnly = { authorization: `Bearer ${await addToken(own.db, { isReadOnly: true })}` };
  const refusals: readonly [object, RegExp][] = [
    [{ name: "a" }, /filters/],
    [{ name: "a", filters: {}, created_by: "me" }, /created_by/],
    [{ name: "a", filters: {}, view: "v" }, /view/],
    [{ name: "a", filters: {}, strategy: "x" }, /strategy/],
    [{ name: "a", filters: { resource: "x" } }, /filters\.resource/],
    [{ name: "a", filters: { resource: "messages", brand: ["Rolex"] } }, /filters\.brand/],
    [{ name: "a", filters: { configuration_ids: [] } }, /configuration_ids/],
    [{ name: "a", filters: [] }, /filters/],
    [{ name: "a".repeat(121), filters: {} }, /name/],
  ];

  for (const [body, message] of refusals) {
    const answer = await own.send("POST", "/v2/alerts", body);
    assert.deepEqual([answer.status, answer.body.error.code], [400, "invalid_payload"]);
    assert.match(answer.body.error.message, message);
  }
  assert.equal(
    (await own.send("POST", "/v2/alerts", { name: "a", filters: {} }, readOnly)).status,
    403,
  );
  assert.equal((await own.send("PATCH", `/v2/alerts/${randomUUID()}`, { name: "a" })).status, 404);
  assert.equal((await own.send("DELETE", `/v2/alerts/${randomUUID()}`)).status, 404);
  assert.equal((await own.send("DELETE", "/v2/alerts/7")).status, 400);
  assert.equal((await own.call("GET", "/v2/alerts/7")).status, 400);
  assert.deepEqual((await own.call("GET", "/v2/alerts")).body, { items: [], total: 0 });
});
