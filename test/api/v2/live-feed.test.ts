import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { DAY_MS } from "../../../src/base/clock.ts";
import type { DatabasePool } from "../../../src/db/database.ts";
import { sql } from "../../../src/db/sql.ts";
import { searchLiveFeed } from "../../../src/pricing/live-feed.ts";
import { anAsk, refresh } from "../../support/pricing.ts";
import { aConfiguration, aProfile } from "../../support/rows.ts";
import { borrowTestApp, borrowTestDatabase } from "../../support/shared-store.ts";
import { addToken, NOW_MS } from "../../support/test-app.ts";
import { post } from "../../support/waha.ts";

const FEED = "/v2/market/live-feed/search";
const MATCHES = "/v2/market/price-engine/matches";

interface FeedItem {
  readonly listing: { readonly id: string };
  readonly price_engine: {
    readonly configuration_id: string;
    readonly profit_opportunity_eur_minor: number;
  };
}

const idsOf = (body: { readonly items: readonly FeedItem[] }) =>
  body.items.map(({ listing }) => listing.id);

const seenAgo = (ms: number) => ({
  first_seen_at_ms: NOW_MS - ms,
  last_seen_at_ms: NOW_MS - ms,
});

/** Asks of 9,000, 9,900, 10,000, 10,100 and 11,000: the average is 10,000. The cheapest was seen first. */
async function aMarket(db: DatabasePool, id: string): Promise<readonly string[]> {
  const ids: string[] = [];
  for (const [at, euros] of [9_000, 9_900, 10_000, 10_100, 11_000].entries()) {
    ids.push(await anAsk(db, euros, { models: [id], columns: seenAgo(50 - at) }));
  }
  return ids;
}

test("the feed has the asks below the average, latest seen first, each with its headline", async (t) => {
  const app = await borrowTestApp(t);
  const { db } = app;
  const id = await aConfiguration(db);
  const [cheapest, cheap] = await aMarket(db, id);
  const dear = await aConfiguration(db, {
    profile_id: await aProfile(db, { minimum_listings: 1, implausible_below_bps: 0 }),
    specificity: 1,
  });
  await db.execute(sql`
    insert into listing_model (listing_id, configuration_id, source_market) values (${cheapest}, ${dear}, 'EU')`);
  await anAsk(db, 15_000, { models: [dear] });
  await refresh(db, [id, dear]);

  const { status, body } = await post(app, FEED, {});

  assert.equal(status, 200);
  assert.deepEqual(idsOf(body), [cheap, cheapest]);
  assert.equal("next_cursor" in body, false);
  assert.deepEqual(
    body.items.map((item: FeedItem) => [
      item.price_engine.configuration_id,
      item.price_engine.profit_opportunity_eur_minor,
    ]),
    [
      [id, 10_000],
      [dear, 300_000],
    ],
  );
  const alone = await app.call("GET", `/v2/market/listings/${cheapest}/price-engine`);
  assert.deepEqual(body.items[1].price_engine, alone.body.items[0]);
  const found = await post(app, "/v2/market/listings/search", {
    filters: { price: { lte: 900_000 } },
  });
  assert.deepEqual(body.items[1].listing, found.body.items[0]);
});

test("profit, discount and filters restrict the feed; both bounds are inclusive", async (t) => {
  const app = await borrowTestApp(t);
  const id = await aConfiguration(app.db);
  const [cheapest, cheap] = await aMarket(app.db, id);
  await refresh(app.db, [id]);
  const find = async (body: object) => idsOf((await post(app, FEED, body)).body);

  assert.deepEqual(await find({ minimum_profit_eur_minor: 10_000 }), [cheap, cheapest]);
  assert.deepEqual(await find({ minimum_profit_eur_minor: 10_001 }), [cheapest]);
  assert.deepEqual(await find({ minimum_discount_bps: 1_000 }), [cheapest]);
  assert.deepEqual(await find({ minimum_discount_bps: 1_001 }), []);
  assert.deepEqual(await find({ filters: { price: { gte: 950_000 } } }), [cheap]);
  assert.deepEqual(await find({ filters: { brand: ["Omega"] } }), []);
});

test("suspect, hidden, duplicate and aged asks are not in the feed, and a mark-up counts", async (t) => {
  const app = await borrowTestApp(t);
  const id = await aConfiguration(app.db);
  const [cheapest, cheap] = await aMarket(app.db, id);
  await anAsk(app.db, 2_024, { models: [id] });
  await anAsk(app.db, 9_500, { models: [id], columns: { is_hidden: true } });
  await anAsk(app.db, 9_500, {
    models: [id],
    columns: { is_duplicate: true, contact_id: null },
  });
  await anAsk(app.db, 9_500, { models: [id], columns: seenAgo(31 * DAY_MS) });
  // 9,600 + 480 + 150 is above 10,000.
  await anAsk(app.db, 9_600, { models: [id], market: "HK", columns: { contact_id: null } });
  await refresh(app.db, [id]);

  const { body } = await post(app, FEED, {});

  assert.deepEqual(idsOf(body), [cheap, cheapest]);
});

test("pages have every ask once, also if a walk ends before a page is full", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  const id = await aConfiguration(pool);
  const below: string[] = [];
  for (let at = 0; at < 12; at += 1) {
    const isCheap = at % 5 < 2;
    // Two asks are seen at the same time.
    const listingId = await anAsk(pool, isCheap ? 9_000 : 11_000, {
      models: [id],
      columns: seenAgo(Math.floor(at / 2)),
    });
    if (isCheap) below.push(listingId);
  }
  await refresh(pool, [id]);
  const search = { filters: {}, minima: {}, nowMs: NOW_MS };

  for (const limit of [1, 2, 3, 50]) {
    const found: string[] = [];
    let cursor: string | undefined;
    let pageCount = 0;
    do {
      const page = await searchLiveFeed(pool, {
        ...search,
        limit,
        walk: { chunkCount: 2, listingsMax: 4 },
        ...(cursor === undefined ? {} : { cursor }),
      });
      assert.ok(page.ids.length <= limit);
      found.push(...page.ids);
      cursor = page.nextCursor;
      pageCount += 1;
    } while (cursor !== undefined);
    assert.equal(new Set(found).size, found.length);
    assert.deepEqual(found.toSorted(), below.toSorted());
    assert.ok(pageCount >= 3);
  }
});

test("one call prices many listings as the endpoint of each listing does", async (t) => {
  const app = await borrowTestApp(t);
  const { db } = app;
  const ids = [await aConfiguration(db), await aConfiguration(db)];
  const [first = "", second = ""] = await aMarket(db, ids[0] ?? "");
  const both = await anAsk(db, 10_050, { models: ids });
  const hidden = await anAsk(db, 10_050, { models: ids, columns: { is_hidden: true } });
  const old = randomUUID();
  await db.execute(sql`insert into listing_alias (old_id, listing_id) values (${old}, ${first})`);
  await refresh(db, ids);
  const unknown = randomUUID();

  const asked = [second, both.toUpperCase(), unknown, old, hidden, both];
  const { status, body } = await post(app, MATCHES, { listing_ids: asked });

  assert.equal(status, 200);
  assert.deepEqual(
    body.items.map((item: { listing_id: string }) => item.listing_id),
    [second, both, unknown, old, hidden],
  );
  for (const { listing_id, items } of body.items) {
    const alone = await app.call("GET", `/v2/market/listings/${listing_id}/price-engine`);
    assert.deepEqual(items, alone.body.items ?? []);
  }
  assert.equal(body.items[1].items.length, 2);
});

test("the feed and the matches refuse bad bodies and cursors of another query, and accept a read-only token", async (t) => {
  const app = await borrowTestApp(t);
  const id = await aConfiguration(app.db);
  await aMarket(app.db, id);
  await refresh(app.db, [id]);
  const readOnly = await addToken(app.db, { isReadOnly: true });
  const { next_cursor: cursor } = (await post(app, FEED, { limit: 1 })).body;
  assert.equal(typeof cursor, "string");

  for (const [url, body] of [
    [FEED, { limit: 0 }],
    [FEED, { limit: 201 }],
    [FEED, { minimum_profit_eur_minor: -1 }],
    [FEED, { minimum_discount_bps: 10_001 }],
    [FEED, { minimum_discount_bps: "5" }],
    [FEED, { filters: [] }],
    [FEED, { filters: { year: 2020 } }],
    [FEED, { filter: {} }],
    [FEED, { cursor: "x" }],
    [FEED, { cursor, minimum_profit_eur_minor: 1 }],
    [FEED, { cursor, filters: { brand: ["Rolex"] } }],
    [MATCHES, {}],
    [MATCHES, { listing_ids: [] }],
    [MATCHES, { listing_ids: ["x"] }],
    [MATCHES, { listing_ids: Array.from({ length: 101 }, () => randomUUID()) }],
    [MATCHES, { listing_ids: [randomUUID()], strict: true }],
  ] as const) {
    const { status, body: answer } = await post(app, url, body);
    assert.equal(status, 400, `${url} ${JSON.stringify(body)}`);
    assert.equal(answer.error.code, "invalid_payload");
  }
  assert.equal((await post(app, FEED, { limit: 1, cursor }, readOnly)).status, 200);
  assert.equal((await post(app, MATCHES, { listing_ids: [id] }, readOnly)).status, 200);
  assert.equal((await post(app, FEED, {}, "wrong")).status, 401);
});

test("the feed names unknown members of the filter, or refuses them", async (t) => {
  const app = await borrowTestApp(t);

  const lenient = await post(app, FEED, { filters: { referense: ["x"] } });
  const strict = await post(app, `${FEED}?strict=true`, { filters: { referense: ["x"] } });

  assert.match(lenient.body.warnings[0], /^filters.referense: unknown member, ignored/);
  assert.deepEqual(lenient.body.items, []);
  assert.equal(strict.status, 400);
});
