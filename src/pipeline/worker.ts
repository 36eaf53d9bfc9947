import type { Metrics } from "../base/metrics.ts";
import { sleep } from "../base/sleep.ts";
import type { ChangeFeed } from "../db/changes.ts";
import type { Lane } from "../db/lane.ts";
import { isConflict } from "../db/store-error.ts";
import { retrySetAside } from "./set-aside.ts";
import type { Step, StepContext } from "./step.ts";
import { addStepCounts } from "./step-count-store.ts";
import { createStepPace, type StepPace } from "./step-pace.ts";
import { STEPS } from "./steps.ts";

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
/** How often to look for items that were set aside and are due. */
const RETRY_LOOK_MS = 10_000;

/**
 * Runs the steps while there is work, then waits for more. Fresh items go through all steps before each batch of the
 * backlog. So the backlog moves by one batch of one step at a time, and an event waits for one such batch at most. A step
 * that fails waits on its own.
 */
export function startWorker(options: WorkerOptions): Worker {
  const stop = new AbortController();
  let wake = new AbortController();
  const onNews = (): void => {
    state.hasNews = true;
    wake.abort();
  };
  options.feed.subscribe("raw_event_queue", onNews);
  // A person waits for the corrected listing.
  options.feed.subscribe("correction", onNews);
  stop.signal.addEventListener("abort", () => wake.abort());
  const state: State = {
    ...options,
    pace: createStepPace(),
    hasNews: true,
    lookedAtMs: Number.NEGATIVE_INFINITY,
    processed: new Map(),
  };
  for (const { name } of STEPS) options.metrics.stepFailures.inc({ step: name }, 0);

  const work = async (): Promise<void> => {
    while (!stop.signal.aborted) {
      wake = new AbortController();
      let takenCount = await retryDueItems(state);
      state.hasNews = true;
      for (const step of STEPS) {
        // New events do not wait until a batch of the backlog has passed all steps.
        if (state.hasNews) takenCount += await runFresh(state);
        takenCount += await runPaced(state, step, "backlog");
      }
      if (takenCount === 0) await sleep(Math.min(POLL_MS, state.pace.waitMs()), wake.signal);
    }
  };
  const working = work();

  return {
    stop: async () => {
      stop.abort();
      await working;
      await saveProcessed(state);
    },
  };
}

interface State extends WorkerOptions {
  readonly pace: StepPace;
  /** Events arrived since the fresh ones were last processed. */
  hasNews: boolean;
  /** When it last looked for items that are due. */
  lookedAtMs: number;
  /** Items by step that are not saved yet. */
  readonly processed: Map<string, number>;
}

/** Takes what is fresh through all steps. */
async function runFresh(state: State): Promise<number> {
  state.hasNews = false;
  let takenCount = 0;
  for (const step of STEPS) if (step.hasLanes) takenCount += await runPaced(state, step, "fresh");
  return takenCount;
}

/** Returns how many items the step took: none if it failed or waits after a failure. */
async function runPaced(state: State, step: Step, lane: Lane): Promise<number> {
  const { pace, metrics } = state;
  if (pace.isWaiting(step.name)) return 0;
  const startedAtMs = performance.now();
  try {
    const { takenCount } = await step.run(state, { batchMax: step.batchMax, lane });
    pace.succeeded(step.name);
    if (takenCount > 0) {
      metrics.stepItems.inc({ step: step.name }, takenCount);
      state.processed.set(step.name, (state.processed.get(step.name) ?? 0) + takenCount);
      metrics.stepSeconds.observe({ step: step.name }, (performance.now() - startedAtMs) / 1000);
    }
    return takenCount;
  } catch (error) {
    noteFailure(state, step.name, error);
    return 0;
  }
}

function noteFailure({ pace, metrics, log }: State, step: string, error: unknown): void {
  const delayMs = pace.failed(step, error);
  if (isConflict(error)) return;
  metrics.stepFailures.inc({ step });
  log.error({ err: error, step, delayMs }, "a step failed; retrying");
}

/** Every ten seconds: saves what was counted, and tries items again that are due. */
async function retryDueItems(state: State): Promise<number> {
  if (performance.now() - state.lookedAtMs < RETRY_LOOK_MS) return 0;
  state.lookedAtMs = performance.now();
  await saveProcessed(state);
  try {
    const { doneCount, failedCount } = await retrySetAside(state, STEPS, {
      dueAtMs: state.clock.nowMs(),
    });
    return doneCount + failedCount;
  } catch (error) {
    state.log.error({ err: error }, "items that were set aside could not be retried");
    return 0;
  }
}

/** A crash loses at most what was counted since the last call. */
async function saveProcessed({ pool, clock, log, processed }: State): Promise<void> {
  if (processed.size === 0) return;
  const counts = new Map(processed);
  processed.clear();
  try {
    await addStepCounts(pool, counts, clock.nowMs());
  } catch (error) {
    log.warn({ err: error }, "cannot save how many items the steps processed");
  }
}
