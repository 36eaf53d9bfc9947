import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { type TestContext, test } from "node:test";
import { createLogger } from "../../../src/base/log.ts";
import { openChangeFeed } from "../../../src/db/changes.ts";
import type { Database, DatabasePool } from "../../../src/db/database.ts";
import { sql } from "../../../src/db/sql.ts";
import { type FilterIndex, openFilterIndex } from "../../../src/filters/index/filter-index.ts";
import {
  deleteSavedFilters,
  listFilterChanges,
  saveComparedSets,
  saveSavedFilters,
} from "../../../src/filters/saved-filter-store.ts";
import { findListingFacts, sampleListingFacts } from "../../../src/listings/listing-store.ts";
import { aListingWith, insertListings } from "../../support/listings.ts";
import { aGroup } from "../../support/rows.ts";
import { borrowTestDatabase } from "../../support/shared-store.ts";
import { until } from "../../support/test-app.ts";
import { openTestDatabase } from "../../support/test-database.ts";

const log = createLogger("silent");
const listing = aListingWith();

function save(db: Database, owner_id: string, filters: Readonly<Record<string, unknown>> = {}) {
  return saveSavedFilters(db, [
    {
      owner_kind: "alert",
      owner_id,
      filters: [filters],
      reads_duplicates: false,
    },
  ]);
}

async function openIndex(t: TestContext, pool: DatabasePool, url: string): Promise<FilterIndex> {
  const feed = openChangeFeed({ url, log });
  const index = await openFilterIndex({ db: pool, feed, log });
  t.after(async () => {
    await index.close();
    await feed.close();
  });
  await until(() => feed.isLive());
  return index;
}

function matchedBy(index: FilterIndex): readonly string[] {
  return index.match(listing).map(({ owner_id }) => owner_id);
}

test("the index loads the filters that exist when it opens, and follows additions, changes and removals", async (t) => {
  const { pool, url } = await borrowTestDatabase(t);
  const [early, late] = [randomUUID(), randomUUID()];
  await save(pool, early);
  const index = await openIndex(t, pool, url);
  assert.deepEqual(matchedBy(index), [early]);

  await save(pool, late, { brand: ["Rolex"] });
  await until(() => matchedBy(index).length === 2);

  await save(pool, late, { brand: ["Omega"] });
  await until(() => matchedBy(index).length === 1);
  await deleteSavedFilters(pool, [{ owner_kind: "alert", owner_id: early }]);
  await until(() => matchedBy(index).length === 0);
  assert.equal(index.stats().filterCount, 1);
});

test("no change is lost when the connection of the change feed is cut repeatedly", async (t) => {
  const { pool, url } = await openTestDatabase(t);
  const index = await openIndex(t, pool, url);
  const ids = Array.from({ length: 60 }, () => randomUUID());

  for (const [at, id] of ids.entries()) {
    if (at % 10 === 0) {
      await pool.execute(sql`select pg_terminate_backend(pid) from pg_stat_activity
                  where application_name = 'assay changes' and datname = current_database()`);
    }
    await save(pool, id);
  }

  await until(() => matchedBy(index).length === ids.length);
  assert.deepEqual([...matchedBy(index)].sort(), [...ids].sort());
});

test("a number that becomes visible is never followed by a smaller one", async (t) => {
  const { pool } = await openTestDatabase(t, { sessionsMax: 10 });
  const seen: number[] = [];
  let isDone = false;
  const writing = Promise.all(
    Array.from({ length: 8 }, async (_, writer) => {
      for (let round = 0; round < 15; round += 1) {
        await pool
          .transaction(async (tx) => {
            await save(tx, randomUUID());
            await tx.execute(sql`select pg_sleep(${(writer % 3) * 0.003})`);
            // Some of them are rolled back, and leave a gap in the numbers, which no reader waits for.
            if ((round + writer) % 5 === 0) throw new Error("rolled back");
          })
          .catch(() => undefined);
      }
    }),
  ).then(() => {
    isDone = true;
  });

  let readUpTo = 0;
  while (!isDone) {
    const changes = await listFilterChanges(pool, { afterSequence: readUpTo, limit: 1000 });
    seen.push(...changes.map(({ sequence }) => sequence));
    readUpTo = seen.at(-1) ?? 0;
  }
  await writing;
  seen.push(
    ...(await listFilterChanges(pool, { afterSequence: readUpTo, limit: 1000 })).map(
      ({ sequence }) => sequence,
    ),
  );

  const all = await listFilterChanges(pool, { afterSequence: 0, limit: 1000 });
  assert.deepEqual(
    seen,
    all.map(({ sequence }) => sequence),
  );
  assert.ok(all.length > 80);
});

test("after catchUp the index matches every filter that was committed before", async (t) => {
  const { pool, url } = await borrowTestDatabase(t);
  const index = await openIndex(t, pool, url);

  for (let round = 0; round < 10; round += 1) {
    const id = randomUUID();
    await save(pool, id);
    await pool.transaction(async (tx) => {
      await index.catchUp(tx);
      assert.ok(matchedBy(index).includes(id));
    });
  }
});

test("saving the same filter again writes no change to the log", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  const id = randomUUID();
  await save(pool, id, { brand: ["Rolex"] });
  const before = await listFilterChanges(pool, { afterSequence: 0, limit: 10 });

  await save(pool, id, { brand: ["Rolex"] });

  assert.deepEqual(await listFilterChanges(pool, { afterSequence: 0, limit: 10 }), before);
});

test("a stored filter that does not parse matches nothing and does not stop the others", async (t) => {
  const { pool, url } = await borrowTestDatabase(t);
  const [wrong, right] = [randomUUID(), randomUUID()];
  await save(pool, wrong, { brand: 7 });
  await save(pool, right);

  const index = await openIndex(t, pool, url);

  assert.deepEqual(matchedBy(index), [right]);
});

test("all objects of a saved filter must hold, and reads_duplicates includes duplicates", async (t) => {
  const { pool, url } = await borrowTestDatabase(t);
  const [both, population] = [randomUUID(), randomUUID()];
  await saveSavedFilters(pool, [
    {
      owner_kind: "alert",
      owner_id: both,
      filters: [{ brand: ["Rolex"] }, { brand: ["Omega"] }],
      reads_duplicates: false,
    },
  ]);
  await saveSavedFilters(pool, [
    {
      owner_kind: "configuration",
      owner_id: population,
      filters: [{ brand: ["Rolex"] }],
      reads_duplicates: true,
    },
  ]);
  const index = await openIndex(t, pool, url);

  assert.deepEqual(index.match(aListingWith({ is_duplicate: true })), [
    { owner_kind: "configuration", owner_id: population },
  ]);
});

test("the index applies the sets that a configuration compares, and follows their changes", async (t) => {
  const { pool, url } = await borrowTestDatabase(t);
  const id = randomUUID();
  const filters = [{ brand: ["Rolex"] }];
  const saved = { owner_kind: "configuration", owner_id: id, filters, reads_duplicates: true };
  await saveSavedFilters(pool, [saved]);
  const index = await openIndex(t, pool, url);
  const [naked, silent] = [
    aListingWith({ full_set_status: ["WATCH"] }),
    aListingWith({ full_set_status: [] }),
  ];
  const countMatches = () => [naked, silent].map((one) => index.match(one).length);
  assert.deepEqual(countMatches(), [1, 1]);

  await saveComparedSets(pool, [{ id, sets: "papers" }]);
  await index.catchUp(pool);
  const underPapers = countMatches();
  await saveComparedSets(pool, [{ id, sets: "any" }]);
  await index.catchUp(pool);

  assert.deepEqual(underPapers, [0, 1]);
  assert.deepEqual(countMatches(), [1, 1]);
});

test("findListingFacts returns a listing as it was stored, with the names of its groups", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  const group = await aGroup(pool, { name: "EU-Dealers" });
  const stored = aListingWith({ group_ids: [group], group_names_folded: ["eudealers"] });
  await insertListings(pool, [stored]);

  const [facts] = await findListingFacts(pool, [stored.id, randomUUID()]);

  const { canonical_message_id, contact_id, ...expected } = stored;
  assert.deepEqual(facts, expected);
});

test("a changed exchange rate is used within a second", async (t) => {
  const { pool, url } = await borrowTestDatabase(t);
  const id = randomUUID();
  await save(pool, id, { price: { gte: 2_500_000, currency: "USD" } });
  const index = await openIndex(t, pool, url);
  assert.deepEqual(matchedBy(index), []);

  await pool.execute(
    sql`insert into fx_rate (currency, day, kind, per_eur) values ('USD', '2026-01-01', 'declared', 2)`,
  );

  await until(() => matchedBy(index).length === 1, 1000);
});

test("the index opens without a sample of listings if the store cannot give one", async (t) => {
  const { pool, url } = await openTestDatabase(t);
  const owner = randomUUID();
  await save(pool, owner, { brand: ["Rolex"] });
  await pool.execute(sql`alter table listing rename column sequence to other`);

  const index = await openIndex(t, pool, url);

  assert.deepEqual(matchedBy(index), [owner]);
});

test("the sample has the start of each search text, and a listing the first 64 kB of a larger one", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  await insertListings(pool, [listing]);
  await pool.execute(sql`update listing set search_text = repeat('ab ', 300000)`);

  const [sampled] = await sampleListingFacts(pool, { limit: 10, textMax: 100 });
  const [found] = await findListingFacts(pool, [listing.id]);

  assert.equal(sampled?.search_text.length, 100);
  assert.equal(found?.search_text.length, 64 * 1024);
});
