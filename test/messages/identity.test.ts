import assert from "node:assert/strict";
import { test } from "node:test";
import { DAY_MS, MINUTE_MS } from "../../src/base/clock.ts";
import type { DatabasePool } from "../../src/db/database.ts";
import { sql } from "../../src/db/sql.ts";
import { saveRawEvents } from "../../src/intake/raw-event-store.ts";
import { canonicalizeEvents } from "../../src/messages/canonicalize-events.ts";
import { sightingQueue } from "../../src/messages/contacts/contact-store.ts";
import { saveNewIdentifiers } from "../../src/messages/contacts/contact-write-store.ts";
import { mergeContacts } from "../../src/messages/contacts/merge-contacts.ts";
import { requestReplay } from "../../src/pipeline/replay.ts";
import { aLiveAlert, aSavedFilter, listStoredMatches } from "../support/alerts.ts";
import { process, rawEvent } from "../support/drain.ts";
import { showCells } from "../support/pricing.ts";
import { aConfiguration } from "../support/rows.ts";
import { borrowTestDatabase } from "../support/shared-store.ts";
import { createGate, createTestClock, NOW_MS, until } from "../support/test-app.ts";
import { openTestDatabase } from "../support/test-database.ts";
import {
  aGroupEvent,
  aMessageEvent,
  anAdminEvent,
  anEditEvent,
  aRevokeEvent,
  aStatusEvent,
  SENDER,
  SESSION_A,
  SESSION_B,
} from "../support/waha.ts";

const AT_S = NOW_MS / 1000 - 3_600;
const LENA = SENDER;
const MARC = { phone: "447700900155", lid: "199900000000255", name: "Marc" };
const NINA = { phone: "447700900166", lid: "199900000000266", name: "Nina" };

test("of two batches that meet a new dealer at once, one as a pair, one contact stays", async (t) => {
  const { pool } = await openTestDatabase(t);
  const lid = `lid:${LENA.lid}`;
  const phone = `phone:${LENA.phone}`;
  const sighting = (identifiers: readonly string[]) => ({
    identifiers,
    atMs: NOW_MS,
    isOwn: false,
    evidence: "message" as const,
  });
  const [stored, released] = [createGate(), createGate()];
  const first = pool.transaction(async (tx) => {
    await saveNewIdentifiers(tx, [sighting([lid, phone])], new Map());
    stored.open();
    await released.opened;
  });
  await stored.opened;

  const second = pool.transaction((tx) => saveNewIdentifiers(tx, [sighting([lid])], new Map()));
  const waiting = sql`
    select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  await until(async () => (await pool.query(waiting)).length > 0);
  released.open();
  await Promise.all([first, second]);

  assert.deepEqual(await pool.query(sql`select key from contact`), [{ key: phone }]);
});

test("a raw id that another member uses again makes an occurrence of its own, and changes no other", async (t) => {
  const { pool } = await borrowTestDatabase(t);

  await process(pool, [
    aMessageEvent({ rawId: "A1", sender: LENA, text: "126610LN 98k", atS: AT_S }),
    aMessageEvent({ rawId: "A1", sender: MARC, text: "zzz 5711 92k", atS: AT_S + 60 }),
    aMessageEvent({ rawId: "A2", sender: LENA, text: "126500LN 230k", atS: AT_S + 90 }),
  ]);

  assert.deepEqual(await textsBySender(pool), [
    ["Kenji M.", "126500LN 230k"],
    ["Kenji M.", "126610LN 98k"],
    ["Marc", "zzz 5711 92k"],
  ]);
});

test("two members who use a raw id in the same second stay two, however the sessions name them", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  const seen = (sender: typeof LENA, text: string) => [
    aMessageEvent({ rawId: "A1", sender, text, atS: AT_S, addressing: "lid" }),
    aMessageEvent({
      rawId: "A1",
      sender,
      text,
      atS: AT_S,
      addressing: "phone",
      session: SESSION_B,
    }),
  ];

  await process(pool, [...seen(LENA, "98k"), ...seen(MARC, "98k")]);

  // Which LID belongs to which phone number cannot be told, so no two are joined.
  const contacts = await pool.query<{ key: string }>(
    sql`select key from contact where not is_own order by key`,
  );
  assert.deepEqual(
    contacts.map(({ key }) => key),
    [LENA, MARC].flatMap(({ lid, phone }) => [`lid:${lid}`, `phone:${phone}`]).sort(),
  );
});

test("a pair that a message proved is withdrawn when a second phone number used its raw id", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  const first = [
    aMessageEvent({ rawId: "A1", sender: LENA, text: "98k", atS: AT_S, addressing: "lid" }),
    aMessageEvent({
      rawId: "A1",
      sender: LENA,
      text: "98k",
      atS: AT_S,
      addressing: "phone",
      session: SESSION_B,
    }),
  ];
  const intruder = aMessageEvent({
    rawId: "A1",
    sender: MARC,
    text: "98k",
    atS: AT_S,
    addressing: "phone",
    session: SESSION_B,
  });
  await process(pool, first);
  const joined = await contactCount(pool);

  await process(pool, [intruder]);
  const separate = await contactCount(pool);
  await process(pool, [aMessageEvent({ rawId: "A9", sender: LENA, addressing: "both" })]);

  assert.deepEqual([joined, separate, await contactCount(pool)], [1, 3, 2]);
});

test("a pair that another message proves too is not withdrawn", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  await process(pool, [
    aMessageEvent({ rawId: "A1", sender: LENA, atS: AT_S, addressing: "both" }),
    aMessageEvent({ rawId: "A2", sender: LENA, atS: AT_S, addressing: "both" }),
  ]);

  await process(pool, [
    aMessageEvent({ rawId: "A1", sender: MARC, atS: AT_S, addressing: "phone" }),
  ]);

  assert.equal(await contactCount(pool), 2);
});

test("a pair that was set aside is not applied once its message is in doubt", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  const seen = (sender: typeof LENA, addressing: "lid" | "phone") =>
    rawEvent(aMessageEvent({ rawId: "A1", sender, text: "98k", atS: AT_S, addressing }));
  await saveRawEvents(pool, [seen(LENA, "lid"), seen(LENA, "phone")], "never");
  const options = { batchMax: 10, clock: createTestClock(), alertWindowMs: 1 };
  await canonicalizeEvents(pool, options);
  const [pair] = await pool.query<{ id: string }>(
    sql`select id::text from identity_queue where cardinality(identifiers) = 2 and not is_own`,
  );
  const row = await sightingQueue.remove(pool, pair?.id ?? "");

  await saveRawEvents(pool, [seen(MARC, "phone")], "never");
  const retry = async (): Promise<number> => {
    await sightingQueue.restore(pool, row ?? {});
    await mergeContacts(pool, { batchMax: 1, id: pair?.id ?? "" });
    return (await pool.query(sql`select from contact_pair where not is_listed`)).length;
  };
  const supported = await retry();
  await process(pool, []);
  const doubted = await retry();

  assert.deepEqual([supported, doubted], [1, 0]);
  assert.equal(await contactCount(pool), 3);
});

test("messages without a sender join no contacts, are no duplicates and enter no cell", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  const configuration = await aConfiguration(pool);
  await aSavedFilter(pool, "configuration", configuration, { reference: ["126610LN"] });
  await aSavedFilter(pool, "view_eu", "6a1f0000-0000-4000-8000-000000000001");
  const text = "WTS Rolex 126610LN 2023 new full set EUR 10000";
  const ask = (rawId: string, addressing: "both" | "none", sender = LENA, words = text) =>
    aMessageEvent({ rawId, sender, text: words, atS: AT_S, addressing });

  await process(pool, [
    ask("A1", "both", LENA),
    ask("A2", "both", MARC),
    ask("A3", "none"),
    ask("A4", "none", LENA, `${text} `.replace("WTS", "Offer")),
  ]);

  assert.equal(await contactCount(pool), 2);
  const unknown = await pool.query(sql`
    select contact_id, is_duplicate from listing where contact_id is null order by id`);
  assert.deepEqual(
    [...unknown],
    [0, 1].map(() => ({ contact_id: null, is_duplicate: false })),
  );
  assert.match((await showCells(pool, configuration)).join(), /^2023 new: \w+ 2/);
});

test("once the sender is known, what was derived without one is deleted, and its matches follow", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  await aLiveAlert(pool, { brand: ["Rolex"] });
  const text = "WTS Rolex 126610LN 2023 new full set EUR 10000";
  const ask = { rawId: "A1", sender: LENA, text, atS: AT_S } as const;
  await process(pool, [aMessageEvent({ ...ask, addressing: "none" })]);
  const [before] = await listStoredMatches(pool);

  await process(pool, [aMessageEvent({ ...ask, addressing: "both", session: SESSION_B })]);

  const listings = await pool.query<{ id: string; contact_id: string | null }>(
    sql`select id, contact_id from listing`,
  );
  const matches = await listStoredMatches(pool);
  assert.equal(listings.length, 1);
  assert.notEqual(listings[0]?.contact_id, null);
  assert.deepEqual(
    matches.map(({ resource_id, matched_at_ms }) => [resource_id, matched_at_ms]),
    [[listings[0]?.id, before?.matched_at_ms]],
  );
  assert.equal((await pool.query(sql`select from canonical_message`)).length, 1);
});

test("an edit counts for the message of its author only, by any of the author's identifiers", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  const edit = (
    text: string,
    author: typeof LENA,
    addressing: "lid" | "phone" | "none",
    n: number,
  ) => anEditEvent({ rawId: "A1", text, atS: AT_S + n, author, addressing });
  await process(pool, [
    aMessageEvent({ rawId: "A1", sender: LENA, text: "98k", atS: AT_S, addressing: "phone" }),
    edit("I am broke, 1k", MARC, "lid", 300),
  ]);
  const afterStranger = await currentTexts(pool);

  await process(pool, [edit("97k", LENA, "lid", 60)]);
  const byUnknownLid = await currentTexts(pool);
  await process(pool, [
    aMessageEvent({ rawId: "A2", sender: LENA, text: "hello", addressing: "both" }),
  ]);

  assert.deepEqual(afterStranger, ["98k"]);
  assert.deepEqual(byUnknownLid, ["98k"]);
  assert.deepEqual(await currentTexts(pool), ["97k", "hello"]);
});

test("an edit without an author counts for the first message of the raw id", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  await process(pool, [
    aMessageEvent({ rawId: "A1", sender: LENA, text: "98k", atS: AT_S }),
    anEditEvent({ rawId: "A1", text: "97k", atS: AT_S + 60, addressing: "none" }),
  ]);
  const alone = await currentTexts(pool);

  await process(pool, [aMessageEvent({ rawId: "A1", sender: MARC, text: "5k", atS: AT_S + 600 })]);

  assert.deepEqual(alone, ["97k"]);
  assert.deepEqual(await currentTexts(pool), ["5k", "97k"]);
});

test("a revocation counts from the sender, from an admin, and from an author who is not named", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  const rawIds = ["A1", "A2", "A3", "A4"];
  const revoke = (rawId: string, author: typeof LENA, addressing: "lid" | "none" = "lid") =>
    aRevokeEvent({ rawId, atS: AT_S + 60, author, addressing });
  await process(pool, [
    ...rawIds.map((rawId) => aMessageEvent({ rawId, sender: LENA, text: rawId, atS: AT_S })),
    revoke("A1", LENA),
    revoke("A2", MARC),
    revoke("A3", NINA),
    revoke("A4", MARC, "none"),
  ]);
  const before = await revokedIds(pool);

  await process(pool, [anAdminEvent({ lid: NINA.lid, atMs: NOW_MS })]);

  assert.deepEqual(before, ["A1", "A4"]);
  assert.deepEqual(await revokedIds(pool), ["A1", "A3", "A4"]);
});

test("a time in the future counts as the time of receipt", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  const in2100S = Date.UTC(2100, 0, 1) / 1000;
  const receivedAtMs = NOW_MS - DAY_MS;
  const events = [
    aMessageEvent({ rawId: "A1", text: "98k", atS: in2100S }),
    aMessageEvent({ rawId: "A2", text: "97k", atS: receivedAtMs / 1000 + 9 * 60 }),
    anEditEvent({ rawId: "A1", text: "96k", atS: in2100S }),
    aGroupEvent({ name: "Future", atMs: in2100S * 1000 }),
    aStatusEvent({ status: "FAILED", atMs: in2100S * 1000 }),
  ];
  await saveRawEvents(
    pool,
    events.map((body) => rawEvent(body, { receivedAtMs })),
    "never",
  );
  // The same message from another session, whose clock is right but which received it later.
  const later = aMessageEvent({ rawId: "A1", text: "98k", atS: in2100S, session: SESSION_B });
  await saveRawEvents(pool, [rawEvent(later, { receivedAtMs: NOW_MS })], "never");
  await process(pool, [
    anEditEvent({ rawId: "A1", text: "95k", atS: NOW_MS / 1000 - 60 }),
    aGroupEvent({ name: "Now", atMs: NOW_MS - MINUTE_MS }),
    aStatusEvent({ status: "WORKING", atMs: NOW_MS - MINUTE_MS }),
  ]);

  const occurrences = await pool.query(
    sql`select raw_id, sent_at_ms, is_edited from occurrence order by raw_id`,
  );
  const [session] = await pool.query(sql`
    select status, last_message_at_ms from messaging_session where gateway_name = ${SESSION_A.name}`);
  const groups = await pool.query(sql`select name from market_group`);
  assert.deepEqual(
    [...occurrences],
    [
      { raw_id: "A1", sent_at_ms: receivedAtMs, is_edited: true },
      { raw_id: "A2", sent_at_ms: receivedAtMs + 9 * MINUTE_MS, is_edited: false },
    ],
  );
  assert.deepEqual(await currentTexts(pool), ["95k", "97k"]);
  assert.deepEqual(session, {
    status: "WORKING",
    last_message_at_ms: receivedAtMs + 9 * MINUTE_MS,
  });
  assert.deepEqual([...groups], [{ name: "Now" }]);
});

test("a replay moves the matches of a listing whose sender is another one now, and drops void aliases", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  await aLiveAlert(pool, { brand: ["Rolex"] });
  const text = "WTS Rolex 126610LN 2023 new full set EUR 10000";
  await process(pool, [aMessageEvent({ rawId: "A1", sender: LENA, text, atS: AT_S })]);
  const [listing] = await pool.query<{ id: string }>(sql`select id from listing`);
  // As an earlier version left it, which took Lena for another dealer.
  const [oldListing, oldMessage, nothing] = [1, 2, 3].map(
    (n) => `6a1f0000-0000-4000-8000-00000000000${n}`,
  );
  await pool.script(`
    update listing set id = '${oldListing}', canonical_message_id = '${oldMessage}';
    update canonical_message set id = '${oldMessage}';
    update message_version set canonical_message_id = '${oldMessage}';
    update occurrence set canonical_message_id = '${oldMessage}';
    update alert_match set resource_id = '${oldListing}', listing_id = '${oldListing}',
           canonical_message_id = '${oldMessage}', seen_at_ms = 5;
    insert into listing_alias values ('${nothing}', '${oldMessage}');
    insert into message_alias values ('${nothing}', '${oldMessage}');
    insert into contact_alias values ('${nothing}', '${oldMessage}');`);

  await requestReplay(pool, { alerting: "never" });
  await process(pool, []);

  const matches = await pool.query(
    sql`select resource_id, listing_id, seen_at_ms from alert_match`,
  );
  const aliases = await pool.query(sql`
    select old_id, listing_id as id from listing_alias
    union all select old_id, canonical_message_id from message_alias
    union all select old_id, contact_id from contact_alias`);
  assert.deepEqual(
    [...matches],
    [{ resource_id: listing?.id, listing_id: listing?.id, seen_at_ms: 5 }],
  );
  assert.deepEqual([...aliases], [{ old_id: oldListing, id: listing?.id }]);
});

test("a worker starts the replay that a migration asked for, once, after the alerts that are due", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  await aLiveAlert(pool, { brand: ["Rolex"] });
  const text = "WTS Rolex 126610LN 2023 new full set EUR 10000";
  await process(pool, [aMessageEvent({ rawId: "A1", text, atS: AT_S })], { steps: "listings" });
  // What an earlier version derived, which the replay must not leave behind.
  await pool.execute(sql`update occurrence set raw_id = 'OLD'`);
  await pool.execute(sql`insert into replay_request (reason) values ('a test')`);

  await process(pool, []);
  await process(pool, []);

  assert.deepEqual([...(await pool.query(sql`select raw_id from occurrence`))], [{ raw_id: "A1" }]);
  assert.deepEqual([...(await pool.query(sql`select from replay_request`))], []);
  assert.equal((await listStoredMatches(pool)).length, 1);
});

test("a sender under a raw id who becomes an admin later revokes the other message of that id", async (t) => {
  const { pool } = await borrowTestDatabase(t);

  await process(pool, [
    aMessageEvent({ rawId: "A1", sender: LENA, text: "98k", atS: AT_S }),
    aMessageEvent({ rawId: "A1", sender: NINA, text: "hello", atS: AT_S + 60 }),
    aRevokeEvent({ rawId: "A1", atS: AT_S + 120, author: NINA }),
  ]);
  await process(pool, [anAdminEvent({ lid: NINA.lid, atMs: NOW_MS })]);

  assert.deepEqual(await revokedIds(pool), ["A1", "A1"]);
});

test("an edit by a LID counts once the LID is known to be the sender's, also where two used the raw id", async (t) => {
  const { pool } = await borrowTestDatabase(t);

  await process(pool, [
    aMessageEvent({ rawId: "A1", sender: LENA, text: "98k", atS: AT_S, addressing: "both" }),
    aMessageEvent({ rawId: "A1", sender: MARC, text: "5k", atS: AT_S, addressing: "phone" }),
    anEditEvent({ rawId: "A1", text: "97k", atS: AT_S + 60, author: LENA, addressing: "lid" }),
  ]);
  await process(pool, [aMessageEvent({ rawId: "A9", sender: LENA, text: "hello", atS: AT_S })]);

  assert.deepEqual(await currentTexts(pool), ["5k", "97k", "hello"]);
});

test("matches of a dealer whose text was copied under the same raw id stay with the dealer", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  await aLiveAlert(pool, { brand: ["Rolex"] });
  const text = "WTS Rolex 126610LN 2023 new full set EUR 10000";
  await process(pool, [
    aMessageEvent({ rawId: "A1", sender: LENA, text, atS: AT_S, addressing: "lid" }),
    aMessageEvent({ rawId: "A1", sender: MARC, text, atS: AT_S + 300, addressing: "phone" }),
  ]);

  await process(pool, [aMessageEvent({ rawId: "A9", sender: LENA, text: "hello", atS: AT_S })]);

  const matched = await pool.query<{ name: string }>(sql`
    select contact.display_name as name
      from alert_match
      join listing on listing.id = alert_match.listing_id
      join contact on contact.id = listing.contact_id
     order by 1`);
  assert.deepEqual(
    matched.map(({ name }) => name),
    [LENA.name, MARC.name],
  );
});

test("a member who uses a raw id a thousand times pushes out nothing that others reported", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  await process(pool, [aMessageEvent({ rawId: "A1", sender: LENA, text: "98k", atS: AT_S })]);
  const flood = Array.from({ length: 1_000 }, (_, at) =>
    aMessageEvent({ rawId: "A1", sender: MARC, text: "spam", atS: AT_S + 60 + at }),
  );

  await process(pool, flood);
  await process(pool, [aRevokeEvent({ rawId: "A1", atS: AT_S + 5_000, author: LENA })]);

  assert.equal((await revokedIds(pool)).length, 1);
  assert.equal((await pool.query(sql`select from occurrence`)).length, 101);
});

async function textsBySender(pool: DatabasePool) {
  const rows = await pool.query<{ name: string; text: string }>(sql`
    select contact.display_name as name, message.text
      from occurrence
      join contact on contact.id = occurrence.contact_id
      join canonical_message as message on message.id = occurrence.canonical_message_id
     order by name, message.text`);
  return rows.map(({ name, text }) => [name, text]);
}

async function contactCount(pool: DatabasePool): Promise<number> {
  return (await pool.query(sql`select from contact where not is_own`)).length;
}

async function currentTexts(pool: DatabasePool): Promise<readonly string[]> {
  const rows = await pool.query<{ text: string }>(sql`
    select text from canonical_message where occurrence_count > 0 order by text`);
  return rows.map(({ text }) => text);
}

async function revokedIds(pool: DatabasePool): Promise<readonly string[]> {
  const rows = await pool.query<{ raw_id: string }>(
    sql`select raw_id from occurrence where is_revoked order by raw_id`,
  );
  return rows.map(({ raw_id }) => raw_id);
}
