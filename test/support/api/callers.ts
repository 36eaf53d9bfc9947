import type { Caller } from "../../../src/base/shares/caller.ts";

/** A caller who waits for so long, and whose budget is never used up. */
export function aCaller(key: string, patienceMs = 20_000): Caller {
  const untilMs = performance.now() + patienceMs;
  return { key, untilMs, waitingCount: 0, spend: () => undefined, findWait: () => undefined };
}
