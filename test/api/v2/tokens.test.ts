import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { revokeToken } from "../../../src/api/auth/token-store.ts";
import { sql } from "../../../src/db/sql.ts";
import { callAssay } from "../../support/run-assay.ts";
import { borrowTestApp } from "../../support/shared-store.ts";
import {
  addToken,
  NOW_MS,
  openAppOn,
  openTestApp,
  type TestApp,
  until,
} from "../../support/test-app.ts";

async function post({ app, token }: TestApp, body: unknown, bearer = token) {
  const response = await app.inject({
    method: "POST",
    url: "/v2/tokens",
    headers: { authorization: `Bearer ${bearer}`, "content-type": "application/json" },
    payload: JSON.stringify(body),
  });
  return {
    status: response.statusCode,
    headers: response.headers,
    body: JSON.parse(response.body),
  };
}

const bearerOf = (token: string) => ({ authorization: `Bearer ${token}` });

test("a created token works, and only the response of its creation has its text", async (t) => {
  const app = await borrowTestApp(t);

  const created = await post(app, { name: " reporting ", is_read_only: true });
  const { token, ...shown } = created.body;
  const used = await app.call("GET", "/v2/alerts", bearerOf(token));
  const list = await app.call("GET", "/v2/tokens");

  assert.equal(created.status, 201);
  assert.equal(created.headers["cache-control"], "no-store");
  assert.match(token, /^assay_/);
  assert.deepEqual(shown, {
    id: shown.id,
    name: "reporting",
    prefix: token.slice(0, 12),
    is_read_only: true,
    is_current: false,
    created_at_ms: NOW_MS,
  });
  assert.equal(used.status, 200);
  assert.deepEqual(
    list.body.items.find(({ id }: { id: string }) => id === shown.id),
    shown,
  );
  assert.ok(!list.text.includes(token.slice(12)));
});

test("the list has all tokens, newest first, in pages, and marks the token of the request", async (t) => {
  const app = await openTestApp(t);
  for (const name of ["a", "b", "c"]) {
    app.clock.advance(1_000);
    await post(app, { name });
  }
  const names: string[] = [];
  const current: string[] = [];
  for (let cursor = ""; ; ) {
    const { body } = await app.call("GET", `/v2/tokens?limit=2${cursor}`);
    for (const item of body.items) {
      names.push(item.name.slice(0, 4));
      if (item.is_current) current.push(item.prefix);
    }
    if (body.next_cursor === undefined) break;
    cursor = `&cursor=${body.next_cursor}`;
  }

  assert.deepEqual(names, ["c", "b", "a", "test"]);
  assert.deepEqual(current, [app.token.slice(0, 12)]);
});

test("a token cannot create one that may do more than itself", async (t) => {
  const app = await borrowTestApp(t);
  const soon = NOW_MS + 60_000;
  const expiring = await addToken(app.db, { expiresAtMs: soon });
  const readOnly = await addToken(app.db, { isReadOnly: true });

  const byReader = await post(app, { name: "a", is_read_only: true }, readOnly);
  const longer = await post(app, { name: "b", expires_at_ms: soon + 1 }, expiring);
  const inherited = await post(app, { name: "c" }, expiring);
  const shorter = await post(app, { name: "d", expires_at_ms: soon - 1 }, expiring);

  assert.equal(byReader.status, 403);
  assert.equal(longer.status, 403);
  assert.equal(longer.body.error.code, "forbidden");
  assert.equal(inherited.body.expires_at_ms, soon);
  assert.equal(shorter.body.expires_at_ms, soon - 1);
});

test("bad bodies and taken names are refused, and nothing is created", async (t) => {
  const app = await borrowTestApp(t);
  assert.equal((await post(app, { name: "taken" })).status, 201);

  for (const body of [
    {},
    { name: "" },
    { name: "   " },
    { name: "a\u0000b" },
    { name: "x".repeat(101) },
    { name: 1 },
    { name: "a", is_read_only: "no" },
    { name: "a", expires_at_ms: NOW_MS },
    { name: "a", expires_at_ms: 1.5 },
    { name: "a", is_readonly: true },
  ]) {
    const { status, body: answer } = await post(app, body);
    assert.equal(status, 400, JSON.stringify(body));
    assert.equal(answer.error.code, "invalid_payload");
  }
  const again = await post(app, { name: "taken" });
  assert.equal(again.status, 409);
  assert.equal(again.body.error.code, "already_exists");
  const [count] = await app.db.query<{ count: number }>(
    sql`select count(*) as count from api_token`,
  );
  assert.equal(count?.count, 2);
});

test("no token can be named like the one of links, whose text no one may know", async (t) => {
  const app = await borrowTestApp(t);
  const environment = { DATABASE_URL: app.url, ASSAY_ALLOW_UNSAFE_STORE: "true" };

  const refused = await post(app, { name: " console " });
  const command = await callAssay(["token", "create", "--name", "console"], environment);

  assert.deepEqual([refused.status, refused.body.error.code], [400, "invalid_payload"]);
  assert.match(
    refused.body.error.message,
    /^name: "console" is kept for the links of `assay console`/,
  );
  assert.deepEqual([command.code, command.out], [2, ""]);
  assert.match(command.err, /--name: "console" is kept for the links/);
});

test("a revoked token stops working in every process, and its name is free again", async (t) => {
  const app = await borrowTestApp(t);
  const other = await openAppOn(t, app);
  await until(() => other.feed.isLive());
  const { token, id } = (await post(app, { name: "desk" })).body;
  const ask = () =>
    other.app.inject({ method: "GET", url: "/v2/alerts", headers: bearerOf(token) });
  assert.equal((await ask()).statusCode, 200);

  const revoked = await app.call("DELETE", `/v2/tokens/${id.toUpperCase()}`);
  await until(async () => (await ask()).statusCode === 401);
  const twice = await app.call("DELETE", `/v2/tokens/${id}`);
  const { body } = await app.call("GET", "/v2/tokens");

  assert.equal(revoked.status, 204);
  assert.equal(revoked.text, "");
  assert.equal(twice.status, 404);
  assert.equal(twice.body.error.code, "token_not_found");
  const item = body.items.find((one: { id: string }) => one.id === id);
  assert.equal(item.revoked_at_ms, NOW_MS);
  assert.equal((await post(app, { name: "desk" })).status, 201);
});

test("a token may revoke itself, but not if it is the last one that can write", async (t) => {
  const app = await borrowTestApp(t);
  await addToken(app.db, { isReadOnly: true });
  await addToken(app.db, { expiresAtMs: NOW_MS - 1 });
  const own = (await app.call("GET", "/v2/tokens")).body.items.find(
    (item: { is_current: boolean }) => item.is_current,
  );

  const last = await app.call("DELETE", `/v2/tokens/${own.id}`);
  await addToken(app.db, {});
  const other = await app.call("DELETE", `/v2/tokens/${own.id}`);

  assert.equal(last.status, 409);
  assert.equal(last.body.error.code, "in_use");
  assert.equal(other.status, 204);
  await until(async () => (await app.call("GET", "/v2/tokens")).status === 401);
});

test("of tokens that revoke each other at once, one that can write stays", async (t) => {
  const app = await borrowTestApp(t);
  await addToken(app.db, {});
  await addToken(app.db, {});
  const tokens = await app.db.query<{ id: string }>(sql`select id from api_token`);

  const outcomes = await Promise.all(
    tokens.map(({ id }) => revokeToken(app.db, { id, nowMs: NOW_MS })),
  );

  assert.deepEqual(outcomes.toSorted(), ["last_to_write", "revoked", "revoked"]);
});

test("an unknown id is 404, a malformed one 400, a read-only token may list but not revoke", async (t) => {
  const app = await borrowTestApp(t);
  const readOnly = bearerOf(await addToken(app.db, { isReadOnly: true }));

  const unknown = await app.call("DELETE", `/v2/tokens/${randomUUID()}`);
  const malformed = await app.call("DELETE", "/v2/tokens/1");
  const list = await app.call("GET", "/v2/tokens", readOnly);
  const refused = await app.call("DELETE", `/v2/tokens/${list.body.items[0].id}`, readOnly);
  const cursor = await app.call("GET", "/v2/tokens?cursor=x");

  assert.equal(unknown.status, 404);
  assert.equal(malformed.status, 400);
  assert.equal(list.status, 200);
  assert.equal(refused.status, 403);
  assert.equal(cursor.status, 400);
});
