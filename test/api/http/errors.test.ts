import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { Writable } from "node:stream";
import { test } from "node:test";
import { STATUS } from "../../../src/api/http/errors.ts";
import { createLogger } from "../../../src/base/log.ts";
import { sql } from "../../../src/db/sql.ts";
import { borrowTestApp } from "../../support/shared-store.ts";
import { type Answer, openTestApp } from "../../support/test-app.ts";

const ID = "6f1c2a7e-3d52-5a46-9a1b-4c8f0e2d7b93";

test("an unknown path is 404, and a known path with another method is 405 with Allow", async (t) => {
  const { call } = await borrowTestApp(t);

  assertError(await call("GET", "/v2/nothing"), 404, "route_not_found");
  assertError(await call("GET", "/v2/sessions/"), 404, "route_not_found");
  assertError(await call("GET", "/nothing", {}), 404, "route_not_found");
  const list = await call("POST", "/v2/sessions");
  assertError(list, 405, "method_not_allowed");
  assert.equal(list.headers["allow"], "GET, HEAD");
  const preset = await call("GET", `/v2/outbound/group-presets/${ID}`);
  assertError(preset, 405, "method_not_allowed");
  assert.equal(preset.headers["allow"], "DELETE, PATCH");
});

test("a path that cannot be decoded is 400", async (t) => {
  const { call } = await borrowTestApp(t);

  assertError(await call("GET", "/v2/%ff"), 400, "invalid_payload");
});

test("a malformed id is 400 and names the parameter, except for cells, where it is 404", async (t) => {
  const { call } = await borrowTestApp(t);
  const paths = [
    ["alert_id", "GET", "/v2/alerts/zz/matches"],
    ["listing_id", "GET", "/v2/market/listings/zz/price-engine"],
    ["canonical_message_id", "GET", "/v2/messages/%00/occurrences/summary"],
    ["preset_id", "DELETE", `/v2/outbound/group-presets/${"9".repeat(2000)}`],
  ] as const;

  for (const [name, method, path] of paths) {
    const answer = await call(method, path);
    assertError(answer, 400, "invalid_payload");
    assert.equal(answer.body.error.message, `${name}: must be a UUID`);
  }
  const cells = await call("GET", "/v2/market/price-engine/configurations/zz/cells");
  assertError(cells, 404, "configuration_not_found");
});

test("an unknown id is 404 with the code of its resource", async (t) => {
  const { call } = await borrowTestApp(t);

  const answers = {
    alert_not_found: await call("GET", `/v2/alerts/${ID}/matches`),
    listing_not_found: await call("GET", `/v2/market/listings/${ID}/price-engine`),
    configuration_not_found: await call(
      "GET",
      `/v2/market/price-engine/configurations/${ID}/cells`,
    ),
    message_not_found: await call("GET", `/v2/messages/${ID}/occurrences/summary`),
    group_preset_not_found: await call("DELETE", `/v2/outbound/group-presets/${ID}`),
  };

  for (const [code, answer] of Object.entries(answers)) assertError(answer, 404, code);
});

test("a known query parameter with a bad value is 400, and unknown parameters are ignored", async (t) => {
  const { call } = await borrowTestApp(t);
  const bad = [
    "limit=0",
    "limit=101",
    "limit=1.5",
    "limit=",
    "limit=1e1",
    "limit=%2B5",
    "limit=0x10",
    "limit=5&limit=5",
    "offset=-1",
    "offset=NaN",
    "unseen_only=1",
    "unseen_only=TRUE",
    "unseen_only=",
    "unseen_only=true&unseen_only=true",
  ];

  for (const query of bad) {
    const answer = await call("GET", `/v2/alerts/${ID}/matches?${query}`);
    assertError(answer, 400, "invalid_payload");
    assert.match(answer.body.error.message, /^(limit|offset|unseen_only): /, query);
  }
  assertError(await call("GET", "/v2/sessions?role=both"), 400, "invalid_payload");
  assertError(await call("GET", "/v2/sessions?role="), 400, "invalid_payload");
  for (const query of [
    "limit=1",
    "limit=100",
    "offset=0",
    "offset=2147483648",
    "unseen_only=true",
    "__proto__=1",
    "x=y&x=z",
  ]) {
    assertError(await call("GET", `/v2/alerts/${ID}/matches?${query}`), 404, "alert_not_found");
  }
});

test("an error in the body as a whole says so", async (t) => {
  const own = await borrowTestApp(t);

  const messages = [];
  for (const body of [[], {}]) {
    const answer = await own.send("PATCH", `/v2/views/${ID}`, body);
    assertError(answer, 400, "invalid_payload");
    messages.push(answer.body.error.message);
  }

  assert.deepEqual(messages, [
    "the body must be a JSON object",
    "the body: name at least one member",
  ]);
});

test("a safe request id is used, any other is replaced, and the error body repeats it", async (t) => {
  const { call, token } = await borrowTestApp(t);
  const withId = (id: string) =>
    call("GET", "/v2/nothing", { authorization: `Bearer ${token}`, "x-request-id": id });

  const kept = await withId("trace-1.2_3");
  assert.equal(kept.body.error.request_id, "trace-1.2_3");
  assertError(kept, 404, "route_not_found");
  for (const id of ["", "a b", "x".repeat(129), "<script>", "ä"]) {
    assert.match((await withId(id)).body.error.request_id, /^req_[0-9a-f-]{36}$/);
  }
});

test("without a store, requests get 503 with Retry-After and no internal details", async (t) => {
  const { call, db, token, app } = await openTestApp(t);
  await call("GET", "/v2/outbound/group-presets");
  await db.end();

  const answer = await call("GET", "/v2/outbound/group-presets", {
    authorization: `Bearer ${token}`,
  });

  assertError(answer, 503, "store_unavailable");
  assert.equal(answer.headers["retry-after"], "1");
  assert.doesNotMatch(answer.text, /CONNECTION|postgres|127\.0\.0\.1/);
  assert.equal((await app.inject("/health/live")).statusCode, 200);
  assert.equal((await app.inject("/health/ready")).statusCode, 503);
});

test("our own error is 500 without its cause, and the cause is in the log", async (t) => {
  const lines: string[] = [];
  const sink = new Writable({
    write: (chunk, _encoding, done) => {
      lines.push(String(chunk));
      done();
    },
  });
  const { call, db } = await openTestApp(t, { log: createLogger("info", sink) });
  await db.execute(sql`alter table alert rename to elsewhere`);

  const answer = await call("GET", "/v2/alerts");

  assertError(answer, 500, "internal_error");
  assert.doesNotMatch(answer.text, /alert|relation/);
  assert.ok(lines.some((line) => line.includes('relation \\"alert\\" does not exist')));
});

test("a body that is too large is 413, of another type or compressed 415, broken 400, and empty is no body", async (t) => {
  const { app, token } = await borrowTestApp(t);
  const post = async (body: string | Buffer, headers: Record<string, string>) => {
    const response = await app.inject({
      method: "DELETE",
      url: `/v2/outbound/group-presets/${ID}`,
      headers: { authorization: `Bearer ${token}`, ...headers },
      payload: body,
    });
    return [response.statusCode, response.json().error.code];
  };
  const json = { "content-type": "application/json" };

  assert.deepEqual(await post("x".repeat(300_000), json), [413, "payload_too_large"]);
  assert.deepEqual(await post("a=b", { "content-type": "text/plain" }), [
    415,
    "unsupported_media_type",
  ]);
  assert.deepEqual(await post("{}", { ...json, "content-encoding": "gzip" }), [
    415,
    "unsupported_media_type",
  ]);
  assert.deepEqual(await post("{", json), [400, "invalid_payload"]);
  assert.deepEqual(await post("", json), [404, "group_preset_not_found"]);
});

test("a body that is not an object is 400 and the message says so", async (t) => {
  const { app, token } = await borrowTestApp(t);
  for (const payload of ["[]", "null", "1", ""]) {
    const answer = await app.inject({
      method: "POST",
      url: "/v2/market/price-engine/matches",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      payload,
    });
    const { code, message } = answer.json().error;
    assert.deepEqual(
      [answer.statusCode, code, message],
      [400, "invalid_payload", "the body must be a JSON object"],
      payload,
    );
  }
});

test("docs/api.md documents every error code", () => {
  const docs = readFileSync("docs/api.md", "utf8");

  for (const [code, status] of Object.entries(STATUS)) {
    assert.match(docs, new RegExp(`\\| ${status} \\| \`${code}\` \\|`), code);
  }
});

function assertError(answer: Answer, status: number, code: string): void {
  assert.equal(answer.status, status, answer.text);
  assert.deepEqual(Object.keys(answer.body), ["error"]);
  assert.deepEqual(Object.keys(answer.body.error), ["code", "message", "request_id"]);
  assert.equal(answer.body.error.code, code);
  assert.ok(answer.body.error.message.length > 0);
  assert.equal(answer.headers["x-request-id"], answer.body.error.request_id);
  assert.equal(answer.headers["content-type"], "application/json; charset=utf-8");
}
