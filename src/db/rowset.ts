import { joinSql, rawSql, type Sql, sql } from "./sql.ts";

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
    const toText = toTextOf(type);
    const elements = rows.map((row) => toElement(row[column], toText));
    return sql`${toArray(elements)}::${rawSql(isArray(type) ? "text" : type)}[]`;
  });
  const names = types.map(([column]) => column).join(", ");
  // `unnest` would make one list of nested arrays, so these travel as text.
  const read = types.map(([column, type]) => (isArray(type) ? `${column}::${type}` : column));
  return sql`
    (select ${rawSql(read.join(", "))}
       from unnest(${joinSql(values, ", ")}) as sent (${rawSql(names)})) as ${rawSql(name)}`;
}

type ToText = (value: unknown) => string;

function isArray(type: string): boolean {
  return type.endsWith("[]");
}

function toTextOf(type: string): ToText {
  if (type === "jsonb") return JSON.stringify;
  if (!isArray(type)) return String;
  return (value) => toArray((value as readonly unknown[]).map((one) => toElement(one, String)));
}

function toArray(elements: readonly string[]): string {
  return `{${elements.join(",")}}`;
}

/** Digits, ids and most words go as they are. */
const PLAIN = /^[\w-]+$/;

function toElement(value: unknown, toText: ToText): string {
  if (value === null || value === undefined) return "NULL";
  const text = toText(value);
  if (PLAIN.test(text) && text.toLowerCase() !== "null") return text;
  return `"${text.replace(/["\\]/g, "\\$&")}"`;
}
