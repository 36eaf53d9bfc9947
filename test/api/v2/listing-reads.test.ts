import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "../../../src/db/sql.ts";
import { searchListings } from "../../../src/filters/sql/search-listings.ts";
import { findListingFacts } from "../../../src/listings/listing-store.ts";
import { process } from "../../support/drain.ts";
import { borrowTestApp } from "../../support/shared-store.ts";
import { aMessageEvent, anEditEvent, aRevokeEvent, SENDER } from "../../support/waha.ts";

const AT_S = 1_787_217_330;
const DAY_S = 86_400;
const TEXT = "126610LN 2024 full set €12,500";

test("a single listing has the text of its message and the name of its sender", async (t) => {
  const { db, call } = await borrowTestApp(t);
  await process(db, [aMessageEvent({ text: TEXT })]);
  const [listing] = await db.query<{ id: string }>(sql`select id from listing`);

  const { status, body } = await call("GET", `/v2/market/listings/${listing?.id}`);

  assert.equal(status, 200);
  assert.equal(body.source.message_text, TEXT);
  assert.equal(body.sender.display_name, SENDER.name);
  assert.equal(body.sender.country_prefix, "44");
  assert.equal(body.extraction.sources.price, "explicit");
});

test("an id from before a contact merge finds the listing, its matches and its history, also in filters", async (t) => {
  const { db, call } = await borrowTestApp(t);
  await process(db, [aMessageEvent({ rawId: "A1", addressing: "lid", text: TEXT })]);
  const [old] = await db.query<{
    id: string;
    canonical_message_id: string;
    contact_id: string;
  }>(sql`
    select id, canonical_message_id, contact_id from listing`);
  await process(db, [aMessageEvent({ rawId: "A2", addressing: "both", text: TEXT })]);
  const [now] = await db.query<{
    id: string;
    canonical_message_id: string;
    contact_id: string;
  }>(sql`
    select id, canonical_message_id, contact_id from listing`);

  const shown = await call("GET", `/v2/market/listings/${old?.id}`);
  const matched = await call("GET", `/v2/market/listings/${old?.id}/price-engine`);
  const history = await call("GET", `/v2/market/listings/${old?.id}/price-history`);
  const [facts] = await findListingFacts(db, [now?.id ?? ""]);

  assert.notEqual(old?.id, now?.id);
  assert.equal(shown.body.id, now?.id);
  assert.deepEqual(matched.body, { items: [], total: 0 });
  assert.equal(history.body.total, 1);
  assert.deepEqual(facts?.contact_ids, [now?.contact_id, old?.contact_id]);
  assert.deepEqual(facts?.canonical_message_ids, [
    now?.canonical_message_id,
    old?.canonical_message_id,
  ]);
  for (const filters of [
    { contact_id: old?.contact_id },
    { contact_ids: [now?.contact_id] },
    { canonical_message_id: old?.canonical_message_id },
    { canonical_message_ids: [now?.canonical_message_id] },
  ]) {
    const search = { filters, sort: "newest", limit: 10, isTotalAsked: false } as const;
    const { rows } = await searchListings(db, search);
    assert.deepEqual(
      rows.map(({ id }) => id),
      [now?.id],
    );
  }
});

test("a listing says what its dealer asked before, in the listing, a search for price drops and the export", async (t) => {
  const { db, call, send } = await borrowTestApp(t);
  const ask = (rawId: string, days: number, text: string, more = {}) =>
    aMessageEvent({ rawId, text, atS: AT_S + days * DAY_S, ...more });
  await process(db, [
    ask("A1", 0, "126610LN 2024 full set €12,500"),
    ask("A2", 2, "126610LN 2024 full set €11,500"),
    ask("B1", 3, "126500LN 2024 full set HKD 230,000"),
    ask("B2", 4, "now 220,000", { replyTo: "B1" }),
  ]);
  const search = (price_drop_bps: object) =>
    send("POST", "/v2/market/listings/search", { filters: { price_drop_bps }, sort: "price_asc" });

  const found = await search({ gte: 1 });
  const [first, second] = found.body.items;
  const shown = await call("GET", `/v2/market/listings/${first.id}`);
  const fewer = await search({ gte: 800 });
  const refused = await search({ gte: 5_001 });
  const exported = await send("POST", "/v2/market/listings/export", {
    filters: { price_drop_bps: { gte: 800 } },
    columns: ["price_drop.from.amount_minor", "price_drop.bps"],
  });

  assert.equal(found.body.items.length, 2);
  assert.deepEqual(first.price_drop, {
    from: { amount_minor: 1_250_000, currency: "EUR" },
    since_ms: (AT_S + 2 * DAY_S) * 1_000,
    bps: 800,
  });
  assert.deepEqual(shown.body.price_drop, first.price_drop);
  assert.deepEqual(second.price_drop, {
    from: { amount_minor: 23_000_000, currency: "HKD" },
    since_ms: (AT_S + 4 * DAY_S) * 1_000,
    bps: 434,
  });
  assert.deepEqual(
    fewer.body.items.map(({ id }: { id: string }) => id),
    [first.id],
  );
  assert.equal(refused.status, 400);
  assert.match(refused.body.error.message, /price_drop_bps\.gte/);
  assert.equal(exported.text.split("\r\n")[1], `${first.id},1250000,800`);
});

test("the price history has one line for each change of the ask, oldest first, also for revoked messages", async (t) => {
  const { db, call } = await borrowTestApp(t);
  const ask = (rawId: string, days: number, text: string) =>
    aMessageEvent({ rawId, text, atS: AT_S + days * DAY_S });
  await process(db, [
    ask("A1", 0, "126610LN 2024 full set €12,500"),
    ask("A2", 2, "126610LN 2024 full set €12,500 still there"),
    ask("A3", 4, "126610LN 2024 full set €12,300"),
    anEditEvent({
      rawId: "A3",
      text: "126610LN 2024 full set €12,100",
      atS: AT_S + 4 * DAY_S + 60,
    }),
    anEditEvent({
      rawId: "A3",
      text: "126610LN 2024 full set €12,000",
      atS: AT_S + 4 * DAY_S + 90,
    }),
    ask("A4", 6, "126610LN 2024 full set €11,900"),
    aRevokeEvent({ rawId: "A4", atS: AT_S + 7 * DAY_S }),
    ask("A5", 8, "126610LN 2024 full set €12,500 last call"),
    ask("A6", 9, "126610LN 2023 full set €1,000"),
    ask("A7", 10, "WTB 126610LN 2024 full set €9,000"),
    ask("A8", 11, "126610LN 2024 full set"),
  ]);
  const [last] = await db.query<{ id: string }>(sql`
    select listing.id
      from listing join canonical_message as message on message.id = canonical_message_id
     where text like '%last call'`);

  const { status, body } = await call("GET", `/v2/market/listings/${last?.id}/price-history`);

  assert.equal(status, 200);
  assert.deepEqual(
    body.items.map((item: { price: { amount_minor: number } }) => item.price.amount_minor / 100),
    [12_500, 12_300, 12_100, 12_000, 11_900, 12_500],
  );
  assert.equal(body.total, 6);
  assert.deepEqual(body.items.at(-1), {
    listing_id: last?.id,
    price: { amount_minor: 1_250_000, currency: "EUR" },
    price_eur_minor: 1_250_000,
    message_timestamp_ms: (AT_S + 8 * DAY_S) * 1000,
  });
});

test("a listing without a price has an empty history, and an unknown listing is 404", async (t) => {
  const { db, call } = await borrowTestApp(t);
  await process(db, [aMessageEvent({ text: "126610LN 2024 full set" })]);
  const [listing] = await db.query<{ id: string }>(sql`select id from listing`);

  const empty = await call("GET", `/v2/market/listings/${listing?.id}/price-history`);
  const unknown = await call(
    "GET",
    "/v2/market/listings/00000000-0000-4000-8000-000000000000/price-history",
  );
  const malformed = await call("GET", "/v2/market/listings/x/price-history");

  assert.deepEqual(empty.body, { items: [], total: 0 });
  assert.deepEqual([unknown.status, unknown.body.error.code], [404, "listing_not_found"]);
  assert.deepEqual([malformed.status, malformed.body.error.code], [400, "invalid_payload"]);
});
