import { rawSql, type Sql, sql } from "../../src/db/sql.ts";

type Row = Readonly<Record<string, unknown>>;

/** Builds an insert of these rows. The table defines the type of each member, JSON and arrays included. */
export function insertRows(table: string, rows: readonly object[]): Sql {
  const names = columnsOf(rows as readonly Row[]);
  return sql`
    insert into ${rawSql(table)} (${names})
    select ${names} from json_populate_recordset(null::${rawSql(table)}, ${JSON.stringify(rows)}::json)`;
}

/** Builds the `set` part of an update. */
export function setColumns(table: string, row: object): Sql {
  const names = columnsOf([row as Row]);
  return sql`
    (${names}) = (select ${names} from json_populate_record(null::${rawSql(table)}, ${JSON.stringify(row)}::json))`;
}

function columnsOf(rows: readonly Row[]): Sql {
  return rawSql(
    [...new Set(rows.flatMap((row) => Object.keys(row)))].map((name) => `"${name}"`).join(", "),
  );
}
