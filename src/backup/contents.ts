import { type Static, type TSchema, Type } from "typebox";
import { Value } from "typebox/value";
import { OperatorError } from "../base/errors.ts";

const Name = Type.String({ pattern: "^[a-z][a-z0-9_]{0,62}$" });
const Sha256 = Type.String({ pattern: "^[0-9a-f]{64}$" });
const Count = Type.Integer({ minimum: 0 });

const TableSchema = Type.Object({ name: Name, columns: Type.Array(Name, { minItems: 1 }) });

/** What stands at the start of a backup: enough to say whether and how it can be restored. */
const HeaderSchema = Type.Object({
  created_at_ms: Count,
  server_version: Type.String(),
  migrations: Type.Array(Type.Object({ version: Count, name: Type.String(), sha256: Sha256 })),
  /** In an order in which each row's references come before it. */
  tables: Type.Array(TableSchema),
});

const TableSumSchema = Type.Object({
  name: Name,
  row_count: Count,
  byte_count: Count,
  sha256: Sha256,
});

/** What stands at the end: a file that has it is whole. */
const TrailerSchema = Type.Object({
  tables: Type.Array(TableSumSchema),
  sequences: Type.Array(
    Type.Object({ name: Name, last_value: Type.Integer(), is_called: Type.Boolean() }),
  ),
});

export type BackupTable = Static<typeof TableSchema>;
export type BackupHeader = Static<typeof HeaderSchema>;
export type TableSum = Static<typeof TableSumSchema>;
export type BackupTrailer = Static<typeof TrailerSchema>;

export const parseHeader = (content: Buffer): BackupHeader => parse(HeaderSchema, content);
export const parseTable = (content: Buffer): BackupTable => parse(TableSchema, content);
export const parseTableSum = (content: Buffer): TableSum => parse(TableSumSchema, content);
export const parseTrailer = (content: Buffer): BackupTrailer => parse(TrailerSchema, content);

function parse<Schema extends TSchema>(schema: Schema, content: Buffer): Static<Schema> {
  let given: unknown;
  try {
    given = JSON.parse(content.toString("utf8"));
  } catch (error) {
    throw new OperatorError("the backup is damaged", error);
  }
  if (!Value.Check(schema, given)) throw new OperatorError("the backup is damaged");
  return given;
}
