import { isConflict, isStoreDown } from "../db/store-error.ts";

/** When each step may run again. Every step waits on its own, so one that fails does not slow the others. */
export interface StepPace {
  isWaiting(step: string): boolean;
  /** How long until the next step may run again; infinite if none waits. */
  waitMs(): number;
  succeeded(step: string): void;
  /** The step waits for a multiple of the time that its batch took. */
  rest(step: string, tookMs: number): void;
  /** Returns how long the step waits now. */
  failed(step: string, error: unknown): number;
}

/** A step that rests takes a quarter of the time at most. */
const REST_FACTOR = 3;
const REST_MAX_MS = 1_000;
const RETRY_MIN_MS = 100;
/** A store that is back is used again within this time. */
const DOWN_MAX_MS = 2_000;
/** A step that fails for another reason will probably fail again. */
const FAILING_MAX_MS = 30_000;

/** A step whose wait ended just now may not have run since. One that ended earlier has its reasons not to run. */
const ENDED_MS = 50;

export function createStepPace(): StepPace {
  const waits = new Map<string, { readonly delayMs: number; readonly untilMs: number }>();
  return {
    isWaiting: (step) => (waits.get(step)?.untilMs ?? 0) > performance.now(),
    waitMs: () => {
      const nowMs = performance.now();
      const left = [...waits.values()]
        .map(({ untilMs }) => untilMs - nowMs)
        .filter((ms) => ms > -ENDED_MS);
      return Math.max(0, Math.min(Number.POSITIVE_INFINITY, ...left));
    },
    succeeded: (step) => {
      waits.delete(step);
    },
    rest: (step, tookMs) => {
      const delayMs = Math.min(tookMs * REST_FACTOR, REST_MAX_MS);
      waits.set(step, { delayMs: 0, untilMs: performance.now() + delayMs });
    },
    failed: (step, error) => {
      const maxMs = isStoreDown(error) || isConflict(error) ? DOWN_MAX_MS : FAILING_MAX_MS;
      const delayMs = Math.min((waits.get(step)?.delayMs || RETRY_MIN_MS / 2) * 2, maxMs);
      waits.set(step, { delayMs, untilMs: performance.now() + delayMs });
      return delayMs;
    },
  };
}
