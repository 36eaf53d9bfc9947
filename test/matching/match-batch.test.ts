import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { sql } from "../../src/db/sql.ts";
import { listSavedFilters } from "../../src/filters/saved-filter-store.ts";
import { matchBatch } from "../../src/matching/match-batch.ts";
import { aLiveAlert, arrive, aSavedFilter, listStoredMatches } from "../support/alerts.ts";
import { stepContext } from "../support/drain.ts";
import { aListingWith } from "../support/listings.ts";
import { aConfiguration } from "../support/rows.ts";
import { borrowTestDatabase } from "../support/shared-store.ts";
import { NOW_MS } from "../support/test-app.ts";

test("a batch saves memberships and returns the alerts of fresh listings, and records no match itself", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  const configuration = await aConfiguration(pool);
  await aSavedFilter(pool, "configuration", configuration, { reference: ["126610LN"] });
  await aSavedFilter(pool, "view_eu", randomUUID());
  const alert = await aLiveAlert(pool, { reference: ["126610LN"] });
  const [fresh, late] = [aListingWith(), aListingWith()];
  await arrive(pool, [fresh]);
  await arrive(pool, [late], null);
  const context = await stepContext(pool);
  t.after(() => context.close());

  const batch = await pool.transaction((tx) => matchBatch(tx, { ...context, batchMax: 10 }));
  const next = await pool.transaction((tx) => matchBatch(tx, { ...context, batchMax: 10 }));

  assert.deepEqual(
    batch?.listings.map(({ shown, market, alertIds }) => ({ id: shown.id, market, alertIds })),
    [{ id: fresh.id, market: "EU", alertIds: [alert] }],
  );
  assert.deepEqual([batch?.takenCount, batch?.matchedAtMs], [2, NOW_MS]);
  assert.equal(next, undefined);
  assert.equal((await pool.query(sql`select from listing_model`)).length, 2);
  assert.equal((await pool.query(sql`select from refresh_queue`)).length, 1);
  assert.deepEqual(await listStoredMatches(pool), []);
});

test("a deleted configuration takes its saved filter with it, so that no listing becomes its member", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  const [deleted, kept] = [await aConfiguration(pool), await aConfiguration(pool)];
  for (const id of [deleted, kept]) await aSavedFilter(pool, "configuration", id);
  await aSavedFilter(pool, "view_eu", randomUUID());
  const context = await stepContext(pool);
  t.after(() => context.close());
  await arrive(pool, [aListingWith()]);

  await pool.execute(sql`delete from price_configuration where id = ${deleted}`);
  await pool.transaction((tx) => matchBatch(tx, { ...context, batchMax: 10 }));

  const filters = await listSavedFilters(pool, "configuration", {});
  const members = await pool.query(sql`select configuration_id from listing_model`);
  assert.deepEqual(
    filters.map(({ owner_id }) => owner_id),
    [kept],
  );
  assert.deepEqual([...members], [{ configuration_id: kept }]);
});
