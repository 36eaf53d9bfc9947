/**
 * Whatever comes in which order, each deal ends on its watch, or says why not, with the latest decision.
 *
 * A history is a list of operations: posts that name their dealer by LID, by number or by both, pairs that make one contact of
 * two, edits, revocations, decisions and their deletion, corrections of a reference, replays, an erasure, old days that leave, and
 * single batches of single steps. At its end everything arrives and all work is done. The model knows the posts and the decisions, and nothing of how a deal follows.
 */
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import fc from "fast-check";
import { DAY_MS, dayStartOf } from "../../src/base/clock.ts";
import type { DatabasePool } from "../../src/db/database.ts";
import { sql } from "../../src/db/sql.ts";
import type { PassReason } from "../../src/deals/deal.ts";
import { findDealtListings } from "../../src/deals/deal-store.ts";
import { decideDeal, deleteDeal, type NewDecision } from "../../src/deals/decide-deal.ts";
import { saveRawEvents } from "../../src/intake/raw-event-store.ts";
import { hasAnchors } from "../../src/matching/anchor-store.ts";
import { raiseFloor } from "../../src/messages/privacy/retention-store.ts";
import { changeShippedRates } from "../../src/pipeline/change-rates.ts";
import { requestReplay } from "../../src/pipeline/replay.ts";
import { eraseSetAsideItems } from "../../src/pipeline/set-aside-store.ts";
import { STEPS } from "../../src/pipeline/steps.ts";
import { runErasure } from "../../src/privacy/erase-persons.ts";
import { removeBatch } from "../../src/privacy/remove-old-messages.ts";
import { drain, rawEvent, stepContext } from "../support/drain.ts";
import { aListed, aPull, emptyAll, findTraces, LENA, MARC, WORDS } from "../support/erasure.ts";
import { correct } from "../support/listings.ts";
import { borrowTestDatabase } from "../support/shared-store.ts";
import { createTestClock, NOW_MS, type TestClock } from "../support/test-app.ts";
import { aMessageEvent, anEditEvent, aRevokeEvent, SESSION_A, SESSION_B } from "../support/waha.ts";
import { dealOfListing, type ModelDeal, type ModelListing } from "./coverage-model.ts";

const IS_LONG = globalThis.process.env["ASSAY_TEST_LONG"] === "1";
const RUNS = IS_LONG ? 150 : 8;
const FLOOR_MS = dayStartOf(NOW_MS - 40 * DAY_MS);

interface Post {
  readonly rawId: string;
  readonly dealer: typeof LENA;
  readonly text: string;
  readonly atMs: number;
}

/** Marc and Lena post the same text, Marc posts it again in other words and at other prices, and one post has left with its day. */
const POSTS: readonly Post[] = [
  aPost("P0", MARC, 5, ask("126610LN", "10,000")),
  aPost("P1", LENA, 5, ask("126610LN", "10,000")),
  aPost("P2", MARC, 3, `${ask("126610LN", "10,000")} must go`),
  aPost("P3", MARC, 2, ask("126610LN", "9,700")),
  aPost("P4", MARC, 1, `${ask("126610LN", "9,800")}\n${ask("126610LN", "9,900")}`),
  aPost("P5", MARC, 45, ask("126500LN", "20,000")),
  aPost("P6", LENA, 2, `${ask("124060", "8,000")} ${WORDS}`),
  aPost("P7", MARC, 36, ask("124060", "8,000")),
  aPost("P8", MARC, 2, `${ask("124060", "8,000")} still here`),
];

function ask(reference: string, euros: string): string {
  return `WTS Rolex ${reference} 2024 full set EUR ${euros}`;
}

function aPost(rawId: string, dealer: typeof LENA, daysAgo: number, text: string): Post {
  return { rawId, dealer, text, atMs: NOW_MS - daysAgo * DAY_MS };
}

const post = fc.constantFrom(...POSTS);
const dealer = fc.constantFrom(LENA, MARC);
const operation = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant("post" as const),
      post,
      session: fc.constantFrom(SESSION_A, SESSION_B),
      addressing: fc.constantFrom("lid", "phone", "both" as const),
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant("decide" as const),
      pick: fc.nat(1_000),
      state: fc.constantFrom("shortlisted", "offered", "bought", "passed" as const),
      isTooDear: fc.boolean(),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("pair" as const), dealer }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant("edit" as const),
      post,
      change: fc.constantFrom("words", "price", "reference", "revoked" as const),
      addressing: fc.constantFrom("lid", "phone", "both" as const),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant("delete" as const), pick: fc.nat(1_000) }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant("correct" as const),
      pick: fc.nat(1_000),
      isUndone: fc.boolean(),
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant("step" as const),
      step: fc.nat(STEPS.length - 1),
      batchMax: fc.constantFrom(1, 2, 500),
    }),
  },
  { weight: 8, arbitrary: fc.record({ kind: fc.constant("work" as const) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("replay" as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("erase" as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("retain" as const) }) },
);
type Operation = typeof operation extends fc.Arbitrary<infer Value> ? Value : never;

interface Desk {
  readonly pool: DatabasePool;
  readonly clock: TestClock;
  /** The latest decision about each watch: dealer, text and line. */
  readonly decisions: Map<string, { readonly note: string; readonly reference: string | null }>;
  /** Every note that was written, by whose watch. */
  readonly notes: Map<string, string>;
  isErased: boolean;
  count: number;
}

test("whatever comes in which order, each deal ends on its watch or says why not", async (t: TestContext) => {
  const { pool } = await borrowTestDatabase(t);
  const counts = { attached: 0, other_reference: 0, removed: 0, erased: 0, covered: 0 };
  await fc.assert(
    fc.asyncProperty(fc.array(operation, { minLength: 20, maxLength: 60 }), async (operations) => {
      await emptyAll(pool);
      await changeShippedRates(pool);
      const desk: Desk = {
        pool,
        clock: createTestClock(),
        decisions: new Map(),
        notes: new Map(),
        isErased: false,
        count: 0,
      };
      for (const [at, one] of operations.entries()) {
        // Some listings are there before most decisions.
        if (at === 5) await work(desk);
        await run(desk, one);
      }
      await finish(desk);
      await compare(desk, counts);
    }),
    // Without shrinking, which would take minutes. The seed of a failure repeats it.
    { numRuns: RUNS, endOnFailure: true },
  );
  t.diagnostic(JSON.stringify(counts));
  // A short run may miss one of them by chance.
  if (IS_LONG) assert.ok(Object.values(counts).every((count) => count > 0));
});

async function run(desk: Desk, one: Operation): Promise<void> {
  desk.clock.advance(20_000);
  const { pool } = desk;
  switch (one.kind) {
    case "post":
      return receive(desk, one);
    case "decide":
      return decide(desk, one);
    case "pair":
      return pair(desk, one.dealer);
    case "edit":
      return edit(desk, one);
    case "delete":
      return deleteOne(desk, one.pick);
    case "correct":
      return correctOne(desk, one);
    case "step":
      return withContext(desk, async (context) => {
        await STEPS[one.step]?.run(context, { batchMax: one.batchMax, lane: "backlog" });
      });
    case "work":
      await Promise.all([work(desk), work(desk)]);
      return;
    case "replay":
      await requestReplay(pool, { alerting: "never" });
      return;
    case "erase":
      return erase(desk);
    case "retain":
      await raiseFloor(pool, { floorMs: FLOOR_MS, nowMs: desk.clock.nowMs() });
      while ((await removeBatch(pool)) > 0);
      return;
  }
}

async function receive(
  { pool, clock }: Desk,
  { post: of, session, addressing }: Omit<Extract<Operation, { kind: "post" }>, "kind">,
): Promise<void> {
  const { rawId, dealer: sender, text, atMs } = of;
  const body = aMessageEvent({ session, rawId, sender, text, addressing, atS: atMs / 1000 });
  await saveRawEvents(pool, [rawEvent(body, { receivedAtMs: clock.nowMs() })], "window");
}

async function pair({ pool, clock }: Desk, of: typeof LENA): Promise<void> {
  const body = { ...aPull("lids", [aListed(of)]), at_ms: clock.nowMs() };
  const event = rawEvent(body, { origin: "pull", receivedAtMs: clock.nowMs() });
  await saveRawEvents(pool, [event], "never");
}

/** What is edited away stays as a hidden listing, and what is revoked as a revoked one, so their deals stay on them. */
async function edit(
  { pool, clock }: Desk,
  { post: of, change, addressing }: Omit<Extract<Operation, { kind: "edit" }>, "kind">,
): Promise<void> {
  const { rawId, dealer: author, text, atMs } = of;
  const own = { rawId, author, addressing, atS: atMs / 1000 + 600 };
  const body =
    change === "revoked"
      ? aRevokeEvent(own)
      : anEditEvent({ ...own, text: toEdited(text, change) });
  await saveRawEvents(pool, [rawEvent(body, { receivedAtMs: clock.nowMs() })], "window");
}

function toEdited(text: string, change: "words" | "price" | "reference"): string {
  if (change === "words") return `${text} edited`;
  return change === "price" ? text.replace(/,\d00/, ",400") : text.replace(/1\d+(LN)?/, "116500LN");
}

interface StoredListing extends ModelListing {
  readonly key: string;
  readonly reference_normalized: string | null;
}

/** With the key of the model: whatever contact and message it has now. */
function listStored(pool: DatabasePool): Promise<readonly StoredListing[]> {
  return pool.query<StoredListing>(sql`
    select listing.id, listing.canonical_message_id, listing.ask_key, listing.side, listing.variant_folded,
           listing.price_amount_minor, listing.price_currency, listing.message_timestamp_ms,
           listing.reference_normalized,
           case when exists (select from contact_identifier as own
                              where own.contact_id = listing.contact_id
                                and own.identifier in (${`phone:${LENA.phone}`}, ${`lid:${LENA.lid}`}))
                then 'lena ' else 'marc ' end || message.text || ' ' || listing.line as key
      from listing
      join canonical_message as message on message.id = listing.canonical_message_id
     order by listing.id`);
}

async function decide(
  desk: Desk,
  one: Pick<Extract<Operation, { kind: "decide" }>, "pick" | "state" | "isTooDear">,
): Promise<void> {
  const listings = await listStored(desk.pool);
  const of = listings[one.pick % Math.max(1, listings.length)];
  if (of === undefined) return;
  desk.count += 1;
  const note = `decision ${desk.count}`;
  const reason: PassReason = one.isTooDear ? "too_dear" : "no_papers";
  const wanted = {
    listingId: of.id,
    decision: {
      state: one.state,
      note,
      offer: { amount_minor: desk.count, currency: "EUR" },
      ...(one.state === "passed" ? { reason } : {}),
    },
    author: { name: "Anna", nowMs: desk.clock.nowMs() },
  };
  const save = (condition: Pick<NewDecision, "isExpected"> | object) =>
    desk.pool.transaction((tx) => decideDeal(tx, { ...wanted, ...condition }));
  const { deal } = await save({}).catch((error: { code?: string }) => {
    if (error.code !== "precondition_failed") throw error;
    return save({ isExpected: () => true });
  });
  assert.equal(deal.note, note);
  desk.notes.set(note, of.key);
  desk.decisions.set(of.key, { note, reference: of.reference_normalized });
}

/** Not in the middle of a replay, and not between two listings that become one: which deal that would be, the model cannot know. */
async function deleteOne(desk: Desk, pick: number): Promise<void> {
  if (await hasAnchors(desk.pool)) return;
  const listings = await listStored(desk.pool);
  const of = listings[pick % Math.max(1, listings.length)];
  if (of === undefined || listings.some(({ id, key }) => key === of.key && id !== of.id)) return;
  const author = { name: "Anna", nowMs: desk.clock.nowMs() };
  const isDecided = desk.decisions.delete(of.key);
  const deleted = desk.pool.transaction((tx) => deleteDeal(tx, { listingId: of.id, author }));
  if (isDecided) await deleted;
  else await assert.rejects(deleted, { code: "deal_not_found" });
}

async function correctOne(
  desk: Desk,
  { pick, isUndone }: Omit<Extract<Operation, { kind: "correct" }>, "kind">,
): Promise<void> {
  const listings = await listStored(desk.pool);
  const of = listings[pick % Math.max(1, listings.length)];
  if (of === undefined) return;
  const set = isUndone ? {} : { reference: "116610LN" };
  const undo = isUndone ? (["reference"] as const) : [];
  await correct(desk.pool, of.id, set, { undo, clock: desk.clock });
}

async function erase(desk: Desk): Promise<void> {
  desk.isErased = true;
  await withContext(desk, async (context) => {
    const erasure = { ...context, eraseSetAside: eraseSetAsideItems };
    const author = { name: "cli", nowMs: desk.clock.nowMs() };
    await runErasure(erasure, { identifier: `phone:${LENA.phone}`, author }, () => undefined);
  });
}

async function work(desk: Desk): Promise<void> {
  await withContext(desk, (context) => drain(context));
}

async function withContext(
  { pool, clock }: Desk,
  use: (context: Awaited<ReturnType<typeof stepContext>>) => Promise<void>,
): Promise<void> {
  const context = await stepContext(pool, clock);
  try {
    await use(context);
  } finally {
    await context.close();
  }
}

/** Everything arrives that has not arrived, all work is done, and what is before the floor leaves. */
async function finish(desk: Desk): Promise<void> {
  for (const of of [LENA, MARC]) await pair(desk, of);
  for (const of of POSTS) await receive(desk, { post: of, session: SESSION_A, addressing: "both" });
  await work(desk);
  desk.clock.advance(60_000);
  while ((await removeBatch(desk.pool)) > 0) await work(desk);
  await work(desk);
}

type Counts = Record<"attached" | "other_reference" | "removed" | "erased" | "covered", number>;

type StoredDeal = ModelDeal & {
  readonly note: string | null;
  readonly detached_reason: string | null;
};

async function compare(desk: Desk, counts: Counts): Promise<void> {
  const { pool, decisions } = desk;
  const listings = await listStored(pool);
  const byKey = new Map(listings.map((listing) => [listing.key, listing]));
  assert.equal(byKey.size, listings.length, "the model tells all listings apart");
  const deals = await pool.query<StoredDeal>(sql`
    select listing_id, note, state, reason, detached_reason, ask_key, side, variant_folded, price_amount_minor,
           price_currency, canonical_message_id, posted_at_ms, updated_at_ms, asked_amount_minor, asked_currency
      from deal
     order by listing_id`);
  const isHers = (key: string) => key.startsWith("lena ");
  const kept = [...decisions].filter(([key]) => !desk.isErased || !isHers(key));

  const expected = kept.map(([key, { note, reference }]) => {
    const listing = byKey.get(key);
    const now = listing?.reference_normalized ?? null;
    const isOther = now !== null && reference !== null && now !== reference;
    const reason = listing === undefined ? "removed" : isOther ? "other_reference" : null;
    counts[reason ?? "attached"] += 1;
    return {
      note,
      detached_reason: reason,
      ...(listing === undefined ? {} : { listing_id: listing.id }),
    };
  });
  const found = deals
    .filter(({ detached_reason }) => detached_reason !== "erased")
    .map(({ note, detached_reason, listing_id }) => ({
      note,
      detached_reason,
      ...(detached_reason === "removed" ? {} : { listing_id }),
    }));
  const byNote = (left: { note: string | null }, right: { note: string | null }) =>
    (left.note ?? "").localeCompare(right.note ?? "");
  assert.deepEqual(found.toSorted(byNote), expected.toSorted(byNote));
  if (desk.isErased) {
    assert.deepEqual(await findTraces(pool, [LENA.phone, LENA.lid, WORDS]), []);
    const hers = [...desk.notes].filter(([, key]) => isHers(key)).map(([note]) => note);
    assert.deepEqual(await findNotes(pool, hers), [], "the activity forgets what was written");
    counts.erased += deals.length - found.length;
  }
  await compareCopies(pool);
  await compareCoverage(pool, { listings, deals }, counts);
}

/** Those of the notes that a row of activity still has. */
async function findNotes(pool: DatabasePool, notes: readonly string[]): Promise<readonly string[]> {
  const rows = await pool.query<{ text: string }>(sql`select changes::text as text from activity`);
  return notes.filter((note) => rows.some(({ text }) => text.includes(`"${note}"`)));
}

/** Of a deal on a listing, the copy is the listing as it is. */
async function compareCopies(pool: DatabasePool): Promise<void> {
  const rows = await pool.query(sql`
    select deal.listing_id
      from deal
      join listing on listing.id = deal.listing_id
     where deal.detached_reason is null
       and (deal.ask_key is distinct from listing.ask_key
            or deal.contact_id is distinct from listing.contact_id
            or deal.posted_at_ms <> listing.message_timestamp_ms
            or deal.price_amount_minor is distinct from listing.price_amount_minor
            or deal.watch ->> 'phone_number' is distinct from listing.phone_number)`);
  assert.deepEqual([...rows], [], "the copies are as the listings");
}

async function compareCoverage(
  pool: DatabasePool,
  { listings, deals }: { listings: readonly StoredListing[]; deals: readonly StoredDeal[] },
  counts: Counts,
): Promise<void> {
  const found = await findDealtListings(
    pool,
    listings.map(({ id }) => id),
  );
  for (const listing of listings) {
    const expected = dealOfListing(listing, listings, deals);
    const dealt = found.get(listing.id);
    assert.equal(dealt?.deal?.listing_id, expected?.deal.listing_id, listing.key);
    assert.equal(dealt?.is_left_out, expected?.isLeftOut ?? false, listing.key);
    if (expected !== undefined && expected.deal.listing_id !== listing.id) counts.covered += 1;
  }
}
