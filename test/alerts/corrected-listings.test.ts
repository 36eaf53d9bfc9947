import assert from "node:assert/strict";
import { test } from "node:test";
import type { DatabasePool } from "../../src/db/database.ts";
import { sql } from "../../src/db/sql.ts";
import { aLiveAlert, listStoredMatches } from "../support/alerts.ts";
import { process } from "../support/drain.ts";
import { correct } from "../support/listings.ts";
import { aMarketOfDealers, anAskOf, showCells } from "../support/pricing.ts";
import { borrowTestDatabase } from "../support/shared-store.ts";

const EUROS = (amount: number) => ({ amount_minor: amount * 100, currency: "EUR" });

test("a correction that makes a buy fires within the alert window only, and matches stay", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  const { configuration, alert } = await aMarketOfDealers(pool);
  await process(pool, [anAskOf(5, 10_400), anAskOf(6, 10_450, 25)]);
  const before = await listStoredMatches(pool);
  const fresh = await findListing(pool, 10_400);
  const old = await findListing(pool, 10_450);

  await correct(pool, old, { price: EUROS(9_600) });
  await process(pool, []);
  const afterOld = await listStoredMatches(pool);
  await correct(pool, fresh, { price: EUROS(9_400) });
  await process(pool, []);
  const fired = await listStoredMatches(pool);
  await correct(pool, fresh, { is_listing: false });
  await process(pool, []);
  const cells = await showCells(pool, configuration);
  await correct(pool, fresh, {}, { undo: ["is_listing"] });
  await process(pool, []);

  assert.deepEqual([before, afterOld], [[], []]);
  assert.deepEqual(
    fired.map(({ alert_id, listing_id }) => [alert_id, listing_id]),
    [[alert, fresh]],
  );
  assert.deepEqual(cells, ["2023 new: available 5 1012000"]);
  assert.deepEqual(await showCells(pool, configuration), ["2023 new: available 6 1000000"]);
  assert.deepEqual(await listStoredMatches(pool), fired);
});

test("a correction fires no alert that is a plain filter", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  await aLiveAlert(pool, { reference: ["126610LN"], price: { lte: 1_000_000 } });
  await process(pool, [anAskOf(1, 96_000)]);

  await correct(pool, await findListing(pool, 96_000), { price: EUROS(9_600) });
  await process(pool, []);

  assert.deepEqual(await listStoredMatches(pool), []);
});

test("what is read as talk fires nothing, and a buy once a person says that it is an offer", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  const { configuration, alert } = await aMarketOfDealers(pool);
  await aLiveAlert(pool, {
    reference: ["126610LN"],
    include_hidden: true,
    price: { lte: 950_000 },
  });
  const { payload, ...event } = anAskOf(5, 9_600);
  const body = "Is this guy legit? Selling a Rolex 126610LN 2023 new for EUR 9600";
  await process(pool, [{ ...event, payload: { ...payload, body } }]);
  const talk = await findListing(pool, 9_600);
  const silent = await listStoredMatches(pool);
  const cells = await showCells(pool, configuration);

  await correct(pool, talk, { is_listing: true });
  await process(pool, []);

  assert.notEqual(talk, "");
  assert.deepEqual([silent, cells], [[], ["2023 new: available 4 1025000"]]);
  assert.deepEqual(
    (await listStoredMatches(pool)).map(({ alert_id, listing_id }) => [alert_id, listing_id]),
    [[alert, talk]],
  );
  assert.deepEqual(await showCells(pool, configuration), ["2023 new: available 5 1012000"]);
});

async function findListing(pool: DatabasePool, euros: number): Promise<string> {
  const [row] = await pool.query<{ id: string }>(
    sql`select id from listing where price_amount_minor = ${euros * 100}`,
  );
  return row?.id ?? "";
}
