import { join } from "node:path";
import type { TestContext } from "node:test";
import { restoreBackup } from "../../src/backup/restore-backup.ts";
import { writeBackup } from "../../src/backup/write-backup.ts";
import { systemClock } from "../../src/base/clock.ts";
import { createLogger } from "../../src/base/log.ts";
import type { DatabasePool } from "../../src/db/database.ts";
import { rawSql, sql } from "../../src/db/sql.ts";
import { aFolder } from "./run-assay.ts";
import type { TestDatabase } from "./test-database.ts";

/** Writes a backup of the database and returns its path. */
export async function backUp(
  t: Pick<TestContext, "after">,
  { pool, url }: TestDatabase,
): Promise<string> {
  const path = join(aFolder(t), "test.backup");
  await writeBackup({ pool, url, path, clock: systemClock });
  return path;
}

export async function restore({ pool, url }: TestDatabase, path: string): Promise<void> {
  await restoreBackup({ pool, url, path, log: createLogger("silent") });
}

/** The content of every table and sequence, and all indexes, as one line each. */
export async function digestStore(pool: DatabasePool): Promise<Record<string, string>> {
  const tables = await pool.query<{ name: string }>(sql`
    select relname as name from pg_class
     where relnamespace = 'public'::regnamespace and relkind = 'r' and relname <> 'schema_migration' limit 1000`);
  const digests: Record<string, string> = {};
  for (const { name } of tables) {
    const [digest] = await pool.query<{ digest: string }>(
      sql`select count(*) || ' ' || coalesce(md5(string_agg(row::text, ' ' order by row::text)), '') as digest
            from ${rawSql(name)} as row`,
      { isStatic: false },
    );
    digests[name] = digest?.digest ?? "";
  }
  const sequences = await pool.query<{ name: string; value: number | null }>(sql`
    select sequencename as name, last_value as value from pg_sequences where schemaname = 'public' limit 1000`);
  for (const { name, value } of sequences) digests[name] = String(value);
  const indexes = await pool.query<{ name: string; definition: string }>(sql`
    select indexname as name, indexdef as definition from pg_indexes where schemaname = 'public' limit 1000`);
  for (const { name, definition } of indexes) digests[`index ${name}`] = definition;
  return digests;
}
