// One database, and one app on another, for all tests of a process that can share them: opening an app takes longer than
// most tests do. A test that borrows finds an empty store, the clock at NOW_MS and a token of its own, whatever ran before.
//
// An app keeps some things in memory that no change of the store resets: metrics, its port, its log. So a test that moves
// the clock, uses up a limit, counts requests, closes the app or its feed, or sets options opens its own app. One that
// changes the schema, breaks the store or runs a service on it, which may be killed, opens its own database.
import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import { HOUR_MS } from "../../src/base/clock.ts";
import { openChangeFeed } from "../../src/db/changes.ts";
import type { DatabasePool } from "../../src/db/database.ts";
import { sql } from "../../src/db/sql.ts";
import {
  addToken,
  hearAll,
  NOW_MS,
  openTestApp,
  type TestApp,
  toTestApp,
  until,
} from "./test-app.ts";
import { openTestDatabase, type TestDatabase, untilLastTest } from "./test-database.ts";

/** What is lent, to one test at a time. */
interface Shared<Thing> {
  readonly thing: Thing;
  readonly db: DatabasePool;
  /** See `describeSchema`. */
  readonly schema: string;
  isLent: boolean;
  lastBorrower: string;
}

/** A larger table is truncated, which takes longer but leaves no dead rows. */
const DELETE_MAX_BYTES = 256 * 1024;

let database: Promise<Shared<TestDatabase>> | undefined;
let app: Promise<Shared<TestApp>> | undefined;

/** An empty database, which other tests use before and after this one. */
export async function borrowTestDatabase(t: TestContext): Promise<TestDatabase> {
  database ??= openTestDatabase(untilLastTest).then((thing) => toShared(thing, thing.pool));
  return lend(t, await database);
}

/** The HTTP side on an empty database, which other tests use before and after this one. */
export async function borrowTestApp(t: TestContext): Promise<TestApp> {
  app ??= openTestApp(untilLastTest, { openFeed }).then((thing) => toShared(thing, thing.db));
  const lent = await lend(t, await app);
  // The time of limits goes on, and that of the wall starts again.
  lent.clock.advance(HOUR_MS);
  lent.clock.set(NOW_MS);
  await until(() => lent.feed.isLive());
  await hearAll(lent);
  for (const onChange of subscribers) onChange();
  return toTestApp({ ...lent, token: await addToken(lent.db, {}) });
}

const subscribers: (() => void)[] = [];

/** All that keep a copy hear that the store was emptied. */
function openFeed(...given: Parameters<typeof openChangeFeed>): ReturnType<typeof openChangeFeed> {
  const feed = openChangeFeed(...given);
  return {
    ...feed,
    subscribe: (topic, onChange) => {
      if (!topic.startsWith("marker_")) subscribers.push(onChange);
      feed.subscribe(topic, onChange);
    },
  };
}

async function toShared<Thing>(thing: Thing, db: DatabasePool): Promise<Shared<Thing>> {
  return { thing, db, schema: await describeSchema(db), isLent: false, lastBorrower: "" };
}

async function lend<Thing>(t: TestContext, shared: Shared<Thing>): Promise<Thing> {
  assert.ok(
    !shared.isLent,
    "borrowed twice at a time: open one with openTestApp or openTestDatabase",
  );
  shared.isLent = true;
  t.after(() => {
    shared.isLent = false;
  });
  const { db, schema, lastBorrower } = shared;
  assert.equal(await describeSchema(db), schema, `"${lastBorrower}" needs a database of its own`);
  shared.lastBorrower = t.name;
  // Here and not when the test ends: only then has everything that it started come to an end.
  await emptyStore(db);
  return shared.thing;
}

/** As the template is: nothing but the migrations, and the name of the store. Sequences go on. */
async function emptyStore(db: DatabasePool): Promise<void> {
  await db.transaction(async (tx) => {
    // Neither triggers nor foreign keys, so that the order does not matter and nothing is derived.
    await tx.execute(sql`set local session_replication_role = replica`);
    await tx.script(`
      do $$
      declare
        name regclass;
      begin
        for name in
          select oid from pg_class
           where relnamespace = 'public'::regnamespace and relkind = 'r'
             and relname not in ('schema_migration', 'store_identity')
        loop
          if pg_table_size(name) > ${DELETE_MAX_BYTES} then
            execute format('truncate %s cascade', name);
          else
            execute format('delete from %s', name);
          end if;
        end loop;
      end $$`);
  });
}

/** Changes with everything that `emptyStore` does not undo. */
async function describeSchema(db: DatabasePool): Promise<string> {
  const [row] = await db.query<{ text: string }>(sql`
    select jsonb_build_array(
             (select count(*) from pg_class where relnamespace = 'public'::regnamespace),
             (select count(*) from pg_proc where pronamespace = 'public'::regnamespace),
             (select count(*) from pg_constraint where connamespace = 'public'::regnamespace),
             (select md5(string_agg(oid || tgenabled::text, ',' order by oid)) from pg_trigger),
             (select md5(string_agg(attrelid || attname || atttypid || attnotnull, ',' order by attrelid, attnum))
                from pg_attribute join pg_class on pg_class.oid = attrelid
               where relnamespace = 'public'::regnamespace and attnum > 0),
             (select count(*) from pg_statistic join pg_class on pg_class.oid = starelid
               where relnamespace = 'public'::regnamespace))::text as text`);
  return row?.text ?? "";
}
