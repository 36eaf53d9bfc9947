import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { type TestContext, test } from "node:test";
import type { Database } from "../../../src/db/database.ts";
import { sql } from "../../../src/db/sql.ts";
import { listMiscounted, listStoredMatches } from "../../support/alerts.ts";
import { aListing, aMatch, anAlert } from "../../support/rows.ts";
import { borrowTestApp } from "../../support/shared-store.ts";
import { addToken, NOW_MS, type TestApp, until } from "../../support/test-app.ts";

test("a match that is marked twice keeps its first seen time", async (t) => {
  const own = await open(t);
  const alert = await anAlert(own.db);
  const listing = await aListing(own.db);
  await aMatch(own.db, { alert_id: alert, resource_id: listing });
  const path = `/v2/alerts/${alert}/matches/${listing}/seen`;

  const first = await own.call("POST", path);
  own.clock.advance(5000);
  const second = await own.call("POST", path);

  assert.equal(first.status, 200);
  assert.equal(first.body.seen_at_ms, NOW_MS);
  assert.equal(first.body.resource_id, listing);
  assert.deepEqual(second.body, first.body);
  const page = await own.call("GET", `/v2/alerts/${alert}/matches?unseen_only=true`);
  assert.deepEqual(page.body, { items: [], total: 0 });
  const all = await own.call("GET", `/v2/alerts/${alert}/matches`);
  assert.equal(all.body.total, 1);
  assert.deepEqual(await listMiscounted(own.db), []);
});

test("an id from before a merge leads to the match, before and after the match moves", async (t) => {
  const own = await open(t);
  const alert = await anAlert(own.db);
  const [old, current, waiting] = [randomUUID(), randomUUID(), randomUUID()];
  await own.db.execute(
    sql`insert into listing_alias (old_id, listing_id) values (${old}, ${current}), (${waiting}, ${current})`,
  );
  await aMatch(own.db, { alert_id: alert, resource_id: current });
  await aMatch(own.db, { alert_id: alert, resource_id: waiting });

  const merged = await own.call("POST", `/v2/alerts/${alert}/matches/${old}/seen`);
  const answer = await send(own, { matches: [{ alert_id: alert, resource_id: waiting }] });

  assert.equal(merged.body.resource_id, current);
  assert.equal(merged.body.seen_at_ms, NOW_MS);
  assert.deepEqual(answer.body, { seen_count: 1, has_more: false });
});

test("an unknown match is 404, a malformed id 400, and a read-only token gets 403", async (t) => {
  const own = await open(t);
  const alert = await anAlert(own.db);
  const readOnly = await addToken(own.db, { isReadOnly: true });

  const noMatch = await own.call("POST", `/v2/alerts/${alert}/matches/${randomUUID()}/seen`);
  const noAlert = await own.call("POST", `/v2/alerts/${randomUUID()}/matches/${randomUUID()}/seen`);
  const noId = await own.call("POST", `/v2/alerts/${alert}/matches/7/seen`);
  const refused = await own.call("POST", `/v2/alerts/${alert}/matches/${randomUUID()}/seen`, {
    authorization: `Bearer ${readOnly}`,
  });

  assert.deepEqual([noMatch.status, noMatch.body.error.code], [404, "match_not_found"]);
  assert.deepEqual([noAlert.status, noAlert.body.error.code], [404, "alert_not_found"]);
  assert.equal(noId.status, 400);
  assert.equal(refused.status, 403);
});

test("many matches are marked by pairs, or up to a time, for one alert or for all", async (t) => {
  const own = await open(t);
  const [left, right] = [await anAlert(own.db), await anAlert(own.db)];
  const ids = Array.from({ length: 4 }, () => randomUUID());
  for (const alert_id of [left, right]) {
    for (const [at, resource_id] of ids.entries()) {
      await aMatch(own.db, { alert_id, resource_id, matched_at_ms: 100 + at });
    }
  }

  const pairs = [
    { alert_id: left, resource_id: ids[0] },
    { alert_id: left, resource_id: ids[0] },
    { alert_id: left, resource_id: randomUUID() },
  ];
  assert.deepEqual((await send(own, { matches: pairs })).body, { seen_count: 1, has_more: false });
  assert.deepEqual((await send(own, { matches: pairs })).body, { seen_count: 0, has_more: false });
  const ofLeft = await send(own, { alert_id: left, before_ms: 101 });
  assert.deepEqual(ofLeft.body, { seen_count: 1, has_more: false });
  const ofAll = await send(own, { before_ms: 102 });
  assert.deepEqual(ofAll.body, { seen_count: 4, has_more: false });

  const unseen = (await listStoredMatches(own.db)).filter(({ seen_at_ms }) => seen_at_ms === null);
  assert.deepEqual(
    unseen.map(({ matched_at_ms }) => matched_at_ms),
    [103, 103],
  );
  assert.deepEqual(await listMiscounted(own.db), []);
});

test("at most 5000 matches are marked in one call", async (t) => {
  const own = await open(t);
  const alert = await anAlert(own.db);
  await own.db.execute(sql`
    insert into alert_match (alert_id, resource, resource_id, listing_id, canonical_message_id, matched_at_ms, match_context)
    select ${alert}, 'watch_listing', id, id, id, 1, '{}' from (select gen_random_uuid() as id from generate_series(1, 5001)) as made`);

  assert.deepEqual((await send(own, { before_ms: 1 })).body, { seen_count: 5000, has_more: true });
  assert.deepEqual((await send(own, { before_ms: 1 })).body, { seen_count: 1, has_more: false });
  assert.deepEqual(await listMiscounted(own.db), []);
});

test("concurrent calls mark each match once while new ones arrive, and report whether more are left", async (t) => {
  const own = await open(t);
  const alert = await anAlert(own.db);
  const insert = (db: Database, count: number) =>
    db.execute(sql`
    insert into alert_match (alert_id, resource, resource_id, listing_id, canonical_message_id, matched_at_ms, match_context)
    select ${alert}, 'watch_listing', id, id, id, 1, '{}'
      from (select gen_random_uuid() as id from generate_series(1, ${count}::integer)) as made`);
  await insert(own.db, 9_900);
  const commit = new AbortController();
  let isInserted = false;
  const inserting = own.db.transaction(async (tx) => {
    await insert(tx, 200);
    isInserted = true;
    await until(() => commit.signal.aborted);
  });
  await until(() => isInserted);

  const marking = Promise.all([send(own, { before_ms: 1 }), send(own, { before_ms: 1 })]);
  // Both wait for the writer's lock, and then for each other's.
  await until(async () => {
    const waiting = await own.db.query(sql`
      select from pg_stat_activity where datname = current_database() and wait_event = 'advisory'`);
    return waiting.length === 2;
  });
  commit.abort();
  await inserting;

  assert.deepEqual(
    (await marking).map(({ body }) => body),
    [
      { seen_count: 5_000, has_more: true },
      { seen_count: 5_000, has_more: true },
    ],
  );
  assert.deepEqual((await send(own, { before_ms: 1 })).body, { seen_count: 100, has_more: false });
  assert.deepEqual(await listMiscounted(own.db), []);
});

test("a body without an unambiguous selection is refused", async (t) => {
  const own = await open(t);
  const pair = { alert_id: randomUUID(), resource_id: randomUUID() };
  const wrong: readonly object[] = [
    {},
    { alert_id: pair.alert_id },
    { matches: [], before_ms: 1 },
    { matches: [] },
    { matches: [pair], before_ms: 1 },
    { matches: [pair], alert_id: pair.alert_id },
    { matches: [{ alert_id: "x", resource_id: "y" }] },
    { before_ms: -1 },
    { before_ms: "1" },
    { matches: Array.from({ length: 1001 }, () => pair) },
  ];

  for (const body of wrong)
    assert.equal((await send(own, body)).status, 400, JSON.stringify(body).slice(0, 80));
  const unknown = await send(own, { alert_id: pair.alert_id, before_ms: 1 });
  assert.deepEqual([unknown.status, unknown.body.error.code], [404, "alert_not_found"]);
});

/** A machine that is busy with other tests may refuse the first requests. */
async function open(t: TestContext): Promise<TestApp> {
  const own = await borrowTestApp(t);
  await until(async () => (await own.call("GET", "/v2/sessions")).status === 200);
  return own;
}

async function send({ app, token }: TestApp, body: object) {
  const response = await app.inject({
    method: "POST",
    url: "/v2/alerts/matches/seen",
    headers: { authorization: `Bearer ${token}` },
    payload: body,
  });
  return { status: response.statusCode, body: response.json() };
}
