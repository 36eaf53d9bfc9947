import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { previewAlert } from "../../src/alerts/preview-alert.ts";
import { DAY_MS, dayStartOf, HOUR_MS } from "../../src/base/clock.ts";
import type { DatabasePool } from "../../src/db/database.ts";
import { sql } from "../../src/db/sql.ts";
import { parseFilter } from "../../src/filters/language/filter.ts";
import { saveRawEvents } from "../../src/intake/raw-event-store.ts";
import { aLiveAlert, listStoredMatches } from "../support/alerts.ts";
import { drain, rawEvent, stepContext } from "../support/drain.ts";
import { aListing, aMatch, anAlert } from "../support/rows.ts";
import { borrowTestDatabase } from "../support/shared-store.ts";
import { createTestClock, NOW_MS } from "../support/test-app.ts";
import { openTestDatabase } from "../support/test-database.ts";
import { aMessageEvent, GROUP } from "../support/waha.ts";

const OTHER_GROUP = "120363000000000202@g.us";
const START_MS = NOW_MS - 4 * DAY_MS;
const SENDERS = ["123", "456", "789"].map((end) => ({
  phone: `447700900${end}`,
  lid: `199900000000${end}`,
  name: `Dealer ${end}`,
}));
/** The first two are the same ask in other words. */
const TEXTS = [
  "WTS 126610LN 2024 new full set EUR 11,500",
  "126610LN 2024 new full set now EUR 11,500",
  "WTS 126610LN 2023 used EUR 10,200",
  "WTS 5711/1A-010 2020 EUR 90,000\n126500LN 2024 new EUR 27,000",
];

interface Post {
  readonly text: number;
  readonly sender: number;
  readonly isOther: boolean;
  readonly hasMedia: boolean;
  readonly gapMs: number;
}

const anyPost: fc.Arbitrary<Post> = fc.record({
  text: fc.nat({ max: TEXTS.length - 1 }),
  sender: fc.nat({ max: SENDERS.length - 1 }),
  isOther: fc.boolean(),
  hasMedia: fc.boolean(),
  gapMs: fc.integer({ min: 1, max: 5 }).map((hours) => hours * HOUR_MS),
});

/** Processes each message on its own, at the time at which it was sent, and returns the time after the last one. */
async function postAll(
  pool: DatabasePool,
  posts: readonly Post[],
  { startMs, prefix }: { readonly startMs: number; readonly prefix: string },
): Promise<number> {
  const clock = createTestClock();
  const context = await stepContext(pool, clock);
  let atMs = startMs;
  for (const [at, post] of posts.entries()) {
    atMs += post.gapMs;
    clock.set(atMs);
    const sender = SENDERS[post.sender];
    const event = aMessageEvent({
      rawId: `${prefix}${at}`,
      text: TEXTS[post.text] ?? "",
      group: post.isOther ? OTHER_GROUP : GROUP,
      hasMedia: post.hasMedia,
      atS: atMs / 1000,
      ...(sender === undefined ? {} : { sender }),
    });
    await saveRawEvents(pool, [rawEvent(event, { receivedAtMs: atMs })], "window");
    await drain(context);
  }
  await context.close();
  return atMs;
}

function anyFilterFor(groupIds: readonly string[], fromMs: number) {
  const aTime = fc.integer({ min: -1, max: 40 }).map((hours) => fromMs + hours * 2 * HOUR_MS);
  const bounds = fc.record({ gte: aTime, lte: aTime }, { requiredKeys: [] });
  return fc.record(
    {
      group_ids: fc.constantFrom(...groupIds.map((id) => [id])),
      has_media: fc.boolean(),
      last_seen_at_ms: bounds,
      message_timestamp_ms: bounds,
      reference: fc.constantFrom(["126610LN"], ["126500LN"], ["nothing"]),
      condition: fc.constantFrom(["NEW"], ["USED"]),
      phone_number: fc.constantFrom(...SENDERS.map(({ phone }) => phone)),
      include_duplicates: fc.boolean(),
    },
    { requiredKeys: [] },
  );
}

test("the preview of a market_filter alert is what fires live on the same messages", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  const [before = [], after = []] = [5, 20].map(
    (length) => fc.sample(fc.array(anyPost, { minLength: length, maxLength: length }), 1)[0],
  );
  // Some texts were posted before the alerts existed, and are posted again later.
  const both = [false, true].map((isOther) => ({ ...(before[0] ?? fail()), isOther }));
  const fromMs =
    (await postAll(pool, [...both, ...before], { startMs: START_MS, prefix: "A" })) + 1;
  const groups = await pool.query<{ id: string }>(sql`select id from market_group order by id`);
  const filters = [
    {},
    { include_duplicates: true },
    { has_media: false },
    { last_seen_at_ms: { lte: fromMs + 8 * HOUR_MS } },
    ...fc.sample(
      anyFilterFor(
        groups.map(({ id }) => id),
        fromMs,
      ),
      60,
    ),
  ];
  const alertIds: string[] = [];
  for (const filter of filters) alertIds.push(await aLiveAlert(pool, filter));

  const toMs = await postAll(pool, after, { startMs: fromMs - 1, prefix: "B" });

  const matches = await listStoredMatches(pool);
  assert.ok(matches.length > 0);
  for (const [at, filter] of filters.entries()) {
    const fired = matches.filter(({ alert_id }) => alert_id === alertIds[at]);
    const preview = await previewAlert(pool, {
      filter: parseFilter(filter),
      period: { fromMs, toMs },
    });
    const told = JSON.stringify({ filter, before, after });
    assert.equal(preview.is_exact, true);
    assert.equal(preview.total, fired.length, told);
    assert.deepEqual(
      preview.latestIds.toSorted(),
      fired.map(({ resource_id }) => resource_id).toSorted(),
      told,
    );
    assert.deepEqual(
      preview.days.filter(({ match_count }) => match_count > 0),
      countByDay(fired.map(({ matched_at_ms }) => matched_at_ms)),
      told,
    );
    const own = preview.overlaps.find(({ alert_id }) => alert_id === alertIds[at]);
    if (own !== undefined) assert.equal(own.shared_count, fired.length);
  }
});

test("a preview of more listings than it may check is scaled up from a fair sample", async (t) => {
  const { pool } = await openTestDatabase(t);
  // Every id from 00… to ff…, each a tenth of a second after the last.
  const ids = Array.from({ length: 256 }, (_, at) =>
    at.toString(16).padStart(2, "0").padEnd(8, "0").concat("-0000-4000-8000-000000000000"),
  );
  const alert_id = await anAlert(pool);
  for (const [at, id] of ids.entries()) {
    const atMs = NOW_MS - at * 100;
    await aListing(pool, { id, first_seen_at_ms: atMs, last_seen_at_ms: atMs });
    await aMatch(pool, { alert_id, resource_id: id });
  }
  await pool.script("analyze listing");

  const preview = await previewAlert(pool, {
    filter: parseFilter({}),
    period: { fromMs: NOW_MS - DAY_MS, toMs: NOW_MS },
    candidatesMax: 70,
  });

  assert.equal(preview.is_exact, false);
  assert.equal(preview.total, 256);
  assert.equal(
    preview.days.reduce((sum, { match_count }) => sum + match_count, 0),
    256,
  );
  assert.deepEqual(
    preview.overlaps.map(({ shared_count }) => shared_count),
    [256],
  );
  assert.deepEqual(preview.latestIds, ids.slice(0, 20));
});

function countByDay(times: readonly number[]) {
  const days = [...new Set(times.map(dayStartOf))].sort((left, right) => left - right);
  return days.map((day_start_ms) => ({
    day_start_ms,
    match_count: times.filter((atMs) => dayStartOf(atMs) === day_start_ms).length,
  }));
}

function fail(): never {
  throw new Error("the sample is empty");
}
