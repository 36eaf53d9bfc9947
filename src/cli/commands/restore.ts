import { parseArgs } from "node:util";
import { restoreBackup } from "../../backup/restore-backup.ts";
import { type Command, UsageError } from "../command.ts";
import { startProgress } from "../progress.ts";
import { withStore } from "../with-store.ts";

const HELP = `Fills an empty store from a file of "assay backup". A backup of an older version is migrated; one of a newer version is refused. If
anything is wrong with the file, nothing is restored. Stop the service first.

Usage: assay restore FILE [--demo]

  --demo   uses the demo database

Examples:
  ASSAY_DATA_DIR=new-data assay restore assay-2026-11-16.backup
  DATABASE_URL=postgres://assay@db.internal/assay assay restore assay-2026-11-16.backup
`;

export const restoreCommand: Command = {
  summary: "fills an empty store from a backup",
  help: HELP,
  run: async (args, terminal) => {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { demo: { type: "boolean", default: false } },
    });
    const [path, ...others] = positionals;
    if (path === undefined || path === "" || others.length > 0) {
      throw new UsageError("name one file");
    }
    const options = { isDemo: values.demo, mayCreate: true, isAsItIs: true };
    await withStore(terminal, options, async ({ store: { pool, url }, log }) => {
      terminal.err.write(`checking ${path}\n`);
      const progress = startProgress(terminal, "rows");
      const onIndexes = (count: number): void => {
        progress.finish();
        if (count > 0) terminal.err.write(`building ${count} indexes\n`);
      };
      const options = { pool, url, path, log, onRows: progress.add, onIndexes };
      const { tables } = await restoreBackup(options);
      terminal.err.write(`restored ${tables.length} tables from ${path}\n`);
    });
    return 0;
  },
};
