import { parseArgs } from "node:util";
import { systemClock } from "../../base/clock.ts";
import { loadCatalogue } from "../../listings/dealer-catalogue.ts";
import type { Finding } from "../../operations/check.ts";
import { CHECKS } from "../../operations/checks.ts";
import type { Command } from "../command.ts";
import { withStore } from "../with-store.ts";

const HELP = `Checks the database and the gateway. Prints one line per check: "ok", "warn" with what should not stay as it is, or "BAD"
with what to do. The exit code is 1 if any check fails.

Usage: assay doctor [--demo]

  --demo   uses the demo database

Example:
  assay doctor
`;

export const doctorCommand: Command = {
  summary: "checks the installation and says how to fix problems",
  help: HELP,
  run: async (args, terminal) => {
    const { values } = parseArgs({
      args: [...args],
      options: { demo: { type: "boolean", default: false } },
    });
    const findings = await withStore(
      terminal,
      { isDemo: values.demo },
      async ({ store, config, migrated }) => {
        const catalogue = await loadCatalogue(config.catalogueFile);
        const text = `database: ${store.kind}, schema up to date (${migrated.length} migrations run now)`;
        const found: Finding[] = [{ isFine: true, text }];
        for (const { examine } of CHECKS) {
          const nowMs = systemClock.nowMs();
          found.push(
            ...(await examine({
              pool: store.pool,
              config,
              nowMs,
              loadCatalogue: async () => catalogue,
            })),
          );
        }
        return found;
      },
    );
    for (const finding of findings) terminal.out.write(`${labelOf(finding)} ${finding.text}\n`);
    return findings.every(({ isFine }) => isFine) ? 0 : 1;
  },
};

function labelOf({ isFine, isWarning = false }: Finding): string {
  if (!isFine) return "BAD ";
  return isWarning ? "warn" : "ok  ";
}
