import assert from "node:assert/strict";
import { Agent } from "node:http";
import { type TestContext, test } from "node:test";
import { listRoutes, listSchemas } from "../support/fuzz/fuzz-routes.ts";
import { collectCursors, HOLES, plantHole, runFuzz } from "../support/fuzz/fuzz-run.ts";
import { aListingWith, insertListings } from "../support/listings.ts";
import { aMatch, anAlert, aPreset } from "../support/rows.ts";
import { addToken, openTestApp } from "../support/test-app.ts";

const COUNT = process.env["ASSAY_TEST_LONG"] === "1" ? 100_000 : 3_000;
/** Set another seed to try other requests. */
const FIRST_SEED = 1;

test("no request breaks the service: no 5xx, every error has the error body, and it keeps answering", async (t) => {
  const { url, options, agent, call } = await openTarget(t);

  const report = await runFuzz(url, {
    options,
    agent,
    firstSeed: FIRST_SEED,
    count: COUNT,
    atOnce: 8,
  });
  const after = await call("GET", "/v2/alerts");

  assert.deepEqual(report.faults, []);
  assert.equal(report.count, COUNT);
  assert.ok(options.cursors.length > 0);
  // The requests reached the routes: some succeeded, some were refused, some were not found.
  for (const status of ["200", "204", "202", "400", "401", "403", "404", "405", "413", "415"]) {
    assert.ok((report.statuses[status] ?? 0) > 0, `${status}: ${JSON.stringify(report.statuses)}`);
  }
  assert.equal(after.status, 200);
});

test("the same requests find every hole that is planted", async (t) => {
  const { url, options, agent } = await openTarget(t);
  const faultsOf = async (target: string) =>
    (await runFuzz(target, { options, agent, firstSeed: FIRST_SEED, count: 200, atOnce: 8 }))
      .faults;

  assert.deepEqual(await faultsOf(await plantHole(t, url, undefined)), []);
  for (const hole of HOLES) {
    assert.ok((await faultsOf(await plantHole(t, url, hole))).length > 0, hole);
  }
});

async function openTarget(t: TestContext) {
  const { app, db, token, call } = await openTestApp(t, {
    environment: { ASSAY_RATE_LIMIT_PER_MINUTE: "0", ASSAY_WAHA_UNSIGNED: "true" },
  });
  const url = await app.listen({ port: 0, host: "127.0.0.1" });
  const agent = new Agent({ keepAlive: true, maxSockets: 8 });
  t.after(() => agent.destroy());
  const alertId = await anAlert(db);
  await aMatch(db, { alert_id: alertId });
  const presetId = await aPreset(db);
  const listing = aListingWith();
  await insertListings(db, [listing, aListingWith(), aListingWith()]);
  const options = {
    token,
    readOnlyToken: await addToken(db, { isReadOnly: true }),
    ids: [alertId, presetId, listing.id, listing.canonical_message_id],
    cursors: await collectCursors(url, token),
    routes: listRoutes(),
    schemas: listSchemas(),
  };
  return { url, options, agent, call };
}
