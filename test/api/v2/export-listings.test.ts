import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import fc from "fast-check";
import { sql } from "../../../src/db/sql.ts";
import { parseFilter } from "../../../src/filters/language/filter.ts";
import { matches } from "../../../src/filters/language/predicate.ts";
import { parseCsv } from "../../support/files.ts";
import { anyFilterObject, CONTEXT } from "../../support/generators/filter-arbitraries.ts";
import { insertGeneratedMarket } from "../../support/generators/generated-market.ts";
import { aListingWith, insertListings } from "../../support/listings.ts";
import { aGroup } from "../../support/rows.ts";
import { borrowTestApp } from "../../support/shared-store.ts";
import { addToken, NOW_MS, type TestApp } from "../../support/test-app.ts";

const PATH = "/v2/market/listings/export";

async function exportCsv(app: TestApp, body: unknown, token = app.token, path = PATH) {
  const {
    statusCode,
    headers,
    body: text,
  } = await app.app.inject({
    method: "POST",
    url: path,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    payload: JSON.stringify(body),
  });
  return { status: statusCode, headers, text };
}

test("an export has a header line and one line for each listing", async (t) => {
  const app = await borrowTestApp(t);
  const group = await aGroup(app.db, { name: 'Dealers, "EU"' });
  const other = await aGroup(app.db, { name: "=cmd" });
  const listing = aListingWith({
    group_ids: [group, other],
    full_set_status: ["FULL_SET", "WATCH"],
  });
  const bare = aListingWith({
    price_eur_minor: null,
    price_amount_minor: null,
    price_currency: null,
    last_seen_at_ms: NOW_MS - 1,
    message_timestamp_ms: NOW_MS - 1,
  });
  await insertListings(app.db, [listing, bare]);
  await app.db.execute(sql`update listing set model = '=1+1' where id = ${listing.id}`);
  await app.db.execute(
    sql`update canonical_message set text = ${"line one\r\n+line two"} where id = ${listing.canonical_message_id}`,
  );

  const { status, headers, text } = await exportCsv(app, {});
  const columns = [
    "price.currency",
    "id",
    "model",
    "source.group_names",
    "source.message_text",
    "extraction.sources",
  ];
  const chosen = parseCsv((await exportCsv(app, { columns })).text);

  const [header = [], ...lines] = parseCsv(text);
  const first = Object.fromEntries(header.map((name, at) => [name, lines[0]?.[at]]));
  assert.equal(status, 200);
  assert.equal(headers["content-type"], "text/csv; charset=utf-8");
  assert.equal(headers["content-disposition"], 'attachment; filename="listings-2026-11-15.csv"');
  assert.equal(header[0], "id");
  assert.deepEqual(
    lines.map((line) => [line[0], line.length]),
    [
      [listing.id, header.length],
      [bare.id, header.length],
    ],
  );
  assert.equal(first["price.amount_minor"], "1250000");
  assert.equal(first["full_set_status"], "FULL_SET; WATCH");
  assert.equal(first["source.is_hidden"], "false");
  assert.equal(first["source.message_text"], undefined);
  assert.deepEqual(chosen, [
    [
      "id",
      "price.currency",
      "model",
      "source.group_names",
      "source.message_text",
      "extraction.sources",
    ],
    [listing.id, "EUR", "'=1+1", `Dealers, "EU";' =cmd`, "line one\r\n'+line two", "{}"],
    [bare.id, "", "", "", "", "{}"],
  ]);
});

test("an export without listings is the header line", async (t) => {
  const app = await borrowTestApp(t);

  const { text } = await exportCsv(app, { columns: ["brand"] });

  assert.equal(text, "id,brand\r\n");
});

test("an export has the listings that the predicate selects, in the order of the sort", async (t) => {
  const app = await borrowTestApp(t);
  const listings = await insertGeneratedMarket(app.db, 150);
  const read = {
    newest: (at: number) => -(listings[at]?.last_seen_at_ms ?? 0),
    price_asc: (at: number) => listings[at]?.price_eur_minor ?? Number.POSITIVE_INFINITY,
  };
  const places = new Map(listings.map(({ id }, at) => [id, at]));

  for (const filters of fc.sample(anyFilterObject, 25)) {
    const sort = Object.keys(filters).length % 2 === 0 ? "newest" : "price_asc";
    const expected = listings
      .filter((listing) => matches(parseFilter(filters), listing, CONTEXT))
      .map(({ id }) => id)
      .toSorted((left, right) => {
        const [a, b] = [read[sort](places.get(left) ?? 0), read[sort](places.get(right) ?? 0)];
        return a === b ? (left < right ? -1 : 1) : a - b;
      });

    const { status, text } = await exportCsv(app, { filters, sort, columns: ["id"] });

    assert.equal(status, 200, text);
    assert.deepEqual(
      parseCsv(text),
      [["id"], ...expected.map((id) => [id])],
      JSON.stringify(filters),
    );
  }
});

test("a wrong body is refused, unknown members of filters are named in a header, a read-only token may export", async (t) => {
  const app = await borrowTestApp(t);
  const readOnly = await addToken(app.db, { isReadOnly: true });

  for (const body of [
    [],
    { columns: ["price"] },
    { columns: "id" },
    { columns: Array(60).fill("id") },
    { sort: "best" },
    { limit: 5 },
    { filters: { brand: "Rolex" } },
    { filters: { contact_id: "7" } },
  ]) {
    const { status, headers, text } = await exportCsv(app, body);
    assert.deepEqual([status, JSON.parse(text).error.code], [400, "invalid_payload"], text);
    assert.match(String(headers["content-type"]), /^application\/json/);
  }
  const typo = { filters: { referense: ["5711"], contact_id: randomUUID() } };
  const lax = await exportCsv(app, typo, readOnly);
  const strict = await exportCsv(app, typo, app.token, `${PATH}?strict=true`);
  assert.equal(lax.status, 200);
  assert.match(
    String(lax.headers["x-assay-warnings"]),
    /^filters\.referense: unknown member, ignored/,
  );
  assert.equal(strict.status, 400);
  assert.equal((await exportCsv(app, {}, "nonsense")).status, 401);
});
