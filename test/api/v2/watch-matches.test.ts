import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { DAY_MS, dayStartOf } from "../../../src/base/clock.ts";
import type { Database } from "../../../src/db/database.ts";
import { sql } from "../../../src/db/sql.ts";
import { aListing, aMatch, anAlert } from "../../support/rows.ts";
import { borrowTestApp } from "../../support/shared-store.ts";
import { addToken, NOW_MS, openTestApp, type TestApp } from "../../support/test-app.ts";

const MATCHES = "/v2/alerts/matches";
const STATES = "/v2/alerts/states";

interface Watch {
  readonly resource_id: string;
  readonly matches: readonly { readonly alert: { readonly id: string } }[];
}

/** A page as `watch: alerts`. */
function show(body: { readonly items: readonly Watch[] }, names: Readonly<Record<string, string>>) {
  return body.items.map(
    ({ resource_id, matches }) =>
      `${names[resource_id]}: ${matches.map(({ alert }) => names[alert.id]).join(" ")}`,
  );
}

async function twoAlerts(db: Database) {
  const a = await anAlert(db, { name: "A" });
  const b = await anAlert(db, { name: "B", strategy: "price_engine" });
  return { a, b };
}

const PRICED = { match_context: { strategy: "price_engine" } };

test("the matches of one watch are one row, which stands where its latest match stands", async (t) => {
  const { call, db } = await borrowTestApp(t);
  const { a, b } = await twoAlerts(db);
  const one = await aListing(db);
  const two = randomUUID();
  const names = { [a]: "A", [b]: "B", [one]: "one", [two]: "two" };
  await aMatch(db, {
    alert_id: a,
    resource_id: one,
    matched_at_ms: NOW_MS - 30,
    seen_at_ms: NOW_MS,
  });
  await aMatch(db, {
    alert_id: a,
    resource_id: two,
    matched_at_ms: NOW_MS - 20,
    seen_at_ms: NOW_MS,
  });
  await aMatch(db, { alert_id: b, resource_id: one, matched_at_ms: NOW_MS - 10, ...PRICED });
  await db.execute(sql`update canonical_message set text = 'a long text'`);

  const { status, body } = await call("GET", MATCHES);

  assert.equal(status, 200);
  assert.deepEqual(show(body, names), ["one: B A", "two: A"]);
  assert.equal(body.unseen_count, 1);
  assert.equal("next_cursor" in body, false);
  const [first, second] = body.items;
  assert.equal(first.listing.source.message_text, undefined, "a list has no texts");
  assert.deepEqual(
    { ...first, listing: first.listing.id, matches: first.matches.length },
    {
      resource: "watch_listing",
      resource_id: one,
      matched_at_ms: NOW_MS - 10,
      is_shadow: false,
      listing: one,
      offer_state: "today",
      post_count: 1,
      reason: "no_price_rule",
      no_buy_reason: "no_price_rule",
      is_blocked: false,
      matches: 2,
    },
  );
  assert.deepEqual(first.matches[1].alert, { id: a, name: "A" });
  const alone = await call("GET", `/v2/alerts/${b}/matches`);
  assert.deepEqual(first.matches[0].match, alone.body.items[0]);
  assert.equal(second.seen_at_ms, NOW_MS);
  assert.equal("listing" in second, false);
});

test("the query selects by strategy, alert, seen and shadow, and counts what is unseen", async (t) => {
  const { call, db } = await borrowTestApp(t);
  const { a, b } = await twoAlerts(db);
  const [x, y, z, w] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];
  const names = { [a]: "A", [b]: "B", [x]: "x", [y]: "y", [z]: "z", [w]: "w" };
  await aMatch(db, { alert_id: a, resource_id: x, matched_at_ms: NOW_MS - 4 });
  await aMatch(db, {
    alert_id: b,
    resource_id: x,
    matched_at_ms: NOW_MS - 5,
    is_outward: false,
    ...PRICED,
  });
  await aMatch(db, { alert_id: b, resource_id: y, matched_at_ms: NOW_MS - 3, ...PRICED });
  await aMatch(db, {
    alert_id: b,
    resource_id: z,
    matched_at_ms: NOW_MS - 2,
    is_outward: false,
    ...PRICED,
  });
  await aMatch(db, { alert_id: a, resource_id: w, matched_at_ms: NOW_MS - 1, seen_at_ms: NOW_MS });
  const find = async (query: string) => {
    const { body } = await call("GET", `${MATCHES}?${query}`);
    return [...show(body, names), body.unseen_count];
  };

  assert.deepEqual(await find(""), ["w: A", "y: B", "x: A", 2]);
  assert.deepEqual(await find("include_shadow=true"), ["w: A", "z: B", "y: B", "x: A B", 3]);
  assert.deepEqual(await find("strategy=price_engine"), ["y: B", 1]);
  assert.deepEqual(await find("strategy=price_engine&include_shadow=true"), [
    "z: B",
    "y: B",
    "x: B",
    3,
  ]);
  assert.deepEqual(await find("unseen_only=true"), ["y: B", "x: A", 2]);
  assert.deepEqual(await find(`alert_id=${a}`), ["w: A", "x: A", 1]);
  assert.deepEqual(await find(`alert_id=${b.toUpperCase()}&include_shadow=true`), [
    "z: B",
    "y: B",
    "x: B",
    3,
  ]);
  assert.deepEqual(await find(`alert_id=${a}&strategy=price_engine`), [0]);
  const { items } = (await call("GET", `${MATCHES}?include_shadow=true`)).body;
  assert.deepEqual(
    items.map((item: { is_shadow: boolean }) => item.is_shadow),
    [false, true, false, false],
  );
});

test("a walk through the pages has every watch once", async (t) => {
  const { call, db } = await borrowTestApp(t);
  const alerts = [await anAlert(db), await anAlert(db), await anAlert(db)];
  const watches = Array.from({ length: 7 }, () => randomUUID());
  for (const [at, resource_id] of watches.entries()) {
    for (const [index, alert_id] of alerts.entries()) {
      if ((at + index) % 4 === 0) continue;
      // Several watches match at the same time, and one watch at several times.
      const matched_at_ms = NOW_MS - Math.floor(at / 2) - index * (at % 3);
      await aMatch(db, { alert_id, resource_id, matched_at_ms, is_outward: index !== 1 });
    }
  }
  const whole = (await call("GET", `${MATCHES}?include_shadow=true`)).body.items;
  assert.equal(whole.length, 7);

  for (const limit of [1, 2, 3]) {
    const found: Watch[] = [];
    let cursor = "";
    do {
      const { status, body } = await call(
        "GET",
        `${MATCHES}?include_shadow=true&limit=${limit}${cursor}`,
      );
      assert.equal(status, 200);
      assert.ok(body.items.length <= limit);
      found.push(...body.items);
      cursor = body.next_cursor === undefined ? "" : `&cursor=${body.next_cursor}`;
    } while (cursor !== "");
    assert.deepEqual(found, whole);
  }
});

test("matches of messages are rows without a listing", async (t) => {
  const { call, db } = await borrowTestApp(t);
  const alert_id = await anAlert(db);
  const resource_id = randomUUID();
  await aMatch(db, { alert_id, resource: "message", resource_id, listing_id: null });

  const { body } = await call("GET", MATCHES);

  assert.equal(body.items[0].resource, "message");
  assert.equal("listing" in body.items[0], false);
  assert.equal("listing_id" in body.items[0].matches[0].match, false);
});

test("states count the matches of every alert by UTC day, for 30 days", async (t) => {
  const { call, db } = await borrowTestApp(t);
  const { a, b } = await twoAlerts(db);
  const today = dayStartOf(NOW_MS);
  for (const matched_at_ms of [
    today,
    NOW_MS,
    today - 1,
    today - 29 * DAY_MS,
    today - 29 * DAY_MS - 1,
  ]) {
    await aMatch(db, { alert_id: a, matched_at_ms, is_outward: matched_at_ms === NOW_MS });
  }
  await db.execute(
    sql`update alert_match set seen_at_ms = ${NOW_MS} where matched_at_ms = ${NOW_MS}`,
  );

  const { status, body } = await call("GET", STATES);

  assert.equal(status, 200);
  assert.equal(body.total, 2);
  const order = (await call("GET", "/v2/alerts")).body.items.map(({ id }: { id: string }) => id);
  assert.deepEqual(
    body.items.map((item: { alert_id: string }) => item.alert_id),
    order,
  );
  const stateOf = (id: string) =>
    body.items.find((item: { alert_id: string }) => item.alert_id === id);
  assert.deepEqual(stateOf(a), {
    alert_id: a,
    total_count: 5,
    unseen_count: 4,
    last_matched_at_ms: NOW_MS,
    days: [
      { day_start_ms: today - 29 * DAY_MS, match_count: 1 },
      { day_start_ms: today - DAY_MS, match_count: 1 },
      { day_start_ms: today, match_count: 2 },
    ],
  });
  assert.deepEqual(stateOf(b), { alert_id: b, total_count: 0, unseen_count: 0, days: [] });
});

test("a state tells until when an alert is muted, as long as it is", async (t) => {
  const { call, db, clock } = await openTestApp(t);
  await anAlert(db, { muted_until_ms: NOW_MS + 1 });

  const muted = (await call("GET", STATES)).body.items[0];
  clock.advance(1);
  const over = (await call("GET", STATES)).body.items[0];

  assert.equal(muted.muted_until_ms, NOW_MS + 1);
  assert.equal("muted_until_ms" in over, false);
});

test("without alerts and matches both lists are empty", async (t) => {
  const { call } = await borrowTestApp(t);

  assert.deepEqual((await call("GET", STATES)).body, { items: [], total: 0 });
  assert.deepEqual((await call("GET", MATCHES)).body, {
    items: [],
    unseen_count: 0,
    hidden_count: 0,
  });
});

test("the lists refuse bad queries and cursors of another query, and accept a read-only token", async (t) => {
  const app: TestApp = await borrowTestApp(t);
  const { call, db } = app;
  const { a } = await twoAlerts(db);
  await aMatch(db, { alert_id: a, matched_at_ms: 1 });
  await aMatch(db, { alert_id: a, matched_at_ms: 2 });
  const { next_cursor: cursor } = (await call("GET", `${MATCHES}?limit=1`)).body;
  const headers = { authorization: `Bearer ${await addToken(db, { isReadOnly: true })}` };

  for (const query of [
    "limit=0",
    "limit=201",
    "strategy=other",
    "alert_id=x",
    "unseen_only=1",
    "cursor=x",
    `cursor=${cursor}&unseen_only=true`,
    `cursor=${cursor}&alert_id=${a}`,
    `cursor=${cursor}&include_shadow=true`,
  ]) {
    const { status, body } = await call("GET", `${MATCHES}?${query}`);
    assert.equal(status, 400, query);
    assert.equal(body.error.code, "invalid_payload");
  }
  const unknown = await call("GET", `${MATCHES}?alert_id=${randomUUID()}`);
  assert.equal(unknown.status, 404);
  assert.equal(unknown.body.error.code, "alert_not_found");
  assert.equal((await call("GET", `${MATCHES}?cursor=${cursor}`, headers)).status, 200);
  assert.equal((await call("GET", STATES, headers)).status, 200);
  assert.equal((await call("GET", STATES, {})).status, 401);
});
