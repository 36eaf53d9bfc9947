import assert from "node:assert/strict";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { type TestContext, test } from "node:test";
import { MINUTE_MS } from "../../src/base/clock.ts";
import { createLogger } from "../../src/base/log.ts";
import { sql } from "../../src/db/sql.ts";
import { createWahaClient } from "../../src/messages/gateways/waha-client.ts";
import { listSessions } from "../../src/messages/session-store.ts";
import { newMemory, syncOnce } from "../../src/messages/sync/sync-gateway.ts";
import { process } from "../support/drain.ts";
import { openMarket } from "../support/faults/market-with-gateway.ts";
import { borrowTestDatabase } from "../support/shared-store.ts";
import { createTestClock, NOW_MS } from "../support/test-app.ts";
import { aMessageEvent, aStatusEvent, GROUP, SENDER, SESSION_A } from "../support/waha.ts";

const AT_S = 1_787_217_330;

test("sessions, group names, phone numbers of LIDs and missed messages are pulled, and stored once", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  await process(pool, [aMessageEvent({ rawId: "A1", addressing: "lid" })]);
  const gateway = await fakeGateway(t);
  const options = {
    pool,
    client: gateway.client,
    clock: createTestClock(),
    log: createLogger("silent"),
  };
  const memory = newMemory();

  await syncOnce(options, memory);
  await process(pool, []);
  const before = (await pool.query(sql`select id from raw_event`)).length;
  await syncOnce(options, memory);
  const after = (await pool.query(sql`select id from raw_event`)).length;

  const [session] = await listSessions(pool, undefined);
  const [contact] = await pool.query(sql`select key from contact where not is_own`);
  const occurrences = await pool.query(sql`select raw_id from occurrence order by raw_id`);
  const [group] = await pool.query(sql`select name from market_group`);
  assert.equal(session?.status, "WORKING");
  assert.equal(session?.last_status_at_ms, NOW_MS);
  assert.equal(contact?.["key"], `phone:${SENDER.phone}`);
  assert.equal(group?.["name"], "EU Dealers");
  assert.deepEqual(
    occurrences.map((row) => row["raw_id"]),
    ["A1", "MISSED"],
  );
  assert.equal(after, before);
  assert.ok(gateway.requests.every(({ headers }) => headers["x-api-key"] === "read-key"));
  const request = gateway.requests.find(({ url }) => url?.includes("/chats/all/messages"));
  assert.match(request?.url ?? "", new RegExp(`filter.timestamp.gte=${AT_S - 600}&?`));
});

test("a status is corrected by the next list, although the list is the same as before, in each process", async (t) => {
  const market = await openMarket(t);
  const statusAfterRound = async (memory = market.memory) => {
    await market.round(memory);
    await process(market.pool, []);
    return (await listSessions(market.pool, undefined))[0]?.status;
  };
  const countEvents = async () => (await market.pool.query(sql`select id from raw_event`)).length;
  assert.equal(await statusAfterRound(), "WORKING");

  // It worked again a moment later, and that event was lost.
  const stopped = aStatusEvent({ status: "STOPPED", atMs: NOW_MS + 30_000 });
  await market.pass(MINUTE_MS, [stopped]);
  const afterEvent = await statusAfterRound();
  market.gateway.status = "STARTING";
  await market.pass(MINUTE_MS, []);
  const ofOther = await statusAfterRound(newMemory());
  market.gateway.status = "WORKING";
  await market.pass(MINUTE_MS, []);
  const afterOther = await statusAfterRound();
  const count = await countEvents();
  await market.pass(MINUTE_MS, []);
  await statusAfterRound();

  assert.deepEqual([afterEvent, ofOther, afterOther], ["WORKING", "STARTING", "WORKING"]);
  assert.equal(await countEvents(), count);
});

test("a status that is newer than the request for the list stays", async (t) => {
  const market = await openMarket(t);
  await market.round();
  await market.pass(MINUTE_MS, [aStatusEvent({ status: "STOPPED", atMs: NOW_MS + 2 * MINUTE_MS })]);
  const before = await market.pool.query(sql`select id from raw_event`);
  // The gateway answers later than it looked.
  market.gateway.respond = () => {
    void market.pass(2 * MINUTE_MS, []);
    return 200;
  };

  await market.round();
  await process(market.pool, []);

  assert.equal((await listSessions(market.pool, undefined))[0]?.status, "STOPPED");
  assert.deepEqual(await market.pool.query(sql`select id from raw_event`), before);
});

test("a request is retried after a temporary error, fails at once after a permanent one, and times out", async (t) => {
  const gateway = await fakeGateway(t);
  gateway.failures.push(500, 429);
  assert.ok(Array.isArray(await gateway.client.listSessions()));
  gateway.failures.push(401);
  await assert.rejects(gateway.client.listSessions(), /answered 401 to \/api\/sessions/);
  gateway.failures.push(0, 0, 0);
  await assert.rejects(gateway.client.listSessions(), /timeout|aborted/i);
});

test("the path of the gateway's address is kept", async (t) => {
  for (const path of ["/waha", "/waha/"]) {
    const gateway = await fakeGateway(t, path);

    await gateway.client.listLids("desk", { limit: 10, offset: 0 });

    assert.equal(gateway.requests[0]?.url, "/waha/api/desk/lids?limit=10&offset=0");
  }
});

async function fakeGateway(t: TestContext, path = "") {
  const requests: IncomingMessage[] = [];
  /** Statuses of the next responses; 0 means no response. */
  const failures: number[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    const failure = failures.shift();
    if (failure === 0) return;
    response.statusCode = failure ?? 200;
    response.end(JSON.stringify(answerTo(request.url ?? "")));
  });
  server.listen(0, "127.0.0.1");
  await new Promise((settle) => server.once("listening", settle));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const client = createWahaClient({
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`,
    apiKey: "read-key",
    timeoutMs: 300,
    retryDelayMs: 5,
  });
  return { client, requests, failures };
}

function answerTo(url: string): unknown {
  const path = url.split("?")[0] ?? "";
  if (path === "/api/sessions") {
    const me = { id: `${SESSION_A.phone}@c.us`, pushName: "Desk HK" };
    return [
      { name: SESSION_A.name, status: "WORKING", me, engine: { engine: "GOWS" } },
      { name: "send-1", status: "STOPPED", me: null },
    ];
  }
  if (path.endsWith("/groups")) return [{ JID: GROUP, Name: "EU Dealers" }];
  if (path.endsWith("/lids")) return [{ lid: `${SENDER.lid}@lid`, pn: `${SENDER.phone}@c.us` }];
  if (path.endsWith("/messages")) {
    return [
      aMessageEvent({ rawId: "MISSED", addressing: "lid", atS: AT_S + 5 }).payload,
      aMessageEvent({ rawId: "PRIVATE", group: "447700900199@c.us" }).payload,
    ];
  }
  return [];
}
