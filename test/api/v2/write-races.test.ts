import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { shareLock, takeLock } from "../../../src/db/locks.ts";
import { sql } from "../../../src/db/sql.ts";
import { applyTexts } from "../../support/manifest.ts";
import { borrowTestApp } from "../../support/shared-store.ts";
import { openTestApp } from "../../support/test-app.ts";

const AT_ONCE = 8;

test("of many requests at once for one name, one creates it and the others get 409", async (t) => {
  const own = await borrowTestApp(t);

  const answers = await atOnce(() =>
    own.send("POST", "/v2/alerts", { name: "same", filters: { brand: ["Rolex"] } }),
  );

  assert.deepEqual(statusesOf(answers), [201, ...Array(AT_ONCE - 1).fill(409)]);
  assert.equal((await own.db.query(sql`select from alert`)).length, 1);
  assert.equal((await own.db.query(sql`select from saved_filter`)).length, 1);
});

test("of many repetitions at once of one request, one creates the object and all return it", async (t) => {
  const own = await borrowTestApp(t);
  const body = { id: randomUUID(), name: "same", filters: {} };

  const answers = await atOnce(() => own.send("POST", "/v2/views", body));

  assert.deepEqual(statusesOf(answers), [...Array(AT_ONCE - 1).fill(200), 201]);
  for (const answer of answers) assert.deepEqual(answer.body, answers[0]?.body);
});

test("of many changes at once of what was read, one is made and the others get 412", async (t) => {
  const own = await borrowTestApp(t);
  const made = await own.send("POST", "/v2/views", { name: "v", filters: {} });
  const tag = { "if-match": String(made.headers["etag"]) };

  const answers = await atOnce((at) =>
    own.send("PATCH", `/v2/views/${made.body.id}`, { name: `v${at}` }, tag),
  );

  assert.deepEqual(statusesOf(answers), [200, ...Array(AT_ONCE - 1).fill(412)]);
  const winner = answers.find(({ status }) => status === 200);
  assert.deepEqual((await own.call("GET", `/v2/views/${made.body.id}`)).body, winner?.body);
});

test("a manifest and requests at once end in one of their states", async (t) => {
  const own = await borrowTestApp(t);
  const body = { name: "same", filters: { brand: ["Rolex"] } };

  const [report, ...answers] = await Promise.all([
    applyTexts(own.db, "views: [{name: same, filters: {brand: [Omega]}}]"),
    own.send("POST", "/v2/views", body),
    own.send("POST", "/v2/views", body),
  ]);

  const rows = await own.db.query<{ managed_by: string; filters: unknown }>(
    sql`select managed_by, filters from market_view`,
  );
  const isFirst = report.kinds[0]?.created.length === 1;
  assert.deepEqual(rows, [{ managed_by: "manifest", filters: { brand: ["Omega"] } }]);
  assert.deepEqual(statusesOf(answers), isFirst ? [409, 409] : [201, 409]);
});

test("a write that fails in the middle leaves nothing, and repeating it creates the object", async (t) => {
  const own = await openTestApp(t);
  const body = { id: randomUUID(), name: "a", filters: { brand: ["Rolex"] } };
  await own.db.script(`
    create function fail_now() returns trigger language plpgsql as $$ begin raise 'disk is gone'; end $$;
    create trigger fail_now before insert on saved_filter execute function fail_now()`);

  const failed = await own.send("POST", "/v2/alerts", body);
  const alerts = await own.db.query(sql`select from alert`);
  await own.db.script("drop trigger fail_now on saved_filter");
  const repeated = await own.send("POST", "/v2/alerts", body);

  assert.equal(failed.status, 500);
  assert.deepEqual(alerts, []);
  assert.equal(repeated.status, 201);
});

test("a write goes on while steps run, and fails without effect while a manifest is applied", async (t) => {
  const own = await borrowTestApp(t);

  await own.db.transaction(async (tx) => {
    await shareLock(tx, "pipeline");
    await shareLock(tx, "members");
    const made = await own.send("POST", "/v2/alerts", { name: "during steps", filters: {} });
    assert.equal(made.status, 201);
  });
  await own.db.transaction(async (tx) => {
    await takeLock(tx, "declarations");
    const refused = await own.send("POST", "/v2/alerts", { name: "during apply", filters: {} });
    assert.deepEqual([refused.status, refused.body.error.code], [503, "store_unavailable"]);
  });

  const alerts = await own.db.query<{ name: string }>(sql`select name from alert`);
  assert.deepEqual(alerts, [{ name: "during steps" }]);
});

function atOnce<Result>(run: (at: number) => Promise<Result>): Promise<readonly Result[]> {
  return Promise.all(Array.from({ length: AT_ONCE }, (_, at) => run(at)));
}

function statusesOf(answers: readonly { readonly status: number }[]): readonly number[] {
  return answers.map(({ status }) => status).toSorted();
}
