import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { type TestContext, test } from "node:test";
import { markPairsSeen, markSeenUpTo } from "../../src/alerts/match-store.ts";
import { sleep } from "../../src/base/clock.ts";
import { createLogger } from "../../src/base/log.ts";
import { openChangeFeed } from "../../src/db/changes.ts";
import type { DatabasePool } from "../../src/db/database.ts";
import { takeLock } from "../../src/db/locks.ts";
import { openPool } from "../../src/db/pool.ts";
import { sql } from "../../src/db/sql.ts";
import { isConflict, isStoreDown } from "../../src/db/store-error.ts";
import { openFilterIndex } from "../../src/filters/index/filter-index.ts";
import { deleteSavedFilters } from "../../src/filters/saved-filter-store.ts";
import type { MatchOptions } from "../../src/matching/match-batch.ts";
import { matchListings } from "../../src/pipeline/steps.ts";
import {
  aLiveAlert,
  arrive,
  aSavedFilter,
  listMiscounted,
  listStoredMatches,
  matchAll,
  queueMatches,
} from "../support/alerts.ts";
import { aListingWith } from "../support/listings.ts";
import { anAlert } from "../support/rows.ts";
import { createTestClock, until } from "../support/test-app.ts";
import { openTestDatabase, type TestDatabase } from "../support/test-database.ts";

const isLong = process.env["ASSAY_TEST_LONG"] !== undefined;
const ROUNDS = isLong ? 1_000 : 100;
const log = createLogger("silent");

test("an alert that was committed before a listing arrived is always matched, by any worker", async (t) => {
  const database = await openTestDatabase(t, { sessionsMax: 10 });
  const { pool } = database;
  const workers = [await startMatcher(t, database), await startMatcher(t, database)];
  const expected = new Set<string>();
  const idle = await anAlert(pool);

  for (let round = 0; round < ROUNDS; round += 1) {
    const number = `4477${String(round).padStart(8, "0")}`;
    // At the same time others declare filters, and unrelated listings arrive.
    const noise = Promise.all([
      aSavedFilter(pool, "configuration", randomUUID(), { brand: [`Brand ${round}`] }),
      aSavedFilter(pool, "alert", idle, { phone_number: `1${number}` }),
      arrive(pool, [aListingWith({ phone_number: null })]),
    ]);
    const alert = await pool.transaction((tx) => aLiveAlert(tx, { phone_number: number }));
    const listing = aListingWith({ phone_number: number });
    await arrive(pool, [listing]);
    expected.add(`${alert} ${listing.id}`);
    await noise;
  }
  await until(async () => (await pool.query(sql`select from match_queue`)).length === 0, 60_000);
  for (const worker of workers) await worker.stop();

  const matches = await listStoredMatches(pool);
  assert.equal(matches.length, ROUNDS);
  assert.deepEqual(
    new Set(matches.map((match) => `${match.alert_id} ${match.resource_id}`)),
    expected,
  );
  assert.deepEqual(await listMiscounted(pool), []);
});

test("an alert that is edited while listings arrive matches each by the filter of that moment", async (t) => {
  const database = await openTestDatabase(t, { sessionsMax: 10 });
  const { pool } = database;
  const workers = [await startMatcher(t, database), await startMatcher(t, database)];
  const alert = await aLiveAlert(pool, { brand: ["Omega"] });
  const expected = new Set<string>();

  for (let round = 0; round < ROUNDS / 5; round += 1) {
    const isRolex = round % 2 === 0;
    await aSavedFilter(pool, "alert", alert, { brand: [isRolex ? "Rolex" : "Omega"] });
    const [rolex, omega] = [aListingWith(), aListingWith({ brand: "Omega", reference: null })];
    await arrive(pool, [rolex, omega]);
    await until(async () => (await pool.query(sql`select from match_queue`)).length === 0);
    expected.add(isRolex ? rolex.id : omega.id);
  }
  for (const worker of workers) await worker.stop();

  const matches = await listStoredMatches(pool);
  assert.deepEqual(new Set(matches.map(({ resource_id }) => resource_id)), expected);
});

test("after any crash there is one match for each, and the counters are right", async (t) => {
  const database = await openTestDatabase(t, { sessionsMax: 6 });
  const { pool } = database;
  const alerts = [await aLiveAlert(pool), await aLiveAlert(pool, { year: { gte: 2000 } })];
  await pool.execute(sql`
    insert into webhook_target (id, name, url, secret, created_at_ms, updated_at_ms)
    values (${randomUUID()}, 'desk', 'https://example.com', 'whsec_AAAA', 0, 0)`);
  const workers = [await startMatcher(t, database), await startMatcher(t, database)];
  const listings: string[] = [];
  const rounds = ROUNDS / 4;

  for (let round = 0; round < rounds; round += 1) {
    const batch = Array.from({ length: 4 }, () => aListingWith());
    await arrive(pool, batch);
    listings.push(...batch.map(({ id }) => id));
    // A repeat, and a cut in the midst of whatever the workers do just then.
    await queueMatches(
      pool,
      "watch_listing",
      batch.slice(0, 2).map(({ id }) => id),
    );
    await sleep(Math.random() * 8);
    await pool.execute(sql`
      select pg_terminate_backend(pid) from pg_stat_activity
       where application_name = 'assay matcher' and datname = current_database() and state <> 'idle'`);
  }
  await until(async () => (await pool.query(sql`select from match_queue`)).length === 0, 60_000);
  for (const worker of workers) await worker.stop();
  await matchAll(pool);

  const matches = await listStoredMatches(pool);
  assert.equal(matches.length, listings.length * alerts.length);
  assert.equal((await pool.query(sql`select from webhook_delivery`)).length, matches.length);
  assert.deepEqual(await listMiscounted(pool), []);
});

test("after any history of matches, marks, merges, disabling and deleting the counters equal a count", async (t) => {
  const database = await openTestDatabase(t, { sessionsMax: 10 });
  const { pool } = database;
  const alerts = await Promise.all(
    Array.from({ length: 6 }, (_, at) =>
      aLiveAlert(pool, at % 2 === 0 ? {} : { brand: ["Rolex"] }),
    ),
  );
  const workers = [await startMatcher(t, database), await startMatcher(t, database)];
  const listings: string[] = [];
  const pick = <Item>(items: readonly Item[]): Item | undefined =>
    items[Math.floor(Math.random() * items.length)];
  const deeds: readonly (() => Promise<unknown>)[] = [
    async () => {
      const batch = [aListingWith(), aListingWith({ brand: "Omega" })];
      await arrive(pool, batch);
      listings.push(...batch.map(({ id }) => id));
    },
    async () => {
      const pairs = alerts.flatMap((alert_id) => {
        const resource_id = pick(listings);
        return resource_id === undefined ? [] : [{ alert_id, resource_id }];
      });
      await markPairsSeen(pool, pairs, Date.now());
    },
    () => markSeenUpTo(pool, { beforeMs: Number.MAX_SAFE_INTEGER, limit: 3 }, Date.now()),
    () => merge(pool, pick(listings), pick(listings)),
    async () => {
      const alert = pick(alerts) ?? "";
      await deleteSavedFilters(pool, [{ owner_kind: "alert", owner_id: alert }]);
      await aSavedFilter(pool, "alert", alert);
    },
  ];

  const history = Array.from({ length: 3 }, async () => {
    for (let deed = 0; deed < ROUNDS; deed += 1) await pick(deeds)?.();
  });
  await Promise.all(history);
  await until(async () => (await pool.query(sql`select from match_queue`)).length === 0, 60_000);
  for (const worker of workers) await worker.stop();
  await pool.execute(sql`delete from alert where id = ${alerts[0] ?? ""}`);

  assert.ok((await listStoredMatches(pool)).length > 20);
  assert.deepEqual(await listMiscounted(pool), []);
  const astray = await pool.query(sql`
    select from alert_match where not exists (select from listing where listing.id = alert_match.resource_id)`);
  assert.equal(astray.length, 0);
});

test("a sequence number that becomes visible is never followed by a smaller one", async (t) => {
  const { pool } = await openTestDatabase(t, { sessionsMax: 10 });
  const alerts = await Promise.all(Array.from({ length: 6 }, () => aLiveAlert(pool, {})));
  let isDone = false;
  const writing = Promise.all(
    alerts.map(async (alert_id, writer) => {
      for (let round = 0; round < 15; round += 1) {
        await pool
          .transaction(async (tx) => {
            const id = randomUUID();
            await tx.execute(sql`
              insert into alert_match
                     (alert_id, resource, resource_id, listing_id, canonical_message_id, matched_at_ms, match_context)
              values (${alert_id}, 'watch_listing', ${id}, ${id}, ${id}, 1, '{}')`);
            await tx.execute(sql`select pg_sleep(${(writer % 3) * 0.002})`);
            if ((round + writer) % 5 === 0) throw new Error("rolled back");
          })
          .catch(() => undefined);
      }
    }),
  ).then(() => {
    isDone = true;
  });

  const seen: number[] = [];
  const read = async () => {
    const rows = await pool.query<{ sequence: number }>(sql`
      select sequence from alert_match where sequence > ${seen.at(-1) ?? 0} order by sequence`);
    seen.push(...rows.map(({ sequence }) => sequence));
  };
  while (!isDone) await read();
  await writing;
  await read();

  const all = (await listStoredMatches(pool)).map(({ sequence }) => sequence);
  assert.deepEqual(seen, all);
  assert.ok(all.length > 50);
});

/** One process that matches: its own connections, its own index that follows the store, its own loop. */
async function startMatcher(t: TestContext, { url }: TestDatabase) {
  const pool = openPool({ url, name: "assay matcher" });
  const feed = openChangeFeed({ url, log });
  const index = await openFilterIndex({ db: pool, feed, log });
  const options: MatchOptions = { batchMax: 3, clock: createTestClock(), index };
  const stop = new AbortController();
  const work = async (): Promise<void> => {
    while (!stop.signal.aborted) {
      try {
        const { takenCount } = await matchListings(pool, options);
        if (takenCount === 0) await sleep(2, stop.signal);
      } catch (error) {
        if (!isConflict(error) && !isStoreDown(error)) throw error;
      }
    }
  };
  const working = work();
  let closing: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    stop.abort();
    await working;
    await index.close();
    await feed.close();
    await pool.end(1_000);
  };
  const stopOnce = () => {
    closing ??= close();
    return closing;
  };
  t.after(stopOnce);
  return { stop: stopOnce };
}

/** As the listing step does it: the old listing goes, its id leads to the other, and both are queued. */
async function merge(
  pool: DatabasePool,
  from: string | undefined,
  to: string | undefined,
): Promise<void> {
  if (from === undefined || to === undefined || from === to) return;
  await pool.transaction(async (tx) => {
    // One after the other, as writers of listings are.
    await takeLock(tx, "listings");
    const there = await tx.query(sql`select from listing where id = any(${[from, to]}::uuid[])`);
    if (there.length < 2) return;
    await tx.execute(sql`delete from listing where id = ${from}`);
    await tx.execute(sql`update listing_alias set listing_id = ${to} where listing_id = ${from}`);
    await tx.execute(sql`insert into listing_alias (old_id, listing_id) values (${from}, ${to})`);
    await queueMatches(tx, "watch_listing", [from, to].sort(), null);
  });
}
