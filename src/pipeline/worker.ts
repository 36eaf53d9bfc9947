import type { Metrics } from "../base/metrics.ts";
import { sleep } from "../base/sleep.ts";
import type { ChangeFeed } from "../db/changes.ts";
import { isConflict } from "../db/store-error.ts";
import { STEPS, type Step, type StepContext } from "./steps.ts";

export interface Worker {
  /** Finishes the batch in progress. */
  stop(): Promise<void>;
}

export interface WorkerOptions extends StepContext {
  readonly feed: ChangeFeed;
  readonly metrics: Metrics;
}

/** NOTIFY only wakes the worker early. Polling finds all work, even if a notification is lost. */
const POLL_MS = 500;
const RETRY_MIN_MS = 100;
const RETRY_MAX_MS = 2_000;

/** Runs the steps one after another while there is work, then waits for more. */
export function startWorker(options: WorkerOptions): Worker {
  const stop = new AbortController();
  let wake = new AbortController();
  options.feed.subscribe("raw_event_queue", () => wake.abort());
  stop.signal.addEventListener("abort", () => wake.abort());

  const work = async (): Promise<void> => {
    let delayMs = RETRY_MIN_MS;
    while (!stop.signal.aborted) {
      wake = new AbortController();
      try {
        const takenCount = await runSteps(options);
        delayMs = RETRY_MIN_MS;
        if (takenCount === 0) await sleep(POLL_MS, wake.signal);
      } catch (error) {
        if (!isConflict(error))
          options.log.error({ err: error, delayMs }, "a step failed; retrying");
        await sleep(delayMs, stop.signal);
        delayMs = Math.min(delayMs * 2, RETRY_MAX_MS);
      }
    }
  };
  const working = work();

  return {
    stop: async () => {
      stop.abort();
      await working;
    },
  };
}

async function runSteps(options: WorkerOptions): Promise<number> {
  let takenCount = 0;
  const failures: unknown[] = [];
  for (const step of STEPS) {
    const startedAtMs = performance.now();
    let taken: number;
    try {
      taken = (await step.run(options, step.batchMax)).takenCount;
    } catch (error) {
      // The later steps have work of their own, so they still run.
      failures.push(error);
      continue;
    }
    if (taken > 0) {
      options.metrics.stepItems.inc({ step: step.name }, taken);
      options.metrics.stepSeconds.observe(
        { step: step.name },
        (performance.now() - startedAtMs) / 1000,
      );
    }
    takenCount += taken;
  }
  if (failures.length > 0) throw failures.find((error) => !isConflict(error)) ?? failures[0];
  return takenCount;
}

/** Runs the steps until none of them finds work. Imports, replays and tests use it. */
export async function drain(
  context: StepContext,
  options: {
    readonly steps?: readonly Step[];
    readonly batchMax?: number;
    readonly onBatch?: (takenCount: number) => void;
  } = {},
): Promise<void> {
  for (;;) {
    let takenCount = 0;
    for (const step of options.steps ?? STEPS) {
      const taken = await runWithRetry(context, step, options.batchMax ?? step.batchMax);
      if (taken > 0) options.onBatch?.(taken);
      takenCount += taken;
    }
    if (takenCount === 0) return;
  }
}

/** Retries on a conflict, because a running service may process the same rows. */
async function runWithRetry(context: StepContext, step: Step, batchMax: number): Promise<number> {
  for (;;) {
    try {
      return (await step.run(context, batchMax)).takenCount;
    } catch (error) {
      if (!isConflict(error)) throw error;
      await sleep(RETRY_MIN_MS);
    }
  }
}
