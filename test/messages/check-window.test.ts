import assert from "node:assert/strict";
import { test } from "node:test";
import { HOUR_MS, MINUTE_MS } from "../../src/base/clock.ts";
import type { DatabasePool } from "../../src/db/database.ts";
import { sql } from "../../src/db/sql.ts";
import { saveRawEvents } from "../../src/intake/raw-event-store.ts";
import { newMemory } from "../../src/messages/sync/sync-gateway.ts";
import { requestReplay } from "../../src/pipeline/replay.ts";
import { process, rawEvent } from "../support/drain.ts";
import { NOW_S, openMarket } from "../support/faults/market-with-gateway.ts";
import { openTestDatabase } from "../support/test-database.ts";
import {
  aMessageEvent,
  anEditEvent,
  aWindow,
  GROUP,
  SESSION_A,
  SESSION_B,
  type WahaSession,
} from "../support/waha.ts";

const NOWEB: WahaSession = { ...SESSION_A, engine: "NOWEB" };
const NOWEB_B: WahaSession = { ...SESSION_B, engine: "NOWEB" };
const OTHER_GROUP = "120363000000000102@g.us";
const text = (rawId: string) => `WTS 126610LN 2024 full set EUR 12,500 ${rawId}`;

/** A market whose session has posted these messages, ten seconds apart, and whose gateway lists them. */
async function openPosted(
  t: Parameters<typeof openMarket>[0],
  rawIds: readonly string[],
  session: WahaSession = SESSION_A,
) {
  const market = await openMarket(t, session);
  const posts = rawIds.map((rawId, at) => ({
    rawId,
    text: text(rawId),
    atS: NOW_S - 500 + at * 10,
  }));
  market.gateway.add({ rawId: "A1", atS: NOW_S - 60 });
  for (const post of posts) market.gateway.add(post);
  await process(
    market.pool,
    posts.map((post) => aMessageEvent({ session, ...post })),
  );
  const sync = async () => {
    await market.pass(HOUR_MS, []);
    await market.round(newMemory());
    await process(market.pool, []);
    return revokedIds(market.pool);
  };
  return { ...market, posts, sync };
}

test("a message that was revoked while events were lost is withdrawn, and a later list brings it back", async (t) => {
  for (const session of [SESSION_A, NOWEB]) {
    const market = await openPosted(t, ["P1", "P2", "P3"], session);
    const before = await market.sync();
    market.gateway.remove("P2");

    const withdrawn = await market.sync();
    const listings = await visibleListings(market.pool);
    await requestReplay(market.pool, { alerting: "never" });
    await process(market.pool, []);
    const replayed = await revokedIds(market.pool);
    for (const post of market.posts.slice(1, 2)) market.gateway.add(post);
    const back = await market.sync();
    const storedBefore = await countWindows(market.pool);
    await market.sync();

    assert.deepEqual([before, withdrawn, replayed, back], [[], ["P2"], ["P2"], []], session.engine);
    assert.deepEqual(listings, ["A1", "P1", "P3"]);
    assert.deepEqual(await visibleListings(market.pool), ["A1", "P1", "P2", "P3"]);
    assert.deepEqual([storedBefore, await countWindows(market.pool)], [2, 2]);
  }
});

test("the only message of a quiet hour is withdrawn, because the group still lists older ones", async (t) => {
  const market = await openPosted(t, ["P1", "P2", "P3"]);
  await market.sync();
  const late = { rawId: "P4", text: text("P4"), atS: NOW_S + 3_600 + 60 };
  await market.pass(2 * MINUTE_MS, [aMessageEvent(late)]);
  market.gateway.add({ ...late, rawId: "Q1", group: OTHER_GROUP });
  await market.sync();

  assert.deepEqual(await revokedIds(market.pool), ["P4"]);
});

test("nothing is withdrawn on doubt", async (t) => {
  const doubts: Readonly<Record<string, (market: Awaited<ReturnType<typeof openPosted>>) => void>> =
    {
      "the list is empty": ({ gateway }) => {
        gateway.messages.length = 0;
      },
      "the chat was cleared and goes on": ({ gateway }) => {
        gateway.messages.length = 0;
        gateway.add({ rawId: "NEW", text: text("NEW"), atS: NOW_S + 600 });
      },
      "the group lists no more than are missing": ({ gateway }) => {
        for (const rawId of ["P2", "P3"]) gateway.remove(rawId);
      },
      "another group is listed": ({ gateway }) => {
        gateway.messages.length = 0;
        gateway.add({ rawId: "Q1", group: OTHER_GROUP, text: text("Q1"), atS: NOW_S - 600 });
      },
      "the session does not work": ({ gateway }) => {
        gateway.remove("P2");
        gateway.status = "STARTING";
      },
      "the group cannot be asked": ({ gateway }) => {
        gateway.remove("P2");
        gateway.respond = (path) => (path.includes(encodeURIComponent(GROUP)) ? 500 : 200);
      },
      "a page fails": ({ gateway }) => {
        gateway.remove("P2");
        gateway.respond = (path) => (path.endsWith("/messages") ? 500 : 200);
      },
    };
  for (const [name, cause] of Object.entries(doubts)) {
    const market = await openPosted(t, ["P1", "P2", "P3"]);
    cause(market);

    assert.deepEqual(await market.sync(), [], name);
  }
  // An engine whose list is a part of what it has.
  const market = await openPosted(t, ["P1", "P2", "P3"], SESSION_B);
  market.gateway.remove("P2");
  assert.deepEqual(await market.sync(), []);
});

test("what could not be checked is checked by the next fetch, which starts at the same time", async (t) => {
  const market = await openPosted(t, ["P1", "P2", "P3"]);
  market.gateway.remove("P2");
  market.gateway.respond = (path) => (path.includes(encodeURIComponent(GROUP)) ? 500 : 200);
  const failed = await market.sync();
  market.gateway.respond = () => 200;

  assert.deepEqual([failed, await market.sync()], [[], ["P2"]]);
});

test("a message that was sent long ago and has just come, and one that only another session reported, are not missing", async (t) => {
  const market = await openPosted(t, ["P1", "P2", "P3"]);
  await process(market.pool, [
    aMessageEvent({ session: SESSION_B, rawId: "B1", text: text("B1"), atS: NOW_S - 450 }),
  ]);
  market.gateway.remove("P3");
  await market.pass(MINUTE_MS, []);
  await market.round();
  await process(market.pool, []);

  assert.deepEqual(await revokedIds(market.pool), []);
  assert.deepEqual(await market.sync(), ["P3"]);
});

test("a message that one account deleted for itself stays, once another session lists it", async (t) => {
  const market = await openPosted(t, ["P1", "P2", "P3"]);
  market.gateway.remove("P2");
  const withdrawn = await market.sync();
  const atMs = NOW_S * 1000 + HOUR_MS + MINUTE_MS;
  const listed = aWindow({ session: NOWEB_B, listed: ["P2"], atMs });

  await saveRawEvents(market.pool, [rawEvent(listed, { receivedAtMs: atMs })], "never");
  await process(market.pool, []);
  const back = await revokedIds(market.pool);

  assert.deepEqual([withdrawn, back], [["P2"], []]);
  assert.deepEqual(await market.sync(), []);
});

test("a short page in the middle does not end a fetch", async (t) => {
  const market = await openMarket(t);
  await market.round();
  const rawIds = Array.from({ length: 250 }, (_, at) => `S${at}`);
  for (const [at, rawId] of rawIds.entries()) market.gateway.add({ rawId, atS: NOW_S + at });
  for (const rawId of ["S20", "S120", "S195"]) market.gateway.unreadable.add(rawId);

  await market.pass(HOUR_MS, []);
  await market.round(newMemory());

  const found = (await market.rawIds()).filter((id) => id.startsWith("S"));
  assert.equal(found.length, 247);
});

test("messages that are deleted between two pages hide none of the others", async (t) => {
  for (const count of [5, 60]) {
    const rawIds = Array.from({ length: 150 }, (_, at) => `D${at}`);
    const market = await openMarket(t);
    await market.round();
    const posts = rawIds.map((rawId, at) => ({ rawId, text: text(rawId), atS: NOW_S + at }));
    for (const post of posts) market.gateway.add(post);
    await process(market.pool, posts.map(aMessageEvent));
    let pages = 0;
    market.gateway.respond = (path) => {
      if (path.includes("/chats/all/")) pages += 1;
      if (pages === 2) for (const rawId of rawIds.splice(0, count)) market.gateway.remove(rawId);
      return 200;
    };

    await market.pass(HOUR_MS, []);
    await market.round(newMemory());
    await process(market.pool, []);

    assert.deepEqual(await revokedIds(market.pool), [], `${count} deleted`);
  }
});

test("the latest that is known of a message counts, whichever session says it and in any order", async (t) => {
  const post = aMessageEvent({ rawId: "P1", text: text("posted"), atS: NOW_S });
  const at = (minutes: number) => NOW_S * 1000 + minutes * MINUTE_MS;
  const missing = (minutes: number, session = SESSION_A) =>
    aWindow({ session, missing: ["P1"], atMs: at(minutes) });
  const listed = (minutes: number, session = SESSION_A) =>
    aWindow({ session, listed: ["P1"], atMs: at(minutes) });
  const edit = (minutes: number) =>
    anEditEvent({ rawId: "P1", text: text("edited"), atS: NOW_S + minutes * 60 });
  const cases = [
    { events: [missing(5)], isRevoked: true },
    { events: [missing(5), listed(6)], isRevoked: false },
    { events: [missing(5), listed(6), missing(7)], isRevoked: true },
    { events: [missing(5), listed(6, NOWEB_B)], isRevoked: false },
    { events: [listed(5), missing(6)], isRevoked: true },
    // A session that has not reported it does not know it.
    { events: [missing(5, NOWEB_B)], isRevoked: false },
    { events: [missing(5), edit(6)], isRevoked: false },
    { events: [edit(4), missing(5)], isRevoked: true },
  ];
  // Each case has a raw id of its own, so that all of them need one store.
  const idOf = (number: number) => `P1${number}`;
  const of = (number: number) => (event: object) =>
    JSON.parse(JSON.stringify(event).replaceAll("P1", idOf(number)));
  const expected = cases.flatMap(({ isRevoked }, number) => (isRevoked ? [idOf(number)] : []));
  for (const order of [1, -1]) {
    const { pool } = await openTestDatabase(t);
    const turns = cases.map(({ events }, number) => {
      const [first, ...rest] = order === 1 ? events : events.toReversed();
      return [[first ?? post], [post], rest].map((turn) => turn.map(of(number)));
    });

    for (const turn of [0, 1, 2]) {
      await process(
        pool,
        turns.flatMap((own) => own[turn] ?? []),
      );
    }

    assert.deepEqual(await revokedIds(pool), expected, `order ${order}`);
  }
});

async function revokedIds(pool: DatabasePool): Promise<readonly string[]> {
  const rows = await pool.query<{ raw_id: string }>(
    sql`select raw_id from occurrence where is_revoked order by raw_id`,
  );
  return rows.map(({ raw_id }) => raw_id);
}

/** The raw ids of messages with a listing that is shown. */
async function visibleListings(pool: DatabasePool): Promise<readonly string[]> {
  const rows = await pool.query<{ raw_id: string }>(sql`
    select distinct raw_id
      from listing join occurrence using (canonical_message_id)
     where not listing.is_revoked and not listing.is_hidden
     order by raw_id`);
  return rows.map(({ raw_id }) => raw_id);
}

async function countWindows(pool: DatabasePool): Promise<number> {
  const rows = await pool.query<{ body: Buffer }>(
    sql`select body from raw_event where origin = 'pull'`,
  );
  return rows.filter(({ body }) => body.includes('"assay_pull":"window"')).length;
}
