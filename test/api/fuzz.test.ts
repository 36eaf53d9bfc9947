import assert from "node:assert/strict";
import { Agent } from "node:http";
import { test } from "node:test";
import { listRoutes } from "../support/fuzz-requests.ts";
import { runFuzz } from "../support/fuzz-run.ts";
import { aListingWith, insertListings } from "../support/listings.ts";
import { aMatch, anAlert, aPreset } from "../support/rows.ts";
import { addToken, openTestApp } from "../support/test-app.ts";

const COUNT = process.env["ASSAY_TEST_LONG"] === "1" ? 100_000 : 5_000;
/** Set another seed to try other requests. */
const FIRST_SEED = 1;

test("no request breaks the service: no 5xx, every error has the error body, and it keeps answering", async (t) => {
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
  await insertListings(db, [listing]);

  const report = await runFuzz(url, {
    options: {
      token,
      readOnlyToken: await addToken(db, { isReadOnly: true }),
      ids: [alertId, presetId, listing.id, listing.canonical_message_id],
      routes: listRoutes(),
    },
    agent,
    firstSeed: FIRST_SEED,
    count: COUNT,
    atOnce: 8,
  });
  const after = await call("GET", "/v2/alerts");

  assert.deepEqual(report.faults, []);
  assert.equal(report.count, COUNT);
  // The requests reached the routes: some succeeded, some were refused, some were not found.
  for (const status of ["200", "204", "202", "400", "401", "403", "404", "405", "413", "415"]) {
    assert.ok((report.statuses[status] ?? 0) > 0, `${status}: ${JSON.stringify(report.statuses)}`);
  }
  assert.equal(after.status, 200);
});
