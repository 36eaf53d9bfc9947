import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { type TestContext, test } from "node:test";
import { createPendingNotices } from "../../../src/api/stream/notices.ts";
import { sql } from "../../../src/db/sql.ts";
import { aConfiguration, aListing, aMatch, anAlert, aSession } from "../../support/rows.ts";
import { borrowTestApp } from "../../support/shared-store.ts";
import { addToken, hearAll, NOW_MS, type TestApp, until } from "../../support/test-app.ts";

const ALL_TYPES = "?types=alert.match,alert.changed,cells.changed,session.changed";

test("a stream sends the types that it is asked for, and only matches have an id", async (t) => {
  const own = await borrowTestApp(t);
  const alert = await anAlert(own.db);
  const configuration = await aConfiguration(own.db);
  const session = await aSession(own.db);
  const plain = await follow(t, own);
  const cells = await follow(t, own, "?types=cells.changed");
  const all = await follow(t, own, ALL_TYPES);

  await own.db.execute(sql`update alert set muted_until_ms = 1 where id = ${alert}`);
  await own.db.execute(sql`update messaging_session set status = 'FAILED' where id = ${session}`);
  await own.db.execute(sql`update price_configuration set label = 'x' where id = ${configuration}`);
  await until(() => all.typesSeen().size === 3 && cells.events.length > 0);
  await aMatch(own.db, { alert_id: alert });
  await until(() => all.typesSeen().size === 4 && plain.events.length > 0);

  assert.deepEqual([...plain.typesSeen()], ["alert.match"]);
  assert.deepEqual([...cells.typesSeen()], ["cells.changed"]);
  assert.equal(plain.events.length, 1);
  const first = (type: string) => all.events.find((event) => event.type === type);
  const timestamp = new Date(NOW_MS).toISOString();
  assert.deepEqual(first("alert.changed")?.data, {
    type: "alert.changed",
    timestamp,
    data: { alert_ids: [alert] },
  });
  assert.deepEqual(first("session.changed")?.data.data, { session_ids: [session] });
  assert.deepEqual(first("cells.changed")?.data.data, { configuration_ids: [configuration] });
  for (const { type, id } of all.events) assert.equal(id !== undefined, type === "alert.match");
});

test("a burst of changes is one event a second, and too many ids are left out", async (t) => {
  const own = await borrowTestApp(t);
  const stream = await follow(t, own, "?types=cells.changed");
  const id = randomUUID();
  await own.db.query(sql`select pg_notify('assay_changes', ${`price_cells ${id}`})`);
  await until(() => stream.events.length === 1);

  await own.db.query(sql`
    select pg_notify('assay_changes', 'price_cells ' || string_agg(gen_random_uuid()::text, ','))
      from generate_series(1, 210) as number group by number % 3`);
  await until(() => stream.events.length === 2);
  await own.db.query(sql`select pg_notify('assay_changes', ${`price_cells ${id}`})`);
  await until(() => stream.events.length === 3);

  assert.deepEqual(
    stream.events.map(({ data }) => data.data),
    [{ configuration_ids: [id] }, {}, { configuration_ids: [id] }],
  );
});

test("matches in shadow are sent only if they are asked for, and muted ones never", async (t) => {
  const own = await borrowTestApp(t);
  const alert = await anAlert(own.db);
  const plain = await follow(t, own);
  const shadow = await follow(t, own, "?include_shadow=true");

  await aMatch(own.db, { alert_id: alert, is_muted: true });
  await aMatch(own.db, { alert_id: alert, is_outward: false, is_muted: true });
  await aMatch(own.db, { alert_id: alert, is_outward: false });
  await aMatch(own.db, { alert_id: alert });
  await until(() => plain.events.length === 1 && shadow.events.length === 2);

  assert.deepEqual(
    shadow.events.map(({ data }) => data.data.is_shadow),
    [true, undefined],
  );
  assert.deepEqual(plain.events[0], shadow.events[1]);
  assert.equal(shadow.events[0]?.data.data.match.is_outward, undefined);
});

test("a stream of one alert hears of changes of this alert only", async (t) => {
  const own = await borrowTestApp(t);
  const [wanted, other] = [await anAlert(own.db), await anAlert(own.db)];
  const stream = await follow(t, own, `${ALL_TYPES}&alert_id=${wanted}`);
  const all = await follow(t, own, ALL_TYPES);

  await own.db.execute(sql`update alert set name = 'other' where id = ${other}`);
  await until(() => all.events.length === 1);
  await own.db.execute(sql`update alert set name = 'wanted' where id = ${wanted}`);
  await until(() => stream.events.length === 1);

  assert.deepEqual(stream.events[0]?.data.data, { alert_ids: [wanted] });
});

test("a busy session is not news, but one that was silent for a minute is", async (t) => {
  const own = await borrowTestApp(t);
  const session = await aSession(own.db, { last_message_at_ms: NOW_MS });
  const other = await aSession(own.db, { last_message_at_ms: NOW_MS });
  const stream = await follow(t, own, "?types=session.changed");

  await own.db.execute(sql`
    update messaging_session set last_message_at_ms = ${NOW_MS + 1_000} where id = ${session}`);
  await own.db.execute(sql`
    update messaging_session set last_message_at_ms = ${NOW_MS + 61_000} where id = ${other}`);
  await until(() => stream.events.length === 1);

  assert.deepEqual(stream.events[0]?.data.data, { session_ids: [other] });
});

test("a deal is news with its listing for a desk until its role is another one, and none for the market", async (t) => {
  const own = await borrowTestApp(t);
  const listing = await aListing(own.db);
  const lowered = await addToken(own.db, { role: "desk" });
  const desk = await follow(t, { ...own, token: lowered }, "?types=deal.changed");
  const reader = await addToken(own.db, { role: "market" });
  const market = await follow(t, { ...own, token: reader }, "?types=deal.changed");

  const put = await own.send("PUT", `/v2/deals/${listing}`, { state: "offered" });
  await until(() => desk.events.length === 1);

  assert.equal(put.status, 201, put.text);
  assert.deepEqual(desk.events[0]?.data.data, { listing_ids: [listing] });
  assert.deepEqual(market.events, []);
  const tokens = (await own.call("GET", "/v2/tokens")).body.items;
  const { id } = tokens.find(({ role }: { role: string }) => role === "desk");
  await own.send("PATCH", `/v2/tokens/${id}`, { role: "market" });
  await until(() => desk.isClosed());
});

test("what a client has not read yet is joined, so it stays small", () => {
  const pending = createPendingNotices({ types: new Set(["cells.changed", "session.changed"]) });
  const notice = (ids: readonly string[] | undefined) => ({
    type: "cells.changed" as const,
    timestamp: "",
    ids: ids === undefined ? undefined : new Set(ids),
  });

  pending.add(notice(["a"]));
  pending.add(notice(["b", "a"]));
  pending.add({ ...notice(["c"]), type: "alert.changed" });
  const few = pending.take();
  for (let at = 0; at < 201; at += 1) pending.add(notice([String(at)]));
  pending.add(notice(["a"]));
  const many = pending.take();

  assert.deepEqual(few, [notice(["a", "b"])]);
  assert.deepEqual(many, [notice(undefined)]);
  assert.equal(pending.isEmpty(), true);
});

test("unknown types are 400 and list the known ones; a read-only token may follow", async (t) => {
  const own = await borrowTestApp(t);
  const reader = await addToken(own.db, { isReadOnly: true });

  for (const query of ["types=alert.match,x", "types=", "types=alert.match&types=cells.changed"]) {
    const answer = await own.call("GET", `/v2/events?${query}`);
    assert.deepEqual([answer.status, answer.body.error.code], [400, "invalid_payload"], query);
  }
  const unknown = await own.call("GET", "/v2/events?types=x");
  assert.match(unknown.body.error.message, /types: must be one or more of alert\.match, /);
  assert.equal((await own.call("GET", "/v2/events?include_shadow=yes")).status, 400);
  const stream = await follow(t, { ...own, token: reader }, ALL_TYPES);
  assert.equal(stream.events.length, 0);
});

interface SentEvent {
  readonly id: string | undefined;
  readonly type: string | undefined;
  // biome-ignore lint/suspicious/noExplicitAny: the test asserts on whatever it receives.
  readonly data: any;
}

/** Opens a stream and collects the events of later changes. Returns when the first bytes have arrived. */
async function follow(t: TestContext, { app, db, feed, token }: TestApp, query = "") {
  await until(() => feed.isLive());
  await hearAll({ db, feed });
  if (app.server.address() === null) await app.listen({ port: 0, host: "127.0.0.1" });
  const { port } = app.server.address() as { port: number };
  const stop = new AbortController();
  t.after(() => stop.abort());
  const response = await fetch(`http://127.0.0.1:${port}/v2/events${query}`, {
    headers: { authorization: `Bearer ${token}` },
    signal: stop.signal,
  });
  assert.equal(response.status, 200);
  const events: SentEvent[] = [];
  const state = { text: "", isOpen: false, isClosed: false };
  const read = async (): Promise<void> => {
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? []) {
      const blocks = (state.text + decoder.decode(chunk, { stream: true })).split("\n\n");
      state.text = blocks.pop() ?? "";
      state.isOpen = true;
      for (const block of blocks) {
        const field = (name: string) => new RegExp(`^${name}: (.*)$`, "m").exec(block)?.[1];
        const data = field("data");
        if (data !== undefined)
          events.push({ id: field("id"), type: field("event"), data: JSON.parse(data) });
      }
    }
  };
  void read()
    .catch(() => undefined)
    .finally(() => {
      state.isClosed = true;
    });
  await until(() => state.isOpen);
  return {
    events,
    typesSeen: () => new Set(events.map(({ type }) => type)),
    isClosed: () => state.isClosed,
  };
}
