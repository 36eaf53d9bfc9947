import { sleep } from "../base/sleep.ts";
import type { Lane } from "../db/lane.ts";
import { isConflict } from "../db/store-error.ts";
import type { Batch, Step, StepContext } from "./step.ts";

export interface PassOptions {
  readonly steps: readonly Step[];
  readonly batchMax?: number;
  readonly onBatch?: (takenCount: number) => void;
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
