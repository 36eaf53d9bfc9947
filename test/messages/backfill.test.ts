import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { DAY_MS, dayStartOf, HOUR_MS, MINUTE_MS } from "../../src/base/clock.ts";
import { createLogger } from "../../src/base/log.ts";
import { createMetrics } from "../../src/base/metrics.ts";
import type { Database } from "../../src/db/database.ts";
import { sql } from "../../src/db/sql.ts";
import { createWahaClient } from "../../src/messages/gateways/waha-client.ts";
import { findRetention, raiseFloor } from "../../src/messages/privacy/retention-store.ts";
import { newMemory, startGatewaySync } from "../../src/messages/sync/sync-gateway.ts";
import { examineBackfills } from "../../src/operations/examine-gateway.ts";
import { process } from "../support/drain.ts";
import { MISSED, NOW_S, openMarket } from "../support/faults/market-with-gateway.ts";
import { borrowTestDatabase } from "../support/shared-store.ts";
import { createTestClock, NOW_MS, until } from "../support/test-app.ts";
import {
  aMessageEvent,
  anEditEvent,
  aStatusEvent,
  GROUP,
  SESSION_A,
  SESSION_B,
} from "../support/waha.ts";

test("a session that comes back together with its first new message gets the messages it missed", async (t) => {
  const market = await openMarket(t);
  await market.round();

  market.miss(MISSED);
  await market.pass(3 * HOUR_MS, [
    aStatusEvent({ status: "STARTING", atMs: NOW_MS + 2 * HOUR_MS }),
    aStatusEvent({ status: "WORKING", atMs: NOW_MS + 3 * HOUR_MS }),
    aMessageEvent({ rawId: "NEW", atS: NOW_S + 3 * 3600 }),
  ]);
  await market.round();

  const found = await market.missedFound();
  t.diagnostic(`missed messages fetched: ${found} of 5`);
  assert.equal(found, 5);
});

test("a session that is first seen while it is down gets what it missed when it comes back with a new message", async (t) => {
  const market = await openMarket(t);
  market.gateway.status = "STOPPED";
  await market.round();
  market.miss(MISSED);

  await market.pass(3 * HOUR_MS, [
    aStatusEvent({ status: "WORKING", atMs: NOW_MS + 3 * HOUR_MS }),
    aMessageEvent({ rawId: "NEW", atS: NOW_S + 3 * 3600 }),
  ]);
  market.gateway.status = "WORKING";
  // Another process, which knows nothing of the first round.
  await market.round(newMemory());

  assert.equal(await market.missedFound(), 5);
});

test("likewise if the gateway could not be reached either, on an engine that lists one chat at a time", async (t) => {
  const market = await openMarket(t, SESSION_B);
  market.gateway.respond = () => 503;
  await assert.rejects(market.round(), /answered 503/);
  market.miss(MISSED);

  await market.pass(3 * HOUR_MS, [
    aMessageEvent({ session: SESSION_B, rawId: "NEW", atS: NOW_S + 3 * 3600 }),
  ]);
  market.gateway.respond = () => 200;
  await market.round();

  assert.equal(await market.missedFound(), 5);
});

test("an edit whose event was lost counts, however the engine lists it, and the post stays one", async (t) => {
  const ask = (euros: number) => `WTS 126610LN 2024 new full set EUR ${euros}`;
  for (const [session, listedAtS] of [
    // NOWEB lists the time of the edit, WEBJS that of the post.
    [{ ...SESSION_A, engine: "NOWEB" }, NOW_S + 100],
    [SESSION_B, NOW_S],
  ] as const) {
    for (const [before, after] of [
      [13_010, 13_005],
      [13_005, 13_010],
    ] as const) {
      await t.test(`${session.engine}: ${before} to ${after}`, async (t) => {
        const market = await openMarket(t, session);
        await market.round();
        await market.pass(MINUTE_MS, [
          aMessageEvent({ session, rawId: "E1", text: ask(before), atS: NOW_S }),
        ]);
        market.gateway.add({ rawId: "E1", text: ask(after), atS: listedAtS });

        await market.pass(2 * HOUR_MS, []);
        await market.round();
        await market.round(newMemory());
        await process(market.pool, []);

        assert.deepEqual([...(await visibleAsks(market.pool))], [{ euros: after, count: 1 }]);
      });
    }
  }
});

test("an edit whose event came is no second post when the engine lists it with its own time", async (t) => {
  const session = { ...SESSION_A, engine: "NOWEB" } as const;
  const ask = (euros: number) => `WTS 126610LN 2024 new full set EUR ${euros}`;
  const market = await openMarket(t, session);
  await market.round();
  await market.pass(MINUTE_MS, [
    aMessageEvent({ session, rawId: "E2", text: ask(13_020), atS: NOW_S }),
    anEditEvent({ session, rawId: "E2", text: ask(13_025), atS: NOW_S + 100 }),
  ]);
  market.gateway.add({ rawId: "E2", text: ask(13_025), atS: NOW_S + 100 });

  await market.pass(2 * HOUR_MS, []);
  await market.round(newMemory());
  await process(market.pool, []);

  assert.deepEqual([...(await visibleAsks(market.pool))], [{ euros: 13_025, count: 1 }]);
});

test("a fetch that fails three times in a row is repeated later, from where the last good one ended", async (t) => {
  const market = await openMarket(t);
  await market.round();
  market.miss(MISSED);
  market.gateway.respond = (path) => (path.endsWith("/messages") ? 500 : 200);

  market.gateway.status = "STARTING";
  await market.pass(2 * HOUR_MS, []);
  await market.round();
  market.gateway.status = "WORKING";
  await market.pass(MINUTE_MS, [aMessageEvent({ rawId: "NEW", atS: NOW_S + 2 * 3600 })]);
  await market.round();
  const failing = await examineBackfills(market.pool);
  const gauge = market.memory.backfill;
  market.gateway.respond = () => 200;
  await market.pass(MINUTE_MS, []);
  // Another process takes over.
  await market.round(newMemory());

  assert.deepEqual(
    failing.map(({ isFine }) => isFine),
    [false],
  );
  assert.match(
    failing[0]?.text ?? "",
    /recv-hk-1: not fetched since .*answered 500.*chats concerned: 1/,
  );
  assert.deepEqual(gauge, { failing: 1, failingSinceMs: NOW_MS + 2 * HOUR_MS + MINUTE_MS });
  assert.equal(await market.missedFound(), 5);
  assert.ok((await examineBackfills(market.pool)).every(({ isFine }) => isFine));
});

test("a gateway that could not be reached for two minutes is asked for missed messages, without any status event", async (t) => {
  const market = await openMarket(t);
  await market.round();
  market.miss(MISSED);

  market.gateway.respond = () => 503;
  for (const minute of [1, 2]) {
    await market.pass(MINUTE_MS, []);
    await assert.rejects(market.round(), /answered 503/, `minute ${minute}`);
  }
  market.gateway.respond = () => 200;
  await market.pass(MINUTE_MS, []);
  await market.round();

  assert.equal(await market.missedFound(), 5);
});

test("messages that were lost without a trace are found by the regular fetch, which stores no others again", async (t) => {
  const market = await openMarket(t);
  await market.round();
  const size = market.memory.pulls.size;
  const known = { rawId: "KNOWN", atS: NOW_S + 60 };
  market.gateway.add(known);
  market.miss(MISSED);

  await market.pass(MINUTE_MS, [aMessageEvent(known)]);
  await market.round();
  const before = market.gateway.requests.length;
  for (let minute = 0; minute < 20; minute += 1) {
    await market.pass(MINUTE_MS, []);
    await market.round();
  }

  assert.equal(await market.missedFound(), 5);
  assert.equal(await countPulledMessages(market.pool), 5);
  assert.equal(market.memory.pulls.size, size);
  const asked = market.gateway.requests.slice(before);
  // One fetch: a page, and an empty one.
  assert.equal(asked.filter((path) => path.includes("/chats/all/messages")).length, 2);
});

for (const [failing, other] of [
  ["groups", "lids"],
  ["lids", "groups"],
] as const) {
  test(`a list of ${failing} that fails is asked for less and less often, after the messages, and does not repeat that of ${other}`, async (t) => {
    const market = await openMarket(t);
    const { gateway } = market;
    const countOf = (kind: string, asked: readonly string[]) =>
      asked.filter((each) => each === kind).length;
    const askedIn = async (minutes: number) => {
      gateway.requests.length = 0;
      for (let minute = 0; minute < minutes; minute += 1) {
        await market.pass(MINUTE_MS, []);
        await market.round();
      }
      return gateway.requests.map(
        (url) => new URL(url, gateway.url).pathname.split("/").at(-1) ?? "",
      );
    };
    await market.round();
    await market.pass(59 * MINUTE_MS, []);
    gateway.respond = (path) => (path.endsWith(`/${failing}`) ? 500 : 200);

    const failed = await askedIn(32);
    gateway.respond = () => 200;
    const recovered = await askedIn(15);
    const afterwards = await askedIn(10);

    // Again after 1, 2, 4, 8 and 15 minutes. The client makes three requests each time.
    assert.equal(countOf(failing, failed), 3 * 7);
    assert.equal(countOf(other, failed), 1);
    assert.ok(failed.indexOf("messages") < failed.indexOf(failing), failed.join(" "));
    assert.equal(countOf(failing, recovered), 1);
    assert.equal(countOf(failing, afterwards), 0);
  });
}

test("a service that starts while the list of groups fails fetches the messages first", async (t) => {
  const market = await openMarket(t);
  const { gateway } = market;
  gateway.respond = (path) => (path.endsWith("/groups") ? 500 : 200);

  await market.round();

  const asked = gateway.requests.map((url) => new URL(url, gateway.url).pathname);
  const [messages, groups] = ["/messages", "/groups"].map((end) =>
    asked.findIndex((path) => path.endsWith(end)),
  );
  assert.ok(messages !== undefined && groups !== undefined && messages >= 0 && messages < groups);
});

test("an engine that lists one chat at a time repeats only the chat that failed, and asks for no chat of others", async (t) => {
  const other = "120363000000000102@g.us";
  const foreign = "120363000000000103@g.us";
  const market = await openMarket(t, SESSION_B);
  await process(market.pool, [aMessageEvent({ group: foreign, rawId: "F1", atS: NOW_S })]);
  market.gateway.groups = [GROUP, other];
  market.miss(MISSED);
  market.gateway.add({ group: other, rawId: "M6", atS: NOW_S - 30 });
  const failingPath = `/chats/${encodeURIComponent(GROUP)}/messages`;
  market.gateway.respond = (path) => (path.endsWith(failingPath) ? 500 : 200);

  await market.round();
  const isOtherFetched = (await market.rawIds()).includes("M6");
  market.gateway.respond = () => 200;
  market.gateway.requests.length = 0;
  await market.pass(MINUTE_MS, []);
  await market.round();

  assert.ok(isOtherFetched);
  assert.equal(await market.missedFound(), 5);
  const asked = market.gateway.requests.filter((path) => path.includes("/messages"));
  assert.deepEqual(
    asked.map((path) => path.includes(failingPath)),
    [true, true],
  );
});

test("a backlog of more pages than a round may ask for is continued in the next round", async (t) => {
  const market = await openMarket(t);
  await market.round();
  const count = 10_050;
  for (let at = 0; at < count; at += 1) {
    market.gateway.add({ rawId: `B${at}`, atS: NOW_S + at });
  }
  await market.pass(4 * HOUR_MS, []);

  await market.round();
  const first = await countPulledMessages(market.pool);
  await market.round();

  assert.equal(first, 10_000);
  assert.equal(await countPulledMessages(market.pool), count);
});

test("missed messages that are older than what retention keeps are counted and not stored", async (t) => {
  const market = await openMarket(t);
  await market.round();
  market.miss(MISSED);
  market.gateway.add({ rawId: "KEPT", atS: NOW_S + DAY_MS / 1000 });

  await raiseFloor(market.pool, { floorMs: dayStartOf(NOW_MS) + DAY_MS, nowMs: NOW_MS });
  await market.pass(DAY_MS + HOUR_MS, []);
  await market.round();

  assert.deepEqual(await market.rawIds(), ["A1", "KEPT"]);
  assert.equal(await countPulledMessages(market.pool), 1);
  assert.equal((await findRetention(market.pool))?.too_old_count, MISSED.length);
  assert.ok((await examineBackfills(market.pool)).every(({ isFine }) => isFine));
});

test("a session that the gateway no longer has is not reported as failing", async (t) => {
  const market = await openMarket(t);
  market.gateway.respond = (path) => (path.endsWith("/messages") ? 500 : 200);
  await market.round();
  const before = await examineBackfills(market.pool);

  market.gateway.isListed = false;
  await market.round();

  assert.equal(before[0]?.isFine, false);
  assert.ok((await examineBackfills(market.pool)).every(({ isFine }) => isFine));
});

test("pulling stops at once although the gateway does not answer, and its state is among the metrics", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  const requests: IncomingMessage[] = [];
  const server = createServer((request) => requests.push(request));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const stopping = new AbortController();
  const metrics = createMetrics();
  const sync = startGatewaySync({
    pool,
    client: createWahaClient({ url, signal: stopping.signal }),
    clock: createTestClock(),
    log: createLogger("silent"),
    feed: { isLive: () => true, subscribe: () => undefined, close: async () => undefined },
    metrics,
  });
  await until(() => requests.length === 1);

  stopping.abort();
  await sync.stop();

  // Without the signal, this request and two more would be waited for, 30 s each.
  assert.equal(requests.length, 1);
  assert.match((await metrics.render()).text, /^assay_gateway_failed_rounds 1$/m);
  assert.match((await metrics.render()).text, /^assay_backfill_failing_chats 0$/m);
});

function visibleAsks(db: Database): Promise<readonly object[]> {
  return db.query(sql`
    select (price_eur_minor / 100)::integer as euros, occurrence_count as count
      from listing
     where not is_hidden and price_eur_minor >= 1300000
     order by id`);
}

async function countPulledMessages(db: Database): Promise<number> {
  const rows = await db.query<{ body: Buffer }>(
    sql`select body from raw_event where origin = 'pull'`,
  );
  return rows.filter(({ body }) => body.includes('"assay_pull":"messages"')).length;
}
