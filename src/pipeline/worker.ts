import { sleep } from "../base/clock.ts";
import { logSeries } from "../base/log.ts";
import type { Metrics } from "../base/metrics.ts";
import type { ChangeFeed } from "../db/changes.ts";
import { withLockTimes } from "../db/locks.ts";
import type { Lane } from "../db/queue.ts";
import { isConflict, isStoreDown } from "../db/store-error.ts";
import { retrySetAside } from "./set-aside.ts";
import type { Step, StepContext } from "./step.ts";
import { addStepCounts } from "./step-store.ts";
import { STEPS } from "./steps.ts";
import {
  isPilingUp,
  mayTakeBacklog,
  noteBacklog,
  noteFresh,
  noteSize,
  openTracks,
  type Track,
  type Tracks,
  tellAll,
  tellOne,
} from "./track.ts";

interface Worker {
  /** Finishes the batch in progress. */
  stop(): Promise<void>;
}

interface WorkerOptions extends StepContext {
  readonly feed: ChangeFeed;
  readonly metrics: Metrics;
}

/** NOTIFY only wakes the worker early. Polling finds all work, even if a notification is lost. */
const POLL_MS = 500;
/** How often to look for items that were set aside and are due. */
const RETRY_LOOK_MS = 10_000;

/**
 * Runs the steps while there is work, then waits for more. The tracks run side by side. While one of them has fresh items,
 * all leave the backlog alone, but for a batch now and then. So an event waits for the batches of the backlog that are under
 * way, and for hardly any more. A step that fails waits on its own.
 */
export function startWorker(options: WorkerOptions): Worker {
  const stop = new AbortController();
  const tracks = openTracks(STEPS);
  const state: State = { ...options, tracks, stop: stop.signal, processed: new Map() };
  options.feed.subscribe("raw_event_queue", () => tellOne(tracks, "messages"));
  // A person waits for the corrected listing.
  options.feed.subscribe("correction", () => tellOne(tracks, "listings"));
  stop.signal.addEventListener("abort", () => tellAll(tracks));
  for (const { name } of STEPS) options.metrics.stepFailures.inc({ step: name }, 0);
  const working = [...tracks.all.map((track) => runTrack(state, track)), retryDueItems(state)];

  return {
    stop: async () => {
      stop.abort();
      await Promise.all(working);
      await saveProcessed(state);
    },
  };
}

interface State extends WorkerOptions {
  readonly tracks: Tracks;
  readonly stop: AbortSignal;
  /** Items by step that are not saved yet. */
  readonly processed: Map<string, number>;
}

async function runTrack(state: State, track: Track): Promise<void> {
  while (!state.stop.aborted) {
    track.wake = new AbortController();
    if ((await takeTurn(state, track)) > 0) continue;
    await sleep(Math.min(POLL_MS, track.pace.waitMs()), track.wake.signal);
  }
}

/** Takes what is fresh through the steps of the track, then a batch of each step's backlog. Returns how many items it took. */
async function takeTurn(state: State, track: Track): Promise<number> {
  let takenCount = await runFresh(state, track);
  for (const step of track.steps) {
    // New events do not wait until the backlog has passed all steps.
    if (track.hasFresh) takenCount += await runFresh(state, track);
    if (!mayTakeBacklog(state.tracks, track)) continue;
    const count = await runPaced(state, { track, step, lane: "backlog" });
    noteBacklog(state.tracks, track, count);
    takenCount += count;
  }
  return takenCount;
}

async function runFresh(state: State, track: Track): Promise<number> {
  let takenCount = 0;
  for (const step of track.steps) {
    if (step.hasLanes) takenCount += await runPaced(state, { track, step, lane: "fresh" });
  }
  noteFresh(state.tracks, track, takenCount);
  return takenCount;
}

interface Turn {
  readonly track: Track;
  readonly step: Step;
  readonly lane: Lane;
}

/** Returns how many items the step took: none if it failed or waits. */
async function runPaced(state: State, turn: Turn): Promise<number> {
  const { track, step, lane } = turn;
  if (track.pace.isWaiting(step.name) || track.pace.isWaiting(restOf(turn))) return 0;
  const startedAtMs = performance.now();
  try {
    const pool = withLockTimes(state.pool, (tookMs) => {
      state.metrics.stepLockSeconds.observe({ step: step.name }, tookMs / 1000);
    });
    const { takenCount } = await step.run({ ...state, pool }, { batchMax: step.batchMax, lane });
    track.pace.succeeded(step.name);
    if (takenCount > 0)
      noteBatch(state, turn, { takenCount, tookMs: performance.now() - startedAtMs });
    noteSize(track, turn, takenCount);
    return takenCount;
  } catch (error) {
    noteFailure(state, { track, step: step.name, error });
    return 0;
  }
}

/** A step rests in one lane only. */
function restOf({ step, lane }: Turn): string {
  return `${step.name}, ${lane}`;
}

function noteBatch(
  state: State,
  turn: Turn,
  { takenCount, tookMs }: { readonly takenCount: number; readonly tookMs: number },
): void {
  const { track, step, lane } = turn;
  state.metrics.stepItems.inc({ step: step.name }, takenCount);
  state.processed.set(step.name, (state.processed.get(step.name) ?? 0) + takenCount);
  state.metrics.stepSeconds.observe({ step: step.name }, tookMs / 1000);
  // A full batch means that more is queued, and not the same items again.
  const isWhole = takenCount < step.batchMax;
  if (step.rests && isWhole && isPilingUp(state.tracks, lane))
    track.pace.rest(restOf(turn), tookMs);
}

function noteFailure(
  { metrics, log }: State,
  { track, step, error }: { readonly track: Track; readonly step: string; readonly error: unknown },
): void {
  const delayMs = track.pace.failed(step, error);
  if (isConflict(error)) return;
  metrics.stepFailures.inc({ step });
  if (isStoreDown(error))
    logSeries(log, { err: error, step }, "a step failed because of the store");
  else log.error({ err: error, step, delayMs }, "a step failed; retrying");
}

/** Every ten seconds: saves what was counted, and tries items again that are due. */
async function retryDueItems(state: State): Promise<void> {
  while (!state.stop.aborted) {
    await saveProcessed(state);
    try {
      const dueAtMs = state.clock.nowMs();
      const { doneCount } = await retrySetAside(state, STEPS, { dueAtMs });
      if (doneCount > 0) tellAll(state.tracks);
    } catch (error) {
      state.log.error({ err: error }, "items that were set aside could not be retried");
    }
    await sleep(RETRY_LOOK_MS, state.stop);
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
