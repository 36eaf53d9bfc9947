import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import fc from "fast-check";
import { createLogger } from "../../src/base/log.ts";
import { sleep } from "../../src/base/sleep.ts";
import { MINUTE_MS } from "../../src/base/time.ts";
import type { DatabasePool } from "../../src/db/database.ts";
import { openPool } from "../../src/db/pool.ts";
import { rawSql, sql } from "../../src/db/sql.ts";
import { type NewRawEvent, saveRawEvents } from "../../src/intake/raw-event-store.ts";
import {
  CORRECTION_FIELDS,
  type Correction,
  withId,
} from "../../src/listings/corrections/correction.ts";
import { runCorrection, saveCorrections } from "../../src/listings/corrections/save-corrections.ts";
import { extractListings } from "../../src/listings/extract-listings.ts";
import { loadCatalogue } from "../../src/listings/load-catalogue.ts";
import { canonicalizeEvents } from "../../src/messages/canonicalize-events.ts";
import { identitySha256 } from "../../src/messages/message.ts";
import { summarizeOccurrences } from "../../src/messages/occurrences/occurrence-summary.ts";
import { findOccurrenceRollups } from "../../src/messages/occurrences/rollup-store.ts";
import { listSessionLabels } from "../../src/messages/sessions/session-store.ts";
import { requestReplay } from "../../src/pipeline/replay.ts";
import { process, rawEvent } from "../support/drain.ts";
import { createTestClock } from "../support/test-app.ts";
import { openTestDatabase } from "../support/test-database.ts";
import {
  type Addressing,
  aGroupEvent,
  aMessageEvent,
  anAdminEvent,
  anEditEvent,
  aRevokeEvent,
  aStatusEvent,
  SESSION_A,
  SESSION_B,
} from "../support/waha.ts";

const isLong = globalThis.process.env["ASSAY_TEST_LONG"] === "1";
/** A batch costs more than its events, so few large histories try more events in the same time than many small ones. */
const HISTORIES = isLong ? 250 : 8;
const ORDERS = isLong ? 10 : 4;
const START_S = 1_787_200_000;
const GROUPS = ["120363000000000101@g.us", "120363000000000102@g.us"];
/** Prices, changed prices, sold marks, reposts with other words, and emoji and empty lines, which do not count. */
const TEXTS = [
  "126610LN 98k",
  "126610ln  98k 🔥",
  "5711/1A 92.000",
  "",
  "126500LN panda",
  "WTS\n126610LN 2024 full set €12,500",
  "wts\n\n🔥\n126610ln 2024 full set €12,500",
  "126610LN 2024 full set €12,500",
  "126610LN 2024 full set €12,100",
  "126610LN 2024 full set €12,500 SOLD",
  "126500LN N3/24 HKD 230,000\n126610LN 2024 full set €12,500",
];

/** What must be equal in the end. Aliases, times of receipt and of rows, sequences and queues may differ. */
const TABLES = {
  market_group: "id, gateway_group_id, gateway_name, named_at_ms",
  messaging_session:
    "id, gateway_name, engine, engine_at_ms, phone_number, label, account_at_ms, status, is_restricted, last_status_at_ms, last_message_at_ms",
  contact: "id, key, phone_number, display_name, is_own",
  contact_identifier: "identifier, contact_id, first_seen_at_ms, name, named_on_ms, is_own",
  contact_pair: "left_identifier, right_identifier, is_listed",
  group_admin: "group_id, identifier",
  reported_message: "id, group_id, raw_id, first_received_at_ms, reports::text, author_ids",
  occurrence:
    "id, group_id, raw_id, second, sent_at_ms, sender_ids, contact_id, is_own, has_media, is_revoked, is_edited, session_ids, canonical_message_id",
  message_version: "occurrence_id, version_at_ms, text, canonical_message_id",
  canonical_message:
    "id, contact_id, source_occurrence_id, text, first_seen_at_ms, last_seen_at_ms, occurrence_count, group_ids, is_own, has_media, is_revoked",
  occurrence_rollup:
    "canonical_message_id, day_start_ms, group_id, occurrence_count, edited_count, revoked_count, media_count, own_count, first_seen_at_ms, last_seen_at_ms, live_first_seen_at_ms, live_last_seen_at_ms, session_ids",
  message_extraction: "canonical_message_id, extraction_version, catalogue_sha256, outcome",
  listing:
    "id, canonical_message_id, line, ordinal, side, message_type, brand, brand_folded, model, model_folded, reference, reference_normalized, dial_type, dial_type_folded, variant, variant_folded, year, card_month, condition, full_set_status, price_amount_minor, price_currency, alternative_price_amount_minor, alternative_price_currency, price_eur_minor, status, contact_id, phone_number, group_ids, message_timestamp_ms, first_seen_at_ms, last_seen_at_ms, occurrence_count, has_media, is_duplicate, is_hidden, is_revoked, is_found, ask_key, search_text, extraction_version, confidence, sources",
  correction:
    "id, encode(identity_sha256, 'hex') as identity, line, ordinal, reference_normalized, field, value, is_undone, default_currency, sender_country, corrected_at_ms",
  corrected_message: "canonical_message_id, encode(identity_sha256, 'hex') as identity, set_aside",
} as const;

const sender = fc.integer({ min: 0, max: 2 }).map((n) => ({
  phone: `44770090012${n}`,
  lid: `19990000000020${n}`,
  name: `Dealer ${n}`,
}));
/** Over two days, so that messages and edits fall on different days. */
const atS = fc.integer({ min: 0, max: 4 }).map((n) => START_S + n * 40_000);
/** Mostly with a sender, and at times without one. */
const addressing = fc.constantFrom<Addressing>(
  "phone",
  "phone",
  "lid",
  "lid",
  "both",
  "both",
  "none",
);
const session = fc.constantFrom(SESSION_A, SESSION_B);
const group = fc.constantFrom(...GROUPS);
const rawId = fc.constantFrom("AA01", "AA02", "AA03", "AA04");

const event = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .record({
        session,
        group,
        rawId,
        sender,
        addressing,
        text: fc.constantFrom(...TEXTS),
        atS,
        hasMedia: fc.boolean(),
        isOwn: fc.integer({ min: 0, max: 9 }).map((n) => n === 0),
        event: fc.constantFrom("message" as const, "message.any" as const),
      })
      .map(aMessageEvent),
  },
  {
    weight: 2,
    arbitrary: fc
      .record({
        session,
        group,
        rawId,
        text: fc.constantFrom(...TEXTS),
        atS,
        author: sender,
        addressing,
      })
      .map(anEditEvent),
  },
  {
    weight: 1,
    arbitrary: fc
      .record({ session, group, rawId, atS, author: sender, addressing })
      .map(aRevokeEvent),
  },
  {
    weight: 1,
    arbitrary: fc
      .record({ group, lid: sender.map(({ lid }) => lid), atMs: atS.map((s) => s * 1000) })
      .map(anAdminEvent),
  },
  {
    weight: 1,
    arbitrary: fc
      .record({ sender, other: sender, atMs: atS.map((s) => s * 1000) })
      .map(({ sender: { lid }, other: { phone }, atMs }) => aLidList({ lid, phone, atMs })),
  },
  {
    weight: 1,
    arbitrary: fc
      .record({
        session,
        status: fc.constantFrom("WORKING", "STARTING", "FAILED"),
        atMs: atS.map((s) => s * 1000),
      })
      .map(aStatusEvent),
  },
  {
    weight: 1,
    arbitrary: fc
      .record({ session, group, name: fc.constantFrom("EU", "HK"), atMs: atS.map((s) => s * 1000) })
      .map(aGroupEvent),
  },
);

/** Most are about the listing of some text; some are about another reference, line or country, and so set aside. */
const correction = fc
  .record({
    text: fc.constantFrom(...TEXTS.filter((text) => text !== "")),
    line: fc.constantFrom(0, 0, 1),
    reference: fc.constantFrom("126610LN", "126610LN", "126500LN"),
    field: fc.constantFrom(...CORRECTION_FIELDS),
    choice: fc.integer({ min: 0, max: 2 }),
    isUndone: fc.integer({ min: 0, max: 3 }).map((n) => n === 0),
    country: fc.constantFrom("44", "44", null, "852"),
    atMs: fc.integer({ min: 0, max: 2 }),
  })
  .map(toCorrection);

function toCorrection(drawn: {
  readonly text: string;
  readonly line: number;
  readonly reference: string;
  readonly field: Correction["field"];
  readonly choice: number;
  readonly isUndone: boolean;
  readonly country: string | null;
  readonly atMs: number;
}): Correction {
  const { line, field, choice, isUndone: is_undone } = drawn;
  const isPrice = field === "price" || field === "alternative_price";
  return withId({
    identity_sha256: identitySha256(drawn.text) ?? "",
    line,
    ordinal: 0,
    reference_normalized: drawn.reference,
    field,
    value: is_undone ? null : (VALUES[field][choice] ?? null),
    is_undone,
    default_currency: null,
    sender_country: isPrice ? drawn.country : null,
    corrected_at_ms: drawn.atMs,
  });
}

/** Two values for each field; a third choice says that there is none. */
const VALUES: Readonly<Record<Correction["field"], readonly Correction["value"][]>> = {
  side: ["want_to_buy", "for_sale", "for_sale"],
  brand: ["Rolex", "Tudor"],
  model: ["Submariner", "Black Bay"],
  reference: ["126610LV", "126500LN"],
  dial_type: ["green", "black"],
  variant: ["oyster", "jubilee"],
  year: [2021, 2024],
  card_month: [3, 4],
  condition: ["NEW", "USED"],
  full_set_status: [["WATCH"], []],
  price: [
    { amount_minor: 1_250_000, currency: "EUR" },
    { amount_minor: 9_800_000, currency: "HKD" },
  ],
  alternative_price: [
    { amount_minor: 1_250_000, currency: "EUR" },
    { amount_minor: 9_800_000, currency: "HKD" },
  ],
  status: ["sold", "on_hold"],
  is_listing: [false, false, false],
};

test("events and corrections end in the same state in any order, with repeats, in any batches, after crashes and after a replay", async (t) => {
  const { pool, url } = await openTestDatabase(t);
  let pairs = 0;
  let messages = 0;
  const listings = { stored: 0, duplicate: 0, hidden: 0, moved: 0, corrected: 0, setAside: 0 };
  await pool.execute(
    sql`insert into fx_rate (currency, day, kind, per_eur) values ('HKD', '2026-08-19', 'declared', 8.5)`,
  );

  await fc.assert(
    fc.asyncProperty(
      fc.array(event, { minLength: 8, maxLength: 44 }),
      fc.array(correction, { maxLength: 12 }),
      fc.infiniteStream(fc.nat({ max: 1_000_000 })),
      async (history, corrections, dice) => {
        const roll = (sides: number) => (dice.next().value ?? 0) % sides;
        await empty(pool);
        await saveRawEvents(pool, history.map(toRawEvent), "window");
        await process(pool, []);
        await correct(pool, corrections);
        await process(pool, []);
        const expected = await stateOf(pool);
        messages += expected.messageCount;
        await requestReplay(pool, { alerting: "never" });
        await process(pool, [], { batchMax: 3 });
        assert.equal((await stateOf(pool)).text, expected.text, "a replay differs");
        for (let order = 0; order < ORDERS; order += 1) {
          await empty(pool);
          await deliver({ pool, url, history, corrections, roll });
          const found = await stateOf(pool);
          assert.equal(found.text, expected.text);
          pairs += 1;
          await countListings(pool, listings);
        }
      },
    ),
    // A failing history is small anyway, and shrinking it would take minutes.
    { numRuns: HISTORIES, endOnFailure: true },
  );

  assert.ok(pairs >= HISTORIES * ORDERS);
  assert.ok(messages > pairs / 2, "the histories make messages");
  for (const [kind, count] of Object.entries(listings)) {
    assert.ok(count > HISTORIES / 10, `only ${count} listings are ${kind}`);
  }
});

interface Counts {
  stored: number;
  duplicate: number;
  hidden: number;
  moved: number;
  corrected: number;
  setAside: number;
}

/** Counts what the histories produce, so that the test fails if they produce too little. */
async function countListings(pool: DatabasePool, counts: Counts): Promise<void> {
  const [row] = await pool.query<Counts>(sql`
    select count(*) as stored, count(*) filter (where is_duplicate) as duplicate,
           count(*) filter (where is_hidden) as hidden, (select count(*) from listing_alias) as moved,
           count(*) filter (where sources::text like '%corrected%') as corrected,
           (select count(*) from corrected_message where set_aside <> '{}') as "setAside"
      from listing`);
  counts.stored += row?.stored ?? 0;
  counts.duplicate += row?.duplicate ?? 0;
  counts.hidden += row?.hidden ?? 0;
  counts.moved += row?.moved ?? 0;
  counts.corrected += row?.corrected ?? 0;
  counts.setAside += row?.setAside ?? 0;
}

/** Each event has its receipt. For some it is so early that the time of the event is wrong, and counts as the receipt. */
function toRawEvent(body: { readonly timestamp: number }): NewRawEvent {
  const [byte = 0] = createHash("sha256").update(JSON.stringify(body)).digest();
  const receivedAtMs = body.timestamp + (byte % 4 === 0 ? -byte * MINUTE_MS : byte * 1000);
  return rawEvent(body, { receivedAtMs });
}

/** An answer of the gateway that pairs a LID with a phone number, at times with that of another dealer. */
function aLidList(listed: { readonly lid: string; readonly phone: string; readonly atMs: number }) {
  return {
    timestamp: listed.atMs,
    assay_pull: "lids",
    session: SESSION_A.name,
    at_ms: listed.atMs,
    data: [{ lid: `${listed.lid}@lid`, pn: `${listed.phone}@c.us` }],
  };
}

interface Arrivals {
  readonly pool: DatabasePool;
  readonly url: string;
  readonly history: readonly { readonly timestamp: number }[];
  readonly corrections: readonly Correction[];
  readonly roll: (sides: number) => number;
}

async function correct(pool: DatabasePool, corrections: readonly Correction[]): Promise<void> {
  await runCorrection(pool, (tx) => saveCorrections(tx, corrections));
}

/** Corrections come at any time, also before their text, and at times once more. */
async function deliver({ pool, url, history, corrections, roll }: Arrivals): Promise<void> {
  let rest = corrections.toSorted(() => roll(3) - 1);
  const repeated = history.flatMap((item) =>
    Array.from({ length: 1 + roll(2) + roll(2) }, () => item),
  );
  const shuffled = repeated
    .map((item) => ({ item, rank: roll(1_000_000) }))
    .sort((left, right) => left.rank - right.rank)
    .map(({ item }) => item);
  for (let at = 0; at < shuffled.length; ) {
    const size = 1 + roll(19);
    const slice = shuffled.slice(at, at + size);
    await saveRawEvents(pool, slice.map(toRawEvent), "window");
    if (roll(5) === 0) {
      await correct(pool, rest.slice(0, 4));
      rest = rest.slice(roll(5));
    }
    if (roll(6) === 0) await crash(pool, { url, afterMs: roll(14) });
    if (roll(2) === 0) await process(pool, [], { batchMax: 1 + roll(19) });
    at += size;
  }
  if (roll(10) === 0) await requestReplay(pool, { alerting: "never" });
  await correct(pool, rest);
  await process(pool, [], { batchMax: 2 + roll(40) });
}

const log = createLogger("silent");
const catalogue = await loadCatalogue(undefined);

/** Ends the connections of a process in the middle of a batch. */
async function crash(
  pool: DatabasePool,
  { url, afterMs }: { readonly url: string; readonly afterMs: number },
): Promise<void> {
  const crashing = openPool({ url, name: "assay crashing" });
  const clock = createTestClock();
  const step = canonicalizeEvents(crashing, { batchMax: 5, clock, alertWindowMs: 1 })
    .then(() => extractListings(crashing, { batchMax: 5, clock, log, catalogue }))
    .catch(() => undefined);
  await sleep(afterMs);
  await pool.execute(sql`select pg_terminate_backend(pid) from pg_stat_activity
              where application_name = 'assay crashing' and datname = current_database()`);
  await step;
  await crashing.end(0);
}

async function stateOf(pool: DatabasePool): Promise<{ text: string; messageCount: number }> {
  const parts: string[] = [];
  for (const [table, columns] of Object.entries(TABLES)) {
    const rows = await pool.query(sql`select ${rawSql(columns)} from ${rawSql(table)} order by 1`);
    parts.push(
      `${table}\n${rows
        .map((row) => JSON.stringify(row))
        .sort()
        .join("\n")}`,
    );
  }
  const labels = await listSessionLabels(pool);
  const ids = await pool.query<{ id: string }>(sql`select id from canonical_message order by id`);
  const rollups = await findOccurrenceRollups(
    pool,
    ids.map(({ id }) => id),
  );
  for (const { id } of ids) {
    parts.push(`${id} ${JSON.stringify(summarizeOccurrences(rollups.get(id) ?? [], labels))}`);
  }
  const text = parts.join("\n\n");
  // The text is included so that a failure shows where the states differ.
  return {
    text: `${createHash("sha256").update(text).digest("hex")}\n${text}`,
    messageCount: ids.length,
  };
}

/** Deletes instead of truncating: the tables are small, and new files for each of them would take longer. */
async function empty(pool: DatabasePool): Promise<void> {
  const tables = [
    "raw_event_queue",
    "quarantined_event",
    "raw_event",
    ...Object.keys(TABLES).toReversed(),
    "identity_queue",
    "contact_alias",
    "message_alias",
    "listing_alias",
    "message_queue",
    "group_queue",
    "match_queue",
  ];
  await pool.script(tables.map((table) => `delete from ${table};`).join("\n"));
}
