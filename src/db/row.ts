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
