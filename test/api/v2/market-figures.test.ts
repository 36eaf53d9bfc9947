import assert from "node:assert/strict";
import { test } from "node:test";
import { DAY_MS } from "../../../src/base/time.ts";
import { sql } from "../../../src/db/sql.ts";
import { aListingWith, insertListings } from "../../support/listings.ts";
import { aGroup } from "../../support/rows.ts";
import { addToken, NOW_MS, openTestApp, type TestApp } from "../../support/test-app.ts";

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
  const app = await openTestApp(t);
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
  const app = await openTestApp(t);

  const { body } = await post(app, "/v2/market/facets", { facets: ["brand"] });

  assert.deepEqual(body, { facets: { brand: [] }, total: 0, is_exact: true });
});

test("figures refuse a wrong body, warn of unknown members of filters, and are open to a read-only token", async (t) => {
  const app = await openTestApp(t);
  const readOnly = await addToken(app.db, { isReadOnly: true });

  for (const [path, bad] of [
    [
      "/v2/market/facets",
      [{ facets: ["colour"] }, { facets: "brand" }, { limit: 0 }, { limit: 201 }],
    ],
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
