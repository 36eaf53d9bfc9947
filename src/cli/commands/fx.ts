import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { OperatorError } from "../../base/errors.ts";
import { toStableId } from "../../base/ids.ts";
import { LONG_WORK } from "../../db/database.ts";
import type { ActivityEntry } from "../../people/activity.ts";
import { recordActivity } from "../../people/activity-store.ts";
import { changeRates } from "../../pipeline/change-rates.ts";
import { finishQueued } from "../../pipeline/finish-queued.ts";
import { parseEcbRates } from "../../rates/ecb-rates.ts";
import type { ChangedFxRate, NewFxRate } from "../../rates/fx-store.ts";
import { type Command, explainRead, startProgress, type Terminal, UsageError } from "../command.ts";
import { cliAuthor, withSteps, withStore } from "../with-store.ts";

const HELP = `Imports the reference rates of the European Central Bank (ECB), and recalculates the EUR prices of listings on those
days. Rates that are already stored are skipped.

Usage: assay fx import FILE [--since DATE] [--demo]

  FILE           the unpacked CSV file of one day or of all days; - for standard input
  --since DATE   skips days before this one, for example 2024-01-01
  --demo         uses the demo database

Files: https://www.ecb.europa.eu/stats/eurofxref/eurofxref.zip (latest day) and
https://www.ecb.europa.eu/stats/eurofxref/eurofxref-hist.zip (all days since 1999). The ECB publishes on working days at
about 16:00 Frankfurt time. For currencies that the ECB does not quote but that are pegged to one that it does (AED, SAR,
USDT and others), Assay derives the rates.

Examples:
  assay fx import eurofxref.csv
  unzip -p eurofxref-hist.zip | assay fx import - --since 2024-01-01
`;

const FILE_BYTES_MAX = 64 * 1024 * 1024;

export const fxCommand: Command = {
  summary: "imports the reference rates of the European Central Bank",
  help: HELP,
  run: async (args, terminal) => {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { since: { type: "string" }, demo: { type: "boolean", default: false } },
    });
    const [verb, file, ...rest] = positionals;
    if (verb !== "import" || file === undefined || rest.length > 0) {
      throw new UsageError("expected: fx import FILE");
    }
    const since = values.since ?? "";
    if (values.since !== undefined && !/^\d{4}-\d{2}-\d{2}$/.test(since)) {
      throw new UsageError(`--since must be a day such as 2024-01-01, not ${since}`);
    }
    const rates = parseRates(file, await readBytes(terminal, file)).filter(
      ({ day }) => day >= since,
    );
    await withStore(terminal, { isDemo: values.demo }, async (call) => {
      const changed = await call.store.pool.transaction(
        // A long history may concern every listing.
        async (tx) => {
          const saved = await changeRates(tx, rates);
          await recordActivity(tx, cliAuthor(), toActivity(saved));
          return saved;
        },
        LONG_WORK,
      );
      terminal.out.write(describe(rates, changed));
      const processing = startProgress(terminal, "processed");
      await withSteps(call, (context) => finishQueued(context, { onBatch: processing.add }));
      processing.finish();
    });
    return 0;
  },
};

/** One row for all that changed. */
function toActivity(changed: readonly ChangedFxRate[]): readonly ActivityEntry[] {
  const days = changed.map(({ day }) => day).sort();
  const [first_day] = days;
  if (first_day === undefined) return [];
  const currencies = [...new Set(changed.map(({ currency }) => currency))].sort();
  const after = { count: changed.length, currencies, first_day, last_day: days.at(-1) };
  const object = { kind: "fx_rates", id: toStableId("fx rates") } as const;
  return [{ action: "imported", object, after }];
}

async function readBytes(terminal: Terminal, file: string): Promise<Buffer> {
  if (file !== "-") {
    try {
      return readFileSync(file);
    } catch (error) {
      throw explainRead(file, error);
    }
  }
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of terminal.in) {
    chunks.push(Buffer.from(chunk));
    size += chunks.at(-1)?.length ?? 0;
    if (size > FILE_BYTES_MAX) break;
  }
  return Buffer.concat(chunks);
}

function parseRates(file: string, bytes: Buffer): readonly NewFxRate[] {
  const name = file === "-" ? "standard input" : file;
  if (bytes.length > FILE_BYTES_MAX) {
    throw new OperatorError(`${name} is larger than 64 MiB, so it is not a rates file of the ECB`);
  }
  if (bytes.subarray(0, 2).toString("latin1") === "PK") {
    throw new OperatorError(`${name} is a packed .zip file; unpack it first`);
  }
  try {
    return parseEcbRates(bytes.toString("utf8"));
  } catch (error) {
    if (error instanceof OperatorError) throw new OperatorError(`${name}: ${error.message}`, error);
    throw error;
  }
}

function describe(rates: readonly NewFxRate[], changed: readonly ChangedFxRate[]): string {
  const declared = changed.filter(({ kind }) => kind === "declared");
  const groups = [
    ["read", rates],
    ["new", declared.filter(({ is_new }) => is_new)],
    ["changed", declared.filter(({ is_new }) => !is_new)],
    ["derived from pegs", changed.filter(({ kind }) => kind === "pegged")],
  ] as const;
  const lines = groups
    .filter(([name, group]) => group.length > 0 || name === "read" || name === "new")
    .map(([name, group]) => `${name}: ${summarize(group)}\n`);
  return lines.join("");
}

/** Returns for example "90 rates of AUD, GBP, USD; 30 days from 2026-10-02 to 2026-11-13". */
function summarize(rates: readonly NewFxRate[]): string {
  if (rates.length === 0) return "none";
  const currencies = [...new Set(rates.map(({ currency }) => currency))].sort();
  const days = [...new Set(rates.map(({ day }) => day))].sort();
  const when =
    days.length === 1 ? days[0] : `${days.length} days from ${days[0]} to ${days.at(-1)}`;
  return `${rates.length} rates of ${currencies.join(", ")}; ${when}`;
}
