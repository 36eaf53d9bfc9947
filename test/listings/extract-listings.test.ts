import assert from "node:assert/strict";
import { test } from "node:test";
import { HOUR_MS } from "../../src/base/clock.ts";
import type { Database, DatabasePool } from "../../src/db/database.ts";
import { sql } from "../../src/db/sql.ts";
import { buildCatalogue } from "../../src/extraction/catalogue/catalogue.ts";
import { extractListings } from "../../src/listings/extract-listings.ts";
import { declareDefaultCurrency } from "../../src/messages/group-store.ts";
import { changeRates } from "../../src/pipeline/change-rates.ts";
import { requestReplay } from "../../src/pipeline/replay.ts";
import { process, stepContext } from "../support/drain.ts";
import { borrowTestDatabase } from "../support/shared-store.ts";
import { createTestClock, NOW_MS } from "../support/test-app.ts";
import { openTestDatabase } from "../support/test-database.ts";
import {
  aGroupEvent,
  aMessageEvent,
  anEditEvent,
  aRevokeEvent,
  aStatusEvent,
  SENDER,
  SESSION_A,
} from "../support/waha.ts";

const AT_S = 1_787_217_330;
const DAY_S = 86_400;
const OTHER_GROUP = "120363000000000102@g.us";
const OTHER_SENDER = { phone: "447700900124", lid: "199900000000202", name: "Ana P." };

interface Row {
  readonly id: string;
  readonly reference: string | null;
  readonly price_amount_minor: number | null;
  readonly price_currency: string | null;
  readonly price_eur_minor: number | null;
  readonly occurrence_count: number;
  readonly status: string | null;
  readonly is_duplicate: boolean;
  readonly is_hidden: boolean;
  readonly is_revoked: boolean;
  readonly updated_at_ms: number;
  readonly sequence: number;
  readonly canonical_message_id: string;
  readonly sources: Readonly<Record<string, string>>;
}

test("a message becomes a listing with the facts of its text and its sender", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  await pool.execute(
    sql`insert into fx_rate (currency, day, kind, per_eur) values ('HKD', '2026-08-01', 'declared', 8.5)`,
  );

  await process(pool, [
    aMessageEvent({ text: "WTS 126610LN 2024 full set HKD 98,500" }),
    aMessageEvent({
      rawId: "A2",
      text: "wts 126610ln 2024 full set hkd 98,500",
      group: OTHER_GROUP,
      atS: AT_S + 60,
    }),
  ]);

  const [row, ...more] = await pool.query(sql`
    select side, message_type, brand, model, reference, reference_normalized, year, full_set_status,
           price_amount_minor, price_currency, price_eur_minor, phone_number, occurrence_count,
           cardinality(group_ids) as group_count, message_timestamp_ms, is_hidden, is_revoked, is_duplicate
      from listing`);
  assert.deepEqual(more, []);
  assert.deepEqual(row, {
    side: "for_sale",
    message_type: "selling",
    brand: "Rolex",
    model: "Submariner Date",
    reference: "126610LN",
    reference_normalized: "126610LN",
    year: 2024,
    full_set_status: ["FULL_SET"],
    price_amount_minor: 9_850_000,
    price_currency: "HKD",
    price_eur_minor: 1_158_824,
    phone_number: SENDER.phone,
    occurrence_count: 2,
    group_count: 2,
    message_timestamp_ms: AT_S * 1000,
    is_hidden: false,
    is_revoked: false,
    is_duplicate: false,
  });
});

test("a price without a rate for its day has no price in euros, and an approximate rate is marked", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  await pool.execute(
    sql`insert into fx_rate (currency, day, kind, per_eur) values ('USD', '2026-08-01', 'built_in', 2)`,
  );

  await process(pool, [
    aMessageEvent({ rawId: "A1", text: "126610LN 2024 USD 13,000" }),
    aMessageEvent({ rawId: "A2", text: "126710BLRO 2024 HKD 130,000" }),
  ]);

  const rows = await listings(pool);
  assert.deepEqual(
    rows.map((row) => [row.price_currency, row.price_eur_minor, row.sources["price_eur"]]),
    [
      ["USD", 650_000, "approximate"],
      ["HKD", null, undefined],
    ],
  );
});

test("editing the price hides the listing of the old text and adds a listing of the new text", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  await process(pool, [aMessageEvent({ rawId: "A1", text: "126610LN 2024 €12,500" })]);

  await process(pool, [
    anEditEvent({ rawId: "A1", text: "126610LN 2024 €12,100", atS: AT_S + 60 }),
  ]);

  assert.deepEqual(
    (await listings(pool)).map((row) => [row.price_amount_minor, row.is_hidden]),
    [
      [1_210_000, false],
      [1_250_000, true],
    ],
  );
});

test("an edit that removes the watch from the text hides the old listing", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  await process(pool, [aMessageEvent({ rawId: "A1", text: "126610LN 2024 €12,500" })]);

  await process(pool, [anEditEvent({ rawId: "A1", text: "good morning", atS: AT_S + 60 })]);

  const rows = await listings(pool);
  assert.deepEqual(
    rows.map((row) => [row.is_hidden, row.occurrence_count]),
    [[true, 0]],
  );
});

test("a listing is revoked when all occurrences of its message are revoked", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  const text = "126610LN 2024 €12,500";
  await process(pool, [
    aMessageEvent({ rawId: "A1", text }),
    aMessageEvent({ rawId: "A2", text, atS: AT_S + 600 }),
  ]);

  await process(pool, [aRevokeEvent({ rawId: "A1", atS: AT_S + 700 })]);
  const [half] = await listings(pool);
  await process(pool, [aRevokeEvent({ rawId: "A2", atS: AT_S + 800 })]);
  const [whole] = await listings(pool);

  assert.deepEqual([half?.is_revoked, half?.occurrence_count], [false, 1]);
  assert.deepEqual([whole?.is_revoked, whole?.id], [true, half?.id]);
});

test("a watch that is sold or on hold is hidden and keeps its status", async (t) => {
  const { pool } = await borrowTestDatabase(t);

  await process(pool, [
    aMessageEvent({ rawId: "A1", text: "126610LN 2024 €12,500 SOLD" }),
    aMessageEvent({ rawId: "A2", text: "126710BLRO 2024 €17,500 on hold" }),
  ]);

  assert.deepEqual(
    (await listings(pool)).map((row) => [row.reference, row.status, row.is_hidden]),
    [
      ["126610LN", "sold", true],
      ["126710BLRO", "on_hold", true],
    ],
  );
});

test("our own message has no listing, even if it is recognised as ours only later", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  const sender = { phone: "447700900177", lid: "199900000000777", name: "Us" };
  await process(pool, [
    aMessageEvent({ rawId: "A1", isOwn: true, text: "126610LN 2024 €12,500" }),
    aMessageEvent({ rawId: "A2", sender, text: "126710BLRO 2024 €17,500" }),
  ]);
  const before = (await listings(pool)).map((row) => row.reference);

  const session = { ...SESSION_A, name: "recv-3", phone: sender.phone, lid: sender.lid };
  await process(pool, [aStatusEvent({ session, status: "WORKING", atMs: AT_S * 1000 })]);

  assert.deepEqual(before, ["126710BLRO"]);
  assert.deepEqual(await listings(pool), []);
});

test("the same ask in another message within 30 days is a duplicate, unless the price differs", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  const ask = (rawId: string, days: number, text: string, sender = SENDER) =>
    aMessageEvent({ rawId, text, sender, atS: AT_S + days * DAY_S });

  await process(pool, [
    ask("A1", 0, "126610LN 2024 €12,500 a"),
    ask("A2", 30, "126610LN 2024 €12,500 b"),
    ask("A3", 31, "126610LN 2024 €12,400 c"),
    ask("A4", 61, "126610LN 2024 €12,500 d"),
    ask("A5", 1, "126610LN 2024 €12,500 a", OTHER_SENDER),
    ask("A6", 2, "Rolex Submariner 2024 €12,500 e"),
    ask("A7", 3, "Rolex Submariner 2024 €12,500 f"),
    ask("A8", 4, "WTB 126610LN 2024"),
    ask("A9", 5, "126610LN 2024 price on request"),
  ]);

  const rows = await pool.query(sql`
    select text, is_duplicate
      from listing join canonical_message as message on message.id = canonical_message_id
     where is_duplicate`);
  assert.deepEqual([...rows], [{ text: "126610LN 2024 €12,500 b", is_duplicate: true }]);
});

test("when the original is revoked, the next ask becomes the original and later asks are its duplicates", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  await process(pool, [
    aMessageEvent({ rawId: "A3", text: "126610LN 2024 €12,500 c", atS: AT_S + 2 * DAY_S }),
    aMessageEvent({ rawId: "A2", text: "126610LN 2024 €12,500 b", atS: AT_S + DAY_S }),
    aMessageEvent({ rawId: "A1", text: "126610LN 2024 €12,500 a" }),
  ]);
  const before = await duplicates(pool);
  await pool.execute(sql`delete from match_queue`);

  await process(pool, [aRevokeEvent({ rawId: "A1", atS: AT_S + 3 * DAY_S })], {
    steps: "listings",
  });

  assert.deepEqual(before, [false, true, true]);
  assert.deepEqual(await duplicates(pool), [false, false, true]);
  const queued = await pool.query(
    sql`select resource_id, alert_ms from match_queue order by resource_id`,
  );
  const rows = await listings(pool);
  assert.deepEqual(
    queued.map((row) => row["resource_id"]),
    rows
      .slice(0, 2)
      .map(({ id }) => id)
      .sort(),
  );
});

test("when contacts merge, the listing gets a new id and the old id becomes an alias", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  const text = "126610LN 2024 €12,500";
  await process(pool, [aMessageEvent({ rawId: "A1", addressing: "lid", text })]);
  const [old] = await listings(pool);

  await process(pool, [aMessageEvent({ rawId: "A2", addressing: "both", text })]);

  const [moved, ...more] = await listings(pool);
  const aliases = await pool.query(sql`select old_id, listing_id from listing_alias`);
  assert.deepEqual(more, []);
  assert.notEqual(moved?.id, old?.id);
  assert.equal(moved?.occurrence_count, 2);
  assert.deepEqual([...aliases], [{ old_id: old?.id, listing_id: moved?.id }]);
});

test("an alert that has not fired yet survives a merge of contacts, and old messages fire none", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  // An alert that reads messages, so that these are queued too.
  await pool.execute(sql`
    insert into saved_filter (owner_kind, owner_id, filters, reads_duplicates)
    values ('message_alert', gen_random_uuid(), '[]', false)`);
  const text = "126610LN 2024 €12,500";
  const nowS = NOW_MS / 1000;
  await process(
    pool,
    [
      aMessageEvent({ rawId: "A1", addressing: "lid", text, atS: nowS - 3_600 }),
      aMessageEvent({ rawId: "A2", addressing: "both", text: "thanks", atS: nowS - 3_600 }),
      aMessageEvent({ rawId: "A3", text: "126710BLRO €17,500", atS: nowS - 25 * 3_600 }),
    ],
    { steps: "listings" },
  );

  const queued = await pool.query(sql`
    select match.resource, listing.reference, message.text, match.alert_ms
      from match_queue as match
      left join listing on listing.id = match.resource_id
      left join canonical_message as message on message.id = match.resource_id
     where listing.id is not null or message.id is not null
     order by 1, 2, 3`);
  const windowMs = 23 * HOUR_MS;
  assert.deepEqual(
    queued.map((row) => Object.values(row)),
    [
      ["message", null, text, windowMs],
      ["message", null, "thanks", windowMs],
      ["watch_listing", "126610LN", null, windowMs],
      ["watch_listing", "126710BLRO", null, null],
    ],
  );
});

test("declaring a group's default currency reads its messages again", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  await process(pool, [
    aMessageEvent({ rawId: "A1", text: "126610LN 2024 12,500", group: OTHER_GROUP }),
  ]);
  const [before] = await listings(pool);

  await declareDefaultCurrency(pool, { gatewayGroupId: OTHER_GROUP, currency: "EUR" });
  await process(pool, []);

  const [after] = await listings(pool);
  assert.equal(before?.price_eur_minor ?? null, null);
  assert.deepEqual([after?.id, after?.price_eur_minor], [before?.id, 1_250_000]);
});

test("renaming a group queues its listings for matching and changes none of them", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  await process(pool, [
    aGroupEvent({ name: "EU", atMs: AT_S * 1000 }),
    aMessageEvent({ text: "126610LN 2024 €12,500" }),
    aMessageEvent({ rawId: "A2", text: "126710BLRO €17,500", group: OTHER_GROUP }),
  ]);
  const before = await listings(pool);
  await pool.execute(sql`delete from match_queue`);

  await process(pool, [aGroupEvent({ name: "EU", atMs: AT_S * 1000 + 1 })], { steps: "listings" });
  const quiet = await pool.query(sql`select resource_id from match_queue`);
  await process(pool, [aGroupEvent({ name: "HK", atMs: AT_S * 1000 + 2 })], { steps: "listings" });
  const queued = await pool.query(sql`select resource_id, alert_ms from match_queue`);

  assert.deepEqual([...quiet], []);
  assert.deepEqual([...queued], [{ resource_id: before[0]?.id, alert_ms: null }]);
  assert.deepEqual(await listings(pool), before);
});

test("messages are queued for matching only if an alert reads messages", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  const context = await stepContext(pool);
  const readNew = async (rawId: string, areMessagesMatched: () => Promise<boolean>) => {
    await process(pool, [aMessageEvent({ rawId, text: `126610LN 2024 €12,500 ${rawId}` })]);
    await pool.execute(sql`delete from listing`);
    await pool.execute(sql`delete from match_queue`);
    await pool.execute(sql`
      insert into message_queue (canonical_message_id, alert_ms)
      select id, 1000 from canonical_message where text like ${`%${rawId}`}`);
    await extractListings(pool, { ...context, batchMax: 10, areMessagesMatched });
    const rows = await pool.query<{ resource: string }>(
      sql`select resource from match_queue order by resource`,
    );
    return rows.map(({ resource }) => resource);
  };

  const without = await readNew("A1", async () => false);
  const withAlert = await readNew("A2", async () => true);
  await context.close();

  assert.deepEqual(without, ["watch_listing"]);
  assert.deepEqual(withAlert, ["message", "watch_listing"]);
});

test("reading the same events again writes no listing: update times and sequences stay", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  const bodies = [
    aMessageEvent({ text: "126610LN 2024 €12,500\n126710BLRO 2023 full set €17,500" }),
    aMessageEvent({ rawId: "A2", text: "126610LN 2024 €12,500 again", atS: AT_S + DAY_S }),
  ];
  await process(pool, bodies);
  const before = await listings(pool);
  await pool.execute(sql`delete from match_queue`);

  await pool.execute(
    sql`insert into message_queue (canonical_message_id) select id from canonical_message`,
  );
  const context = await stepContext(pool);
  const clock = createTestClock();
  clock.advance(1000);
  await extractListings(pool, { ...context, clock, batchMax: 10 });
  await context.close();

  assert.equal(before.length, 3);
  assert.deepEqual(await listings(pool), before);
  assert.deepEqual([...(await pool.query(sql`select resource_id from match_queue`))], []);
});

test("a listing that another catalogue does not find is hidden and comes back with the same id", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  const context = await stepContext(pool);
  t.after(() => context.close());
  await process(pool, [aMessageEvent({ text: "126610LN 2024 €12,500\n15510ST 2024 €44,000" })]);
  const before = await listings(pool);
  const smaller = buildCatalogue(
    context.catalogue.brands.filter(({ name }) => name !== "Audemars Piguet"),
  );
  const readWith = async (catalogue: typeof smaller): Promise<readonly Row[]> => {
    await pool.execute(
      sql`insert into message_queue (canonical_message_id) select id from canonical_message`,
    );
    await extractListings(pool, { ...context, catalogue, batchMax: 10 });
    return listings(pool);
  };

  const without = await readWith(smaller);
  const still = await readWith(smaller);
  const again = await readWith(context.catalogue);

  const marks = (rows: readonly Row[]) => rows.map((row) => [row.id, row.is_hidden]);
  assert.equal(before.length, 2);
  assert.deepEqual(marks(without), [
    [before[0]?.id, false],
    [before[1]?.id, true],
  ]);
  assert.deepEqual(marks(still), marks(without));
  assert.deepEqual(marks(again), marks(before));
});

test("a listing keeps its id when an earlier copy of the text has other ornaments and empty lines", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  await process(pool, [
    aMessageEvent({ rawId: "A2", text: "WTS\n126610LN 2024 €12,500", atS: AT_S + 60 }),
  ]);
  const [before] = await listings(pool);

  await process(pool, [
    aMessageEvent({ rawId: "A1", text: "wts\n\n🔥🔥\n\n126610ln 2024 €12,500" }),
  ]);

  const rows = await listings(pool);
  assert.deepEqual(
    rows.map((row) => [row.id, row.reference, row.occurrence_count]),
    [[before?.id, "126610ln", 2]],
  );
});

test("a message that the store rejects is stored as failed, and the others are processed", async (t) => {
  const { pool } = await openTestDatabase(t);
  await pool.execute(
    sql`alter table listing add constraint no_blro check (reference_normalized <> '126710BLRO')`,
  );

  await process(pool, [
    aMessageEvent({ rawId: "A1", text: "126610LN 2024 €12,500" }),
    aMessageEvent({ rawId: "A2", text: "126710BLRO 2024 €17,500" }),
    aMessageEvent({ rawId: "A3", text: "thanks" }),
  ]);

  const outcomes = await pool.query(sql`select outcome from message_extraction order by outcome`);
  assert.deepEqual(
    outcomes.map((row) => row["outcome"]),
    ["failed", "listings", "no_watch"],
  );
  assert.equal((await listings(pool)).length, 1);
  assert.equal((await pool.query(sql`select 1 from message_queue`)).length, 0);
});

test("listings of merged messages move even if the store rejects the replacement, in either order", async (t) => {
  const { pool } = await openTestDatabase(t);
  const senders = [1, 2, 3, 4, 5, 6].map((at) => ({
    phone: `44770090030${at}`,
    lid: `19990000000040${at}`,
    name: `Dealer ${at}`,
  }));
  const text = "126610LN 2024 €12,500";
  const eventsOf = (rawId: string, addressing: "lid" | "both") =>
    senders.map((sender, at) =>
      aMessageEvent({ rawId: `${rawId}${at}`, addressing, sender, text }),
    );
  await process(pool, eventsOf("A", "lid"));
  const before = await listings(pool);
  await pool.execute(sql`alter table listing add constraint once check (occurrence_count < 2)`);

  await process(pool, eventsOf("B", "both"));

  const aliases = await pool.query<{ old_id: string }>(
    sql`select old_id from listing_alias order by 1`,
  );
  const moved = await pool.query<{ is_first: boolean }>(sql`
    select old_id < canonical_message_id as is_first from message_alias order by 1`);
  const failed = await pool.query(sql`
    select from message_extraction join canonical_message on canonical_message.id = canonical_message_id
     where outcome = 'failed'`);
  assert.deepEqual(await listings(pool), []);
  assert.deepEqual(
    aliases.map(({ old_id }) => old_id),
    before.map(({ id }) => id).sort(),
  );
  assert.equal(failed.length, senders.length);
  assert.equal((await pool.query(sql`select from message_extraction`)).length, senders.length);
  // Ids are derived from the contact and the text, so the order is the same in every run.
  assert.deepEqual(new Set(moved.map(({ is_first }) => is_first)), new Set([true, false]));
});

test("a changed rate changes the prices of the listings of its days, and no others", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  await pool.execute(
    sql`insert into fx_rate (currency, day, kind, per_eur) values ('USD', '2026-08-01', 'declared', 2)`,
  );
  await process(pool, [
    aMessageEvent({ rawId: "A1", text: "126610LN 2024 USD 13,000" }),
    aMessageEvent({ rawId: "A2", text: "126610LN 2023 USD 12,000", atS: AT_S + 5 * DAY_S }),
    aMessageEvent({ rawId: "A3", text: "126610LN 2022 €12,000", atS: AT_S + 6 * DAY_S }),
  ]);
  await pool.execute(sql`delete from match_queue`);
  const dayMs = (AT_S + 5 * DAY_S) * 1000;

  const day = new Date(dayMs).toISOString().slice(0, 10);
  await pool.transaction((tx) => changeRates(tx, [{ day, currency: "USD", per_eur: "4" }]));
  const queued = await pool.query(sql`select canonical_message_id from message_queue`);
  await process(pool, []);

  const rows = await listings(pool);
  assert.deepEqual(
    rows.map((row) => row.price_eur_minor),
    [650_000, 300_000, 1_200_000],
  );
  assert.deepEqual([...queued], [{ canonical_message_id: rows[1]?.canonical_message_id }]);
});

test("a replay creates the same listings with the same ids", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  const text = "126610LN 2024 €12,500";
  await process(pool, [
    aMessageEvent({ rawId: "A1", addressing: "lid", text }),
    aMessageEvent({ rawId: "A2", addressing: "both", text }),
    aMessageEvent({ rawId: "A3", text: "126610LN 2024 €12,500 again", atS: AT_S + DAY_S }),
    anEditEvent({ rawId: "A1", text: "126610LN 2024 €12,100", atS: AT_S + 60 }),
  ]);
  const before = (await listings(pool)).map(toFacts);

  await requestReplay(pool, { alerting: "never" });
  const emptied = await listings(pool);
  await process(pool, []);

  assert.equal(before.length, 3);
  assert.deepEqual(emptied, []);
  assert.deepEqual((await listings(pool)).map(toFacts), before);
});

function toFacts({ updated_at_ms, sequence, ...facts }: Row) {
  return facts;
}

/** Ordered by time, then by price. */
async function listings(db: Database): Promise<readonly Row[]> {
  return [
    ...(await db.query<Row>(sql`
      select id, reference, price_amount_minor, price_currency, price_eur_minor, occurrence_count, status,
             is_duplicate, is_hidden, is_revoked, updated_at_ms, sequence, canonical_message_id, sources
        from listing
       order by message_timestamp_ms, line, price_amount_minor, id`)),
  ];
}

async function duplicates(pool: DatabasePool): Promise<readonly boolean[]> {
  return (await listings(pool)).map((row) => row.is_duplicate);
}
