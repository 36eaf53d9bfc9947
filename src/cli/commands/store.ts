/** The commands on the store as a whole: migrate, backup, restore. */
import { statSync } from "node:fs";
import { parseArgs } from "node:util";
import type { BackupTrailer } from "../../backup/backup-file.ts";
import { verifyBackup } from "../../backup/read-backup.ts";
import { restoreBackup } from "../../backup/restore-backup.ts";
import { writeBackup } from "../../backup/write-backup.ts";
import { systemClock } from "../../base/clock.ts";
import { listTokens, SIGN_IN_TABLES, TOKEN_TABLE } from "../../people/token-store.ts";
import { type Command, startProgress, type Terminal, UsageError } from "../command.ts";
import { type StoreCall, withStore } from "../with-store.ts";
import { formatTokens } from "./token.ts";

const MIGRATE_HELP = `Runs pending migrations of the database schema and prints their names. The service also does this when it starts.

Usage: assay migrate [--demo]

  --demo   uses the demo database

Example:
  DATABASE_URL=postgres://assay:secret@db.internal/assay assay migrate
`;

export const migrateCommand: Command = {
  summary: "updates the database schema",
  help: MIGRATE_HELP,
  run: async (args, terminal) => {
    const { values } = parseArgs({
      args: [...args],
      options: { demo: { type: "boolean", default: false } },
    });
    const migrated = await withStore(
      terminal,
      { isDemo: values.demo, mayCreate: true },
      async (call) => call.migrated,
    );
    terminal.out.write(migrated.map((name) => `${name}\n`).join(""));
    if (migrated.length === 0) terminal.err.write("the schema is up to date\n");
    return 0;
  },
};

const BACKUP_HELP = `Writes the whole store to one compressed file, as it is at one moment. The service may run meanwhile. The file has everything:
events, messages, listings, prices, alerts, declarations, corrections, and tokens as hashes. It also has the secrets of webhook targets,
so only its owner may read it. It has the pictures of messages only if you ask for them.

Usage: assay backup FILE [--with-media] [--demo]
       assay backup verify FILE

  verify         reads a backup to its end and says whether it is whole; needs no store
  --with-media   also writes the pictures; without them they are fetched again when someone opens their listing
  --demo         uses the demo database

Examples:
  assay backup assay-2026-11-16.backup
  assay backup verify assay-2026-11-16.backup

To restore it: assay restore --help
`;

export const backupCommand: Command = {
  summary: "writes the whole store to one file, and verifies such a file",
  help: BACKUP_HELP,
  run: async (args, terminal) => {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        demo: { type: "boolean", default: false },
        "with-media": { type: "boolean", default: false },
      },
    });
    const isVerify = positionals[0] === "verify" && positionals.length === 2;
    const path = parseFile(isVerify ? positionals.slice(1) : positionals);
    if (isVerify) await verify(path, terminal);
    else await backUp(path, { isDemo: values.demo, withMedia: values["with-media"] }, terminal);
    return 0;
  },
};

async function backUp(
  path: string,
  { isDemo, withMedia }: { readonly isDemo: boolean; readonly withMedia: boolean },
  terminal: Terminal,
): Promise<void> {
  await withStore(terminal, { isDemo }, async ({ store: { pool, hosts: url } }) => {
    const progress = startProgress(terminal, "rows");
    const options = { pool, url, path, withMedia, clock: systemClock, onRows: progress.add };
    const { tables } = await writeBackup(options);
    progress.finish();
    const size = formatBytes(statSync(path).size);
    terminal.err.write(`wrote ${path}: ${tables.length} tables, ${size}\n`);
  });
}

async function verify(path: string, terminal: Terminal): Promise<void> {
  const progress = startProgress(terminal, "rows");
  const { header, trailer } = await verifyBackup(path, progress.add);
  progress.finish();
  const at = new Date(header.created_at_ms).toISOString();
  terminal.out.write(`${path} is whole: ${describe(trailer)}, written at ${at}\n`);
}

function describe({ tables }: BackupTrailer): string {
  const rowCount = tables.reduce((sum, { row_count }) => sum + row_count, 0);
  return `${tables.length} tables, ${rowCount} rows`;
}

function formatBytes(bytes: number): string {
  return bytes < 1e6 ? `${Math.ceil(bytes / 1e3)} kB` : `${Math.round(bytes / 1e6)} MB`;
}

const RESTORE_HELP = `Fills an empty store from a file of "assay backup". A backup of an older version is migrated; one of a newer version is refused. If
anything is wrong with the file, nothing is restored. Stop the service first.

Tokens work as they did when the backup was written, also those that were revoked since: the command prints them, so that you can revoke
them again. Browsers must sign in again.

Usage: assay restore FILE [--without-tokens] [--demo]

  --without-tokens   restores no tokens; create new ones with "assay token create" or "assay console"
  --demo             uses the demo database

Examples:
  ASSAY_DATA_DIR=new-data assay restore assay-2026-11-16.backup
  DATABASE_URL=postgres://assay@db.internal/assay assay restore assay-2026-11-16.backup
`;

export const restoreCommand: Command = {
  summary: "fills an empty store from a backup",
  help: RESTORE_HELP,
  run: async (args, terminal) => {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        demo: { type: "boolean", default: false },
        "without-tokens": { type: "boolean", default: false },
      },
    });
    const path = parseFile(positionals);
    const leftOut = new Set([
      ...SIGN_IN_TABLES,
      ...(values["without-tokens"] ? [TOKEN_TABLE] : []),
    ]);
    const options = { isDemo: values.demo, mayCreate: true, isAsItIs: true };
    await withStore(terminal, options, (call) => restore({ path, leftOut }, call, terminal));
    return 0;
  },
};

async function restore(
  { path, leftOut }: { readonly path: string; readonly leftOut: ReadonlySet<string> },
  { store: { pool, hosts: url }, log }: StoreCall,
  terminal: Terminal,
): Promise<void> {
  terminal.err.write(`checking ${path}\n`);
  const progress = startProgress(terminal, "rows");
  const onIndexes = (count: number): void => {
    progress.finish();
    if (count > 0) terminal.err.write(`building ${count} indexes\n`);
  };
  const onRows = progress.add;
  const { tables } = await restoreBackup({ pool, url, path, log, leftOut, onRows, onIndexes });
  terminal.err.write(`restored ${tables.length} tables from ${path}\n`);
  const nowMs = systemClock.nowMs();
  const live = (await listTokens(pool)).filter(
    ({ revoked_at_ms, expires_at_ms }) =>
      revoked_at_ms === null && (expires_at_ms === null || expires_at_ms > nowMs),
  );
  if (live.length === 0) {
    terminal.err.write('no token works here; create one with "assay token create --name NAME"\n');
    return;
  }
  terminal.err.write(
    'these tokens work, also if they were revoked after the backup was written; revoke them with "assay token revoke ID":\n',
  );
  terminal.out.write(formatTokens(live, nowMs));
}

function parseFile([path, ...others]: readonly string[]): string {
  if (path !== undefined && path !== "" && others.length === 0) return path;
  throw new UsageError("name one file");
}
