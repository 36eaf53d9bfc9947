import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { sleep } from "../base/clock.ts";
import { OperatorError } from "../base/errors.ts";
import type { Logger } from "../base/log.ts";
import { type Database, type DatabasePool, LONG_WORK, type Transaction } from "./database.ts";
import { takeLock } from "./locks.ts";
import { sql } from "./sql.ts";
import { isLockTimeout } from "./store-error.ts";

export interface Migration {
  readonly version: number;
  readonly name: string;
  readonly sql: string;
  readonly sha256: string;
}

export interface AppliedMigration {
  readonly version: number;
  readonly name: string;
  readonly sha256: string;
}

const MIGRATIONS_FOLDER = fileURLToPath(new URL("../../migrations", import.meta.url));

/** The migrations of this version of Assay, in order. */
export function listMigrations(folder = MIGRATIONS_FOLDER): readonly Migration[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith(".sql"))
    .sort()
    .map((file) => {
      const sql = readFileSync(join(folder, file), "utf8");
      const sha256 = createHash("sha256").update(sql).digest("hex");
      return { version: Number.parseInt(file, 10), name: file.replace(/\.sql$/, ""), sql, sha256 };
    });
}

/** While a migration waits for a table, everyone else waits behind it. So it gives up soon, and lets the others pass. */
const TABLE_WAIT_MAX_MS = 2_000;
const PAUSE_MS = 1_000;
const ATTEMPTS_MAX = 60;

/**
 * Brings the schema up to date; any number of processes may call it at once, and those of the version before go on working.
 * Each migration is a transaction of its own, so none holds its locks while the next one runs, and after a crash between two
 * the next start goes on. Returns the names of what it ran.
 */
export async function migrate(
  pool: DatabasePool,
  log: Logger,
  migrations = listMigrations(),
): Promise<readonly string[]> {
  const done: string[] = [];
  if (listPending(migrations, await listApplied(pool)).length === 0) return done;
  for (;;) {
    const name = await runPatiently(pool, log, migrations);
    if (name === undefined) return done;
    done.push(name);
  }
}

async function runPatiently(
  pool: DatabasePool,
  log: Logger,
  migrations: readonly Migration[],
): Promise<string | undefined> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await pool.transaction((tx) => runNext(tx, log, migrations), LONG_WORK);
    } catch (error) {
      if (!isLockTimeout(error) || attempt >= ATTEMPTS_MAX) throw error;
      log.warn(
        { attempt },
        "a table is in use for long; the migration lets others pass and tries again",
      );
      await sleep(PAUSE_MS);
    }
  }
}

/** Runs the first migration that is not applied, whichever process applied those before. Returns undefined if there is none. */
async function runNext(
  tx: Transaction,
  log: Logger,
  migrations: readonly Migration[],
): Promise<string | undefined> {
  await takeLock(tx, "migration");
  await tx.execute(sql`select set_config('lock_timeout', ${String(TABLE_WAIT_MAX_MS)}, true)`);
  await tx.execute(sql`
    create table if not exists schema_migration (
      version integer primary key,
      name text not null,
      sha256 text not null,
      applied_at_ms bigint not null default extract(epoch from clock_timestamp()) * 1000
    )`);
  const [migration] = listPending(migrations, await listApplied(tx));
  if (migration === undefined) return undefined;
  await tx.script(migration.sql);
  await tx.execute(sql`
    insert into schema_migration (version, name, sha256)
    values (${migration.version}, ${migration.name}, ${migration.sha256})`);
  log.info({ migration: migration.name }, "migrated");
  return migration.name;
}

export async function listApplied(db: Database): Promise<readonly AppliedMigration[]> {
  const [row] = await db.query<{ exists: boolean }>(sql`
    select to_regclass('schema_migration') is not null as exists`);
  if (row?.exists !== true) return [];
  return db.query<AppliedMigration>(sql`
    select version, name, sha256 from schema_migration order by version limit 10000`);
}

function listPending(
  migrations: readonly Migration[],
  applied: readonly AppliedMigration[],
): readonly Migration[] {
  const known = new Map(migrations.map((migration) => [migration.version, migration]));
  for (const { version, name, sha256 } of applied) {
    const migration = known.get(version);
    if (migration === undefined) {
      throw new OperatorError(
        `the database has migration ${name}, which this version of Assay does not know: ` +
          "it was used by a newer one; run that, or restore an older backup",
      );
    }
    if (migration.sha256 !== sha256) {
      throw new OperatorError(
        `migration ${name} is not the one that made this database: migrations/ was changed by hand`,
      );
    }
  }
  const done = new Set(applied.map(({ version }) => version));
  return migrations.filter(({ version }) => !done.has(version));
}
