import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "../../../src/db/sql.ts";
import { listenOnLoopback } from "../../support/faults/stubborn-client.ts";
import { openTestApp, until } from "../../support/test-app.ts";
import { holdTable } from "../../support/test-database.ts";

test("while the store does not answer, every request gets 503 with Retry-After, with a body and without", async (t) => {
  const { app, db, feed, token } = await openTestApp(t);
  const port = await listenOnLoopback(app);
  // Tokens are looked up for every request without the feed, and the look-up waits for this lock.
  await feed.close();
  await until(() => !feed.isLive());
  const lock = holdTable(db, sql`lock table api_token in access exclusive mode`);
  await lock.held;
  const ask = async (method: string, path: string) => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      ...(method === "POST" ? { body: "{}" } : {}),
    });
    const { error } = (await answer.json()) as { readonly error: { readonly code: string } };
    return [path, answer.status, error.code, answer.headers.get("retry-after")];
  };

  const answers = await Promise.all([
    ask("GET", "/v2/alerts"),
    ask("GET", "/v2/outbound/group-presets"),
    ask("POST", "/v2/market/listings/search"),
    ask("POST", "/v2/alerts"),
  ]);
  await lock.release();

  assert.deepEqual(answers, [
    ["/v2/alerts", 503, "store_unavailable", "1"],
    ["/v2/outbound/group-presets", 503, "store_unavailable", "1"],
    ["/v2/market/listings/search", 503, "store_unavailable", "1"],
    ["/v2/alerts", 503, "store_unavailable", "1"],
  ]);
});

test("a write that meets a deadlock gets 503 with Retry-After", async (t) => {
  const app = await openTestApp(t);
  await app.db.script(`
    create function refuse() returns trigger language plpgsql as $$ begin
      raise exception 'deadlock detected' using errcode = '40P01';
    end $$;
    create trigger refuses before insert on group_preset for each row execute function refuse()`);

  const body = { id: "3f0f8f86-5d0a-4c4e-9f65-0a2a8a3c1d11", name: "Evening round", group_ids: [] };
  const answer = await app.send("POST", "/v2/outbound/group-presets", body);

  assert.equal(answer.status, 503);
  assert.equal(answer.body.error.code, "overloaded");
  assert.ok(Number(answer.headers["retry-after"]) > 0);
});

test("an event is answered although the store has not told yet what is too old", async (t) => {
  const { app, db } = await openTestApp(t, { environment: { ASSAY_WAHA_UNSIGNED: "true" } });
  const port = await listenOnLoopback(app);
  const lock = holdTable(db, sql`lock table retention in access exclusive mode`);
  await lock.held;

  const answer = await fetch(`http://127.0.0.1:${port}/v2/webhooks/waha`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: "{}",
  });
  await lock.release();

  assert.deepEqual([answer.status, answer.headers.get("retry-after")], [503, "1"]);
});
