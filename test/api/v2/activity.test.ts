import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { DAY_MS } from "../../../src/base/clock.ts";
import { borrowTestApp } from "../../support/shared-store.ts";
import { addToken, NOW_MS } from "../../support/test-app.ts";

const bearerOf = (token: string) => ({ authorization: `Bearer ${token}` });

test("a write says who changed what, from what to what, in which request", async (t) => {
  const own = await borrowTestApp(t);
  const me = (await own.call("GET", "/v2/me")).body;
  const actor = { token_id: me.token_id, name: me.name };
  const created = await own.send("POST", "/v2/views", { name: "a", filters: { brand: ["Rolex"] } });
  const { id } = created.body;
  const changed = await own.send("PATCH", `/v2/views/${id}`, { name: "b" });
  await own.send("PATCH", `/v2/views/${id}`, { name: "b" });
  const deleted = await own.send("DELETE", `/v2/views/${id}`);

  const { items } = (await own.call("GET", `/v2/activity?object_kind=view&object_id=${id}`)).body;

  const rows = items.map(({ id: _, ...row }: { id: string }) => row);
  const about = (name: string, answer: typeof created) => ({
    at_ms: NOW_MS,
    actor,
    object: { kind: "view", id, name },
    request_id: answer.headers["x-request-id"],
  });
  const filters = { brand: ["Rolex"] };
  assert.deepEqual(rows, [
    {
      ...about("b", deleted),
      action: "deleted",
      changes: [
        { member: "name", before: "b" },
        { member: "filters", before: filters },
      ],
    },
    {
      ...about("b", changed),
      action: "changed",
      changes: [{ member: "name", before: "a", after: "b" }],
    },
    {
      ...about("a", created),
      action: "created",
      changes: [
        { member: "name", after: "a" },
        { member: "filters", after: filters },
      ],
    },
  ]);
});

test("secrets and addresses are not in it, but that they changed is", async (t) => {
  const own = await borrowTestApp(t);
  const url = "https://ntfy.example/a-secret-topic";
  const target = { name: "phone", kind: "ntfy", url, token: "tk_first-secret" };
  const { id } = (await own.send("POST", "/v2/webhook-targets", target)).body;

  await own.send("PATCH", `/v2/webhook-targets/${id}`, { token: "tk_second-secret" });
  const { token } = (await own.send("POST", "/v2/tokens", { name: "mei" })).body;

  const { text, body } = await own.call("GET", "/v2/activity");
  const [, change] = body.items;
  assert.deepEqual(change.changes, [{ member: "token" }]);
  for (const secret of ["secret", token, token.slice(12)]) assert.ok(!text.includes(secret));
});

test("the list is selected by kind, object, actor and time, in pages", async (t) => {
  const own = await borrowTestApp(t);
  const desk = await addToken(own.db, { role: "desk" });
  const me = (await own.call("GET", "/v2/me", bearerOf(desk))).body;
  for (const name of ["a", "b", "c"]) {
    const filters = { brand: ["Rolex"] };
    await own.send(
      "POST",
      "/v2/views",
      { name, filters },
      bearerOf(name === "b" ? desk : own.token),
    );
    await own.send("POST", "/v2/alerts", { name, filters });
  }
  const namesOf = async (query: string) => {
    const { status, body } = await own.call("GET", `/v2/activity?${query}`);
    assert.equal(status, 200, query);
    return body.items.map(({ object }: { object: { name: string } }) => object.name).join("");
  };
  const walked: string[] = [];
  for (let cursor = ""; ; ) {
    const { body } = await own.call("GET", `/v2/activity?object_kind=alert&limit=2${cursor}`);
    walked.push(...body.items.map(({ object }: { object: { name: string } }) => object.name));
    if (body.next_cursor === undefined) break;
    cursor = `&cursor=${body.next_cursor}`;
  }

  assert.equal(await namesOf("object_kind=view"), "cba");
  assert.equal(await namesOf(`actor=${me.token_id}`), "b");
  assert.equal(await namesOf(`actor=${encodeURIComponent(me.name)}`), "b");
  assert.equal(await namesOf("actor=nobody"), "");
  assert.equal(await namesOf(`object_id=${randomUUID()}`), "");
  assert.equal(await namesOf(`from_ms=${NOW_MS}`), "ccbbaa");
  assert.equal(await namesOf(`from_ms=${NOW_MS + DAY_MS}`), "");
  assert.deepEqual(walked, ["c", "b", "a"]);
});

test("bad queries are refused, and a reader is", async (t) => {
  const own = await borrowTestApp(t);
  const reader = await addToken(own.db, { role: "market" });
  const desk = await addToken(own.db, { role: "desk" });

  for (const query of [
    "object_kind=unknown",
    "object_id=1",
    "actor=",
    "actor=%00",
    `actor=${"x".repeat(101)}`,
    "from_ms=-1",
    "from_ms=x",
    "limit=0",
    "limit=201",
    "cursor=x",
  ]) {
    const { status, body } = await own.call("GET", `/v2/activity?${query}`);
    assert.deepEqual([status, body.error?.code], [400, "invalid_payload"], query);
  }
  const refused = await own.call("GET", "/v2/activity", bearerOf(reader));
  assert.equal(refused.status, 403);
  assert.equal((await own.call("GET", "/v2/activity", bearerOf(desk))).status, 200);
});

test("names with markup, quotes and many characters are kept as they are, and a long filter is cut", async (t) => {
  const own = await borrowTestApp(t);
  const names = ["<script>alert(1)</script>", "👩‍👩‍👧‍👧".repeat(10), "'; drop table activity; --"];
  for (const name of names) {
    const { status } = await own.send("POST", "/v2/tokens", { name, role: "market" });
    assert.equal(status, 201, name);
  }
  const reference = Array.from({ length: 400 }, (_, at) => `${at} ${"x".repeat(30)}`);
  const { status: viewStatus, body: view } = await own.send("POST", "/v2/views", {
    name: "long",
    filters: { reference },
  });

  const { body } = await own.call("GET", "/v2/activity");
  const [long, ...tokens] = body.items;

  assert.deepEqual(
    tokens.map(({ object }: { object: { name: string } }) => object.name),
    names.toReversed(),
  );
  assert.equal(viewStatus, 201);
  assert.equal(long.object.id, view.id);
  assert.deepEqual(long.changes, [{ member: "name", after: "long" }, { member: "filters" }]);
  assert.ok(Buffer.byteLength(JSON.stringify(long)) < 8_192);
});

test("of two writers at once each leaves the row of what it did, and a refused one leaves none", async (t) => {
  const own = await borrowTestApp(t);
  const created = await own.send("POST", "/v2/views", { name: "v", filters: { brand: ["Omega"] } });
  const { id } = created.body;
  const headers = { "if-match": String(created.headers["etag"]) };

  const answers = await Promise.all(
    ["x", "y"].map((name) => own.send("PATCH", `/v2/views/${id}`, { name }, headers)),
  );

  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 412]);
  const { items } = (await own.call("GET", `/v2/activity?object_id=${id}`)).body;
  assert.equal(items.length, 2);
  const winner = answers.find(({ status }) => status === 200);
  assert.equal(items[0].request_id, winner?.headers["x-request-id"]);
  assert.deepEqual(items[0].changes, [{ member: "name", before: "v", after: winner?.body.name }]);
});
