import assert from "node:assert/strict";
import { test } from "node:test";
import { aListingWith, insertListings } from "../../support/listings.ts";
import { borrowTestApp } from "../../support/shared-store.ts";
import { addToken, NOW_MS, type TestApp } from "../../support/test-app.ts";

const PATH = "/v2/market/listings";

async function idsOf(app: TestApp, query: string): Promise<readonly string[]> {
  const { status, body } = await app.call("GET", `${PATH}?${query}`);
  assert.equal(status, 200, JSON.stringify(body));
  return body.items.map(({ id }: { id: string }) => id);
}

test("each parameter selects like the member of a filter, and an empty one selects nothing out", async (t) => {
  const app = await borrowTestApp(t);
  const rolex = aListingWith({ last_seen_at_ms: NOW_MS + 1, message_text: "full set" });
  const patek = aListingWith({
    brand: "Patek Philippe",
    reference: "5711/1A-010",
    year: 2019,
    condition: "USED",
    price_eur_minor: 9_000_000,
    price_amount_minor: 9_000_000,
  });
  await insertListings(app.db, [rolex, patek]);

  for (const [query, expected] of [
    ["", [rolex.id, patek.id]],
    ["brand=&reference=&condition=&q=", [rolex.id, patek.id]],
    ["brand=patek-philippe", [patek.id]],
    ["reference=57111a010", [patek.id]],
    ["year=2019", [patek.id]],
    ["condition=new", [rolex.id]],
    ["price_gte=9000000", [patek.id]],
    ["price_lte=8999999", [rolex.id]],
    ["price_gte=1&price_lte=2", []],
    ["q=full", [rolex.id]],
    ["sort=price_desc", [patek.id, rolex.id]],
    ["brand=Rolex&year=2019", []],
  ] as const) {
    assert.deepEqual(await idsOf(app, query), expected, query);
  }
});

test("pages follow each other, and a cursor of another query is refused", async (t) => {
  const app = await borrowTestApp(t);
  const listings = [1, 2, 3].map((at) => aListingWith({ last_seen_at_ms: NOW_MS - at }));
  await insertListings(app.db, listings);

  const first = await app.call("GET", `${PATH}?limit=2&brand=rolex`);
  const cursor = encodeURIComponent(first.body.next_cursor);
  const second = await app.call("GET", `${PATH}?limit=2&brand=rolex&cursor=${cursor}`);
  const other = await app.call("GET", `${PATH}?limit=2&brand=omega&cursor=${cursor}`);

  assert.deepEqual(
    [...first.body.items, ...second.body.items].map(({ id }) => id),
    listings.map(({ id }) => id),
  );
  assert.equal(second.body.next_cursor, undefined);
  assert.deepEqual([other.status, other.body.error.code], [400, "invalid_payload"]);
});

test("a bad parameter is refused, a read-only token may read, and no token may not", async (t) => {
  const app = await borrowTestApp(t);
  const authorization = `Bearer ${await addToken(app.db, { isReadOnly: true })}`;

  for (const query of [
    "year=new",
    "year=2019&year=2020",
    "condition=mint",
    "price_gte=-1",
    "price_lte=1.5",
    "sort=best",
    "limit=0",
    "limit=201",
    "cursor=x",
    `q=${"x".repeat(501)}`,
    `q=${Array.from({ length: 33 }, (_, at) => `w${at}`).join("+")}`,
    "brand=%00",
  ]) {
    const { status, body } = await app.call("GET", `${PATH}?${query}`);
    assert.deepEqual([status, body.error?.code], [400, "invalid_payload"], query);
    assert.ok(body.error.message.startsWith(`${query.split("=")[0]}: `), body.error.message);
  }
  const { body } = await app.call("GET", PATH, { authorization });
  assert.deepEqual(body, { items: [] });
  assert.equal((await app.call("GET", PATH, {})).status, 401);
});
