import type { Database } from "./database.ts";

/** A row without the columns that have no value: the API leaves out what is absent and never sends `null`. */
export type Present<Row> = {
  [Key in keyof Row as null extends Row[Key] ? never : Key]: Row[Key];
} & {
  [Key in keyof Row as null extends Row[Key] ? Key : never]?: NonNullable<Row[Key]>;
};

export function dropNulls<Row extends object>(row: Row): Present<Row> {
  const entries = Object.entries(row).filter(([, value]) => value !== null);
  return Object.fromEntries(entries) as Present<Row>;
}

/** Rows as a source of a statement, to be followed by `as name (column type, …)`: one parameter, however many rows. */
export function recordset(db: Database, rows: readonly object[]) {
  // As text, because the driver would make jsonb of an object, and the server would sort and copy every member.
  return db`json_to_recordset((${JSON.stringify(rows)})::text::json)`;
}

/**
 * Before rows are saved under other names: names that are about to change are given up first, so that rows may take over
 * each other's.
 */
export async function freeNames(
  tx: Database,
  table: "price_profile" | "market_view" | "webhook_target" | "group_preset",
  rows: readonly { readonly id: string; readonly name: string }[],
): Promise<void> {
  const named = rows.map(({ id, name }) => ({ id, name }));
  await tx`
    update ${tx(table)} as known
       set name = known.id::text
      from ${recordset(tx, named)} as declared (id uuid, name text)
     where known.id = declared.id and known.name <> declared.name`;
}
