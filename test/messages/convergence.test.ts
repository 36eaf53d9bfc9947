import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { sleep } from "../../src/base/clock.ts";
import { createLogger } from "../../src/base/log.ts";
import type { DatabasePool } from "../../src/db/database.ts";
import { openPool } from "../../src/db/pool.ts";
import { sql } from "../../src/db/sql.ts";
import { saveRawEvents } from "../../src/intake/raw-event-store.ts";
import { runCorrection, saveCorrections } from "../../src/listings/corrections/correct-listing.ts";
import {
  CORRECTION_FIELDS,
  type Correction,
  withId,
} from "../../src/listings/corrections/correction.ts";
import { loadCatalogue } from "../../src/listings/dealer-catalogue.ts";
import { extractListings } from "../../src/listings/extract-listings.ts";
import { canonicalizeEvents } from "../../src/messages/canonicalize-events.ts";
import { identitySha256 } from "../../src/messages/message.ts";
import { requestReplay } from "../../src/pipeline/replay.ts";
import { process } from "../support/drain.ts";
import {
  anyHistory,
  assertSameState,
  emptyStore,
  START_S,
  stateOf,
  TEXTS,
  toRawEvent,
} from "../support/generators/histories.ts";
import { readPriceDrops } from "../support/generators/price-drops.ts";
import { borrowTestDatabase } from "../support/shared-store.ts";
import { createTestClock } from "../support/test-app.ts";

const isLong = globalThis.process.env["ASSAY_TEST_LONG"] === "1";
/** A batch costs more than its events, so few large histories try more events in the same time than many small ones. */
const HISTORIES = isLong ? 250 : 8;
const ORDERS = isLong ? 10 : 4;
/** Over two days, so that messages and edits fall on different days. */
const atS = fc.integer({ min: 0, max: 4 }).map((n) => START_S + n * 40_000);

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
  is_listing: [true, false, true],
};

test("events and corrections end in the same state in any order, with repeats, in any batches, after crashes and after a replay", async (t) => {
  const { pool, url } = await borrowTestDatabase(t);
  let pairs = 0;
  let messages = 0;
  const listings = {
    ...{ stored: 0, duplicate: 0, hidden: 0, moved: 0, corrected: 0, setAside: 0 },
    ...{ repriced: 0, soldByReply: 0, updates: 0, chained: 0, leftOut: 0, admitted: 0, dropped: 0 },
  };
  await pool.execute(
    sql`insert into fx_rate (currency, day, kind, per_eur) values ('HKD', '2026-08-19', 'declared', 8.5)`,
  );

  await fc.assert(
    fc.asyncProperty(
      anyHistory(atS, { minLength: 4, maxLength: 40 }),
      fc.array(correction, { maxLength: 12 }),
      fc.infiniteStream(fc.nat({ max: 1_000_000 })),
      async (history, corrections, dice) => {
        const roll = (sides: number) => (dice.next().value ?? 0) % sides;
        await emptyStore(pool);
        await saveRawEvents(pool, history.map(toRawEvent), "window");
        await process(pool, []);
        await correct(pool, corrections);
        await process(pool, []);
        const expected = await stateOf(pool);
        messages += expected.messageCount;
        await requestReplay(pool, { alerting: "never" });
        await process(pool, [], { batchMax: 3 });
        assertSameState(await stateOf(pool), expected, "a replay differs");
        for (let order = 0; order < ORDERS; order += 1) {
          await emptyStore(pool);
          await deliver({ pool, url, history, corrections, roll });
          assertSameState(await stateOf(pool), expected);
          const drops = await readPriceDrops(pool);
          assert.deepEqual(drops.stored, drops.expected);
          listings.dropped += drops.stored.length;
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
  // A few histories have none of some kind by chance.
  for (const [kind, count] of Object.entries(isLong ? listings : { stored: listings.stored })) {
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
  /** Listings whose ask, or status, is that of a reply. */
  repriced: number;
  soldByReply: number;
  /** Messages with watches that are updates of others. */
  updates: number;
  /** Replies of a contact to replies to his posts. */
  chained: number;
  /** Read as talk. */
  leftOut: number;
  /** A person said that they are listings. */
  admitted: number;
}

/** Counts what the histories produce, so that the test fails if they produce too little. */
async function countListings(pool: DatabasePool, counts: Counts): Promise<void> {
  const [row] = await pool.query<Counts>(sql`
    select count(*) as stored, count(*) filter (where is_duplicate) as duplicate,
           count(*) filter (where is_hidden) as hidden, (select count(*) from listing_alias) as moved,
           count(*) filter (where sources::text like '%corrected%') as corrected,
           (select count(*) from corrected_message where set_aside <> '{}') as "setAside",
           count(*) filter (where asks is not null) as repriced,
           count(*) filter (where sources ->> 'status' = 'reply') as "soldByReply",
           (select count(*) from message_extraction where outcome = 'reply') as updates,
           (select count(*)
              from occurrence as reply
              join occurrence as link on link.group_id = reply.group_id and link.raw_id = reply.reply_to_raw_id
              join occurrence as post on post.group_id = link.group_id and post.raw_id = link.reply_to_raw_id
              join message_extraction as said on said.canonical_message_id = post.canonical_message_id
             where reply.contact_id = link.contact_id and link.contact_id = post.contact_id
               and not link.is_revoked and not post.is_revoked and said.outcome = 'listings') as chained,
           count(*) filter (where left_out_reason = 'not_an_offer') as "leftOut",
           count(*) filter (where left_out_reason is null and sources ? 'is_listing') as admitted
      from listing`);
  counts.stored += row?.stored ?? 0;
  counts.duplicate += row?.duplicate ?? 0;
  counts.hidden += row?.hidden ?? 0;
  counts.moved += row?.moved ?? 0;
  counts.corrected += row?.corrected ?? 0;
  counts.setAside += row?.setAside ?? 0;
  counts.repriced += row?.repriced ?? 0;
  counts.soldByReply += row?.soldByReply ?? 0;
  counts.updates += row?.updates ?? 0;
  counts.chained += row?.chained ?? 0;
  counts.leftOut += row?.leftOut ?? 0;
  counts.admitted += row?.admitted ?? 0;
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
