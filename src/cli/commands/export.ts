import { renameSync, rmSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { OperatorError } from "../../base/errors.ts";
import { exportManifest, type ManifestExport } from "../../manifest/export-manifest.ts";
import { LIMITS } from "../../manifest/schema.ts";
import { type Command, type Terminal, UsageError } from "../command.ts";
import { withStore } from "../with-store.ts";

const HELP = `Writes every declared object as YAML: profiles, views, configurations, alerts, webhooks, sessions, groups, group_presets and
declared fx_rates, also those that were created through the API. "assay apply" reads the file back to the same state, in this
store or in an empty one.

Usage: assay export [--output FILE] [--with-secrets] [--demo]

  --output FILE    writes a file instead of standard output; an existing file is replaced
  --with-secrets   writes the secrets of webhooks too; without them, apply keeps the stored ones
  --demo           uses the demo database

Example: move all declarations to another store
  assay export --with-secrets --output market.yaml
  DATABASE_URL=postgres://assay@other/assay assay apply market.yaml

All kinds and members: docs/manifest.md
`;

export const exportCommand: Command = {
  summary: "writes all declarations as a file for apply",
  help: HELP,
  run: async (args, terminal) => {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        output: { type: "string" },
        "with-secrets": { type: "boolean", default: false },
        demo: { type: "boolean", default: false },
      },
    });
    if (positionals.length > 0) throw new UsageError("name the file with --output FILE");
    if (values.output === "") throw new UsageError("--output needs the name of a file");
    const exported = await withStore(terminal, { isDemo: values.demo }, ({ store }) =>
      exportManifest(store.pool, { hasSecrets: values["with-secrets"] }),
    );
    if (values.output === undefined) terminal.out.write(exported.text);
    else replaceFile(values.output, exported.text);
    reportSize(terminal, exported);
    return 0;
  },
};

/** Replaces the file whole, and only its owner may read it: it can have secrets. */
function replaceFile(name: string, text: string): void {
  const draft = `${name}.part`;
  try {
    rmSync(draft, { force: true });
    writeFileSync(draft, text, { mode: 0o600, flag: "wx" });
    renameSync(draft, name);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === undefined) throw error;
    throw new OperatorError(`cannot write ${name} (${code})`, error);
  }
}

function reportSize(terminal: Terminal, { text, rowCount }: ManifestExport): void {
  terminal.err.write(`exported ${rowCount} objects\n`);
  if (rowCount > LIMITS.rows || Buffer.byteLength(text) > LIMITS.fileBytes) {
    terminal.err.write(
      `apply reads at most ${LIMITS.rows} objects, and ${LIMITS.fileBytes} bytes of a file: split this one\n`,
    );
  }
}
