import assert from "node:assert/strict";
import { test } from "node:test";
import { systemClock } from "../../../src/base/clock.ts";
import { sql } from "../../../src/db/sql.ts";
import { openBrowser } from "../../support/console/cookie-browser.ts";
import { callAssay, startAssay } from "../../support/run-assay.ts";
import { borrowTestDatabase } from "../../support/shared-store.ts";
import { openTestDatabase } from "../../support/test-database.ts";

const LINK = /^(http:\/\/127\.0\.0\.1:\d+)\/#open=([\w-]{22})\n$/;

test("assay console prints a link that opens the running service once, also for a token by its name", async (t) => {
  const { url } = await openTestDatabase(t);
  const environment = { DATABASE_URL: url, ASSAY_ALLOW_UNSAFE_STORE: "true" };
  const service = await startAssay(t, ["serve"], environment);
  const there = { ...environment, PORT: new URL(service.url).port };
  await callAssay(["token", "create", "--name", "partner", "--read-only"], there);

  const links = [
    await callAssay(["console"], there),
    await callAssay(["console"], there),
    await callAssay(["console", "--name", "partner"], there),
  ];

  for (const [at, { code, out, err }] of links.entries()) {
    assert.equal(code, 0, err);
    assert.doesNotMatch(err, /no service/);
    const [, address = "", text = ""] = LINK.exec(out) ?? [];
    assert.equal(address, service.url);
    const opened = await signIn(address, text);
    assert.equal(opened.status, 201);
    assert.equal(opened.body.token_name, at === 2 ? "partner" : "console");
    assert.equal(opened.body.is_read_only, at === 2);
    assert.equal((await signIn(address, text)).status, 401);
  }
  assert.doesNotMatch(service.out(), /#open=/, "standard output may be a log here");
  assert.match(service.out(), /^To open the console: assay console$/m);
});

test("assay console works before the service runs, says so, and uses ASSAY_PUBLIC_URL", async (t) => {
  const { url } = await openTestDatabase(t);
  // Nothing listens on port 1.
  const environment = { DATABASE_URL: url, ASSAY_ALLOW_UNSAFE_STORE: "true", PORT: "1" };

  const local = await callAssay(["console"], environment);
  const open = await callAssay(["console"], {
    ...environment,
    ASSAY_PUBLIC_URL: "https://assay.example/",
  });
  const service = await startAssay(t, ["serve"], { ...environment, PORT: "0" });
  const opened = await signIn(service.url, LINK.exec(local.out)?.[2] ?? "");

  assert.match(local.out, /^http:\/\/127\.0\.0\.1:1\/#open=/);
  assert.match(local.err, /no service answers at http:\/\/127\.0\.0\.1:1; start it/);
  assert.match(open.out, /^https:\/\/assay\.example\/#open=[\w-]{22}\n$/);
  assert.equal(opened.status, 201);
});

test("assay console names what is wrong: an unknown token, no port", async (t) => {
  const { url } = await borrowTestDatabase(t);
  const environment = { DATABASE_URL: url, ASSAY_ALLOW_UNSAFE_STORE: "true" };

  const unknown = await callAssay(["console", "--name", "stranger"], environment);
  const portless = await callAssay(["console"], { ...environment, PORT: "0" });

  assert.deepEqual([unknown.code, unknown.out], [1, ""]);
  assert.match(unknown.err, /no active token is named "stranger"; assay token list/);
  assert.deepEqual([portless.code, portless.out], [1, ""]);
  assert.match(portless.err, /set PORT to the port of the service/);
});

test("a link replaces the token console once that is revoked or expired", async (t) => {
  const { pool, url } = await borrowTestDatabase(t);
  const environment = { DATABASE_URL: url, ASSAY_ALLOW_UNSAFE_STORE: "true" };
  const list = () =>
    pool.query<{ isActive: boolean }>(sql`
      select revoked_at_ms is null as "isActive" from api_token where name = 'console' order by created_at_ms, id`);

  await callAssay(["console"], environment);
  await callAssay(["console"], environment);
  const twice = await list();
  const last = await callAssay(["token", "revoke", "console"], environment);
  await callAssay(["token", "create", "--name", "other"], environment);
  await callAssay(["token", "revoke", "console"], environment);
  await callAssay(["console"], environment);
  await pool.execute(sql`
    update api_token set expires_at_ms = ${systemClock.nowMs() - 1} where revoked_at_ms is null`);
  await callAssay(["console"], environment);

  assert.deepEqual(twice, [{ isActive: true }]);
  assert.deepEqual([last.code, last.out], [1, ""]);
  assert.match(last.err, /this is the last owner.*create another one first/);
  assert.deepEqual(await list(), [{ isActive: false }, { isActive: false }, { isActive: true }]);
});

test("on a terminal, serve prints a link first of all; a worker prints none", async (t) => {
  const { url } = await openTestDatabase(t);
  const environment = {
    DATABASE_URL: url,
    ASSAY_ALLOW_UNSAFE_STORE: "true",
    NODE_OPTIONS: "--import=data:text/javascript,process.stderr.isTTY=true",
  };

  const service = await startAssay(t, ["serve"], environment);
  const worker = await startAssay(t, ["serve", "--role", "worker"], environment);

  const [, address = "", code = ""] = /^Open (http:\S+)\/#open=(\S+)\n/.exec(service.out()) ?? [];
  assert.equal(address, service.url);
  assert.equal((await signIn(address, code)).status, 201);
  assert.match(service.out(), /The store is empty/);
  assert.doesNotMatch(worker.out(), /#open=/);
});

function signIn(url: string, code: string) {
  return openBrowser(url).ask("POST", "/console/sessions", { body: { code } });
}
