import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { DAY_MS, dayStartOf } from "../../src/base/clock.ts";
import type { DatabasePool } from "../../src/db/database.ts";
import { rawSql, sql } from "../../src/db/sql.ts";
import { beginDeals, lockListing } from "../../src/deals/deal-write-store.ts";
import { type NewRawEvent, saveRawEvents } from "../../src/intake/raw-event-store.ts";
import { queueErasures } from "../../src/messages/privacy/erased-store.ts";
import { raiseFloor } from "../../src/messages/privacy/retention-store.ts";
import { changeShippedRates } from "../../src/pipeline/change-rates.ts";
import { runPass } from "../../src/pipeline/finish-queued.ts";
import { requestReplay } from "../../src/pipeline/replay.ts";
import { eraseSetAsideItems } from "../../src/pipeline/set-aside-store.ts";
import { STEPS } from "../../src/pipeline/steps.ts";
import { erasePersons, isErasureDue } from "../../src/privacy/erase-persons.ts";
import { removeBatch } from "../../src/privacy/remove-old-messages.ts";
import { aLiveAlert, listMiscounted } from "../support/alerts.ts";
import { aTarget } from "../support/deliveries.ts";
import { process, rawEvent, stepContext } from "../support/drain.ts";
import {
  aListed,
  aMember,
  aPull,
  type Dealer,
  digestDerived,
  emptyAll,
  exported,
  findTraces,
  LENA,
  lenasMarket,
  MARC,
  OWN_TEXT,
  SHARED_TEXT,
  WORDS,
} from "../support/erasure.ts";
import { backUp, digestStore, restore } from "../support/files.ts";
import { correct } from "../support/listings.ts";
import { callAssay } from "../support/run-assay.ts";
import { borrowTestDatabase } from "../support/shared-store.ts";
import { NOW_MS, until } from "../support/test-app.ts";
import { openTestDatabase, type TestDatabase } from "../support/test-database.ts";
import {
  aMessageEvent,
  anEditEvent,
  aRevokeEvent,
  GROUP,
  SESSION_A,
  SESSION_B,
} from "../support/waha.ts";

test("an erasure waits for someone who is deciding about a watch of the person, and neither fails", async (t) => {
  const store = await borrowTestDatabase(t);
  const { pool } = store;
  await changeShippedRates(pool);
  await receive(pool, lenasMarket());
  const [listing] = await pool.query<{ id: string }>(sql`
    select id from listing where phone_number = ${LENA.phone} order by id limit 1`);
  assert.ok(listing !== undefined);
  let erasing: ReturnType<typeof erase> | undefined;

  await pool.transaction(async (tx) => {
    await beginDeals(tx);
    erasing = erase(store, ["--phone", LENA.phone]);
    const isWaiting = async () =>
      (await pool.query(sql`select from pg_locks where not granted and locktype = 'advisory'`))
        .length > 0;
    await until(isWaiting);
    assert.equal((await lockListing(tx, listing.id))?.listing_id, listing.id);
  });

  assert.equal((await erasing)?.code, 0);
  assert.deepEqual(await findTraces(pool), []);
});

test("an erased person is found nowhere, what others wrote stays, and a replay ends in the same state", async (t) => {
  const store = await borrowTestDatabase(t);
  const { pool } = store;
  await aTarget(pool, "https://example.com/hook");
  await aLiveAlert(pool, { brand: ["Patek Philippe", "Rolex"] });
  await changeShippedRates(pool);
  await receive(pool, lenasMarket());
  await correctAll(pool);
  const before = await listTexts(pool);
  assert.ok((await findTraces(pool)).length > 8);
  assert.equal(await countActivity(pool), 2, "one row for each correction");
  const untouched = await digestStore(pool);

  const dry = await erase(store, ["--phone", `+${LENA.phone}`, "--dry-run"]);
  assert.deepEqual(await digestStore(pool), untouched, "a dry run changes nothing");
  const { code, out, err } = await erase(store, ["--phone", "+44 (7700) 900-140"]);

  assert.equal(code, 0, err);
  assert.equal(dry.out, out, "a dry run shows what is done");
  assert.match(out, /contacts +2\n/);
  assert.match(out, /corrections +1\n/);
  assert.deepEqual(await findTraces(pool), []);
  assert.deepEqual(
    await listTexts(pool),
    before.filter(([name, text]) => name !== LENA.phone && !text.includes(WORDS)),
  );
  assert.deepEqual(await listMiscounted(pool), []);
  assert.equal(await countActivity(pool), 0, "both corrected listings were hers");
  assert.equal(await count(pool, "activity"), 1, "that someone was erased, and not who");
  assert.equal(await count(pool, "correction"), 1, "that of the text that Marc posted too");
  assert.equal(await count(pool, "webhook_delivery"), await count(pool, "alert_match"));
  assert.ok((await count(pool, "alert_match")) > 0);
  const left = await digestDerived(pool);
  const again = await erase(store, ["--phone", LENA.phone]);
  assert.match(again.err, /erased before/);
  assert.match(again.out, /rewritten +0\n/);
  assert.deepEqual(await digestDerived(pool), left, "a repeat changes nothing");

  await requestReplay(pool, { alerting: "never" });
  await process(pool, []);

  assert.deepEqual(await digestDerived(pool), left);
  assert.deepEqual(await findTraces(pool), []);
});

test("what comes again is dropped: the same bytes, new events, other sessions, an import, and after a restore", async (t) => {
  const store = await borrowTestDatabase(t);
  const target = await openTestDatabase(t);
  await receive(store.pool, lenasMarket());
  await erase(store, ["--phone", LENA.phone]);
  await restore(target, await backUp(t, store));

  for (const { pool } of [store, target]) {
    const eventCount = await count(pool, "raw_event");
    const left = await listTexts(pool);
    await receive(pool, lenasMarket());
    assert.equal(await count(pool, "raw_event"), eventCount, "the same bytes are a repeat");
    await receive(pool, [
      ...[SESSION_A, SESSION_B].map((session) => aPost({ rawId: "N1", session })),
      aPost({ rawId: "N2", session: SESSION_A, addressing: "lid" }),
      aMember("join", [aListed(LENA), aListed(MARC)]),
      exported("E9", { sender_name: LENA.name }, WORDS),
      exported("E8", { sender_phone: LENA.phone, sender_name: "~Lena" }, WORDS),
    ]);

    assert.deepEqual(await findTraces(pool), []);
    assert.deepEqual(await listTexts(pool), left);
    const [row] = await pool.query<{ dropped_event_count: number }>(
      sql`select dropped_event_count from erasure_key`,
    );
    assert.equal(row?.dropped_event_count, 6);
  }
});

test("an event in quarantine has nothing of an erased person either", async (t) => {
  const store = await openTestDatabase(t);
  const { pool } = store;
  await receive(pool, lenasMarket());
  assert.equal((await erase(store, ["--phone", LENA.phone])).code, 0);
  await pool.execute(
    sql`alter table occurrence add constraint no_bad_event check (raw_id not like 'BAD%')`,
  );

  const { payload, ...event } = aMessageEvent({ rawId: "BAD1", sender: MARC, text: "98k" });
  const replyTo = {
    id: `false_${GROUP}_L2_${LENA.phone}@c.us`,
    participant: `${LENA.phone}@c.us`,
    body: OWN_TEXT,
  };
  await receive(pool, [{ ...event, payload: { ...payload, replyTo } }]);

  assert.equal(await count(pool, "quarantined_event where reason like 'failed: 23514'"), 1);
  assert.deepEqual(await findTraces(pool), []);
});

test("a LID that is later linked to an erased number leaves too, whatever comes first and however it is linked", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  const dealers = HISTORIES.map((_, at) => ({
    phone: `4477009006${10 + at}`,
    lid: `1999000000006${10 + at}`,
    name: `Lena ${WORDS} ${at}`,
  }));
  await queueErasures(
    pool,
    dealers.map(({ phone }) => `phone:${phone}`),
  );
  await process(pool, []);

  for (let step = 0; step < 3; step += 1) {
    await receive(
      pool,
      dealers.flatMap((dealer, at) => HISTORIES[at]?.(dealer)[step] ?? []),
    );
  }

  const traces = [...dealers.flatMap(({ phone, lid }) => [phone, lid]), WORDS];
  assert.deepEqual(await findTraces(pool, traces), []);
  assert.deepEqual(await listTexts(pool), []);
  const left = await digestDerived(pool);
  await requestReplay(pool, { alerting: "never" });
  await process(pool, []);
  assert.deepEqual(await digestDerived(pool), left);
  assert.deepEqual(await findTraces(pool, traces), []);
});

/** Each is what comes in three steps: something by LID only, and what links the LID to the erased number. */
const HISTORIES: readonly ((dealer: Dealer) => readonly (readonly unknown[])[])[] = [
  (dealer) => [[byLid(dealer, "A")], [aPull("lids", [aListed(dealer)])]],
  (dealer) => [[aPull("lids", [aListed(dealer)])], [byLid(dealer, "A")]],
  (dealer) => [[byLid(dealer, "A")], [aMember("join", [aListed(dealer)])]],
  (dealer) => [[byLid(dealer, "A"), byLid(dealer, "B")], [byPhone(dealer, "B")]],
  (dealer) => [[byPhone(dealer, "B")], [byLid(dealer, "A")], [byLid(dealer, "B")]],
  (dealer) => [[byLid(dealer, "A"), byPhone(dealer, "B"), byLid(dealer, "B")]],
  (dealer) => [[byLid(dealer, "A")], [aPost({ rawId: `C${dealer.lid}`, sender: dealer })]],
  (dealer) => [[unnamed(dealer, "D")], [byPhone(dealer, "D")]],
  (dealer) => [[byPhone(dealer, "D")], [unnamed(dealer, "D")]],
];

function byLid(sender: Dealer, id: string) {
  return aPost({ rawId: `${id}${sender.phone.slice(-2)}`, sender, addressing: "lid" });
}

function byPhone(sender: Dealer, id: string) {
  const rawId = `${id}${sender.phone.slice(-2)}`;
  return aPost({ rawId, sender, session: SESSION_B, addressing: "phone" });
}

function unnamed(sender: Dealer, id: string) {
  return aPost({ rawId: `${id}${sender.phone.slice(-2)}`, sender, addressing: "none" });
}

test("a name erases no other person who has it, and a contact of an exported chat is erased by its id", async (t) => {
  const store = await borrowTestDatabase(t);
  const { pool } = store;
  const twin = { ...MARC, name: LENA.name };
  await receive(pool, [
    ...lenasMarket().slice(0, 1),
    aPost({ rawId: "A", session: SESSION_A }),
    aMessageEvent({ rawId: "T", sender: twin, text: `${SHARED_TEXT} twin` }),
    exported("E1", { sender_name: LENA.name }, SHARED_TEXT),
  ]);

  await erase(store, ["--phone", LENA.phone]);

  assert.deepEqual(await findTraces(pool, [LENA.phone, LENA.lid, WORDS]), []);
  assert.equal((await listTexts(pool)).length, 2, "the twin and the contact of the export");
  const [contact] = await pool.query<{ id: string }>(
    sql`select id from contact where key like 'name:%'`,
  );
  const { code, err } = await erase(store, ["--contact", contact?.id ?? ""]);
  assert.equal(code, 0, err);
  await receive(pool, [exported("E2", { sender_name: LENA.name }, SHARED_TEXT)]);
  assert.deepEqual(
    (await listTexts(pool)).map(([, text]) => text),
    [`${SHARED_TEXT} twin`],
  );
});

test("an erasure that is cut off anywhere is finished by the next worker, or by a repeat", async (t) => {
  for (const batchCount of [1, 2]) {
    await t.test(`after ${batchCount} batches`, async (t) => {
      const store = await borrowTestDatabase(t);
      const { pool } = store;
      await receive(pool, lenasMarket());
      await pool.transaction(async (tx) => {
        await tx.execute(sql`insert into erasure_key (key) values (sha256('key'))`);
        await tx.execute(
          sql`insert into erasure_queue (subject) values (${`phone:${LENA.phone}`})`,
        );
      });
      for (let at = 0; at < batchCount; at += 1) await eraseBatch(pool);
      assert.ok((await findTraces(pool)).length > 0);

      if (batchCount === 1) await process(pool, []);
      else await erase(store, ["--phone", LENA.phone]);

      assert.deepEqual(await findTraces(pool), []);
    });
  }
});

test("numbers in events of others stay as they were written", async (t) => {
  const store = await openTestDatabase(t);
  const { pool } = store;
  await receive(pool, lenasMarket());
  const numbers = `[12345678901234567891, -0, 1.50, 1E3, 0.12345678901234567891, 1e400]`;
  const odd = `{"a \\\\\\" 12345678901234567891": "\\\\", "b": ${numbers}}`;
  const event = aMessageEvent({ rawId: "BIG", sender: MARC, text: SHARED_TEXT });
  const listed = [LENA, MARC].map((sender) => ({
    ...aMessageEvent({ rawId: `P${sender.phone}`, sender, text: OWN_TEXT }).payload,
    timestamp: "TIME",
  }));
  const bodies = [
    { ...event, payload: { ...event.payload, mentionedIds: [`${LENA.lid}@lid`], odd: "ODD" } },
    { ...aPull("messages", listed), odd: "ODD" },
  ].map((body) =>
    JSON.stringify(body)
      .replaceAll('"ODD"', odd)
      .replaceAll('"TIME"', `${NOW_MS / 1000}.00`),
  );
  await receive(
    pool,
    bodies.map((body) => rawEvent(body)),
  );

  await erase(store, ["--phone", LENA.phone]);

  const rows = await pool.query<{ body: string }>(sql`
    select convert_from(body, 'utf8') as body from raw_event order by id desc limit 2`);
  for (const { body } of rows) assert.ok(body.includes(`"b":${numbers.replaceAll(" ", "")}`), body);
  assert.match(rows[0]?.body ?? "", new RegExp(`"timestamp":${NOW_MS / 1000}\\.00`));
  assert.deepEqual(await findTraces(pool, [LENA.phone, LENA.lid]), []);
});

test("an erased person who posts in other groups and under other names does not cause a search of all events", async (t) => {
  const store = await openTestDatabase(t);
  const { pool } = store;
  await receive(pool, lenasMarket());
  await erase(store, ["--phone", LENA.phone]);
  const searched: number[] = [];
  for (const [at, name] of [LENA.name, LENA.name, "Lena in Dubai", "Lena"].entries()) {
    const group = `12036300000000030${at % 3}@g.us`;
    const sender = { ...LENA, name };
    const atS = NOW_MS / 1000 + at;
    const chat = exported(`X${at}`, { sender_name: name, group_id: group }, OWN_TEXT);
    const post = aMessageEvent({ group, rawId: `N${at}`, sender, text: OWN_TEXT, atS });
    searched.push(await countSearched(pool, [chat, rawEvent(post)]));
    await process(pool, []);
  }

  // Exported messages only: two of the market, and one for each round so far.
  assert.deepEqual(searched, [3, 4, 5, 6]);
  assert.deepEqual(await findTraces(pool), []);
});

test("a message that proves to be from an erased person is searched from its receipt on", async (t) => {
  const { pool } = await openTestDatabase(t);
  const old = [1, 2, 3].map((at) =>
    aMessageEvent({ rawId: `M${at}`, sender: MARC, text: SHARED_TEXT }),
  );
  const receivedAtMs = NOW_MS - 30 * DAY_MS;
  await receive(
    pool,
    old.map((event) => rawEvent(event, { receivedAtMs })),
  );
  await queueErasures(pool, [`phone:${LENA.phone}`]);
  await process(pool, []);
  await receive(pool, [unnamed(LENA, "U")]);

  const searched = await countSearched(pool, [rawEvent(byPhone(LENA, "U"))]);
  await process(pool, []);

  assert.equal(searched, 2);
  assert.deepEqual(await findTraces(pool, [LENA.phone, LENA.lid, WORDS]), []);
});

test("what is kept about a sender whose messages have left is erased too", async (t) => {
  const store = await borrowTestDatabase(t);
  const { pool } = store;
  // An exported chat knows only a name. Without messages of hers, nothing says that it is hers.
  await receive(
    pool,
    lenasMarket().filter(({ gateway }) => gateway === "waha"),
  );
  const floorMs = dayStartOf(NOW_MS) + 7 * DAY_MS;
  await raiseFloor(pool, { floorMs, nowMs: NOW_MS });
  // Every event that is queued is read, so all of them can leave.
  while ((await removeBatch(pool)) > 0);
  assert.ok((await findTraces(pool)).includes("kept_identifier"));
  assert.equal(await count(pool, "raw_event"), 0);

  const { code, out, err } = await erase(store, ["--phone", LENA.phone]);

  assert.equal(code, 0, err);
  assert.match(out, /contacts +1\n/);
  assert.deepEqual(await findTraces(pool), []);
  const left = await digestDerived(pool);
  await requestReplay(pool, { alerting: "never" });
  await process(pool, []);
  assert.deepEqual(await digestDerived(pool), left);
});

test("bad input is refused with a sentence, and an unknown person changes nothing", async (t) => {
  const store = await borrowTestDatabase(t);
  await changeShippedRates(store.pool);
  await receive(store.pool, lenasMarket());
  const before = await digestStore(store.pool);
  const cases: readonly (readonly [readonly string[], number, RegExp])[] = [
    [[], 2, /either --phone NUMBER or --contact ID/],
    [["--phone", "1", "--contact", "2"], 2, /either --phone/],
    [["--phone", "+44 call me"], 2, /not a phone number/],
    [["--phone", "07700 900140"], 2, /its country code is missing/],
    [["--phone", "+447700900140123456"], 2, /7 to 15 digits/],
    [["--phone", "0044-7700-900199"], 1, /nothing is stored about this person.*--remember/],
    [["--contact", "Lena"], 2, /not the id of a contact/],
    [["--contact", "3f0c7a52-0000-4000-8000-000000000000"], 1, /there is no contact 3f0c/],
    [["--phone", SESSION_A.phone], 1, /one of your own sessions/],
  ];

  for (const [args, code, message] of cases) {
    const result = await erase(store, args);
    assert.equal(result.code, code, result.err);
    assert.match(result.err, message);
    assert.equal(result.out, "");
  }

  assert.deepEqual(await digestStore(store.pool), before);
});

function aPost(message: Partial<Parameters<typeof aMessageEvent>[0]>) {
  return aMessageEvent({ sender: LENA, text: OWN_TEXT, ...message });
}

function erase({ url }: TestDatabase, args: readonly string[]) {
  return callAssay(["erase", ...args], { DATABASE_URL: url, ASSAY_ALLOW_UNSAFE_STORE: "true" });
}

/** Stores events, as they are or as bodies of the gateway, and processes everything that is queued. */
async function receive(pool: DatabasePool, events: readonly unknown[]): Promise<void> {
  const raw = events.map((event) => (isRawEvent(event) ? event : rawEvent(event)));
  await saveRawEvents(pool, raw, "window");
  await process(pool, []);
}

function isRawEvent(event: unknown): event is NewRawEvent {
  return Buffer.isBuffer((event as { body?: unknown }).body);
}

/** Reads the events, and returns how many raw events are searched because of them. */
async function countSearched(pool: DatabasePool, events: readonly NewRawEvent[]): Promise<number> {
  const context = { ...(await stepContext(pool)), eraseSetAside: eraseSetAsideItems };
  await saveRawEvents(pool, events, "window");
  await runPass(context, { steps: STEPS.slice(0, 2) });
  let count = 0;
  while (await isErasureDue(pool)) count += (await erasePersons(context)).searchedCount;
  await context.close();
  return count;
}

async function eraseBatch(pool: DatabasePool): Promise<void> {
  const context = await stepContext(pool);
  await erasePersons({ ...context, eraseSetAside: eraseSetAsideItems });
  await context.close();
}

/** Number and text of every message, in a fixed order. */
async function listTexts(pool: DatabasePool): Promise<readonly (readonly [string, string])[]> {
  const rows = await pool.query<{ phone: string | null; text: string }>(sql`
    select contact.phone_number as phone, message.text
      from canonical_message as message
      left join contact on contact.id = message.contact_id
     order by 1, 2`);
  return rows.map(({ phone, text }) => [phone ?? "", text]);
}

async function count(pool: DatabasePool, table: string): Promise<number> {
  const [row] = await pool.query<{ count: number }>(
    sql`select count(*) as count from ${rawSql(table)}`,
    { isStatic: false },
  );
  return row?.count ?? 0;
}

/** Corrects Lena's own text, and the text that Marc posted too. */
/** Rows that are about a dealer. */
async function countActivity(pool: DatabasePool): Promise<number> {
  const rows = await pool.query(sql`select from activity where contact_id is not null`);
  return rows.length;
}

async function correctAll(pool: DatabasePool): Promise<void> {
  const rows = await pool.query<{ id: string }>(sql`
    select distinct on (message.text) listing.id
      from listing join canonical_message as message on message.id = listing.canonical_message_id
     where message.text in (${OWN_TEXT}, ${SHARED_TEXT})
     order by message.text, listing.id`);
  assert.equal(rows.length, 2);
  for (const { id } of rows) await correct(pool, id, { year: 2019 });
  await process(pool, []);
}

/** A run takes a second. */
const RUNS = globalThis.process.env["ASSAY_TEST_LONG"] === "1" ? 60 : 3;

test("whatever the order of events and whenever the person is erased, the state is the same", async (t) => {
  const [first, second] = [await borrowTestDatabase(t), await openTestDatabase(t)];
  await fc.assert(
    fc.asyncProperty(anyHistory, async ({ events, order, at, isReplayed }) => {
      for (const { pool } of [first, second]) await emptyAll(pool);
      const shuffled = order.flatMap((place) => events[place % events.length] ?? []);
      const cut = Math.min(at, shuffled.length);

      await receive(first.pool, events);
      await eraseNow(first.pool);
      await receive(second.pool, [...shuffled.slice(0, cut)]);
      await queueErasures(second.pool, [`phone:${LENA.phone}`]);
      await saveRawEvents(
        second.pool,
        shuffled.slice(cut).map((event) => rawEvent(event)),
        "window",
      );
      // Two workers at once, event by event.
      await Promise.all([1, 2].map(() => process(second.pool, [], { batchMax: 1 })));
      await receive(second.pool, events);
      if (isReplayed) await requestReplay(second.pool, { alerting: "never" });
      await process(second.pool, []);

      for (const { pool } of [first, second]) assert.deepEqual(await findTraces(pool), []);
      assert.deepEqual(await digestMarket(second.pool), await digestMarket(first.pool));
    }),
    { numRuns: RUNS },
  );
});

const anyPost = fc.record({
  dealer: fc.constantFrom(LENA, LENA, MARC),
  number: fc.integer({ min: 1, max: 4 }),
  session: fc.constantFrom(SESSION_A, SESSION_B),
  addressing: fc.constantFrom("phone", "lid", "both", "none" as const),
  kind: fc.constantFrom("message", "message", "message", "edit", "revoke" as const),
});

/** Some event names the sender of each message of Lena, and a list links her LID to her number: otherwise it is not known as hers. */
const anyHistory = fc
  .array(anyPost, { minLength: 4, maxLength: 12 })
  .map((posts) => [
    ...posts.map(toEvent),
    ...posts.filter(({ dealer }) => dealer === LENA).map(toNamed),
    aPull("lids", [aListed(LENA), aListed(MARC)]),
  ])
  .chain((events) =>
    fc.record({
      events: fc.constant(events),
      order: fc.shuffledSubarray(
        events.map((_, place) => place),
        { minLength: 1 },
      ),
      at: fc.nat(events.length),
      isReplayed: fc.boolean(),
    }),
  );

function toEvent({ dealer, number, session, addressing, kind }: AnyPost) {
  const isLena = dealer === LENA;
  const rawId = `${isLena ? "L" : "M"}${number}`;
  const text = isLena ? `${OWN_TEXT} ${number}` : `${SHARED_TEXT} ${number}`;
  const atS = 1_787_217_330 + number;
  const change = { rawId, session, author: dealer, atS: atS + 60, addressing };
  if (kind === "edit") return anEditEvent({ ...change, text: `${text} edited` });
  if (kind === "revoke") return aRevokeEvent(change);
  return aMessageEvent({ rawId, session, sender: dealer, addressing, text, atS });
}

function toNamed(post: AnyPost) {
  const addressing = post.addressing === "none" ? "lid" : post.addressing;
  return toEvent({ ...post, kind: "message", addressing });
}

type AnyPost = typeof anyPost extends fc.Arbitrary<infer Post> ? Post : never;

async function eraseNow(pool: DatabasePool): Promise<void> {
  await queueErasures(pool, [`phone:${LENA.phone}`]);
  await process(pool, []);
}

/** Without what is remembered of the person and how often something was dropped, which depend on what came when. */
async function digestMarket(pool: DatabasePool): Promise<Record<string, string>> {
  const digests = Object.entries(await digestDerived(pool));
  return Object.fromEntries(digests.filter(([name]) => !/^eras|^rate_/.test(name)));
}
