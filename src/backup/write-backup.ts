import { existsSync, renameSync, rmSync } from "node:fs";
import { open } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { isDeepStrictEqual } from "node:util";
import { createGzip } from "node:zlib";
import type { Clock } from "../base/clock.ts";
import { OperatorError } from "../base/errors.ts";
import { type CopyConnection, withCopyConnection } from "../db/copy.ts";
import type { Database, DatabasePool } from "../db/database.ts";
import { whileLocked } from "../db/locks.ts";
import { listApplied } from "../db/migrate.ts";
import type { PoolOptions } from "../db/pool.ts";
import { sql } from "../db/sql.ts";
import {
  type BackupHeader,
  type BackupTable,
  type BackupTrailer,
  FIRST_LINE,
  type FrameKind,
  startTableSum,
  type TableSum,
  toFrame,
} from "./backup-file.ts";
import { copyNothing, copyTarget, listSequences, listTables, quoteName } from "./store-tables.ts";

/** More would cost processor time that the service needs, and save little. */
const COMPRESSION_LEVEL = 3;
/** A migration or a replay may hold a table; others would wait behind this one. */
const LOCK_WAIT_MAX_MS = 20_000;

/** They may be many times as large as all others together. */
const MEDIA_TABLES: ReadonlySet<string> = new Set(["media_file", "media_twin"]);

/** Why a file cannot be written, by the error of the system. */
const REASONS: Readonly<Record<string, string>> = {
  ENOSPC: "the disk is full",
  EDQUOT: "the disk quota is used up",
  EFBIG: "the file would be larger than the system allows (ulimit -f)",
};

interface BackupOptions {
  readonly pool: DatabasePool;
  readonly url: PoolOptions["url"];
  readonly path: string;
  readonly clock: Clock;
  /** Also the pictures. Without them the file knows which there were, and they are fetched again when someone asks for them. */
  readonly withMedia?: boolean;
  readonly onRows?: (count: number) => void;
}

/**
 * Writes one file with all rows as they are at one moment, while the service runs. The file gets its name when it is complete; a
 * failure leaves nothing.
 */
export async function writeBackup(options: BackupOptions): Promise<BackupTrailer> {
  const { pool, path } = options;
  if (existsSync(path)) throw new OperatorError(`${path} exists already: choose another name`);
  const written = await whileLocked(pool, "backup", () => writeDraft(options, `${path}.part`));
  if (written === undefined) {
    throw new OperatorError("another backup or a replay is under way: try again when it is done");
  }
  return written.result;
}

async function writeDraft(options: BackupOptions, draft: string): Promise<BackupTrailer> {
  const { url, path } = options;
  try {
    rmSync(draft, { force: true });
    const trailer = await withCopyConnection(url, async (connection) => {
      const snapshot = await openSnapshot(connection, options);
      const gzip = createGzip({ level: COMPRESSION_LEVEL });
      const file = (await open(draft, "wx", 0o600)).createWriteStream({ flush: true });
      file.write(FIRST_LINE);
      await pipeline(snapshot.frames, gzip, file);
      return snapshot.trailer;
    });
    renameSync(draft, path);
    return trailer;
  } catch (error) {
    rmSync(draft, { force: true });
    throw explain(error, path);
  }
}

/**
 * All rows as they are at one moment. The tables are locked before the first query, because only from there on the transaction
 * sees that moment, and a truncation in between would empty a table that is read later.
 */
async function openSnapshot(
  connection: CopyConnection,
  { pool, clock, withMedia = false, onRows = () => undefined }: BackupOptions,
) {
  const tables = await listTables(pool);
  await connection.script(
    `begin isolation level repeatable read read only;
     set local lock_timeout = ${LOCK_WAIT_MAX_MS};
     set local idle_in_transaction_session_timeout = 0;
     lock table ${tables.map(({ name }) => quoteName(name)).join(", ")} in access share mode`,
  );
  if (!isDeepStrictEqual(await listTables(connection), tables)) {
    throw new OperatorError("the store was migrated just now: try again");
  }
  const header = await toHeader(connection, tables, clock.nowMs());
  const trailer: BackupTrailer = { tables: [], sequences: [] };
  const frames = async function* (): AsyncIterable<Buffer> {
    yield* toJsonFrame("header", header);
    for (const table of tables) {
      yield* toJsonFrame("table", table);
      const sum = startTableSum(table.name);
      const isEmpty = !withMedia && MEDIA_TABLES.has(table.name);
      const rowsOf = isEmpty ? copyNothing(table) : copyTarget(table);
      for await (const rows of connection.copyOut(`copy ${rowsOf} to stdout`)) {
        onRows(sum.add(rows));
        yield* toFrame("rows", rows);
      }
      const total: TableSum = sum.finish();
      trailer.tables.push(total);
      yield* toJsonFrame("end", total);
    }
    trailer.sequences.push(...(await listSequences(connection)));
    yield* toJsonFrame("trailer", trailer);
  };
  return { frames, trailer };
}

async function toHeader(
  db: Database,
  tables: readonly BackupTable[],
  nowMs: number,
): Promise<BackupHeader> {
  const [server] = await db.query<{ version: string }>(sql`
    select current_setting('server_version') as version`);
  return {
    created_at_ms: nowMs,
    server_version: server?.version ?? "",
    migrations: [...(await listApplied(db))],
    tables: [...tables],
  };
}

function toJsonFrame(kind: FrameKind, value: object): readonly Buffer[] {
  return toFrame(kind, Buffer.from(JSON.stringify(value)));
}

function explain(error: unknown, path: string): unknown {
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (syscall === undefined || code === undefined) return error;
  const reason = REASONS[code] ?? code;
  return new OperatorError(`cannot write ${path}: ${reason}; nothing was left there`, error);
}
