import type { Clock } from "../../base/clock.ts";
import { MINUTE_MS } from "../../base/time.ts";

export interface RateLimit {
  /** Counts one request. Returns the seconds to wait if it exceeds the limit, otherwise undefined. */
  take(key: string): number | undefined;
}

const WINDOW_MS = MINUTE_MS;

/**
 * A token bucket for each key. It holds one minute of requests and refills evenly, so a caller may use all of them in one
 * burst and then continues at the steady rate. With 0 requests per minute there is no limit.
 *
 * Example: with 60 per minute, a caller sends 60 requests at once. The 61st returns 1: one request is free again after a
 * second.
 */
export function createRateLimit(options: {
  readonly perMinute: number;
  readonly clock: Clock;
}): RateLimit {
  const { perMinute, clock } = options;
  if (perMinute === 0) return { take: () => undefined };
  const costMs = WINDOW_MS / perMinute;
  // For each key, the time at which its bucket is full again. A time in the past means that it is full now.
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
      // If the clock was set back, a caller must not wait longer than for an empty bucket.
      const fullMs = Math.min(fullAtMs.get(key) ?? 0, nowMs + WINDOW_MS);
      const nextMs = Math.max(fullMs, nowMs) + costMs;
      const tooSoonMs = nextMs - nowMs - WINDOW_MS;
      if (tooSoonMs > 0) return Math.max(1, Math.ceil(tooSoonMs / 1000));
      fullAtMs.set(key, nextMs);
      return undefined;
    },
  };
}
