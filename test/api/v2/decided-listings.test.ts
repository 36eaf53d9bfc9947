import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { DAY_MS, dayStartOf } from "../../../src/base/clock.ts";
import { sql } from "../../../src/db/sql.ts";
import { raiseFloor } from "../../../src/messages/privacy/retention-store.ts";
import { requestReplay } from "../../../src/pipeline/replay.ts";
import { eraseSetAsideItems } from "../../../src/pipeline/set-aside-store.ts";
import { runErasure } from "../../../src/privacy/erase-persons.ts";
import { removeBatch } from "../../../src/privacy/remove-old-messages.ts";
import { process, stepContext } from "../../support/drain.ts";
import { findTraces } from "../../support/erasure.ts";
import { correct } from "../../support/listings.ts";
import { aPricedMarket } from "../../support/pricing.ts";
import { borrowTestApp } from "../../support/shared-store.ts";
import { NOW_MS, type TestApp } from "../../support/test-app.ts";
import { aMessageEvent, aRevokeEvent } from "../../support/waha.ts";

const NOW_S = NOW_MS / 1000;
const KENJI = { phone: "447700900123", lid: "199900000000201", name: "Kenji M." };
const TEXT = "WTS Rolex 126610LN 2024 full set EUR 10,000";

type Post = Partial<Parameters<typeof aMessageEvent>[0]>;

async function post({ db }: TestApp, of: Post = {}): Promise<string> {
  const message = { sender: KENJI, rawId: "A1", text: TEXT, atS: NOW_S - 3_600, ...of };
  await process(db, [aMessageEvent({ addressing: "both", ...message })]);
  return listingOf({ db }, message.text);
}

async function listingOf({ db }: Pick<TestApp, "db">, text: string): Promise<string> {
  const [row] = await db.query<{ id: string }>(sql`
    select listing.id
      from listing
      join canonical_message as message on message.id = listing.canonical_message_id
     where message.text = ${text}
     order by listing.id
     limit 1`);
  assert.ok(row, `no listing in ${text}`);
  return row.id;
}

async function decide(app: TestApp, id: string, body: object): Promise<void> {
  const read = await app.call("GET", `/v2/deals/${id}`);
  const tag = read.headers["etag"];
  const headers = tag === undefined ? {} : { "if-match": String(tag) };
  const put = await app.send("PUT", `/v2/deals/${id}`, body, headers);
  assert.ok(put.status === 200 || put.status === 201, put.text);
}

test("a revoked and a hidden listing can be decided about, and the deal stays on it", async (t) => {
  const app = await borrowTestApp(t);
  const revoked = await post(app);
  const hidden = await post(app, { rawId: "A2", text: TEXT.replace("126610LN", "126500LN") });
  await process(app.db, [
    aRevokeEvent({ rawId: "A1", atS: NOW_S - 60, author: KENJI, addressing: "both" }),
  ]);
  await app.db.execute(sql`update listing set is_hidden = true where id = ${hidden}`);

  for (const id of [revoked, hidden]) {
    const put = await app.send("PUT", `/v2/deals/${id}`, { state: "passed", reason: "gone" });
    assert.equal(put.status, 201, put.text);
    const { body } = await app.call("GET", `/v2/deals/${id}`);
    assert.deepEqual([body.state, body.detached_reason], ["passed", undefined]);
  }
});

test("an id from before contacts merged leads to the deal, and the newer of two deals stays", async (t) => {
  const app = await borrowTestApp(t);
  const lid = await post(app, { addressing: "lid" });
  await process(app.db, [
    aMessageEvent({ rawId: "A2", sender: KENJI, text: TEXT, addressing: "phone" }),
  ]);
  const [other] = await app.db.query<{ id: string }>(sql`
    select id from listing where id <> ${lid}`);
  const phone = other?.id ?? "";
  await decide(app, lid, { state: "shortlisted", note: "first" });
  app.clock.advance(1_000);
  await decide(app, phone, { state: "offered", note: "second" });

  await post(app, { rawId: "A3", text: "hello, merging now" }).catch(() => undefined);
  const ids = await app.db.query<{ id: string }>(sql`select id from listing`);
  const deals = await app.call("GET", "/v2/deals");
  const [byLid, byPhone] = [
    await app.call("GET", `/v2/deals/${lid}`),
    await app.call("GET", `/v2/deals/${phone}`),
  ];

  assert.equal(ids.length, 1, "one watch of one dealer");
  assert.equal(deals.body.items.length, 1);
  assert.equal(deals.body.items[0].listing_id, ids[0]?.id);
  assert.equal(byLid.body.note, "second", byLid.text);
  assert.deepEqual(byPhone.body, byLid.body);
  const { items } = (await app.call("GET", "/v2/activity?object_kind=deal&actor=assay")).body;
  assert.equal(items.length, 1);
  assert.equal(items[0].action, "replaced");
  assert.deepEqual(items[0].changes, [
    { member: "state", before: "shortlisted" },
    { member: "note", before: "first" },
  ]);
  // Whichever id a person has, the decision is about the one listing.
  for (const [at, id] of [lid, phone].entries())
    await decide(app, id, { state: "contacted", note: `${at}` });
  assert.equal((await app.call("GET", `/v2/deals/${phone}`)).body.note, "1");
  assert.equal((await app.send("DELETE", `/v2/deals/${lid}`)).status, 204);
  assert.equal((await app.call("GET", `/v2/deals/${phone}`)).status, 404);
});

test("a deal is detached while another reference is read at its place, and attached when the first is back", async (t) => {
  const app = await borrowTestApp(t);
  const id = await post(app);
  await decide(app, id, { state: "offered", note: "by phone" });
  const reasonOf = async () => {
    const { body } = await app.call("GET", `/v2/deals/${id}`);
    assert.equal(body.note, "by phone");
    return [body.detached_reason, body.watch.reference_normalized];
  };

  await correct(app.db, id, { reference: "116610LN" });
  await process(app.db, []);
  const corrected = await reasonOf();
  await requestReplay(app.db, { alerting: "never" });
  await process(app.db, []);
  const replayed = await reasonOf();
  await correct(app.db, id, {}, { undo: ["reference"] });
  await process(app.db, []);

  assert.deepEqual(corrected, ["other_reference", "126610LN"], "it keeps the copy of its watch");
  assert.deepEqual(replayed, corrected);
  assert.deepEqual(await reasonOf(), [undefined, "126610LN"]);
});

test("a watch that came back is passed again with the same words; a repeated answer changes nothing", async (t) => {
  const app = await borrowTestApp(t);
  const id = await post(app);
  const body = { state: "passed", reason: "too_dear" };
  const put = (headers: Record<string, string> = {}) =>
    app.send("PUT", `/v2/deals/${id}`, body, headers);
  const first = await put();
  const old = { "if-match": String(first.headers["etag"]) };
  const dropOf = async () => {
    // An answer is kept for a second.
    app.clock.advance(1_001);
    const search = { include: ["price"] };
    const { prices } = (await app.send("POST", "/v2/market/listings/search", search)).body;
    assert.equal(prices[0].deal.state, "passed");
    return prices[0].deal.price_drop?.bps;
  };
  await correct(app.db, id, { price: { amount_minor: 960_000, currency: "EUR" } });
  await process(app.db, []);
  assert.equal(await dropOf(), 400);

  const again = await put(old);
  const lost = [await put(), await put(old), await put({ "if-match": "*" })];

  assert.equal(again.status, 200, again.text);
  assert.equal(again.body.asked.amount_minor, 960_000);
  for (const repeated of lost) {
    assert.equal(repeated.status, 200, repeated.text);
    assert.deepEqual(repeated.body, again.body);
  }
  assert.equal(await dropOf(), undefined);
  const { items } = (await app.call("GET", "/v2/activity?object_kind=deal")).body;
  assert.equal(items.length, 2);
});

test("the same decision about a detached deal attaches it to what is read now", async (t) => {
  const app = await borrowTestApp(t);
  const id = await post(app);
  await decide(app, id, { state: "offered" });
  await correct(app.db, id, { reference: "116610LN" });
  await process(app.db, []);

  await decide(app, id, { state: "offered" });

  const { body } = await app.call("GET", `/v2/deals/${id}`);
  assert.deepEqual(
    [body.detached_reason, body.watch.reference_normalized],
    [undefined, "116610LN"],
  );
});

test("a deal outlives its listing, and can still be decided about", async (t) => {
  const app = await borrowTestApp(t);
  const id = await post(app, { atS: NOW_S - 50 * 86_400 });
  await decide(app, id, { state: "bought", paid: paid(900_000) });
  const before = (await app.call("GET", `/v2/deals/${id}`)).body;

  await raiseFloor(app.db, { floorMs: dayStartOf(NOW_MS - 40 * DAY_MS), nowMs: NOW_MS });
  while ((await removeBatch(app.db)) > 0);
  await process(app.db, []);
  const after = (await app.call("GET", `/v2/deals/${id}`)).body;
  await decide(app, id, { state: "bought", paid: paid(900_000), sold: paid(950_000) });

  assert.equal((await app.call("GET", `/v2/market/listings/${id}`)).status, 404);
  assert.deepEqual(after, { ...before, detached_reason: "removed" });
  const { body } = await app.call("GET", `/v2/deals/${id}`);
  assert.equal(body.realised_profit_eur_minor, 50_000);
  assert.equal(body.detached_reason, "removed");
});

function paid(amount_minor: number) {
  return { amount_minor, currency: "EUR", at_ms: NOW_MS - DAY_MS };
}

test("an erasure keeps amounts, dates and the state of a deal, and nothing else", async (t) => {
  const app = await borrowTestApp(t);
  const id = await post(app);
  const [me] = await app.db.query<{ id: string }>(sql`select id from api_token`);
  await decide(app, id, {
    state: "bought",
    note: "from Kenji",
    assignee: me?.id,
    offer: { amount_minor: 890_000, currency: "EUR" },
    paid: paid(900_000),
    sold: paid(950_000),
    cost_eur_minor: 1_000,
  });
  const contactId = (await app.call("GET", `/v2/deals/${id}`)).body.watch.contact_id;
  await app.send("PATCH", `/v2/contacts/${contactId}`, { note: "pays late", is_blocked: true });
  const summary = (await app.call("GET", "/v2/deals/summary")).body;
  // As of a decision from before the sender of the post was known.
  await app.db.execute(sql`update activity set contact_id = null where object_kind = 'deal'`);

  const context = await stepContext(app.db, app.clock);
  const erasure = { ...context, eraseSetAside: eraseSetAsideItems };
  const author = { name: "cli", nowMs: NOW_MS };
  await runErasure(erasure, { identifier: `phone:${KENJI.phone}`, author }, () => undefined);
  await context.close();
  await process(app.db, []);

  const { items } = (await app.call("GET", "/v2/deals")).body;
  const [row] = await app.db.query<{ row: Record<string, unknown> }>(sql`
    select jsonb_strip_nulls(to_jsonb(deal)) as row from deal`);
  const { listing_id: newId, ...kept } = row?.row ?? {};
  assert.notEqual(newId, id);
  assert.deepEqual(kept, {
    state: "bought",
    offer_amount_minor: 890_000,
    offer_currency: "EUR",
    paid_amount_minor: 900_000,
    paid_currency: "EUR",
    paid_eur_minor: 900_000,
    paid_at_ms: NOW_MS - DAY_MS,
    sold_amount_minor: 950_000,
    sold_currency: "EUR",
    sold_eur_minor: 950_000,
    sold_at_ms: NOW_MS - DAY_MS,
    cost_eur_minor: 1_000,
    day_ms: NOW_MS - DAY_MS,
    version: 1,
    created_at_ms: NOW_MS,
    updated_at_ms: NOW_MS,
    asked_amount_minor: 1_000_000,
    asked_currency: "EUR",
    price_amount_minor: 1_000_000,
    price_currency: "EUR",
    posted_at_ms: (NOW_S - 3_600) * 1_000,
    sender_ids: [],
    watch: {},
    detached_reason: "erased",
  });
  assert.equal(items.length, 1);
  assert.deepEqual((await app.call("GET", "/v2/deals/summary")).body, summary);
  assert.deepEqual(await findTraces(app.db, [KENJI.phone, KENJI.lid, "Kenji", contactId]), []);
  const left = (await app.call("GET", "/v2/activity")).body.items;
  assert.ok(left.every(({ object }: { object: { kind: string } }) => object.kind === "person"));
  const again = await app.send("PUT", `/v2/deals/${newId}`, { state: "passed" });
  assert.equal(again.status, 404, again.text);
});

test("the predicted profit is that of the headline when the watch was bought, whatever follows", async (t) => {
  const app = await borrowTestApp(t);
  // Two asks, of 11,000 and 9,000 euros: the average is 10,000.
  const { listingId } = await aPricedMarket(app);
  const url = `/v2/market/listings/${listingId}/price-engine`;
  const [headline] = (await app.call("GET", url)).body.items;

  await decide(app, listingId, { state: "shortlisted" });
  const shortlisted = (await app.call("GET", `/v2/deals/${listingId}`)).body;
  await decide(app, listingId, { state: "bought", paid: paid(880_000) });
  const bought = (await app.call("GET", `/v2/deals/${listingId}`)).body;
  await app.db.execute(sql`
    update price_cell set market_average_eur_minor = market_average_eur_minor + 77_700`);
  await decide(app, listingId, { state: "bought", paid: paid(880_000), sold: paid(990_000) });
  const sold = (await app.call("GET", `/v2/deals/${listingId}`)).body;
  const { body: summary } = await app.call("GET", "/v2/deals/summary");

  assert.equal(shortlisted.predicted_profit_eur_minor, undefined);
  assert.deepEqual(shortlisted.price, {
    configuration_id: headline.configuration_id,
    average_eur_minor: 1_000_000,
    landed_eur_minor: headline.comparable_ask_eur_minor,
    profit_eur_minor: headline.profit_opportunity_eur_minor,
  });
  assert.equal(bought.predicted_profit_eur_minor, 1_000_000 - 900_000);
  assert.equal(sold.predicted_profit_eur_minor, 1_000_000 - 900_000);
  assert.equal(sold.price.profit_eur_minor, 1_077_700 - 900_000);
  assert.equal(summary.predicted_profit_eur_minor, 100_000);
  assert.equal(summary.realised_profit_eur_minor, 990_000 - 880_000);
  assert.equal(summary.without_prediction_count, 0);
});

test("a watch that had no price when it was bought has no predicted profit, also when a price follows", async (t) => {
  const app = await borrowTestApp(t);
  const { listingId } = await aPricedMarket(app);
  await app.db.execute(sql`update price_cell set year = year + 1`);
  await decide(app, listingId, { state: "bought", paid: paid(880_000) });

  await app.db.execute(sql`update price_cell set year = year - 1`);
  await decide(app, listingId, { state: "bought", paid: paid(880_000), note: "paid in cash" });

  const { body } = await app.call("GET", `/v2/deals/${listingId}`);
  assert.equal(body.price.profit_eur_minor, 100_000);
  assert.equal(body.predicted_profit_eur_minor, undefined);
  const { body: summary } = await app.call("GET", "/v2/deals/summary");
  assert.equal(summary.without_prediction_count, 1);
});

test("an assignee is a valid token; when it is revoked, the deal keeps it and no deal gets it", async (t) => {
  const app = await borrowTestApp(t);
  const id = await post(app);
  const made = await app.send("POST", "/v2/tokens", { name: "mei", role: "desk" });
  const soon = await app.send("POST", "/v2/tokens", {
    name: "ben",
    role: "desk",
    expires_at_ms: NOW_MS + 60_000,
  });
  const [mei, ben] = [made.body.id, soon.body.id];

  await decide(app, id, { state: "offered", assignee: mei });
  assert.equal((await app.send("DELETE", `/v2/tokens/${mei}`)).status, 204);
  app.clock.advance(61_000);
  const { body } = await app.call("GET", `/v2/deals/${id}`);

  assert.deepEqual([body.assignee, body.assignee_name], [mei, "mei"]);
  const put = (decision: object) =>
    app.send("PUT", `/v2/deals/${id}`, decision, { "if-match": "*" });
  const kept = await put({ state: "bought", assignee: mei.toUpperCase() });
  assert.deepEqual([kept.status, kept.body.assignee_name], [200, "mei"]);
  assert.equal((await app.call("GET", `/v2/deals?assignee=${mei}`)).body.items.length, 1);
  for (const assignee of [ben, randomUUID()]) {
    const refused = await put({ state: "bought", assignee });
    assert.equal(refused.status, 400);
    assert.match(refused.body.error.message, /assignee: there is no valid token with this id/);
  }
  assert.equal((await put({ state: "bought" })).body.assignee, undefined);
  assert.equal((await put({ state: "offered", assignee: mei })).status, 400, "it is gone now");
});
