import assert from "node:assert/strict";
import { chmodSync, statSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { Database } from "../../src/db/database.ts";
import { listMigrations } from "../../src/db/migrate.ts";
import { sql } from "../../src/db/sql.ts";
import { ensureDemoToken } from "../../src/demo/tour.ts";
import { createTokenText } from "../../src/people/token.ts";
import { listTokens, saveToken } from "../../src/people/token-store.ts";
import { aFolder } from "../support/run-assay.ts";
import { borrowTestDatabase } from "../support/shared-store.ts";
import { createTestClock, NOW_MS } from "../support/test-app.ts";

const MIGRATION = "demo-token-name";

test("the store has only the start of the demo token, and its hash", async (t) => {
  const { pool } = await borrowTestDatabase(t);

  const token = await ensureDemoToken(pool, { dataDir: aFolder(t), clock: createTestClock() });

  const rows = JSON.stringify(await listTokens(pool));
  assert.match(rows, /"name":"demo [0-9a-f]{8}"/);
  assert.ok(!rows.includes(token.slice(-8)));
});

test("only its owner can read the file of the demo token, also one that others could read", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  const dataDir = aFolder(t);
  const file = join(dataDir, "demo-token");
  const clock = createTestClock();
  const token = await ensureDemoToken(pool, { dataDir, clock });
  chmodSync(file, 0o644);

  assert.equal(await ensureDemoToken(pool, { dataDir, clock }), token);
  assert.equal(statSync(file).mode & 0o777, 0o600);
});

test("the migration renames the demo's token, and no token that a person named", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  const text = createTokenText();
  await addNamed(pool, `demo ${text.slice(-8)}`, text);
  const renamed = async (): Promise<readonly string[]> => {
    const migration = listMigrations().find(({ name }) => name.endsWith(MIGRATION));
    await pool.transaction((tx) => tx.script(migration?.sql ?? ""));
    return (await listTokens(pool)).map(({ name }) => name);
  };

  const elsewhere = await renamed();
  await pool.execute(sql`insert into demo_load (from_ms) values (${NOW_MS})`);
  const inDemo = await renamed();

  assert.deepEqual(elsewhere, [`demo ${text.slice(-8)}`]);
  assert.match(inDemo.join(), /^demo [0-9a-f]{8}$/);
  assert.ok(!inDemo.join().includes(text.slice(-8)));
});

async function addNamed(db: Database, name: string, text: string): Promise<void> {
  await saveToken(db, { text, name, role: "owner", createdAtMs: NOW_MS });
}
