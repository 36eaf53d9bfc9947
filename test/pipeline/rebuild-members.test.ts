import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { shareLock } from "../../src/db/locks.ts";
import { sql } from "../../src/db/sql.ts";
import { rebuildQueuedMembers } from "../../src/pipeline/steps.ts";
import { arrive, matchAll } from "../support/alerts.ts";
import { drain, stepContext } from "../support/drain.ts";
import { aListingWith } from "../support/listings.ts";
import { applyTexts } from "../support/manifest.ts";
import { borrowTestApp } from "../support/shared-store.ts";
import { until } from "../support/test-app.ts";

test("a change of a source view is visible at once as stale, then selects members again and fires nothing", async (t) => {
  const own = await open(t);
  const cells = `/v2/market/price-engine/configurations/${own.configuration}/cells`;
  assert.deepEqual(await own.members(), [own.british]);
  assert.equal((await own.call("GET", cells)).body.is_stale, false);

  const changed = await own.send("PATCH", own.view, {
    filters: { country_codes: { include: ["44", "49"] } },
  });
  const stale = await own.call("GET", cells);
  const membersBefore = await own.members();
  await own.drain();

  assert.equal(changed.status, 200);
  assert.equal(stale.body.is_stale, true);
  assert.deepEqual(membersBefore, [own.british]);
  assert.deepEqual(await own.members(), [own.british, own.german].toSorted());
  assert.equal((await own.call("GET", cells)).body.is_stale, false);
  const fresh = await own.db.query<{ id: string }>(sql`select listing_id as id from fresh_listing`);
  assert.deepEqual(fresh, [{ id: own.british }]);
  assert.deepEqual(await own.db.query(sql`select from member_queue`), []);
});

test("a configuration is not calculated from members of an old filter, also if it is queued otherwise", async (t) => {
  const own = await open(t);
  await own.send("PATCH", own.view, { source_market: null });
  await own.db.execute(sql`
    insert into refresh_queue (configuration_id, queued_at_ms) values (${own.configuration}, 0)
    on conflict do nothing`);

  await own.drain(["refresh cells"]);
  const waiting = await own.db.query(sql`select from refresh_queue`);
  await own.drain();

  assert.equal(waiting.length, 1);
  assert.deepEqual(await own.members(), []);
  assert.deepEqual(await own.db.query(sql`select from refresh_queue`), []);
});

test("members are selected after the batches of matching that are under way", async (t) => {
  const own = await open(t);
  await own.send("PATCH", own.view, { source_market: null });
  const context = await stepContext(own.db, own.clock);
  let isDone = false;

  await own.db.transaction(async (tx) => {
    await shareLock(tx, "members");
    void rebuildQueuedMembers(own.db, { ...context, batchMax: 10 }).then(() => {
      isDone = true;
    });
    await until(async () => {
      const waiting = await own.db.query(sql`
        select from pg_locks
         where database = (select oid from pg_database where datname = current_database())
           and locktype = 'advisory' and not granted`);
      return waiting.length > 0;
    });
    assert.equal(isDone, false);
  });
  await until(() => isDone);
  await context.close();

  assert.deepEqual(await own.members(), []);
});

/** A configuration with a British ask in its source view, which the API manages, and a German one outside. */
async function open(t: TestContext) {
  const own = await borrowTestApp(t);
  const view = await own.send("POST", "/v2/views", {
    name: "Europe",
    source_market: "EU",
    filters: { country_codes: { include: ["44"] } },
  });
  await applyTexts(
    own.db,
    "profiles: [{name: p}]\nconfigurations: [{profile: p, brand: Rolex, reference: 126610LN}]",
  );
  const [configuration] = await own.db.query<{ id: string }>(
    sql`select id from price_configuration`,
  );
  const british = aListingWith({ phone_number: "447700900123" });
  const german = aListingWith({ phone_number: "4915100000000" });
  await arrive(own.db, [british, german]);
  await matchAll(own.db);
  const run = async (names?: readonly string[]) => {
    const context = await stepContext(own.db, own.clock);
    const { STEPS } = await import("../../src/pipeline/steps.ts");
    const steps = STEPS.filter(({ name }) => names === undefined || names.includes(name));
    await drain(context, { steps });
    await context.close();
  };
  await run();
  return {
    ...own,
    view: `/v2/views/${view.body.id}`,
    configuration: configuration?.id ?? "",
    british: british.id,
    german: german.id,
    drain: run,
    members: async () =>
      (await own.db.query<{ id: string }>(sql`select listing_id as id from listing_model`))
        .map(({ id }) => id)
        .toSorted(),
  };
}
