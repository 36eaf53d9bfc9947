import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { DAY_MS, HOUR_MS } from "../../../src/base/clock.ts";
import { sql } from "../../../src/db/sql.ts";
import { listen, openBrowser, openSignedIn } from "../../support/console/cookie-browser.ts";
import { borrowTestApp } from "../../support/shared-store.ts";
import { NOW_MS, openTestApp, revokeAnyway, until } from "../../support/test-app.ts";

test("signing out deletes the session and its cookie", async (t) => {
  const own = await borrowTestApp(t);
  const browser = await openSignedIn(own, await listen(t, own));
  const [[name, value] = ["", ""]] = browser.cookies;

  const answer = await browser.ask("DELETE", "/console/session");

  assert.equal(answer.status, 204);
  assert.match(String(answer.headers["set-cookie"]), /^assay_[0-9a-f]{8}=; Max-Age=0; Path=\//);
  assert.equal(browser.cookies.size, 0);
  assert.equal((await browser.ask("GET", "/console/session")).status, 401);
  assert.deepEqual(await own.db.query(sql`select id from console_session`), []);
  browser.cookies.set(name, value);
  await until(async () => (await browser.ask("GET", "/console/session")).status === 401);
});

test("sessions are listed with token, browser and times, last used first, and never their secrets", async (t) => {
  const own = await openTestApp(t);
  const url = await listen(t, own);
  const first = await openSignedIn(own, url);
  own.clock.advance(HOUR_MS);
  const second = await openSignedIn(own, url);

  const { status, body } = await second.ask("GET", "/console/sessions");

  assert.equal(status, 200);
  assert.deepEqual(
    body.items.map(
      ({
        id: _id,
        token_id: _tokenId,
        made_count: _made,
        is_own: _own,
        ...item
      }: Record<string, unknown>) => item,
    ),
    [
      {
        token_name: "console",
        role: "owner",
        is_read_only: false,
        label: "Chrome on Linux",
        is_current: true,
        created_at_ms: NOW_MS + HOUR_MS,
        last_used_at_ms: NOW_MS + HOUR_MS,
        expires_at_ms: NOW_MS + HOUR_MS + 30 * DAY_MS,
      },
      {
        token_name: "console",
        role: "owner",
        is_read_only: false,
        label: "Chrome on Linux",
        is_current: false,
        created_at_ms: NOW_MS,
        last_used_at_ms: NOW_MS,
        expires_at_ms: NOW_MS + 30 * DAY_MS,
      },
    ],
  );
  const secrets = [first, second].flatMap(({ cookies }) => [...cookies.values()]);
  assert.ok(secrets.every((secret) => !JSON.stringify(body).includes(secret)));
});

test("sessions that expired or whose token is revoked are not listed", async (t) => {
  const own = await openTestApp(t);
  const url = await listen(t, own);
  await openSignedIn(own, url);
  const list = async () => (await own.call("GET", "/console/sessions")).body.items.length;

  const before = await list();
  own.clock.advance(30 * DAY_MS);
  const expired = await list();
  await openSignedIn(own, url);
  const again = await list();
  await revokeAnyway(own.db, "console", own.clock.nowMs());

  assert.deepEqual([before, expired, again, await list()], [1, 0, 1, 0]);
});

test("a token lists and ends sessions, but has none itself", async (t) => {
  const own = await borrowTestApp(t);
  await openSignedIn(own, await listen(t, own));

  const { items } = (await own.call("GET", "/console/sessions")).body;
  const none = await own.call("GET", "/console/session");
  const ended = await own.call("DELETE", `/console/sessions/${items[0].id}`);
  const twice = await own.call("DELETE", `/console/sessions/${items[0].id}`);

  assert.deepEqual([items.length, items[0].is_current], [1, false]);
  assert.deepEqual([none.status, none.body.error.code], [404, "console_session_not_found"]);
  assert.equal(ended.status, 204);
  assert.deepEqual([twice.status, twice.body.error.code], [404, "console_session_not_found"]);
  assert.equal((await own.call("DELETE", `/console/sessions/${randomUUID()}`)).status, 404);
  assert.equal((await own.call("DELETE", "/console/sessions/x")).status, 400);
});

test("a browser that ends its own session by id loses its cookie too", async (t) => {
  const own = await borrowTestApp(t);
  const browser = await openSignedIn(own, await listen(t, own));
  const { items } = (await browser.ask("GET", "/console/sessions")).body;

  const ended = await browser.ask("DELETE", `/console/sessions/${items[0].id.toUpperCase()}`);

  assert.equal(ended.status, 204);
  assert.equal(browser.cookies.size, 0);
});

test("the last use of a session is saved", async (t) => {
  const own = await openTestApp(t);
  const browser = await openSignedIn(own, await listen(t, own));
  own.clock.advance(HOUR_MS);

  await browser.ask("GET", "/v2/alerts");
  await own.app.close();

  const rows = await own.db.query(sql`select last_used_at_ms from console_session`);
  assert.deepEqual(rows, [{ last_used_at_ms: NOW_MS + HOUR_MS }]);
});

test("a browser without a cookie has no session", async (t) => {
  const own = await borrowTestApp(t);
  const browser = openBrowser(await listen(t, own));

  assert.equal((await browser.ask("GET", "/console/session")).status, 401);
  assert.equal((await browser.ask("DELETE", "/console/session")).status, 401);
});
