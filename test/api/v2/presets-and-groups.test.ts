import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import type { Database } from "../../../src/db/database.ts";
import { sql } from "../../../src/db/sql.ts";
import { groupIdOf } from "../../../src/messages/message.ts";
import { applyTexts } from "../../support/manifest.ts";
import { aGroup } from "../../support/rows.ts";
import { borrowTestApp } from "../../support/shared-store.ts";
import { addToken, NOW_MS } from "../../support/test-app.ts";

test("a preset is created and changed; its groups are named by id or by their id at the gateway", async (t) => {
  const own = await borrowTestApp(t);
  const group = randomUUID();
  const body = { id: randomUUID(), name: "all", group_ids: [group, "120363@g.us"] };

  const made = await own.send("POST", "/v2/outbound/group-presets", body);
  const repeated = await own.send("POST", "/v2/outbound/group-presets", body);
  const path = `/v2/outbound/group-presets/${made.body.id}`;
  const tag = { "if-match": String(made.headers["etag"]) };
  const changed = await own.send("PATCH", path, { description: "d", group_ids: [] }, tag);
  const stale = await own.send("PATCH", path, { description: null }, tag);
  const taken = await own.send("POST", "/v2/outbound/group-presets", {
    name: "all",
    group_ids: [],
  });

  assert.deepEqual([made.status, repeated.status], [201, 200]);
  assert.deepEqual(made.body, {
    id: body.id,
    name: "all",
    group_ids: [group, groupIdOf("120363@g.us")],
    managed_by: "api",
    created_by: made.body.created_by,
    updated_by: made.body.created_by,
    created_at_ms: NOW_MS,
    updated_at_ms: NOW_MS,
  });
  assert.deepEqual([changed.body.description, changed.body.group_ids], ["d", []]);
  assert.equal(stale.status, 412);
  assert.equal(taken.body.error.code, "already_exists");
  const list = await own.call("GET", "/v2/outbound/group-presets");
  assert.deepEqual(list.body, { items: [changed.body], total: 1 });
});

test("a preset of a manifest is managed elsewhere, but may be deleted; apply creates it again", async (t) => {
  const own = await borrowTestApp(t);
  const text = "group_presets: [{name: declared}]";
  await applyTexts(own.db, text);
  const [preset] = await own.db.query<{ id: string }>(sql`select id from group_preset`);
  const path = `/v2/outbound/group-presets/${preset?.id}`;

  const changed = await own.send("PATCH", path, { name: "x" });
  const deleted = await own.send("DELETE", path);
  const missing = await own.send("PATCH", path, { name: "x" });
  await applyTexts(own.db, text);

  assert.deepEqual([changed.status, changed.body.error.code], [409, "managed_elsewhere"]);
  assert.equal(deleted.status, 204);
  assert.deepEqual([missing.status, missing.body.error.code], [404, "group_preset_not_found"]);
  assert.equal((await own.call("GET", "/v2/outbound/group-presets")).body.total, 1);
});

test("a preset that is changed and deleted at once is gone afterwards", async (t) => {
  const own = await borrowTestApp(t);

  for (let round = 0; round < 10; round += 1) {
    const made = await own.send("POST", "/v2/outbound/group-presets", {
      name: `p${round}`,
      group_ids: [],
    });
    const path = `/v2/outbound/group-presets/${made.body.id}`;
    const [changed, deleted] = await Promise.all([
      own.send("PATCH", path, { description: "d" }),
      own.send("DELETE", path),
    ]);
    assert.ok([200, 404].includes(changed.status));
    assert.equal(deleted.status, 204);
  }

  assert.equal((await own.call("GET", "/v2/outbound/group-presets")).body.total, 0);
});

test("a group is ignored and gets a default currency, and its messages are read again", async (t) => {
  const own = await borrowTestApp(t);
  const id = await aKnownGroup(own.db, { name: "Dealers" });
  const path = `/v2/groups/${id}`;

  const ignored = await own.send("PATCH", path, { is_ignored: true });
  const queuedBefore = await own.db.query(sql`select from group_queue`);
  const changed = await own.send("PATCH", path, { is_ignored: null, default_currency: "USD" });
  const queued = await own.db.query<{ group_id: string }>(sql`select group_id from group_queue`);
  const removed = await own.send("PATCH", path, { default_currency: null });

  assert.deepEqual([ignored.status, ignored.body.is_ignored], [200, true]);
  assert.deepEqual(queuedBefore, []);
  const { updated_by, ...group } = changed.body;
  assert.match(updated_by, /^test /);
  assert.deepEqual(group, {
    id,
    gateway_group_id: group.gateway_group_id,
    name: "Dealers",
    default_currency: "USD",
    is_ignored: false,
    managed_by: "api",
  });
  assert.deepEqual(queued, [{ group_id: id }]);
  assert.equal(removed.body.default_currency, undefined);
});

test("a group of a manifest is managed elsewhere, and pruning leaves a group of the API alone", async (t) => {
  const own = await borrowTestApp(t);
  await applyTexts(own.db, "groups: [{gateway_group_id: 1@g.us, default_currency: EUR}]");
  const mine = await aKnownGroup(own.db);
  await own.send("PATCH", `/v2/groups/${mine}`, { default_currency: "HKD" });

  const refused = await own.send("PATCH", `/v2/groups/${groupIdOf("1@g.us")}`, {
    is_ignored: true,
  });
  await applyTexts(own.db, "groups: []", { isPruning: true });
  const released = await own.send("PATCH", `/v2/groups/${groupIdOf("1@g.us")}`, {
    is_ignored: true,
  });

  assert.deepEqual([refused.status, refused.body.error.code], [409, "managed_elsewhere"]);
  assert.doesNotMatch(refused.body.error.message, /copy/);
  assert.equal(released.status, 200);
  const [row] = await own.db.query<{ currency: string }>(sql`
    select default_currency as currency from market_group where id = ${mine}`);
  assert.equal(row?.currency, "HKD");
});

test("bad requests on presets and groups are refused", async (t) => {
  const own = await borrowTestApp(t);
  const id = await aKnownGroup(own.db);
  const readOnly = { authorization: `Bearer ${await addToken(own.db, { isReadOnly: true })}` };
  const presets = "/v2/outbound/group-presets";
  const many = Array.from({ length: 101 }, () => randomUUID());

  for (const body of [
    { name: "a" },
    { name: "a", group_ids: ["x"] },
    { name: "a", group_ids: many },
  ]) {
    assert.equal((await own.send("POST", presets, body)).status, 400);
  }
  for (const body of [{}, { is_ignored: "yes" }, { default_currency: "euro" }, { name: "x" }]) {
    assert.equal((await own.send("PATCH", `/v2/groups/${id}`, body)).status, 400);
  }
  assert.equal(
    (await own.send("POST", presets, { name: "a", group_ids: [] }, readOnly)).status,
    403,
  );
  assert.equal(
    (await own.send("PATCH", `/v2/groups/${id}`, { is_ignored: true }, readOnly)).status,
    403,
  );
  const unknown = await own.send("PATCH", `/v2/groups/${randomUUID()}`, { is_ignored: true });
  assert.equal(unknown.body.error.code, "group_not_found");
  assert.equal((await own.send("PATCH", "/v2/groups/7", { is_ignored: true })).status, 400);
});

/** The id of a group follows from its id at the gateway. */
function aKnownGroup(db: Database, columns: { readonly name?: string } = {}): Promise<string> {
  const gateway_group_id = "120363000@g.us";
  return aGroup(db, { id: groupIdOf(gateway_group_id), gateway_group_id, ...columns });
}
