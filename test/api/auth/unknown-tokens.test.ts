import assert from "node:assert/strict";
import { request } from "node:http";
import { test } from "node:test";
import { networkOf } from "../../../src/api/limits/client-address.ts";
import { MINUTE_MS } from "../../../src/base/clock.ts";
import { sql } from "../../../src/db/sql.ts";
import { createTokenText } from "../../../src/people/token.ts";
import { listen, openBrowser, openSignedIn } from "../../support/console/cookie-browser.ts";
import { addToken, openAppOn, openTestApp, until } from "../../support/test-app.ts";
import { holdTable } from "../../support/test-database.ts";

const LIMIT = 60;

test("unknown tokens are limited by address, and valid ones never are, whether they were used before or not", async (t) => {
  const { app, db, feed, clock, token, call } = await openTestApp(t);
  const newToken = await addToken(db, {});
  const ask = (text: string, remoteAddress = "192.0.2.7") =>
    app.inject({
      url: "/v2/alerts",
      headers: { authorization: `Bearer ${text}` },
      remoteAddress,
    });
  await call("GET", "/v2/alerts");
  const statuses: number[] = [];
  for (let at = 0; at < LIMIT; at += 1) statuses.push((await ask(createTokenText())).statusCode);

  const limited = await ask(createTokenText());
  const known = await ask(token);
  const elsewhere = await ask(createTokenText(), "192.0.2.8");
  const shapeless = await ask("assay_nobody");
  const firstUse = await ask(newToken);
  // All tokens are forgotten, so that the store must be asked for this one too.
  let isHeard = false;
  feed.subscribe("api_token", () => {
    isHeard = true;
  });
  await db.execute(sql`select pg_notify('assay_changes', 'api_token')`);
  await until(() => isHeard);
  const knownStill = await ask(token);
  clock.advance(MINUTE_MS);
  const later = await ask(createTokenText());

  assert.ok(statuses.every((status) => status === 401));
  assert.equal(limited.statusCode, 429);
  assert.equal(limited.json().error.code, "rate_limited");
  assert.equal(limited.headers["retry-after"], "1");
  assert.deepEqual([known.statusCode, knownStill.statusCode], [200, 200]);
  assert.equal(elsewhere.statusCode, 401);
  assert.equal(shapeless.statusCode, 401, "it costs no query");
  assert.equal(firstUse.statusCode, 200, "it is checked first, and only wrong ones count");
  assert.equal(later.statusCode, 401);
});

test("after a restart, a stranger's unknown tokens lock out neither tokens nor sessions", async (t) => {
  const own = await openTestApp(t);
  const signedIn = await openSignedIn(own, await listen(t, own));
  const restarted = await openAppOn(t, own);
  const url = await listen(t, restarted);
  const browser = openBrowser(url);
  for (const [name, value] of signedIn.cookies) browser.cookies.set(name, value);
  const ask = async (token: string): Promise<number> => {
    const headers = { authorization: `Bearer ${token}` };
    return (await fetch(`${url}/v2/alerts`, { headers })).status;
  };

  const guesses: number[] = [];
  for (let at = 0; at <= LIMIT; at += 1) guesses.push(await ask(createTokenText()));
  const more = Array.from({ length: 40 }, () => ask(createTokenText()));
  const tokens = await Promise.all(Array.from({ length: 5 }, () => ask(own.token)));
  const session = await browser.ask("GET", "/v2/alerts");

  assert.equal(guesses.at(-1), 429);
  assert.deepEqual([...new Set(await Promise.all(more))], [429]);
  assert.deepEqual([...new Set(tokens)], [200]);
  assert.equal(session.status, 200);
});

test("a session that was just opened is no stranger: its first request waits behind no guesses", async (t) => {
  const own = await openTestApp(t, { environment: { ASSAY_REQUESTS_IN_FLIGHT: "1" } });
  const url = await listen(t, own);
  const browser = await openSignedIn(own, url);
  const isInFlight = async (count: number): Promise<boolean> =>
    (await own.app.inject("/metrics")).body.includes(`\nassay_http_requests_in_flight ${count}\n`);
  const store = holdTable(own.db, sql`lock table api_token in access exclusive mode`);
  await store.held;
  const guess = fetch(`${url}/v2/alerts`, {
    headers: { authorization: `Bearer ${createTokenText()}` },
  });
  await until(() => isInFlight(1));

  const first = browser.ask("GET", "/v2/alerts");
  await Promise.race([first, until(() => isInFlight(2))]);
  await store.release();

  assert.equal((await first).status, 200);
  assert.equal((await guess).status, 401);
});

test("valid tokens do not use up the limit of unknown ones", async (t) => {
  const { app, db } = await openTestApp(t);

  for (let at = 0; at < LIMIT + 5; at += 1) {
    const authorization = `Bearer ${await addToken(db, {})}`;
    const answer = await app.inject({ url: "/v2/alerts", headers: { authorization } });
    assert.equal(answer.statusCode, 200);
  }
});

test("two Authorization headers are refused with 400, whichever comes first", async (t) => {
  const { app, token } = await openTestApp(t);
  const url = await app.listen({ port: 0, host: "127.0.0.1" });
  const right = `Bearer ${token}`;

  for (const [first, second] of [
    [right, "Bearer x"],
    ["Basic x", right],
    [right, right],
  ] as const) {
    // Only a list of pairs sends the same header twice.
    const status = await statusOf(url, [
      "Host",
      "x",
      "Authorization",
      first,
      "Authorization",
      second,
    ]);
    assert.equal(status, 400, `${first.slice(0, 8)}, ${second.slice(0, 8)}`);
  }
});

test("the network of a client is its IPv4 address or the first half of its IPv6 address", () => {
  const networks = {
    "192.0.2.1": "192.0.2.1",
    "::ffff:192.0.2.1": "192.0.2.1",
    "2001:db8:1:2:3:4:5:6": "2001:db8:1:2::/64",
    "2001:db8:1:2::": "2001:db8:1:2::/64",
    "2001:0db8:0001:0002::1": "2001:db8:1:2::/64",
    "2001:db8::1": "2001:db8:0:0::/64",
    "::1": "0:0:0:0::/64",
    "fe80::1%eth0": "fe80:0:0:0::/64",
  };

  for (const [address, network] of Object.entries(networks)) {
    assert.equal(networkOf(address), network, address);
  }
});

function statusOf(url: string, headers: readonly string[]): Promise<number> {
  return new Promise((resolve, reject) => {
    const call = request(`${url}/v2/alerts`, { headers }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    call.on("error", reject).end();
  });
}
