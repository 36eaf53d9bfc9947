import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { HOUR_MS } from "../../src/base/clock.ts";
import type { DatabasePool } from "../../src/db/database.ts";
import { listMigrations } from "../../src/db/migrate.ts";
import { sql } from "../../src/db/sql.ts";
import { saveRawEvents } from "../../src/intake/raw-event-store.ts";
import { process } from "../support/drain.ts";
import { emptyStore, toRawEvent } from "../support/generators/histories.ts";
import { anyPriceHistory, readPriceDrops } from "../support/generators/price-drops.ts";
import { correct } from "../support/listings.ts";
import { borrowTestDatabase } from "../support/shared-store.ts";
import { NOW_MS } from "../support/test-app.ts";
import { openTestDatabase } from "../support/test-database.ts";
import { aMessageEvent, anEditEvent, aRevokeEvent, SENDER } from "../support/waha.ts";

const WATCH = "126610LN 2024 new full set";
const OTHER = { phone: "447700900456", lid: "199900000000456", name: "Other" };
const DAY = 24;

const sentS = (hoursAgo: number) => (NOW_MS - hoursAgo * HOUR_MS) / 1000;

/** A post so many hours before now. */
function post(rawId: string, text: string, hoursAgo: number, more: object = {}) {
  return aMessageEvent({ rawId, text, atS: sentS(hoursAgo), ...more });
}

const ask = (euros: string, words = "") => `${words}${WATCH} EUR ${euros}`;

/** By ask, in the order of the first posts, as `ask < from (bps)`. The slow twin must agree. */
async function showDrops(pool: DatabasePool): Promise<readonly string[]> {
  const { stored, expected } = await readPriceDrops(pool);
  assert.deepEqual(stored, expected);
  const rows = await pool.query<{ ask: string; from: number | null; bps: number | null }>(sql`
    select price_currency || ' ' || price_amount_minor / 100 as ask, price_drop_from_minor / 100 as "from",
           price_drop_bps as bps
      from listing
     where not is_hidden and not is_revoked
     order by message_timestamp_ms, line`);
  return rows.map((row) => (row.bps === null ? row.ask : `${row.ask} < ${row.from} (${row.bps})`));
}

test("an ask below the dealer's last one is a price drop, and a higher, equal or other one is none", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  await process(pool, [
    post("A", ask("10,000"), 20),
    post("B", ask("9,500"), 19),
    post("C", ask("9,500", "Available "), 18),
    post("D", ask("9,900"), 17),
    post("E", ask("9,899.50"), 16),
    post("F", ask("9,000"), 15, { sender: OTHER }),
    post("G", `${WATCH} USD 9,000`, 14),
    post("H", `WTB ${WATCH} EUR 9,000`, 13),
    post("I", "126610LN 2023 new full set EUR 9,000", 12),
  ]);

  assert.deepEqual(await showDrops(pool), [
    "EUR 10000",
    "EUR 9500 < 10000 (500)",
    "EUR 9500",
    "EUR 9900",
    "EUR 9899",
    "EUR 9000",
    "USD 9000",
    "EUR 9000",
    "EUR 9000",
  ]);
});

test("the ask before it counts for 60 days, and a fall of more than half is misread", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  await process(pool, [
    post("A", ask("20,000"), 130 * DAY),
    post("B", ask("19,000"), 70 * DAY),
    post("C", ask("18,000"), 10 * DAY - 1),
    post("D", ask("9,000"), 9 * DAY),
    post("E", ask("4,490"), 8 * DAY),
  ]);

  assert.deepEqual(await showDrops(pool), [
    "EUR 20000",
    "EUR 19000 < 20000 (500)",
    "EUR 18000",
    "EUR 9000 < 18000 (5000)",
    "EUR 4490",
  ]);
});

test("two watches of a key in one message have no price drop and give none", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  await process(pool, [
    post("A", ask("10,000"), 20),
    post("B", `${ask("9,800")}\n${ask("9,700", "also ")}`, 19),
    post("C", ask("9,600"), 18),
    post("D", ask("9,500"), 17),
  ]);
  const before = await showDrops(pool);
  const [twin] = await pool.query<{ id: string }>(sql`
    select id from listing where price_amount_minor = 970000`);

  await correct(pool, twin?.id ?? "", { is_listing: false });
  await process(pool, []);

  assert.deepEqual(before, [
    "EUR 10000",
    "EUR 9800",
    "EUR 9700",
    "EUR 9600",
    "EUR 9500 < 9600 (104)",
  ]);
  assert.deepEqual(await showDrops(pool), [
    "EUR 10000",
    "EUR 9800 < 10000 (200)",
    "EUR 9600 < 9800 (204)",
    "EUR 9500 < 9600 (104)",
  ]);
});

test("a reply lowers the ask of its post, and counts as an ask of its own time", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  await process(pool, [
    post("A", ask("10,000"), 20),
    post("B", ask("9,900"), 15),
    post("R", "now 9,500", 10, { replyTo: "A" }),
    post("C", ask("9,400"), 5),
  ]);
  const replied = await showDrops(pool);

  await process(pool, [aRevokeEvent({ rawId: "R", author: SENDER, atS: sentS(4) })]);

  assert.deepEqual(replied, [
    "EUR 9500 < 9900 (404)",
    "EUR 9900 < 10000 (100)",
    "EUR 9400 < 9500 (105)",
  ]);
  assert.deepEqual(await showDrops(pool), [
    "EUR 10000",
    "EUR 9900 < 10000 (100)",
    "EUR 9400 < 9900 (505)",
  ]);
});

test("an ask in between that comes late, changes or goes changes the drop of the next one", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  await process(pool, [post("C", ask("9,000"), 5)]);
  const shown = [await showDrops(pool)];
  const then = async (event: unknown) => {
    await process(pool, [event]);
    shown.push(await showDrops(pool));
  };
  await then(post("A", ask("10,000"), 20));
  await then(post("B", ask("9,500"), 10));
  await then(anEditEvent({ rawId: "B", text: ask("9,300"), atS: sentS(4) }));
  await then(aRevokeEvent({ rawId: "B", author: SENDER, atS: sentS(3) }));
  await then(post("S", "SOLD", 2, { replyTo: "A" }));

  assert.deepEqual(shown, [
    ["EUR 9000"],
    ["EUR 10000", "EUR 9000 < 10000 (1000)"],
    ["EUR 10000", "EUR 9500 < 10000 (500)", "EUR 9000 < 9500 (526)"],
    ["EUR 10000", "EUR 9300 < 10000 (700)", "EUR 9000 < 9300 (322)"],
    ["EUR 10000", "EUR 9000 < 10000 (1000)"],
    ["EUR 9000"],
  ]);
});

test("a correction of either ask and a merge of contacts change the drop", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  await process(pool, [
    post("A", ask("10,000"), 20, { addressing: "lid" }),
    post("B", ask("9,000"), 10, { addressing: "phone" }),
  ]);
  const shown = [await showDrops(pool)];
  const then = async (event?: unknown) => {
    await process(pool, event === undefined ? [] : [event]);
    shown.push(await showDrops(pool));
  };
  const correctAsk = async (minor: number, fields: object) => {
    const [row] = await pool.query<{ id: string }>(sql`
      select id from listing where price_amount_minor = ${minor}`);
    await correct(pool, row?.id ?? "", { ...fields });
    await then();
  };
  await then(post("P", "good morning", 9, { addressing: "both" }));
  await correctAsk(1_000_000, { price: { amount_minor: 1_200_000, currency: "EUR" } });
  await correctAsk(900_000, { price: { amount_minor: 1_100_000, currency: "EUR" } });
  await correctAsk(1_100_000, { reference: null });

  assert.deepEqual(shown, [
    ["EUR 10000", "EUR 9000"],
    ["EUR 10000", "EUR 9000 < 10000 (1000)"],
    ["EUR 12000", "EUR 9000 < 12000 (2500)"],
    ["EUR 12000", "EUR 11000 < 12000 (833)"],
    ["EUR 12000", "EUR 11000"],
  ]);
});

test("an ask counts from its first post on, also if that comes last", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  await process(pool, [post("A", ask("10,000"), 20), post("B", ask("9,000"), 10)]);
  const before = await showDrops(pool);

  await process(pool, [post("A2", ask("10,000"), 5)]);
  const reposted = await showDrops(pool);
  await process(pool, [post("B2", ask("9,000"), 21)]);

  assert.deepEqual(before, ["EUR 10000", "EUR 9000 < 10000 (1000)"]);
  assert.deepEqual(reposted, before);
  assert.deepEqual(await showDrops(pool), ["EUR 9000", "EUR 10000"]);
});

test("after every batch of any history, in any order, the price drops are those of all listings", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  const isLong = globalThis.process.env["ASSAY_TEST_LONG"] === "1";
  let dropCount = 0;
  let changeCount = 0;
  await fc.assert(
    fc.asyncProperty(
      anyPriceHistory,
      fc.infiniteStream(fc.nat({ max: 1_000_000 })),
      async (history, dice) => {
        const roll = () => dice.next().value ?? 0;
        await emptyStore(pool);
        const events = history
          .map((event) => ({ event, rank: roll() }))
          .sort((left, right) => left.rank - right.rank)
          .map(({ event }) => toRawEvent(event));
        let last: readonly string[] = [];
        while (events.length > 0) {
          await saveRawEvents(pool, events.splice(0, 1 + (roll() % 12)), "window");
          if (roll() % 3 === 0) await correctAny(pool, roll());
          await process(pool, []);
          const { stored, expected } = await readPriceDrops(pool);
          assert.deepEqual(stored, expected);
          changeCount += last.filter((drop) => !stored.includes(drop)).length;
          last = stored;
        }
        dropCount += last.length;
      },
    ),
    { numRuns: isLong ? 200 : 10, endOnFailure: true },
  );
  t.diagnostic(JSON.stringify({ dropCount, changeCount }));
  assert.ok(dropCount > 0 && changeCount > 0);
});

test("the migration gives stored listings the same price drops", async (t) => {
  const { pool } = await openTestDatabase(t);
  const migration = listMigrations().find(({ name }) => name.endsWith("price-drops"));
  let dropCount = 0;
  for (const history of fc.sample(anyPriceHistory, 6)) {
    await emptyStore(pool);
    await saveRawEvents(pool, history.map(toRawEvent), "window");
    await process(pool, []);
    await pool.script(`
      alter table listing drop column price_drop_from_minor, drop column price_drop_bps;
      drop index listing_by_replied_ask;
      ${migration?.sql}`);

    const { stored, expected } = await readPriceDrops(pool);
    assert.deepEqual(stored, expected);
    dropCount += stored.length;
  }
  assert.ok(dropCount > 0);
});

/** A person corrects a field of some listing. */
async function correctAny(pool: DatabasePool, dice: number): Promise<void> {
  const rows = await pool.query<{ id: string }>(sql`select id from listing order by id`);
  const { id } = rows[dice % Math.max(rows.length, 1)] ?? {};
  const fields = [
    { price: { amount_minor: 1_180_000, currency: "EUR" } },
    { is_listing: false },
    { reference: "126610LV" },
    { reference: null },
    { status: "sold" },
  ][dice % 5];
  if (id !== undefined) await correct(pool, id, { ...fields });
}
