import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:net";
import { test } from "node:test";
import { MINUTE_MS } from "../../../src/base/clock.ts";
import { createLogger } from "../../../src/base/log.ts";
import { sql } from "../../../src/db/sql.ts";
import { anAlert } from "../../support/rows.ts";
import { borrowTestApp } from "../../support/shared-store.ts";
import { addToken, openTestApp, type TestApp, until } from "../../support/test-app.ts";

const READY = "/v2/alerts";

interface RawAnswer {
  readonly status: number;
  /** Names and values as they were sent, in this order. */
  readonly headers: readonly (readonly [string, string])[];
  readonly body: string;
}

test("a ready answer equals the answer of Fastify, byte for byte and header for header", async (t) => {
  const app = await openTestApp(t);
  await anAlert(app.db, { name: "Zürich" });
  const port = await listen(app);

  const [first, ...more] = await askUntilReady(app, port);
  const second = more.at(-1);
  const inject = await app.call("GET", READY);

  assert.ok(first !== undefined && second !== undefined);
  assert.equal(first.status, 200);
  assert.deepEqual(comparable(second), comparable(first));
  assert.equal(second.body, inject.text);
  assert.notEqual(requestIdOf(second), requestIdOf(first));
  const counted = 'assay_http_request_seconds_count{method="GET",route="/v2/alerts",status="200"}';
  assert.equal(await readMetric(app, counted), more.length + 2);
});

for (const accepted of ["br, gzip", "gzip", "identity"]) {
  test(`a ready answer equals the answer of Fastify for clients that accept ${accepted}`, async (t) => {
    const app = await openTestApp(t);
    await anAlert(app.db, { name: "Zürich".repeat(300) });
    const port = await listen(app);

    const answers = await askUntilReady(app, port, [`Accept-Encoding: ${accepted}`]);
    const [first, last] = [answers[0], answers.at(-1)];

    assert.ok(first !== undefined && last !== undefined && answers.length > 1);
    assert.equal(first.status, 200);
    assert.deepEqual(comparable(last), comparable(first));
    const coding = last.headers.find(([name]) => name === "content-encoding")?.[1] ?? "identity";
    assert.equal(coding, accepted.split(",")[0]);
  });
}

test("a request with a ready answer has its id and its line in the log", async (t) => {
  const lines: string[] = [];
  const log = createLogger("info", { write: (line) => lines.push(line) });
  const app = await openTestApp(t, { log });
  const port = await listen(app);

  const answers = await askUntilReady(app, port, ["X-Request-Id: my-id"]);

  assert.ok(answers.every((answer) => requestIdOf(answer) === "my-id"));
  const requests = lines
    .map((line) => JSON.parse(line))
    .filter(({ msg, route }) => msg === "request" && route === READY);
  assert.deepEqual(
    requests.map(({ reqId, method, route, status }) => [reqId, method, route, status]),
    answers.map(() => ["my-id", "GET", READY, 200]),
  );
});

test("a revoked or expired token gets no ready answer", async (t) => {
  const app = await openTestApp(t);
  const port = await listen(app);
  const expiresAtMs = app.clock.nowMs() + MINUTE_MS;
  const [revoked, expiring] = [
    await addToken(app.db, {}),
    await addToken(app.db, { expiresAtMs }),
  ] as const;
  for (const token of [revoked, expiring, revoked, expiring])
    assert.equal((await ask(port, { token })).status, 200);

  await app.db.execute(sql`update api_token set revoked_at_ms = ${app.clock.nowMs()} where id <> (
    select id from api_token where expires_at_ms is not null)`);
  await until(async () => (await ask(port, { token: revoked })).status === 401);
  assert.equal((await ask(port, { token: expiring })).status, 200);
  app.clock.advance(60_001);

  assert.equal((await ask(port, { token: expiring })).status, 401);
  assert.equal((await ask(port, {})).status, 401);
});

test("the next request after a change gets the new answer", async (t) => {
  const app = await borrowTestApp(t);
  const port = await listen(app);
  for (let at = 0; at < 3; at += 1) await ask(port, { token: app.token });

  await anAlert(app.db, { name: "new here" });

  await until(async () => (await ask(port, { token: app.token })).body.includes("new here"));
});

test("the rate limit counts ready answers too", async (t) => {
  const app = await openTestApp(t, { environment: { ASSAY_RATE_LIMIT_PER_MINUTE: "5" } });
  const port = await listen(app);

  const statuses = [];
  for (let at = 0; at < 7; at += 1) statuses.push((await ask(port, { token: app.token })).status);

  assert.deepEqual(statuses, [200, 200, 200, 200, 200, 429, 429]);
});

test("Fastify answers every request that is not a simple GET", async (t) => {
  const app = await borrowTestApp(t);
  const port = await listen(app);
  const { token } = app;
  const first = await ask(port, { token });
  const etag = first.headers.find(([name]) => name === "etag")?.[1];

  const odd = {
    unchanged: await ask(port, { token, lines: [`If-None-Match: ${etag}`] }),
    changed: await ask(port, { token, lines: ['If-None-Match: "other"'] }),
    twoHosts: await ask(port, { token, lines: ["Host: elsewhere"] }),
    compressed: await ask(port, { token, lines: ["Content-Encoding: gzip"] }),
    head: await ask(port, { token, method: "HEAD" }),
    put: await ask(port, { token, method: "PUT" }),
    basic: await ask(port, { lines: ["Authorization: Basic abc"] }),
    twoTokens: await ask(port, {
      lines: ["Authorization: Basic abc", `Authorization: Bearer ${token}`],
    }),
    query: await ask(port, { token, path: `${READY}?x=1` }),
    twoLists: await ask(port, { token, lines: ["Accept-Encoding: gzip", "Accept-Encoding: br"] }),
  };

  assert.deepEqual(
    Object.values(odd).map(({ status }) => status),
    [304, 200, 400, 415, 200, 405, 401, 400, 200, 200],
  );
  assert.equal(odd.unchanged.body, "");
  assert.equal(odd.query.body, first.body);
});

test("a long answer that is being sent when the service stops arrives completely", async (t) => {
  const app = await openTestApp(t);
  await anAlert(app.db, { filters: { mine: "x".repeat(8_000_000) } });
  const port = await listen(app);
  const fullLength = (await askUntilReady(app, port)).at(-1)?.body.length;
  const socket = connect({ port, host: "127.0.0.1" });
  const chunks: Buffer[] = [];
  socket.on("data", (chunk) => chunks.push(chunk));
  socket.pause();
  socket.write(`GET ${READY} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${app.token}\r\n\r\n`);
  await until(async () => (await readMetric(app, "assay_http_ready_answers_total")) === 2);

  const closing = app.app.close();
  setImmediate(() => socket.resume());
  await Promise.all([closing, once(socket, "close")]);

  assert.equal(parseAnswer(Buffer.concat(chunks).toString()).body.length, fullLength);
});

async function listen({ app }: TestApp): Promise<number> {
  if (app.server.address() === null) await app.listen({ port: 0, host: "127.0.0.1" });
  const address = app.server.address();
  assert.ok(typeof address === "object" && address !== null);
  return address.port;
}

/**
 * Asks until one ready answer was sent, which is the last of the answers. The second request usually gets it. Under load
 * the notice of an earlier write may come between the two and drop what was kept.
 */
async function askUntilReady(
  app: TestApp,
  port: number,
  lines: readonly string[] = [],
): Promise<readonly RawAnswer[]> {
  const answers: RawAnswer[] = [];
  await until(async () => {
    answers.push(await ask(port, { token: app.token, lines }));
    return (await readMetric(app, "assay_http_ready_answers_total")) === 1;
  });
  return answers;
}

/** Sends one request on its own connection and returns the raw response. */
async function ask(
  port: number,
  request: {
    readonly token?: string;
    readonly method?: string;
    readonly path?: string;
    readonly lines?: readonly string[];
  },
): Promise<RawAnswer> {
  const { token, method = "GET", path = READY, lines = [] } = request;
  const head = [
    `${method} ${path} HTTP/1.1`,
    "Host: 127.0.0.1",
    ...(token === undefined ? [] : [`Authorization: Bearer ${token}`]),
    ...lines,
    "Connection: close",
  ];
  const socket = connect({ port, host: "127.0.0.1" });
  const chunks: Buffer[] = [];
  socket.on("data", (chunk) => chunks.push(chunk));
  socket.write(`${head.join("\r\n")}\r\n\r\n`);
  await once(socket, "close");
  return parseAnswer(Buffer.concat(chunks).toString());
}

function parseAnswer(text: string): RawAnswer {
  const end = text.indexOf("\r\n\r\n");
  const [statusLine = "", ...lines] = text.slice(0, end).split("\r\n");
  return {
    status: Number(statusLine.split(" ")[1]),
    headers: lines.map((line) => {
      const at = line.indexOf(": ");
      return [line.slice(0, at), line.slice(at + 2)] as const;
    }),
    body: text.slice(end + 4),
  };
}

/** Leaves out the headers that differ between requests. */
function comparable({ headers, ...answer }: RawAnswer) {
  const own = headers.filter(([name]) => name !== "x-request-id" && name !== "Date");
  return { ...answer, headers: own.sort(([left], [right]) => (left < right ? -1 : 1)) };
}

function requestIdOf({ headers }: RawAnswer): string | undefined {
  return headers.find(([name]) => name === "x-request-id")?.[1];
}

async function readMetric(app: TestApp, name: string): Promise<number> {
  const { text } = await app.call("GET", "/metrics");
  const line = text.split("\n").find((candidate) => candidate.startsWith(`${name} `));
  return Number(line?.slice(name.length + 1));
}
