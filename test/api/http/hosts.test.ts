import assert from "node:assert/strict";
import { test } from "node:test";
import { listen, newCode, openBrowser } from "../../support/console/cookie-browser.ts";
import { openTestApp } from "../../support/test-app.ts";

const OWN_NAMES = [
  "localhost",
  "localhost:8080",
  "LOCALHOST.",
  "assay.localhost:1",
  "127.0.0.1:9000",
  "127.8.9.10",
  "[::1]:8080",
];
const OTHER_NAMES = [
  "evil.example",
  "evil.example:8080",
  "127.0.0.1.evil.example",
  "localhost.evil.example",
  "notlocalhost",
  "10.0.0.1",
  "0.0.0.0:8080",
  "[::2]",
  "no host",
];
const OPEN_PATHS = ["/metrics", "/", "/docs", "/openapi.json", "/no-such-path", "/console/session"];

test("on a loopback address, pages and figures answer only to names of this machine", async (t) => {
  const own = await openTestApp(t);

  for (const path of OPEN_PATHS) {
    for (const host of OWN_NAMES) {
      const { status } = await own.call("GET", path, { host });
      assert.notEqual(status, 421, `${path} of ${host}`);
    }
    for (const host of OTHER_NAMES) {
      const { status, body } = await own.call("GET", path, { host });
      assert.deepEqual([status, body.error.code], [421, "unknown_host"], `${path} of ${host}`);
      assert.match(body.error.message, /set ASSAY_PUBLIC_URL to the address at which you open/);
    }
  }
});

test("no one signs in at a foreign name, and a refused code still works", async (t) => {
  const own = await openTestApp(t);
  const browser = openBrowser(await listen(t, own));
  const code = await newCode(own.db, { nowMs: own.clock.nowMs() });
  const headers = { host: "evil.example", origin: "http://evil.example", "sec-fetch-site": "" };

  const foreign = await browser.ask("POST", "/console/sessions", { body: { code }, headers });
  const ours = await browser.ask("POST", "/console/sessions", { body: { code } });

  assert.deepEqual([foreign.status, ours.status], [421, 201]);
});

test("what needs a proof and what says nothing answers to every name: clients, gateways, load balancers", async (t) => {
  const own = await openTestApp(t);
  const headers = { host: "assay.internal" };
  const token = { ...headers, authorization: `Bearer ${own.token}` };

  assert.equal((await own.call("GET", "/health/live", headers)).status, 200);
  assert.equal((await own.call("GET", "/v2/alerts", token)).status, 200);
  assert.equal((await own.call("GET", "/v2/alerts", headers)).status, 401);
  assert.equal((await own.send("POST", "/v2/webhooks/waha", {}, headers)).status, 401);
});

test("the host of ASSAY_PUBLIC_URL is known, and on other addresses every name is", async (t) => {
  const environment = { ASSAY_PUBLIC_URL: "https://Desk.example:8443/" };
  const behindProxy = await openTestApp(t, { environment });
  const open = await openTestApp(t, { environment: { HOST: "0.0.0.0" } });

  for (const host of ["desk.example", "desk.example:8443", "DESK.example"]) {
    assert.equal((await behindProxy.call("GET", "/metrics", { host })).status, 200, host);
  }
  assert.equal((await behindProxy.call("GET", "/metrics", { host: "evil.example" })).status, 421);
  assert.equal((await open.call("GET", "/metrics", { host: "evil.example" })).status, 200);
});
