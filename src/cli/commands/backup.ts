import { statSync } from "node:fs";
import { parseArgs } from "node:util";
import type { BackupTrailer } from "../../backup/backup-file.ts";
import { verifyBackup } from "../../backup/read-backup.ts";
import { writeBackup } from "../../backup/write-backup.ts";
import { systemClock } from "../../base/clock.ts";
import { type Command, type Terminal, UsageError } from "../command.ts";
import { startProgress } from "../progress.ts";
import { withStore } from "../with-store.ts";

const HELP = `Writes the whole store to one compressed file, as it is at one moment. The service may run meanwhile. The file has everything:
events, messages, listings, prices, alerts, declarations, corrections, and tokens as hashes. It also has the secrets of webhook targets,
so only its owner may read it.

Usage: assay backup FILE [--demo]
       assay backup verify FILE

  verify   reads a backup to its end and says whether it is whole; needs no store
  --demo   uses the demo database

Examples:
  assay backup assay-2026-11-16.backup
  assay backup verify assay-2026-11-16.backup

To restore it: assay restore --help
`;

export const backupCommand: Command = {
  summary: "writes the whole store to one file, and verifies such a file",
  help: HELP,
  run: async (args, terminal) => {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { demo: { type: "boolean", default: false } },
    });
    const isVerify = positionals[0] === "verify" && positionals.length === 2;
    const [path, ...others] = isVerify ? positionals.slice(1) : positionals;
    if (path === undefined || path === "" || others.length > 0) {
      throw new UsageError("name one file");
    }
    if (isVerify) await verify(path, terminal);
    else await backUp(path, values.demo, terminal);
    return 0;
  },
};

async function backUp(path: string, isDemo: boolean, terminal: Terminal): Promise<void> {
  await withStore(terminal, { isDemo }, async ({ store: { pool, url } }) => {
    const progress = startProgress(terminal, "rows");
    const options = { pool, url, path, clock: systemClock, onRows: progress.add };
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
