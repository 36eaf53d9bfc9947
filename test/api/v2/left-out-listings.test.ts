import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { process } from "../../support/drain.ts";
import { correct } from "../../support/listings.ts";
import { borrowTestApp } from "../../support/shared-store.ts";
import { NOW_MS } from "../../support/test-app.ts";
import { aMessageEvent, aRevokeEvent } from "../../support/waha.ts";

const AT_S = NOW_MS / 1000 - 3_600;
const TALK = "Watched a 126610LN sell for €12,500 at the auction yesterday, crazy";
const OFFER = "126500LN N3/24 HKD 230,000";

test("what is read as talk is in no search, count or export, also with hidden ones", async (t) => {
  const { call, send, ids } = await aMarket(t);
  const [talk = ""] = ids;

  for (const filters of [{}, { include_hidden: true }]) {
    const found = await send("POST", "/v2/market/listings/search", { filters });
    const facets = await send("POST", "/v2/market/facets", { filters });
    const summary = await send("POST", "/v2/market/summary", { filters });
    assert.deepEqual(
      found.body.items.map(({ reference }: { reference: string }) => reference),
      ["126500LN"],
    );
    assert.doesNotMatch(facets.text, /126610/);
    assert.equal(summary.body.listing_count, 1, summary.text);
  }
  const references = await send("POST", "/v2/market/references/search", {
    filters: { include_hidden: true },
  });
  const exported = await send("POST", "/v2/market/listings/export", {
    filters: { include_hidden: true },
  });
  const prices = await call("GET", `/v2/market/listings/${talk}/price-engine`);
  const explained = await call("GET", `/v2/market/listings/${talk}/explain`);

  assert.doesNotMatch(references.text, /126610/);
  assert.match(exported.text, /126500LN/);
  assert.doesNotMatch(exported.text, /126610/);
  assert.equal(prices.status, 404);
  assert.equal(explained.status, 200);
});

test("messages with something left out are listed with it, newest first", async (t) => {
  const { call, db, ids } = await aMarket(t);
  await process(db, [
    aMessageEvent({ rawId: "A3", text: `${TALK}, really`, atS: AT_S + 120 }),
    aMessageEvent({ rawId: "A4", text: `${TALK}!`, atS: AT_S + 180 }),
    aRevokeEvent({ rawId: "A4", atS: AT_S + 240 }),
  ]);

  const first = await call("GET", "/v2/messages?left_out=true&limit=2");
  const rest = await call(
    "GET",
    `/v2/messages?left_out=true&limit=2&cursor=${first.body.next_cursor}`,
  );
  const searched = await call("GET", "/v2/messages?left_out=true&q=really");
  const all = await call("GET", "/v2/messages?left_out=false");
  const other = await call("GET", `/v2/messages?cursor=${first.body.next_cursor}`);
  const wrong = await call("GET", "/v2/messages?left_out=maybe");
  const [message] = rest.body.items;
  const single = await call("GET", `/v2/messages/${message.id}`);

  const texts = (page: typeof first) => page.body.items.map(({ text }: { text: string }) => text);
  assert.deepEqual(texts(first), [`${TALK}!`, `${TALK}, really`]);
  assert.deepEqual(texts(rest), [`${TALK}\n${OFFER}`]);
  assert.equal(rest.body.next_cursor, undefined);
  assert.deepEqual(texts(searched), [`${TALK}, really`]);
  assert.deepEqual(message.left_out_listing_ids, [ids[0]]);
  assert.deepEqual(message.listing_ids, [ids[1]]);
  assert.deepEqual(single.body, message);
  assert.equal(all.body.items.length, 4);
  const plain = all.body.items.find(({ text }: { text: string }) => text === "Good morning");
  assert.deepEqual([plain.listing_ids, plain.left_out_listing_ids], [[], undefined]);
  assert.deepEqual([other.status, wrong.status], [400, 400]);
});

test("a message leaves the list once a person says what it is, and comes back when that is undone", async (t) => {
  const { call, db, ids } = await aMarket(t);
  const [talk = ""] = ids;
  const count = async () => (await call("GET", "/v2/messages?left_out=true")).body.items.length;

  const before = await count();
  await correct(db, talk, { is_listing: true });
  await process(db, []);
  const said = await count();
  await correct(db, talk, { is_listing: false });
  await process(db, []);
  const denied = await count();
  await correct(db, talk, {}, { undo: ["is_listing"] });
  await process(db, []);

  assert.deepEqual([before, said, denied, await count()], [1, 0, 0, 1]);
});

test("the reading of what is left out says why, and how sure the values are", async (t) => {
  const { call, db, ids } = await aMarket(t);
  const [talk = "", offer = ""] = ids;

  const left = await call("GET", `/v2/market/listings/${talk}/reading`);
  const read = await call("GET", `/v2/market/listings/${offer}/reading`);
  await correct(db, talk, { is_listing: false });
  await process(db, []);
  const denied = await call("GET", `/v2/market/listings/${talk}/reading`);

  assert.equal(left.body.left_out_reason, "not_an_offer");
  assert.ok(left.body.confidence > 0 && left.body.confidence <= 1);
  assert.deepEqual(
    left.body.fields.find(({ field }: { field: string }) => field === "price").value,
    { amount_minor: 1_250_000, currency: "EUR" },
  );
  assert.equal(read.body.left_out_reason, undefined);
  assert.equal(denied.body.left_out_reason, "corrected");
});

test("a reading says whose each line is, in units of the text", async (t) => {
  const { call, db } = await borrowTestApp(t);
  const text = [
    "👋🏽 Good morning friends, here is my list",
    "ROLEX",
    "126334 €9.500\r",
    "126333 €11.200",
    "➖➖➖",
    "PATEK",
    "5711/1A 2019 €92.000",
    TALK,
    "Strap for 5167A €300",
    "",
    "Insured parcels leave on Friday",
  ].join("\n");
  await process(db, [aMessageEvent({ text, atS: AT_S })]);
  const { body } = await call("GET", "/v2/messages");
  const [message] = body.items;
  const [first, second, third] = message.listing_ids;
  const [talk, strap] = message.left_out_listing_ids;

  const reading = await call("GET", `/v2/market/listings/${third}/reading`);
  const ofTalk = await call("GET", `/v2/market/listings/${talk}/reading`);

  interface Line {
    readonly start: number;
    readonly end: number;
    readonly role: string;
    readonly listing_id?: string;
  }
  const show = ({ start, end, role, listing_id }: Line) => [
    text.slice(start, end),
    role,
    ...(listing_id === undefined ? [] : [listing_id]),
  ];
  assert.deepEqual(reading.body.lines.map(show), [
    ["👋🏽 Good morning friends, here is my list", "shared"],
    ["ROLEX", "other"],
    ["126334 €9.500", "other", first],
    ["126333 €11.200", "other", second],
    ["PATEK", "header"],
    ["5711/1A 2019 €92.000", "own"],
    [TALK, "other", talk],
    ["Strap for 5167A €300", "other", strap],
    ["Insured parcels leave on Friday", "shared"],
  ]);
  assert.deepEqual(ofTalk.body.lines.filter(({ role }: Line) => role === "own").map(show), [
    [TALK, "own"],
  ]);
});

/** A message with talk and an offer, and one without a watch. Returns the ids of talk and offer. */
async function aMarket(t: TestContext) {
  const app = await borrowTestApp(t);
  await process(app.db, [
    aMessageEvent({ rawId: "A1", text: `${TALK}\n${OFFER}`, atS: AT_S }),
    aMessageEvent({ rawId: "A2", text: "Good morning", atS: AT_S + 60 }),
  ]);
  const { body } = await app.call("GET", "/v2/messages");
  const message = body.items.find(({ text }: { text: string }) => text.includes(OFFER));
  return { ...app, ids: [message.left_out_listing_ids[0], message.listing_ids[0]] as string[] };
}
