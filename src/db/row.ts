import type { Database } from "./database.ts";
import { recordset, type Sql, sql } from "./sql.ts";

/** A row without the columns that have no value: the API leaves out what is absent and never sends `null`. */
export type Present<Row> = {
  [Key in keyof Row as null extends Row[Key] ? never : Key]: Row[Key];
} & {
  [Key in keyof Row as null extends Row[Key] ? Key : never]?: NonNullable<Row[Key]>;
};

export function dropNulls<Row extends object>(row: Row): Present<Row> {
  const present: Record<string, unknown> = {};
  // Every row of every response comes through here, and a list of entries would take five times as long.
  for (const name in row) if (row[name] !== null) present[name] = row[name];
  return present as Present<Row>;
}

/** Who may change a declared row: the manifest (`assay apply`) or the API. */
export type ManagedBy = "manifest" | "api";

/** Who saves declared rows, and when. */
export interface Stamp {
  readonly nowMs: number;
  /** The token's name, or `apply`. */
  readonly by: string;
  /** Of the request body that creates the row; absent if no request creates it. */
  readonly createdHash?: string;
}

/** Which rows of a kind to load. Without it, all of them. */
export interface Naming {
  readonly ids?: readonly string[];
  /** Natural keys, such as names. */
  readonly keys?: readonly string[];
}

/** A condition on a table with the column `id`; `key` is the column of the natural key. */
export function isNamed(naming: Naming | undefined, key: Sql): Sql {
  if (naming === undefined) return sql`true`;
  return sql`(id = any(${naming.ids ?? []}::uuid[]) or ${key} = any(${naming.keys ?? []}))`;
}

/**
 * Saves who wrote these rows, after they were saved. The first writer stays in `created_by`. `update` names the table, as
 * in `update market_view`.
 */
export async function saveStamp(
  tx: Database,
  update: Sql,
  rows: readonly { readonly id: string }[],
  stamp: Stamp,
): Promise<void> {
  await tx.execute(sql`
    ${update} as known
       set created_by = coalesce(known.created_by, ${stamp.by}), updated_by = ${stamp.by},
           created_hash = coalesce(known.created_hash, ${stamp.createdHash ?? null})
     where known.id = any(${rows.map(({ id }) => id)}::uuid[])`);
}

/**
 * Replaces names that are about to change by placeholders, so that rows can swap names when they are saved. `update` names
 * the table, as in `update price_profile`.
 */
export async function freeNames(
  tx: Database,
  update: Sql,
  rows: readonly { readonly id: string; readonly name: string }[],
): Promise<void> {
  const named = rows.map(({ id, name }) => ({ id, name }));
  await tx.execute(sql`
    ${update} as known
       set name = known.id::text
      from ${recordset(named)} as declared (id uuid, name text)
     where known.id = declared.id and known.name <> declared.name`);
}
