import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { sql } from "../../../src/db/sql.ts";
import { applyTexts } from "../../support/manifest.ts";
import { borrowTestApp } from "../../support/shared-store.ts";
import { addToken, NOW_MS, openTestApp } from "../../support/test-app.ts";

test("a view is created with 201, read with its tag, listed, changed and deleted", async (t) => {
  const own = await openTestApp(t);
  const [token] = await own.db.query<{ name: string }>(sql`select name from api_token`);
  const filters = { brand: ["Rolex"], year: { gte: 2020 } };

  const made = await own.send("POST", "/v2/views", {
    name: "mine",
    filters,
    sort: "newest",
    columns: ["id", "price.amount_minor"],
  });

  assert.equal(made.status, 201);
  assert.deepEqual(made.body, {
    id: made.body.id,
    name: "mine",
    filters,
    sort: "newest",
    columns: ["id", "price.amount_minor"],
    managed_by: "api",
    created_by: token?.name,
    updated_by: token?.name,
    created_at_ms: NOW_MS,
    updated_at_ms: NOW_MS,
  });
  const path = `/v2/views/${made.body.id}`;
  const read = await own.call("GET", path);
  assert.deepEqual(read.body, made.body);
  assert.equal(read.headers["etag"], made.headers["etag"]);
  own.clock.advance(5);
  const changed = await own.send("PATCH", path, { name: "ours", sort: null, filters: {} });
  assert.equal(changed.status, 200);
  const { sort: _, ...rest } = made.body;
  const expected = { ...rest, name: "ours", filters: {}, updated_at_ms: NOW_MS + 5 };
  assert.deepEqual(changed.body, expected);
  const list = await own.call("GET", "/v2/views");
  assert.deepEqual(list.body, { items: [expected] });
  assert.equal((await own.send("DELETE", path)).status, 204);
  assert.equal((await own.send("DELETE", path)).body.error.code, "view_not_found");
  assert.deepEqual((await own.call("GET", "/v2/views")).body, { items: [] });
});

test("a repeated POST with the same id and body returns the view as it is now; another body is 409", async (t) => {
  const own = await borrowTestApp(t);
  const id = randomUUID();
  const body = {
    id: id.toUpperCase(),
    name: "mine",
    filters: { brand: ["Rolex"], year: { gte: 1, lte: 2 } },
  };

  const first = await own.send("POST", "/v2/views", body);
  await own.send("PATCH", `/v2/views/${id}`, { name: "renamed" });
  const reordered = { filters: { year: { lte: 2, gte: 1 }, brand: ["Rolex"] }, name: "mine", id };
  const second = await own.send("POST", "/v2/views", reordered);
  const other = await own.send("POST", "/v2/views", { ...body, name: "other" });
  const taken = await own.send("POST", "/v2/views", { name: "renamed", filters: {} });

  assert.deepEqual([first.status, first.body.id], [201, id]);
  assert.deepEqual([second.status, second.body.name], [200, "renamed"]);
  assert.deepEqual([other.status, other.body.error.code], [409, "already_exists"]);
  assert.deepEqual([taken.status, taken.body.error.code], [409, "already_exists"]);
});

test("a view of a manifest is managed elsewhere, and a manifest takes over a view of the API", async (t) => {
  const own = await borrowTestApp(t);
  await applyTexts(own.db, "views: [{name: declared, filters: {}}]");
  const [view] = await own.db.query<{ id: string }>(sql`select id from market_view`);
  const path = `/v2/views/${view?.id}`;

  const patched = await own.send("PATCH", path, { name: "x" });
  const deleted = await own.send("DELETE", path);
  const mine = await own.send("POST", "/v2/views", { name: "mine", filters: { brand: ["Rolex"] } });
  const kept = await applyTexts(own.db, "views: [{name: declared, filters: {}}]", {
    isPruning: true,
  });
  const taken = await applyTexts(own.db, "views: [{name: mine, filters: {brand: [Rolex]}}]");

  assert.deepEqual([patched.status, patched.body.error.code], [409, "managed_elsewhere"]);
  assert.match(patched.body.error.message, /assay apply/);
  assert.equal(deleted.body.error.code, "managed_elsewhere");
  assert.deepEqual(kept.kinds[0]?.pruned, []);
  assert.deepEqual(taken.kinds[0]?.takenOver, ["mine"]);
  const read = await own.call("GET", `/v2/views/${mine.body.id}`);
  assert.equal(read.body.managed_by, "manifest");
});

test("a stale If-Match is 412 and changes nothing; the current tag and * are accepted", async (t) => {
  const own = await borrowTestApp(t);
  const made = await own.send("POST", "/v2/views", { name: "a", filters: {} });
  const path = `/v2/views/${made.body.id}`;
  const tag = String(made.headers["etag"]);

  const changed = await own.send("PATCH", path, { name: "b" }, { "if-match": tag });
  const stale = await own.send("PATCH", path, { name: "c" }, { "if-match": tag });
  const staleDelete = await own.send("DELETE", path, undefined, { "if-match": tag });
  const any = await own.send("PATCH", path, { name: "d" }, { "if-match": "*" });
  const current = String((await own.call("GET", path)).headers["etag"]);
  const deleted = await own.send("DELETE", path, undefined, { "if-match": `"x", ${current}` });

  assert.equal(changed.status, 200);
  assert.deepEqual([stale.status, stale.body.error.code], [412, "precondition_failed"]);
  assert.equal(staleDelete.status, 412);
  assert.deepEqual([any.status, any.body.name], [200, "d"]);
  assert.equal(deleted.status, 204);
});

test("unknown members of filters are kept with a warning that is safe in a header, and strict refuses them", async (t) => {
  const own = await borrowTestApp(t);
  const filters = { referense: ["1"], "a\r\nX-Evil: 1; é%": 2 };

  const made = await own.send("POST", "/v2/views", { name: "a", filters });
  const strict = await own.send("POST", "/v2/views?strict=true", { name: "b", filters });
  const path = `/v2/views/${made.body.id}`;
  const patched = await own.send("PATCH", `${path}?strict=true`, { filters: { brand_: 1 } });

  assert.equal(
    made.headers["x-assay-warnings"],
    'filters.referense: unknown member, ignored%3B did you mean "reference"?; ' +
      "filters.a%0D%0AX-Evil: 1%3B %C3%A9%25: unknown member, ignored",
  );
  assert.deepEqual(made.body.filters, filters);
  assert.deepEqual([strict.status, strict.body.error.code], [400, "invalid_payload"]);
  assert.match(strict.body.error.message, /^filters\.referense: unknown member/);
  assert.equal(patched.status, 400);
  assert.deepEqual((await own.call("GET", path)).body, made.body);
});

test("a view that an alert uses or that is a source view is in use", async (t) => {
  const own = await borrowTestApp(t);
  const used = await own.send("POST", "/v2/views", { name: "used", filters: {} });
  const source = await own.send("POST", "/v2/views", {
    name: "EU",
    source_market: "EU",
    filters: {},
  });
  await applyTexts(own.db, "alerts: [{name: a, view: used}]");

  const ofAlert = await own.send("DELETE", `/v2/views/${used.body.id}`);
  const ofMarket = await own.send("DELETE", `/v2/views/${source.body.id}`);
  await own.send("PATCH", `/v2/views/${source.body.id}`, { source_market: null });
  const released = await own.send("DELETE", `/v2/views/${source.body.id}`);

  assert.deepEqual([ofAlert.status, ofAlert.body.error.code], [409, "in_use"]);
  assert.match(ofAlert.body.error.message, /the alert "a"/);
  assert.deepEqual([ofMarket.status, ofMarket.body.error.code], [409, "in_use"]);
  assert.equal(released.status, 204);
});

test("bad requests name the member and change nothing", async (t) => {
  const own = await borrowTestApp(t);
  const readOnly = await addToken(own.db, { isReadOnly: true });
  const made = await own.send("POST", "/v2/views", { name: "a", filters: {} });
  const path = `/v2/views/${made.body.id}`;
  const refusals: readonly [object, RegExp][] = [
    [{ filters: {} }, /name/],
    [{ name: "b" }, /filters/],
    [{ name: "b", filters: {}, extra: 1 }, /extra/],
    [{ name: " ", filters: {} }, /name/],
    [{ name: "b", filters: { year: "x" } }, /filters\.year/],
    [{ name: "b\u0000", filters: {} }, /null characters/],
    [{ name: "b", filters: { x: "\ud800" } }, /surrogate/],
    [{ name: "b", filters: {}, source_market: "US" }, /source_market/],
    [{ name: "b", filters: {}, columns: ["a b"] }, /columns/],
    [{ name: "b", filters: {}, id: "7" }, /id/],
  ];

  for (const [body, message] of refusals) {
    const answer = await own.send("POST", "/v2/views", body);
    assert.deepEqual([answer.status, answer.body.error.code], [400, "invalid_payload"]);
    assert.match(answer.body.error.message, message);
  }
  for (const patch of [{}, { name: null }, { filters: null }, { id: made.body.id }, { x: 1 }]) {
    assert.equal((await own.send("PATCH", path, patch)).status, 400, JSON.stringify(patch));
  }
  const as = { authorization: `Bearer ${readOnly}` };
  assert.equal((await own.send("POST", "/v2/views", { name: "b", filters: {} }, as)).status, 403);
  assert.equal((await own.send("PATCH", path, { name: "b" }, as)).status, 403);
  assert.equal((await own.send("DELETE", path, undefined, as)).status, 403);
  assert.equal((await own.call("GET", path, as)).status, 200);
  assert.equal((await own.send("PATCH", `/v2/views/${randomUUID()}`, { name: "b" })).status, 404);
  assert.equal((await own.call("GET", "/v2/views/7")).status, 400);
  assert.equal((await own.call("GET", "/v2/views?cursor=abc")).status, 400);
  assert.equal((await own.call("GET", "/v2/views?limit=201")).status, 400);
  assert.deepEqual((await own.call("GET", "/v2/views")).body, { items: [made.body] });
});

test("pages visit every view once, by name, also after the longest names", async (t) => {
  const own = await borrowTestApp(t);
  const long = "\u{1f600}".repeat(60);
  const quoted = '"'.repeat(120);
  for (const name of ["b", "A", long, "ä", quoted, "c"]) {
    await own.send("POST", "/v2/views", { name, filters: {} });
  }

  const names: string[] = [];
  let cursor = "";
  do {
    const page = await own.call("GET", `/v2/views?limit=1${cursor}`);
    names.push(...page.body.items.map((view: { name: string }) => view.name));
    cursor = page.body.next_cursor === undefined ? "" : `&cursor=${page.body.next_cursor}`;
  } while (cursor !== "");

  assert.deepEqual(names, [quoted, "A", "b", "c", "ä", long]);
});
