import assert from "node:assert/strict";
import { test } from "node:test";
import { aFolder, runAssay, startAssay } from "../support/run-assay.ts";
import { openTestDatabase } from "../support/test-database.ts";

test("without a key the service does not start on an address that other machines reach, whatever else is set", async (t) => {
  const environment = { ASSAY_DATA_DIR: aFolder(t), PORT: "0", ASSAY_WAHA_UNSIGNED: "true" };

  const starts = [
    ["0.0.0.0", "serve"],
    ["::", "serve", "--demo"],
    ["192.0.2.1", "serve", "--role", "worker"],
  ] as const;
  for (const [HOST, ...args] of starts) {
    const { code, err } = await runAssay(args, { ...environment, HOST });
    assert.equal(code, 1, `${HOST} ${args.join(" ")}: ${err}`);
    assert.match(err, /set ASSAY_WAHA_HMAC_KEY/);
  }
});

test("without a key the start says that events are refused and what to set", async (t) => {
  const { url } = await openTestDatabase(t);
  const environment = { DATABASE_URL: url, ASSAY_ALLOW_UNSAFE_STORE: "true" };

  const service = await startAssay(t, ["serve", "--role", "api"], environment);
  const { err } = await service.end("SIGINT");

  assert.match(err, /events of the gateway are refused; set ASSAY_WAHA_HMAC_KEY/);
});

test("a key that could be guessed stops the start where other machines reach the service, and is warned of elsewhere", async (t) => {
  const { url } = await openTestDatabase(t);
  const environment = {
    DATABASE_URL: url,
    ASSAY_ALLOW_UNSAFE_STORE: "true",
    ASSAY_WAHA_HMAC_KEY: "fifteen-letters",
  };

  const refused = await runAssay(["serve"], { ...environment, HOST: "0.0.0.0", PORT: "0" });
  const local = await startAssay(t, ["serve", "--role", "api"], environment);
  const { err } = await local.end("SIGINT");
  const long = { ...environment, HOST: "0.0.0.0", ASSAY_WAHA_HMAC_KEY: "sixteen--letters" };
  const open = await startAssay(t, ["serve", "--role", "api"], long);
  const strong = await open.end("SIGINT");

  const problem = /ASSAY_WAHA_HMAC_KEY has fewer than 16 characters.*openssl rand -hex 32/;
  assert.equal(refused.code, 1);
  assert.match(refused.err, problem);
  assert.match(err, problem);
  assert.doesNotMatch(`${refused.err}${err}`, /fifteen-letters/);
  assert.doesNotMatch(strong.err, /HMAC_KEY/);
});
