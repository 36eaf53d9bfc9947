import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import fc from "fast-check";
import { sql } from "../../../src/db/sql.ts";
import { parseFilter } from "../../../src/filters/language/filter.ts";
import { matches } from "../../../src/filters/language/predicate.ts";
import {
  anyFilterObject,
  anyListing,
  CONTEXT,
} from "../../support/generators/filter-arbitraries.ts";
import { aListingWith, insertListings, type TestListing } from "../../support/listings.ts";
import { aGroup } from "../../support/rows.ts";
import { borrowTestApp } from "../../support/shared-store.ts";
import { addToken, NOW_MS, type TestApp } from "../../support/test-app.ts";

const PATH = "/v2/market/listings/search";

async function search(app: TestApp, body: unknown, token = app.token, path = PATH) {
  const response = await app.app.inject({
    method: "POST",
    url: path,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    payload: JSON.stringify(body),
  });
  return { status: response.statusCode, body: JSON.parse(response.body) };
}

/** Reads all pages and returns the ids. */
async function walk(app: TestApp, body: Readonly<Record<string, unknown>>): Promise<string[]> {
  const ids: string[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = await search(app, { ...body, ...(cursor === undefined ? {} : { cursor }) });
    assert.equal(page.status, 200, JSON.stringify(page.body));
    ids.push(...page.body.items.map(({ id }: { id: string }) => id));
    cursor = page.body.next_cursor;
    if (cursor === undefined) return ids;
    assert.equal(page.body.items.length, body["limit"] ?? 50);
  }
}

test("a search returns the members of a listing, and leaves out members without a value", async (t) => {
  const app = await borrowTestApp(t);
  const group = await aGroup(app.db, { name: "EU Dealers" });
  const nameless = await aGroup(app.db);
  const [full, bare] = [
    aListingWith({
      group_ids: [nameless, group],
      last_seen_at_ms: NOW_MS + 1,
      contact_id: randomUUID(),
    }),
    aListingWith({
      brand: null,
      model: null,
      reference: null,
      year: null,
      condition: null,
      full_set_status: [],
      price_amount_minor: null,
      price_currency: null,
      price_eur_minor: null,
      phone_number: null,
    }),
  ];
  await insertListings(app.db, [full, bare]);
  await app.db.execute(sql`
    update listing set brand = 'Rolex', reference = '126610LN', alternative_price_amount_minor = 5,
           alternative_price_currency = 'USD', card_month = 3, sources = '{"year": "explicit"}'
     where id = ${full.id}`);

  const { body } = await search(app, {});
  const { body: one } = await app.call("GET", `/v2/market/listings/${full.id}`);

  assert.deepEqual(Object.keys(body), ["items"]);
  assert.deepEqual(one, body.items[0]);
  assert.deepEqual(one, {
    id: full.id,
    side: "for_sale",
    message_type: "selling",
    brand: "Rolex",
    reference: "126610LN",
    reference_normalized: "126610LN",
    year: 2023,
    card_month: 3,
    condition: "NEW",
    full_set_status: ["FULL_SET"],
    price: { amount_minor: 1_250_000, currency: "EUR" },
    alternative_price: { amount_minor: 5, currency: "USD" },
    price_eur_minor: 1_250_000,
    sender: { contact_id: full.contact_id, phone_number: "447700900123", country_prefix: "44" },
    source: {
      canonical_message_id: full.canonical_message_id,
      group_ids: [nameless, group],
      group_names: ["EU Dealers"],
      message_timestamp_ms: NOW_MS,
      first_seen_at_ms: NOW_MS,
      last_seen_at_ms: NOW_MS + 1,
      occurrence_count: 1,
      has_media: false,
      is_duplicate: false,
      is_hidden: false,
      is_revoked: false,
    },
    extraction: { version: 1, confidence: 1, sources: { year: "explicit" } },
    created_at_ms: NOW_MS,
    updated_at_ms: NOW_MS,
  });
  assert.deepEqual(body.items[1].sender, {});
  assert.equal(body.items[1].price, undefined);
  assert.equal(body.items[1].year, undefined);
});

test("a page walk visits every listing once in each sort, and listings without the sorted value last", async (t) => {
  const app = await borrowTestApp(t);
  const listings = Array.from({ length: 60 }, (_, at) =>
    aListingWith({
      last_seen_at_ms: NOW_MS + (at % 7),
      year: at % 4 === 0 ? null : 2000 + (at % 5),
      ...(at % 3 === 0
        ? { price_eur_minor: null, price_amount_minor: null, price_currency: null }
        : { price_eur_minor: at % 10 }),
    }),
  );
  await insertListings(app.db, listings);
  const byId = (left: TestListing, right: TestListing) => (left.id < right.id ? -1 : 1);
  const ordered = (read: (listing: TestListing) => number | null, sign: number) =>
    [...listings].sort((left, right) => {
      const [a, b] = [read(left), read(right)];
      if (a === b) return byId(left, right);
      if (a === null || b === null) return a === null ? 1 : -1;
      return sign * (a - b);
    });

  for (const [sort, expected] of [
    ["newest", ordered((listing) => listing.last_seen_at_ms, -1)],
    ["oldest", ordered((listing) => listing.last_seen_at_ms, 1)],
    ["price_asc", ordered((listing) => listing.price_eur_minor, 1)],
    ["price_desc", ordered((listing) => listing.price_eur_minor, -1)],
    ["year_desc", ordered((listing) => listing.year, -1)],
  ] as const) {
    for (const limit of [1, 7, 20, 60, 100]) {
      const ids = await walk(app, { sort, limit });
      assert.deepEqual(
        ids,
        expected.map(({ id }) => id),
        `${sort} by ${limit}`,
      );
    }
  }
});

test("a search finds the same listings as the predicate", async (t) => {
  const app = await borrowTestApp(t);
  const listings = [
    ...new Map(fc.sample(anyListing, 60).map((listing) => [listing.id, listing])).values(),
  ];
  await insertListings(app.db, listings);

  for (const given of fc.sample(anyFilterObject, 60)) {
    // Names, rates and merged ids are in the directory of the test, and this test's store has none.
    const { group_names, price, contact_ids, contact_id, ...filters } = given;
    delete filters["canonical_message_id"];
    delete filters["canonical_message_ids"];
    const expected = listings.filter((listing) => matches(parseFilter(filters), listing, CONTEXT));

    const { status, body } = await search(app, { filters, limit: 100, include_total: true });

    assert.equal(status, 200, JSON.stringify(body));
    assert.equal(body.total, expected.length, JSON.stringify(filters));
    assert.deepEqual(
      new Set(body.items.map(({ id }: { id: string }) => id)),
      new Set(expected.map(({ id }) => id)),
    );
  }
});

test("groups are found by their names, ignoring case, accents and punctuation", async (t) => {
  const app = await borrowTestApp(t);
  const [eu, hk] = [
    await aGroup(app.db, { name: "EU-Déalers" }),
    await aGroup(app.db, { name: "HK" }),
  ];
  const [inEu, inHk] = [aListingWith({ group_ids: [eu] }), aListingWith({ group_ids: [hk] })];
  await insertListings(app.db, [inEu, inHk]);

  assert.deepEqual(await walk(app, { filters: { group_names: ["eu dealers"] } }), [inEu.id]);
  assert.deepEqual(await walk(app, { filters: { group_names: ["eu"] } }), []);
});

test("a wrong body is refused, and the error names the member", async (t) => {
  const app = await borrowTestApp(t);
  await insertListings(app.db, [aListingWith(), aListingWith()]);
  const { body: page } = await search(app, { limit: 1 });
  const forge = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");

  for (const [body, message] of [
    [[], /object/],
    [{ filters: [] }, /filters/],
    [{ filters: { brand: "Rolex" } }, /^filters\.brand: must be array/],
    [{ filters: { years: Array(501).fill(1) } }, /^filters\.years: must not have more than 500/],
    [{ sort: "best" }, /^sort/],
    [{ filter: {} }, /^filter: unknown member$/],
    [{ limit: 0 }, /^limit/],
    [{ limit: 101 }, /^limit/],
    [{ limit: "5" }, /^limit/],
    [{ cursor: "" }, /^cursor: is not one/],
    [{ cursor: "%%%" }, /^cursor: is not one/],
    [{ cursor: forge({}) }, /^cursor: is not one/],
    [{ cursor: forge(["x", "1; drop table listing", randomUUID()]) }, /^cursor: is not one/],
    [{ cursor: forge(["x", 1, "' or true"]) }, /^cursor: is not one/],
    [{ cursor: forge(["x", 1, randomUUID()]) }, /^cursor: belongs to/],
    [{ cursor: page.next_cursor, sort: "oldest" }, /^cursor: belongs to/],
    [{ cursor: page.next_cursor, filters: { brand: ["Rolex"] } }, /^cursor: belongs to/],
    [{ cursor: "a".repeat(501) }, /^cursor/],
  ] as const) {
    const { status, body: answer } = await search(app, body);
    assert.equal(status, 400, JSON.stringify(body));
    assert.equal(answer.error.code, "invalid_payload");
    assert.match(answer.error.message, message);
  }
  assert.equal((await search(app, { cursor: page.next_cursor, limit: 1 })).status, 200);
});

test("an unknown member of filters is named in warnings, and refused with strict=true", async (t) => {
  const app = await borrowTestApp(t);
  await insertListings(app.db, [aListingWith()]);
  const body = { filters: { referense: ["5711"], brand: ["Rolex"] } };

  const lax = await search(app, body);
  const strict = await search(app, body, app.token, `${PATH}?strict=true`);
  const known = await search(
    app,
    { filters: { brand: ["Rolex"] } },
    app.token,
    `${PATH}?strict=true`,
  );
  const bad = await search(app, body, app.token, `${PATH}?strict=yes`);

  assert.equal(lax.body.items.length, 1);
  assert.deepEqual(lax.body.warnings, [
    'filters.referense: unknown member, ignored; did you mean "reference"?',
  ]);
  assert.deepEqual([strict.status, strict.body.error.code], [400, "invalid_payload"]);
  assert.match(strict.body.error.message, /^filters\.referense: unknown member/);
  assert.deepEqual([known.status, "warnings" in known.body], [200, false]);
  assert.deepEqual([bad.status, bad.body.error.code], [400, "invalid_payload"]);
});

test("a read-only token may search, and a request without a token may not", async (t) => {
  const app = await borrowTestApp(t);
  const token = await addToken(app.db, { isReadOnly: true });

  assert.equal((await search(app, {}, token)).status, 200);
  assert.equal((await search(app, {}, "nonsense")).status, 401);
  assert.equal((await app.call("GET", PATH)).status, 400);
});

test("a listing is found by its id, also if hidden; an unknown id is 404 and a malformed one 400", async (t) => {
  const app = await borrowTestApp(t);
  const hidden = aListingWith({ is_hidden: true });
  await insertListings(app.db, [hidden]);

  const found = await app.call("GET", `/v2/market/listings/${hidden.id}`);
  const unknown = await app.call("GET", `/v2/market/listings/${randomUUID()}`);
  const malformed = await app.call("GET", "/v2/market/listings/7");

  assert.equal(found.body.source.is_hidden, true);
  assert.deepEqual([unknown.status, unknown.body.error.code], [404, "listing_not_found"]);
  assert.deepEqual([malformed.status, malformed.body.error.code], [400, "invalid_payload"]);
});
