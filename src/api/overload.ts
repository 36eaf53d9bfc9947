import { monitorEventLoopDelay } from "node:perf_hooks";

/** Turns requests away while they could only wait: a quick 503 is worth more than a late answer. */
export interface OverloadGuard {
  /** False: answer 503. True: work on it, and call `leave` once when it is done. */
  tryEnter(): boolean;
  leave(): void;
  inFlightCount(): number;
  close(): void;
}

/** Work on the event loop that delays everybody this long is overload, however few requests are under way. */
const LOOP_DELAY_MAX_MS = 1_000;
const SAMPLE_MS = 500;
const NANOSECONDS_PER_MS = 1e6;

export function createOverloadGuard(options: { readonly inFlightMax: number }): OverloadGuard {
  const delay = monitorEventLoopDelay({ resolution: 20 });
  delay.enable();
  const state = { inFlightCount: 0, isLoopSlow: false };
  const timer = setInterval(() => {
    state.isLoopSlow = delay.mean / NANOSECONDS_PER_MS > LOOP_DELAY_MAX_MS;
    delay.reset();
  }, SAMPLE_MS);
  timer.unref();
  return {
    tryEnter: () => {
      if (state.inFlightCount >= options.inFlightMax || state.isLoopSlow) return false;
      state.inFlightCount += 1;
      return true;
    },
    leave: () => {
      state.inFlightCount -= 1;
    },
    inFlightCount: () => state.inFlightCount,
    close: () => {
      clearInterval(timer);
      delay.disable();
    },
  };
}
