import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import type { Database } from "../../../src/db/database.ts";
import { sql } from "../../../src/db/sql.ts";
import { requestReextraction } from "../../../src/listings/extract-listings.ts";
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
interface Line extends Span {
  readonly role: string;
  readonly listing_id?: string;
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

test("replies are listed with what they gave, or why they gave nothing", async (t) => {
  const { db, call } = await borrowTestApp(t);
  const atS = 1_787_217_330;
  const reply = (text: string, minute: number, more = {}) =>
    aMessageEvent({ text, rawId: `R${minute}`, replyTo: "POST", atS: atS + minute * 60, ...more });
  const other = { phone: "447700900199", lid: "199900000000299", name: "Ann B." };
  const text = "126610LN 2024 €12,500 / HKD 110,000";
  await process(db, [
    aMessageEvent({ text, rawId: "POST", atS }),
    reply("still available? can do 11,000", 1, { sender: other }),
    reply("now 12,200", 2),
    reply("126710BLRO 2023 €17,500", 3),
    reply("last price 12,100", 4),
    reply("on hold", 5, { replyTo: "R4" }),
    reply("thanks", 6, { replyTo: "R5" }),
  ]);
  const [id = ""] = await listingIds(db, "126610LN");

  const { body } = await call("GET", `/v2/market/listings/${id}/reading`);
  const history = await call("GET", `/v2/market/listings/${id}/price-history`);

  assert.deepEqual(
    body.replies.map((item: { text: string; fields: string[]; reason?: string }) => [
      item.text,
      ...item.fields,
      ...(item.reason === undefined ? [] : [`not: ${item.reason}`]),
    ]),
    [
      ["thanks", "not: nothing_said"],
      ["on hold", "status"],
      ["last price 12,100", "price"],
      ["126710BLRO 2023 €17,500", "not: other_reference"],
      ["now 12,200", "not: newer_reply"],
      ["still available? can do 11,000", "not: other_sender"],
    ],
  );
  const replied = body.fields.filter(({ source }: Read) => source === "reply");
  assert.deepEqual(
    replied.map(({ field, value, spans }: Read) => [field, value, spans]),
    [
      ["price", { amount_minor: 1_210_000, currency: "EUR" }, []],
      ["status", "on_hold", []],
      ["currency", "EUR", []],
    ],
  );
  assert.deepEqual(
    body.left_out.map(({ field, reason, spans }: Read) => [field, reason, piecesOf(text, spans)]),
    [
      ["price", "reply", ["€12,500"]],
      ["currency", "reply", ["€12,500"]],
      ["alternative_price", "reply", ["HKD 110,000"]],
    ],
  );
  assert.deepEqual(
    history.body.items.map((line: { price: { amount_minor: number }; is_reply?: true }) => [
      line.price.amount_minor,
      line.is_reply,
    ]),
    [
      [1_250_000, undefined],
      [1_220_000, true],
      [1_210_000, true],
    ],
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

test("a listing that this reader does not find has a reading without values, and no line is its own", async (t) => {
  const { db, call } = await borrowTestApp(t);
  await process(db, [aMessageEvent({ text: TEXT })]);
  const [first, second] = await listingIds(db);
  await db.execute(sql`update listing set line = 7 where id = ${second}`);

  const { status, body } = await call("GET", `/v2/market/listings/${second}/reading`);
  await db.execute(sql`update canonical_message set text = ${"Good morning\nfriends"}`);
  const empty = await call("GET", `/v2/market/listings/${second}/reading`);

  assert.equal(status, 200);
  assert.deepEqual(
    empty.body.lines.map(({ role }: Line) => role),
    ["shared", "shared"],
  );
  assert.deepEqual([body.fields, body.left_out], [[], []]);
  assert.deepEqual(
    body.lines.map(({ role, listing_id }: Line) => [role, listing_id]),
    [
      ["other", first],
      ["other", second],
    ],
  );
});

test("the lines of other watches lead to listings after a merge, a correction and a second reading", async (t) => {
  const { db, call } = await borrowTestApp(t);
  const text = "Hello\n126610LN 2024 €12,500\n126710BLRO €17,500\n\nfrom Milan";
  await process(db, [aMessageEvent({ rawId: "A1", addressing: "lid", text })]);
  const [, old] = await listingIds(db);
  await process(db, [aMessageEvent({ rawId: "A2", addressing: "both", text })]);
  const [first = "", second = ""] = await listingIds(db);
  await correct(db, first, { reference: "124060", is_listing: false });
  await requestReextraction(db);
  await process(db, []);

  const { body } = await call("GET", `/v2/market/listings/${old}/reading`);
  const other = body.lines.find(({ role }: Line) => role === "other");
  const linked = await call("GET", `/v2/market/listings/${other.listing_id}/reading`);

  assert.notEqual(old, second);
  assert.deepEqual(body.lines.map(showLine(text)), [
    ["Hello", "shared"],
    ["126610LN 2024 €12,500", "other", first],
    ["126710BLRO €17,500", "own"],
    ["from Milan", "shared"],
  ]);
  assert.deepEqual(linked.body.lines.map(showLine(text)), [
    ["Hello", "shared"],
    ["126610LN 2024 €12,500", "own"],
    ["126710BLRO €17,500", "other", second],
    ["from Milan", "shared"],
  ]);
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

function showLine(text: string) {
  return ({ start, end, role, listing_id }: Line): readonly string[] => [
    text.slice(start, end),
    role,
    ...(listing_id === undefined ? [] : [listing_id]),
  ];
}

function piecesOf(text: string, spans: readonly Span[]): string[] {
  return spans.map(({ start, end }) => text.slice(start, end));
}

/** In the order of the text; of all watches, or of one. */
async function listingIds(db: Database, reference?: string): Promise<readonly string[]> {
  const isWanted = reference === undefined ? sql`true` : sql`reference = ${reference}`;
  const rows = await db.query<{ id: string }>(
    sql`select id from listing where ${isWanted} order by line, ordinal`,
  );
  return rows.map(({ id }) => id);
}
