import { type Clock, HOUR_MS } from "../base/clock.ts";
import type { Config } from "../base/config.ts";
import type { Logger } from "../base/log.ts";
import type { ChangeFeed } from "../db/changes.ts";
import type { DatabasePool } from "../db/database.ts";
import type { Lane } from "../db/queue.ts";
import { openFilterIndex } from "../filters/index/filter-index.ts";
import { loadCatalogue } from "../listings/dealer-catalogue.ts";
import { isReplayRequested, startRequestedReplay } from "./replay.ts";
import type { Step, StepContext } from "./step.ts";
import { STEPS } from "./steps.ts";

export interface OpenStepContext extends StepContext {
  close(): Promise<void>;
}

/**
 * Loads what the steps need besides the database: the catalogue, and an index of the saved filters in memory. After an
 * update that needs a replay, it starts that replay first.
 */
export async function openStepContext(options: {
  readonly pool: DatabasePool;
  readonly clock: Clock;
  readonly feed: ChangeFeed;
  readonly log: Logger;
  readonly config: Pick<Config, "alertWindowHours" | "catalogueFile">;
}): Promise<OpenStepContext> {
  const { pool, clock, feed, log, config } = options;
  const catalogue = await loadCatalogue(config.catalogueFile);
  const index = await openFilterIndex({ db: pool, feed, log });
  const context = {
    pool,
    clock,
    log,
    alertWindowMs: config.alertWindowHours * HOUR_MS,
    catalogue,
    index,
    close: () => index.close(),
  };
  await finishUpgrade(context);
  return context;
}

/**
 * Starts the replay that a migration asked for, before any event is read into the old tables. First it finishes what an
 * earlier version had queued, because that may still fire alerts, and a replay fires none.
 */
async function finishUpgrade(context: StepContext): Promise<void> {
  if (!(await isReplayRequested(context.pool))) return;
  await finishAlerts(context);
  await startRequestedReplay(context.pool, context.log);
}

/** The steps that work on tables of any version. */
const LATER_STEPS: ReadonlySet<string> = new Set(["extract listings", "match listings"]);

/**
 * Makes the listings and matches that are queued, of one lane or of both. A replay carries over what it interrupts, but then
 * an alert waits until the replay has reached its message.
 */
export async function finishAlerts(context: StepContext, lane?: Lane): Promise<void> {
  const batchOf = ({ batchMax }: Step) => (lane === undefined ? { batchMax } : { batchMax, lane });
  for (const step of STEPS.filter(({ name }) => LATER_STEPS.has(name))) {
    try {
      while ((await step.run(context, batchOf(step))).takenCount > 0);
    } catch (error) {
      context.log.warn(
        { err: error, step: step.name },
        "what was queued before the replay was not finished",
      );
    }
  }
}
