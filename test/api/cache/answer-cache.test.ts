import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import Fastify from "fastify";
import { createAnswerCache } from "../../../src/api/cache/answer-cache.ts";
import { HOUR_MS, MINUTE_MS, sleep } from "../../../src/base/clock.ts";
import { sql } from "../../../src/db/sql.ts";
import {
  aCell,
  aConfiguration,
  aMatch,
  anAlert,
  aProfile,
  aSession,
  aSnapshot,
} from "../../support/rows.ts";
import { borrowTestApp } from "../../support/shared-store.ts";
import {
  aFeed,
  createTestClock,
  NOW_MS,
  openTestApp,
  type TestApp,
  until,
} from "../../support/test-app.ts";

const cellsOf = (id: string) => `/v2/market/price-engine/configurations/${id}/cells`;

const matchesOf = (id: string) => `/v2/alerts/${id}/matches`;

test("an unchanged answer is sent without a query", async (t) => {
  const app = await borrowTestApp(t);
  const alertId = await anAlert(app.db);
  const id = await aPricedConfiguration(app);
  await aSession(app.db);
  const paths = [
    "/v2/alerts",
    "/v2/sessions",
    "/v2/sessions?role=receiving",
    cellsOf(id),
    matchesOf(alertId),
  ];
  const before = await Promise.all(paths.map((path) => app.call("GET", path)));

  const unlock = await lockTables(app, ["alert", "messaging_session", "price_configuration"]);
  const after = await Promise.all(paths.map((path) => app.call("GET", path)));
  const unchanged = await app.call("GET", "/v2/alerts", {
    authorization: `Bearer ${app.token}`,
    "if-none-match": String(before[0]?.headers["etag"]),
  });
  await unlock();

  assert.deepEqual(
    after.map(({ status, text, headers }) => [status, text, headers["etag"]]),
    before.map(({ text, headers }) => [200, text, headers["etag"]]),
  );
  assert.deepEqual([unchanged.status, unchanged.text], [304, ""]);
});

test("an answer follows every change of the tables that it is made of", async (t) => {
  const app = await borrowTestApp(t);
  const { db } = app;
  const alertId = await anAlert(db);
  const otherId = await anAlert(db);
  const sessionId = await aSession(db, { status: "WORKING" });
  const profileId = await aProfile(db);
  const id = await aPricedConfiguration(app, { profile_id: profileId });
  const changes: readonly [string, () => Promise<unknown>][] = [
    [
      "/v2/alerts",
      () => db.execute(sql`update alert set is_enabled = false where id = ${alertId}`),
    ],
    ["/v2/alerts", () => anAlert(db)],
    ["/v2/alerts", () => db.execute(sql`delete from alert where id = ${alertId}`)],
    [matchesOf(otherId), () => aMatch(db, { alert_id: otherId })],
    [matchesOf(otherId), () => db.execute(sql`update alert_match set seen_at_ms = 1`)],
    [`${matchesOf(otherId)}?limit=1`, () => db.execute(sql`delete from alert_match`)],
    [matchesOf(otherId), () => db.execute(sql`delete from alert where id = ${otherId}`)],
    [
      "/v2/sessions",
      () => db.execute(sql`update messaging_session set last_message_at_ms = ${NOW_MS}`),
    ],
    ["/v2/sessions", () => db.execute(sql`update messaging_session set declared_label = 'x'`)],
    ["/v2/sessions", () => aSession(db)],
    ["/v2/alerts", () => db.execute(sql`truncate alert cascade`)],
    ["/v2/sessions", () => db.execute(sql`delete from messaging_session where id = ${sessionId}`)],
    ["/v2/sessions", () => db.execute(sql`truncate messaging_session cascade`)],
    [cellsOf(id), () => db.execute(sql`update price_profile set stale_after_ms = 1`)],
    [cellsOf(id), () => db.execute(sql`update price_configuration set label = 'x'`)],
    [cellsOf(id), () => db.execute(sql`update price_snapshot set source_sequence = 78`)],
    [cellsOf(id), () => db.execute(sql`update price_cell set listing_count = 9`)],
    [cellsOf(id), () => aCell(db, { configuration_id: id, year: 2020 })],
    [cellsOf(id), () => db.execute(sql`delete from price_cell where year = 2020`)],
    [cellsOf(id), () => db.execute(sql`delete from price_snapshot`)],
    [cellsOf(id), () => aSnapshot(db, id)],
    [cellsOf(id), () => db.execute(sql`truncate price_cell`)],
    [cellsOf(id), () => db.execute(sql`delete from price_configuration`)],
  ];

  for (const [path, change] of changes) {
    const before = await app.call("GET", path);
    await change();
    const after = await app.call("GET", path);
    assert.notEqual(after.text, before.text, change.toString());
  }
});

test("a change of one configuration keeps the answers of the others", async (t) => {
  const app = await borrowTestApp(t);
  const changed = await aPricedConfiguration(app);
  const other = await aPricedConfiguration(app);
  await app.call("GET", cellsOf(changed));
  const before = await app.call("GET", cellsOf(other));
  await app.db.execute(sql`update price_configuration set label = 'x' where id = ${changed}`);

  const unlock = await lockTables(app, ["price_configuration"]);
  const after = await app.call("GET", cellsOf(other.toUpperCase()));
  await unlock();

  assert.equal(after.text, before.text);
  assert.equal(
    (await app.call("GET", cellsOf(changed))).body.configuration.configuration_label,
    "x",
  );
});

test("while the change feed is interrupted, every answer is read from the store", async (t) => {
  const { call, db, feed } = await openTestApp(t);
  await call("GET", "/v2/alerts");
  await feed.close();

  await anAlert(db);

  const answer = await call("GET", "/v2/alerts");
  assert.deepEqual([answer.body.error, answer.body.total], [undefined, 1]);
});

test("an answer that depends on the time is not kept beyond that time", async (t) => {
  const app = await openTestApp(t);
  await aSession(app.db, { status: "WORKING", last_message_at_ms: NOW_MS });
  const id = await aPricedConfiguration(app);
  const look = async () => [
    (await app.call("GET", "/v2/sessions")).body.items[0].health_state,
    (await app.call("GET", cellsOf(id))).body.is_stale,
  ];

  const first = await look();
  app.clock.advance(30 * MINUTE_MS);
  const stillHealthy = await look();
  app.clock.advance(1);
  const silent = await look();
  app.clock.advance(6 * HOUR_MS);
  const old = await look();

  assert.deepEqual(
    [first, stillHealthy, silent, old],
    [
      ["healthy", false],
      ["healthy", false],
      ["stale", false],
      ["stale", true],
    ],
  );
});

test("an answer that was read before a change goes only to earlier callers and is not kept", async (t) => {
  const cache = await aCache(t, {});
  const first = cache.ask("a");
  await cache.isAsked("a", 1);
  cache.announce(["a"]);
  const second = cache.ask("a");
  await cache.isAsked("a", 2);
  cache.release();

  assert.deepEqual([await first, await second], ["a1", "a2"]);
  assert.equal(await cache.ask("a"), "a2");
});

test("kept answers are bounded: the oldest is dropped first, and one that is too large is not kept", async (t) => {
  const cache = await aCache(t, { bytesMax: 2 * 504 });
  cache.release();

  for (const key of ["a", "b", "c", "b", "c", "a"]) await cache.ask(key);
  assert.deepEqual(cache.counts(), { a: 2, b: 1, c: 1 });
  const tooLarge = "x".repeat(600);
  await cache.ask(tooLarge);
  await cache.ask(tooLarge);
  assert.deepEqual(cache.counts(), { a: 2, b: 1, c: 1, [tooLarge]: 2 });
});

/** A cache with a route of its own. An answer is its key and how often it was made, as JSON of 4 bytes. */
async function aCache(t: TestContext, options: { readonly bytesMax?: number }) {
  const made: Record<string, number> = {};
  const feed = aFeed();
  let release = () => {};
  const released = new Promise<void>((settle) => {
    release = settle;
  });
  const cache = createAnswerCache({ feed, clock: createTestClock(), topic: "x", ...options });
  const app = Fastify({ routerOptions: { maxParamLength: 1000 } });
  app.get<{ Params: { key: string } }>("/:key", (request, reply) =>
    cache.send({ request, reply }, request.params.key, async () => {
      const { key } = request.params;
      made[key] = (made[key] ?? 0) + 1;
      const body = `${key}${made[key]}`;
      await released;
      return { body };
    }),
  );
  t.after(() => app.close());
  return {
    ask: async (key: string) => JSON.parse((await app.inject(`/${key}`)).body) as string,
    isAsked: async (key: string, count: number) => {
      while ((made[key] ?? 0) < count) await new Promise(setImmediate);
    },
    announce: feed.announce,
    release,
    counts: () => made,
  };
}

async function aPricedConfiguration({ db }: TestApp, columns = {}): Promise<string> {
  const id = await aConfiguration(db, columns);
  await aSnapshot(db, id);
  await aCell(db, { configuration_id: id });
  return id;
}

/** Every query on these tables waits until the returned function is called. */
async function lockTables(
  { db }: TestApp,
  tables: readonly string[],
): Promise<() => Promise<void>> {
  const end = new AbortController();
  let isLocked = false;
  const locked = db.transaction(async (tx) => {
    await tx.script(`lock table ${tables.join(", ")} in access exclusive mode`);
    isLocked = true;
    await sleep(60_000, end.signal);
  });
  await until(() => isLocked);
  return async () => {
    end.abort();
    await locked;
  };
}
