import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { sql } from "../../../src/db/sql.ts";
import { requestReplay } from "../../../src/pipeline/replay.ts";
import { process } from "../../support/drain.ts";
import { borrowTestApp } from "../../support/shared-store.ts";
import { NOW_MS, type TestApp } from "../../support/test-app.ts";
import { aMessageEvent } from "../../support/waha.ts";

const NOW_S = NOW_MS / 1000;
const KENJI = { phone: "447700900123", lid: "199900000000201", name: "Kenji M." };
const MEI = { phone: "85291234567", lid: "199900000000301", name: "Mei 100%" };

async function contactOf(app: TestApp, phone: string): Promise<string> {
  const [row] = await app.db.query<{ id: string }>(sql`
    select contact_id as id from contact_identifier where identifier = ${`phone:${phone}`}`);
  assert.ok(row);
  return row.id;
}

/** Kenji offers two watches, one of them three times and at two prices, and Mei one. */
async function aMarket(app: TestApp): Promise<void> {
  const ask = (euros: string) => `WTS Rolex 126610LN 2024 full set EUR ${euros}`;
  const by = (sender: typeof KENJI, rawId: string, text: string, ageS: number) =>
    aMessageEvent({ sender, rawId, text, atS: NOW_S - ageS, addressing: "both" });
  await process(app.db, [
    by(KENJI, "A1", ask("10,000"), 90_000),
    by(KENJI, "A2", `${ask("10,000")} hurry`, 80_000),
    by(KENJI, "A3", ask("9,500"), 70_000),
    by(KENJI, "A4", "WTS Rolex 126500LN 2024 full set EUR 20,000", 60_000),
    by(MEI, "B1", "WTS Rolex 124060 2024 full set EUR 8,000", 50_000),
  ]);
}

test("dealers are listed with what they offer, in three orders, and each once over pages", async (t) => {
  const app = await borrowTestApp(t);
  await aMarket(app);
  const [kenji, mei] = [await contactOf(app, KENJI.phone), await contactOf(app, MEI.phone)];

  const seen = await app.call("GET", "/v2/contacts");
  const offers = await app.call("GET", "/v2/contacts?sort=on_offer&limit=1");
  const rest = await app.call(
    "GET",
    `/v2/contacts?sort=on_offer&limit=1&cursor=${offers.body.next_cursor}`,
  );
  const buys = await app.call("GET", "/v2/contacts?sort=buys");
  const idsOf = ({ body }: typeof seen) => body.items.map(({ id }: { id: string }) => id);

  assert.deepEqual(idsOf(seen), [mei, kenji]);
  assert.deepEqual([...idsOf(offers), ...idsOf(rest)], [kenji, mei]);
  assert.equal(rest.body.next_cursor, undefined);
  assert.equal(buys.body.items.length, 2);
  assert.deepEqual(offers.body.items[0], {
    id: kenji,
    display_name: "Kenji M.",
    phone_number: KENJI.phone,
    country_prefix: "44",
    first_seen_at_ms: (NOW_S - 90_000) * 1000,
    last_seen_at_ms: (NOW_S - 60_000) * 1000,
    on_offer_count: 2,
    buy_count_90d: 0,
    repost_count_90d: 1,
    price_drop_count_90d: 1,
    deal_count: 0,
    is_blocked: false,
  });
});

test("dealers are found by a part of a name, taken literally, and by three digits of a number", async (t) => {
  const app = await borrowTestApp(t);
  await aMarket(app);
  const find = async (q: string) =>
    (await app.call("GET", `/v2/contacts?q=${encodeURIComponent(q)}`)).body.items.map(
      (item: { display_name: string }) => item.display_name,
    );

  assert.deepEqual(await find("KENJI"), ["Kenji M."]);
  assert.deepEqual(await find("100%"), ["Mei 100%"]);
  assert.deepEqual(await find("%"), ["Mei 100%"]);
  assert.deepEqual(await find("_"), []);
  assert.deepEqual(await find("+852 9123"), ["Mei 100%"]);
  assert.deepEqual(await find("52"), []);
  assert.equal((await app.call("GET", "/v2/contacts?q=")).status, 400);
  assert.equal((await app.call("GET", "/v2/contacts?q=%00")).status, 400);
  assert.equal((await app.call("GET", "/v2/contacts?sort=name")).status, 400);
  assert.equal((await app.call("GET", "/v2/contacts?cursor=x")).status, 400);
});

test("a dealer has a note and is blocked, whatever contacts merge and however often events are replayed", async (t) => {
  const app = await borrowTestApp(t);
  const text = "WTS Rolex 126610LN 2024 full set EUR 10,000";
  await process(app.db, [aMessageEvent({ rawId: "A1", sender: KENJI, text, addressing: "lid" })]);
  const [lid] = await app.db.query<{ id: string }>(sql`select id from contact`);

  const noted = await app.send("PATCH", `/v2/contacts/${lid?.id}`, { note: "slow <i>payer</i>" });
  const blocked = await app.send("PATCH", `/v2/contacts/${lid?.id}`, { is_blocked: true });
  await process(app.db, [
    aMessageEvent({ rawId: "A2", sender: KENJI, text: "hi", addressing: "both" }),
  ]);
  await requestReplay(app.db, { alerting: "never" });
  await process(app.db, []);
  const merged = await app.call("GET", `/v2/contacts/${await contactOf(app, KENJI.phone)}`);
  const list = await app.call("GET", "/v2/contacts?is_blocked=true");
  const others = await app.call("GET", "/v2/contacts?is_blocked=false");

  assert.equal(noted.status, 200, noted.text);
  assert.equal(noted.body.is_blocked, false);
  assert.equal(blocked.body.note, "slow <i>payer</i>");
  assert.equal(merged.body.note, "slow <i>payer</i>");
  assert.equal(merged.body.is_blocked, true);
  assert.deepEqual(
    list.body.items.map(({ id }: { id: string }) => id),
    [merged.body.id],
  );
  assert.deepEqual(others.body.items, []);

  const freed = await app.send("PATCH", `/v2/contacts/${merged.body.id}`, {
    is_blocked: false,
    note: null,
  });
  assert.equal(freed.body.is_blocked, false);
  assert.equal(freed.body.note, undefined);
  assert.deepEqual([...(await app.db.query(sql`select from contact_note`))], []);
});

test("a change of a dealer that makes no sense is refused", async (t) => {
  const app = await borrowTestApp(t);
  await aMarket(app);
  const id = await contactOf(app, MEI.phone);
  const statusOf = async (path: string, body: object) =>
    (await app.send("PATCH", `/v2/contacts/${path}`, body)).status;

  assert.equal(await statusOf(id, {}), 400);
  assert.equal(await statusOf(id, { is_blocked: "yes" }), 400);
  assert.equal(await statusOf(id, { note: "x".repeat(2_001) }), 400);
  assert.equal(await statusOf(id, { note: "a\u0000" }), 400);
  assert.equal(await statusOf(id, { name: "Mei" }), 400);
  assert.equal(await statusOf(randomUUID(), { is_blocked: true }), 404);
  assert.equal(await statusOf("mei", { is_blocked: true }), 400);
});
