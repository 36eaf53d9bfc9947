import assert from "node:assert/strict";
import { test } from "node:test";
import { findNodeProblem } from "../../src/base/node-age.ts";
import { findServerAge, SAFE_MINORS, toServerAge } from "../../src/db/server-age.ts";
import { sql } from "../../src/db/sql.ts";
import { borrowTestDatabase } from "../support/shared-store.ts";

test("a minor version below the first one without known holes has a problem, and no other has", () => {
  const table = { checkedOn: "2026-11-13", minors: { 17: 12, 18: 7 } };

  const problems = [180_006, 180_007, 180_008, 170_011, 190_000].map(
    (number) => toServerAge(number, table).problem,
  );

  assert.deepEqual(problems, [
    "PostgreSQL 18.6 has known security holes; 18.7 had none on 2026-11-13",
    undefined,
    undefined,
    "PostgreSQL 17.11 has known security holes; 17.12 had none on 2026-11-13",
    undefined,
  ]);
});

test("the version is the one that the server tells", async (t) => {
  const { pool } = await borrowTestDatabase(t);

  const { version } = await findServerAge(pool);

  const [row] = await pool.query<{ told: string }>(
    sql`select current_setting('server_version') as told`,
  );
  assert.equal(row?.told.split(" ")[0], version);
});

test("the table of versions has each major version that Assay takes, and the day on which it was true", () => {
  assert.deepEqual(Object.keys(SAFE_MINORS.minors), ["15", "16", "17", "18"]);
  assert.match(SAFE_MINORS.checkedOn, /^\d{4}-\d{2}-\d{2}$/);
});

test("a line of Node without fixes is warned of, and the recommended one is not", () => {
  assert.match(
    findNodeProblem("20.20.2") ?? "",
    /^Node 20 gets no fixes since April 2026; Node 24 /,
  );
  assert.deepEqual(
    [findNodeProblem("22.23.3"), findNodeProblem("24.21.0")],
    [undefined, undefined],
  );
});
