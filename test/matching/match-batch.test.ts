import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { sql } from "../../src/db/sql.ts";
import { listSavedFilters } from "../../src/filters/saved-filter-store.ts";
import { matchBatch } from "../../src/matching/match-batch.ts";
import {
  aLiveAlert,
  arrive,
  aSavedFilter,
  listStoredMatches,
  queueMatches,
} from "../support/alerts.ts";
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

test("a membership has the cell and the ask of its listing, also after they change", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  const configuration = await aConfiguration(pool);
  await aSavedFilter(pool, "configuration", configuration);
  await aSavedFilter(pool, "view_eu", randomUUID());
  const listing = aListingWith({ year: null, condition: "LIKE_NEW", price_eur_minor: 950_000 });
  await arrive(pool, [listing]);
  const context = await stepContext(pool);
  t.after(() => context.close());
  const match = async () => {
    await pool.transaction((tx) => matchBatch(tx, { ...context, batchMax: 10 }));
    const rows = await pool.query(sql`
      select year, condition_bucket, price_eur_minor, xmin::text as version from listing_model`);
    return rows.map(({ version, ...member }) => ({ version, member }));
  };

  const [before] = await match();
  await queueMatches(pool, "watch_listing", [listing.id]);
  const [again] = await match();
  await pool.execute(
    sql`update listing set year = 2021, condition = null, price_eur_minor = 900000`,
  );
  await queueMatches(pool, "watch_listing", [listing.id]);
  const [after] = await match();

  assert.deepEqual(before?.member, {
    year: null,
    condition_bucket: "like_new",
    price_eur_minor: 950_000,
  });
  assert.deepEqual(again, before, "what has not changed is not written");
  assert.deepEqual(after?.member, { year: 2021, condition_bucket: null, price_eur_minor: 900_000 });
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
