import assert from "node:assert/strict";
import { test } from "node:test";
import { openPool } from "../../../src/db/pool.ts";
import { sql } from "../../../src/db/sql.ts";
import { borrowTestApp } from "../../support/shared-store.ts";
import { openAppOn, openTestApp, until } from "../../support/test-app.ts";

test("a read that takes too long gets 503, and the code says whether the store works", async (t) => {
  const { app, db, url, clock, token } = await borrowTestApp(t);
  const other = await openAppOn(t, { db, url, clock });
  await other.feed.close();
  await until(() => !other.feed.isLive());
  let unlock: (() => void) | undefined;
  const locked = db.transaction(async (tx) => {
    await tx.execute(
      sql`lock table group_preset, alert, messaging_session in access exclusive mode`,
    );
    await new Promise<void>((settle) => {
      unlock = settle;
    });
  });
  await until(() => unlock !== undefined);
  const ask = async (asked: typeof app, path: string) => {
    const headers = { authorization: `Bearer ${token}` };
    const answer = await asked.inject({ method: "GET", url: path, headers });
    assert.ok("retry-after" in answer.headers, path);
    return [answer.statusCode, answer.json().error.code];
  };

  const answers = await Promise.all([
    ask(app, "/v2/outbound/group-presets"),
    ask(app, "/v2/alerts/states"),
    ask(app, "/v2/alerts"),
    ask(app, "/v2/sessions"),
    ask(other.app, "/v2/outbound/group-presets"),
  ]);
  unlock?.();
  await locked;

  assert.deepEqual(answers, [
    [503, "read_too_slow"],
    [503, "read_too_slow"],
    [503, "store_unavailable"],
    [503, "store_unavailable"],
    [503, "store_unavailable"],
  ]);
});

test("a read whose statement the store has ended is too slow, whatever the change feed hears", async (t) => {
  const { app, feed, url, token } = await openTestApp(t);
  await feed.close();
  const pool = openPool({ url, name: "assay test" });
  t.after(() => pool.end(1_000));
  let unlock: (() => void) | undefined;
  const locked = pool.transaction(async (tx) => {
    await tx.execute(sql`lock table group_preset in access exclusive mode`);
    await new Promise<void>((settle) => {
      unlock = settle;
    });
  });
  await until(() => unlock !== undefined);

  const headers = { authorization: `Bearer ${token}` };
  const asked = app.inject({ method: "GET", url: "/v2/outbound/group-presets", headers });
  await until(async () => {
    // As a statement time-out does.
    const ended = await pool.query(sql`
      select pg_cancel_backend(pid) from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock' and query like '%group_preset%'`);
    return ended.length > 0;
  });
  const answer = await asked;
  unlock?.();
  await locked;

  assert.deepEqual([answer.statusCode, answer.json().error.code], [503, "read_too_slow"]);
});
