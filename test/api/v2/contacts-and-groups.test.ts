import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { sql } from "../../../src/db/sql.ts";
import { groupIdOf } from "../../../src/messages/message.ts";
import { process } from "../../support/drain.ts";
import { aGroup } from "../../support/rows.ts";
import { borrowTestApp } from "../../support/shared-store.ts";
import { addToken, NOW_MS, openTestApp } from "../../support/test-app.ts";
import { aGroupEvent, aMessageEvent, GROUP, SENDER } from "../../support/waha.ts";

const HOUR_AGO_S = NOW_MS / 1000 - 3_600;
const DAY_S = 86_400;
const OTHER_GROUP = "120363000000000102@g.us";

test("a contact has its names, numbers, times, listing counts and groups", async (t) => {
  const app = await borrowTestApp(t);
  await process(app.db, [
    aGroupEvent({ name: "EU Dealers", atMs: NOW_MS }),
    aMessageEvent({ rawId: "A1", text: "126610LN 2024 €12,500", atS: HOUR_AGO_S }),
    aMessageEvent({ rawId: "A2", text: "WTB 5711/1A", atS: HOUR_AGO_S + 60 }),
    aMessageEvent({
      rawId: "A3",
      text: "good morning",
      group: OTHER_GROUP,
      atS: HOUR_AGO_S + 120,
      addressing: "both",
    }),
    aMessageEvent({
      rawId: "A4",
      text: "good evening",
      sender: { ...SENDER, name: "Kenji Watches" },
      atS: HOUR_AGO_S + DAY_S,
    }),
  ]);
  const [contact] = await app.db.query<{ id: string }>(sql`select id from contact`);

  const { status, body } = await app.call("GET", `/v2/contacts/${contact?.id}`);

  assert.equal(status, 200, JSON.stringify(body));
  assert.deepEqual(body, {
    id: contact?.id,
    display_name: body.display_name,
    names: body.names,
    phone_number: SENDER.phone,
    country_prefix: "44",
    phone_numbers: [SENDER.phone],
    is_own: false,
    first_seen_at_ms: body.first_seen_at_ms,
    last_seen_at_ms: body.last_seen_at_ms,
    message_count: 4,
    for_sale_count: 1,
    want_to_buy_count: 1,
    on_offer_count: 1,
    buy_count_90d: 0,
    repost_count_90d: 0,
    price_drop_count_90d: 0,
    deal_count: 0,
    is_blocked: false,
    groups: [
      { id: groupIdOf(GROUP), name: "EU Dealers", message_count: 3 },
      { id: groupIdOf(OTHER_GROUP), message_count: 1 },
    ],
    is_exact: true,
  });
  assert.ok(body.names.includes(body.display_name));
  assert.equal(body.first_seen_at_ms, HOUR_AGO_S * 1000);
});

test("an id from before a merge leads to the merged contact", async (t) => {
  const app = await borrowTestApp(t);
  await process(app.db, [aMessageEvent({ rawId: "A1", addressing: "lid", text: "one" })]);
  const [old] = await app.db.query<{ id: string }>(sql`select id from contact`);
  await process(app.db, [aMessageEvent({ rawId: "A2", addressing: "both", text: "two" })]);

  const { status, body } = await app.call("GET", `/v2/contacts/${old?.id}`);

  assert.equal(status, 200);
  assert.notEqual(body.id, old?.id);
  assert.equal(body.message_count, 2);
});

test("an unknown contact is 404, a malformed id 400, and a read-only token may read", async (t) => {
  const app = await borrowTestApp(t);
  await process(app.db, [aMessageEvent({ rawId: "A1", text: "one" })]);
  const [contact] = await app.db.query<{ id: string }>(sql`select id from contact`);
  const readOnly = { authorization: `Bearer ${await addToken(app.db, { isReadOnly: true })}` };

  const unknown = await app.call("GET", `/v2/contacts/${randomUUID()}`);
  const malformed = await app.call("GET", "/v2/contacts/1");
  const allowed = await app.call("GET", `/v2/contacts/${contact?.id}`, readOnly);

  assert.equal(unknown.status, 404);
  assert.equal(unknown.body.error.code, "contact_not_found");
  assert.equal(malformed.status, 400);
  assert.equal(allowed.status, 200);
  assert.equal(allowed.body.for_sale_count, 0);
});

test("groups have the messages and listings of 30 days", async (t) => {
  const app = await openTestApp(t);
  const none = await app.call("GET", "/v2/groups");
  await process(app.db, [
    aGroupEvent({ name: "EU Dealers", atMs: NOW_MS }),
    aMessageEvent({ rawId: "A1", text: "126610LN 2024 €12,500", atS: HOUR_AGO_S }),
    aMessageEvent({ rawId: "A2", text: "good morning", atS: HOUR_AGO_S }),
    aMessageEvent({ rawId: "A3", text: "hello", group: OTHER_GROUP, atS: HOUR_AGO_S }),
    aMessageEvent({ rawId: "A4", text: "5711/1A €90,000", atS: HOUR_AGO_S - 31 * DAY_S }),
  ]);
  // The counts are kept for half a minute.
  app.clock.advance(31_000);

  const { status, body } = await app.call("GET", "/v2/groups");

  assert.deepEqual(none.body.items, []);
  assert.equal(status, 200);
  assert.deepEqual(body, {
    items: [
      {
        id: groupIdOf(GROUP),
        gateway_group_id: GROUP,
        name: "EU Dealers",
        is_ignored: false,
        message_count: 2,
        listing_count: 1,
      },
      {
        id: groupIdOf(OTHER_GROUP),
        gateway_group_id: OTHER_GROUP,
        is_ignored: false,
        message_count: 1,
        listing_count: 0,
      },
    ],
    counted_from_ms: app.clock.nowMs() - 30 * DAY_S * 1000,
    is_exact: true,
  });
});

test("a walk over the pages of groups visits each once, those without a name last", async (t) => {
  const app = await borrowTestApp(t);
  for (const name of ["B", "A", "A", undefined, "Ä", undefined]) {
    await aGroup(app.db, name === undefined ? {} : { name });
  }
  const names: (string | undefined)[] = [];
  const ids = new Set<string>();
  for (let cursor = ""; ; ) {
    const { body } = await app.call("GET", `/v2/groups?limit=2${cursor}`);
    for (const { id, name } of body.items) {
      names.push(name);
      ids.add(id);
    }
    if (body.next_cursor === undefined) break;
    cursor = `&cursor=${body.next_cursor}`;
  }

  assert.deepEqual(names, ["A", "A", "B", "Ä", undefined, undefined]);
  assert.equal(ids.size, 6);
});

test("a bad limit or a cursor of another list is refused", async (t) => {
  const app = await borrowTestApp(t);
  await process(app.db, [
    aMessageEvent({ rawId: "A1", text: "one" }),
    aMessageEvent({ rawId: "A2", text: "two" }),
  ]);
  const { body } = await app.call("GET", "/v2/messages?limit=1");
  const readOnly = { authorization: `Bearer ${await addToken(app.db, { isReadOnly: true })}` };

  for (const query of ["limit=0", "limit=201", "cursor=x", `cursor=${body.next_cursor}`]) {
    const { status } = await app.call("GET", `/v2/groups?${query}`);
    assert.equal(status, 400, query);
  }
  assert.equal((await app.call("GET", "/v2/groups", readOnly)).status, 200);
});

test("groups are found by a part of their name, and by whether they are ignored", async (t) => {
  const app = await borrowTestApp(t);
  for (const name of ["EU Dealers", "HK dealers 100%", "Offers", undefined]) {
    await aGroup(app.db, name === undefined ? {} : { name });
  }
  await app.db.execute(sql`update market_group set is_ignored = true where name = 'Offers'`);
  const namesOf = async (query: string): Promise<unknown> => {
    const { status, body } = await app.call("GET", `/v2/groups?${query}`);
    assert.equal(status, 200, JSON.stringify(body));
    return body.items.map(({ name }: { name?: string }) => name);
  };

  assert.deepEqual(await namesOf("q=DEALERS"), ["EU Dealers", "HK dealers 100%"]);
  assert.deepEqual(await namesOf("q=0%25"), ["HK dealers 100%"]);
  assert.deepEqual(await namesOf("q=_"), []);
  assert.deepEqual(await namesOf("is_ignored=true"), ["Offers"]);
  assert.deepEqual(await namesOf("q=eu&is_ignored=true"), []);
  const { body } = await app.call("GET", "/v2/groups?q=dealers&limit=1");
  assert.deepEqual(await namesOf(`q=dealers&limit=1&cursor=${body.next_cursor}`), [
    "HK dealers 100%",
  ]);
  const other = await app.call("GET", `/v2/groups?cursor=${body.next_cursor}`);
  assert.equal(other.status, 400);
  assert.equal((await app.call("GET", "/v2/groups?q=%00")).status, 400);
});
