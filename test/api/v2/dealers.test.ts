import assert from "node:assert/strict";
import { createHash, randomUUID } from "node:crypto";
import { test } from "node:test";
import { createKeptDealers, listDealers } from "../../../src/alerts/dealer-store.ts";
import { DAY_MS, dayStartOf, systemClock } from "../../../src/base/clock.ts";
import { sql } from "../../../src/db/sql.ts";
import { raiseFloor } from "../../../src/messages/privacy/retention-store.ts";
import { requestReplay } from "../../../src/pipeline/replay.ts";
import { removeBatch } from "../../../src/privacy/remove-old-messages.ts";
import { process } from "../../support/drain.ts";
import { aListing } from "../../support/rows.ts";
import { borrowTestApp } from "../../support/shared-store.ts";
import { NOW_MS, type TestApp, until } from "../../support/test-app.ts";
import { aMessageEvent } from "../../support/waha.ts";

/** Of dealers that a test makes by number. */
const idOf = (dealer: number) => {
  const hex = createHash("md5").update(`contact ${dealer}`).digest("hex");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
};
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

test("pages of dealers with equal values are those of one sorted list", async (t) => {
  const app = await borrowTestApp(t);
  await app.db.execute(sql`
    insert into contact (id, key, display_name)
    select md5('contact ' || n)::uuid, 'phone:' || n, case when n % 3 = 0 then 'Third ' else '' end || n
      from generate_series(1, 60) as n`);
  // The later ones offer more, the earlier ones were seen later, and posts of ten dealers stand at one time.
  for (let dealer = 1; dealer <= 50; dealer += 1) {
    for (let watch = 0; watch <= dealer / 10; watch += 1) {
      const last_seen_at_ms = NOW_MS - Math.floor(dealer / 10) * 1_000 - watch * 60_000;
      const contact_id = idOf(dealer);
      await aListing(app.db, { contact_id, last_seen_at_ms, first_seen_at_ms: last_seen_at_ms });
    }
  }
  await app.db.execute(sql`
    insert into contact_identifier (identifier, contact_id, first_seen_at_ms) values ('phone:55', ${idOf(55)}, 1)`);
  await app.db.execute(sql`
    insert into contact_note (identifier, is_blocked, updated_at_ms) values ('phone:55', true, 1)`);

  for (const query of ["sort=last_seen", "sort=on_offer", "sort=buys", "sort=last_seen&q=Third"]) {
    const { items: all } = (await app.call("GET", `/v2/contacts?limit=200&${query}`)).body;
    const paged: { id: string }[] = [];
    for (let cursor = ""; ; ) {
      const { body } = await app.call("GET", `/v2/contacts?limit=2&${query}${cursor}`);
      paged.push(...body.items);
      if (body.next_cursor === undefined) break;
      cursor = `&cursor=${body.next_cursor}`;
    }
    const rankOf = (item: Record<string, number>) =>
      query.includes("last_seen") ? item["last_seen_at_ms"] : item["on_offer_count"];
    const sorted = [...all].sort(
      (one, other) =>
        (query === "sort=buys" ? 0 : (rankOf(other) ?? 0) - (rankOf(one) ?? 0)) ||
        (one.id < other.id ? -1 : 1),
    );

    assert.deepEqual(all, sorted, query);
    assert.deepEqual(paged, sorted, query);
    assert.equal(all.length, query.includes("Third") ? 16 : 51, query);
  }
});

test("the figures of a dealer with many posts are half a minute old at most", async (t) => {
  const { db } = await borrowTestApp(t);
  await db.execute(
    sql`insert into contact (id, key) values (${idOf(1)}, 'phone:1'), (${idOf(2)}, 'phone:2')`,
  );
  const post = (dealer: number) => aListing(db, { contact_id: idOf(dealer) });
  for (let count = 0; count < 50; count += 1) await post(1);
  await post(2);
  let elapsedMs = 0;
  const kept = createKeptDealers({ ...systemClock, elapsedMs: () => elapsedMs });
  const query = { sort: "on_offer", nowMs: NOW_MS } as const;
  const read = async () =>
    (await listDealers(db, query, { limit: 10, kept })).items.map((item) => item.on_offer_count);

  assert.deepEqual(await read(), [50, 1]);
  await Promise.all([post(1), post(2)]);
  assert.deepEqual(await read(), [50, 2]);
  elapsedMs = 30_000;
  assert.deepEqual(await read(), [51, 2]);
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
  assert.deepEqual(await find("k"), ["Kenji M."], "one or two letters start a word");
  assert.deepEqual(await find("me"), ["Mei 100%"]);
  assert.deepEqual(await find("ji"), []);
  assert.deepEqual(await find("nji"), ["Kenji M."]);
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

test("a dealer who is blocked while his contacts merge is blocked, and the activity has one row", async (t) => {
  const app = await borrowTestApp(t);
  await process(app.db, [
    aMessageEvent({ rawId: "A1", sender: KENJI, text: "hi", addressing: "lid" }),
  ]);
  await process(app.db, [
    aMessageEvent({ rawId: "A2", sender: MEI, text: "ho", addressing: "lid" }),
  ]);
  const [old, merged] = await app.db.query<{ id: string }>(sql`select id from contact order by id`);
  assert.ok(old !== undefined && merged !== undefined);
  let blocking: Promise<{ status: number; body: { id: string; is_blocked: boolean } }> | undefined;

  await app.db.transaction(async (tx) => {
    await tx.execute(
      sql`update contact_identifier set contact_id = ${merged.id} where contact_id = ${old.id}`,
    );
    await tx.execute(
      sql`insert into contact_alias (old_id, contact_id) values (${old.id}, ${merged.id})`,
    );
    await tx.execute(sql`delete from contact where id = ${old.id}`);
    blocking = app.send("PATCH", `/v2/contacts/${old.id}`, { is_blocked: true });
    await until(
      async () => (await app.db.query(sql`select from pg_locks where not granted`)).length > 0,
    );
  });
  const blocked = await blocking;

  assert.deepEqual(
    [blocked?.status, blocked?.body.id, blocked?.body.is_blocked],
    [200, merged.id, true],
  );
  const notes = await app.db.query(sql`select from contact_note where is_blocked`);
  assert.equal(notes.length, 2, "both numbers");
  const { items } = (await app.call("GET", "/v2/activity?object_kind=contact")).body;
  assert.deepEqual(
    items.map(({ object }: { object: { id: string } }) => object.id),
    [merged.id],
  );
});

test("deals whose listing has left are those of the merged contact, by either id", async (t) => {
  const app = await borrowTestApp(t);
  const text = "WTS Rolex 126610LN 2024 full set EUR 10,000";
  const atS = NOW_S - 50 * 86_400;
  await process(app.db, [
    aMessageEvent({ rawId: "A1", sender: KENJI, text, addressing: "lid", atS }),
  ]);
  const [listing] = await app.db.query<{ id: string; contact_id: string }>(sql`
    select id, contact_id from listing`);
  await app.send("PUT", `/v2/deals/${listing?.id}`, { state: "bought" });
  await raiseFloor(app.db, { floorMs: dayStartOf(NOW_MS - 40 * DAY_MS), nowMs: NOW_MS });
  while ((await removeBatch(app.db)) > 0);
  for (const addressing of ["lid", "both"] as const) {
    const newer = { rawId: addressing, sender: KENJI, text: `hi ${addressing}`, addressing };
    await process(app.db, [aMessageEvent(newer)]);
  }
  const merged = await contactOf(app, KENJI.phone);

  assert.notEqual(merged, listing?.contact_id);
  for (const id of [merged, listing?.contact_id]) {
    assert.equal((await app.call("GET", `/v2/deals?contact_id=${id}`)).body.items.length, 1);
    assert.equal(
      (await app.call("GET", `/v2/deals/summary?contact_id=${id}`)).body.bought_count,
      1,
    );
    assert.equal((await app.call("GET", `/v2/contacts/${id}`)).body.deal_count, 1);
  }
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

test("of two people who write a note at once, the second learns who was first; the same again changes nothing", async (t) => {
  const app = await borrowTestApp(t);
  await aMarket(app);
  const path = `/v2/contacts/${await contactOf(app, MEI.phone)}`;
  const before = await app.call("GET", path);
  const made = await app.send("POST", "/v2/tokens", { name: "Ben", role: "desk" });
  const ben = { authorization: `Bearer ${made.body.token}` };
  const tag = { "if-match": String(before.headers["etag"]) };

  const first = await app.send("PATCH", path, { note: "pays on time" }, { ...tag, ...ben });
  app.clock.advance(1_000);
  const second = await app.send("PATCH", path, { note: "slow" }, tag);
  const again = await app.send("PATCH", path, { note: "pays on time" });
  const now = await app.call("GET", path);

  assert.equal(first.status, 200, first.text);
  assert.deepEqual([second.status, second.body.error.code], [412, "precondition_failed"]);
  assert.match(second.body.error.message, /^Ben was first at 2/);
  assert.equal(again.headers["etag"], first.headers["etag"]);
  assert.equal(now.body.note, "pays on time");
  const { items } = (await app.call("GET", "/v2/activity?object_kind=contact")).body;
  assert.equal(items.length, 1, "neither a refused write nor one without a change has a row");

  const tagOf = async () => ({ "if-match": String((await app.call("GET", path)).headers["etag"]) });
  assert.equal((await app.send("PATCH", path, { is_blocked: true }, await tagOf())).status, 200);
  const none = { note: null, is_blocked: false };
  assert.equal((await app.send("PATCH", path, none, await tagOf())).status, 200);
  const late = await app.send("PATCH", path, { note: "late" }, tag);
  assert.equal(late.status, 200, "what is said is again what was read: nothing");
});
