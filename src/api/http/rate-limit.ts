import type { Clock } from "../../base/clock.ts";

export interface RateLimit {
  /** Counts one request; gives the seconds to wait when it is one too many. */
  take(key: string): number | undefined;
}

const WINDOW_MS = 60_000;

/**
 * A bucket for each key that holds a minute's worth of requests and fills up evenly: a caller may spend it in one
 * burst, and then goes on at the steady rate. 0 requests a minute: no limit.
 */
export function createRateLimit(options: {
  readonly perMinute: number;
  readonly clock: Clock;
}): RateLimit {
  const { perMinute, clock } = options;
  if (perMinute === 0) return { take: () => undefined };
  const costMs = WINDOW_MS / perMinute;
  // For each key the time at which its bucket will be full again; a time in the past means that it is full.
  const fullAtMs = new Map<string, number>();
  let sweptAtMs = clock.nowMs();

  const sweep = (nowMs: number): void => {
    if (nowMs - sweptAtMs < WINDOW_MS) return;
    sweptAtMs = nowMs;
    for (const [key, atMs] of fullAtMs) if (atMs <= nowMs) fullAtMs.delete(key);
  };

  return {
    take: (key) => {
      const nowMs = clock.nowMs();
      sweep(nowMs);
      // A clock that was set back must not lock anybody out for longer than an empty bucket does.
      const fullMs = Math.min(fullAtMs.get(key) ?? 0, nowMs + WINDOW_MS);
      const nextMs = Math.max(fullMs, nowMs) + costMs;
      const tooSoonMs = nextMs - nowMs - WINDOW_MS;
      if (tooSoonMs > 0) return Math.max(1, Math.ceil(tooSoonMs / 1000));
      fullAtMs.set(key, nextMs);
      return undefined;
    },
  };
}
