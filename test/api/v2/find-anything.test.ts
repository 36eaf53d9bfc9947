import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "../../../src/db/sql.ts";
import { buildTypedMarket } from "../../filters/typed/typed-market.ts";
import { anAlert } from "../../support/rows.ts";
import { borrowTestApp } from "../../support/shared-store.ts";
import { addToken, type TestApp } from "../../support/test-app.ts";

/** Queries that are not what a dealer types. */
const ODD_QUERIES: readonly string[] = [
  "",
  "   ",
  "the of and with",
  "x".repeat(500),
  "a ".repeat(250),
  Array.from({ length: 100 }, (_, at) => 1000 + at)
    .join(" ")
    .slice(0, 500),
  "126710BLRO ".repeat(45),
  "ساعة رولكس جديدة للبيع",
  "רולקס דייטונה",
  "🔥🔥🔥 🇭🇰 💎",
  "😀".repeat(500),
  "ﷺ".repeat(500),
  "'; drop table listing; --",
  "\\ ' \" % _ * ( [ { .+?^$|",
  "a':* & !b | (c <-> d)",
  "under over between from to until",
  "under under 18k 18k - - 20k 20k to to",
  "0 00 000 0,00 -1 1e9 9".repeat(10),
  "999999999999999999999k eur",
  "2019-2021-2023 2030+ before 1",
  "\u202Eevil\u202C rolex",
  "line\nbreak\r\nand\ttab",
];

async function find(app: TestApp, q: string, limit?: number) {
  const query = new URLSearchParams({ q, ...(limit === undefined ? {} : { limit: `${limit}` }) });
  return app.call("GET", `/v2/search?${query}`);
}

test("the search finds references by their start, by nickname, and by brand and model", async (t) => {
  const app = await borrowTestApp(t);
  await buildTypedMarket(app.db);
  const found = async (q: string) =>
    (await find(app, q)).body.references.map(
      (row: { reference_normalized: string }) => row.reference_normalized,
    );

  assert.deepEqual(await found("126500ln"), ["126500LN"]);
  assert.deepEqual(await found("12671"), ["126710BLRO", "126710BLNR", "126719BLRO"]);
  assert.deepEqual(await found("5711/1a-"), ["57111A", "57111A010"]);
  assert.deepEqual(await found("batm"), ["116710BLNR", "126710BLNR"]);
  assert.deepEqual(await found("rolex hulk"), ["116610LV"]);
  assert.deepEqual(await found("patek naut"), ["57111A", "57111A010", "57121A"]);
  assert.deepEqual(await found("rm11"), ["RM1103"]);
  assert.deepEqual(await found("no such watch"), []);
});

test("a found reference has its figures, and the reference itself comes first", async (t) => {
  const app = await borrowTestApp(t);
  await buildTypedMarket(app.db);

  const { body } = await find(app, "126710BLRO");

  assert.equal(body.references[0].reference_normalized, "126710BLRO");
  assert.deepEqual(Object.keys(body.references[0]).sort(), [
    "brand",
    "is_exact",
    "listing_count",
    "median_price_eur_minor",
    "model",
    "reference",
    "reference_normalized",
  ]);
  assert.equal(body.references[0].listing_count, 4);
  assert.equal(body.references[0].is_exact, true);
});

test("contacts are found by words of a name in any script, and by digits of a number", async (t) => {
  const app = await borrowTestApp(t);
  await buildTypedMarket(app.db);
  const found = async (q: string) =>
    (await find(app, q, 20)).body.contacts.map((row: { display_name: string }) => row.display_name);

  assert.deepEqual(await found("mei"), ["Mei Wong"]);
  assert.deepEqual(await found("WONG m"), ["Mei Wong"]);
  assert.deepEqual(await found("sofia"), ["Sofía Ruiz"]);
  assert.deepEqual(await found("陈先"), ["陈先生"]);
  assert.deepEqual(await found("anna"), ["Anna Berg", "Anna Kowalski"]);
  assert.deepEqual(await found("+852 555-00101"), ["Mei Wong"]);
  assert.deepEqual(await found("00105"), ["Hans Adler"]);
  assert.equal((await found("550")).length, 12);
  assert.deepEqual(await found("55"), []);
  // The digits of a LID are no number.
  assert.deepEqual(await found("199900"), []);
});

test("every hit exists: ids open, and what has no listing or message is left out", async (t) => {
  const app = await borrowTestApp(t);
  await buildTypedMarket(app.db);
  await anAlert(app.db, { name: "Patek under market" });
  await app.db.execute(sql`
    insert into contact (id, key, display_name) values (gen_random_uuid(), 'phone:4912345', 'Patek Silent')`);
  await app.db.execute(sql`
    insert into contact_identifier (identifier, contact_id, first_seen_at_ms, name, name_words)
    select 'phone:4912345', id, 0, 'Patek Silent', 'patek silent' from contact where key = 'phone:4912345'`);
  await app.db.execute(sql`
    insert into market_group (id, gateway_group_id, declared_name) values (gen_random_uuid(), 'g', 'Patek Friends')`);

  const patek = (await find(app, "patek")).body;
  const gulf = (await find(app, "gulf tr")).body;

  assert.deepEqual(patek.contacts, []);
  assert.deepEqual(patek.groups, []);
  assert.deepEqual(
    patek.alerts.map(({ name }: { name: string }) => name),
    ["Patek under market"],
  );
  assert.equal(patek.listings.length, 4);
  assert.deepEqual(
    gulf.groups.map(({ name }: { name: string }) => name),
    ["Gulf Traders"],
  );
  const { contacts, listings } = (await find(app, "mei")).body;
  assert.equal((await app.call("GET", `/v2/contacts/${contacts[0].id}`)).status, 200);
  assert.deepEqual(listings, []);
  const [listing] = patek.listings;
  assert.equal((await app.call("GET", `/v2/market/listings/${listing.id}`)).status, 200);
});

test("the limit is for each kind, and a wrong query says what is wrong", async (t) => {
  const app = await borrowTestApp(t);
  await buildTypedMarket(app.db);

  const one = await find(app, "rolex", 1);

  assert.equal(one.body.references.length, 1);
  assert.equal(one.body.listings.length, 1);
  for (const [path, message] of [
    ["/v2/search", /q/],
    ["/v2/search?q=a&limit=0", /limit/],
    ["/v2/search?q=a&limit=21", /limit/],
    ["/v2/search?q=%00", /q/],
    [`/v2/search?q=${"x".repeat(501)}`, /500/],
  ] as const) {
    const { status, body } = await app.call("GET", path);
    assert.equal(status, 400, path);
    assert.match(body.error.message, message);
  }
});

test("a query is read as chips with their places in the text", async (t) => {
  const app = await borrowTestApp(t);
  await buildTypedMarket(app.db);

  const text = "🔥 PEPSI, bis 18’000 € – HK";
  const { status, body } = await app.send("POST", "/v2/market/parse-query", { text });

  assert.equal(status, 200, JSON.stringify(body));
  assert.deepEqual(
    body.chips.map(({ start, end, member, label }: Record<string, never>) => [
      text.slice(start, end),
      member,
      label,
    ]),
    [
      ["PEPSI", "reference", "Pepsi"],
      ["bis 18’000 €", "price", "up to €18,000"],
      ["HK", "country_codes", "Hong Kong"],
    ],
  );
  assert.equal(body.rest, "");
  assert.deepEqual(body.filters.price, { lte: 1_800_000, currency: "EUR" });
  const search = await app.send("POST", "/v2/market/listings/search?strict=true", {
    filters: body.filters,
  });
  assert.equal(search.body.items.length, 1);
});

test("a wrong body is 400, and a read-only token may read queries and search", async (t) => {
  const app = await borrowTestApp(t);
  const token = await addToken(app.db, { isReadOnly: true });

  for (const body of [{}, { text: 1 }, { text: "x".repeat(501) }, { text: "a", other: 1 }]) {
    const { status } = await app.send("POST", "/v2/market/parse-query", body);
    assert.equal(status, 400, JSON.stringify(body).slice(0, 40));
  }
  const headers = { authorization: `Bearer ${token}` };
  const parsed = await app.send("POST", "/v2/market/parse-query", { text: "pepsi" }, headers);
  assert.equal(parsed.status, 200);
  assert.equal((await app.call("GET", "/v2/search?q=pepsi", headers)).status, 200);
});

test("odd queries are answered, and their filters search", async (t) => {
  const app = await borrowTestApp(t);
  await buildTypedMarket(app.db);

  for (const text of [...ODD_QUERIES, "nul\u0000 rolex", "half \ud83d rolex"]) {
    const { status, body } = await app.send("POST", "/v2/market/parse-query", { text });
    assert.equal(status, 200, `${JSON.stringify(text).slice(0, 60)} ${JSON.stringify(body)}`);
    const search = await app.send("POST", "/v2/market/listings/search?strict=true", {
      filters: body.filters,
    });
    assert.equal(search.status, 200, JSON.stringify([text.slice(0, 60), search.body]));
    let end = 0;
    for (const chip of body.chips) {
      assert.ok(end <= chip.start && chip.start < chip.end && chip.end <= text.length);
      end = chip.end;
    }
  }
  for (const q of ODD_QUERIES) {
    const { status, body } = await find(app, q);
    assert.equal(status, 200, `${JSON.stringify(q).slice(0, 60)} ${JSON.stringify(body)}`);
  }
});
