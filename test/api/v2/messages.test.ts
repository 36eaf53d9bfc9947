import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import fc from "fast-check";
import { sql } from "../../../src/db/sql.ts";
import { TEXT_MODES } from "../../../src/filters/language/clause.ts";
import { holdsText } from "../../../src/filters/language/predicate.ts";
import { searchMessages } from "../../../src/filters/search-messages.ts";
import { toMessageText, toWords } from "../../../src/listings/search-text.ts";
import { groupIdOf } from "../../../src/messages/message.ts";
import { process } from "../../support/drain.ts";
import { borrowTestApp } from "../../support/shared-store.ts";
import { addToken, type TestApp } from "../../support/test-app.ts";
import {
  aGroupEvent,
  aMessageEvent,
  anEditEvent,
  aRevokeEvent,
  GROUP,
  SENDER,
  SESSION_B,
} from "../../support/waha.ts";

const AT_S = 1_787_217_330;
const OTHER_GROUP = "120363000000000102@g.us";
const OTHER_SENDER = { phone: "447700900124", lid: "199900000000202", name: "Ana P." };
const OFFER = "126610LN 2024 full set €12,500";

const at = (rawId: string, minutes: number, text: string, group = GROUP) =>
  aMessageEvent({ rawId, text, group, atS: AT_S + minutes * 60 });

async function walk(app: TestApp, query: string): Promise<string[]> {
  const texts: string[] = [];
  for (let cursor = ""; ; ) {
    const page = await app.call("GET", `/v2/messages?${query}${cursor}`);
    assert.equal(page.status, 200, page.text);
    texts.push(...page.body.items.map(({ text }: { text: string }) => text));
    if (page.body.next_cursor === undefined) return texts;
    cursor = `&cursor=${page.body.next_cursor}`;
  }
}

test("a message has its text, sender, groups, times, counts, marks and listings", async (t) => {
  const app = await borrowTestApp(t);
  await process(app.db, [
    aGroupEvent({ name: "EU Dealers", atMs: AT_S * 1000 }),
    at("A1", 0, OFFER),
    at("A2", 5, OFFER, OTHER_GROUP),
  ]);
  const [listing] = await app.db.query<{ id: string; contact_id: string }>(
    sql`select id, contact_id from listing`,
  );

  const { body } = await app.call("GET", "/v2/messages");
  const [message] = body.items;
  const single = await app.call("GET", `/v2/messages/${message.id}`);

  assert.deepEqual(body, { items: [message] });
  assert.deepEqual(message, {
    id: message.id,
    text: OFFER,
    sender: {
      contact_id: listing?.contact_id,
      phone_number: SENDER.phone,
      country_prefix: "44",
      display_name: SENDER.name,
    },
    groups: [{ id: groupIdOf(GROUP), name: "EU Dealers" }, { id: groupIdOf(OTHER_GROUP) }],
    first_seen_at_ms: AT_S * 1000,
    last_seen_at_ms: (AT_S + 300) * 1000,
    occurrence_count: 2,
    has_media: false,
    is_own: false,
    is_revoked: false,
    listing_ids: [listing?.id],
  });
  assert.deepEqual(single.body, message);
});

test("messages are listed newest first, page by page, and filtered by group, contact and time", async (t) => {
  const app = await borrowTestApp(t);
  await process(app.db, [
    at("A1", 0, "one"),
    at("A2", 1, "two", OTHER_GROUP),
    at("A3", 2, "three"),
    aMessageEvent({ rawId: "A4", text: "four", sender: OTHER_SENDER, atS: AT_S + 180 }),
  ]);
  const { body } = await app.call("GET", "/v2/messages?limit=1");
  const other = body.items[0].sender.contact_id;
  const minuteMs = (minute: number) => (AT_S + minute * 60) * 1000;

  assert.deepEqual(await walk(app, "limit=1"), ["four", "three", "two", "one"]);
  assert.deepEqual(await walk(app, "limit=4"), ["four", "three", "two", "one"]);
  assert.deepEqual(await walk(app, `limit=1&group_id=${groupIdOf(GROUP)}`), [
    "four",
    "three",
    "one",
  ]);
  assert.deepEqual(await walk(app, `group_id=${groupIdOf(OTHER_GROUP).toUpperCase()}`), ["two"]);
  assert.deepEqual(await walk(app, `contact_id=${other}`), ["four"]);
  assert.deepEqual(await walk(app, `from_ms=${minuteMs(1)}&to_ms=${minuteMs(2)}`), [
    "three",
    "two",
  ]);
  assert.deepEqual(await walk(app, `contact_id=${randomUUID()}`), []);
  assert.deepEqual(await walk(app, `group_id=${randomUUID()}`), []);
});

test("a text is searched in each mode as filters do, also in messages without a listing", async (t) => {
  const app = await borrowTestApp(t);
  await process(app.db, [
    at("A1", 0, "WTB any nice 5711 please"),
    at("A2", 1, "5711 WTB"),
    at("A3", 2, "Wtb: 5711/1A-010"),
    at("A4", 3, "good morning"),
  ]);

  assert.deepEqual(await walk(app, "q=MORN"), ["good morning"]);
  assert.deepEqual((await walk(app, "q=wtb%205711&limit=1")).length, 3);
  assert.deepEqual(await walk(app, "q=wtb%205711&search_mode=exact"), ["Wtb: 5711/1A-010"]);
  assert.deepEqual(await walk(app, "q=wtb%205711&search_mode=exact_light"), [
    "Wtb: 5711/1A-010",
    "WTB any nice 5711 please",
  ]);
  assert.equal((await walk(app, "q=!!")).length, 4, "a query without words asks nothing");
});

test("however little a request may examine, a walk finds each matching message once", async (t) => {
  const app = await borrowTestApp(t);
  const words = ["rolex", "patek", "daytona", "wtb"];
  await process(
    app.db,
    Array.from({ length: 24 }, (_, number) =>
      at(
        `A${number}`,
        // Several messages of one time, so that ties are walked too.
        Math.floor(number / 3),
        `${words[number % 4]} ${words[(number >> 2) % 4]} ${number}`,
        number % 5 === 0 ? OTHER_GROUP : GROUP,
      ),
    ),
  );
  const all = await app.db.query<{ id: string; text: string; group_ids: string[] }>(sql`
    select id, text, group_ids from canonical_message order by last_seen_at_ms desc, id`);
  const groups = [undefined, groupIdOf(GROUP), groupIdOf(OTHER_GROUP)];

  await fc.assert(
    fc.asyncProperty(
      fc.record({
        query: fc.constantFrom("", ...words, "rolex patek"),
        mode: fc.constantFrom(...TEXT_MODES),
        limit: fc.integer({ min: 1, max: 9 }),
        examinedMax: fc.integer({ min: 1, max: 30 }),
        groupId: fc.constantFrom(...groups),
      }),
      async ({ query, mode, limit, examinedMax, groupId }) => {
        const found: string[] = [];
        for (let cursor: string | undefined; ; ) {
          const page = await searchMessages(
            app.db,
            {
              query,
              mode,
              limit,
              ...(groupId === undefined ? {} : { groupId }),
              ...(cursor === undefined ? {} : { cursor }),
            },
            { examinedMax, elapsedMaxMs: 60_000 },
          );
          assert.ok(page.ids.length <= limit);
          found.push(...page.ids);
          cursor = page.nextCursor;
          if (cursor === undefined) break;
        }
        const clause = { member: "q", kind: "text", mode, words: toWords(query) } as const;
        const expected = all
          .filter(({ group_ids }) => groupId === undefined || group_ids.includes(groupId))
          .filter(({ text }) => query === "" || holdsText(clause, toMessageText(text)));
        assert.deepEqual(
          found,
          expected.map(({ id }) => id),
        );
      },
    ),
    { numRuns: 40 },
  );
});

test("a list cuts a long text and says so; a single message has all of it", async (t) => {
  const app = await borrowTestApp(t);
  const text = `${"⌚ nice watch ".repeat(400)}end`;
  await process(app.db, [at("A1", 0, text)]);

  const { body } = await app.call("GET", "/v2/messages");
  const single = await app.call("GET", `/v2/messages/${body.items[0].id}`);

  assert.equal(body.items[0].is_text_cut, true);
  assert.equal([...body.items[0].text].length, 4_000);
  assert.equal(single.body.text, text);
  assert.equal(single.body.is_text_cut, undefined);
});

test("a message that was edited into another text is not listed, but its id works", async (t) => {
  const app = await borrowTestApp(t);
  await process(app.db, [at("A1", 0, "first text")]);
  const [first] = (await app.call("GET", "/v2/messages")).body.items;
  await process(app.db, [anEditEvent({ rawId: "A1", text: "second text", atS: AT_S + 60 })]);

  assert.deepEqual(await walk(app, ""), ["second text"]);
  const { status, body } = await app.call("GET", `/v2/messages/${first.id}`);
  assert.equal(status, 200);
  assert.equal(body.text, "first text");
  assert.equal(body.occurrence_count, 0);
});

test("an id from before a merge leads to the message, its posts and its sender", async (t) => {
  const app = await borrowTestApp(t);
  await process(app.db, [aMessageEvent({ rawId: "A1", addressing: "lid", text: OFFER })]);
  const [old] = (await app.call("GET", "/v2/messages")).body.items;
  await process(app.db, [aMessageEvent({ rawId: "A2", addressing: "both", text: OFFER })]);

  const message = await app.call("GET", `/v2/messages/${old.id}`);
  const posts = await app.call("GET", `/v2/messages/${old.id}/occurrences`);

  assert.notEqual(message.body.id, old.id);
  assert.equal(message.body.occurrence_count, 2);
  assert.equal(posts.body.items.length, 2);
  assert.deepEqual(await walk(app, `contact_id=${old.sender.contact_id}`), [OFFER]);
});

test("the posts of a message have their group, time, sessions and marks, newest first", async (t) => {
  const app = await borrowTestApp(t);
  await process(app.db, [
    at("A1", 0, OFFER),
    aMessageEvent({ rawId: "A1", text: OFFER, session: SESSION_B, atS: AT_S }),
    at("A2", 5, OFFER, OTHER_GROUP),
    aMessageEvent({ rawId: "A3", text: OFFER, hasMedia: true, atS: AT_S + 600 }),
    aRevokeEvent({ rawId: "A2", group: OTHER_GROUP, atS: AT_S + 900 }),
  ]);
  const [{ id }] = (await app.call("GET", "/v2/messages")).body.items;

  const { body } = await app.call("GET", `/v2/messages/${id}/occurrences`);
  const first = await app.call("GET", `/v2/messages/${id}/occurrences?limit=2`);
  const second = await app.call(
    "GET",
    `/v2/messages/${id}/occurrences?limit=2&cursor=${first.body.next_cursor}`,
  );

  assert.deepEqual(body.items[2], {
    id: body.items[2].id,
    group_id: groupIdOf(GROUP),
    sent_at_ms: AT_S * 1000,
    session_labels: ["recv-hk-1", "recv-ny-2"],
    has_media: false,
    is_own: false,
    is_edited: false,
    is_revoked: false,
  });
  assert.equal(body.items[0].has_media, true);
  assert.equal(body.items[1].is_revoked, true);
  assert.equal(body.next_cursor, undefined);
  assert.deepEqual([...first.body.items, ...second.body.items], body.items);
  assert.equal(second.body.next_cursor, undefined);
});

test("bad ids, queries and cursors are refused, and a read-only token may read", async (t) => {
  const app = await borrowTestApp(t);
  await process(app.db, [at("A1", 0, "one"), at("A2", 1, "two")]);
  const page = await app.call("GET", "/v2/messages?limit=1");
  const [{ id }] = page.body.items;
  const cursor = page.body.next_cursor;
  const readOnly = { authorization: `Bearer ${await addToken(app.db, { isReadOnly: true })}` };

  for (const path of [
    "/v2/messages/no-id",
    "/v2/messages/no-id/occurrences",
    "/v2/messages?limit=0",
    "/v2/messages?limit=201",
    "/v2/messages?from_ms=yesterday",
    "/v2/messages?group_id=x",
    "/v2/messages?contact_id=x",
    "/v2/messages?search_mode=fuzzy",
    `/v2/messages?q=${"x".repeat(501)}`,
    "/v2/messages?q=%00",
    "/v2/messages?cursor=abc",
    `/v2/messages?q=two&cursor=${cursor}`,
    `/v2/messages?search_mode=exact&q=two&cursor=${cursor}`,
    `/v2/messages/${id}/occurrences?cursor=${cursor}`,
  ]) {
    const { status, body } = await app.call("GET", path);
    assert.equal(status, 400, path);
    assert.equal(body.error.code, "invalid_payload", path);
  }
  for (const [mode, message] of [
    ["broad", "q: must not have more than 32 words"],
    ["exact", "q: must not have more than 8 words in mode exact"],
  ]) {
    const words = Array.from({ length: 33 }, (_, at) => `w${at}`).join("+");
    const { body } = await app.call("GET", `/v2/messages?search_mode=${mode}&q=${words}`);
    assert.equal(body.error.message, message);
  }
  for (const path of [`/v2/messages/${randomUUID()}`, `/v2/messages/${randomUUID()}/occurrences`]) {
    const { status, body } = await app.call("GET", path);
    assert.equal(status, 404, path);
    assert.equal(body.error.code, "message_not_found", path);
  }
  for (const path of [
    "/v2/messages",
    `/v2/messages/${id}`,
    `/v2/messages/${id}/occurrences`,
    "/v2/messages?search_mode=exact",
  ]) {
    assert.equal((await app.call("GET", path, readOnly)).status, 200, path);
  }
});
