import { assert } from "../base/errors.ts";
import type { Database } from "../db/database.ts";
import { rawSql, sql } from "../db/sql.ts";
import type { BackupTable, BackupTrailer } from "./backup-file.ts";

/** Made by the migrations themselves. */
const MIGRATION_TABLE = "schema_migration";

/** All tables but that of the migrations, with the columns that can be written, each after those that it refers to. */
export async function listTables(db: Database): Promise<readonly BackupTable[]> {
  const tables = await db.query<BackupTable & { readonly references: readonly string[] }>(sql`
    select class.relname as name,
           (select array_agg(attname::text order by attnum) from pg_attribute
             where attrelid = class.oid and attnum > 0 and not attisdropped and attgenerated = '') as columns,
           array(select distinct target.relname::text
                   from pg_constraint
                   join pg_class as target on target.oid = confrelid
                  where contype = 'f' and conrelid = class.oid and confrelid <> conrelid) as references
      from pg_class as class
     where relnamespace = 'public'::regnamespace and relkind = 'r' and relname <> ${MIGRATION_TABLE}
     order by relname
     limit 1000`);
  const placed: BackupTable[] = [];
  const names = new Set<string>();
  let left = tables;
  while (left.length > 0) {
    const ready = left.filter(({ references }) => references.every((name) => names.has(name)));
    assert(ready.length > 0, "tables refer to each other in a circle");
    for (const { name, columns } of ready) {
      placed.push({ name, columns });
      names.add(name);
    }
    left = left.filter(({ name }) => !names.has(name));
  }
  return placed;
}

/** As they are now: a sequence belongs to no snapshot, and may only be ahead of the rows. */
export async function listSequences(db: Database): Promise<BackupTrailer["sequences"]> {
  const names = await db.query<{ name: string }>(sql`
    select sequencename as name from pg_sequences where schemaname = 'public' order by 1 limit 1000`);
  const sequences: BackupTrailer["sequences"] = [];
  for (const { name } of names) {
    const [state] = await db.query<{ last_value: number; is_called: boolean }>(
      sql`select last_value, is_called from ${rawSql(quoteName(name))}`,
      { isStatic: false },
    );
    assert(state !== undefined, `sequence ${name} is gone`);
    sequences.push({ name, ...state });
  }
  return sequences;
}

export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** The table and its columns, as COPY names them. */
export function copyTarget({ name, columns }: BackupTable): string {
  return `${quoteName(name)} (${columns.map(quoteName).join(", ")})`;
}

/** The columns of the table and none of its rows, as COPY names them. */
export function copyNothing({ name, columns }: BackupTable): string {
  return `(select ${columns.map(quoteName).join(", ")} from ${quoteName(name)} limit 0)`;
}

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
