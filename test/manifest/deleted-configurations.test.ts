import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { findListingModels } from "../../src/alerts/listing-matches.ts";
import { sql } from "../../src/db/sql.ts";
import { rebuildMembers } from "../../src/matching/rebuild-members.ts";
import { listRefreshStates } from "../../src/pricing/cells/schedule-store.ts";
import { findPricingHealth } from "../../src/pricing/configurations/configuration-store.ts";
import { applyTexts, counts } from "../support/manifest.ts";
import {
  aPricedMarket,
  askOf,
  CONFIGURATION,
  CONFIGURATIONS,
  MARKET,
  processAll,
  refresh,
  showCells,
  showHistory,
  systemAlert,
} from "../support/pricing.ts";
import { borrowTestApp } from "../support/shared-store.ts";
import { NOW_MS, openTestApp } from "../support/test-app.ts";

test("a pruned configuration is gone from every read, and keeps its history and its alert with the matches", async (t) => {
  const own = await openTestApp(t);
  const { id, listingId } = await aPricedMarket(own);
  const before = await systemAlert(own);
  const cells = await showCells(own.db, id);

  own.clock.advance(1000);
  const report = await applyTexts(own.db, "configurations: []", {
    isPruning: true,
    clock: own.clock,
  });

  assert.equal(before.matchCount, 1);
  assert.ok(cells.length > 0);
  assert.deepEqual(counts(report), { configurations: "0/0/0/1" });
  assert.deepEqual(await systemAlert(own), { ...before, isEnabled: false });
  assert.equal((await own.call("GET", `${CONFIGURATIONS}/${id}/cells`)).status, 404);
  assert.equal((await own.call("GET", CONFIGURATIONS)).body.total, 0);
  const shown = await own.call("GET", `/v2/market/listings/${listingId}/price-engine`);
  assert.deepEqual(shown.body.items, []);
  assert.deepEqual((await findListingModels(own.db, [listingId])).get(listingId), []);
  const explained = await own.call("GET", `/v2/market/listings/${listingId}/explain`);
  assert.deepEqual(explained.body.configurations, []);
  assert.deepEqual(await listRefreshStates(own.db, undefined), []);
  assert.equal((await findPricingHealth(own.db, NOW_MS)).configuration_count, 0);
  assert.deepEqual(await showCells(own.db, id), []);
  assert.match((await showHistory(own.db, id)).at(-1) ?? "", /: gone 0$/);
  const history = await own.call(
    "GET",
    `${CONFIGURATIONS}/${id}/history?year=2023&condition_bucket=new`,
  );
  assert.equal(history.body.items.at(-1).status, "gone");
});

test("nothing calculates a deleted configuration or fires for it, whatever is queued", async (t) => {
  const own = await openTestApp(t);
  const { id } = await aPricedMarket(own);
  await applyTexts(own.db, "configurations: []", { isPruning: true });

  await refresh(own.db, [id], { clock: own.clock });
  await own.db.transaction((tx) => rebuildMembers(tx, [id]));
  await askOf(own, 100_000);
  await processAll(own);
  own.clock.advance(2 * 60 * 60 * 1000);
  await processAll(own);

  assert.deepEqual(await showCells(own.db, id), []);
  assert.equal((await systemAlert(own)).matchCount, 1);
  const queued = await own.db.query(sql`select from refresh_queue`);
  assert.equal(queued.length, 0);
});

test("the same key revives a deleted configuration with its id, history, members and alert, and fires nothing by itself", async (t) => {
  const own = await openTestApp(t);
  const { id } = await aPricedMarket(own);
  const cells = await showCells(own.db, id);
  await applyTexts(own.db, "configurations: []", { isPruning: true });
  await askOf(own, 800_000);
  await processAll(own);

  const report = await applyTexts(own.db, CONFIGURATION);
  const pending = await own.call("GET", `${CONFIGURATIONS}/${id}/cells`);
  own.clock.advance(1000);
  await processAll(own);

  assert.deepEqual(counts(report), { configurations: "1/0/0/0" });
  assert.equal(pending.body.configuration.is_stale, true);
  const { isEnabled, matchCount } = await systemAlert(own);
  assert.deepEqual({ isEnabled, matchCount }, { isEnabled: true, matchCount: 1 });
  assert.equal((await showCells(own.db, id)).length, cells.length);
  assert.ok((await showHistory(own.db, id)).some((line) => line.includes("gone")));
  await askOf(own, 700_000);
  await processAll(own);
  assert.equal((await systemAlert(own)).matchCount, 2);
});

test("a key with another id is another configuration, and an id of a deleted one keeps its key", async (t) => {
  const own = await borrowTestApp(t);
  const { id } = await aPricedMarket(own);
  await applyTexts(own.db, "configurations: []", { isPruning: true });
  const other = randomUUID();
  const withId = (given: string, reference: string) =>
    `configurations: [{id: ${given}, profile: p, brand: Rolex, reference: ${reference}}]`;

  await assert.rejects(
    applyTexts(own.db, withId(id, "124060")),
    /belongs to the configuration_key "rolex:126610LN"/,
  );
  await applyTexts(own.db, withId(other, "126610LN"));

  const { body } = await own.call("GET", CONFIGURATIONS);
  assert.deepEqual(
    body.items.map((item: { id: string }) => item.id),
    [other],
  );
});

test("a profile that only deleted configurations used can be deleted", async (t) => {
  const own = await borrowTestApp(t);
  const { id } = await aPricedMarket(own);

  await applyTexts(own.db, "configurations: []\nprofiles: []", { isPruning: true });
  await applyTexts(own.db, [MARKET, CONFIGURATION]);

  assert.equal((await own.call("GET", `${CONFIGURATIONS}/${id}/cells`)).status, 200);
});
