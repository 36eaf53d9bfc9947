import assert from "node:assert/strict";
import { test } from "node:test";
import type { DatabasePool } from "../../src/db/database.ts";
import { takeBuckets, takeLock, tryLock } from "../../src/db/locks.ts";
import { sql } from "../../src/db/sql.ts";
import { saveRawEvents } from "../../src/intake/raw-event-store.ts";
import { extractListings } from "../../src/listings/extract-listings.ts";
import { STEPS } from "../../src/pipeline/steps.ts";
import { aLiveAlert } from "../support/alerts.ts";
import { drain, rawEvent, stepContext } from "../support/drain.ts";
import { emptyStore } from "../support/generators/histories.ts";
import { borrowTestDatabase } from "../support/shared-store.ts";
import { NOW_MS, until } from "../support/test-app.ts";
import { aMessageEvent } from "../support/waha.ts";

const WORKERS = 4;
const DEALERS = globalThis.process.env["ASSAY_TEST_LONG"] === "1" ? 1_000 : 120;
const WATCHES = ["126610LN 2023 new", "126500LN 2024 new white", "5711/1A 2020 used"];

interface Posts {
  readonly dealers: number;
  readonly count: number;
  /** A dealer is first known by his LID only, and later by his number too. */
  readonly areMerged: boolean;
}

/** Posts in the order in which they were sent. */
function listPosts({ dealers, count, areMerged }: Posts): readonly object[] {
  return Array.from({ length: count }, (_, at) => {
    const dealer = (at * 7) % dealers;
    const number = String(dealer).padStart(4, "0");
    // Some repeat the price of the post before, some ask less, some more.
    const price = 10_000 + ((Math.imul(at, 0x9e3779b1) >>> 28) % 3) * 250;
    return aMessageEvent({
      rawId: `P${at}`,
      sender: {
        phone: `4477009${number}`,
        lid: `1999000000${number}`,
        name: `Dealer ${number}`,
      },
      // Two posts of a dealer at one price are one ask, whatever stands around it.
      text: `${WATCHES[dealer % WATCHES.length]} €${price}${at % 4 === 0 ? "" : ` #${at}`}`,
      atS: NOW_MS / 1_000 - 80_000 + at * 60,
      addressing: areMerged && at < count / 2 ? "lid" : "both",
    });
  });
}

async function readState(pool: DatabasePool) {
  const listings = await pool.query(sql`
    select id, contact_id, is_duplicate, price_drop_from_minor, price_drop_bps, price_amount_minor
      from listing order by id`);
  const matches = await pool.query(sql`
    select resource_id from alert_match order by resource_id`);
  const queued = await pool.query(sql`
    select from message_queue union all select from match_queue union all select from identity_queue`);
  return { listings, matches, queued };
}

const MARKETS: Readonly<Record<string, Posts>> = {
  "one dealer": { dealers: 1, count: 150, areMerged: false },
  "many dealers": { dealers: DEALERS, count: 3 * DEALERS, areMerged: false },
  "dealers who prove to be others": { dealers: 10, count: 120, areMerged: true },
};

for (const [name, posts] of Object.entries(MARKETS)) {
  test(`four workers end in the same state as one, with posts of ${name}`, async (t) => {
    const { pool } = await borrowTestDatabase(t);
    await aLiveAlert(pool, { brand: ["Rolex"] });
    const run = async (workers: number) => {
      await emptyStore(pool);
      await pool.execute(sql`delete from alert_match`);
      await saveRawEvents(
        pool,
        listPosts(posts).map((post) => rawEvent(post)),
        "window",
      );
      const contexts = await Promise.all(Array.from({ length: workers }, () => stepContext(pool)));
      await Promise.all(contexts.map((context) => drain(context, { batchMax: 9 })));
      // A worker may end while another one still has what it waits for.
      await Promise.all(contexts.map((context) => drain(context)));
      await Promise.all(contexts.map((context) => context.close()));
      return readState(pool);
    };

    const alone = await run(1);
    const together = await run(WORKERS);

    assert.deepEqual(together.listings, alone.listings);
    // Two posts of a dealer may both be matched before it is known that he is one.
    if (!posts.areMerged) assert.equal(together.matches.length, alone.matches.length);
    assert.ok(alone.matches.length > 0);
    assert.ok(alone.listings.some((row) => row["is_duplicate"] === true));
    assert.ok(alone.listings.some((row) => row["price_drop_bps"] !== null));
    assert.deepEqual([alone.queued, together.queued], [[], []]);
  });
}

test("a batch finds what waits, whichever contacts it is of", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  await emptyStore(pool);
  const posts = listPosts({ dealers: 1, count: 24, areMerged: false });
  await saveRawEvents(
    pool,
    posts.map((post) => rawEvent(post)),
    "window",
  );
  const context = await stepContext(pool);
  const [canonicalize] = STEPS;
  await canonicalize?.run(context, { batchMax: 100 });

  const counts: number[] = [];
  for (let batch = 0; batch < 4; batch += 1) {
    counts.push((await extractListings(pool, { ...context, batchMax: 5 })).takenCount);
  }
  await context.close();

  assert.deepEqual(counts, [5, 5, 5, 5]);
});

test("batches of different contacts run side by side, and a change of all listings waits for both", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  let hasAll = false;
  let all: Promise<void> | undefined;

  await pool.transaction(async (left) => {
    const own = await takeBuckets(left, { first: 3, max: 8 });
    await pool.transaction(async (right) => {
      const others = await takeBuckets(right, { first: 3 });
      all = pool.transaction(async (tx) => {
        await takeLock(tx, "listings");
        hasAll = true;
      });
      await until(async () => (await pool.transaction((tx) => tryLock(tx, "listings"))) === false);

      assert.deepEqual(
        [...own, ...others].sort((one, other) => one - other),
        Array.from({ length: 16 }, (_, bucket) => bucket),
      );
      assert.equal(hasAll, false);
    });
  });
  await all;

  assert.equal(hasAll, true);
});
