import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import { Writable } from "node:stream";
import { type TestContext, test } from "node:test";
import { createLogger } from "../../../src/base/log.ts";

import {
  countConnections,
  listenOnLoopback,
  openManyStubborn,
  openStubborn,
  type StubbornClient,
} from "../../support/faults/stubborn-client.ts";
import { openTestApp, type TestApp, until } from "../../support/test-app.ts";

const KEY = "my-secret-key";
const HOST = "Host: x\r\n";
/** The long form has the numbers of an attack on a service with the default limits and time-outs. */
const IS_LONG = process.env["ASSAY_TEST_LONG"] === "1";
const SLOTS = IS_LONG ? 500 : 5;
const CONNECTIONS = IS_LONG ? 4_000 : 20;
/** As many as the service has slots for. */
const VISITORS = 100;
const VISITED = ["/", "/docs", "/openapi.json", "/nothing"];
/** Short, so that the tests are. The defaults are in `src/api/http/timeouts.ts`. */
const TIMEOUTS = { headersMs: 400, requestMs: 800, checkMs: 100, slotMs: 1_500, closeMs: 200 };
/** Correctly formed, but not made with our key. */
const FORGED = "0".repeat(128);
const UNFINISHED =
  `POST /v2/webhooks/waha HTTP/1.1\r\n${HOST}Content-Type: application/json\r\n` +
  `X-Webhook-Hmac: ${FORGED}\r\nContent-Length: 1000\r\n\r\n{`;

test("unfinished events take no reader's place, and a signed event finds room among them", async (t) => {
  const { port, service, get } = await openService(
    t,
    { ASSAY_REQUESTS_IN_FLIGHT: String(SLOTS) },
    { isPatient: true },
  );
  const clients = await openManyStubborn(t, port, { count: SLOTS + 20, bytes: UNFINISHED });
  await until(async () => isMetric(service, `assay_http_requests_in_flight ${SLOTS}`));
  const startedAtMs = performance.now();

  const read = await get("/v2/alerts");
  const events = await Promise.all(Array.from({ length: 3 }, (_, at) => postSigned(port, { at })));

  t.diagnostic(
    `${SLOTS + 20} unfinished events: a read and 3 events took ${Math.round(performance.now() - startedAtMs)} ms`,
  );
  const refused = clients.filter((client) => client.received().startsWith("HTTP/1.1 503"));
  for (const { socket } of clients) socket.destroy();
  assert.equal(read, 200);
  assert.deepEqual(events, [202, 202, 202]);
  assert.ok(refused.length >= 20, `${refused.length} gave way`);
});

test("requests without a token take no reader's place, however slowly their bodies come", async (t) => {
  const { port, get } = await openService(t, { ASSAY_REQUESTS_IN_FLIGHT: "5" });
  const head = `Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n{`;
  for (const path of ["/nothing", "/v2/webhooks/nothing", "/v2/alerts/matches/seen"]) {
    const bytes = `POST ${path} HTTP/1.1\r\n${HOST}${head}`;
    await openManyStubborn(t, port, { count: 10, bytes });
  }

  assert.equal(await get("/v2/alerts"), 200);
});

test("unfinished sign-ins and requests for no route keep no visitor out", async (t) => {
  const { port, service } = await openService(t, {}, { isPatient: true });
  const origin = `http://127.0.0.1:${port}`;
  const head = `Host: 127.0.0.1:${port}\r\nOrigin: ${origin}\r\nContent-Type: application/json\r\n`;
  const halfOf = (path: string): string =>
    `POST ${path} HTTP/1.1\r\n${head}Content-Length: 50\r\n\r\n{`;
  const lost = await openManyStubborn(t, port, { count: VISITORS, bytes: halfOf("/nothing") });
  const signIns = await openManyStubborn(t, port, {
    count: VISITORS + 20,
    bytes: halfOf("/console/sessions"),
  });
  await until(() => isMetric(service, `assay_http_requests_in_flight ${VISITORS}`));

  const statuses = await Promise.all(VISITED.map((path) => statusOf(port, path)));
  const signedIn = await openStubborn(t, port, { bytes: signInOf(port, service.token) });

  assert.deepEqual(statuses, [200, 200, 200, 404]);
  await until(() => signedIn.received() !== "");
  assert.match(signedIn.received(), /^HTTP\/1.1 201 /);
  const gaveWay = signIns.filter((client) => client.received().startsWith("HTTP/1.1 503"));
  assert.equal(gaveWay.length, 21, "the oldest gave way, one for each that came later");
  assert.ok(lost.every((client) => client.received().startsWith("HTTP/1.1 404")));
  for (const { socket } of signIns) socket.destroy();
});

test("unread answers keep no visitor and no event out", async (t) => {
  const { port, service } = await openService(
    t,
    { ASSAY_REQUESTS_IN_FLIGHT: String(SLOTS) },
    { isPatient: true },
  );
  const [bundle = ""] = /\/docs\/static\/[\w-]+bundle\.js/.exec(await textOf(port, "/docs")) ?? [];
  const get = (path: string): string => `GET ${path} HTTP/1.1\r\n${HOST}\r\n`;
  // More than the buffers between the two sides hold. What follows on the same connection waits behind it.
  const unread = get(largestAsset()).repeat(100);
  const failed = signInOf(port, "wrong").repeat(10);
  const forged = UNFINISHED.replace("1000", "1");
  const clients: StubbornClient[] = [];
  for (const bytes of [get(bundle).repeat(10), unread + failed, unread + forged]) {
    clients.push(...(await openManyStubborn(t, port, { count: 20, bytes, isReading: false })));
  }
  await untilSteady(port, t);

  const statuses = await Promise.all(VISITED.map((path) => statusOf(port, path)));
  const signedIn = await openStubborn(t, port, { bytes: signInOf(port, service.token) });
  const stored = await postSigned(port, {});
  await until(() => signedIn.received() !== "");
  for (const { socket } of clients) socket.destroy();

  assert.deepEqual(statuses, [200, 200, 200, 404]);
  assert.equal(stored, 202);
  assert.match(signedIn.received(), /^HTTP\/1.1 201 /);
});

test("every slot and connection comes back in time, whatever the client does", async (t) => {
  const { port, service } = await openService(t, {}, { isPatient: IS_LONG });
  const { app, token } = service;
  const authorization = `Authorization: Bearer ${token}\r\n`;
  const read = `GET /v2/alerts HTTP/1.1\r\n${HOST}${authorization}\r\n`;
  const post = `POST /v2/market/listings/search HTTP/1.1\r\n${HOST}${authorization}`;
  const clients = {
    "says nothing": {},
    "sends half a head": { bytes: "GET /v2/alerts HTTP/1.1\r\nX-Slow" },
    "sends no HTTP": { bytes: "hello\r\n\r\n" },
    "asks for a tunnel": { bytes: "CONNECT x:80 HTTP/1.1\r\nHost: x:80\r\n\r\n" },
    "expects miracles": { bytes: `GET /health/live HTTP/1.1\r\n${HOST}Expect: miracles\r\n\r\n` },
    "sends half an event": { bytes: UNFINISHED },
    "sends half a search": {
      bytes: `${post}Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n{`,
    },
    "reads no answers": { bytes: read.repeat(20_000), isReading: false },
  };
  const startedAtMs = performance.now();
  for (const options of Object.values(clients)) await openStubborn(t, port, options);
  await until(async () => (await countConnections(app)) > 0);

  await until(async () => (await countConnections(app)) === 0, 120_000);

  const seconds = ((performance.now() - startedAtMs) / 1000).toFixed(1);
  t.diagnostic(`${Object.keys(clients).length} clients: all connections back after ${seconds} s`);
  await until(() => isMetric(service, "assay_http_requests_in_flight 0"));
});

test("a client that disconnects in the middle of an event is no failure of the service", async (t) => {
  let text = "";
  const sink = new Writable({
    write: (line, _encoding, done) => {
      text += line;
      done();
    },
  });
  const log = createLogger("info", sink);
  const service = await openTestApp(t, { environment: { ASSAY_WAHA_HMAC_KEY: KEY }, log });
  const port = await listenOnLoopback(service.app);
  const client = await openStubborn(t, port, { bytes: UNFINISHED });
  await until(() => isMetric(service, "assay_http_requests_in_flight 1"));

  client.socket.resetAndDestroy();

  await until(() => text.includes("the client disconnected before the response"));
  await service.app.close();
  assert.doesNotMatch(text, /a request failed/);
});

test("when all connections are taken, the oldest one without a valid token makes room", async (t) => {
  const { port, service, get } = await openService(t, {
    ASSAY_CONNECTIONS: String(CONNECTIONS),
  });
  const request = `GET /v2/alerts HTTP/1.1\r\n${HOST}Authorization: Bearer ${service.token}\r\n\r\n`;
  const reader = await openStubborn(t, port, { bytes: request });
  await until(() => reader.received().startsWith("HTTP/1.1 200"));

  for (let round = 0; round < 3; round += 1) {
    await openManyStubborn(t, port, { count: CONNECTIONS + 100 });
    const startedAtMs = performance.now();
    assert.equal(await get("/v2/alerts"), 200, "a new client is served");
    const ms = Math.round(performance.now() - startedAtMs);
    t.diagnostic(`${CONNECTIONS + 100} silent connections: a new client is served after ${ms} ms`);
  }
  const before = reader.received().length;
  reader.socket.write(request);

  await until(() => reader.received().length > before);
  assert.ok((await countConnections(service.app)) <= CONNECTIONS);
});

async function isMetric({ app }: TestApp, line: string): Promise<boolean> {
  return (await app.inject("/metrics")).body.includes(`\n${line}\n`);
}

function largestAsset(): string {
  const { files } = JSON.parse(readFileSync("dist/console/manifest.json", "utf8")) as {
    readonly files: Readonly<Record<string, { readonly bytes: number }>>;
  };
  const [largest] = Object.entries(files).sort(([, left], [, right]) => right.bytes - left.bytes);
  return largest?.[0] ?? "";
}

/** A whole request that signs in with this token. */
function signInOf(port: number, token: string): string {
  const body = JSON.stringify({ token });
  const host = `127.0.0.1:${port}`;
  return (
    `POST /console/sessions HTTP/1.1\r\nHost: ${host}\r\nOrigin: http://${host}\r\n` +
    `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
  );
}

/** Waits until the number of requests in progress does not change any more. */
async function untilSteady(port: number, t: TestContext): Promise<void> {
  const counts = ["", "a", "b", "c"];
  await until(async () => {
    counts.shift();
    counts.push(/requests_in_flight \d+/.exec(await textOf(port, "/metrics"))?.[0] ?? "");
    return new Set(counts).size === 1;
  });
  t.diagnostic(`${counts[0]}`);
}

async function statusOf(port: number, path: string): Promise<number> {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`);
  await answer.arrayBuffer();
  return answer.status;
}

async function textOf(port: number, path: string): Promise<string> {
  return (await fetch(`http://127.0.0.1:${port}${path}`)).text();
}

async function openService(
  t: TestContext,
  environment: Readonly<Record<string, string>>,
  { isPatient = false }: { readonly isPatient?: boolean } = {},
) {
  const service: TestApp = await openTestApp(t, {
    environment: { ASSAY_WAHA_HMAC_KEY: KEY, ...environment },
    ...(isPatient ? {} : { timeouts: TIMEOUTS }),
  });
  const port = await listenOnLoopback(service.app);
  const get = async (path: string): Promise<number> => {
    const headers = { authorization: `Bearer ${service.token}`, connection: "close" };
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers });
    await answer.arrayBuffer();
    return answer.status;
  };
  return { service, port, get };
}

async function postSigned(port: number, event: object): Promise<number> {
  const body = JSON.stringify(event);
  const answer = await fetch(`http://127.0.0.1:${port}/v2/webhooks/waha`, {
    method: "POST",
    headers: { "x-webhook-hmac": createHmac("sha512", KEY).update(body).digest("hex") },
    body,
  });
  return answer.status;
}
