import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { type TestContext, test } from "node:test";
import { listMatchesAfter } from "../../../src/alerts/match-store.ts";
import { takeLock } from "../../../src/db/locks.ts";
import { sql } from "../../../src/db/sql.ts";
import { matchListings } from "../../../src/pipeline/steps.ts";
import { aLiveAlert, arrive, listStoredMatches, matchAll } from "../../support/alerts.ts";
import { stepContext } from "../../support/drain.ts";
import { aListingWith } from "../../support/listings.ts";
import { borrowTestApp } from "../../support/shared-store.ts";
import { addToken, NOW_MS, type TestApp, until } from "../../support/test-app.ts";

test("a match made while its alert is muted is recorded and never streamed or sent, also not after it", async (t) => {
  const own = await open(t);
  const path = `/v2/alerts/${own.alert}/mute`;
  const before = await own.call("GET", "/v2/alerts");
  await own.arrives("before");

  assert.equal((await own.send("PUT", path)).status, 204);
  assert.deepEqual((await own.call("GET", "/v2/alerts")).body, before.body);
  await own.arrives("muted");
  const [muted] = (await own.call("GET", "/v2/alerts/states")).body.items;
  assert.equal(muted.muted_until_ms, 253_402_300_799_999);
  assert.equal((await own.send("DELETE", path)).status, 204);
  const [heard] = (await own.call("GET", "/v2/alerts/states")).body.items;
  assert.equal(heard.muted_until_ms, undefined);
  await own.arrives("after");

  const page = await own.call("GET", `/v2/alerts/${own.alert}/matches`);
  assert.equal(page.body.total, 3);
  assert.deepEqual(await own.streamed(), ["before", "after"]);
  assert.deepEqual(await own.queued(), ["after", "before"]);
});

test("a request that cannot get the lock of matches in time fails, and does not mute later", async (t) => {
  const own = await open(t);

  const refused = await own.db.transaction(async (tx) => {
    await takeLock(tx, "matches");
    return own.send("PUT", `/v2/alerts/${own.alert}/mute`);
  });
  // Behind whatever still waits for the lock.
  await own.db.transaction((tx) => takeLock(tx, "matches"));

  assert.deepEqual([refused.status, refused.body.error.code], [503, "store_unavailable"]);
  const [state] = (await own.call("GET", "/v2/alerts/states")).body.items;
  assert.equal(state.muted_until_ms, undefined);
});

test("muting ends at its time", async (t) => {
  const own = await open(t);
  const path = `/v2/alerts/${own.alert}/mute`;

  const past = await own.send("PUT", path, { until_ms: NOW_MS });
  const seconds = await own.send("PUT", path, { until_ms: Math.floor(NOW_MS / 1000) + 60 });
  const future = await own.send("PUT", path, { until_ms: NOW_MS + 1 });
  await own.arrives("muted");
  // The steps of a test run at NOW_MS, so the end is moved instead of the clock.
  await own.db.execute(sql`update alert set muted_until_ms = ${NOW_MS}`);
  await own.arrives("after");

  assert.deepEqual([past.status, seconds.status, future.status], [400, 400, 204]);
  assert.deepEqual(await own.streamed(), ["after"]);
});

test("muting is decided when the match commits: it waits for a match in progress, and a later match sees it", async (t) => {
  const own = await open(t);
  const context = await stepContext(own.db);
  const listing = aListingWith();
  await arrive(own.db, [listing]);
  const sent = { isDone: false };

  // A listing is matched, and its transaction is held open until the request to mute waits for it.
  await own.db.transaction(async (tx) => {
    const held = { ...own.db, transaction: (work: Parameters<typeof tx.savepoint>[0]) => work(tx) };
    await matchListings(held as unknown as typeof own.db, { ...context, batchMax: 10 });
    void own.send("PUT", `/v2/alerts/${own.alert}/mute`).then(() => {
      sent.isDone = true;
    });
    await until(async () => {
      const waiting = await own.db.query(sql`
        select from pg_locks
         where database = (select oid from pg_database where datname = current_database())
           and locktype = 'advisory' and not granted`);
      return waiting.length > 0;
    });
    assert.equal(sent.isDone, false);
  });
  await until(() => sent.isDone);
  await own.arrives("muted");
  await context.close();

  const matches = await listStoredMatches(own.db);
  assert.equal(matches.length, 2);
  const rows = await listMatchesAfter(own.db, { afterSequence: 0, limit: 10 });
  assert.deepEqual(
    rows.map(({ match }) => match.resource_id),
    [listing.id],
  );
});

test("muting an unknown alert is 404, a malformed id or body 400, and a read-only token gets 403", async (t) => {
  const own = await open(t);
  const readOnly = { authorization: `Bearer ${await addToken(own.db, { isReadOnly: true })}` };
  const path = `/v2/alerts/${own.alert}/mute`;

  for (const method of ["PUT", "DELETE"] as const) {
    const unknown = await own.send(method, `/v2/alerts/${randomUUID()}/mute`);
    assert.equal(unknown.body.error.code, "alert_not_found");
    assert.equal((await own.send(method, "/v2/alerts/7/mute")).status, 400);
    assert.equal((await own.send(method, path, undefined, readOnly)).status, 403);
  }
  for (const body of [{ until_ms: "1" }, { until_ms: 1.5 }, { until: 1 }, { until_ms: 1e18 }]) {
    assert.equal((await own.send("PUT", path, body)).status, 400, JSON.stringify(body));
  }
});

/** An app with an alert on every Rolex, and a target that wants every match. */
async function open(t: TestContext) {
  const own: TestApp = await borrowTestApp(t);
  const alert = await aLiveAlert(own.db);
  await own.db.execute(sql`
    insert into webhook_target (id, name, url, secret, created_at_ms, updated_at_ms)
    values (gen_random_uuid(), 'desk', 'https://example.org', 'whsec_', 0, 0)`);
  const names = new Map<string, string>();
  const nameOf = ({ resource_id }: { resource_id: string }) => names.get(resource_id) ?? "?";
  return {
    ...own,
    alert,
    /** Lets a listing arrive and match. */
    arrives: async (name: string) => {
      const listing = aListingWith();
      names.set(listing.id, name);
      await arrive(own.db, [listing]);
      await matchAll(own.db);
    },
    streamed: async () =>
      (await listMatchesAfter(own.db, { afterSequence: 0, limit: 10 })).map(({ match }) =>
        nameOf(match),
      ),
    queued: async () =>
      (await own.db.query<{ resource_id: string }>(sql`select resource_id from webhook_delivery`))
        .map(nameOf)
        .toSorted(),
  };
}
