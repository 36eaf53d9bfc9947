import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { connect } from "node:net";
import { PassThrough, Writable } from "node:stream";
import { type TestContext, test } from "node:test";
import { TIMEOUTS, type Timeouts } from "../../../src/api/http/client-error.ts";
import { createEventStreams } from "../../../src/api/stream/event-streams.ts";
import { describeListings } from "../../../src/api/v2/market/listing-body.ts";
import { sleep } from "../../../src/base/clock.ts";
import { createLogger } from "../../../src/base/log.ts";
import { createMetrics } from "../../../src/base/metrics.ts";
import { sql } from "../../../src/db/sql.ts";
import { tokenSha256 } from "../../../src/people/token.ts";
import { aListing, aMatch, anAlert } from "../../support/rows.ts";
import { addToken, openAppOn, openTestApp, type TestApp, until } from "../../support/test-app.ts";

test("a stream sends matches with ids as they are committed, and no internal ones", async (t) => {
  const own = await listen(t);
  const alert = await anAlert(own.db);
  await aMatch(own.db, { alert_id: alert });
  const stream = await follow(t, own);
  const listing = await aListing(own.db);

  await aMatch(own.db, { alert_id: alert, is_outward: false });
  await aMatch(own.db, { alert_id: alert, resource_id: listing });
  await until(() => stream.events.length === 1);

  const [event] = stream.events;
  assert.equal(stream.contentType, "text/event-stream; charset=utf-8");
  assert.equal(event?.type, "alert.match");
  assert.equal(event?.data.type, "alert.match");
  assert.equal(event?.data.data.match.resource_id, listing);
  assert.equal(event?.data.data.listing.id, listing);
  assert.deepEqual(event?.data.data.alert, { id: alert, name: "cheap Submariners" });
});

test("a stream stays open longer than the time-outs of other requests", async (t) => {
  const own = await listen(t, {}, { ...TIMEOUTS, requestMs: 1_000, checkMs: 100, slotMs: 1_500 });
  const alert = await anAlert(own.db);
  const stream = await follow(t, own);

  await sleep(5_500);
  await aMatch(own.db, { alert_id: alert });
  await until(() => stream.events.length === 1);

  assert.equal(stream.events[0]?.data.data.alert.id, alert);
});

test("a stream of one alert sends only its matches", async (t) => {
  const own = await listen(t);
  const [wanted, other] = [await anAlert(own.db), await anAlert(own.db)];
  const streams = [
    await follow(t, own, { query: `?alert_id=${wanted}` }),
    await follow(t, own, { query: `?alert_id=${wanted.toUpperCase()}` }),
  ];

  await aMatch(own.db, { alert_id: other });
  await aMatch(own.db, { alert_id: wanted });
  await until(() => streams.every(({ events }) => events.length === 1));

  for (const { events } of streams) assert.equal(events[0]?.data.data.alert.id, wanted);
  const unknown = await own.call("GET", `/v2/events?alert_id=${randomUUID()}`);
  assert.deepEqual([unknown.status, unknown.body.error.code], [404, "alert_not_found"]);
});

test("a match about a watch that was passed is kept from the desk, and not from a market token, which would learn it", async (t) => {
  const own = await listen(t);
  const alert = await anAlert(own.db);
  const market = await addToken(own.db, { role: "market" });
  const streams = [await follow(t, own), await follow(t, { ...own, token: market })] as const;
  const [passed, other] = [await aListing(own.db), await aListing(own.db)];
  const put = await own.send("PUT", `/v2/deals/${passed}`, { state: "passed", reason: "too_dear" });
  assert.equal(put.status, 201, put.text);

  for (const id of [passed, other]) await aMatch(own.db, { alert_id: alert, resource_id: id });
  await until(() => streams[0].events.length === 1 && streams[1].events.length === 2);

  const idsOf = ({ events }: (typeof streams)[0]) =>
    events.map(({ data }) => data.data.match.resource_id);
  assert.deepEqual(idsOf(streams[0]), [other]);
  assert.deepEqual(idsOf(streams[1]), [passed, other]);
});

test("a client that reconnects with its last id, also to another process, loses and repeats nothing", async (t) => {
  const own = await listen(t);
  const alert = await anAlert(own.db);
  const total = 60;
  const ids = Array.from({ length: total }, () => randomUUID());
  const got: string[] = [];
  let lastId = (await follow(t, own)).position();
  let isWritten = false;
  const writing = Promise.all(
    [0, 1, 2].map(async (writer) => {
      for (const [at, resource_id] of ids.entries()) {
        if (at % 3 !== writer) continue;
        await own.db.transaction(async (tx) => {
          await aMatch(tx, { alert_id: alert, resource_id });
          await tx.execute(sql`select pg_sleep(${(at % 4) * 0.002})`);
        });
        await sleep(5);
      }
    }),
  ).then(() => {
    isWritten = true;
  });

  while (!isWritten || got.length < total) {
    const other = await listenOn(t, own);
    const stream = await follow(t, other, { lastId });
    await until(() => stream.events.length > 0 || (isWritten && got.length >= total));
    await sleep(30);
    await other.close();
    await stream.ended;
    got.push(...stream.events.map(({ data }) => data.data.match.resource_id));
    lastId = stream.position();
  }
  await writing;

  assert.equal(got.length, total);
  assert.deepEqual(new Set(got), new Set(ids));
});

test("a client that missed more than a page of matches gets them all in order", async (t) => {
  const own = await listen(t);
  const alert = await anAlert(own.db);
  const start = (await follow(t, own)).position();
  await own.db.execute(sql`
    insert into alert_match (alert_id, resource, resource_id, listing_id, canonical_message_id, matched_at_ms, match_context)
    select ${alert}, 'watch_listing', id, id, id, 1, '{}' from (select gen_random_uuid() as id from generate_series(1, 1500)) as made`);

  const late = await follow(t, own, { lastId: start });
  await until(() => late.events.length === 1500);

  const numbers = late.events.map(({ id }) => Number(id));
  assert.deepEqual(
    numbers,
    numbers.toSorted((left, right) => left - right),
  );
});

test("a stream needs a token and a valid position", async (t) => {
  const own = await listen(t);

  assert.equal((await own.call("GET", "/v2/events", {})).status, 401);
  const authorization = `Bearer ${own.token}`;
  const wrong = await own.call("GET", "/v2/events", { authorization, "last-event-id": "x" });
  assert.equal(wrong.status, 400);
  assert.equal((await own.call("GET", "/v2/events?alert_id=7")).status, 400);
  assert.equal((await own.call("HEAD", "/v2/events")).status, 405);
});

test("an open stream does not count as a request in progress, and ends when the service stops", async (t) => {
  const own = await listen(t, { ASSAY_REQUESTS_IN_FLIGHT: "1" });
  const streams = [await follow(t, own), await follow(t, own)];

  assert.equal((await own.call("GET", "/v2/alerts")).status, 200);
  await own.app.close();
  for (const stream of streams) assert.equal(await stream.ended, "ended");
});

test("a quiet stream sends heartbeats, ends when its token is revoked, and disconnects a client that does not read", async (t) => {
  const own = await listen(t);
  const alert = await anAlert(own.db);
  const streams = createEventStreams({
    db: own.db,
    feed: own.feed,
    clock: own.clock,
    log: createLogger("silent"),
    metrics: createMetrics(),
    describeListings,
    heartbeatMs: 50,
    stallMaxMs: 100,
  });
  t.after(() => streams.close());
  let isAllowed = true;
  const response = new PassThrough();
  const quiet = await streams.open({
    isAllowed: async () => isAllowed,
    tokenId: "a",
    credential: "a",
    response,
  });
  let text = "";
  quiet.on("data", (chunk) => {
    text += chunk;
  });
  await until(() => text.includes(": still here"));
  isAllowed = false;
  await once(quiet, "end");

  const stuck = await streams.open({
    isAllowed: async () => true,
    tokenId: "a",
    credential: "a",
    response,
  });
  await own.db.execute(sql`
    insert into alert_match (alert_id, resource, resource_id, listing_id, canonical_message_id, matched_at_ms, match_context)
    select ${alert}, 'watch_listing', id, id, id, 1, '{}' from (select gen_random_uuid() as id from generate_series(1, 1000)) as made`);
  await once(stuck, "close");
  assert.equal(stuck.readableEnded, false);
});

test("a revoked token's streams end within a second, and get nothing that is matched after", async (t) => {
  const own = await listen(t);
  const alert = await anAlert(own.db);
  const other = await follow(t, { ...own, token: await addToken(own.db, {}) });
  const streams = [await follow(t, own), await follow(t, own)];
  await aMatch(own.db, { alert_id: alert });
  await until(() => streams.every(({ events }) => events.length === 1));

  const revokedAtMs = performance.now();
  await own.db.execute(sql`
    update api_token set revoked_at_ms = 1 where sha256 = ${tokenSha256(own.token)}`);
  // Waits until the process has heard of the revocation.
  assert.equal((await own.call("GET", "/v2/alerts")).status, 401);
  for (let at = 0; at < 20; at += 1) await aMatch(own.db, { alert_id: alert });
  for (const stream of streams) assert.equal(await stream.ended, "ended");
  t.diagnostic(`both ended ${Math.round(performance.now() - revokedAtMs)} ms after the revocation`);
  await until(() => other.events.length === 21);

  assert.deepEqual(
    streams.map(({ events }) => events.length),
    [1, 1],
  );
});

test("a stream ends when its token expires, and gets nothing that is matched after", async (t) => {
  const own = await listen(t);
  const alert = await anAlert(own.db);
  const expiresAtMs = own.clock.nowMs() + 60_000;
  const stream = await follow(t, { ...own, token: await addToken(own.db, { expiresAtMs }) });

  own.clock.advance(60_000);
  await aMatch(own.db, { alert_id: alert });

  assert.equal(await stream.ended, "ended");
  assert.equal(stream.events.length, 0);
});

test("what a client has not read yet is not sent once its token is revoked", async (t) => {
  const own = await listen(t);
  const alert = await anAlert(own.db);
  const streams = createEventStreams({
    db: own.db,
    feed: own.feed,
    clock: own.clock,
    log: createLogger("silent"),
    metrics: createMetrics(),
    describeListings,
  });
  t.after(() => streams.close());
  let isAllowed = true;
  const response = new PassThrough();
  const body = await streams.open({
    isAllowed: () => isAllowed,
    tokenId: "a",
    credential: "a",
    response,
  });
  await aMatch(own.db, { alert_id: alert });
  await until(() => body.readableLength > 100);

  isAllowed = false;

  await until(() => body.destroyed && response.destroyed);
  assert.equal(body.readableEnded, false);
});

test("a stream of one alert sends heartbeats with its position while only other alerts match", async (t) => {
  const own = await listen(t);
  const [wanted, other] = [await anAlert(own.db), await anAlert(own.db)];
  const streams = createEventStreams({
    db: own.db,
    feed: own.feed,
    clock: own.clock,
    log: createLogger("silent"),
    metrics: createMetrics(),
    describeListings,
    heartbeatMs: 400,
  });
  t.after(() => streams.close());
  const body = await streams.open({
    alertId: wanted,
    isAllowed: async () => true,
    tokenId: "a",
    credential: "a",
    response: new PassThrough(),
  });
  let text = "";
  body.on("data", (chunk) => {
    text += chunk;
  });

  // Matches of the other alert arrive all the time, so silence is never the reason for the heartbeat.
  await until(async () => {
    await aMatch(own.db, { alert_id: other });
    return text.includes(": still here");
  });

  const positions = [...text.matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id));
  assert.ok((positions[1] ?? 0) > (positions[0] ?? 0), String(positions));
  assert.ok(!text.includes("data:"));
});

test("a stream that ends while its client does not read is disconnected", async (t) => {
  const own = await listen(t);
  const metrics = createMetrics();
  const streams = createEventStreams({
    db: own.db,
    feed: own.feed,
    clock: own.clock,
    log: createLogger("silent"),
    metrics,
    describeListings,
    heartbeatMs: 50,
    stallMaxMs: 100,
  });
  t.after(() => streams.close());
  // Behaves like a connection whose other side reads nothing.
  const response = new Writable({ highWaterMark: 1, write: () => undefined });
  const body = await streams.open({
    isAllowed: async () => false,
    tokenId: "a",
    credential: "a",
    response,
  });
  body.pipe(response);

  await until(() => response.destroyed && body.destroyed);

  assert.match((await metrics.render()).text, /^assay_event_streams 0$/m);
});

test("a token may open at most 20 streams in a process, and other tokens are not affected", async (t) => {
  const own = await listen(t);
  const first = new AbortController();
  const streams = [
    await follow(t, own, { stop: first }),
    ...(await Promise.all(Array.from({ length: 19 }, () => follow(t, own)))),
  ];

  const refused = await own.call("GET", "/v2/events");
  const other = await follow(t, { ...own, token: await addToken(own.db, {}) });
  first.abort();
  await until(async () => {
    const { text } = await own.call("GET", "/metrics");
    return text.includes("assay_event_streams 20");
  });
  const again = await follow(t, own);

  assert.equal(streams.length, 20);
  assert.deepEqual([refused.status, refused.body.error.code], [429, "rate_limited"]);
  assert.match(refused.body.error.message, /20 streams .*close one/);
  assert.ok(Number(refused.headers["retry-after"]) > 0);
  assert.ok(other.position() !== "" && again.position() !== "");
});

test("a stream closes when its client disconnects", async (t) => {
  const own = await listen(t);
  const openCount = async () => {
    const { text } = await own.call("GET", "/metrics");
    return Number(/^assay_event_streams (\d+)/m.exec(text)?.[1]);
  };
  const socket = connect(own.port, "127.0.0.1");
  socket.write(`GET /v2/events HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${own.token}\r\n\r\n`);
  await once(socket, "data");
  assert.equal(await openCount(), 1);

  socket.destroy();

  await until(async () => (await openCount()) === 0);
});

test("pipelined streams close with their connection", async (t) => {
  const own = await listen(t);
  const openCount = async () => {
    const { text } = await own.call("GET", "/metrics");
    return Number(/^assay_event_streams (\d+)/m.exec(text)?.[1]);
  };
  const request = `GET /v2/events HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${own.token}\r\n\r\n`;
  const socket = connect(own.port, "127.0.0.1");
  socket.write(request.repeat(12));
  await until(async () => (await openCount()) === 12);

  socket.destroy();

  await until(async () => (await openCount()) === 0);
});

interface Listening extends TestApp {
  readonly port: number;
}

async function listen(
  t: TestContext,
  environment: Readonly<Record<string, string>> = {},
  timeouts: Timeouts = TIMEOUTS,
): Promise<Listening> {
  const own = await openTestApp(t, { environment, timeouts });
  return { ...own, port: await listenApp(own) };
}

async function listenApp({ app }: Pick<TestApp, "app">): Promise<number> {
  await app.listen({ port: 0, host: "127.0.0.1" });
  return (app.server.address() as { port: number }).port;
}

/** A second service on the same store. */
async function listenOn(t: TestContext, own: Listening) {
  const other = await openAppOn(t, own);
  return { port: await listenApp(other), token: own.token, close: () => other.app.close() };
}

interface StreamEvent {
  readonly id: string;
  readonly type: string;
  // biome-ignore lint/suspicious/noExplicitAny: the test asserts on whatever it receives.
  readonly data: any;
}

/** Reads the stream like a standard client of server-sent events. */
async function follow(
  t: TestContext,
  service: { readonly port: number; readonly token: string },
  options: {
    readonly query?: string;
    readonly lastId?: string;
    readonly stop?: AbortController;
  } = {},
) {
  const stop = options.stop ?? new AbortController();
  t.after(() => stop.abort());
  const ask = () =>
    fetch(`http://127.0.0.1:${service.port}/v2/events${options.query ?? ""}`, {
      headers: {
        authorization: `Bearer ${service.token}`,
        ...(options.lastId === undefined ? {} : { "last-event-id": options.lastId }),
      },
      signal: stop.signal,
    });
  let response = await ask();
  // A machine that is busy with other tests may refuse requests.
  await until(async () => {
    if (response.status === 503) response = await ask();
    return response.status !== 503;
  });
  assert.equal(response.status, 200);
  const events: StreamEvent[] = [];
  const state = { lastId: "", text: "" };
  const take = (block: string): void => {
    const fields = new Map(
      block.split("\n").map((line) => {
        const at = line.indexOf(": ");
        return [line.slice(0, at), line.slice(at + 2)];
      }),
    );
    state.lastId = fields.get("id") ?? state.lastId;
    const data = fields.get("data");
    if (data === undefined) return;
    events.push({ id: state.lastId, type: fields.get("event") ?? "", data: JSON.parse(data) });
  };
  const read = async (): Promise<string> => {
    const decoder = new TextDecoder();
    try {
      for await (const chunk of response.body ?? []) {
        state.text += decoder.decode(chunk as Uint8Array, { stream: true });
        const blocks = state.text.split("\n\n");
        state.text = blocks.pop() ?? "";
        for (const block of blocks) take(block);
      }
      return "ended";
    } catch {
      return "cut";
    }
  };
  const ended = read();
  await until(() => state.lastId !== "");
  return {
    events,
    ended,
    contentType: response.headers.get("content-type"),
    position: () => state.lastId,
  };
}
