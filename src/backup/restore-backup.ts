import { OperatorError } from "../base/errors.ts";
import type { Logger } from "../base/log.ts";
import { CHANGES_NAME } from "../db/changes.ts";
import { type CopyConnection, withCopyConnection } from "../db/copy.ts";
import type { Database, DatabasePool } from "../db/database.ts";
import { takeLock } from "../db/locks.ts";
import { listMigrations, type Migration, migrate } from "../db/migrate.ts";
import type { PoolOptions } from "../db/pool.ts";
import { rawSql, sql } from "../db/sql.ts";
import { isStoreDown } from "../db/store-error.ts";
import type { BackupHeader, BackupTrailer } from "./backup-file.ts";
import { openBackup, skip, type TakeTable, verifyBackup } from "./read-backup.ts";
import { copyTarget, createIndexes, dropIndexes, listTables, quoteName } from "./store-tables.ts";

/** Tables that a start of the service fills without any user. */
const FILLED_AT_START: ReadonlySet<string> = new Set([
  "fx_rate",
  "fx_release",
  "saved_filter_change",
  "store_identity",
]);

/** Below, creating indexes again takes longer than keeping them. */
const LARGE_ROWS = 1_000;
const DISK_FULL = "53100";

interface RestoreOptions {
  readonly pool: DatabasePool;
  readonly url: PoolOptions["url"];
  readonly path: string;
  readonly log: Logger;
  /** Tables that stay empty. Their rows are checked like all others. */
  readonly leftOut?: ReadonlySet<string>;
  readonly onRows?: (count: number) => void;
  /** All rows are there; this many indexes are built now. */
  readonly onIndexes?: (count: number) => void;
}

/**
 * Fills an empty store from a backup: in one transaction, which is committed only when the whole file was read and is what was
 * written. The file is read twice, because the server would meet a damaged row before its check sum. An older backup is restored as it
 * was, then migrated.
 */
export async function restoreBackup(options: RestoreOptions): Promise<BackupTrailer> {
  const { pool, url, path, log } = options;
  await refuseService(pool);
  const verified = await verifyBackup(path);
  const migrations = chooseMigrations(verified.header);
  await migrate(pool, log, migrations).catch((error: unknown) => {
    throw error instanceof OperatorError ? notEmpty(error.message, error) : error;
  });
  const state = { isCommitting: false };
  const trailer = await withCopyConnection(url, async (connection) => {
    await connection.script("begin; set local idle_in_transaction_session_timeout = 0");
    await takeLock(connection, "backup");
    await takeLock(connection, "pipeline");
    await refuseUsed(connection);
    const large = verified.trailer.tables.filter(({ row_count }) => row_count >= LARGE_ROWS);
    const indexes = await dropIndexes(
      connection,
      large.map(({ name }) => name),
    );
    const restored = await fillTables(connection, options);
    options.onIndexes?.(indexes.length);
    await createIndexes(connection, indexes);
    state.isCommitting = true;
    await connection.script("commit");
    return restored;
  }).catch((error: unknown) => {
    throw explainFailure(error, state.isCommitting);
  });
  await migrate(pool, log).catch((error: unknown) => {
    throw new OperatorError(
      "the backup is restored, but newer migrations failed: start `assay serve`, which runs them again",
      error,
    );
  });
  await gatherStatistics(pool, log);
  return trailer;
}

/** The server gathers them itself later, if it cannot now; the rows are there. */
async function gatherStatistics(pool: DatabasePool, log: Logger): Promise<void> {
  try {
    await pool.session((db) => db.script("set statement_timeout = 0; analyze"));
  } catch (error) {
    log.warn({ err: error }, "cannot gather statistics after the restore");
  }
}

/** Without a commit, the server rolls back, even if it stops because its log does not fit the disk. */
function explainFailure(error: unknown, isCommitting: boolean): unknown {
  if ((error as { code?: unknown }).code === DISK_FULL) {
    return new OperatorError(
      "the disk of the store is full: nothing was restored; make room, then try again",
      error,
    );
  }
  if (!isStoreDown(error)) return error;
  return new OperatorError(
    isCommitting
      ? "the server went away at the end: try again; if everything was restored, the store says that it is not empty"
      : "the server went away: nothing was restored; check that it runs and that its disk is not full, then try again",
    error,
  );
}

/** Those that had run when the backup was written. */
function chooseMigrations({ migrations }: BackupHeader): readonly Migration[] {
  const known = new Map(listMigrations().map((migration) => [migration.version, migration]));
  return migrations.map(({ version, name, sha256 }) => {
    const migration = known.get(version);
    if (migration?.sha256 === sha256) return migration;
    throw new OperatorError(
      migration === undefined
        ? `the backup has migration ${name}, which this version of Assay does not know: a newer one wrote it; restore with that`
        : `the backup was made with another migration ${name} than this version of Assay has`,
    );
  });
}

/**
 * A service knows what it has read, and would not hear of rows that come without their triggers. Whatever its role, it listens to
 * changes.
 */
async function refuseService(db: Database): Promise<void> {
  const services = await db.query(sql`
    select 1 from pg_stat_activity
     where datname = current_database() and application_name = ${CHANGES_NAME}
     limit 1`);
  if (services.length > 0) {
    throw new OperatorError("a service uses this store: stop it, restore, then start it again");
  }
}

async function refuseUsed(db: Database): Promise<void> {
  for (const { name } of await listTables(db)) {
    if (FILLED_AT_START.has(name)) continue;
    const rows = await db.query(sql`select 1 from ${rawSql(quoteName(name))} limit 1`, {
      isStatic: false,
    });
    if (rows.length > 0) throw notEmpty(`table ${name} has rows`);
  }
  const declared = await db.query(sql`select 1 from fx_rate where kind = 'declared' limit 1`);
  if (declared.length > 0) throw notEmpty("it has declared rates");
}

function notEmpty(reason: string, cause?: unknown): OperatorError {
  return new OperatorError(
    `the store is not empty (${reason}): restore into a new folder (ASSAY_DATA_DIR) or a new database (DATABASE_URL)`,
    cause,
  );
}

/** Triggers are off meanwhile: they would count again what the rows already tell, and take new numbers for them. */
async function fillTables(
  connection: CopyConnection,
  { path, onRows, leftOut }: RestoreOptions,
): Promise<BackupTrailer> {
  const tables = await listTables(connection);
  const names = tables.map(({ name }) => quoteName(name));
  const switchTriggers = (state: "enable" | "disable") =>
    connection.script(names.map((name) => `alter table ${name} ${state} trigger user`).join("; "));
  await switchTriggers("disable");
  await connection.script(`truncate ${names.join(", ")}`);
  const reader = await openBackup(path);
  const take: TakeTable = async (table, rows) => {
    if (leftOut?.has(table.name) === true) await skip(table, rows);
    else await connection.copyIn(`copy ${copyTarget(table)} from stdin`, rows);
  };
  const trailer = await reader.readTables(take, onRows).finally(reader.close);
  await switchTriggers("enable");
  for (const { name, last_value, is_called } of trailer.sequences) {
    await connection.execute(
      sql`select setval(${quoteName(name)}::regclass, ${last_value}, ${is_called})`,
    );
  }
  return trailer;
}
