import { sleep } from "../base/clock.ts";
import type { Lane } from "../db/queue.ts";
import { isConflict } from "../db/store-error.ts";
import type { Batch, Step, StepContext } from "./step.ts";
import { STEPS } from "./steps.ts";

export interface PassOptions {
  readonly steps: readonly Step[];
  readonly batchMax?: number;
  readonly onBatch?: (takenCount: number) => void;
}

/** How often to check whether another process has finished the last items. */
const POLL_MS = 100;

/**
 * Returns when everything that is queued now is processed, with all that follows from it, by this process or another. It does not wait
 * for what arrives later, so it ends under steady traffic too.
 *
 * Invariant: a step moves work to the queues of later steps only, and an item stays visible in its queue until the commit
 * that processes it. So a queue whose rows up to a mark are gone has passed on all that was before the mark.
 *
 * Example: an import has stored events 1 to 900, and a service processes the last of them. Events up to 900 are waited for;
 * event 901, which a gateway posts meanwhile, is not. Then the messages queued up to that moment are waited for, and so on.
 */
export async function finishQueued(
  context: StepContext,
  { steps = STEPS, ...options }: Partial<PassOptions> = {},
): Promise<void> {
  for (const { waiting } of steps) {
    const last = await waiting.last(context.pool);
    while (await waiting.isUpTo(context.pool, last)) {
      const takenCount = await runPass(context, { ...options, steps });
      if (takenCount === 0) await sleep(POLL_MS);
    }
  }
}

const LANES: readonly Lane[] = ["fresh", "backlog"];
const BACKLOG: readonly Lane[] = ["backlog"];
const CONFLICT_DELAY_MS = 100;

/** Runs one batch of each step, in each lane. Returns how many items were taken. */
export async function runPass(context: StepContext, options: PassOptions): Promise<number> {
  let takenCount = 0;
  for (const step of options.steps) {
    for (const lane of step.hasLanes ? LANES : BACKLOG) {
      const batch = { batchMax: options.batchMax ?? step.batchMax, lane };
      const taken = await runWithRetry(context, step, batch);
      if (taken > 0) options.onBatch?.(taken);
      takenCount += taken;
    }
  }
  return takenCount;
}

/** Retries on a conflict, because a running service may process the same rows. */
async function runWithRetry(context: StepContext, step: Step, batch: Batch): Promise<number> {
  for (;;) {
    try {
      return (await step.run(context, batch)).takenCount;
    } catch (error) {
      if (!isConflict(error)) throw error;
      await sleep(CONFLICT_DELAY_MS);
    }
  }
}
