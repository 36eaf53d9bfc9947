import assert from "node:assert/strict";
import { test } from "node:test";
import { createLogger } from "../../src/base/log.ts";
import { listMigrations, migrate } from "../../src/db/migrate.ts";
import { sql } from "../../src/db/sql.ts";
import { listTokens } from "../../src/people/token-store.ts";
import { NOW_MS } from "../support/test-app.ts";
import { openTestDatabase } from "../support/test-database.ts";

/** The migration that gives roles to tokens. */
const ROLES_VERSION = 54;

test("stored read-only tokens become readers of the market, all others owners", async (t) => {
  const { pool } = await openTestDatabase(t, { template: "template0" });
  const log = createLogger("silent");
  const all = listMigrations();
  await migrate(
    pool,
    log,
    all.filter(({ version }) => version < ROLES_VERSION),
  );
  for (const [name, isReadOnly] of [["reporting", true] as const, ["desk", false] as const]) {
    await pool.execute(sql`
      insert into api_token (name, prefix, sha256, is_read_only, created_at_ms)
      values (${name}, 'assay_', sha256(${name}::bytea), ${isReadOnly}, ${NOW_MS})`);
  }

  await migrate(pool, log, all);

  const rows = await listTokens(pool);
  assert.deepEqual(
    rows
      .map(({ name, role, is_read_only, created_by_token_id }) => [
        name,
        role,
        is_read_only,
        created_by_token_id,
      ])
      .toSorted(),
    [
      ["desk", "owner", false, null],
      ["reporting", "market", true, null],
    ],
  );
});
