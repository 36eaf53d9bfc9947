import assert from "node:assert/strict";
import { test } from "node:test";
import { recordMatches } from "../../src/alerts/fire-alerts.ts";
import type { NewMatch } from "../../src/alerts/match.ts";
import { findRepeats } from "../../src/alerts/match-write-store.ts";
import { DAY_MS } from "../../src/base/clock.ts";
import type { DatabasePool } from "../../src/db/database.ts";
import { sql } from "../../src/db/sql.ts";
import { decideDeal } from "../../src/deals/decide-deal.ts";
import { saveRawEvents } from "../../src/intake/raw-event-store.ts";
import { aLiveAlert, listStoredMatches, openRatedMarket } from "../support/alerts.ts";
import { drain, process, rawEvent, stepContext } from "../support/drain.ts";
import { applyTexts } from "../support/manifest.ts";
import { borrowTestDatabase } from "../support/shared-store.ts";
import { createTestClock, NOW_MS } from "../support/test-app.ts";
import { openTestDatabase } from "../support/test-database.ts";
import { aMessageEvent, anEditEvent, aRevokeEvent, SENDER } from "../support/waha.ts";

const NOW_S = NOW_MS / 1000;
const POST = {
  rawId: "X1",
  text: "WTS Rolex 126610LN 2024 new full set EUR 9500",
  atS: NOW_S - 5,
} as const;

const MARKET = `
profiles: [{name: p, status: live, minimum_listings: 3, minimum_profit_eur_minor: 50000}]
views: [{name: EU, source_market: EU, filters: {}}]
configurations: [{profile: p, brand: Rolex, reference: 126610LN}]
alerts:
  - {name: all buys, strategy: price_engine, filters: {}}
  - {name: buys of Submariners, strategy: price_engine, filters: {brand: [Rolex]}}`;

test("an ask that was no buy and is posted again in other words when it is one fires each alert once", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  const clock = createTestClock();
  clock.set(NOW_MS - 12 * DAY_MS);
  await applyTexts(pool, MARKET, { clock });
  const context = await stepContext(pool, clock);
  let count = 0;
  const post = async (dealer: number, text: string) => {
    count += 1;
    const sender = { phone: `44770090012${dealer}`, lid: `19990000000012${dealer}`, name: "D" };
    const event = aMessageEvent({ rawId: `R${count}`, sender, text, atS: clock.nowMs() / 1000 });
    await saveRawEvents(pool, [rawEvent(event, { receivedAtMs: clock.nowMs() })], "window");
    await drain(context);
  };
  const ask = (euros: number) => `WTS 126610LN 2024 new full set EUR ${euros}`;
  for (const dealer of [1, 2, 3]) await post(dealer, ask(9_900));
  await post(9, ask(9_500));
  const before = await listStoredMatches(pool);
  clock.set(NOW_MS - DAY_MS);
  for (const dealer of [1, 2, 3]) await post(dealer, ask(10_600));

  clock.set(NOW_MS);
  await post(9, `STILL AVAILABLE ${ask(9_500)}`);
  const first = await listStoredMatches(pool);
  await post(9, `last call: ${ask(9_500)}`);
  await context.close();

  assert.deepEqual(before, []);
  // The alert of the configuration, and the two of the user.
  assert.equal(new Set(first.map(({ alert_id }) => alert_id)).size, 3);
  assert.equal(first.length, 3);
  assert.deepEqual(await listStoredMatches(pool), first);
});

test("an ask in other words fires a plain alert once, whichever of the two posts arrives first", async (t) => {
  const first = aMessageEvent({ ...POST, rawId: "W1", atS: NOW_S - 60 });
  const second = aMessageEvent({ ...POST, rawId: "W2", text: `still here: ${POST.text}` });
  for (const [name, order] of [
    ["the older one first", [first, second]],
    ["the newer one first", [second, first]],
  ] as const) {
    await t.test(name, async (t) => {
      const pool = await openRatedMarket(t);
      await aLiveAlert(pool, { brand: ["Rolex"], include_duplicates: true });
      for (const event of order) await process(pool, [event]);

      const counts = new Map<string, number>();
      for (const { alert_id } of await listStoredMatches(pool))
        counts.set(alert_id, (counts.get(alert_id) ?? 0) + 1);
      assert.deepEqual([...counts.values()].sort(), [1, 2]);
    });
  }
});

test("a repeat does not fire when the first post is edited or withdrawn, and a match in shadow silences nothing", async (t) => {
  const first = aMessageEvent({ ...POST, rawId: "W1", atS: NOW_S - 60 });
  const second = aMessageEvent({ ...POST, rawId: "W2", text: `still here: ${POST.text}` });
  const pool = await openRatedMarket(t);
  await process(pool, [first]);
  await process(pool, [second]);
  await process(pool, [aRevokeEvent({ rawId: "W1", author: SENDER, atS: NOW_S })]);
  const told = await listStoredMatches(pool);
  const shadow = await openRatedMarket(t, openTestDatabase);
  await process(shadow, [first]);
  await shadow.execute(sql`update alert_match set is_outward = false`);
  const [match] = await listStoredMatches(shadow);
  await process(shadow, [second]);
  const [repeat] = await shadow.query<{ id: string; canonical_message_id: string }>(sql`
    select id, canonical_message_id from listing where is_duplicate`);
  const wanted = {
    alert_id: match?.alert_id ?? "",
    resource: "watch_listing" as const,
    resource_id: repeat?.id ?? "",
    canonical_message_id: repeat?.canonical_message_id ?? "",
    match_context: {},
    is_told_once: true,
  };

  assert.equal(told.length, 1);
  const isLeftOut = async (is_outward: boolean) =>
    (await findRepeats(shadow, [{ ...wanted, is_outward }])).length > 0;
  assert.deepEqual([await isLeftOut(true), await isLeftOut(false)], [false, true]);
});

/** Returns the alerts of which someone is told. */
async function listTold(pool: DatabasePool) {
  const rows = await pool.query<{ alert_id: string }>(sql`
    select alert_id from alert_match where is_outward and not is_muted`);
  return rows.map(({ alert_id }) => alert_id);
}

test("an ask that is edited, or deleted and posted again in other words, is told once, and stays in the list", async (t) => {
  const text = `still here: ${POST.text}`;
  const first = aMessageEvent({ ...POST, rawId: "W1", atS: NOW_S - 60 });
  const changes = {
    edited: [anEditEvent({ rawId: "W1", text, author: SENDER, atS: NOW_S })],
    "posted again": [
      aRevokeEvent({ rawId: "W1", author: SENDER, atS: NOW_S }),
      aMessageEvent({ ...POST, rawId: "W2", text, atS: NOW_S }),
    ],
  };
  for (const [name, events] of Object.entries(changes)) {
    for (const isSeen of [true, false]) {
      await t.test(`${name}, ${isSeen ? "seen" : "not seen"}`, async (t) => {
        const { pool } = await borrowTestDatabase(t);
        const clock = createTestClock();
        await applyTexts(pool, MARKET, { clock });
        await aLiveAlert(pool, { brand: ["Rolex"] });
        for (const dealer of [1, 2, 3]) {
          const sender = {
            phone: `44770090012${dealer}`,
            lid: `19990000000012${dealer}`,
            name: "D",
          };
          const ask = "WTS 126610LN 2024 new full set EUR 10600";
          await process(pool, [
            aMessageEvent({ rawId: `D${dealer}`, sender, text: ask, atS: NOW_S - 120 }),
          ]);
        }
        const others = await listTold(pool);
        await process(pool, [first]);
        const told = await listTold(pool);
        await pool.execute(sql`update alert_match set seen_at_ms = ${isSeen ? NOW_MS : null}`);

        for (const event of events) await process(pool, [event]);

        // The plain alert, the alert of the configuration, and the two of the user.
        assert.equal(told.length - others.length, 4);
        assert.deepEqual((await listTold(pool)).toSorted(), told.toSorted());
        const [listing] = await pool.query<{ id: string }>(sql`
          select id from listing where price_amount_minor = 950000 and not is_hidden and not is_revoked`);
        const shown = (await listStoredMatches(pool)).filter(
          ({ listing_id }) => listing_id === listing?.id,
        );
        assert.equal(shown.length, 4);
        assert.ok(shown.every(({ seen_at_ms }) => seen_at_ms === (isSeen ? NOW_MS : null)));
      });
    }
  }
});

test("of a match in shadow that is released and a new one for the same ask, one is told", async (t) => {
  const pool = await openRatedMarket(t, openTestDatabase);
  const [first, second] = [
    aMessageEvent({ ...POST, rawId: "W1", atS: NOW_S - 60 }),
    aMessageEvent({ ...POST, rawId: "W2", text: `still here: ${POST.text}` }),
  ];
  await process(pool, [first]);
  const [match] = await listStoredMatches(pool);
  await pool.execute(sql`update alert_match set is_outward = false`);
  await process(pool, [second]);
  const [repeat] = await pool.query<{ id: string; canonical_message_id: string }>(sql`
    select id, canonical_message_id from listing where is_duplicate`);
  assert.ok(match !== undefined && repeat !== undefined);
  const { alert_id, match_context } = match;
  const news = [match, { ...repeat, resource_id: repeat.id }].map(
    ({ resource_id, canonical_message_id }): NewMatch => ({
      alert_id,
      resource: "watch_listing",
      resource_id,
      canonical_message_id,
      match_context,
      is_outward: true,
      is_told_once: true,
    }),
  );

  await pool.transaction((tx) => recordMatches(tx, news, NOW_MS));

  assert.deepEqual(
    (await listStoredMatches(pool)).map(({ resource_id, is_outward }) => [resource_id, is_outward]),
    [[match.resource_id, true]],
  );
});

test("a repeat in shadow of an ask that was withdrawn is told when it is released", async (t) => {
  const pool = await openRatedMarket(t, openTestDatabase);
  await process(pool, [aMessageEvent({ ...POST, rawId: "W1", atS: NOW_S - 60 })]);
  await pool.execute(sql`update alert_match set is_outward = false`);
  const [match] = await listStoredMatches(pool);
  await process(pool, [
    aRevokeEvent({ rawId: "W1", author: SENDER, atS: NOW_S }),
    aMessageEvent({ ...POST, rawId: "W2", text: `still here: ${POST.text}` }),
  ]);
  const [repeat] = await pool.query<{ id: string; canonical_message_id: string }>(sql`
    select id, canonical_message_id from listing where not is_revoked`);
  assert.ok(match !== undefined && repeat !== undefined);
  await pool.execute(sql`delete from alert_match where resource_id = ${repeat.id}`);
  const found: NewMatch = {
    alert_id: match.alert_id,
    resource: "watch_listing",
    resource_id: repeat.id,
    canonical_message_id: repeat.canonical_message_id,
    match_context: match.match_context,
    is_outward: false,
    is_told_once: true,
  };

  await pool.transaction((tx) => recordMatches(tx, [found], NOW_MS));
  const inShadow = await listTold(pool);
  await pool.transaction((tx) => recordMatches(tx, [{ ...found, is_outward: true }], NOW_MS));

  assert.deepEqual(inShadow, []);
  assert.deepEqual(await listTold(pool), [match.alert_id]);
});

test("an ask that is posted again after it was sold is told as another watch", async (t) => {
  const pool = await openRatedMarket(t, openTestDatabase);
  await process(pool, [aMessageEvent({ ...POST, rawId: "W1", atS: NOW_S - 60 })]);
  const told = await listTold(pool);
  await process(pool, [
    aMessageEvent({
      rawId: "W1 sold",
      text: "sold",
      atS: NOW_S - 30,
      replyTo: "W1",
    }),
  ]);
  const sold = await pool.query(sql`select id from listing where status = 'sold' and is_hidden`);

  await process(pool, [aMessageEvent({ ...POST, rawId: "W2", text: `one more: ${POST.text}` })]);

  assert.equal(sold.length, 1);
  assert.deepEqual(await listTold(pool), [...told, ...told]);
});

/** Matches of the listings of these messages for one alert, as a calculation finds them. */
async function findFor(pool: DatabasePool, alertId: string, texts: readonly string[]) {
  const rows = await pool.query<{ id: string; canonical_message_id: string }>(sql`
    select listing.id, message.id as canonical_message_id
      from listing
      join canonical_message as message on message.id = listing.canonical_message_id
     where message.text = any(${texts}::text[])
     order by array_position(${texts}::text[], message.text)`);
  return rows.map(
    ({ id, canonical_message_id }): NewMatch => ({
      alert_id: alertId,
      resource: "watch_listing",
      resource_id: id,
      canonical_message_id,
      match_context: {},
      is_outward: true,
      is_told_once: true,
    }),
  );
}

test("a repeat is not told when the first post is sold after it", async (t) => {
  const pool = await openRatedMarket(t, openTestDatabase);
  const again = `still here: ${POST.text}`;
  await process(pool, [aMessageEvent({ ...POST, rawId: "W1", atS: NOW_S - 60 })]);
  await process(pool, [aMessageEvent({ ...POST, rawId: "W2", text: again })]);
  const [match] = await listStoredMatches(pool);
  assert.ok(match !== undefined);
  await pool.execute(sql`
    update listing set status = 'sold', is_hidden = true, updated_at_ms = created_at_ms + 1
     where id = ${match.resource_id}`);

  const found = await findFor(pool, match.alert_id, [again]);
  await pool.transaction((tx) => recordMatches(tx, found, NOW_MS));

  assert.equal(found.length, 1);
  assert.deepEqual(await listTold(pool), [match.alert_id]);
});

test("what the desk passes after a lower ask was told, tells nothing", async (t) => {
  const pool = await openRatedMarket(t, openTestDatabase);
  const dear = "WTS Rolex 126610LN 2024 new full set EUR 10000";
  const again = `still here: ${POST.text}`;
  await process(pool, [aMessageEvent({ rawId: "W0", text: dear, atS: NOW_S - 90 })]);
  await process(pool, [aMessageEvent({ ...POST, rawId: "W1", atS: NOW_S - 60 })]);
  await process(pool, [aMessageEvent({ ...POST, rawId: "W2", text: again, atS: NOW_S - 30 })]);
  const told = await listTold(pool);
  const [alertId = ""] = told;
  const [first] = await findFor(pool, alertId, [dear]);
  await passAsTooDear(pool, first?.resource_id ?? "", NOW_MS);

  const found = await findFor(pool, alertId, [again]);
  await pool.transaction((tx) => recordMatches(tx, found, NOW_MS + 1));

  assert.deepEqual([told.length, found.length], [2, 1]);
  assert.deepEqual(await listTold(pool), told);
});

test("of a passed watch that is back by a reply and by a repost at once, one is told", async (t) => {
  const pool = await openRatedMarket(t, openTestDatabase);
  const [dear, less] = ["10000", "9700"].map(
    (euros) => `WTS Rolex 126610LN 2024 new full set EUR ${euros}`,
  );
  assert.ok(dear !== undefined && less !== undefined);
  await process(pool, [aMessageEvent({ rawId: "W1", text: dear, atS: NOW_S - 60 })]);
  const [alertId = ""] = await listTold(pool);
  const [first] = await findFor(pool, alertId, [dear]);
  await pool.execute(sql`update alert_match set matched_at_ms = ${NOW_MS - 10_000}`);
  await passAsTooDear(pool, first?.resource_id ?? "", NOW_MS - 5_000);
  await process(pool, [aMessageEvent({ rawId: "W2", text: less, atS: NOW_S })]);
  await pool.execute(sql`delete from alert_match where resource_id <> ${first?.resource_id ?? ""}`);
  // As a reply does.
  await pool.execute(sql`
    update listing set price_amount_minor = 970000 where id = ${first?.resource_id ?? ""}`);

  const found = await findFor(pool, alertId, [dear, less]);
  await pool.transaction((tx) => recordMatches(tx, found, NOW_MS));

  const matches = await listStoredMatches(pool);
  assert.equal(found.length, 2);
  assert.deepEqual(
    matches.map(({ resource_id, matched_at_ms }) => [resource_id, matched_at_ms]),
    [[first?.resource_id, NOW_MS]],
  );
});

async function passAsTooDear(pool: DatabasePool, listingId: string, nowMs: number): Promise<void> {
  const decision = { state: "passed", reason: "too_dear" } as const;
  await pool.transaction((tx) =>
    decideDeal(tx, { listingId, decision, author: { name: "Anna", nowMs } }),
  );
}
