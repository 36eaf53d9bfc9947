import { join } from "node:path";
import type { TestContext } from "node:test";
import { deflateRawSync } from "node:zlib";
import { restoreBackup } from "../../src/backup/restore-backup.ts";
import { writeBackup } from "../../src/backup/write-backup.ts";
import { systemClock } from "../../src/base/clock.ts";
import { createLogger } from "../../src/base/log.ts";
import type { DatabasePool } from "../../src/db/database.ts";
import { rawSql, sql } from "../../src/db/sql.ts";
import { aFolder } from "./run-assay.ts";
import type { TestDatabase } from "./test-database.ts";

/** A file of an archive. The claims are what the archive says about it, if that is not true. */
export interface ZipFile {
  readonly name: string;
  readonly content: Buffer;
  readonly isStored?: boolean;
  readonly claimedBytes?: number;
  readonly isEncrypted?: boolean;
}

/** Reads CSV by RFC 4180, character by character, and throws if the text ends inside of a line. */
export function parseCsv(text: string): string[][] {
  const lines: string[][] = [];
  let line: string[] = [];
  let at = 0;
  while (at < text.length) {
    const { cell, end } = text[at] === '"' ? readQuoted(text, at + 1) : readPlain(text, at);
    line.push(cell);
    if (text[end] === ",") {
      at = end + 1;
      if (at === text.length) throw new Error("the text ends after a comma");
      continue;
    }
    if (text.slice(end, end + 2) !== "\r\n") throw new Error(`no line break at ${end}`);
    lines.push(line);
    line = [];
    at = end + 2;
  }
  return lines;
}

function readPlain(text: string, start: number) {
  let end = start;
  while (end < text.length && text[end] !== "," && text.slice(end, end + 2) !== "\r\n") end += 1;
  return { cell: text.slice(start, end), end };
}

function readQuoted(text: string, start: number) {
  let cell = "";
  for (let at = start; at < text.length; at += 1) {
    if (text[at] !== '"') cell += text[at];
    else if (text[at + 1] === '"') {
      cell += '"';
      at += 1;
    } else return { cell, end: at + 1 };
  }
  throw new Error("a quoted cell does not end");
}

/** Builds a zip archive as phones make them, with the sizes in the list at its end. */
export function buildZip(files: readonly ZipFile[], comment = ""): Buffer {
  const entries: Buffer[] = [];
  const items: Buffer[] = [];
  let offset = 0;
  for (const file of files) {
    const name = Buffer.from(file.name);
    const packed = file.isStored === true ? file.content : deflateRawSync(file.content);
    const head = Buffer.alloc(30);
    head.writeUInt32LE(0x04034b50, 0);
    head.writeUInt16LE(name.length, 26);
    const item = Buffer.alloc(46);
    item.writeUInt32LE(0x02014b50, 0);
    item.writeUInt16LE(file.isEncrypted === true ? 1 : 0, 8);
    item.writeUInt16LE(file.isStored === true ? 0 : 8, 10);
    item.writeUInt32LE(packed.length, 20);
    item.writeUInt32LE(file.claimedBytes ?? file.content.length, 24);
    item.writeUInt16LE(name.length, 28);
    item.writeUInt32LE(offset, 42);
    entries.push(head, name, packed);
    items.push(item, name);
    offset += head.length + name.length + packed.length;
  }
  const list = Buffer.concat(items);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(files.length, 10);
  end.writeUInt32LE(list.length, 12);
  end.writeUInt32LE(offset, 16);
  end.writeUInt16LE(comment.length, 20);
  return Buffer.concat([...entries, list, end, Buffer.from(comment)]);
}

/** Writes a backup of the database and returns its path. */
export async function backUp(
  t: Pick<TestContext, "after">,
  { pool, url }: TestDatabase,
  { withMedia = true }: { readonly withMedia?: boolean } = {},
): Promise<string> {
  const path = join(aFolder(t), "test.backup");
  await writeBackup({ pool, url, path, withMedia, clock: systemClock });
  return path;
}

export async function restore({ pool, url }: TestDatabase, path: string): Promise<void> {
  await restoreBackup({ pool, url, path, log: createLogger("silent") });
}

/** The content of every table and sequence, and all indexes, as one line each. */
export async function digestStore(pool: DatabasePool): Promise<Record<string, string>> {
  const tables = await pool.query<{ name: string }>(sql`
    select relname as name from pg_class
     where relnamespace = 'public'::regnamespace and relkind = 'r' and relname <> 'schema_migration' limit 1000`);
  const digests: Record<string, string> = {};
  for (const { name } of tables) {
    const [digest] = await pool.query<{ digest: string }>(
      sql`select count(*) || ' ' || coalesce(md5(string_agg(row::text, ' ' order by row::text)), '') as digest
            from ${rawSql(name)} as row`,
      { isStatic: false },
    );
    digests[name] = digest?.digest ?? "";
  }
  const sequences = await pool.query<{ name: string; value: number | null }>(sql`
    select sequencename as name, last_value as value from pg_sequences where schemaname = 'public' limit 1000`);
  for (const { name, value } of sequences) digests[name] = String(value);
  const indexes = await pool.query<{ name: string; definition: string }>(sql`
    select indexname as name, indexdef as definition from pg_indexes where schemaname = 'public' limit 1000`);
  for (const { name, definition } of indexes) digests[`index ${name}`] = definition;
  return digests;
}
