import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { createTokenText } from "../../../src/people/token.ts";
import { listen, newCode, openBrowser } from "../../support/console/cookie-browser.ts";
import { NOW_MS, openTestApp } from "../../support/test-app.ts";

const PROXY = "10.0.0.1";
const LIMIT = 60;

test("behind a trusted proxy, unknown tokens are counted by the client that sent them", async (t) => {
  const guess = await openGuesses(t, { ASSAY_TRUSTED_PROXY: "10.0.0.0/8" });
  for (let at = 0; at < LIMIT; at += 1) {
    assert.equal(await guess(PROXY, `192.0.2.${at}, 203.0.113.9`), 401);
  }

  assert.equal(await guess(PROXY, "192.0.2.200, 203.0.113.9"), 429);
  assert.equal(await guess(PROXY, "203.0.113.10"), 401);
  assert.equal(await guess(PROXY, ""), 401, "the proxy itself");
});

test("from anyone else the header is ignored", async (t) => {
  const guess = await openGuesses(t, { ASSAY_TRUSTED_PROXY: "10.0.0.0/8" });
  for (let at = 0; at < LIMIT; at += 1) await guess("198.51.100.1", `192.0.2.${at}`);

  assert.equal(await guess("198.51.100.1", "192.0.2.200"), 429);
  assert.equal(await guess(PROXY, "198.51.100.2"), 401);
});

test("without the setting, all clients behind a proxy are counted together", async (t) => {
  const guess = await openGuesses(t, {});
  for (let at = 0; at < LIMIT; at += 1) await guess(PROXY, `192.0.2.${at}`);

  assert.equal(await guess(PROXY, "192.0.2.200"), 429);
});

test("a trusted proxy makes no unsigned event direct and no cookie secure", async (t) => {
  const own = await openTestApp(t, {
    environment: { ASSAY_TRUSTED_PROXY: "127.0.0.1", ASSAY_WAHA_UNSIGNED: "true" },
  });
  const url = await listen(t, own);
  const code = await newCode(own.db, { nowMs: NOW_MS });
  const headers = { "x-forwarded-for": "203.0.113.9", "x-forwarded-proto": "https" };

  const forwarded = await openBrowser(url).ask("POST", "/v2/webhooks/waha", {
    body: {},
    headers: { "x-forwarded-for": "203.0.113.9", "sec-fetch-site": "" },
  });
  const direct = await openBrowser(url).ask("POST", "/v2/webhooks/waha", {
    body: {},
    headers: { "sec-fetch-site": "" },
  });
  const signedIn = await openBrowser(url).ask("POST", "/console/sessions", {
    body: { code },
    headers,
  });

  assert.deepEqual([forwarded.status, direct.status, signedIn.status], [401, 202, 201]);
  assert.doesNotMatch(String(signedIn.headers["set-cookie"]), /Secure/);
});

/** Returns a function that sends an unknown token from this address, and returns the status. */
async function openGuesses(t: TestContext, environment: Readonly<Record<string, string>>) {
  const { app } = await openTestApp(t, { environment });
  return async (remoteAddress: string, forwardedFor: string): Promise<number> => {
    const headers = {
      authorization: `Bearer ${createTokenText()}`,
      "x-forwarded-for": forwardedFor,
    };
    return (await app.inject({ url: "/v2/alerts", headers, remoteAddress })).statusCode;
  };
}
