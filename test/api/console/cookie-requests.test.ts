import assert from "node:assert/strict";
import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import { test } from "node:test";
import { DAY_MS } from "../../../src/base/clock.ts";
import {
  type Browser,
  listen,
  openBrowser,
  openSignedIn,
} from "../../support/console/cookie-browser.ts";
import { borrowTestApp } from "../../support/shared-store.ts";
import {
  addToken,
  NOW_MS,
  openTestApp,
  revokeAnyway,
  type TestApp,
  until,
} from "../../support/test-app.ts";

const OWN = "http://127.0.0.1";
const PUBLIC = "https://assay.example";

/** What a request says about where it comes from, and the status of a GET and of a write. */
const ORIGINS: readonly (readonly [
  name: string,
  headers: Readonly<Record<string, string>>,
  read: number,
  write: number,
])[] = [
  ["the console's page", { "sec-fetch-site": "same-origin" }, 200, 201],
  ["the address bar", { "sec-fetch-site": "none" }, 200, 403],
  ["another port of the host", { "sec-fetch-site": "same-site" }, 403, 403],
  ["another site", { "sec-fetch-site": "cross-site" }, 403, 403],
  ["another site with our origin", { "sec-fetch-site": "cross-site", origin: OWN }, 403, 403],
  [
    "the page, of a browser that names a foreign origin",
    { "sec-fetch-site": "same-origin", origin: "http://x" },
    200,
    201,
  ],
  ["an unknown word", { "sec-fetch-site": "elsewhere" }, 403, 403],
  ["no header at all", { "sec-fetch-site": "" }, 200, 403],
  ["the host asked", { "sec-fetch-site": "", origin: OWN, host: "127.0.0.1" }, 200, 201],
  [
    "the host asked, over https",
    { "sec-fetch-site": "", origin: "https://desk:8443", host: "DESK:8443" },
    200,
    201,
  ],
  [
    "another port by origin",
    { "sec-fetch-site": "", origin: `${OWN}:81`, host: "127.0.0.1" },
    200,
    403,
  ],
  ["another host by origin", { "sec-fetch-site": "", origin: "http://evil.example" }, 200, 403],
  [
    "a host that starts like ours",
    { "sec-fetch-site": "", origin: `${OWN}.evil.example`, host: "127.0.0.1" },
    200,
    403,
  ],
  ["an opaque origin", { "sec-fetch-site": "", origin: "null" }, 200, 403],
  ["ASSAY_PUBLIC_URL", { "sec-fetch-site": "", origin: PUBLIC }, 200, 201],
  [
    "ASSAY_PUBLIC_URL without TLS",
    { "sec-fetch-site": "", origin: "http://assay.example" },
    200,
    403,
  ],
];

test("a request with the cookie must come from the console itself", async (t) => {
  const own = await openTestApp(t, {
    environment: { HOST: "0.0.0.0", ASSAY_PUBLIC_URL: `${PUBLIC}/` },
  });
  const browser = await openSignedIn(own, await listen(t, own));

  for (const [at, [name, headers, read, write]] of ORIGINS.entries()) {
    const body = { name: `token ${at}` };
    assert.equal((await browser.ask("GET", "/v2/alerts", { headers })).status, read, name);
    assert.equal((await browser.ask("GET", "/console/session", { headers })).status, read, name);
    const written = await browser.ask("POST", "/v2/tokens", { body, headers });
    assert.equal(written.status, write, name);
    if (write === 403) assert.equal(written.body.error.code, "forbidden");
  }
});

test("signing in and out must come from the console itself", async (t) => {
  const own = await openTestApp(t, { environment: { HOST: "0.0.0.0", ASSAY_PUBLIC_URL: PUBLIC } });
  const url = await listen(t, own);

  for (const [name, headers, , write] of ORIGINS) {
    const body = { token: own.token };
    const opened = await openBrowser(url).ask("POST", "/console/sessions", { body, headers });
    assert.equal(opened.status, write, name);
    const browser = await openSignedIn(own, url);
    const left = await browser.ask("DELETE", "/console/session", { headers });
    assert.equal(left.status, write === 201 ? 204 : write, name);
  }
});

test("a HEAD with the cookie follows the rule of writes", async (t) => {
  const own = await borrowTestApp(t);
  const browser = await openSignedIn(own, await listen(t, own));
  const none = { "sec-fetch-site": "" };

  assert.equal((await browser.ask("HEAD", "/v2/alerts")).status, 200);
  assert.equal((await browser.ask("HEAD", "/v2/alerts", { headers: none })).status, 403);
});

test("a bearer header wins over the cookie, whether it is valid or not", async (t) => {
  const own = await borrowTestApp(t);
  const browser = await openSignedIn(own, await listen(t, own));
  const readOnly = await addToken(own.db, { isReadOnly: true });
  const body = { name: "x" };

  const wrong = await browser.ask("GET", "/v2/alerts", { headers: { authorization: "Bearer x" } });
  const headers = { authorization: `Bearer ${readOnly}` };
  const written = await browser.ask("POST", "/v2/tokens", { body, headers });
  const crossSite = { authorization: `Bearer ${own.token}`, "sec-fetch-site": "cross-site" };
  const allowed = await browser.ask("POST", "/v2/tokens", { body, headers: crossSite });

  assert.equal(wrong.status, 401);
  assert.equal(written.status, 403);
  assert.match(written.body.error.message, /needs the role owner/);
  assert.equal(allowed.status, 201, "no page can send this header to another site");
});

test("a session's secret is no token, and a token is no session's secret", async (t) => {
  const own = await borrowTestApp(t);
  const browser = await openSignedIn(own, await listen(t, own));
  const [[name, secret] = ["", ""]] = browser.cookies;
  await browser.ask("GET", "/v2/alerts");

  for (const text of [secret, `session ${secret}`, `session%20${secret}`]) {
    const headers = { authorization: `Bearer ${text}` };
    assert.equal((await browser.ask("GET", "/v2/alerts", { headers })).status, 401, text);
  }
  for (const value of [own.token, "", "x", `${secret}x`]) {
    browser.cookies.set(name, value);
    const answer = await browser.ask("GET", "/v2/alerts");
    assert.equal(answer.status, 401, value);
    assert.match(answer.body.error.message, /the session has ended; sign in again/);
  }
});

test("everything below /console needs a token or a session, also unknown paths", async (t) => {
  const own = await borrowTestApp(t);
  const url = await listen(t, own);
  const [stranger, browser] = [openBrowser(url), await openSignedIn(own, url)];

  for (const path of ["/console", "/console/session", "/console/sessions", "/console/no/such"]) {
    assert.equal((await stranger.ask("GET", path)).status, 401, path);
  }
  assert.equal((await stranger.ask("GET", "/consoles")).status, 404);
  assert.equal((await browser.ask("GET", "/console/no/such")).status, 404);
  assert.equal((await browser.ask("PUT", "/console/sessions")).status, 405);
});

test("the session of a read-only token reads and signs out, and changes nothing of others", async (t) => {
  const own = await borrowTestApp(t);
  const url = await listen(t, own);
  const other = await openSignedIn(own, url);
  const browser = openBrowser(url);
  const token = await addToken(own.db, { isReadOnly: true });
  const opened = await browser.ask("POST", "/console/sessions", { body: { token } });
  const foreign = (await other.ask("GET", "/console/sessions")).body.items.filter(
    ({ is_own }: { is_own: boolean }) => is_own,
  );

  const statuses = [
    (await browser.ask("POST", "/v2/tokens", { body: { name: "x" } })).status,
    ...(await Promise.all(
      foreign.map(async ({ id }: { id: string }) => {
        return (await browser.ask("DELETE", `/console/sessions/${id}`)).status;
      }),
    )),
  ];

  assert.equal(opened.body.is_read_only, true);
  assert.deepEqual(statuses, [403, 404]);
  assert.equal((await browser.ask("GET", "/console/sessions")).body.items.length, 1);
  assert.equal((await other.ask("GET", "/console/session")).status, 200);
  assert.equal((await browser.ask("DELETE", "/console/session")).status, 204);
});

test("a session ends after 30 days, and with its token if that expires first", async (t) => {
  const own = await openTestApp(t);
  const url = await listen(t, own);
  const [long, short] = [await openSignedIn(own, url), openBrowser(url)];
  const token = await addToken(own.db, { expiresAtMs: NOW_MS + DAY_MS });
  await short.ask("POST", "/console/sessions", { body: { token } });
  const statuses = async () => [
    (await long.ask("GET", "/v2/alerts")).status,
    (await short.ask("GET", "/v2/alerts")).status,
  ];

  assert.deepEqual(await statuses(), [200, 200]);
  own.clock.advance(DAY_MS);
  assert.deepEqual(await statuses(), [200, 401]);
  own.clock.advance(29 * DAY_MS - 1);
  assert.deepEqual(await statuses(), [200, 401]);
  own.clock.advance(1);
  assert.deepEqual(await statuses(), [401, 401]);
});

for (const [how, end] of [
  ["its token is revoked", (own: TestApp) => revokeAnyway(own.db, "console")],
  ["it signs out", (_own: TestApp, browser: Browser) => browser.ask("DELETE", "/console/session")],
  ["another browser ends it", endFromElsewhere],
  ["its 30 days are over", async (own: TestApp) => own.clock.advance(30 * DAY_MS)],
] as const) {
  test(`a session's requests and streams end within a second after ${how}`, async (t) => {
    const own = await openTestApp(t);
    const url = await listen(t, own);
    const browser = await openSignedIn(own, url);
    const copy = openBrowser(url);
    for (const [name, value] of browser.cookies) copy.cookies.set(name, value);
    const stream = await follow(url, browser);
    assert.equal((await copy.ask("GET", "/v2/alerts")).status, 200);

    await end(own, browser, url);

    await until(() => stream.readableEnded);
    await until(async () => (await copy.ask("GET", "/v2/alerts")).status === 401);
  });
}

test("a kept answer is not sent for a cookie that another site uses, and a token beside the cookie gets it", async (t) => {
  const own = await openTestApp(t);
  const browser = await openSignedIn(own, await listen(t, own));
  const withToken = { authorization: `Bearer ${own.token}`, "sec-fetch-site": "cross-site" };
  const readyCount = async () => {
    const { text } = await own.call("GET", "/metrics");
    return Number(/^assay_http_ready_answers_total (\d+)/m.exec(text)?.[1]);
  };
  await until(async () => {
    await browser.ask("GET", "/v2/alerts", { headers: withToken });
    return (await readyCount()) > 0;
  });
  const before = await readyCount();

  const crossSite = { "sec-fetch-site": "cross-site" };
  const refused = await browser.ask("GET", "/v2/alerts", { headers: crossSite });
  const plain = await browser.ask("GET", "/v2/alerts");
  const token = await browser.ask("GET", "/v2/alerts", { headers: withToken });

  assert.deepEqual([refused.status, plain.status, token.status], [403, 200, 200]);
  assert.deepEqual(plain.body, token.body);
  assert.equal(await readyCount(), before + 1);
});

async function endFromElsewhere(own: TestApp, _browser: Browser, url: string): Promise<void> {
  const other = await openSignedIn(own, url);
  const { items } = (await other.ask("GET", "/console/sessions")).body;
  const { id } = items.find(({ is_current }: { is_current: boolean }) => !is_current);
  assert.equal((await other.ask("DELETE", `/console/sessions/${id}`)).status, 204);
}

async function follow(url: string, { cookies }: Browser): Promise<IncomingMessage> {
  const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  const sent = get(`${url}/v2/events`, { headers: { cookie }, agent: false });
  const [response] = (await once(sent, "response")) as [IncomingMessage];
  assert.equal(response.statusCode, 200);
  response.resume();
  return response;
}
