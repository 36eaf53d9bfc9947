/**
 * The form of a backup file: a line that names it, then gzip over frames. A frame has one byte for its kind, four for the length
 * of its content, and its content. The order is: header; for each table its start, rows in any number of frames, and its end; trailer.
 * A file without a trailer was cut off.
 */
import { createHash } from "node:crypto";
import type { Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { type Static, type TSchema, Type } from "typebox";
import { Value } from "typebox/value";
import { OperatorError } from "../base/errors.ts";

/** The number is that of the form: a reader knows its own and refuses others. */
export const FIRST_LINE = "assay backup 1\n";
const FIRST_WORDS = "assay backup ";
const HEAD_BYTES = 5;
/** Larger than any that is written. */
const CONTENT_BYTES_MAX = 64 * 1024 * 1024;

const KINDS = { header: 72, table: 84, rows: 82, end: 69, trailer: 90 } as const;
export type FrameKind = keyof typeof KINDS;

export interface Frame {
  readonly kind: FrameKind;
  readonly content: Buffer;
}

/** The bytes of a frame, in two parts, so that its content is not copied. */
export function toFrame(kind: FrameKind, content: Buffer): readonly Buffer[] {
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeUInt8(KINDS[kind]);
  head.writeUInt32BE(content.length, 1);
  return [head, content];
}

/** Reads a file from its first line to its last frame. */
export async function* readFrames(file: Readable): AsyncIterable<Frame> {
  const body = await skipFirstLine(file);
  const gunzip = createGunzip();
  body.on("error", (error) => gunzip.destroy(error));
  let pending: Buffer = Buffer.alloc(0);
  try {
    for await (const chunk of body.pipe(gunzip)) {
      pending =
        pending.length === 0 ? (chunk as Buffer) : Buffer.concat([pending, chunk as Buffer]);
      for (let size = sizeOf(pending); size <= pending.length; size = sizeOf(pending)) {
        yield { kind: kindOf(pending), content: pending.subarray(HEAD_BYTES, size) };
        pending = pending.subarray(size);
      }
    }
  } catch (error) {
    throw explain(error);
  }
  if (pending.length > 0)
    throw new OperatorError("the backup is cut off: its last part is missing");
}

async function skipFirstLine(file: Readable): Promise<Readable> {
  let start = Buffer.alloc(0);
  const isWhole = () => start.length >= FIRST_LINE.length;
  try {
    for await (const chunk of file.iterator({ destroyOnReturn: false })) {
      start = Buffer.concat([start, chunk as Buffer]);
      if (isWhole()) break;
    }
  } catch (error) {
    throw explain(error);
  }
  const line = start.subarray(0, FIRST_LINE.length).toString("latin1");
  if (!line.startsWith(FIRST_WORDS)) throw new OperatorError("this is no backup of Assay");
  if (line !== FIRST_LINE) {
    throw new OperatorError(
      "the backup has another form: a newer Assay wrote it; restore with that",
    );
  }
  file.unshift(start.subarray(FIRST_LINE.length));
  return file;
}

/** Infinite while not even the length is there. */
function sizeOf(pending: Buffer): number {
  if (pending.length < HEAD_BYTES) return Number.POSITIVE_INFINITY;
  const length = pending.readUInt32BE(1);
  if (length > CONTENT_BYTES_MAX) throw new OperatorError("the backup is damaged");
  return HEAD_BYTES + length;
}

function kindOf(pending: Buffer): FrameKind {
  const code = pending.readUInt8();
  const found = Object.entries(KINDS).find(([, known]) => known === code);
  if (found === undefined) throw new OperatorError("the backup is damaged");
  return found[0] as FrameKind;
}

function explain(error: unknown): unknown {
  const code = String((error as { code?: unknown }).code);
  if (code === "Z_BUF_ERROR")
    return new OperatorError("the backup is cut off: its end is missing", error);
  if (code.startsWith("Z_")) return new OperatorError("the backup is damaged", error);
  if (code.startsWith("E")) return new OperatorError(`the backup cannot be read (${code})`, error);
  return error;
}

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

const NEWLINE = 10;

/** Counts and sums what goes by. A row of COPY's text form ends with a newline and contains none. */
export function startTableSum(name: string) {
  const hash = createHash("sha256");
  const counted = { rows: 0, bytes: 0 };
  return {
    /** Returns how many rows ended in it. */
    add: (bytes: Buffer): number => {
      hash.update(bytes);
      counted.bytes += bytes.length;
      let rows = 0;
      for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, at + 1)) rows += 1;
      counted.rows += rows;
      return rows;
    },
    finish: (): TableSum => ({
      name,
      row_count: counted.rows,
      byte_count: counted.bytes,
      sha256: hash.digest("hex"),
    }),
  };
}
