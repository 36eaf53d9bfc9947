import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import type { Database } from "../../../src/db/database.ts";
import { sql } from "../../../src/db/sql.ts";
import { process } from "../../support/drain.ts";
import { correct } from "../../support/listings.ts";
import { borrowTestApp } from "../../support/shared-store.ts";
import { addToken } from "../../support/test-app.ts";
import { aMessageEvent } from "../../support/waha.ts";

const TEXT = "👋🏽 \u202AWTS\u202C *126610LN* 🆕\uFE0F 2024 €12,500\n126710BLRO €17,500 or €22,500";

interface Span {
  readonly start: number;
  readonly end: number;
}
interface Read {
  readonly field: string;
  readonly value?: unknown;
  readonly reason?: string;
  readonly source?: string;
  readonly spans: readonly Span[];
}

test("a reading shows the words of each value, also among emoji and marks of direction", async (t) => {
  const { db, call } = await borrowTestApp(t);
  await process(db, [aMessageEvent({ text: TEXT })]);
  const [first, second] = await listingIds(db);

  const one = await call("GET", `/v2/market/listings/${first}/reading`);
  const two = await call("GET", `/v2/market/listings/${second}/reading`);

  assert.equal(one.status, 200);
  assert.equal(one.body.text, TEXT);
  assert.equal(
    one.body.version,
    (await call("GET", `/v2/market/listings/${first}`)).body.extraction.version,
  );
  assert.deepEqual(
    one.body.fields.map(({ field, value, source, spans }: Read) => [
      field,
      value,
      source,
      piecesOf(TEXT, spans),
    ]),
    [
      ["side", "for_sale", "explicit", ["WTS"]],
      ["brand", "Rolex", "explicit", ["126610LN"]],
      ["model", "Submariner Date", "explicit", ["126610LN"]],
      ["reference", "126610LN", "explicit", ["126610LN"]],
      ["year", 2024, "explicit", ["2024"]],
      ["condition", "NEW", "explicit", ["🆕\uFE0F"]],
      ["price", { amount_minor: 1_250_000, currency: "EUR" }, "explicit", ["€12,500"]],
      ["currency", "EUR", "explicit", ["€12,500"]],
    ],
  );
  assert.deepEqual(one.body.left_out, []);
  assert.equal(one.body.correction, undefined);
  assert.deepEqual(
    two.body.left_out.map(({ field, reason, spans }: Read) => [
      field,
      reason,
      piecesOf(TEXT, spans),
    ]),
    [["price", "several_prices", ["€17,500", "€22,500"]]],
  );
});

test("a corrected value has no words, and what was read instead is left out", async (t) => {
  const { db, call } = await borrowTestApp(t);
  await process(db, [aMessageEvent({ text: "WTS 126610LN 2024 used €12,500" })]);
  const [id = ""] = await listingIds(db);
  await correct(db, id, {
    price: { amount_minor: 9_600_000, currency: "HKD" },
    full_set_status: ["WATCH"],
    condition: null,
    is_listing: false,
  });
  await process(db, []);

  const { body } = await call("GET", `/v2/market/listings/${id}/reading`);

  const shown = new Map<string, Read>(body.fields.map((item: Read) => [item.field, item]));
  assert.deepEqual(shown.get("price"), {
    field: "price",
    value: { amount_minor: 9_600_000, currency: "HKD" },
    source: "corrected",
    spans: [],
  });
  assert.equal(shown.get("currency")?.value, "HKD");
  assert.deepEqual(shown.get("full_set_status")?.value, ["WATCH"]);
  assert.deepEqual(shown.get("condition"), { field: "condition", source: "corrected", spans: [] });
  assert.equal(shown.get("is_listing")?.value, false);
  assert.equal(shown.get("year")?.source, "explicit");
  assert.deepEqual(
    body.left_out.map(({ field, reason, spans }: Read) => [
      field,
      reason,
      piecesOf(body.text, spans),
    ]),
    [
      ["condition", "corrected", ["used"]],
      ["price", "corrected", ["€12,500"]],
      ["currency", "corrected", ["€12,500"]],
    ],
  );
  assert.deepEqual(body.correction, {
    values: {
      price: { amount_minor: 9_600_000, currency: "HKD" },
      full_set_status: ["WATCH"],
      is_listing: false,
    },
    cleared: ["condition"],
  });
  const listing = await call("GET", `/v2/market/listings/${id}`);
  for (const [field, source] of Object.entries(listing.body.extraction.sources))
    if (field !== "price_eur") assert.equal(shown.get(field)?.source, source, field);
});

test("an id from before a contact merge finds the reading", async (t) => {
  const { db, call } = await borrowTestApp(t);
  const text = "126610LN 2024 €12,500";
  await process(db, [aMessageEvent({ rawId: "A1", addressing: "lid", text })]);
  const [old] = await listingIds(db);
  await process(db, [aMessageEvent({ rawId: "A2", addressing: "both", text })]);
  const [now] = await listingIds(db);

  const before = await call("GET", `/v2/market/listings/${old}/reading`);

  assert.notEqual(old, now);
  assert.equal(before.status, 200);
  assert.deepEqual(before.body, (await call("GET", `/v2/market/listings/${now}/reading`)).body);
});

test("a listing that this reader does not find has an empty reading", async (t) => {
  const { db, call } = await borrowTestApp(t);
  await process(db, [aMessageEvent({ text: "WTS 126610LN 2024 €12,500" })]);
  await db.execute(sql`update listing set line = 7`);
  const [id] = await listingIds(db);

  const { status, body } = await call("GET", `/v2/market/listings/${id}/reading`);

  assert.equal(status, 200);
  assert.deepEqual([body.fields, body.left_out], [[], []]);
});

test("a reading needs a token and the id of a listing; a read-only token is enough", async (t) => {
  const { db, call } = await borrowTestApp(t);
  await process(db, [aMessageEvent({ text: TEXT })]);
  const [id] = await listingIds(db);
  const reader = await addToken(db, { isReadOnly: true });
  const url = `/v2/market/listings/${id}/reading`;

  assert.equal((await call("GET", url, { authorization: `Bearer ${reader}` })).status, 200);
  assert.equal((await call("GET", url, {})).status, 401);
  const unknown = await call("GET", `/v2/market/listings/${randomUUID()}/reading`);
  assert.deepEqual([unknown.status, unknown.body.error.code], [404, "listing_not_found"]);
  const malformed = await call("GET", "/v2/market/listings/7/reading");
  assert.deepEqual([malformed.status, malformed.body.error.code], [400, "invalid_payload"]);
});

function piecesOf(text: string, spans: readonly Span[]): string[] {
  return spans.map(({ start, end }) => text.slice(start, end));
}

async function listingIds(db: Database): Promise<readonly string[]> {
  const rows = await db.query<{ id: string }>(sql`select id from listing order by line, ordinal`);
  return rows.map(({ id }) => id);
}
