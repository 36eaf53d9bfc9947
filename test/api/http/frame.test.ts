import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { Writable } from "node:stream";
import { test } from "node:test";
import { DATA_HEADERS } from "../../../src/api/http/request-frame.ts";
import { createLogger } from "../../../src/base/log.ts";
import { sql } from "../../../src/db/sql.ts";
import { aMatch, anAlert, aPreset } from "../../support/rows.ts";
import { borrowTestApp } from "../../support/shared-store.ts";
import { addToken, createGate, NOW_MS, openTestApp, until } from "../../support/test-app.ts";

test("an unchanged answer is 304, and a changed one is sent again", async (t) => {
  const { call, db, token } = await borrowTestApp(t);
  const first = await call("GET", "/v2/alerts");
  const ask = (tag: string) =>
    call("GET", "/v2/alerts", { authorization: `Bearer ${token}`, "if-none-match": tag });
  const etag = String(first.headers["etag"]);

  for (const tag of [etag, `W/${etag}`, `"x", ${etag}`, "*"]) {
    const answer = await ask(tag);
    assert.equal(answer.status, 304, tag);
    assert.equal(answer.text, "");
    assert.equal(answer.headers["etag"], etag);
  }
  assert.equal((await ask('"x"')).status, 200);
  await anAlert(db);
  assert.equal((await ask(etag)).status, 200);
});

test("the ETag of an answer does not depend on the caller", async (t) => {
  const { call, db } = await borrowTestApp(t);
  const other = await addToken(db, {});

  const first = await call("GET", "/v2/alerts");
  const second = await call("GET", "/v2/alerts", { authorization: `Bearer ${other}` });

  assert.equal(first.headers["etag"], second.headers["etag"]);
});

test("HEAD answers as GET does, without the body", async (t) => {
  const { call } = await borrowTestApp(t);

  const answer = await call("HEAD", "/v2/alerts");

  assert.equal(answer.status, 200);
  assert.equal(answer.text, "");
  assert.equal(answer.headers["content-type"], "application/json; charset=utf-8");
});

test("every response forbids sniffing, framing and shared caching", async (t) => {
  const { call } = await borrowTestApp(t);

  for (const path of ["/v2/alerts", "/v2/nothing", "/v2/%ff", "/health/live"]) {
    const { headers } = await call("GET", path);
    assert.equal(headers["x-content-type-options"], "nosniff", path);
    assert.equal(headers["x-frame-options"], "DENY", path);
    assert.equal(headers["cache-control"], "private, no-cache", path);
    assert.equal("x-powered-by" in headers, false);
  }
});

test("a token over its rate limit gets 429 with Retry-After, and other tokens do not", async (t) => {
  const { call, clock, db } = await openTestApp(t, {
    environment: { ASSAY_RATE_LIMIT_PER_MINUTE: "3" },
  });
  const other = await addToken(db, {});
  const statuses = [];
  for (let at = 0; at < 4; at += 1) statuses.push((await call("GET", "/v2/alerts")).status);

  const limited = await call("GET", "/v2/alerts");
  const free = await call("GET", "/v2/alerts", { authorization: `Bearer ${other}` });
  clock.advance(Number(limited.headers["retry-after"]) * 1000);
  const later = await call("GET", "/v2/alerts");

  assert.deepEqual(statuses, [200, 200, 200, 429]);
  assert.equal(limited.body.error.code, "rate_limited");
  assert.equal(limited.headers["retry-after"], "20");
  assert.equal(free.status, 200);
  assert.equal(later.status, 200);
});

test("requests over the limit in progress get 503, and health still answers", async (t) => {
  const { app, call, db, token } = await openTestApp(t, {
    environment: { ASSAY_REQUESTS_IN_FLIGHT: "2" },
  });
  const other = { authorization: `Bearer ${await addToken(db, {})}` };
  await call("GET", "/v2/outbound/group-presets");
  await call("GET", "/v2/outbound/group-presets", other);
  let unlock: (() => void) | undefined;
  const locked = db.transaction(async (tx) => {
    await tx.execute(sql`lock table group_preset in access exclusive mode`);
    await new Promise<void>((settle) => {
      unlock = settle;
    });
  });
  await until(() => unlock !== undefined);
  const waiting = [
    call("GET", "/v2/outbound/group-presets"),
    call("GET", "/v2/outbound/group-presets", other),
  ];
  await until(async () =>
    /^assay_http_requests_in_flight 2$/m.test((await app.inject("/metrics")).body),
  );

  // Without the pause of `call`, because the two that wait have only a few seconds.
  const shed = await app.inject({
    url: "/v2/outbound/group-presets",
    headers: { authorization: `Bearer ${token}` },
  });
  const stranger = await app.inject("/v2/outbound/group-presets");
  const live = await app.inject("/health/live");
  unlock?.();
  await locked;

  assert.equal(shed.statusCode, 503);
  assert.equal(shed.json().error.code, "overloaded");
  assert.equal(shed.headers["retry-after"], "1");
  for (const [name, value] of Object.entries(DATA_HEADERS)) {
    assert.equal(shed.headers[name], value, name);
  }
  assert.equal(stranger.statusCode, 401, "the token is checked first");
  assert.equal(live.statusCode, 200);
  assert.deepEqual(
    (await Promise.all(waiting)).map(({ status }) => status),
    [200, 200],
  );
  assert.equal((await call("GET", "/v2/outbound/group-presets")).status, 200);
});

test("a request that arrives while the service stops gets the error body, with Retry-After and its id", async (t) => {
  const { app, db, token } = await openTestApp(t);
  const origin = await app.listen({ port: 0, host: "127.0.0.1" });
  const headers = { authorization: `Bearer ${token}`, "x-request-id": "my-request" };
  const [lock, unlock] = [createGate(), createGate()];
  const locked = db.transaction(async (tx) => {
    await tx.execute(sql`lock table group_preset in access exclusive mode`);
    lock.open();
    await unlock.opened;
  });
  await lock.opened;
  const inProgress = fetch(`${origin}/v2/outbound/group-presets`, { headers });
  await until(async () =>
    /^assay_http_requests_in_flight 1$/m.test((await app.inject("/metrics")).body),
  );

  const closing = app.close();
  const answers = [];
  for (const [method, path] of [
    ["GET", "/v2/alerts"],
    ["GET", "/v2/nothing"],
    ["GET", "/health/live"],
    ["POST", "/v2/webhooks/waha"],
  ] as const) {
    const answer = await fetch(origin + path, { method, headers });
    answers.push({ path, answer, body: await answer.json() });
  }
  unlock.open();
  await Promise.all([locked, closing]);

  for (const { path, answer, body } of answers) {
    assert.equal(answer.status, 503, path);
    assert.deepEqual(
      body,
      {
        error: {
          code: "overloaded",
          message: "the service stops; try again",
          request_id: "my-request",
        },
      },
      path,
    );
    assert.equal(answer.headers.get("x-request-id"), "my-request", path);
    assert.equal(answer.headers.get("retry-after"), "1", path);
    assert.equal(answer.headers.get("connection"), "close", path);
    for (const [name, value] of Object.entries(DATA_HEADERS)) {
      assert.equal(answer.headers.get(name), value, path);
    }
  }
  assert.equal((await inProgress).status, 200);
});

test("a request with a body gets 503 if the store does not answer in time, on every such route", async (t) => {
  const { app, db, token } = await openTestApp(t);
  const origin = await app.listen({ port: 0, host: "127.0.0.1" });
  const alert = await anAlert(db);
  const resource = randomUUID();
  await aMatch(db, { alert_id: alert, resource_id: resource });
  const preset = await aPreset(db);
  const routes = [
    ["POST", "/v2/market/listings/search"],
    ["POST", `/v2/alerts/${alert}/matches/${resource}/seen`],
    ["POST", "/v2/alerts/matches/seen", { matches: [{ alert_id: alert, resource_id: resource }] }],
    ["POST", "/v2/alerts/matches/seen", { before_ms: NOW_MS, alert_id: alert }],
    ["DELETE", `/v2/outbound/group-presets/${preset}`],
  ] as const;
  const unlock = new AbortController();
  const locked = db.transaction(async (tx) => {
    await tx.execute(sql`lock table listing, alert_match, group_preset in access exclusive mode`);
    await until(() => unlock.signal.aborted, 60_000);
  });
  await until(async () => {
    const [row] = await db.query(sql`
      select from pg_locks
       where database = (select oid from pg_database where datname = current_database())
         and relation = 'group_preset'::regclass and mode = 'AccessExclusiveLock' and granted`);
    return row !== undefined;
  });
  const answers: (readonly [string, number, string | undefined])[] = [];

  const asking = routes.map(async ([method, path, body = {}]) => {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const answer = await fetch(origin + path, { method, headers, body: JSON.stringify(body) });
    const { error } = (await answer.json()) as { error?: { code: string } };
    answers.push([path, answer.status, error?.code]);
  });
  // The store itself gives up after 30 seconds, and no client should wait that long.
  await until(() => answers.length === routes.length, 15_000).catch(() => undefined);
  const inTime = [...answers];
  unlock.abort();
  await locked;
  await Promise.allSettled(asking);

  assert.deepEqual(
    inTime.toSorted(),
    routes
      .map(([, path]) => [
        path,
        503,
        path.endsWith("/search") ? "read_too_slow" : "store_unavailable",
      ])
      .toSorted(),
  );
});

test("metrics name routes by their pattern, without ids", async (t) => {
  const { app, call } = await openTestApp(t);
  const id = "6f1c2a7e-3d52-5a46-9a1b-4c8f0e2d7b93";
  await call("GET", `/v2/alerts/${id}/matches`);
  await call("GET", "/v2/secret-path");

  const { body, headers } = await app.inject("/metrics");

  assert.match(String(headers["content-type"]), /^text\/plain/);
  assert.match(
    body,
    /assay_http_request_seconds_count\{.*route="\/v2\/alerts\/:alert_id\/matches"/,
  );
  assert.match(body, /assay_http_requests_in_flight 0/);
  assert.ok(!body.includes(id));
  assert.ok(!body.includes("secret-path"));
});

test("each request has a log line without tokens, queries, ids or bodies", async (t) => {
  const lines: string[] = [];
  const sink = new Writable({
    write: (chunk, _encoding, done) => {
      lines.push(String(chunk));
      done();
    },
  });
  const { call, token } = await openTestApp(t, { log: createLogger("trace", sink) });

  await call("GET", `/v2/alerts?access_token=${token}&q=canary-query`);
  await call("GET", `/v2/canary-path-${token}`);
  await call("GET", "/v2/alerts", { authorization: "Bearer canary-bad-token" });
  await call("GET", `/v2/%ff${token}`);

  const text = lines.join("");
  assert.ok(lines.some((line) => line.includes('"route":"/v2/alerts","status":200')));
  assert.ok(!text.includes(token));
  assert.ok(!text.includes("canary"));
});

test("the served OpenAPI document is the committed one, and /docs contacts only this service", async (t) => {
  const { app } = await borrowTestApp(t);

  const document = await app.inject("/openapi.json");
  const page = await app.inject("/docs");
  const policy = String(page.headers["content-security-policy"]);

  assert.equal(document.body, readFileSync("openapi-v2.json", "utf8"));
  assert.equal(page.statusCode, 200);
  assert.match(policy, /default-src 'self'/);
  assert.doesNotMatch(policy, /https?:/);
  for (const [, url] of page.body.matchAll(/(?:src|href)="([^"]+)"/g)) {
    assert.match(url ?? "", /^(\.|\/|data:)/);
    if (url?.startsWith("data:") !== true) {
      const asset = await app.inject(new URL(url ?? "", "http://x/docs").pathname);
      assert.equal(asset.statusCode, 200, url);
    }
  }
});
