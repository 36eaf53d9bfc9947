import { systemClock } from "../base/clock.ts";
import { openChangeFeed } from "../db/changes.ts";
import type { StepContext } from "../pipeline/step.ts";
import { openStepContext } from "../pipeline/step-context.ts";
import type { StoreCall } from "./with-store.ts";

/** Runs `work` with all that the steps of the pipeline need. A service may run at the same time. */
export async function withSteps<Result>(
  call: StoreCall,
  work: (context: StepContext) => Promise<Result>,
): Promise<Result> {
  const { store, log, config } = call;
  const feed = openChangeFeed({ url: store.url, log });
  try {
    const context = await openStepContext({
      pool: store.pool,
      clock: systemClock,
      feed,
      log,
      config,
    });
    try {
      return await work(context);
    } finally {
      await context.close();
    }
  } finally {
    await feed.close();
  }
}
