import { isReplayRequested, startRequestedReplay } from "./replay.ts";
import type { StepContext } from "./step.ts";
import { STEPS } from "./steps.ts";

/** The steps that work on tables of any version. */
const LATER_STEPS: ReadonlySet<string> = new Set(["extract listings", "match listings"]);

/**
 * Starts the replay that a migration asked for, before any event is read into the old tables. First it finishes what an
 * earlier version had queued, because that may still fire alerts, and a replay fires none.
 */
export async function finishUpgrade(context: StepContext): Promise<void> {
  if (!(await isReplayRequested(context.pool))) return;
  for (const step of STEPS.filter(({ name }) => LATER_STEPS.has(name))) {
    try {
      while ((await step.run(context, { batchMax: step.batchMax })).takenCount > 0);
    } catch (error) {
      context.log.warn(
        { err: error, step: step.name },
        "the queue of the earlier version was not finished",
      );
    }
  }
  await startRequestedReplay(context.pool, context.log);
}
