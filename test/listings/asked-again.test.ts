/** An ask that the dealer says again in other words, after another price. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { HOUR_MS } from "../../src/base/clock.ts";
import type { DatabasePool } from "../../src/db/database.ts";
import { sql } from "../../src/db/sql.ts";
import {
  findOffers,
  findReplaced,
  findReplacements,
  type Replacement,
} from "../../src/listings/offers.ts";
import { process } from "../support/drain.ts";
import { borrowTestDatabase } from "../support/shared-store.ts";
import { NOW_MS } from "../support/test-app.ts";
import { aMessageEvent, aRevokeEvent } from "../support/waha.ts";

const RUNS = globalThis.process.env["ASSAY_TEST_LONG"] === "1" ? 60 : 6;
const WATCH = "126610LN 2024 new full set";

interface Post {
  readonly headline: string;
  /** The prices of its lines. */
  readonly euros: readonly number[];
  readonly hoursAgo: number;
}

const textOf = ({ headline, euros }: Post) =>
  [headline, ...euros.map((price) => `${WATCH} EUR ${price}`)].join("\n");

const toEvent = (post: Post, at: number) =>
  aMessageEvent({
    rawId: `P${at}`,
    text: textOf(post),
    atS: (NOW_MS - post.hoursAgo * HOUR_MS) / 1000,
  });

interface Row {
  readonly id: string;
  readonly name: string;
  readonly headline: string;
  readonly euros: number;
  readonly is_duplicate: boolean;
}

async function listAsks(pool: DatabasePool): Promise<readonly Row[]> {
  return pool.query<Row>(sql`
    select listing.id, split_part(text, e'\n', 1) as headline, price_amount_minor / 100 as euros, is_duplicate,
           split_part(text, e'\n', 1) || ' ' || price_amount_minor / 100 as name
      from listing join canonical_message as message on message.id = listing.canonical_message_id
     where not is_hidden and not listing.is_revoked
     order by message_timestamp_ms, line, listing.id`);
}

async function listStanding(pool: DatabasePool): Promise<readonly Row[]> {
  const rows = await listAsks(pool);
  const ids = rows.map(({ id }) => id);
  const replaced = await findReplaced(pool, ids);
  const offers = await findOffers(pool, ids, NOW_MS);
  const replacements = await findReplacements(pool, ids);
  for (const { id } of rows) {
    const isReplaced = replaced.has(id);
    const last = replacements.get(id)?.at(-1);
    assert.equal(offers.get(id)?.offer_state === "replaced", isReplaced);
    assert.equal(last?.untilMs === Number.POSITIVE_INFINITY, isReplaced);
  }
  return rows.filter(({ id }) => !replaced.has(id));
}

const namesOf = (rows: readonly Row[]) => rows.map(({ name }) => name);

test("two pieces at two prices both stand when their list is posted again under another headline", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  const posts = [
    { headline: "Monday", euros: [9_500, 9_700], hoursAgo: 48 },
    { headline: "Tuesday", euros: [9_500, 9_700], hoursAgo: 24 },
  ];
  await process(pool, posts.map(toEvent));

  const standing = await listStanding(pool);

  assert.deepEqual(namesOf(standing), [
    "Monday 9500",
    "Monday 9700",
    "Tuesday 9500",
    "Tuesday 9700",
  ]);
  assert.deepEqual(namesOf(standing.filter(({ is_duplicate }) => !is_duplicate)), [
    "Monday 9500",
    "Monday 9700",
  ]);
});

test("an ask stands again when it is said in other words after a lower one, until the other one is said again", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  const posts = [
    { headline: "First", euros: [9_500], hoursAgo: 50 },
    { headline: "Today only", euros: [9_300], hoursAgo: 40 },
    { headline: "Available", euros: [9_500], hoursAgo: 30 },
    { headline: "Last call", euros: [9_300], hoursAgo: 20 },
  ];
  await process(pool, posts.slice(0, 3).map(toEvent));
  const before = await listStanding(pool);
  const [first] = await listAsks(pool);
  const atMs = (hoursAgo: number) => NOW_MS - hoursAgo * HOUR_MS;
  assert.deepEqual((await findReplacements(pool, [first?.id ?? ""])).get(first?.id ?? ""), [
    { fromMs: atMs(40), untilMs: atMs(30) },
  ]);

  await process(pool, [toEvent(posts[3] as Post, 3)]);

  assert.deepEqual(namesOf(before), ["First 9500", "Available 9500"]);
  assert.deepEqual(namesOf(await listStanding(pool)), ["Today only 9300", "Last call 9300"]);
  await process(pool, [aRevokeEvent({ rawId: "P3", atS: NOW_MS / 1000 })]);
  assert.deepEqual(namesOf(await listStanding(pool)), ["First 9500", "Available 9500"]);
});

test("a list with a second piece replaces no ask that it has, nor does a reply that changes the second piece", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  const posts = [
    { headline: "One", euros: [9_500], hoursAgo: 50 },
    { headline: "Two", euros: [9_500, 9_700], hoursAgo: 40 },
  ];
  await process(pool, posts.map(toEvent));
  const before = await listStanding(pool);
  const asked = [
    { amount_minor: 970_000, currency: "EUR", asked_at_ms: NOW_MS - 40 * HOUR_MS },
    { amount_minor: 930_000, currency: "EUR", asked_at_ms: NOW_MS - 30 * HOUR_MS },
  ];

  await pool.execute(sql`
    update listing set price_amount_minor = 930000, asks = ${JSON.stringify(asked)}::jsonb
     where price_amount_minor = 970000`);

  assert.deepEqual(namesOf(before), ["One 9500", "Two 9500", "Two 9700"]);
  assert.deepEqual(namesOf(await listStanding(pool)), ["One 9500", "Two 9500", "Two 9300"]);
});

const anyPost: fc.Arbitrary<Post> = fc.record({
  headline: fc.constantFrom("Monday", "Tuesday", "Available"),
  euros: fc.uniqueArray(fc.constantFrom(9_300, 9_500, 9_700), { minLength: 1, maxLength: 2 }),
  hoursAgo: fc.integer({ min: 1, max: 12 }),
});

/** What the rule says, of posts alone: at `atMs`, has another price been said since this one, in a message without it? */
function isReplacedAt(posts: readonly Post[], euros: number, atMs: number): boolean {
  const saidMs = (isIt: (post: Post) => boolean) =>
    Math.max(
      ...posts
        .filter((post) => isIt(post))
        .map(({ hoursAgo }) => NOW_MS - hoursAgo * HOUR_MS)
        .filter((postMs) => postMs <= atMs),
    );
  const has = (post: Post) => post.euros.includes(euros);
  return saidMs((post) => !has(post)) > saidMs(has);
}

function isWithin(replacements: readonly Replacement[], atMs: number): boolean {
  return replacements.some(({ fromMs, untilMs }) => fromMs <= atMs && atMs < untilMs);
}

test("whatever is posted in whatever order, an ask is replaced as the rule says, now and at each time before", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  const known = new Set<string>();
  let replacedCount = 0;
  let run = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(anyPost, { minLength: 2, maxLength: 9 }),
      fc.infiniteStream(fc.nat()),
      async (posts, order) => {
        run += 1;
        // A dealer of his own for each run; the message of one text is one message however often it is posted.
        const sender = {
          phone: `4477009${10_000 + run}`,
          lid: `1999000000${10_000 + run}`,
          name: "D",
        };
        const events = posts.map((post, at) =>
          aMessageEvent({
            rawId: `R${run}P${at}`,
            sender,
            text: textOf(post),
            atS: (NOW_MS - post.hoursAgo * HOUR_MS) / 1000,
          }),
        );
        const shuffled = events
          .map((event) => ({ event, key: order.next().value ?? 0 }))
          .sort((left, right) => left.key - right.key)
          .map(({ event }) => event);
        for (const event of shuffled) await process(pool, [event], { steps: "listings" });

        const rows = (await listAsks(pool)).filter(({ id }) => !known.has(id));
        const standing = new Set((await listStanding(pool)).map(({ id }) => id));
        const replacements = await findReplacements(
          pool,
          rows.map(({ id }) => id),
        );
        for (const row of rows) {
          known.add(row.id);
          const isReplaced = isReplacedAt(posts, row.euros, NOW_MS);
          replacedCount += isReplaced ? 1 : 0;
          assert.equal(!standing.has(row.id), isReplaced, row.name);
          for (let hour = 0; hour <= 12; hour++) {
            const atMs = NOW_MS - hour * HOUR_MS;
            const isSaid = posts.some(
              ({ euros, hoursAgo }) => euros.includes(row.euros) && hoursAgo >= hour,
            );
            if (!isSaid) continue;
            const spans = replacements.get(row.id) ?? [];
            assert.equal(isWithin(spans, atMs), isReplacedAt(posts, row.euros, atMs), row.name);
          }
        }
        const shown = rows.filter(({ id, is_duplicate }) => standing.has(id) && !is_duplicate);
        const asks = rows.filter(({ id }) => standing.has(id)).map(({ euros }) => euros);
        assert.deepEqual(new Set(shown.map(({ euros }) => euros)), new Set(asks));
      },
    ),
    { numRuns: RUNS },
  );
  assert.ok(replacedCount > 0);
});
