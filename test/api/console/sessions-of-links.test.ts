import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { DAY_MS, HOUR_MS } from "../../../src/base/clock.ts";
import { sql } from "../../../src/db/sql.ts";
import {
  type Browser,
  listen,
  newCode,
  openBrowser,
  openSignedIn,
} from "../../support/console/cookie-browser.ts";
import { borrowTestApp } from "../../support/shared-store.ts";
import { addToken, NOW_MS, openTestApp, until } from "../../support/test-app.ts";

const SESSIONS = "/console/sessions";

async function openDesk(t: TestContext, environment = {}) {
  const own = await openTestApp(t, {
    environment: { ASSAY_PUBLIC_URL: "https://assay.example", ...environment },
  });
  const url = await listen(t, own);
  const signIn = async (body: object, browser = openBrowser(url)) => {
    const answer = await browser.ask("POST", SESSIONS, { body });
    return { ...answer, browser };
  };
  const linkOf = async (browser: Browser): Promise<string> => {
    const { status, body } = await browser.ask("POST", "/v2/me/sign-in-link");
    assert.equal(status, 201);
    return body.url.split("#open=")[1];
  };
  const idOf = async (browser: Browser): Promise<string> => {
    const { items } = (await browser.ask("GET", SESSIONS)).body;
    return items.find(({ is_current }: { is_current: boolean }) => is_current).id;
  };
  const isIn = async (browser: Browser) => (await browser.ask("GET", "/v2/me")).status === 200;
  return { own, url, signIn, linkOf, idOf, isIn };
}

test("a link ends with the session that made it, however that ends", async (t) => {
  const { own, signIn, linkOf, idOf } = await openDesk(t);
  const token = await addToken(own.db, { role: "market" });
  const ends: readonly ((browser: Browser) => Promise<unknown>)[] = [
    (browser) => browser.ask("DELETE", "/console/session"),
    async (browser) => browser.ask("DELETE", `${SESSIONS}/${await idOf(browser)}`),
    async (browser) => own.send("DELETE", `${SESSIONS}/${await idOf(browser)}`),
    (browser) => browser.ask("POST", SESSIONS, { body: { token } }),
  ];

  for (const end of ends) {
    const { browser } = await signIn({ token });
    const code = await linkOf(browser);
    await end(browser);
    assert.equal((await signIn({ code })).status, 401);
  }
});

test("a session of a link expires no later than the one that made it, so none prolongs itself", async (t) => {
  const { own, signIn, linkOf } = await openDesk(t);
  const token = await addToken(own.db, {});
  let { browser } = await signIn({ token });
  const expiries: number[] = [];
  for (let count = 0; count < 3; count += 1) {
    own.clock.advance(DAY_MS);
    const opened = await signIn({ code: await linkOf(browser) });
    expiries.push(opened.body.expires_at_ms);
    browser = opened.browser;
  }
  const code = await linkOf(browser);
  own.clock.advance(27 * DAY_MS);

  assert.deepEqual(expiries, Array(3).fill(NOW_MS + 30 * DAY_MS));
  assert.equal((await signIn({ code })).status, 401);
});

test("a session can end with all that were signed in from it, also by way of one that has ended", async (t) => {
  const { own, signIn, linkOf, idOf, isIn } = await openDesk(t);
  const token = await addToken(own.db, { role: "desk" });
  const first = (await signIn({ token })).browser;
  const second = (await signIn({ code: await linkOf(first) })).browser;
  const third = (await signIn({ code: await linkOf(second) })).browser;
  const other = (await signIn({ token })).browser;
  const { items } = (await first.ask("GET", SESSIONS)).body;
  const counts = items.map((item: { made_count: number }) => item.made_count).toSorted();
  await second.ask("DELETE", "/console/session");
  assert.ok(await isIn(third));

  const ended = await other.ask("DELETE", `${SESSIONS}/${await idOf(first)}?with_made=true`);

  assert.deepEqual(counts, [0, 0, 1, 2]);
  assert.equal(ended.status, 204);
  await until(async () => !(await isIn(first)) && !(await isIn(third)));
  assert.ok(await isIn(other));
  const { items: rows } = (await own.call("GET", "/v2/activity?object_kind=browser_session")).body;
  const out = rows.filter(({ action }: { action: string }) => action === "signed_out");
  assert.equal(out.length, 3);
});

test("every role sees and ends the sessions of its own token, and only an owner those of others", async (t) => {
  const { own, signIn, idOf, isIn } = await openDesk(t);
  const tokens = {
    market: await addToken(own.db, { role: "market" }),
    desk: await addToken(own.db, { role: "desk" }),
  };
  const owners = (await signIn({ token: own.token })).browser;
  for (const role of ["market", "desk"] as const) {
    const one = (await signIn({ token: tokens[role] })).browser;
    const two = (await signIn({ token: tokens[role] })).browser;
    const { items } = (await one.ask("GET", SESSIONS)).body;
    const mine = items.filter(({ is_own }: { is_own: boolean }) => is_own);
    const foreign = await one.ask("DELETE", `${SESSIONS}/${await idOf(owners)}`);
    const { items: all } = (await own.call("GET", "/v2/tokens")).body;
    const ownersId = all.find(({ is_current }: { is_current: boolean }) => is_current).id;
    const foreignAll = await one.ask("DELETE", `${SESSIONS}?token_id=${ownersId}`);

    assert.equal(mine.length, 2);
    assert.equal(items.length, role === "market" ? 2 : 3 + 0);
    assert.deepEqual([foreign.status, foreignAll.status], [role === "market" ? 404 : 403, 403]);
    assert.equal((await one.ask("DELETE", `${SESSIONS}/${await idOf(two)}`)).status, 204);
    await until(async () => !(await isIn(two)));
    assert.equal((await one.ask("DELETE", "/console/session")).status, 204);
  }
  assert.ok(await isIn(owners));
});

test("ending all sessions of a token ends its open links too, of whoever made them", async (t) => {
  const { own, signIn, isIn } = await openDesk(t);
  const token = await addToken(own.db, { role: "market" });
  const bearer = { authorization: `Bearer ${token}` };
  const makeCode = async () => {
    const { body } = await own.send("POST", "/v2/me/sign-in-link", undefined, bearer);
    return body.url.split("#open=")[1];
  };
  const [one, two] = [(await signIn({ token })).browser, (await signIn({ token })).browser];
  const { token_id: id } = (await one.ask("GET", "/v2/me")).body;

  const before = await makeCode();
  assert.equal((await one.ask("DELETE", SESSIONS)).status, 204);
  assert.equal((await signIn({ code: before })).status, 401);
  await until(async () => !(await isIn(two)));
  assert.ok(await isIn(one), "the browser that asks stays");

  const next = await makeCode();
  assert.equal((await own.send("DELETE", `${SESSIONS}?token_id=${id}`)).status, 204);
  assert.equal((await signIn({ code: next })).status, 401);

  // One by one is the same.
  const last = (await signIn({ token })).browser;
  const open = await makeCode();
  for (const { id: each } of (await last.ask("GET", SESSIONS)).body.items) {
    await own.send("DELETE", `${SESSIONS}/${each}`);
  }
  assert.equal((await signIn({ code: open })).status, 401);
});

test("a sign-in with another token asks first, and until the answer nothing is used or ended", async (t) => {
  const own = await borrowTestApp(t);
  const url = await listen(t, own);
  const browser = await openSignedIn(own, url);
  const before = new Map(browser.cookies);
  const partner = await addToken(own.db, { role: "market" });
  const [{ name }] = (await own.db.query<{ name: string }>(sql`
    select name from api_token where role = 'market'`)) as [{ name: string }];
  const code = await newCode(own.db, { tokenName: name, nowMs: NOW_MS });

  for (const body of [{ code }, { code }, { token: partner }]) {
    const asked = await browser.ask("POST", SESSIONS, { body });
    assert.equal(asked.status, 202);
    assert.deepEqual(asked.body, {
      token_name: name,
      role: "market",
      former_token_name: "console",
    });
    assert.equal(asked.headers["set-cookie"], undefined);
  }
  assert.equal((await browser.ask("GET", "/console/session")).body.token_name, "console");
  const yes = await browser.ask("POST", SESSIONS, { body: { code, replace: true } });

  assert.deepEqual([yes.status, yes.body.token_name], [201, name]);
  assert.equal((await browser.ask("GET", "/console/session")).body.token_name, name);
  const former = openBrowser(url);
  for (const [cookie, value] of before) former.cookies.set(cookie, value);
  await until(async () => (await former.ask("GET", "/console/session")).status === 401);
  // Whoever has no session, or one that has ended, is asked nothing.
  const next = await newCode(own.db, { nowMs: NOW_MS });
  assert.equal((await former.ask("POST", SESSIONS, { body: { code: next } })).status, 201);
});

test("a setting says how long a browser stays signed in", async (t) => {
  const { own, signIn, isIn } = await openDesk(t, { ASSAY_CONSOLE_SESSION_HOURS: "12" });

  const { body, headers, browser } = await signIn({ token: own.token });

  assert.equal(body.expires_at_ms, NOW_MS + 12 * HOUR_MS);
  assert.match(String(headers["set-cookie"]), /Max-Age=43200;/);
  own.clock.advance(12 * HOUR_MS);
  assert.equal(await isIn(browser), false);
});

test("over https the cookie is bound to its host, and one without the prefix is not accepted", async (t) => {
  const { own, url, signIn } = await openDesk(t);
  const atProxy = { headers: { host: "assay.example" } };
  const isIn = async (browser: Browser) =>
    (await browser.ask("GET", "/v2/me", atProxy)).status === 200;

  const { headers, browser } = await signIn({ token: own.token });

  assert.match(String(headers["set-cookie"]), /^__Host-assay_[0-9a-f]{8}=[\w-]{43}; .*; Secure$/);
  const tossed = openBrowser(url);
  for (const [name, value] of browser.cookies) {
    tossed.cookies.set(name.replace("__Host-", ""), value);
  }
  assert.deepEqual([await isIn(browser), await isIn(tossed)], [true, false]);
});

test("a browser on this machine signs in over http although others come over https", async (t) => {
  const { own, url, isIn } = await openDesk(t);
  const browser = openBrowser(url);

  const { headers } = await browser.ask("POST", SESSIONS, {
    body: { token: own.token },
    headers: { origin: url },
  });

  assert.match(String(headers["set-cookie"]), /^assay_[0-9a-f]{8}=[\w-]{43}; /);
  assert.doesNotMatch(String(headers["set-cookie"]), /Secure/);
  assert.equal(await isIn(browser), true);
});
