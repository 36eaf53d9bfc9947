import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:net";
import { type TestContext, test } from "node:test";
import { sql } from "../../src/db/sql.ts";
import { aPreset } from "../support/rows.ts";
import { openTestApp, until } from "../support/test-app.ts";

const HOST = "Host: localhost\r\n";

test("requests that the HTTP parser rejects get the standard error body", async (t) => {
  const port = await listen(t);
  const refused = {
    "no HTTP at all": ["hello\r\n\r\n", 400],
    "length and chunks": [
      `GET /v2/alerts HTTP/1.1\r\n${HOST}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      400,
    ],
    "a blank before the colon": ["GET /v2/alerts HTTP/1.1\r\nHost : x\r\n\r\n", 400],
    "no host": ["GET /health/live HTTP/1.1\r\n\r\n", 400],
    "two hosts": [`GET /health/live HTTP/1.1\r\n${HOST}Host: y\r\n\r\n`, 400],
    "an expectation": [`GET /health/live HTTP/1.1\r\n${HOST}Expect: miracles\r\n\r\n`, 400],
    "a tunnel": ["CONNECT x:80 HTTP/1.1\r\nHost: x:80\r\n\r\n", 405],
    "a head of 20 kB": [`GET /v2/alerts HTTP/1.1\r\n${HOST}X: ${"x".repeat(20_000)}\r\n\r\n`, 431],
  } as const;

  for (const [name, [bytes, status]] of Object.entries(refused)) {
    const answer = await exchange(port, bytes);
    assert.match(answer, new RegExp(`^HTTP/1.1 ${status} `), name);
    const body = JSON.parse(answer.slice(answer.indexOf("\r\n\r\n") + 4));
    assert.deepEqual(
      Object.keys(body.error ?? {}),
      ["code", "message", "request_id"],
      `${name}: ${answer}`,
    );
    assert.match(answer, new RegExp(`x-request-id: ${body.error.request_id}`), name);
  }
});

test("a client that takes too long to send its headers gets 408 and is disconnected", async (t) => {
  const port = await listen(t);

  const answer = await exchange(port, "GET /v2/alerts HTTP/1.1\r\nHost: x\r\nX-Slow");

  assert.match(answer, /^HTTP\/1.1 408 /);
  assert.match(answer, /"code":"request_timeout"/);
});

test("a header that would break a log line or a response is not reflected", async (t) => {
  const port = await listen(t);

  const answer = await exchange(
    port,
    `GET /v2/alerts HTTP/1.1\r\n${HOST}X-Request-Id: a%0d%0aset-cookie: b\r\nConnection: close\r\n\r\n`,
  );

  assert.doesNotMatch(answer, /set-cookie/);
  assert.match(answer, /x-request-id: req_/);
});

test("a token is required however the path is written", async (t) => {
  const port = await listen(t);
  const targets = {
    "/v2/alerts": 401,
    "/%762/alerts": 401,
    "/v%32/alerts": 401,
    "/%76%32/outbound/group-presets": 401,
    "http://x/v2/alerts": 401,
    "https://x/v2/alerts": 401,
    "HTTP://x/v2/alerts": 401,
    "/v2/alerts?x=/health/live": 401,
    "/v2/alerts#x": 401,
    "/v2/webhooks/../alerts": 404,
  };

  for (const [target, status] of Object.entries(targets)) {
    const answer = await exchange(
      port,
      `GET ${target} HTTP/1.1\r\n${HOST}Connection: close\r\n\r\n`,
    );
    assert.match(answer, new RegExp(`^HTTP/1.1 ${status} `), target);
  }
});

test("requests whose clients disconnected no longer count as in flight", async (t) => {
  const { app, db, token } = await openTestApp(t, {
    environment: { ASSAY_REQUESTS_IN_FLIGHT: "20" },
  });
  await app.listen({ port: 0, host: "127.0.0.1" });
  const address = app.server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  await aPreset(db);
  await db.execute(sql`alter table group_preset rename to busy`);
  await db.execute(
    sql`create view group_preset as select busy.*, pg_sleep(0.2)::text as slow from busy`,
  );
  const bytes = `GET /v2/outbound/group-presets HTTP/1.1\r\n${HOST}Authorization: Bearer ${token}\r\n\r\n`;

  for (let round = 0; round < 30; round += 1) {
    const socket = connect(port, "127.0.0.1");
    socket.on("error", () => undefined);
    socket.write(bytes.repeat(1 + (round % 3)));
    await new Promise((settle) => setTimeout(settle, round % 10));
    socket.resetAndDestroy();
  }
  await until(async () =>
    (await app.inject("/metrics")).body.includes("assay_http_requests_in_flight 0"),
  );
});

test("unsupported methods are rejected", async (t) => {
  const port = await listen(t);

  for (const method of ["TRACE", "OPTIONS", "PATCH", "PROPFIND"]) {
    const answer = await exchange(
      port,
      `${method} /health/live HTTP/1.1\r\n${HOST}Connection: close\r\n\r\n`,
    );
    assert.match(answer, /^HTTP\/1.1 405 /, method);
    assert.match(answer, /allow: GET, HEAD/i, method);
  }
});

async function listen(t: TestContext): Promise<number> {
  const { app } = await openTestApp(t);
  await app.listen({ port: 0, host: "127.0.0.1" });
  const address = app.server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}

/** Sends the bytes and reads until the service closes the connection. */
async function exchange(port: number, bytes: string): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  let answer = "";
  socket.on("data", (chunk) => {
    answer += chunk.toString();
    // A keep-alive response is complete when its body has arrived. All of ours are small.
    if (answer.endsWith("}}")) socket.end();
  });
  socket.write(bytes);
  await once(socket, "close");
  return answer;
}
