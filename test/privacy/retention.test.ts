import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { DAY_MS, dayStartOf, sleep } from "../../src/base/clock.ts";
import type { DatabasePool } from "../../src/db/database.ts";
import { openPool } from "../../src/db/pool.ts";
import { sql } from "../../src/db/sql.ts";
import { type NewRawEvent, saveRawEvents } from "../../src/intake/raw-event-store.ts";
import { isOccurrenceFact } from "../../src/messages/occurrences/report.ts";
import { isTooOld, leaveOutOld } from "../../src/messages/privacy/event-age.ts";
import { raiseFloor } from "../../src/messages/privacy/retention-store.ts";
import { readRawEvent } from "../../src/messages/read-raw-event.ts";
import { requestReplay } from "../../src/pipeline/replay.ts";
import { removeBatch } from "../../src/privacy/remove-old-messages.ts";
import { process } from "../support/drain.ts";
import {
  anyHistory,
  assertSameState,
  emptyStore,
  START_S,
  STATE_TABLES,
  stateOf,
  toRawEvent,
} from "../support/generators/histories.ts";
import { borrowTestDatabase } from "../support/shared-store.ts";

const isLong = globalThis.process.env["ASSAY_TEST_LONG"] === "1";
const HISTORIES = isLong ? 50 : 3;
const ORDERS = isLong ? 4 : 2;
/** Over a week, of which some days leave. */
const atS = fc.integer({ min: 0, max: 14 }).map((n) => START_S + n * 43_000);
const FIRST_DAY_MS = dayStartOf(START_S * 1000);
const FLOORS = [FIRST_DAY_MS + 2 * DAY_MS, FIRST_DAY_MS + 5 * DAY_MS] as const;
/** Before all receipts, so that no event waits that came before the floor rose. */
const RAISED_AT_MS = 0;

/** Beside the usual state: what stays of the events, and what they said. */
const TABLES = {
  ...STATE_TABLES,
  raw_event: "encode(sha256, 'hex') as sha256",
  kept_identifier: "identifier, first_seen_at_ms, name, named_on_ms, is_own",
  kept_pair: "lid, phone, is_listed",
};

test("what remains does not depend on when days leave, on the order of events, on batches, repeats, crashes or replays", async (t) => {
  const { pool, url } = await borrowTestDatabase(t);
  const counts = { left: 0, stayed: 0, pairs: 0, emptied: 0 };

  await fc.assert(
    fc.asyncProperty(
      anyHistory(atS, { minLength: 16, maxLength: 56 }),
      fc.infiniteStream(fc.nat({ max: 1_000_000 })),
      async (history, dice) => {
        const roll = (sides: number) => (dice.next().value ?? 0) % sides;
        const events = history.map(toRawEvent);
        await emptyStore(pool);
        await saveRawEvents(pool, events, "window");
        await process(pool, []);
        const before = await countState(pool);
        await leave(pool, FLOORS[1], 100);
        const expected = await stateOf(pool, TABLES);
        await addCounts(pool, counts, before);
        await replay(pool, 7);
        assertSameState(await stateOf(pool, TABLES), expected, "a replay differs");
        for (let order = 0; order < ORDERS; order += 1) {
          await emptyStore(pool);
          await deliver({ pool, url, events, roll });
          assertSameState(await stateOf(pool, TABLES), expected);
        }
      },
    ),
    { numRuns: HISTORIES, endOnFailure: true },
  );

  // A few histories may happen to try little of one kind.
  for (const [kind, count] of Object.entries(isLong ? counts : {})) {
    assert.ok(count > HISTORIES / 2, `only ${count}: ${kind}`);
  }
});

interface Arrivals {
  readonly pool: DatabasePool;
  readonly url: string;
  readonly events: readonly NewRawEvent[];
  readonly roll: (sides: number) => number;
}

/** The first days leave while later events are still to come; what is too old by then comes before. */
async function deliver({ pool, url, events, roll }: Arrivals): Promise<void> {
  const shuffled = events
    .flatMap((event) => Array.from({ length: 1 + roll(2) }, () => event))
    .map((event) => ({ event, rank: roll(1_000_000) }))
    .sort((left, right) => left.rank - right.rank)
    .map(({ event }) => event);
  const early = new Set(events.filter((event) => isTooOld(event, FLOORS[0])).flatMap(rawIdsOf));
  const isEarly = (event: NewRawEvent) => rawIdsOf(event).some((id) => early.has(id));
  await saveInBatches(
    pool,
    shuffled.filter((event) => isEarly(event) || roll(2) === 0),
    roll,
  );
  if (roll(3) === 0) await requestReplay(pool, { alerting: "never" });
  await process(pool, [], { batchMax: 2 + roll(30) });
  await leave(pool, FLOORS[0], 1 + roll(9));
  // With repeats of what has left.
  await saveInBatches(pool, shuffled, roll);
  await raiseFloor(pool, { floorMs: FLOORS[1], nowMs: RAISED_AT_MS });
  await removeBatch(pool, 1 + roll(5));
  await crash(pool, { url, afterMs: roll(20) });
  if (roll(2) === 0) await replay(pool, 2 + roll(30));
  else await leave(pool, FLOORS[1], 1 + roll(9));
}

/** Ends the connections of a process in the middle of a batch. */
async function crash(
  pool: DatabasePool,
  { url, afterMs }: { readonly url: string; readonly afterMs: number },
): Promise<void> {
  const crashing = openPool({ url, name: "assay crashing" });
  const batch = removeBatch(crashing).catch(() => undefined);
  await sleep(afterMs);
  await pool.execute(sql`select pg_terminate_backend(pid) from pg_stat_activity
              where application_name = 'assay crashing' and datname = current_database()`);
  await batch;
  await crashing.end(0);
}

async function saveInBatches(
  pool: DatabasePool,
  events: readonly NewRawEvent[],
  roll: (sides: number) => number,
): Promise<void> {
  for (let at = 0; at < events.length; ) {
    const size = 1 + roll(30);
    const kept = await leaveOutOld(pool, events.slice(at, at + size), 1);
    if (kept.length > 0) await saveRawEvents(pool, kept, "window");
    await process(pool, [], { batchMax: 2 + roll(30) });
    at += size;
  }
}

/** The raw ids of its messages, each with its group. */
function rawIdsOf(event: NewRawEvent): readonly string[] {
  const reading = readRawEvent(event);
  if (reading.kind !== "facts") return [];
  return reading.facts.filter(isOccurrenceFact).map(({ group, rawId }) => `${group} ${rawId}`);
}

async function leave(pool: DatabasePool, floorMs: number, batchMax: number): Promise<void> {
  await raiseFloor(pool, { floorMs, nowMs: RAISED_AT_MS });
  while ((await removeBatch(pool, batchMax)) > 0);
  await process(pool, []);
}

async function replay(pool: DatabasePool, batchMax: number): Promise<void> {
  await requestReplay(pool, { alerting: "never" });
  assert.equal(await removeBatch(pool), 0, "nothing is removed during a replay");
  await process(pool, [], { batchMax });
  while ((await removeBatch(pool, batchMax)) > 0);
  await process(pool, []);
}

async function countState(pool: DatabasePool) {
  const [row] = await pool.query<{ occurrences: number; messages: number; pairs: number }>(sql`
    select (select count(*) from occurrence) as occurrences,
           (select count(*) from canonical_message) as messages,
           (select count(*) from kept_pair where not is_listed) as pairs`);
  return row ?? { occurrences: 0, messages: 0, pairs: 0 };
}

/** Counts what leaves, so that the test fails if the histories try too little. */
async function addCounts(
  pool: DatabasePool,
  counts: { left: number; stayed: number; pairs: number; emptied: number },
  before: { readonly occurrences: number; readonly messages: number },
): Promise<void> {
  const after = await countState(pool);
  counts.left += before.occurrences - after.occurrences;
  counts.stayed += after.occurrences;
  counts.pairs += after.pairs;
  counts.emptied += before.messages - after.messages;
}
