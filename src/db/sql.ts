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

/**
 * Rows as a source of a statement, called `name`: one parameter for each column. For wide rows, because the server reads
 * arrays in a fraction of the time that JSON takes it; `recordset` is shorter for the others.
 *
 * Example: `rowset("ask", [{ id: 1, tags: ["a"] }], { id: "integer", tags: "text[]" })`.
 */
export function rowset<Column extends string>(
  name: string,
  rows: readonly { readonly [column in NoInfer<Column>]?: unknown }[],
  columns: Readonly<Record<Column, string>>,
): Sql {
  const types = Object.entries<string>(columns) as [Column, string][];
  const values = types.map(([column, type]) => {
    const toElement = toElementOf(type);
    const elements = rows.map((row) => toElement(row[column]));
    return sql`${toArray(elements)}::${rawSql(isArray(type) ? "text" : type)}[]`;
  });
  const names = types.map(([column]) => column).join(", ");
  // `unnest` would make one list of nested arrays, so these travel as text.
  const read = types.map(([column, type]) => (isArray(type) ? `${column}::${type}` : column));
  return sql`
    (select ${rawSql(read.join(", "))}
       from unnest(${joinSql(values, ", ")}) as sent (${rawSql(names)})) as ${rawSql(name)}`;
}

type ToElement = (value: unknown) => string;

function isArray(type: string): boolean {
  return type.endsWith("[]");
}

/** How a value of this type is written as an element of an array. */
function toElementOf(type: string): ToElement {
  if (UNQUOTED.has(type)) return orNull(String);
  if (type === "jsonb") return orNull((value) => quote(JSON.stringify(value)));
  if (!isArray(type)) return orNull((value) => toTextElement(String(value)));
  const toInner = toElementOf(type.slice(0, -2));
  return orNull((value) => quote(toArray((value as readonly unknown[]).map(toInner))));
}

/** Types whose values have no character that is special in an array. */
const UNQUOTED: ReadonlySet<string> = new Set([
  "uuid",
  "integer",
  "bigint",
  "double precision",
  "boolean",
]);

function orNull(toElement: ToElement): ToElement {
  return (value) => (value === null || value === undefined ? "NULL" : toElement(value));
}

function toArray(elements: readonly string[]): string {
  return `{${elements.join(",")}}`;
}

/** Most words go as they are. */
const PLAIN = /^[\w-]+$/;

function toTextElement(text: string): string {
  const isNullWord = text.length === 4 && text.toLowerCase() === "null";
  return PLAIN.test(text) && !isNullWord ? text : quote(text);
}

function quote(text: string): string {
  return SPECIAL.test(text) ? `"${text.replace(/["\\]/g, "\\$&")}"` : `"${text}"`;
}

const SPECIAL = /["\\]/;
