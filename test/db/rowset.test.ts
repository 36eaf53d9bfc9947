import assert from "node:assert/strict";
import { test } from "node:test";
import { rowset, sql } from "../../src/db/sql.ts";
import { openTestDatabase } from "../support/test-database.ts";

const HOSTILE = [
  "",
  " ",
  "null",
  "NULL",
  "nullify",
  "{}",
  "a{b",
  "a,b",
  '"',
  "\\",
  '\\"',
  "{\"a\": 'b'}",
  "line\nbreak\ttab",
  "Ωmega 劳力士 👑",
  "%s $1 {2}",
];

test("rows come back as they were sent, whatever their texts contain", async (t) => {
  const { pool } = await openTestDatabase(t);
  const rows = HOSTILE.map((text, at) => ({
    at,
    text: at % 3 === 0 ? null : text,
    big: 9_007_199_254_740_991 - at,
    share: at / 7,
    is_even: at % 2 === 0,
    tags: [text, null, "plain"].slice(at % 3),
    empty: [],
    told: { [`key ${text}`]: [text, null, 1.5, true] },
    list: [{ text }, at],
  }));

  const stored = await pool.query(sql`
    select at, text, big, share, is_even, tags, empty, told, list
      from ${rowset("row", rows, {
        at: "integer",
        text: "text",
        big: "bigint",
        share: "double precision",
        is_even: "boolean",
        tags: "text[]",
        empty: "uuid[]",
        told: "jsonb",
        list: "jsonb",
      })}
     order by at`);

  assert.deepEqual(stored, rows);
});

test("a member that is absent is null, and no rows are an empty source", async (t) => {
  const { pool } = await openTestDatabase(t);
  const columns = { id: "integer", note: "text", tags: "text[]" };

  const some = await pool.query(sql`select * from ${rowset("row", [{ id: 1 }], columns)}`);
  const none = await pool.query(sql`select * from ${rowset("row", [], columns)}`);

  assert.deepEqual(some, [{ id: 1, note: null, tags: null }]);
  assert.deepEqual(none, []);
});
