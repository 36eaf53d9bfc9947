import { readFileSync, statSync } from "node:fs";
import { parseArgs } from "node:util";
import { channelOptionsOf } from "../../alerts/deliveries/channels/channel.ts";
import { systemClock } from "../../base/clock.ts";
import { OperatorError } from "../../base/errors.ts";
import { loadCatalogue } from "../../listings/dealer-catalogue.ts";
import {
  type ApplyReport,
  applyManifest,
  type KindReport,
} from "../../manifest/apply-declarations.ts";
import { type ManifestFile, parseManifest } from "../../manifest/parse-manifest.ts";
import { formatProblem } from "../../manifest/problem.ts";
import { LIMITS } from "../../manifest/schema.ts";
import {
  type Command,
  explainRead,
  formatTable,
  startProgress,
  type Terminal,
  UsageError,
} from "../command.ts";
import { withStore } from "../with-store.ts";

const HELP = `Declares profiles, views, configurations, alerts, webhooks, sessions, groups, group_presets and fx_rates from YAML or
JSON files. Items that have not changed are left alone, so you can run it any number of times. If anything is wrong, it
lists every problem with its file, line and member, and applies nothing.

Usage: assay apply FILE… [--dry-run] [--prune] [--strict] [--demo]

  FILE        a file, or - for standard input; several files are read as one
  --dry-run   shows what would change and changes nothing
  --prune     deletes items that the files no longer declare, for each kind that the files contain
  --strict    refuses members of filters that no filter knows and what is probably not meant, instead of a note
  --demo      uses the demo database

Example:
  cat > market.yaml <<'END'
  profiles:
    - name: default
  views:
    - {name: EU, source_market: EU, filters: {country_codes: {exclude: ["852"]}}}
    - {name: HK, source_market: HK, filters: {country_codes: {include: ["852"]}}}
  configurations:
    - {profile: default, brand: Rolex, reference: 126610LN}
  alerts:
    - name: cheap Nautilus
      filters: {side: [for_sale], reference: [5711/1A], price: {lte: 7500000}}
  END
  assay apply market.yaml --dry-run
  assay apply market.yaml

All kinds and members: docs/manifest.md
`;

export const applyCommand: Command = {
  summary: "declares configurations, alerts and more from files",
  help: HELP,
  run: async (args, terminal) => {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        "dry-run": { type: "boolean", default: false },
        prune: { type: "boolean", default: false },
        strict: { type: "boolean", default: false },
        demo: { type: "boolean", default: false },
      },
    });
    if (positionals.length === 0) throw new UsageError("name at least one file to apply");
    if (positionals.length > LIMITS.files) {
      throw new UsageError(`at most ${LIMITS.files} files can be applied at once`);
    }
    const files: ManifestFile[] = [];
    for (const name of positionals) files.push({ name, text: await readFile(terminal, name) });
    const manifest = parseManifest(files);
    const report = await withStore(
      terminal,
      { isDemo: values.demo, mayCreate: true },
      async ({ store, config }) => {
        const progress = createLateProgress(terminal);
        const catalogue = await loadCatalogue(config.catalogueFile);
        return applyManifest(store.pool, manifest, {
          isStrict: values.strict,
          judges: { catalogue, channels: channelOptionsOf(config) },
          clock: systemClock,
          isDryRun: values["dry-run"],
          isPruning: values.prune,
          onProgress: progress.add,
        }).finally(progress.finish);
      },
    );
    writeReport(terminal, report, values["dry-run"]);
    return 0;
  },
};

async function readFile(terminal: Terminal, name: string): Promise<string> {
  const tooLarge = () =>
    new OperatorError(
      `${name} is larger than ${LIMITS.fileBytes} bytes; split it into several files`,
    );
  if (name === "-") {
    const chunks: Buffer[] = [];
    let byteCount = 0;
    for await (const chunk of terminal.in) {
      chunks.push(Buffer.from(chunk));
      byteCount += chunk.length;
      if (byteCount > LIMITS.fileBytes) throw tooLarge();
    }
    return Buffer.concat(chunks).toString();
  }
  try {
    if (statSync(name).size > LIMITS.fileBytes) throw tooLarge();
    return readFileSync(name, "utf8");
  } catch (error) {
    throw explainRead(name, error);
  }
}

const LATE_MS = 2_000;

/** Finding the listings of each configuration can take long. Shows progress only if it does. */
function createLateProgress(terminal: Terminal) {
  const startedAtMs = performance.now();
  const state: { count: number; progress?: ReturnType<typeof startProgress> } = { count: 0 };
  return {
    add: (count: number) => {
      state.count += count;
      if (state.progress !== undefined) state.progress.add(count);
      else if (performance.now() - startedAtMs > LATE_MS) {
        state.progress = startProgress(terminal, "configurations matched with their listings");
        state.progress.add(state.count);
      }
    },
    finish: () => {
      state.progress?.finish();
    },
  };
}

const NAMES_SHOWN_MAX = 50;
const NOTES_SHOWN_MAX = 200;

function writeReport(terminal: Terminal, report: ApplyReport, isDryRun: boolean): void {
  for (const note of report.notes.slice(0, NOTES_SHOWN_MAX)) {
    terminal.err.write(`note: ${formatProblem(note)}\n`);
  }
  const restCount = report.notes.length - NOTES_SHOWN_MAX;
  if (restCount > 0) terminal.err.write(`… and ${restCount} more notes\n`);
  terminal.out.write(
    formatTable([
      ["kind", "created", "changed", "unchanged", "pruned"],
      ...report.kinds.map(({ kind, created, changed, unchangedCount, pruned }) => [
        kind,
        ...[created.length, changed.length, unchangedCount, pruned.length].map(String),
      ]),
    ]),
  );
  for (const kind of report.kinds) terminal.out.write(listNames(kind));
  if (isDryRun) terminal.err.write("dry run: nothing was changed\n");
}

function listNames({ kind, created, changed, pruned, takenOver }: KindReport): string {
  const lines = [
    ...created.map((name) => `created  ${kind}  ${name}\n`),
    ...changed.map((name) => `changed  ${kind}  ${name}\n`),
    ...pruned.map((name) => `pruned   ${kind}  ${name}\n`),
    ...takenOver.map((name) => `took over ${kind}  ${name}, which the API managed until now\n`),
  ];
  const restCount = lines.length - NAMES_SHOWN_MAX;
  if (restCount <= 0) return lines.join("");
  return `${lines.slice(0, NAMES_SHOWN_MAX).join("")}… and ${restCount} more ${kind}\n`;
}
