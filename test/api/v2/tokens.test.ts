import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { sql } from "../../../src/db/sql.ts";
import { listen, newCode, openBrowser } from "../../support/console/cookie-browser.ts";
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

  const own = await app.call("GET", "/v2/me");
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
    role: "market",
    is_read_only: true,
    is_current: false,
    created_at_ms: NOW_MS,
    created_by_token_id: own.body.token_id,
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
    { name: "a", role: "admin" },
    { name: "a", role: "desk", is_read_only: true },
    { name: "a", role: "market", is_read_only: false },
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

test("no token can be named like Assay itself, or like another one with characters that nobody sees", async (t) => {
  const app = await borrowTestApp(t);
  const environment = { DATABASE_URL: app.url, ASSAY_ALLOW_UNSAFE_STORE: "true" };
  const reserved = [" console ", "CLI", "assay", "demo", "ｃｏｎｓｏｌｅ", "c o n s o l e"];
  const unseen = ["c\u200bonsole", "An\u202ena", "An\nna", "A\u00adnna", "\u2066Anna", "c\u200dli"];
  unseen.push("\u0000Anna", "An\u2028na", "\u3164", "An\u0007na");

  for (const [names, reason] of [
    [reserved, /^name: "(?:console|cli|assay|demo)" is kept for Assay itself/],
    [unseen, /^name: must have a character that can be seen, and no line breaks or invisible/],
  ] as const) {
    for (const name of names) {
      const refused = await post(app, { name });
      assert.deepEqual([name, refused.status], [name, 400]);
      assert.match(refused.body.error.message, reason);
    }
  }
  const command = await callAssay(["token", "create", "--name", "console"], environment);
  assert.deepEqual([command.code, command.out], [2, ""]);
  assert.match(command.err, /--name: "console" is kept for Assay itself/);
  for (const name of ["Müller & Söhne", "👩‍💻 ❤️ 1️⃣", "می‌خواهم", "क्‍ष", "陳大文", "o’Brien"]) {
    assert.equal((await post(app, { name })).status, 201, name);
  }
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

test("a token may revoke itself, but not if it is the last owner", async (t) => {
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

test("an unknown id is 404, a malformed one 400; a desk may list and not revoke, the market neither", async (t) => {
  const app = await borrowTestApp(t);
  const [desk, market] = [
    bearerOf(await addToken(app.db, { role: "desk" })),
    bearerOf(await addToken(app.db, { role: "market" })),
  ];

  const unknown = await app.call("DELETE", `/v2/tokens/${randomUUID()}`);
  const malformed = await app.call("DELETE", "/v2/tokens/1");
  const list = await app.call("GET", "/v2/tokens", desk);
  const refused = await app.call("DELETE", `/v2/tokens/${list.body.items[0].id}`, desk);
  const hidden = await app.call("GET", "/v2/tokens", market);
  const cursor = await app.call("GET", "/v2/tokens?cursor=x");

  assert.equal(unknown.status, 404);
  assert.equal(malformed.status, 400);
  assert.equal(list.status, 200);
  assert.deepEqual([refused.status, hidden.status, cursor.status], [403, 403, 400]);
  assert.match(refused.body.error.message, /needs the role owner, and the token has the role desk/);
  assert.match(hidden.body.error.message, /needs the role desk, and the token has the role market/);
});

test("a role is chosen, changed and shown, and holds at once", async (t) => {
  const app = await borrowTestApp(t);
  const { token, id, role, is_read_only } = (await post(app, { name: "mei", role: "desk" })).body;
  const list = () => app.call("GET", "/v2/tokens", bearerOf(token));
  assert.equal((await list()).status, 200);

  const lowered = await app.send("PATCH", `/v2/tokens/${id}`, { role: "market" });
  const refused = await list();
  const again = await app.send("PATCH", `/v2/tokens/${id}`, { role: "market" });
  const wrong = await app.send("PATCH", `/v2/tokens/${id}`, { role: "king" });
  const unknown = await app.send("PATCH", `/v2/tokens/${randomUUID()}`, { role: "desk" });

  assert.deepEqual([role, is_read_only], ["desk", false]);
  assert.deepEqual([lowered.status, lowered.body.role], [200, "market"]);
  assert.equal(lowered.body.is_read_only, true);
  assert.equal(refused.status, 403);
  assert.deepEqual([again.status, wrong.status, unknown.status], [200, 400, 404]);
});

test("the last owner is not lowered, and one that expires does not count beside one that does not", async (t) => {
  const app = await borrowTestApp(t);
  const { token_id: id } = (await app.call("GET", "/v2/me")).body;
  await addToken(app.db, { expiresAtMs: NOW_MS + 1_000 });

  const lowered = await app.send("PATCH", `/v2/tokens/${id}`, { role: "desk" });
  const revoked = await app.call("DELETE", `/v2/tokens/${id}`);
  const same = await app.send("PATCH", `/v2/tokens/${id}`, { role: "owner" });

  assert.deepEqual([lowered.status, lowered.body.error.code], [409, "in_use"]);
  assert.equal(revoked.status, 409);
  assert.equal(same.status, 200);
});

test("a rotated token keeps its id, its old text stops, and so do its browsers but the one that asks", async (t) => {
  const app = await openTestApp(t);
  const url = await listen(t, app);
  const { token, id } = (await post(app, { name: "mei" })).body;
  const [asking, other] = [openBrowser(url), openBrowser(url)];
  for (const browser of [asking, other]) {
    const { status } = await browser.ask("POST", "/console/sessions", { body: { token } });
    assert.equal(status, 201);
  }

  const rotated = await asking.ask("POST", `/v2/tokens/${id}/rotate`);

  assert.deepEqual([rotated.status, rotated.body.id, rotated.body.name], [200, id, "mei"]);
  assert.notEqual(rotated.body.token, token);
  const ask = (text: string) => app.call("GET", "/v2/alerts", bearerOf(text));
  await until(async () => (await ask(token)).status === 401);
  assert.equal((await ask(rotated.body.token)).status, 200);
  assert.equal((await asking.ask("GET", "/v2/me")).status, 200);
  assert.equal((await other.ask("GET", "/v2/me")).status, 401);
  const old = await other.ask("POST", "/console/sessions", { body: { token } });
  assert.equal(old.status, 401);
});

test("a revoked or expired token, and the one of links, are not rotated", async (t) => {
  const app = await openTestApp(t);
  await newCode(app.db, { nowMs: NOW_MS });
  const { id } = (await post(app, { name: "gone" })).body;
  await app.call("DELETE", `/v2/tokens/${id}`);
  const expired = (await post(app, { name: "old", expires_at_ms: NOW_MS + 1 })).body;
  app.clock.advance(1);
  const { items } = (await app.call("GET", "/v2/tokens")).body;
  const ofLinks = items.find(({ name }: { name: string }) => name === "console");

  const answers = [];
  for (const one of [id, expired.id, ofLinks.id, randomUUID()]) {
    const { status, body } = await app.send("POST", `/v2/tokens/${one}/rotate`);
    answers.push([status, body.error.message.split(";")[0]]);
  }

  assert.deepEqual(answers, [
    [404, "this token is revoked"],
    [404, "this token has expired"],
    [409, "only links use this token, and nobody knows its text"],
    [404, "there is no token with this id"],
  ]);
});

test("a token is revoked with all that it made, also after it was revoked itself", async (t) => {
  const app = await borrowTestApp(t);
  const first = (await post(app, { name: "first" })).body;
  const second = (await post(app, { name: "second" }, first.token)).body;
  const third = (await post(app, { name: "third" }, second.token)).body;
  const other = (await post(app, { name: "other" })).body;
  const isRevoked = async (id: string) => {
    const { items } = (await app.call("GET", "/v2/tokens")).body;
    return items.find((one: { id: string }) => one.id === id).revoked_at_ms !== undefined;
  };

  await app.call("DELETE", `/v2/tokens/${second.id}`);
  assert.equal(await isRevoked(third.id), false);
  const all = await app.call("DELETE", `/v2/tokens/${first.id}?with_made=true`);
  const rest = await app.call("DELETE", `/v2/tokens/${second.id}?with_made=true`);

  assert.deepEqual([all.status, rest.status], [204, 404]);
  for (const { id } of [first, second, third]) assert.equal(await isRevoked(id), true);
  assert.equal(await isRevoked(other.id), false);
});

test("a token made in a browser ends no later than the token of its session", async (t) => {
  const app = await openTestApp(t);
  const url = await listen(t, app);
  const soon = NOW_MS + 60_000;
  const token = await addToken(app.db, { expiresAtMs: soon });
  const browser = openBrowser(url);
  await browser.ask("POST", "/console/sessions", { body: { token } });

  const made = await browser.ask("POST", "/v2/tokens", { body: { name: "made" } });
  const longer = { name: "longer", expires_at_ms: soon + 1 };
  const refused = await browser.ask("POST", "/v2/tokens", { body: longer });

  assert.equal(made.body.expires_at_ms, soon);
  assert.equal(refused.status, 403);
});
