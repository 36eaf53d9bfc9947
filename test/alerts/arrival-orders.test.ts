import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { recordMatches } from "../../src/alerts/fire-alerts.ts";
import type { NewMatch } from "../../src/alerts/match.ts";
import { findRepeats } from "../../src/alerts/match-write-store.ts";
import { DAY_MS, HOUR_MS } from "../../src/base/clock.ts";
import type { DatabasePool } from "../../src/db/database.ts";
import { sql } from "../../src/db/sql.ts";
import { type Alerting, saveRawEvents } from "../../src/intake/raw-event-store.ts";
import { changeShippedRates } from "../../src/pipeline/change-rates.ts";
import { runPass } from "../../src/pipeline/finish-queued.ts";
import { requestReplay } from "../../src/pipeline/replay.ts";
import { STEPS } from "../../src/pipeline/steps.ts";
import { aLiveAlert, listStoredMatches } from "../support/alerts.ts";
import { drain, process, rawEvent, stepContext } from "../support/drain.ts";
import { applyTexts } from "../support/manifest.ts";
import { borrowTestDatabase } from "../support/shared-store.ts";
import { createTestClock, NOW_MS } from "../support/test-app.ts";
import { openTestDatabase } from "../support/test-database.ts";
import {
  aGroupEvent,
  aMessageEvent,
  anEditEvent,
  aRevokeEvent,
  SENDER,
  SESSION_A,
  SESSION_B,
} from "../support/waha.ts";

const NOW_S = NOW_MS / 1000;
const POST = {
  rawId: "X1",
  text: "WTS Rolex 126610LN 2024 new full set EUR 9500",
  atS: NOW_S - 5,
} as const;

interface Arriving {
  readonly event: ReturnType<typeof rawEvent>;
  readonly alerting: Alerting;
}

const posted = (session = SESSION_A, receivedAtMs = NOW_MS): Arriving => ({
  event: rawEvent(aMessageEvent({ ...POST, session }), { receivedAtMs }),
  alerting: "window",
});
const fetched = (receivedAtMs = NOW_MS, alerting: Alerting = "window"): Arriving => ({
  event: rawEvent(
    {
      assay_pull: "messages",
      session: SESSION_A.name,
      at_ms: POST.atS * 1000,
      data: [aMessageEvent(POST).payload],
    },
    { origin: "pull", receivedAtMs },
  ),
  alerting,
});

test("a young message fires, whichever of its webhook and the fetch is first, and once", async (t) => {
  const orders: readonly (readonly [string, readonly Arriving[]])[] = [
    ["webhook", [posted()]],
    ["fetch", [fetched()]],
    ["webhook, fetch", [posted(), fetched()]],
    ["fetch, webhook", [fetched(), posted()]],
    ["fetch, webhook of another session", [fetched(), posted(SESSION_B)]],
    ["import, webhook of another session", [fetched(NOW_MS, "never"), posted(SESSION_B)]],
  ];
  for (const [name, order] of orders) {
    await t.test(name, async (t) => {
      const pool = await openMarket(t);
      for (const one of order) await arrive(pool, one);

      assert.deepEqual(await countFired(pool), { matches: 1, fresh: 1 }, name);
    });
  }
});

test("the first receipt decides whether a message is young enough, also if it is read last", async (t) => {
  const late = NOW_MS + 30 * HOUR_MS;
  const orders: readonly (readonly [string, readonly Arriving[], number])[] = [
    ["old webhook, young fetch", [posted(SESSION_B, late), fetched(NOW_MS + HOUR_MS)], 1],
    ["young fetch, old webhook", [fetched(NOW_MS + HOUR_MS), posted(SESSION_B, late)], 1],
    ["old fetch, old webhook", [fetched(late), posted(SESSION_B, late)], 0],
  ];
  for (const [name, order, matches] of orders) {
    await t.test(name, async (t) => {
      const pool = await openMarket(t);
      for (const one of order) await arrive(pool, one);

      assert.equal((await countFired(pool)).matches, matches);
    });
  }
});

test("an import and a replay fire nothing, and after a replay a repeat fires no alert that came after the message", async (t) => {
  const pool = await openMarket(t);
  await arrive(pool, fetched(NOW_MS, "never"));
  const imported = await countFired(pool);
  await arrive(pool, posted());
  await aLiveAlert(pool, { brand: ["Rolex"] });
  await requestReplay(pool, { alerting: "never" });
  await process(pool, []);
  await arrive(pool, posted(SESSION_B));

  assert.equal(imported.matches, 0);
  assert.equal((await countFired(pool)).matches, 1);
});

test("a replay fires what was between two steps when it began, and what was not priced yet", async (t) => {
  for (const stepCount of [1, 2, 3, 4, 5, 6]) {
    await t.test(`after ${stepCount} steps`, async (t) => {
      const pool = await openMarket(t);
      await saveRawEvents(pool, [posted().event], "window");
      const context = await stepContext(pool);
      await runPass(context, { steps: STEPS.slice(0, stepCount) });
      await context.close();

      await requestReplay(pool, { alerting: "never" });
      await process(pool, []);

      assert.deepEqual(
        await countFired(pool),
        { matches: 1, fresh: 1 },
        `after ${stepCount} steps`,
      );
      assert.equal((await pool.query(sql`select from carried_alert`)).length, 0);
    });
  }
});

test("an alert fires whether the name of the group or the number of the sender comes before or after the message", async (t) => {
  const message = aMessageEvent({ ...POST, addressing: "lid" });
  const pair = aMessageEvent({
    rawId: "X0",
    text: "good morning",
    atS: NOW_S - 60,
    addressing: "both",
  });
  const name = aGroupEvent({ name: "Dealers HK", atMs: NOW_MS });
  for (const [place, order] of [
    ["both before", [pair, name, message]],
    ["both after, the number first", [message, pair, name]],
    ["both after, the name first", [message, name, pair]],
  ] as const) {
    await t.test(place, async (t) => {
      const { pool } = await borrowTestDatabase(t);
      await changeShippedRates(pool);
      const isBritish = { country_codes: { include: [SENDER.phone.slice(0, 2)] } };
      await aLiveAlert(pool, { brand: ["Rolex"], ...isBritish });
      await aLiveAlert(pool, { brand: ["Rolex"], group_names: ["Dealers HK"] });
      await aLiveAlert(pool, { q: "full set", ...isBritish }, "message_alert");
      await aLiveAlert(pool, { q: "full set", group_names: ["Dealers HK"] }, "message_alert");
      for (const event of order) await process(pool, [event]);
      await aLiveAlert(pool, { brand: ["Rolex"], group_names: ["Dealers Asia"] });
      await aLiveAlert(pool, { q: "full set", group_names: ["Dealers Asia"] }, "message_alert");
      await process(pool, [aGroupEvent({ name: "Dealers Asia", atMs: NOW_MS + 1 })]);

      const kinds = (await listStoredMatches(pool)).map(({ resource }) => resource).sort();
      assert.deepEqual(kinds, ["message", "message", "watch_listing", "watch_listing"]);
    });
  }
});

test("what moves because contacts merge does not arrive again", async (t) => {
  const { pool } = await openTestDatabase(t);
  await changeShippedRates(pool);
  await aLiveAlert(pool, { q: "nothing" }, "message_alert");
  const arrivals = () =>
    pool.query<{ id: string; at: number }>(sql`
      select listing_id as id, came_sequence as at from fresh_listing
      union all
      select canonical_message_id, came_sequence from fresh_message
      order by at`);
  await process(pool, [aMessageEvent({ ...POST, addressing: "lid" })]);
  const before = await arrivals();
  const alerts = [
    await aLiveAlert(pool, { brand: ["Rolex"] }, "price_alert"),
    await aLiveAlert(pool, { brand: ["Rolex"] }),
    await aLiveAlert(pool, { q: "full set" }, "message_alert"),
  ];

  const pair = {
    rawId: "X0",
    text: "good morning",
    atS: NOW_S - 90_000,
    addressing: "both",
  } as const;
  await process(pool, [aMessageEvent(pair)]);

  const after = await arrivals();
  assert.equal(before.length, 2);
  assert.ok(after.every(({ id }) => before.every((row) => row.id !== id)));
  assert.deepEqual(
    after.map(({ at }) => at),
    before.map(({ at }) => at),
  );
  const matches = await listStoredMatches(pool);
  assert.deepEqual(
    matches.filter(({ alert_id }) => alerts.includes(alert_id)),
    [],
  );
});

test("a name that comes after the alert window has ended fires no alert", async (t) => {
  const { pool } = await openTestDatabase(t);
  await aLiveAlert(pool, { q: "full set", group_names: ["Dealers HK"] }, "message_alert");
  await aLiveAlert(pool, { brand: ["Rolex"], group_names: ["Dealers HK"] });
  await process(pool, [aMessageEvent(POST)]);

  const clock = createTestClock();
  clock.set(NOW_MS + 25 * HOUR_MS);
  await saveRawEvents(
    pool,
    [rawEvent(aGroupEvent({ name: "Dealers HK", atMs: NOW_MS }))],
    "window",
  );
  const context = await stepContext(pool, clock);
  await drain(context);
  await context.close();

  assert.deepEqual(await listStoredMatches(pool), []);
});

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
      const pool = await openMarket(t);
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
  const pool = await openMarket(t);
  await process(pool, [first]);
  await process(pool, [second]);
  await process(pool, [aRevokeEvent({ rawId: "W1", author: SENDER, atS: NOW_S })]);
  const told = await listStoredMatches(pool);
  const shadow = await openMarket(t, openTestDatabase);
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
  const pool = await openMarket(t, openTestDatabase);
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
  const pool = await openMarket(t, openTestDatabase);
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
  const pool = await openMarket(t, openTestDatabase);
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

async function openMarket(t: TestContext, open = borrowTestDatabase): Promise<DatabasePool> {
  const { pool } = await open(t);
  await changeShippedRates(pool);
  await aLiveAlert(pool, { brand: ["Rolex"] });
  return pool;
}

async function arrive(pool: DatabasePool, { event, alerting }: Arriving): Promise<void> {
  await saveRawEvents(pool, [event], alerting);
  await process(pool, []);
}

async function countFired(pool: DatabasePool) {
  const [row] = await pool.query<{ matches: number; fresh: number }>(sql`
    select (select count(*) from alert_match)::integer as matches,
           (select count(*) from fresh_listing)::integer as fresh`);
  return { matches: row?.matches ?? 0, fresh: row?.fresh ?? 0 };
}
