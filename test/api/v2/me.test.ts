import assert from "node:assert/strict";
import { test } from "node:test";
import { MINUTE_MS } from "../../../src/base/clock.ts";
import { sql } from "../../../src/db/sql.ts";
import { ROLES } from "../../../src/people/role.ts";
import { listen, openBrowser, openSignedIn } from "../../support/console/cookie-browser.ts";
import { borrowTestApp } from "../../support/shared-store.ts";
import { addToken, NOW_MS, openTestApp, revokeAnyway, until } from "../../support/test-app.ts";

const PUBLIC_URL = "https://assay.example/desk/";
const LINK = "/v2/me/sign-in-link";
const bearerOf = (token: string) => ({ authorization: `Bearer ${token}` });

test("every role learns who it is, by its token and by its browser", async (t) => {
  const own = await borrowTestApp(t);
  const url = await listen(t, own);
  for (const role of ROLES) {
    const token = await addToken(own.db, { role });
    const browser = openBrowser(url);
    await browser.ask("POST", "/console/sessions", { body: { token } });

    const byToken = await own.call("GET", "/v2/me", bearerOf(token));
    const byBrowser = await browser.ask("GET", "/v2/me");

    assert.equal(byToken.status, 200);
    assert.equal(byToken.body.role, role);
    assert.deepEqual(Object.keys(byToken.body).toSorted(), ["name", "role", "token_id"]);
    assert.deepEqual(byBrowser.body, byToken.body);
  }
});

test("when a person last looked goes forward only, never past the clock, and is kept per token", async (t) => {
  const own = await borrowTestApp(t);
  const other = await addToken(own.db, { role: "market" });
  const look = (at_ms: unknown, token = own.token) =>
    own.send("PUT", "/v2/me/last-looked", { at_ms } as object, bearerOf(token));

  const first = await look(NOW_MS - 1_000);
  const back = await look(NOW_MS - 5_000);
  const ahead = await look(NOW_MS + 10 * MINUTE_MS, other);
  const kept = await own.call("GET", "/v2/me");
  const wrong = await Promise.all(
    [undefined, -1, 1.5, "now", Number.MAX_SAFE_INTEGER * 2].map((at) => look(at)),
  );

  assert.equal(first.body.last_looked_at_ms, NOW_MS - 1_000);
  assert.equal(back.body.last_looked_at_ms, NOW_MS - 1_000);
  assert.equal(ahead.body.last_looked_at_ms, NOW_MS);
  assert.equal(kept.body.last_looked_at_ms, NOW_MS - 1_000);
  assert.deepEqual(
    wrong.map(({ status }) => status),
    [400, 400, 400, 400, 400],
  );
  assert.equal((await own.call("GET", "/v2/activity")).body.items.length, 0);
});

test("of two browsers that look at once, the later time stays", async (t) => {
  const own = await borrowTestApp(t);
  const times = Array.from({ length: 12 }, (_, at) => NOW_MS - at * 1_000);

  await Promise.all(times.map((at_ms) => own.send("PUT", "/v2/me/last-looked", { at_ms })));

  assert.equal((await own.call("GET", "/v2/me")).body.last_looked_at_ms, NOW_MS);
});

test("a link signs another device in with the same token, once and for five minutes", async (t) => {
  const own = await openTestApp(t, { environment: { ASSAY_PUBLIC_URL: PUBLIC_URL } });
  const url = await listen(t, own);
  const browser = await openSignedIn(own, url);
  const me = (await browser.ask("GET", "/v2/me")).body;
  const codeOf = ({ body }: { body: { url: string } }) => body.url.split("#open=")[1] ?? "";

  const link = await browser.ask("POST", LINK);
  const code = codeOf(link);
  const phone = openBrowser(url);
  const opened = await phone.ask("POST", "/console/sessions", { body: { code } });
  const twice = await openBrowser(url).ask("POST", "/console/sessions", { body: { code } });
  const old = codeOf(await browser.ask("POST", LINK));
  own.clock.advance(5 * MINUTE_MS);
  const late = await openBrowser(url).ask("POST", "/console/sessions", { body: { code: old } });

  assert.equal(link.status, 201);
  assert.match(link.body.url, /^https:\/\/assay\.example\/desk\/#open=[\w-]{22}$/);
  assert.equal(link.body.expires_at_ms, NOW_MS + 5 * MINUTE_MS);
  assert.equal(link.headers["cache-control"], "no-store");
  assert.equal(opened.status, 201);
  assert.deepEqual((await phone.ask("GET", "/v2/me")).body, me);
  assert.deepEqual([twice.status, late.status], [401, 401]);
  const stored = JSON.stringify(
    await own.db.query(sql`select console_code::text from console_code`),
  );
  assert.ok(!stored.includes(old));
});

test("a link of a reader signs in a reader, and a token has 20 links at most", async (t) => {
  const own = await openTestApp(t, { environment: { ASSAY_PUBLIC_URL: PUBLIC_URL } });
  const url = await listen(t, own);
  const reader = await addToken(own.db, { role: "market" });
  const codes: string[] = [];
  for (let count = 0; count < 25; count += 1) {
    // One link comes back every three seconds.
    own.clock.advance(3_000);
    const { body } = await own.send("POST", LINK, undefined, bearerOf(reader));
    codes.push(body.url.split("#open=")[1]);
  }
  const signIn = (code: string | undefined) =>
    openBrowser(url).ask("POST", "/console/sessions", { body: { code } });

  const [first, last] = [await signIn(codes[0]), await signIn(codes.at(-1))];

  assert.equal(first.status, 401);
  assert.deepEqual([last.status, last.body.role], [201, "market"]);
});

test("a link ends with the revocation and the rotation of its token", async (t) => {
  const own = await openTestApp(t, { environment: { ASSAY_PUBLIC_URL: PUBLIC_URL } });
  const url = await listen(t, own);
  const text = await addToken(own.db, { role: "desk" });
  const { token_id: id, name } = (await own.call("GET", "/v2/me", bearerOf(text))).body;
  const makeCode = async (token: string) =>
    (await own.send("POST", LINK, undefined, bearerOf(token))).body.url.split("#open=")[1];
  const signIn = async (code: string) =>
    (await openBrowser(url).ask("POST", "/console/sessions", { body: { code } })).status;

  const before = await makeCode(text);
  const { token } = (await own.send("POST", `/v2/tokens/${id}/rotate`)).body;
  const rotated = await signIn(before);
  const again = await makeCode(token);
  await revokeAnyway(own.db, name);
  const revoked = await signIn(again);

  assert.deepEqual([rotated, revoked], [401, 401]);
  await until(async () => (await own.call("GET", "/v2/me", bearerOf(token))).status === 401);
});

test("without ASSAY_PUBLIC_URL there is no link, and the error says why", async (t) => {
  const own = await borrowTestApp(t);

  const { status, body } = await own.send("POST", LINK);

  assert.deepEqual([status, body.error.code], [409, "not_configured"]);
  assert.match(body.error.message, /ASSAY_PUBLIC_URL is not set/);
});

test("a link leads to where the page was opened, if another device can reach that", async (t) => {
  const own = await openTestApp(t, {
    environment: { HOST: "0.0.0.0", ASSAY_PUBLIC_URL: "http://localhost:8080" },
  });
  const ask = (origin: string, host: string) => own.send("POST", LINK, undefined, { origin, host });

  const reached = await ask("http://192.168.1.20:8080", "192.168.1.20:8080");
  const others = [
    await ask("http://localhost:8080", "localhost:8080"),
    await ask("http://127.0.0.1:8080", "127.0.0.1:8080"),
    await ask("https://evil.example", "192.168.1.20:8080"),
    await own.send("POST", LINK),
  ];

  assert.equal(reached.status, 201, reached.text);
  assert.match(reached.body.url, /^http:\/\/192\.168\.1\.20:8080\/#open=/);
  for (const { status, body } of others) {
    assert.equal(status, 409);
    assert.match(body.error.message, /ASSAY_PUBLIC_URL leads to this machine only/);
  }
});
