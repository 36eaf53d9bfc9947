import template, { raw, type Sql, join as toJoined } from "sql-template-tag";

/**
 * SQL with its values bound. A template only describes a statement: nothing runs until it is passed to `query` or
 * `execute`, so templates can be nested, stored and returned like any other value.
 */
export type { Sql } from "sql-template-tag";

export const sql = template;

/** Text that becomes part of the statement as it is. Only for names and keywords of our own, never for input. */
export const rawSql = raw;

/** The parts with a separator between them; there must be at least one. */
export function joinSql(parts: readonly Sql[], separator: string): Sql {
  return toJoined(parts, separator);
}

/** Rows as a source of a statement, to be followed by `as name (column type, …)`: one parameter, however many rows. */
export function recordset(rows: readonly object[]): Sql {
  // As text, because the server would sort and copy every member of a jsonb.
  return sql`json_to_recordset((${JSON.stringify(rows)})::text::json)`;
}
