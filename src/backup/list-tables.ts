import { assert } from "../base/assert.ts";
import type { Database } from "../db/database.ts";
import { rawSql, sql } from "../db/sql.ts";
import type { BackupTable, BackupTrailer } from "./contents.ts";

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
