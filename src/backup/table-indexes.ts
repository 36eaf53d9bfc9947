import type { Database } from "../db/database.ts";
import { rawSql, sql } from "../db/sql.ts";
import { quoteName } from "./list-tables.ts";

/** Memory of the server for building one index; more saves little. */
const BUILD_MEMORY = "256MB";

/**
 * Drops the indexes of these tables that no constraint needs, for the rest of the transaction. Building an index once takes a fraction of the
 * time of keeping it while rows are copied. Returns the statements that create them again.
 */
export async function dropIndexes(
  tx: Database,
  tables: readonly string[],
): Promise<readonly string[]> {
  const indexes = await tx.query<{ name: string; definition: string }>(sql`
    select class.relname as name, pg_get_indexdef(class.oid) as definition
      from pg_index as index
      join pg_class as class on class.oid = index.indexrelid
      join pg_class as owner on owner.oid = index.indrelid
     where owner.relnamespace = 'public'::regnamespace and owner.relname = any(${[...tables]}::text[])
       and not exists (select from pg_constraint where conindid = class.oid)
     order by class.relname
     limit 1000`);
  for (const { name } of indexes) {
    await tx.execute(sql`drop index ${rawSql(quoteName(name))}`, { isStatic: false });
  }
  return indexes.map(({ definition }) => definition);
}

export async function createIndexes(tx: Database, statements: readonly string[]): Promise<void> {
  await tx.script(`set local maintenance_work_mem = '${BUILD_MEMORY}'`);
  for (const statement of statements) await tx.script(statement);
}
