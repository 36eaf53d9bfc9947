import assert from "node:assert/strict";
import { test } from "node:test";
import { toBrowserLabel } from "../../../src/api/auth/console-session.ts";
import { DAY_MS, MINUTE_MS } from "../../../src/base/clock.ts";
import { sql } from "../../../src/db/sql.ts";
import {
  CODE_MAX_AGE_MS,
  createCode,
  createTokenText,
  tokenPrefix,
} from "../../../src/people/token.ts";
import {
  listen,
  newCode,
  openBrowser,
  openSignedIn,
  USER_AGENT,
} from "../../support/console/cookie-browser.ts";
import { borrowTestApp } from "../../support/shared-store.ts";
import {
  addToken,
  NOW_MS,
  openAppOn,
  openTestApp,
  revokeAnyway,
  until,
} from "../../support/test-app.ts";
import { holdTable } from "../../support/test-database.ts";

const SIGN_INS_PER_MINUTE = 20;
const PATH = "/console/sessions";
/** As many as a test's database has at once. */
const TRANSACTIONS = 4;

test("a link's code opens a session of the token console, which reads and writes", async (t) => {
  const own = await borrowTestApp(t);
  const browser = openBrowser(await listen(t, own));
  const code = await newCode(own.db, { nowMs: NOW_MS });

  const answer = await browser.ask("POST", PATH, { body: { code } });

  assert.equal(answer.status, 201);
  assert.deepEqual(answer.body, {
    token_name: "console",
    role: "owner",
    is_read_only: false,
    expires_at_ms: NOW_MS + 30 * DAY_MS,
  });
  assert.equal(answer.headers["cache-control"], "no-store");
  assert.deepEqual((await browser.ask("GET", "/console/session")).body, answer.body);
  assert.equal((await browser.ask("GET", "/v2/alerts")).status, 200);
  const written = await browser.ask("POST", "/v2/tokens", { body: { name: "made here" } });
  assert.equal(written.status, 201);
});

test("the cookie is for this host and all paths, hidden from scripts and other sites, and named after the store", async (t) => {
  const own = await borrowTestApp(t);
  const browser = openBrowser(await listen(t, own));
  const code = await newCode(own.db, { nowMs: NOW_MS });

  const answer = await browser.ask("POST", PATH, { body: { code } });

  const [cookie = ""] = answer.headers["set-cookie"] ?? [];
  assert.match(
    cookie,
    /^assay_[0-9a-f]{8}=[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Strict$/,
  );
});

for (const [how, environment, headers] of [
  ["ASSAY_PUBLIC_URL is https", { ASSAY_PUBLIC_URL: "https://assay.example" }, {}],
  [
    "the page was opened over https",
    { HOST: "0.0.0.0" },
    { "sec-fetch-site": "", host: "assay.example", origin: "https://assay.example" },
  ],
] as const) {
  test(`the cookie is sent over https only if ${how}`, async (t) => {
    const own = await openTestApp(t, { environment });
    const browser = openBrowser(await listen(t, own));
    const code = await newCode(own.db, { nowMs: NOW_MS });

    const answer = await browser.ask("POST", PATH, { body: { code }, headers });
    const left = await browser.ask("DELETE", "/console/session", { headers });

    assert.equal(answer.status, 201);
    assert.match(String(answer.headers["set-cookie"]), /; Secure$/);
    assert.equal(left.status, 204);
    assert.match(String(left.headers["set-cookie"]), /=; Max-Age=0; .*; Secure$/);
  });
}

test("X-Forwarded-Proto is not trusted: it makes no cookie secure", async (t) => {
  const own = await borrowTestApp(t);
  const browser = openBrowser(await listen(t, own));
  const code = await newCode(own.db, { nowMs: NOW_MS });

  const headers = { "x-forwarded-proto": "https" };
  const answer = await browser.ask("POST", PATH, { body: { code }, headers });

  assert.equal(answer.status, 201);
  assert.doesNotMatch(String(answer.headers["set-cookie"]), /Secure/);
});

test("a code works once, also for requests at the same time", async (t) => {
  const own = await borrowTestApp(t);
  const url = await listen(t, own);
  const code = await newCode(own.db, { nowMs: NOW_MS });

  const answers = await Promise.all(
    Array.from({ length: 5 }, () => openBrowser(url).ask("POST", PATH, { body: { code } })),
  );

  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 401, 401, 401, 401]);
  const refused = answers.find(({ status }) => status === 401);
  assert.equal(refused?.body.error.code, "unauthorized");
  assert.match(refused?.body.error.message, /used already or is too old/);
  assert.equal(refused?.headers["set-cookie"], undefined);
});

test("a used code just opens the page for a browser that is signed in, and changes nothing", async (t) => {
  const own = await borrowTestApp(t);
  const browser = openBrowser(await listen(t, own));
  const code = await newCode(own.db, { nowMs: NOW_MS });
  const first = await browser.ask("POST", PATH, { body: { code } });

  const again = await browser.ask("POST", PATH, { body: { code } });

  assert.equal(again.status, 200);
  assert.deepEqual(again.body, first.body);
  assert.equal(again.headers["set-cookie"], undefined);
  assert.equal((await browser.ask("GET", PATH)).body.items.length, 1);
});

test("a code works for 15 minutes", async (t) => {
  const own = await openTestApp(t);
  const url = await listen(t, own);
  const codes = [
    await newCode(own.db, { nowMs: NOW_MS }),
    await newCode(own.db, { nowMs: NOW_MS }),
  ];
  const ask = (code: string | undefined) =>
    openBrowser(url).ask("POST", PATH, { body: { code: code ?? "" } });

  own.clock.advance(CODE_MAX_AGE_MS - 1);
  const inTime = await ask(codes[0]);
  own.clock.advance(1);
  const late = await ask(codes[1]);

  assert.equal(CODE_MAX_AGE_MS, 15 * MINUTE_MS);
  assert.deepEqual([inTime.status, late.status], [201, 401]);
});

test("a code of a token that was revoked meanwhile opens nothing", async (t) => {
  const own = await borrowTestApp(t);
  const url = await listen(t, own);
  const code = await newCode(own.db, { nowMs: NOW_MS });

  await revokeAnyway(own.db, "console");
  const answer = await openBrowser(url).ask("POST", PATH, { body: { code } });

  assert.equal(answer.status, 401);
});

test("a token opens a session that ends with it, and a wrong one opens none", async (t) => {
  const own = await borrowTestApp(t);
  const url = await listen(t, own);
  const expiresAtMs = NOW_MS + DAY_MS;
  const token = await addToken(own.db, { isReadOnly: true, expiresAtMs });

  const browser = openBrowser(url);
  const opened = await browser.ask("POST", PATH, { body: { token } });
  const wrong = await openBrowser(url).ask("POST", PATH, { body: { token: createTokenText() } });
  const secret = [...browser.cookies.values()].join();
  const asToken = await openBrowser(url).ask("POST", PATH, { body: { token: secret } });

  assert.equal(opened.status, 201);
  assert.deepEqual([opened.body.is_read_only, opened.body.expires_at_ms], [true, expiresAtMs]);
  assert.match(String(opened.headers["set-cookie"]), /Max-Age=86400;/);
  assert.deepEqual([wrong.status, asToken.status], [401, 401]);
  assert.match(wrong.body.error.message, /token is unknown, revoked or expired/);
});

test("a body needs either a code or a token, and is small", async (t) => {
  const own = await borrowTestApp(t);
  const browser = openBrowser(await listen(t, own));
  const bodies = [{}, { code: "a", token: "b" }, { code: 1 }, { name: "x" }, { code: "" }];

  for (const body of bodies) {
    assert.equal((await browser.ask("POST", PATH, { body })).status, 400, JSON.stringify(body));
  }
  const large = await browser.ask("POST", PATH, { body: { code: "a".repeat(5_000) } });
  assert.equal(large.status, 413);
});

test("failed sign-ins are limited by network, others are not, and unknown tokens do not count", async (t) => {
  const own = await openTestApp(t);
  const url = await listen(t, own);
  const fail = () => openBrowser(url).ask("POST", PATH, { body: { code: "wrong" } });
  for (let at = 0; at < SIGN_INS_PER_MINUTE + 5; at += 1) await openSignedIn(own, url);
  for (let at = 0; at < SIGN_INS_PER_MINUTE + 5; at += 1) {
    await own.call("GET", "/v2/alerts", { authorization: `Bearer ${createTokenText()}` });
  }

  const statuses: number[] = [];
  for (let at = 0; at < SIGN_INS_PER_MINUTE; at += 1) statuses.push((await fail()).status);
  const limited = await fail();
  own.clock.advance(MINUTE_MS);
  const later = await fail();

  assert.deepEqual([...new Set(statuses)], [401]);
  assert.equal(limited.status, 429);
  assert.equal(limited.body.error.code, "rate_limited");
  assert.ok(Number(limited.headers["retry-after"]) >= 1);
  assert.equal(later.status, 401);
});

test("a valid token, session or code is served while failed sign-ins are refused", async (t) => {
  const own = await openTestApp(t);
  const url = await listen(t, own);
  const signedIn = await openSignedIn(own, url);
  const code = await newCode(own.db, { nowMs: NOW_MS });
  const token = await addToken(own.db, {});
  const ask = async (body: object) => (await openBrowser(url).ask("POST", PATH, { body })).status;
  while ((await ask({ code: "wrong" })) !== 429);

  assert.equal((await own.call("GET", "/v2/alerts")).status, 200);
  assert.equal((await signedIn.ask("GET", "/v2/alerts")).status, 200);
  assert.equal(await ask({ code }), 201);
  assert.equal(await ask({ token }), 201);
  assert.equal(await ask({ code: createCode() }), 429, "a wrong one of the right shape");
  assert.equal(await ask({ token: createTokenText() }), 429);
});

test("a wrong code opens no transaction: it is refused while all of them are taken", async (t) => {
  const own = await borrowTestApp(t);
  const url = await listen(t, own);
  const taken = Array.from({ length: TRANSACTIONS }, () => holdTable(own.db, sql`select 1`));
  await Promise.all(taken.map(({ held }) => held));

  const answer = await openBrowser(url).ask("POST", PATH, { body: { code: createCode() } });
  await Promise.all(taken.map(({ release }) => release()));

  assert.equal(answer.status, 401);
});

test("sign-ins that wait for the store take no place of requests with a token", async (t) => {
  const own = await openTestApp(t, { environment: { ASSAY_REQUESTS_IN_FLIGHT: "1" } });
  const url = await listen(t, own);
  await own.call("GET", "/v2/alerts");
  const code = await newCode(own.db, { nowMs: NOW_MS });
  const store = holdTable(own.db, sql`lock table console_session in share mode`);
  await store.held;

  const waiting = openBrowser(url).ask("POST", PATH, { body: { code } });
  await until(async () =>
    (await own.app.inject("/metrics")).body.includes("\nassay_http_requests_in_flight 1\n"),
  );
  const answer = await own.call("GET", "/v2/alerts");
  await store.release();

  assert.equal(answer.status, 200);
  assert.equal((await waiting).status, 201);
});

test("two stores have two cookie names, and a browser keeps both sessions", async (t) => {
  const [one, two] = [await borrowTestApp(t), await openTestApp(t)];
  const [urlOne, urlTwo] = [await listen(t, one), await listen(t, two)];
  const first = await openSignedIn(one, urlOne);
  const second = openBrowser(urlTwo);
  for (const [name, value] of first.cookies) second.cookies.set(name, value);

  const code = await newCode(two.db, { nowMs: NOW_MS });
  const opened = await second.ask("POST", PATH, { body: { code } });
  for (const [name, value] of second.cookies) first.cookies.set(name, value);

  assert.equal(opened.status, 201);
  assert.equal(first.cookies.size, 2);
  assert.equal((await first.ask("GET", "/v2/alerts")).status, 200);
  assert.equal((await second.ask("GET", "/v2/alerts")).status, 200);
});

test("all processes of a store know its sessions under one cookie name", async (t) => {
  const own = await borrowTestApp(t);
  const other = await openAppOn(t, own);
  const browser = await openSignedIn(own, await listen(t, own));
  const elsewhere = openBrowser(await listen(t, other));
  for (const [name, value] of browser.cookies) elsewhere.cookies.set(name, value);

  assert.equal((await elsewhere.ask("GET", "/console/session")).status, 200);
});

test("only hashes of codes and sessions are stored", async (t) => {
  const own = await borrowTestApp(t);
  const code = await newCode(own.db, { nowMs: NOW_MS });
  const browser = await openSignedIn(own, await listen(t, own));
  const secret = [...browser.cookies.values()].join();

  const rows = await own.db.query(sql`
    select to_jsonb(console_code)::text as text from console_code
    union all select to_jsonb(console_session)::text from console_session`);

  assert.equal(rows.length, 2);
  const stored = JSON.stringify(rows);
  for (const text of [code, secret]) {
    assert.ok(!stored.includes(text));
    assert.ok(!stored.includes(Buffer.from(text).toString("hex")));
  }
});

test("signing in again in the same browser ends its earlier session", async (t) => {
  const own = await borrowTestApp(t);
  const url = await listen(t, own);
  const browser = openBrowser(url);
  await browser.ask("POST", PATH, { body: { token: own.token } });
  const before = openBrowser(url);
  for (const [name, value] of browser.cookies) before.cookies.set(name, value);

  const again = await browser.ask("POST", PATH, { body: { token: own.token } });

  assert.equal(again.status, 201);
  assert.equal((await browser.ask("GET", PATH)).body.items.length, 1);
  await until(async () => (await before.ask("GET", "/console/session")).status === 401);
});

test("a token has at most 100 sessions: the one that was used least recently ends", async (t) => {
  const own = await borrowTestApp(t);
  await newCode(own.db, { nowMs: NOW_MS });
  await own.db.execute(sql`
    insert into console_session (token_id, sha256, label, created_at_ms, last_used_at_ms, expires_at_ms)
    select api_token.id, sha256(at::text::bytea), 'session ' || at, 0, at, ${NOW_MS + DAY_MS}
      from api_token, generate_series(1, 100) as at
     where name = 'console'`);

  const browser = await openSignedIn(own, await listen(t, own));

  const { items } = (await browser.ask("GET", PATH)).body;
  const labels = items.map(({ label }: { label: string }) => label);
  assert.equal(labels.length, 100);
  assert.ok(!labels.includes("session 1") && labels.includes("session 2"));
});

test("expired codes and sessions, and those of revoked tokens, are removed in the background", async (t) => {
  const own = await openTestApp(t);
  const url = await listen(t, own);
  await openSignedIn(own, url);
  await newCode(own.db, { nowMs: NOW_MS });
  const revoked = await addToken(own.db, {});
  await openBrowser(url).ask("POST", PATH, { body: { token: revoked } });
  await revokeAnyway(own.db, tokenPrefix(revoked));
  own.clock.advance(30 * DAY_MS);
  const fresh = await openSignedIn(own, url);
  await newCode(own.db, { nowMs: own.clock.nowMs() });
  const counts = () =>
    own.db.query<{ codes: number; sessions: number }>(sql`
      select (select count(*) from console_code)::int as codes,
             (select count(*) from console_session)::int as sessions`);
  assert.deepEqual(await counts(), [{ codes: 2, sessions: 3 }]);

  // It runs when a process starts.
  await openAppOn(t, own);

  await until(async () => {
    const [left] = await counts();
    return left?.codes === 1 && left.sessions === 1;
  });
  assert.equal((await fresh.ask("GET", "/console/session")).status, 200);
});

test("a label names the browser and its system, whatever the header says", () => {
  const phone =
    "Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 " +
    "Mobile/15E148 Safari/604.1";

  assert.equal(toBrowserLabel(USER_AGENT), "Chrome on Linux");
  assert.equal(toBrowserLabel(phone), "Safari on iPhone");
  assert.equal(toBrowserLabel(USER_AGENT.replace("Chrome/", "HeadlessChrome/")), "Chrome on Linux");
  assert.equal(toBrowserLabel("Firefox/140"), "Firefox");
  assert.equal(toBrowserLabel("something on Windows"), "browser on Windows");
  assert.equal(toBrowserLabel("<script>"), "a browser");
  assert.equal(toBrowserLabel(undefined), "a browser");
});
