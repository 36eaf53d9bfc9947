import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { DAY_MS, HOUR_MS } from "../../../src/base/clock.ts";
import type { DatabasePool } from "../../../src/db/database.ts";
import { sql } from "../../../src/db/sql.ts";
import { anAsk, refresh } from "../../support/pricing.ts";
import { aConfiguration, aMatch, anAlert, aProfile } from "../../support/rows.ts";
import { borrowTestApp } from "../../support/shared-store.ts";
import { addToken, NOW_MS } from "../../support/test-app.ts";
import { post } from "../../support/waha.ts";

const SEARCH = "/v2/market/listings/search";
const FEED = "/v2/market/live-feed/search";
const MATCHES = "/v2/alerts/matches";
const SUMMARY = "/v2/alerts/matches/summary";

/**
 * Two references. Asks of 9,000, 9,900, 10,000, 10,100 and 11,000 for one: the average is 10,000, and the maximum 9,500. Asks of
 * 850, 1,000, 1,000 and 1,150 for the other: the average is 1,000, and the maximum 500.
 */
async function twoReferences(db: DatabasePool) {
  const dear = await aConfiguration(db);
  const other = { reference: "16233", reference_normalized: "16233" };
  const cheap = await aConfiguration(db, { ...other, market_reference_normalized: "16233" });
  const dearIds: string[] = [];
  for (const euros of [9_000, 9_900, 10_000, 10_100, 11_000]) {
    dearIds.push(await anAsk(db, euros, { models: [dear] }));
  }
  const cheapIds: string[] = [];
  for (const euros of [850, 1_000, 1_000, 1_150]) {
    cheapIds.push(await anAsk(db, euros, { models: [cheap], columns: other }));
  }
  await refresh(db, [dear, cheap]);
  return { dearIds, cheapIds, dear, cheap };
}

const namesOf = (ids: readonly string[], names: Readonly<Record<string, string>>) =>
  ids.map((id) => names[id] ?? "?");

function namesFrom(ids: readonly string[], letter: string): Readonly<Record<string, string>> {
  return Object.fromEntries(ids.map((id, at) => [id, `${letter}${at}`]));
}

test("a search sorted by profit or by share returns the best ask first, losses last", async (t) => {
  const app = await borrowTestApp(t);
  const { dearIds, cheapIds } = await twoReferences(app.db);
  const names = { ...namesFrom(dearIds, "d"), ...namesFrom(cheapIds, "c") };
  // The two asks of 1,000 tie, and stand by their ids.
  const ties = [cheapIds[1] ?? "", cheapIds[2] ?? ""].sort();
  const [tie1, tie2] = namesOf(ties, names);
  const find = async (body: object) => {
    const { status, body: page } = await post(app, SEARCH, body);
    assert.equal(status, 200);
    return namesOf(
      page.items.map(({ id }: { id: string }) => id),
      names,
    );
  };
  const zero = [tie1, tie2, "d2"].sort((a = "", b = "") => {
    const idOf = (name: string) => Object.keys(names).find((id) => names[id] === name) ?? "";
    return idOf(a) < idOf(b) ? -1 : 1;
  });

  assert.deepEqual(await find({ sort: "profit" }), ["d0", "c0", "d1", ...zero, "d3", "c3", "d4"]);
  assert.deepEqual(await find({ sort: "profit_bps" }), [
    "c0",
    "d0",
    "d1",
    ...zero,
    "d3",
    "d4",
    "c3",
  ]);
  assert.deepEqual(await find({ sort: "profit", minimum_profit_eur_minor: 15_000 }), ["d0", "c0"]);
  assert.deepEqual(await find({ sort: "profit", minimum_profit_eur_minor: 15_001 }), ["d0"]);
  assert.deepEqual(await find({ sort: "profit", minimum_discount_bps: 1_001 }), ["c0"]);
  assert.deepEqual(
    await find({ sort: "profit_bps", filters: { reference: ["16233"] }, limit: 1 }),
    ["c0"],
  );
});

test("a ranking has pages, and each row its price if it is asked for", async (t) => {
  const app = await borrowTestApp(t);
  const { dearIds } = await twoReferences(app.db);
  const body = { sort: "profit", limit: 4, include: ["price"] };

  const first = (await post(app, SEARCH, body)).body;
  const second = (await post(app, SEARCH, { ...body, cursor: first.next_cursor })).body;
  const third = (await post(app, SEARCH, { ...body, cursor: second.next_cursor })).body;

  const pages = [first, second, third];
  assert.deepEqual(
    pages.map(({ items }) => items.length),
    [4, 4, 1],
  );
  assert.equal(
    new Set(pages.flatMap(({ items }) => items.map(({ id }: { id: string }) => id))).size,
    9,
  );
  assert.equal("next_cursor" in third, false);
  const [best] = first.prices;
  assert.equal(best.listing_id, dearIds[0]);
  assert.equal(best.headline.profit_opportunity_eur_minor, 100_000);
});

test("what is replaced, gone, suspect, too old or without a headline is not ranked", async (t) => {
  const app = await borrowTestApp(t);
  const { db } = app;
  const { dear, dearIds } = await twoReferences(db);
  const models = [dear];
  const ask_key = randomUUID();
  const replaced = await anAsk(db, 9_400, {
    models,
    columns: { ask_key, first_seen_at_ms: NOW_MS - 9, last_seen_at_ms: NOW_MS - 9 },
  });
  const later = await anAsk(db, 9_300, { models, columns: { ask_key } });
  await anAsk(db, 2_024, { models });
  await anAsk(db, 9_100, { models, columns: { is_hidden: true } });
  await anAsk(db, 9_100, { models, columns: { is_revoked: true } });
  await anAsk(db, 9_100, { models, columns: { year: 2001 } });
  const old = NOW_MS - 31 * DAY_MS;
  await anAsk(db, 9_100, { models, columns: { first_seen_at_ms: old, last_seen_at_ms: old } });
  await refresh(db, models);
  const filters = { reference: ["126610LN"] };

  for (const brand of [undefined, ["Rolex"]]) {
    const { body } = await post(app, SEARCH, {
      sort: "profit",
      filters: brand === undefined ? filters : { brand, years: [2023] },
    });
    const ids = body.items.map(({ id }: { id: string }) => id);
    assert.equal(ids.includes(replaced), false);
    assert.deepEqual(ids.filter((id: string) => [...dearIds, later].includes(id)).slice(0, 3), [
      dearIds[0],
      later,
      dearIds[1],
    ]);
    assert.equal(
      body.items.every(({ year }: { year: number }) => year === 2023),
      true,
    );
  }
});

test("the live feed is sorted by profit, without losses", async (t) => {
  const app = await borrowTestApp(t);
  const { dearIds, cheapIds } = await twoReferences(app.db);
  const find = async (body: object) =>
    (await post(app, FEED, body)).body.items.map(
      ({ listing }: { listing: { id: string } }) => listing.id,
    );

  assert.deepEqual(await find({ sort: "profit" }), [dearIds[0], cheapIds[0], dearIds[1]]);
  assert.deepEqual(await find({ sort: "profit_bps" }), [cheapIds[0], dearIds[0], dearIds[1]]);
  assert.deepEqual(await find({ sort: "profit", minimum_profit_eur_minor: 20_000 }), [dearIds[0]]);
});

/** All asks of the two references matched, hour by hour. */
async function matchAll(db: DatabasePool) {
  const market = await twoReferences(db);
  const alert = await anAlert(db);
  const ids = [...market.dearIds, ...market.cheapIds];
  for (const [at, resource_id] of ids.entries()) {
    await aMatch(db, { alert_id: alert, resource_id, matched_at_ms: NOW_MS - at * HOUR_MS });
  }
  return { ...market, alert, ids };
}

interface WatchRow {
  readonly resource_id: string;
  readonly matches: readonly unknown[];
}

test("matches are sorted by profit, and restricted to buys, a time, an offer state, a reference, a contact", async (t) => {
  const { call, db } = await borrowTestApp(t);
  const { dearIds, cheapIds, ids } = await matchAll(db);
  const find = async (query: string): Promise<readonly string[]> => {
    const { status, body } = await call("GET", `${MATCHES}?${query}`);
    assert.equal(status, 200, query);
    return body.items.map(({ resource_id }: WatchRow) => resource_id);
  };
  const [contact] = await db.query<{ id: string }>(
    sql`select contact_id as id from listing where id = ${cheapIds[3]}`,
  );

  assert.deepEqual((await find("sort=profit")).slice(0, 3), [dearIds[0], cheapIds[0], dearIds[1]]);
  assert.deepEqual((await find("sort=profit_bps")).slice(0, 2), [cheapIds[0], dearIds[0]]);
  assert.deepEqual(await find("is_buy=true"), [dearIds[0]]);
  assert.deepEqual(await find("is_buy=true&sort=profit"), [dearIds[0]]);
  assert.deepEqual(await find("is_buy=false"), ids.slice(1));
  assert.deepEqual(await find("minimum_profit_eur_minor=10000"), [
    dearIds[0],
    dearIds[1],
    cheapIds[0],
  ]);
  assert.deepEqual(await find("minimum_discount_bps=1001"), [cheapIds[0]]);
  assert.deepEqual(await find("sort=profit&minimum_discount_bps=1001"), [cheapIds[0]]);
  assert.deepEqual(await find(`since_ms=${NOW_MS - HOUR_MS}`), ids.slice(0, 2));
  assert.deepEqual(await find(`since_ms=${NOW_MS - HOUR_MS}&sort=profit`), ids.slice(0, 2));
  assert.deepEqual(await find("reference=16-233"), cheapIds);
  assert.deepEqual((await find("reference=16233&sort=profit"))[0], cheapIds[0]);
  assert.deepEqual(await find("reference=none"), []);
  assert.deepEqual(await find(`contact_id=${contact?.id}`), [cheapIds[3]]);
  assert.deepEqual(await find(`contact_id=${contact?.id}&sort=profit`), [cheapIds[3]]);
  assert.deepEqual(await find("offer_state=gone"), []);
  assert.deepEqual(await find("offer_state=today"), ids);
  await db.execute(sql`update listing set is_hidden = true where id = ${dearIds[2]}`);
  assert.deepEqual(await find("offer_state=gone&limit=3"), [dearIds[2]]);
  assert.deepEqual(await find("offer_state=gone&sort=profit"), []);
  assert.equal((await find("sort=profit&limit=99")).includes(dearIds[2] ?? ""), false);
});

test("pages of filtered and of ranked matches have every row once", async (t) => {
  const { call, db } = await borrowTestApp(t);
  await matchAll(db);
  for (const query of ["sort=profit", "sort=profit_bps", "is_buy=false", "offer_state=today"]) {
    const whole = (await call("GET", `${MATCHES}?${query}`)).body;
    for (const limit of [1, 2, 4]) {
      const found: WatchRow[] = [];
      let cursor: string | undefined;
      do {
        const next = cursor === undefined ? "" : `&cursor=${cursor}`;
        const { body } = await call("GET", `${MATCHES}?${query}&limit=${limit}${next}`);
        assert.ok(body.items.length <= limit);
        found.push(...body.items);
        cursor = body.next_cursor;
      } while (cursor !== undefined);
      assert.deepEqual(found, whole.items, `${query} ${limit}`);
    }
  }
});

test("the summary counts each ask once, and has the sum and the best of the buys", async (t) => {
  const { call, db } = await borrowTestApp(t);
  const { dear, dearIds, alert } = await matchAll(db);
  const ask_key = randomUUID();
  await db.execute(sql`update listing set ask_key = ${ask_key} where id = ${dearIds[0]}`);
  // The same ask in another message, and another buy.
  for (const columns of [{ ask_key }, {}]) {
    const resource_id = await anAsk(db, 9_000, { models: [dear], columns });
    await aMatch(db, { alert_id: alert, resource_id, matched_at_ms: NOW_MS - DAY_MS });
  }
  await aMatch(db, { alert_id: alert, resource: "message", listing_id: null });
  await aMatch(db, { alert_id: alert, matched_at_ms: NOW_MS - 31 * DAY_MS });

  const { status, body } = await call("GET", SUMMARY);
  const today = (await call("GET", `${SUMMARY}?since_ms=${NOW_MS - HOUR_MS}`)).body;
  const none = (await call("GET", `${SUMMARY}?since_ms=${NOW_MS}&strategy=price_engine`)).body;

  assert.equal(status, 200);
  assert.deepEqual(
    { ...body, best: body.best.price_engine.profit_opportunity_eur_minor },
    { match_count: 10, buy_count: 2, profit_eur_minor: 200_000, hidden_count: 0, best: 100_000 },
  );
  assert.deepEqual(
    { ...today, best: today.best.listing.id },
    { match_count: 2, buy_count: 1, profit_eur_minor: 100_000, hidden_count: 0, best: dearIds[0] },
  );
  assert.deepEqual(none, {
    match_count: 0,
    buy_count: 0,
    profit_eur_minor: 0,
    hidden_count: 0,
  });
});

test("each unseen watch is in one list of matches, also one that was last seen before the look-back", async (t) => {
  const { call, db } = await borrowTestApp(t);
  const { dear } = await twoReferences(db);
  const alert = await anAlert(db);
  const old = NOW_MS - 31 * DAY_MS;
  const columns = { first_seen_at_ms: old, last_seen_at_ms: old };
  const buy = await anAsk(db, 8_900, { models: [dear], columns });
  const other = await anAsk(db, 9_800, { models: [dear], columns });
  for (const resource_id of [buy, other]) await aMatch(db, { alert_id: alert, resource_id });
  const find = async (query: string) => (await call("GET", `${MATCHES}?${query}`)).body;
  const idsOf = ({ items }: { items: WatchRow[] }) => items.map(({ resource_id }) => resource_id);

  const all = await find("unseen_only=true");
  const summary = (await call("GET", SUMMARY)).body;

  assert.equal(all.unseen_count, 2);
  const isBuy = all.items.map((row: WatchRow & { price: { is_buy: boolean } }) => [
    row.resource_id,
    row.price.is_buy,
  ]);
  assert.deepEqual(Object.fromEntries(isBuy), { [buy]: true, [other]: false });
  for (const sort of ["newest", "profit"]) {
    assert.deepEqual(idsOf(await find(`sort=${sort}&is_buy=true`)), [buy], sort);
    assert.deepEqual(idsOf(await find(`sort=${sort}&is_buy=false`)), [other], sort);
  }
  assert.equal(summary.buy_count, 1);
});

test("rankings refuse what does not go together, and accept a read-only token", async (t) => {
  const app = await borrowTestApp(t);
  const { call, db } = app;
  await matchAll(db);
  const readOnly = await addToken(db, { isReadOnly: true });
  const { next_cursor: cursor } = (await post(app, SEARCH, { sort: "profit", limit: 1 })).body;
  const { next_cursor: ofMatches } = (await call("GET", `${MATCHES}?sort=profit&limit=1`)).body;

  for (const [url, body, sentence] of [
    [SEARCH, { sort: "gain" }, /^sort: /],
    [SEARCH, { sort: "profit", minimum_profit_eur_minor: -1 }, /^minimum_profit_eur_minor: /],
    [SEARCH, { sort: "profit", minimum_discount_bps: 10_001 }, /^minimum_discount_bps: /],
    [SEARCH, { minimum_discount_bps: 0 }, /^minimum_discount_bps: needs sort profit/],
    [SEARCH, { sort: "newest", minimum_profit_eur_minor: 1 }, /needs sort profit or profit_bps/],
    [SEARCH, { sort: "profit", include_total: true }, /^include_total: cannot be asked for/],
    [SEARCH, { sort: "profit_bps", cursor }, /^cursor: belongs to a request with other filters/],
    [SEARCH, { sort: "profit", minimum_profit_eur_minor: 0, cursor }, /^cursor: belongs to/],
    [SEARCH, { sort: "newest", cursor }, /^cursor: /],
    [FEED, { sort: "oldest" }, /^sort: /],
    [FEED, { sort: "profit", cursor: ofMatches }, /^cursor: /],
  ] as const) {
    const { status, body: answer } = await post(app, url, body);
    assert.equal(status, 400, `${url} ${JSON.stringify(body)}`);
    assert.match(answer.error.message, sentence);
  }
  for (const [query, sentence] of [
    [`${MATCHES}?sort=best`, /^sort: /],
    [`${MATCHES}?minimum_profit_eur_minor=-1`, /^minimum_profit_eur_minor: /],
    [`${MATCHES}?is_buy=perhaps`, /^is_buy: /],
    [`${MATCHES}?offer_state=sold`, /^offer_state: /],
    [`${MATCHES}?contact_id=7`, /^contact_id: /],
    [`${MATCHES}?reference=`, /^reference: /],
    [`${MATCHES}?since_ms=${NOW_MS + HOUR_MS}`, /^since_ms: is in the future/],
    [`${SUMMARY}?since_ms=${NOW_MS + HOUR_MS}`, /^since_ms: is in the future/],
    [`${SUMMARY}?since_ms=-1`, /^since_ms: /],
    [`${MATCHES}?cursor=${ofMatches}`, /^cursor: /],
    [`${MATCHES}?sort=profit&is_buy=true&cursor=${ofMatches}`, /^cursor: belongs to/],
    [`${MATCHES}?sort=profit&cursor=${cursor}`, /^cursor: belongs to/],
  ] as const) {
    const { status, body } = await call("GET", query);
    assert.equal(status, 400, query);
    assert.match(body.error.message, sentence);
  }
  assert.equal((await call("GET", `${SUMMARY}?alert_id=${randomUUID()}`)).status, 404);
  assert.equal((await post(app, SEARCH, { sort: "profit" }, readOnly)).status, 200);
  assert.equal((await post(app, FEED, { sort: "profit" }, readOnly)).status, 200);
  for (const url of [SUMMARY, `${MATCHES}?sort=profit`]) {
    const headers = { authorization: `Bearer ${readOnly}` };
    assert.equal((await app.app.inject({ method: "GET", url, headers })).statusCode, 200);
  }
});

test("an amount near the end of what can be stored is ranked, and one after another page follows", async (t) => {
  const app = await borrowTestApp(t);
  const huge = 8_000_000_000_000_000;
  const id = await aConfiguration(app.db, {
    profile_id: await aProfile(app.db, { minimum_listings: 1 }),
  });
  const columns = { price_amount_minor: huge, price_eur_minor: huge };
  const first = await anAsk(app.db, 1, { models: [id], columns });
  const second = await anAsk(app.db, 1, {
    models: [id],
    columns: { ...columns, contact_id: null },
  });
  await refresh(app.db, [id]);

  for (const sort of ["profit", "profit_bps"]) {
    const page = (await post(app, SEARCH, { sort, limit: 1 })).body;
    const next = (await post(app, SEARCH, { sort, limit: 1, cursor: page.next_cursor })).body;
    const found = [...page.items, ...next.items].map(({ id: listingId }) => listingId);
    assert.deepEqual(found, [first, second].sort());
  }
});
