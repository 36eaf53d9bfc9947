import { parseArgs } from "node:util";
import type { Command } from "../command.ts";
import { withStore } from "../with-store.ts";

const HELP = `Runs pending migrations of the database schema and prints their names. The service also does this when it starts.

Usage: assay migrate [--demo]

  --demo   uses the demo database

Example:
  DATABASE_URL=postgres://assay:secret@db.internal/assay assay migrate
`;

export const migrateCommand: Command = {
  summary: "updates the database schema",
  help: HELP,
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
