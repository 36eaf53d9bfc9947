import assert from "node:assert/strict";
import { test } from "node:test";
import { createBatchedReads, createKeptRows } from "../../../src/api/cache/kept-rows.ts";
import { dayStartOf } from "../../../src/base/clock.ts";
import { sql } from "../../../src/db/sql.ts";
import {
  aCell,
  aConfiguration,
  aGroup,
  aListing,
  aMatch,
  aMessage,
  aModel,
  anAlert,
  aProfile,
  aRollup,
  aSession,
  aSnapshot,
} from "../../support/rows.ts";
import { borrowTestApp } from "../../support/shared-store.ts";
import { aFeed, NOW_MS, until } from "../../support/test-app.ts";

test("the kept rows of a listing's answer follow every change", async (t) => {
  const { call, db } = await borrowTestApp(t);
  const profile_id = await aProfile(db);
  const configuration_id = await aConfiguration(db, { profile_id });
  await aSnapshot(db, configuration_id);
  await aCell(db, { configuration_id, year: 2023, condition_bucket: "new" });
  const listing_id = await aListing(db, { year: 2023, condition: "NEW" });
  await aModel(db, { listing_id, configuration_id, source_market: "HK" });
  const alert_id = await anAlert(db, {
    configuration_id,
    is_system: true,
    strategy: "price_engine",
  });
  const changes: readonly (() => Promise<unknown>)[] = [
    () => db.execute(sql`update price_configuration set label = 'x'`),
    () => db.execute(sql`update price_configuration set filters = '{"mine": 1}'`),
    () => db.execute(sql`update price_profile set hk_markup_fixed_eur_minor = 12345`),
    () => db.execute(sql`update price_profile set status = 'shadow'`),
    () => db.execute(sql`update price_snapshot set calculation_version = 'y'`),
    () => db.execute(sql`update price_cell set listing_count = 77`),
    () => db.execute(sql`update alert set name = 'z'`),
    () => db.execute(sql`update alert set is_enabled = false`),
    () => aMatch(db, { alert_id, resource_id: listing_id, listing_id }),
    () => db.execute(sql`update alert_match set seen_at_ms = 5`),
    () => db.execute(sql`update listing set price_eur_minor = 123456`),
    () => db.execute(sql`update listing_model set source_market = 'EU'`),
    () => db.execute(sql`delete from price_cell`),
    () => aCell(db, { configuration_id, year: 2023, condition_bucket: "new" }),
    () => db.execute(sql`update listing set year = 2024`),
    () => aCell(db, { configuration_id, year: 2024, condition_bucket: "new" }),
    () => db.execute(sql`delete from listing_model`),
    () => db.execute(sql`update listing set is_hidden = true`),
  ];

  const path = `/v2/market/listings/${listing_id}/price-engine`;
  assert.equal((await call("GET", path)).body.total, 1);
  for (const change of changes) {
    const before = await call("GET", path);
    await change();
    const after = await call("GET", path);
    assert.notEqual(after.text, before.text, change.toString());
  }
});

test("the kept rows of a message's summary follow every change", async (t) => {
  const { call, db } = await borrowTestApp(t);
  const message = await aMessage(db);
  const session = await aSession(db, { gateway_name: "desk" });
  const group_id = await aGroup(db, { name: "Dealers" });
  const day_start_ms = dayStartOf(NOW_MS);
  const rollup = { canonical_message_id: message, group_id, day_start_ms };
  await aRollup(db, { ...rollup, session_ids: [session] });
  const path = `/v2/messages/${message.toUpperCase()}/occurrences/summary`;
  const labels = async () => (await call("GET", path)).body.days[0].groups[0].session_labels;
  assert.deepEqual(await labels(), ["desk"]);

  for (const change of [
    () => db.execute(sql`update messaging_session set label = 'at the gateway'`),
    () => db.execute(sql`update messaging_session set declared_label = 'declared'`),
    () => db.execute(sql`update market_group set gateway_name = 'Others'`),
    () => db.execute(sql`update occurrence_rollup set occurrence_count = 12`),
    () => db.execute(sql`delete from messaging_session`),
  ]) {
    const before = await call("GET", path);
    await change();
    const after = await call("GET", path);
    assert.notEqual(after.text, before.text, change.toString());
  }
  assert.deepEqual(await labels(), []);
});

test("a row is queried once until its id is announced, also if there is none", async () => {
  const rows = aStore({ "a 1": "x", "b 1": "y" });

  await rows.find(["a 1", "b 1", "c 1"]);
  await rows.find(["a 1", "b 1", "c 1"]);
  rows.announce(["b", "c"]);
  const found = await rows.find(["a 1", "b 1", "c 1"]);
  rows.announce();
  await rows.find(["a 1"]);

  assert.deepEqual(
    [...found],
    [
      ["a 1", "x"],
      ["b 1", "y"],
    ],
  );
  assert.deepEqual(rows.asked, [["a 1", "b 1", "c 1"], ["b 1", "c 1"], ["a 1"]]);
});

test("a row that is announced during its query is not kept", async () => {
  const rows = aStore({ "a 1": "old", "b 1": "old" });
  const release = rows.hold();
  const first = rows.find(["a 1", "b 1"]);
  await until(() => rows.asked.length === 1);

  rows.announce(["a"]);
  release();
  await first;
  rows.set("a 1", "new");
  rows.set("b 1", "not announced");

  const found = await rows.find(["a 1", "b 1"]);
  assert.deepEqual([found.get("a 1"), found.get("b 1")], ["new", "old"]);
});

test("reads of one turn share a query, and its failure reaches all of them", async () => {
  const asked: (readonly string[])[] = [];
  const read = createBatchedReads<string>(async (keys) => {
    asked.push(keys);
    if (keys.includes("bad")) throw new Error("refused");
    return new Map(keys.filter((key) => key !== "none").map((key) => [key, key.toUpperCase()]));
  });

  const together = await Promise.all([read("a"), read("b"), read("a"), read("none")]);
  const alone = await read("c");
  const failed = await Promise.allSettled([read("bad"), read("d")]);
  const many = await Promise.all(Array.from({ length: 120 }, (_, at) => read(`k${at}`)));

  assert.deepEqual(together, ["A", "B", "A", undefined]);
  assert.equal(alone, "C");
  assert.deepEqual(
    failed.map(({ status }) => status),
    ["rejected", "rejected"],
  );
  assert.deepEqual(many.slice(-1), ["K119"]);
  assert.deepEqual(
    asked.map((keys) => keys.length),
    [3, 1, 2, 50, 50, 20],
  );
});

/** A store of texts, and a change feed that the test controls. */
function aStore(given: Readonly<Record<string, string>>) {
  const store = new Map(Object.entries(given));
  const asked: (readonly string[])[] = [];
  const feed = aFeed();
  let held: Promise<void> = Promise.resolve();
  const rows = createKeptRows<string>({
    feed,
    topic: "x",
    load: async (keys) => {
      asked.push(keys);
      const found = keys.flatMap((key) => {
        const text = store.get(key);
        return text === undefined ? [] : [[key, text] as const];
      });
      await held;
      return new Map(found);
    },
  });
  return {
    find: rows.find,
    asked,
    announce: feed.announce,
    set: (key: string, text: string) => store.set(key, text),
    hold: () => {
      let release = () => {};
      held = new Promise((settle) => {
        release = settle;
      });
      return release;
    },
  };
}
