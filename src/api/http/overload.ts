/**
 * Refuses requests with 503 while too many are in progress or the event loop is too slow. A quick refusal that the client
 * can retry is better than an answer that comes too late.
 *
 * Requests with a token, requests that need none, sign-ins, token look-ups and events have slots of their own. So whatever a
 * client without a token does, it cannot take the place of one with a token. Nor can it keep out others without one: while
 * a stranger's body has not arrived, or its answer is not read, its slot goes to the next request. Streams take no slot,
 * because they stay open for hours, and neither do the console's own files, which are in memory and answered at once. Health and
 * metrics are always admitted.
 */
import { monitorEventLoopDelay } from "node:perf_hooks";
import { createRequestSlots, type RequestSlots } from "./request-slots.ts";

export interface OverloadGuard {
  /** Requests with a valid token. */
  readonly readers: RequestSlots;
  /** Requests that need no token: the documentation, and paths that do not exist. */
  readonly visitors: RequestSlots;
  readonly signIns: RequestSlots;
  /** Look-ups of tokens that were never valid here. */
  readonly lookUps: RequestSlots;
  /** Events of the gateway. */
  readonly events: RequestSlots;
  isLoopSlow(): boolean;
  inFlightCount(): number;
  close(): void;
}

/** If the event loop delays every request by this much, the process is overloaded, however few requests are in progress. */
const LOOP_DELAY_MAX_MS = 1_000;
const SAMPLE_MS = 500;
const NANOSECONDS_PER_MS = 1e6;
/** A page of the documentation loads about ten files. */
const VISITORS_MAX = 100;
/** Many more than people sign in at once. Only those that the store is being asked about keep their slots. */
const SIGN_INS_MAX = 100;
/** Four bodies of the largest size. */
const EVENT_BYTES_MAX = 64 * 1024 * 1024;

export function createOverloadGuard(options: {
  readonly inFlightMax: number;
  readonly slotMs: number;
}): OverloadGuard {
  const { inFlightMax: countMax, slotMs: ageMaxMs } = options;
  const readers = createRequestSlots({ countMax, ageMaxMs });
  const visitors = createRequestSlots({ countMax: VISITORS_MAX, ageMaxMs });
  const signIns = createRequestSlots({ countMax: SIGN_INS_MAX, ageMaxMs });
  const lookUps = createRequestSlots({ countMax, ageMaxMs });
  const events = createRequestSlots({ countMax, ageMaxMs, bytesMax: EVENT_BYTES_MAX });
  const all = [readers, visitors, signIns, lookUps, events];
  const delay = monitorEventLoopDelay({ resolution: 20 });
  delay.enable();
  const state = { wasLoopSlow: false, isLoopSlow: false };
  const timer = setInterval(
    () => {
      const isSlow = delay.mean / NANOSECONDS_PER_MS > LOOP_DELAY_MAX_MS;
      // One slow sample is a start or a short pause that is already over. Two in a row are overload.
      state.isLoopSlow = isSlow && state.wasLoopSlow;
      state.wasLoopSlow = isSlow;
      delay.reset();
      for (const slots of all) slots.closeOverdue();
    },
    Math.min(SAMPLE_MS, ageMaxMs),
  );
  timer.unref();
  return {
    readers,
    visitors,
    signIns,
    lookUps,
    events,
    isLoopSlow: () => state.isLoopSlow,
    inFlightCount: () => all.reduce((count, slots) => count + slots.count(), 0),
    close: () => {
      clearInterval(timer);
      delay.disable();
    },
  };
}
