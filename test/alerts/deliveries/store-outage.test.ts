import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { DatabasePool } from "../../../src/db/database.ts";
import { openPool } from "../../../src/db/pool.ts";
import { sql } from "../../../src/db/sql.ts";
import { aLiveAlert, arrive, matchAll } from "../../support/alerts.ts";
import { aTarget, countBy, send, startWebhookTarget } from "../../support/deliveries.ts";
import { openFaultyNetwork } from "../../support/faults/faulty-network.ts";
import { aListingWith } from "../../support/listings.ts";
import { until } from "../../support/test-app.ts";
import { openTestDatabase } from "../../support/test-database.ts";

// The clock of these senders stands still, so a lease never ends by itself.

test("a claim whose answer was lost is released when the store is back", async (t) => {
  const { pool, network, sending } = await openMarket(t);
  const target = await startWebhookTarget(t);
  await aTarget(pool, target.url);
  await pool.script(`
    create function wait() returns trigger language plpgsql as $$ begin perform pg_sleep(0.5); return null; end $$;
    create trigger waits after update on webhook_delivery for each row
      when (new.attempt_count > old.attempt_count) execute function wait()`);
  await aMatch(pool);

  send(t, sending);
  await until(async () => (await countSleeping(pool)) > 0);
  await network.close();
  await until(
    async () =>
      (
        await pool.query(sql`
    select from webhook_delivery where attempt_count = 1`)
      ).length > 0,
  );
  await pool.script("drop trigger waits on webhook_delivery");
  assert.equal(target.received.length, 0);
  await network.open();

  await until(async () => (await countBy(pool, "delivered")) === 1);
  assert.equal(target.received.length, 1);
  assert.deepEqual(await pool.query(sql`select attempt_count from webhook_delivery`), [
    { attempt_count: 1 },
  ]);
});

test("what was sent while the store was lost is saved when it is back, and not sent again", async (t) => {
  const { pool, network, sending } = await openMarket(t);
  const lost: Promise<void>[] = [];
  const target = await startWebhookTarget(t, (response) => {
    lost.push(network.close().then(() => void response.end()));
  });
  await aTarget(pool, target.url);
  await aMatch(pool);

  send(t, sending);
  await until(() => lost.length > 0);
  await Promise.all(lost);
  assert.equal(await countBy(pool, "delivered"), 0);
  await network.open();

  await until(async () => (await countBy(pool, "delivered")) === 1);
  assert.equal(target.received.length, 1);
});

/** The sender reaches the store through a network that can fail. */
async function openMarket(t: TestContext) {
  const { pool, url } = await openTestDatabase(t);
  await aLiveAlert(pool);
  const network = await openFaultyNetwork(t, url);
  const sending = openPool({ url: network.url, name: "assay sender" });
  t.after(() => sending.end(1_000));
  return { pool, network, sending };
}

async function aMatch(pool: DatabasePool): Promise<void> {
  await arrive(pool, [aListingWith()]);
  await matchAll(pool);
}

async function countSleeping(pool: DatabasePool): Promise<number> {
  const rows = await pool.query(sql`
    select from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'`);
  return rows.length;
}
