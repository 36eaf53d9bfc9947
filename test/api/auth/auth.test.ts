import assert from "node:assert/strict";
import { test } from "node:test";
import { sleep } from "../../../src/base/clock.ts";
import { sql } from "../../../src/db/sql.ts";
import { createTokenText, tokenPrefix } from "../../../src/people/token.ts";
import { listTokens } from "../../../src/people/token-store.ts";
import { borrowTestApp } from "../../support/shared-store.ts";
import { addToken, NOW_MS, openTestApp, revokeAnyway, until } from "../../support/test-app.ts";

const PATHS = [
  "/v2/alerts",
  "/v2/sessions",
  "/v2",
  "/v2/no/such/path",
  "/v2/alerts/zz/matches?limit=0",
];

test("below /v2 the token is checked before anything else, also for unknown paths", async (t) => {
  const { call } = await borrowTestApp(t);

  for (const path of [...PATHS, "/v2/%ff", "/v2/%C0%AF"]) {
    const answer = await call("GET", path, {});
    assert.equal(answer.status, 401, path);
    assert.equal(answer.headers["www-authenticate"], 'Bearer realm="assay"', path);
    assert.equal(answer.body.error.code, "unauthorized", path);
  }
  assert.equal((await call("POST", "/v2/alerts", {})).status, 401);
});

test("every kind of wrong token is refused with invalid_token", async (t) => {
  const { call, token } = await borrowTestApp(t);
  const wrong = [
    `Bearer ${createTokenText()}`,
    `Bearer ${token}x`,
    `Bearer ${token.slice(0, -1)}`,
    `Bearer  `,
    `Basic ${token}`,
    token,
    `Bearer ${token} ${token}`,
    "Bearer '; drop table api_token; --",
  ];

  for (const authorization of wrong) {
    const answer = await call("GET", "/v2/alerts", { authorization });
    assert.equal(answer.status, 401, authorization);
    assert.match(String(answer.headers["www-authenticate"]), /error="invalid_token"/);
  }
});

test("the case of the scheme does not matter, and a token in the query is ignored", async (t) => {
  const { call, token } = await borrowTestApp(t);

  assert.equal((await call("GET", "/v2/alerts", { authorization: `bearer ${token}` })).status, 200);
  assert.equal((await call("GET", `/v2/alerts?access_token=${token}`, {})).status, 401);
});

test("a token is refused from the moment it expires", async (t) => {
  const { call, db, clock } = await openTestApp(t);
  const token = await addToken(db, { expiresAtMs: NOW_MS + 1000 });
  const headers = { authorization: `Bearer ${token}` };

  assert.equal((await call("GET", "/v2/alerts", headers)).status, 200);
  clock.advance(999);
  assert.equal((await call("GET", "/v2/alerts", headers)).status, 200);
  clock.advance(1);
  assert.equal((await call("GET", "/v2/alerts", headers)).status, 401);
});

test("a read-only token may read, and gets 403 for a write", async (t) => {
  const { call, db } = await borrowTestApp(t);
  const token = await addToken(db, { isReadOnly: true });
  const headers = { authorization: `Bearer ${token}` };
  const preset = "/v2/outbound/group-presets/6f1c2a7e-3d52-5a46-9a1b-4c8f0e2d7b93";

  assert.equal((await call("GET", "/v2/alerts", headers)).status, 200);
  assert.equal((await call("HEAD", "/v2/alerts", headers)).status, 200);
  const refused = await call("DELETE", preset, headers);
  assert.equal(refused.status, 403);
  assert.equal(refused.body.error.code, "forbidden");
  assert.match(String(refused.headers["www-authenticate"]), /insufficient_scope/);
  assert.equal((await call("DELETE", "/v2/nothing/here", headers)).status, 404);
});

test("a known token needs no query while the change feed is live", async (t) => {
  const { call, db, feed } = await openTestApp(t);
  // The token is only kept once its own insertion has been announced.
  await sleep(500);
  await call("GET", "/v2/no/such/path");
  assert.ok(feed.isLive());
  await db.execute(sql`alter table api_token rename to hidden`);

  const answer = await call("GET", "/v2/no/such/path");

  assert.equal(answer.status, 404);
});

test("a revocation takes effect by itself", async (t) => {
  const { call, db, token } = await borrowTestApp(t);
  assert.equal((await call("GET", "/v2/alerts")).status, 200);

  await revokeAnyway(db, tokenPrefix(token));
  await until(async () => (await call("GET", "/v2/alerts")).status === 401);
});

test("while the change feed is interrupted, every request queries the store", async (t) => {
  const { call, db, feed, token } = await openTestApp(t);
  assert.equal((await call("GET", "/v2/alerts")).status, 200);
  await feed.close();
  assert.equal(feed.isLive(), false);

  await revokeAnyway(db, tokenPrefix(token));

  assert.equal((await call("GET", "/v2/alerts")).status, 401);
});

test("only the hash, the prefix and the time of the last use of a token are stored", async (t) => {
  const { app, call, db, token } = await openTestApp(t);
  await call("GET", "/v2/alerts");
  await app.close();

  const dump = JSON.stringify(await db.query(sql`select api_token::text as row from api_token`));
  const [row] = await listTokens(db);

  assert.ok(!dump.includes(token.slice(12)));
  assert.equal(row?.prefix, token.slice(0, 12));
  assert.equal(row?.last_used_at_ms, NOW_MS);
});
