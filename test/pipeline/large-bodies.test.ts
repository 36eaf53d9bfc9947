import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { claimDeliveries } from "../../src/alerts/deliveries/claim-store.ts";
import type { DatabasePool } from "../../src/db/database.ts";
import { sql } from "../../src/db/sql.ts";
import { queueMatchRequests, takeMatchRequests } from "../../src/listings/match-queue-store.ts";
import { splitBatch } from "../../src/listings/message-reading.ts";
import { canonicalizeEvents } from "../../src/messages/canonicalize-events.ts";
import { takeMessages } from "../../src/messages/message-queue-store.ts";
import { listCandidates, type MessagePosition } from "../../src/messages/message-store.ts";
import { aListingWith, insertListings } from "../support/listings.ts";
import { anAlert, insertRows } from "../support/rows.ts";
import { createTestClock, NOW_MS } from "../support/test-app.ts";
import { openTestDatabase } from "../support/test-database.ts";

const MIB = 1024 * 1024;

test("a batch of events reads at most 8 MiB of bodies, and at least one body", async (t) => {
  const { pool } = await openTestDatabase(t);
  await queueBodies(pool, [3, 3, 3, 10, 1, 1]);
  const options = { batchMax: 500, clock: createTestClock(), alertWindowMs: 1 };

  const counts = [];
  for (let at = 0; at < 5; at += 1) counts.push(await canonicalizeEvents(pool, options));

  assert.deepEqual(
    counts.map(({ takenCount }) => takenCount),
    [2, 1, 1, 2, 0],
  );
});

test("a batch of messages reads at most 4 MiB of text, and at least one text", async (t) => {
  const { pool } = await openTestDatabase(t);
  for (const mib of [1.5, 1.5, 1.5, 5, 1]) {
    await pool.execute(sql`
      with stored as (
        insert into canonical_message (id, contact_id, text, first_seen_at_ms, last_seen_at_ms, occurrence_count)
        values (${randomUUID()}, ${randomUUID()}, repeat('x', ${mib * MIB}::int), ${NOW_MS}, ${NOW_MS}, 1) returning id
      )
      insert into message_queue (canonical_message_id) select id from stored`);
  }

  const counts = [];
  for (let at = 0; at < 5; at += 1) {
    counts.push((await pool.transaction((tx) => takeMessages(tx, { batchMax: 200 }))).length);
  }

  assert.deepEqual(counts, [2, 1, 1, 1, 0]);
});

test("a batch of match requests reads at most 8 MiB of text, and at least one request", async (t) => {
  const { pool } = await openTestDatabase(t);
  const listings = Array.from({ length: 70 }, () => aListingWith());
  await insertListings(pool, listings);
  // Larger than the bound, as older releases stored it: only the start is read, and only that counts.
  await pool.execute(sql`update listing set search_text = repeat('ab ', 300000)`);
  await queueMatches(
    pool,
    "watch_listing",
    listings.map(({ id }) => id),
  );
  const texts = Array.from({ length: 3 }, () => randomUUID());
  await pool.execute(sql`
    insert into canonical_message (id, contact_id, text, first_seen_at_ms, last_seen_at_ms, occurrence_count)
    select id, gen_random_uuid(), repeat('x', ${5 * MIB}::int), ${NOW_MS}, ${NOW_MS}, 1
      from unnest(${texts}::uuid[]) as made (id)`);
  await queueMatches(pool, "message", texts);

  const counts = [];
  for (let at = 0; at < 6; at += 1) {
    counts.push((await pool.transaction((tx) => takeMatchRequests(tx, { batchMax: 500 }))).length);
  }

  assert.deepEqual(counts, [64, 7, 1, 1, 0, 0]);
});

test("a page of messages reads at most 4 MiB of text, and the walk misses none", async (t) => {
  const { pool } = await openTestDatabase(t);
  await pool.execute(sql`
    insert into canonical_message (id, contact_id, text, first_seen_at_ms, last_seen_at_ms, occurrence_count)
    select gen_random_uuid(), gen_random_uuid(), repeat('x', 1500000), ${NOW_MS}::bigint, ${NOW_MS}::bigint + at, 1
      from generate_series(1, 5) as made (at)`);
  const counts = [];
  let after: MessagePosition | undefined;

  do {
    const page = { examinedMax: 1_000, withTexts: true, ...(after === undefined ? {} : { after }) };
    const found = await listCandidates(pool, {}, page);
    counts.push(found.candidates.length);
    after = found.examinedTo;
  } while (after !== undefined);

  assert.deepEqual(counts, [2, 2, 1]);
});

test("the listings of a batch are saved in parts of at most 8 MiB of search text", () => {
  const ids = ["a", "b", "c", "d", "e"];
  const batch = {
    queued: ids.map((canonical_message_id) => ({
      canonical_message_id,
      alert_ms: null,
      has_new_names: false,
      has_new_window: false,
      quoted_ids: [],
    })),
    messages: [],
    movedTo: new Map([["a", "d"]]),
    readings: new Map(ids.map((id) => [id, { kind: "none", reason: "no_watch" } as const])),
  };
  const stored = new Map([
    ["a", { bytes: 3 * MIB }],
    ["b", { bytes: 5 * MIB }],
    ["c", { bytes: 1 }],
    ["d", { bytes: 200 * MIB }],
    ["e", { bytes: 1 }],
  ]);

  const parts = splitBatch(batch, stored);

  assert.deepEqual(
    parts.map((part) => part.queued.map((row) => row.canonical_message_id)),
    [["a", "b"], ["c"], ["d"], ["e"]],
  );
  assert.deepEqual(
    parts.map(({ movedTo, readings }) => [movedTo.size, [...readings.keys()].join("")]),
    [
      [1, "ab"],
      [0, "c"],
      [0, "d"],
      [0, "e"],
    ],
  );
  assert.deepEqual(splitBatch(batch, new Map()), [batch]);
});

test("a claim reads at most 8 MiB of stored bodies, and at least one body", async (t) => {
  const { pool } = await openTestDatabase(t);
  const alert_id = await anAlert(pool);
  const target_id = randomUUID();
  const target = { id: target_id, name: "desk", url: "https://example.com", secret: "whsec_AAAA" };
  await pool.execute(
    insertRows("webhook_target", [{ ...target, created_at_ms: 0, updated_at_ms: 0 }]),
  );
  for (let at = 0; at < 3; at += 1) {
    await pool.execute(sql`
      insert into webhook_delivery (id, target_id, alert_id, resource, resource_id, next_attempt_at_ms, created_at_ms, body)
      values (${randomUUID()}, ${target_id}, ${alert_id}, 'message', ${randomUUID()}, 0, 0, repeat('x', ${5 * MIB}::int))`);
  }
  const options = {
    nowMs: NOW_MS,
    leaseMs: 60_000,
    batchMax: 32,
    perTargetMax: 4,
    inProgress: [],
    awake: [],
  };

  const counts = [];
  for (let at = 0; at < 4; at += 1) counts.push((await claimDeliveries(pool, options)).length);

  assert.deepEqual(counts, [1, 1, 1, 0]);
});

async function queueMatches(
  pool: DatabasePool,
  resource: "watch_listing" | "message",
  ids: readonly string[],
): Promise<void> {
  await queueMatchRequests(
    pool,
    ids.map((resource_id) => ({ resource, resource_id, alert_ms: 1 })),
  );
}

/** Made in the store, because sending them would take longer than the test. */
async function queueBodies(pool: DatabasePool, sizesMib: readonly number[]): Promise<void> {
  for (const [at, mib] of sizesMib.entries()) {
    await pool.execute(sql`
      with stored as (
        insert into raw_event (sha256, gateway, origin, body, received_at_ms)
        select sha256(body), 'waha', 'webhook', body, ${NOW_MS}
          from (select convert_to('{"event":"message.ack","session":"s","payload":{"id":"' || ${at}::int || '","filler":"'
                                  || repeat('x', ${mib * MIB - 100}::int) || '"}}', 'UTF8') as body) as made
        returning id
      )
      insert into raw_event_queue (raw_event_id, alerting) select id, 'never' from stored`);
  }
}
