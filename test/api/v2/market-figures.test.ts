import assert from "node:assert/strict";
import { test } from "node:test";
import { DAY_MS, dayStartOf } from "../../../src/base/clock.ts";
import { sql } from "../../../src/db/sql.ts";
import { aListingWith, insertListings } from "../../support/listings.ts";
import { aConfiguration, aGroup } from "../../support/rows.ts";
import { borrowTestApp } from "../../support/shared-store.ts";
import { addToken, NOW_MS, openTestApp, type TestApp, until } from "../../support/test-app.ts";

async function post(app: TestApp, path: string, body: unknown, token = app.token) {
  const response = await app.app.inject({
    method: "POST",
    url: path,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    payload: JSON.stringify(body),
  });
  return { status: response.statusCode, body: JSON.parse(response.body) };
}

test("facets are counted without their own members, and brands are shown as they are mostly written", async (t) => {
  const app = await borrowTestApp(t);
  const group = await aGroup(app.db, { name: "EU Dealers" });
  const listings = [
    aListingWith({ group_ids: [group], full_set_status: ["FULL_SET", "WATCH"] }),
    aListingWith({ year: 2019, price_eur_minor: 900_000, price_amount_minor: 900_000 }),
    aListingWith({ brand: "Omega", model: null, reference: "310.30", phone_number: "85291234567" }),
    aListingWith({ last_seen_at_ms: NOW_MS - 31 * DAY_MS, message_timestamp_ms: 1 }),
  ];
  await insertListings(app.db, listings);
  await app.db.execute(sql`update listing set brand = 'Rolex' where brand_folded = 'rolex'`);

  const { status, body } = await post(app, "/v2/market/facets", {
    filters: { brand: ["rolex"], price: { lte: 1_000_000 } },
  });
  const { body: all } = await post(app, "/v2/market/facets", {
    facets: ["country_code", "group", "full_set_status"],
    limit: 1,
  });

  assert.equal(status, 200);
  assert.deepEqual(body, {
    facets: {
      brand: [{ value: "Rolex", count: 1 }],
      model: [{ value: "submarinerdate", count: 1 }],
      reference: [{ value: "126610LN", count: 1 }],
      year: [{ value: "2019", count: 1 }],
      condition: [{ value: "NEW", count: 1 }],
      full_set_status: [{ value: "FULL_SET", count: 1 }],
      dial_type: [],
      variant: [],
      country_code: [{ value: "44", count: 1 }],
      group: [],
    },
    price_range: { currency: "EUR", min_minor: 900_000, max_minor: 1_250_000 },
    total: 1,
    is_exact: true,
  });
  assert.deepEqual(all.facets, {
    country_code: [{ value: "44", count: 2 }],
    group: [{ value: "EU Dealers", count: 1, id: group }],
    full_set_status: [{ value: "FULL_SET", count: 3 }],
  });
  assert.equal(all.total, 3);
});

test("an empty store has empty facets and no price range", async (t) => {
  const app = await borrowTestApp(t);

  const { body } = await post(app, "/v2/market/facets", { facets: ["brand"] });

  assert.deepEqual(body, { facets: { brand: [] }, total: 0, is_exact: true });
});

test("references have figures of their listings, and the configurations that are about them", async (t) => {
  const app = await borrowTestApp(t);
  const contact = "0000000a-0000-5000-8000-00000000000a";
  const [first, second] = [NOW_MS - DAY_MS, NOW_MS];
  const ask = (eurMinor: number) => ({ price_eur_minor: eurMinor, price_amount_minor: eurMinor });
  await insertListings(app.db, [
    aListingWith({ ...ask(100), contact_id: contact, last_seen_at_ms: first }),
    aListingWith({ ...ask(301), contact_id: contact, message_timestamp_ms: first }),
    aListingWith({ ...ask(900), side: "want_to_buy" }),
    aListingWith({ brand: "Omega", model: null, reference: "310.30", ...ask(5) }),
    aListingWith({ brand: "Tudor", reference: null }),
    aListingWith({ brand: null }),
  ]);
  await app.db.execute(sql`
    update listing set brand = 'Rolex', reference = '126610-LN', model = 'Submariner'
     where brand_folded = 'rolex'`);
  const configuration = await aConfiguration(app.db, { brand: "ROLEX" });
  await aConfiguration(app.db, { brand: "Tudor" });

  const { status, body } = await post(app, "/v2/market/references/search", {});

  assert.equal(status, 200);
  assert.equal(body.is_exact, true);
  assert.deepEqual(body.items, [
    {
      brand: "Rolex",
      reference: "126610-LN",
      reference_normalized: "126610LN",
      model: "Submariner",
      listing_count: 3,
      for_sale_count: 2,
      want_to_buy_count: 1,
      contact_count: 1,
      min_price_eur_minor: 100,
      median_price_eur_minor: 201,
      max_price_eur_minor: 301,
      first_seen_at_ms: first,
      last_seen_at_ms: second,
      configuration_ids: [configuration],
    },
    {
      brand: "omega",
      reference: "31030",
      reference_normalized: "31030",
      listing_count: 1,
      for_sale_count: 1,
      want_to_buy_count: 0,
      contact_count: 0,
      min_price_eur_minor: 5,
      median_price_eur_minor: 5,
      max_price_eur_minor: 5,
      first_seen_at_ms: NOW_MS,
      last_seen_at_ms: NOW_MS,
      configuration_ids: [],
    },
  ]);
});

test("a page walk visits every reference once in each sort, and refuses the cursor of another query", async (t) => {
  const app = await borrowTestApp(t);
  const listings = Array.from({ length: 90 }, (_, at) => {
    const price = at % 5 === 0 ? null : 100 * (at % 4);
    return aListingWith({
      brand: `Brand ${at % 3}`,
      reference: `R${at % 17}`,
      price_eur_minor: price,
      price_amount_minor: price,
      price_currency: price === null ? null : "EUR",
      last_seen_at_ms: NOW_MS - (at % 6) * DAY_MS,
      message_timestamp_ms: NOW_MS - 8 * DAY_MS,
    });
  });
  await insertListings(app.db, listings);
  const path = "/v2/market/references/search";
  const expected = new Set(
    listings.map(
      ({ brand_folded, reference_normalized }) => `${brand_folded} ${reference_normalized}`,
    ),
  );

  for (const [sort, read] of [
    ["listing_count", "listing_count"],
    ["last_seen", "last_seen_at_ms"],
    ["median_price", "median_price_eur_minor"],
  ] as const) {
    const items: Record<string, number | string>[] = [];
    let cursor: string | undefined;
    do {
      const { body } = await post(app, path, { sort, limit: 7, ...(cursor && { cursor }) });
      items.push(...body.items);
      cursor = body.next_cursor;
    } while (cursor !== undefined);
    const values = items.map((item) => Number(item[read] ?? -1));
    assert.equal(items.length, expected.size, sort);
    assert.deepEqual(
      new Set(items.map(({ brand, reference_normalized }) => `${brand} ${reference_normalized}`)),
      expected,
    );
    assert.deepEqual(
      values,
      values.toSorted((left, right) => right - left),
      sort,
    );
  }
  const { body: page } = await post(app, path, { limit: 1 });
  for (const other of [{ sort: "last_seen" }, { filters: { brand: ["Brand 1"] } }]) {
    const answer = await post(app, path, { ...other, cursor: page.next_cursor });
    assert.match(answer.body.error.message, /^cursor: belongs to/);
  }
});

test("the pages of a list are about the same 30 days, also when time has passed", async (t) => {
  const app = await openTestApp(t);
  const old = { last_seen_at_ms: NOW_MS - 30 * DAY_MS + 5_000, message_timestamp_ms: 1 };
  await insertListings(app.db, [
    aListingWith({ reference: "A" }),
    aListingWith({ reference: "A" }),
    aListingWith({ reference: "B", ...old }),
  ]);
  const path = "/v2/market/references/search";

  const { body: first } = await post(app, path, { limit: 1 });
  app.clock.advance(10_000);
  const { body: second } = await post(app, path, { limit: 1, cursor: first.next_cursor });
  const { body: anew } = await post(app, path, {});

  assert.equal(second.items[0].reference_normalized, "B");
  assert.equal(anew.items.length, 1);
});

test("a summary counts listings, contacts, groups, messages and days", async (t) => {
  const app = await borrowTestApp(t);
  const [one, two] = [await aGroup(app.db), await aGroup(app.db)];
  const contact = "0000000a-0000-5000-8000-00000000000a";
  const message = "0000000b-0000-5000-8000-00000000000b";
  const today = dayStartOf(NOW_MS);
  const old = { last_seen_at_ms: NOW_MS - 40 * DAY_MS, message_timestamp_ms: 1 };
  await insertListings(app.db, [
    aListingWith({ group_ids: [one, two], contact_id: contact, canonical_message_id: message }),
    aListingWith({ group_ids: [two], contact_id: contact, canonical_message_id: message }),
    aListingWith({ side: "want_to_buy", last_seen_at_ms: today - 1, message_timestamp_ms: 1 }),
    aListingWith({ is_hidden: true }),
    aListingWith(old),
  ]);

  const { body } = await post(app, "/v2/market/summary", {});
  const { body: since } = await post(app, "/v2/market/summary", { from_ms: 0, to_ms: today - 1 });
  const { body: until } = await post(app, "/v2/market/summary", { to_ms: today - 1 });
  const { body: none } = await post(app, "/v2/market/summary", { filters: { brand: ["Omega"] } });

  assert.deepEqual(body, {
    listing_count: 3,
    for_sale_count: 2,
    want_to_buy_count: 1,
    contact_count: 1,
    group_count: 2,
    message_count: 2,
    days: [
      { day_start_ms: today - DAY_MS, listing_count: 1 },
      { day_start_ms: today, listing_count: 2 },
    ],
    is_exact: true,
  });
  assert.deepEqual(
    since.days.map(({ day_start_ms }: { day_start_ms: number }) => day_start_ms),
    [dayStartOf(old.last_seen_at_ms), today - DAY_MS],
  );
  assert.equal(until.listing_count, 1);
  assert.deepEqual([none.listing_count, none.days], [0, []]);
});

test("a wrong filter is refused at once, also while other reads wait for the store", async (t) => {
  const { app, db, token } = await borrowTestApp(t);
  const ask = async (url: string, payload: object) => {
    const headers = { authorization: `Bearer ${token}` };
    const answer = await app.inject({ method: "POST", url, headers, payload });
    return [url, answer.statusCode];
  };
  const paths = [
    "/v2/market/facets",
    "/v2/market/references/search",
    "/v2/market/summary",
    "/v2/market/live-feed/search",
    "/v2/alerts/preview",
  ];
  let unlock: (() => void) | undefined;
  const locked = db.transaction(async (tx) => {
    await tx.execute(sql`lock table listing in access exclusive mode`);
    await new Promise<void>((settle) => {
      unlock = settle;
    });
  });
  await until(() => unlock !== undefined);

  const waiting = [1, 2].map((limit) => ask("/v2/market/facets", { limit }));
  const refused = await Promise.all(paths.map((path) => ask(path, { filters: { year: "new" } })));
  unlock?.();
  await Promise.all([locked, ...waiting]);

  // A read that waits for its turn gets 503 after three seconds.
  assert.deepEqual(
    refused,
    paths.map((path) => [path, 400]),
  );
});

test("figures refuse a wrong body, warn of unknown members of filters, and are open to a read-only token", async (t) => {
  const app = await borrowTestApp(t);
  const readOnly = await addToken(app.db, { isReadOnly: true });

  for (const [path, bad] of [
    [
      "/v2/market/facets",
      [{ facets: ["colour"] }, { facets: "brand" }, { limit: 0 }, { limit: 201 }],
    ],
    [
      "/v2/market/references/search",
      [{ sort: "best" }, { limit: 0 }, { limit: 201 }, { cursor: "x" }, { cursor: 5 }],
    ],
    ["/v2/market/summary", [{ from_ms: -1 }, { to_ms: "now" }, { limit: 1 }]],
  ] as const) {
    for (const body of [...bad, [], { filter: {} }, { filters: { brand: "Rolex" } }]) {
      const answer = await post(app, path, body);
      assert.deepEqual(
        [answer.status, answer.body.error?.code],
        [400, "invalid_payload"],
        `${path} ${JSON.stringify(body)}`,
      );
    }
    const typo = { filters: { referense: ["5711"] } };
    const lax = await post(app, path, typo, readOnly);
    const strict = await post(app, `${path}?strict=true`, typo);
    assert.deepEqual(lax.body.warnings, [
      'filters.referense: unknown member, ignored; did you mean "reference"?',
    ]);
    assert.deepEqual([strict.status, strict.body.error.code], [400, "invalid_payload"]);
    assert.equal((await post(app, path, {}, "nonsense")).status, 401);
  }
});
