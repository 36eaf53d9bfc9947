import { parseArgs } from "node:util";
import { sleep } from "../../base/clock.ts";
import { OperatorError } from "../../base/errors.ts";
import { isUuid } from "../../base/ids.ts";
import { countQueuedRefreshes, queueRefreshes } from "../../matching/refresh-queue-store.ts";
import type { StepContext } from "../../pipeline/step.ts";
import { runRefresh } from "../../pipeline/steps.ts";
import {
  isRebuilding,
  listRefreshStates,
  type RefreshStateRow,
} from "../../pricing/cells/schedule-store.ts";
import { type Command, startProgress, type Terminal, UsageError } from "../command.ts";
import { demoHint, type StoreCall, withSteps, withStore } from "../with-store.ts";

const HELP = `Recalculates the prices (cells) of all configurations, or of those that you name. It works with or without a running
service. If a configuration cannot be calculated, it keeps its last good cells and the exit code is 1.

Usage: assay refresh [CONFIGURATION_ID…] [--demo]

  --demo   uses the demo database

Example:
  assay refresh
`;

const BATCH_MAX = 300;
/** How often to check whether a running service has finished the last configurations. */
const POLL_MS = 100;

export const refreshCommand: Command = {
  summary: "recalculates the prices of configurations now",
  help: HELP,
  run: async (args, terminal) => {
    const { values, positionals } = parseArgs({
      args: [...args],
      options: { demo: { type: "boolean", default: false } },
      allowPositionals: true,
    });
    const asked = positionals.map((id) => id.toLowerCase());
    const malformed = asked.find((id) => !isUuid(id));
    if (malformed !== undefined)
      throw new UsageError(`"${malformed}" is not the id of a configuration`);
    return withStore(terminal, { isDemo: values.demo }, async (call) => {
      const ids = await findIds(call, asked);
      if (asked.length === 0 && (await isRebuilding(call.store.pool))) {
        throw new OperatorError(
          "a replay is running, and calculates all cells when it is done; to refresh some of them now, name their ids",
        );
      }
      await withSteps(call, (context) => refreshAll(context, ids, terminal));
      return report(await listRefreshStates(call.store.pool, ids), terminal);
    });
  },
};

async function findIds(call: StoreCall, asked: readonly string[]): Promise<readonly string[]> {
  const { pool } = call.store;
  const states = await listRefreshStates(pool, asked.length === 0 ? undefined : asked);
  const known = states.map(({ id }) => id);
  const unknown = asked.filter((id) => !known.includes(id));
  if (unknown.length > 0) {
    throw new OperatorError(
      `there is no configuration with the id ${unknown.join(", ")}${demoHint(call)}`,
    );
  }
  return known;
}

/** Returns when none of them is queued any more. A running service may have calculated some of them. */
async function refreshAll(
  context: StepContext,
  ids: readonly string[],
  terminal: Terminal,
): Promise<void> {
  const progress = startProgress(terminal, "configurations");
  await queueRefreshes(context.pool, ids, context.clock.nowMs());
  for (;;) {
    const { takenCount } = await runRefresh(context, {
      batchMax: BATCH_MAX,
      configurationIds: ids,
    });
    progress.add(takenCount);
    if (takenCount > 0) continue;
    if ((await countQueuedRefreshes(context.pool, ids)) === 0) break;
    await sleep(POLL_MS);
  }
  progress.finish();
}

function report(states: readonly RefreshStateRow[], terminal: Terminal): number {
  const failed = states.filter(({ error }) => error !== null);
  const countOf = (status: string) =>
    states.filter((state) => state.error === null && state.status === status).length;
  for (const { id, configuration_key, error } of failed) {
    terminal.err.write(`${configuration_key} (${id}): ${error}\n`);
  }
  terminal.out.write(
    `${states.length} configurations: ${countOf("available")} available, ` +
      `${countOf("insufficient")} insufficient, ${failed.length} failed\n`,
  );
  return failed.length === 0 ? 0 : 1;
}
