import assert from "node:assert/strict";
import { test } from "node:test";
import type { Database, DatabasePool } from "../../../src/db/database.ts";
import { takeLock } from "../../../src/db/locks.ts";
import { sql } from "../../../src/db/sql.ts";
import { buildCatalogue } from "../../../src/extraction/catalogue/catalogue.ts";
import {
  CORRECTION_FIELDS,
  type Correction,
  withId,
} from "../../../src/listings/corrections/correction.ts";
import { findCorrections } from "../../../src/listings/corrections/correction-store.ts";
import { insertCorrections } from "../../../src/listings/corrections/correction-write-store.ts";
import {
  extractListings,
  readerOf,
  requestReextraction,
} from "../../../src/listings/extract-listings.ts";
import { findPriceHistory } from "../../../src/listings/price-store.ts";
import { declareDefaultCurrency } from "../../../src/messages/group-store.ts";
import { identitySha256 } from "../../../src/messages/message.ts";
import { requestReplay } from "../../../src/pipeline/replay.ts";
import { process, stepContext } from "../../support/drain.ts";
import { correct, listSetAside } from "../../support/listings.ts";
import { borrowTestDatabase } from "../../support/shared-store.ts";
import { createTestClock, NOW_MS, until } from "../../support/test-app.ts";
import { aMessageEvent, GROUP } from "../../support/waha.ts";

const TEXT = "WTS 126610LN 2024 full set €12,500";
const OTHER_SENDER = { phone: "447700900124", lid: "199900000000202", name: "Ana P." };
const HK_SENDER = { phone: "85260000001", lid: "199900000000203", name: "Li W." };

test("corrected fields replace what was read, and everything that follows from them follows", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  await pool.execute(
    sql`insert into fx_rate (currency, day, kind, per_eur) values ('HKD', '2026-08-01', 'declared', 8)`,
  );
  await process(pool, [aMessageEvent({ text: TEXT })]);
  const [read] = await listings(pool);

  const outcome = await correct(pool, read?.id ?? "", {
    price: { amount_minor: 9_600_000, currency: "HKD" },
    reference: "126610LV",
    year: null,
    full_set_status: ["WATCH"],
    dial_type: "green",
  });
  await process(pool, []);

  assert.equal(outcome.kind, "saved");
  const [row, ...more] = await listings(pool);
  assert.deepEqual(more, []);
  assert.deepEqual(row, {
    ...read,
    reference: "126610LV",
    reference_normalized: "126610LV",
    dial_type: "green",
    year: null,
    full_set_status: ["WATCH"],
    price_amount_minor: 9_600_000,
    price_currency: "HKD",
    price_eur_minor: 1_200_000,
    confidence: 1,
    ask_key: row?.ask_key,
    sources: {
      ...read?.sources,
      reference: "corrected",
      dial_type: "corrected",
      year: "corrected",
      full_set_status: "corrected",
      price: "corrected",
      currency: "corrected",
    },
  });
  assert.notEqual(row?.ask_key, read?.ask_key);
});

test("a correction survives a replay, a re-extraction and a merge, and holds for reposts of any dealer", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  await process(pool, [aMessageEvent({ rawId: "A1", addressing: "lid", text: TEXT })]);
  const [first] = await listings(pool);

  await correct(pool, first?.id ?? "", {
    price: { amount_minor: 1_150_000, currency: "EUR" },
    condition: "USED",
  });
  await process(pool, [
    aMessageEvent({ rawId: "A2", addressing: "both", text: TEXT }),
    aMessageEvent({ rawId: "B1", sender: OTHER_SENDER, text: `🔥 ${TEXT.toLowerCase()}` }),
  ]);
  const merged = await listings(pool);
  await requestReextraction(pool);
  await process(pool, []);
  const again = await listings(pool);
  await requestReplay(pool, { alerting: "never" });
  await process(pool, []);

  assert.equal(merged.length, 2);
  for (const { price_amount_minor, condition } of merged)
    assert.deepEqual([price_amount_minor, condition], [1_150_000, "USED"]);
  assert.deepEqual(again, merged);
  assert.deepEqual(await listings(pool), merged);
  assert.deepEqual(await listSetAside(pool), []);
});

test("a correction also reaches the listings that other dealers have already posted", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  await process(pool, [
    aMessageEvent({ rawId: "A1", text: TEXT }),
    aMessageEvent({ rawId: "B1", sender: OTHER_SENDER, text: TEXT }),
    aMessageEvent({ rawId: "C1", addressing: "none", text: TEXT }),
    aMessageEvent({ rawId: "D1", text: `${TEXT} negotiable`, atS: 1_787_300_000 }),
  ]);
  const [, one] = await listings(pool);

  const outcome = await correct(pool, one?.id ?? "", { year: 2021 });
  await process(pool, []);

  assert.equal(outcome.kind === "saved" && outcome.messageCount, 3);
  assert.deepEqual(
    (await listings(pool)).map(({ year }) => year).toSorted(),
    [2021, 2021, 2021, 2024],
  );
});

test("the newest correction of a field wins, and undoing brings back what was read", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  const clock = createTestClock();
  await process(pool, [aMessageEvent({ text: TEXT })]);
  const [read] = await listings(pool);
  const id = read?.id ?? "";
  const state = async () => {
    await process(pool, []);
    const [row] = await listings(pool);
    return [row?.year, row?.condition];
  };

  await correct(pool, id, { year: 2021, condition: "NEW" }, { clock });
  // The clock is set back, but the last one to speak is right.
  clock.set(NOW_MS - 1000);
  await correct(pool, id, { year: 2022 }, { clock });
  const newest = await state();
  const same = await correct(pool, id, { year: 2022 }, { clock });
  // As a `PUT` of the year alone.
  const others = CORRECTION_FIELDS.filter((field) => field !== "year");
  await correct(pool, id, { year: 2023 }, { clock, undo: others });
  const put = await state();
  await correct(pool, id, {}, { clock, undo: CORRECTION_FIELDS });
  const undone = await listings(pool, process(pool, []));
  const nothing = await correct(pool, id, {}, { clock, undo: CORRECTION_FIELDS });

  assert.deepEqual(newest, [2022, "NEW"]);
  assert.deepEqual(put, [2023, null]);
  assert.deepEqual(undone, [read]);
  for (const outcome of [same, nothing])
    assert.deepEqual(outcome, { kind: "saved", corrections: [], messageCount: 0 });
});

test("a correction is set aside while another reference is read at its place, and reported", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  await insertCorrections(pool, [anEarlierCorrection({ reference_normalized: "126610" })]);

  await process(pool, [aMessageEvent({ text: TEXT })]);
  const [row] = await listings(pool);
  const before = await listSetAside(pool);
  await correct(pool, row?.id ?? "", {}, { undo: ["year"] });
  await process(pool, []);

  assert.equal(row?.year, 2024);
  assert.deepEqual(before, ["other_reference"]);
  assert.deepEqual(await listSetAside(pool), []);
});

test("a correction is set aside while no listing is read at its place, and holds again afterwards", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  const context = await stepContext(pool);
  t.after(() => context.close());
  await process(pool, [aMessageEvent({ text: TEXT })]);
  const [read] = await listings(pool);
  await correct(pool, read?.id ?? "", { year: 2021, is_listing: false });
  await process(pool, []);
  const blind = buildCatalogue(context.catalogue.brands.filter(({ name }) => name !== "Rolex"));

  await requestReextraction(pool, { reader: readerOf(blind) });
  await extractListings(pool, { ...context, catalogue: blind, batchMax: 10 });
  const reasons = await listSetAside(pool);
  const outcome = await correct(pool, read?.id ?? "", { year: 2020 });
  await requestReextraction(pool);
  await process(pool, []);

  // The reader and the person agree that there is no listing, so only the year is set aside.
  assert.deepEqual(reasons, ["no_listing"]);
  assert.deepEqual(outcome, { kind: "outdated_listing" });
  assert.deepEqual(await listSetAside(pool), []);
  assert.equal((await listings(pool))[0]?.year, 2021);
});

test("a corrected price is set aside under another default currency or sender's country", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  // The catalogue has no usual price of this reference, so the size of the ask is not checked.
  const text = "16568 1984 98,000";
  await declareDefaultCurrency(pool, { gatewayGroupId: GROUP, currency: "HKD" });
  await process(pool, [aMessageEvent({ rawId: "A1", text })]);
  const [read] = await listings(pool);
  await correct(pool, read?.id ?? "", {
    price: { amount_minor: 9_700_000, currency: "HKD" },
    year: 2023,
  });
  const prices = async () => {
    await process(pool, []);
    return (await listings(pool)).map((row) => `${row.price_amount_minor} ${row.price_currency}`);
  };

  const corrected = await prices();
  await process(pool, [
    aMessageEvent({ rawId: "B1", text, sender: HK_SENDER, atS: 1_787_300_000 }),
  ]);
  const otherCountry = [await prices(), await listSetAside(pool)];
  const [, other] = await listings(pool);
  await correct(pool, other?.id ?? "", { price: { amount_minor: 9_600_000, currency: "HKD" } });
  const ownPrices = [await prices(), await listSetAside(pool)];
  await declareDefaultCurrency(pool, { gatewayGroupId: GROUP, currency: "USD" });
  const otherCurrency = [await prices(), await listSetAside(pool)];

  const isAside = "other_currency_or_country";
  assert.deepEqual(corrected, ["9700000 HKD"]);
  assert.deepEqual(otherCountry, [["9700000 HKD", "9800000 HKD"], [isAside]]);
  assert.deepEqual(ownPrices, [["9700000 HKD", "9600000 HKD"], []]);
  assert.deepEqual(otherCurrency, [
    ["9800000 USD", "9800000 USD"],
    [isAside, isAside],
  ]);
  assert.ok((await listings(pool)).every(({ year }) => year === 2023));
});

test("a corrected price holds under any default currency if the text is read the same under it", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  await declareDefaultCurrency(pool, { gatewayGroupId: GROUP, currency: "HKD" });
  const texts = ["16568 1984 EUR 9,800", "16568 1983 price on request", "16568 1982 98,000"];
  await process(
    pool,
    texts.map((text, at) => aMessageEvent({ rawId: `A${at}`, text, atS: 1_787_300_000 + at })),
  );
  for (const { id } of await listings(pool))
    await correct(pool, id, { price: { amount_minor: 970_000, currency: "EUR" } });
  const prices = async () => {
    await process(pool, []);
    return (await listings(pool)).map((row) => row.price_amount_minor);
  };

  const corrected = await prices();
  await declareDefaultCurrency(pool, { gatewayGroupId: GROUP, currency: "USD" });
  const under = await prices();
  const setAside = await listSetAside(pool);
  await requestReplay(pool, { alerting: "never" });
  const replayed = await prices();
  const [first] = await listings(pool);
  await correct(pool, first?.id ?? "", { price: { amount_minor: 960_000, currency: "EUR" } });
  const again = await prices();
  await declareDefaultCurrency(pool, { gatewayGroupId: GROUP, currency: "HKD" });

  assert.deepEqual(corrected, [970_000, 970_000, 970_000]);
  assert.deepEqual(under, [970_000, 970_000, 9_800_000]);
  assert.deepEqual(setAside, ["other_currency_or_country"]);
  assert.deepEqual(replayed, under);
  assert.deepEqual(again, [960_000, 970_000, 9_800_000]);
  // The last word counts.
  assert.deepEqual(await prices(), [960_000, 970_000, 970_000]);
});

test("what is marked as no listing is hidden and has no price history, until that is undone", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  await process(pool, [
    aMessageEvent({ rawId: "A1", text: TEXT }),
    aMessageEvent({ rawId: "A2", text: `${TEXT} new photos`, atS: 1_787_300_000 }),
  ]);
  const [first, second] = await listings(pool);

  await correct(pool, first?.id ?? "", { is_listing: false });
  await process(pool, []);
  const [hidden, repeat] = await listings(pool);
  const history = await findPriceHistory(pool, hidden?.id ?? "");
  await correct(pool, first?.id ?? "", {}, { undo: ["is_listing"] });
  await process(pool, []);

  assert.deepEqual([first?.is_hidden, second?.is_duplicate], [false, true]);
  assert.deepEqual([hidden?.is_hidden, repeat?.is_duplicate], [true, false]);
  assert.equal(hidden?.sources["is_listing"], "corrected");
  assert.deepEqual(
    history?.rows.map(({ listing_id }) => listing_id),
    [second?.id],
  );
  assert.deepEqual(await listings(pool), [first, second]);
});

test("a listing that does not exist cannot be corrected, one with an old id can", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  await process(pool, [aMessageEvent({ rawId: "A1", addressing: "lid", text: TEXT })]);
  const [old] = await listings(pool);
  await process(pool, [aMessageEvent({ rawId: "A2", addressing: "both", text: TEXT })]);

  const unknown = await correct(pool, "00000000-0000-4000-8000-000000000000", { year: 2021 });
  const moved = await correct(pool, old?.id ?? "", { year: 2021 });
  await process(pool, []);

  assert.deepEqual(unknown, { kind: "unknown_listing" });
  assert.equal(moved.kind, "saved");
  assert.deepEqual(
    (await listings(pool)).map(({ year }) => year),
    [2021],
  );
});

test("two people who correct the same listing at once both succeed", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  await process(pool, [aMessageEvent({ text: TEXT })]);
  const [read] = await listings(pool);
  const id = read?.id ?? "";

  await Promise.all([
    correct(pool, id, { year: 2021 }),
    process(pool, []),
    correct(pool, id, { year: 2022, condition: "NEW" }),
    process(pool, []),
  ]);
  await process(pool, []);

  const [row] = await listings(pool);
  const stored = await findCorrections(pool, [identitySha256(TEXT) ?? ""]);
  assert.equal(stored.length, 3);
  assert.equal(row?.year, stored.find(({ field }) => field === "year")?.value);
  assert.equal(row?.condition, "NEW");
});

test("a message that arrives while a correction waits for the listing lock is corrected too", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  await process(pool, [aMessageEvent({ rawId: "A1", text: TEXT })]);
  const [read] = await listings(pool);

  // Each has locked what the other one needs: one of them is tried again.
  const [correction, arrival] = await pool.transaction(async (tx) => {
    await takeLock(tx, "listings");
    const correcting = correct(pool, read?.id ?? "", { year: 2021 });
    await until(async () => (await countWaiting(pool)) === 1);
    const event = aMessageEvent({ rawId: "B1", sender: OTHER_SENDER, text: TEXT });
    const arriving = process(pool, [event], { steps: "listings" });
    await until(async () => (await countWaiting(pool)) === 2);
    return [{ done: correcting }, { done: arriving }] as const;
  });
  await Promise.all([correction.done, arrival.done]);
  await process(pool, []);

  assert.deepEqual(
    (await listings(pool)).map(({ year }) => year),
    [2021, 2021],
  );
});

test("a message that is read after a correction looked for messages, and before it is stored, is corrected too", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  await process(pool, [aMessageEvent({ rawId: "A1", text: TEXT })]);
  const [read] = await listings(pool);

  const correction = await pool.transaction(async (tx) => {
    // The correction waits for this entry of the queue.
    await tx.execute(sql`
      insert into message_queue (canonical_message_id) select canonical_message_id from listing`);
    const correcting = correct(pool, read?.id ?? "", { year: 2021 });
    await until(async () => (await countWaiting(pool)) === 1);
    const event = aMessageEvent({ rawId: "B1", sender: OTHER_SENDER, text: TEXT });
    await process(pool, [event], { steps: "listings" });
    return { done: correcting };
  });
  const before = await listings(pool);
  await correction.done;
  await process(pool, []);

  assert.deepEqual(
    before.map(({ year }) => year),
    [2024, 2024],
  );
  assert.deepEqual(
    (await listings(pool)).map(({ year }) => year),
    [2021, 2021],
  );
});

/** How many connections to this database wait for a lock. */
async function countWaiting(db: Database): Promise<number> {
  const rows = await db.query(sql`
    select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`);
  return rows.length;
}

/** A correction of the year, as an earlier version stored it. */
function anEarlierCorrection(fields: Partial<Omit<Correction, "id">>): Correction {
  return withId({
    identity_sha256: identitySha256(TEXT) ?? "",
    line: 0,
    ordinal: 0,
    reference_normalized: "126610LN",
    field: "year",
    value: 2021,
    is_undone: false,
    default_currency: null,
    sender_country: null,
    corrected_at_ms: NOW_MS - 1000,
    ...fields,
  });
}

interface Row {
  readonly id: string;
  readonly year: number | null;
  readonly condition: string | null;
  readonly price_amount_minor: number | null;
  readonly price_currency: string | null;
  readonly is_hidden: boolean;
  readonly is_duplicate: boolean;
  readonly ask_key: string | null;
  readonly sources: Readonly<Record<string, string>>;
}

/** The listings, after `done`. */
async function listings(
  pool: DatabasePool | Database,
  done: Promise<void> = Promise.resolve(),
): Promise<readonly Row[]> {
  await done;
  const rows = await pool.query<Row>(sql`
    select id, side, brand, model, reference, reference_normalized, dial_type, variant, year, card_month, condition,
           full_set_status, price_amount_minor, price_currency, price_eur_minor, status, is_hidden, is_duplicate, ask_key,
           confidence, sources
      from listing
     order by message_timestamp_ms, canonical_message_id, line`);
  return [...rows];
}
