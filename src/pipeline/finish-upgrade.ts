import type { Lane } from "../db/lane.ts";
import { isReplayRequested, startRequestedReplay } from "./replay.ts";
import type { Step, StepContext } from "./step.ts";
import { STEPS } from "./steps.ts";

/** The steps that work on tables of any version. */
const LATER_STEPS: ReadonlySet<string> = new Set(["extract listings", "match listings"]);

/**
 * Starts the replay that a migration asked for, before any event is read into the old tables. First it finishes what an
 * earlier version had queued, because that may still fire alerts, and a replay fires none.
 */
export async function finishUpgrade(context: StepContext): Promise<void> {
  if (!(await isReplayRequested(context.pool))) return;
  await finishAlerts(context);
  await startRequestedReplay(context.pool, context.log);
}

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
