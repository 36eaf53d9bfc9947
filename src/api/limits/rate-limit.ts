import { type Clock, MINUTE_MS } from "../../base/clock.ts";

export interface RateLimit {
  /** Counts one request. Returns the seconds to wait if it exceeds the limit, otherwise undefined. */
  take(key: string): number | undefined;
  /** Undoes one `take`. */
  giveBack(key: string): void;
}

const WINDOW_MS = MINUTE_MS;
/** Bounds the memory. The key that was added first is forgotten, which means that its bucket is full. */
const KEYS_MAX = 20_000;

/**
 * A token bucket for each key. It holds one minute of requests and refills evenly, so a caller may use all of them in one
 * burst and then continues at the steady rate. With 0 requests per minute there is no limit.
 *
 * Example: with 60 per minute, a caller sends 60 requests at once. The 61st returns 1: one request is free again after a
 * second.
 */
export function createRateLimit(options: {
  readonly perMinute: number;
  readonly clock: Pick<Clock, "elapsedMs">;
}): RateLimit {
  const { perMinute, clock } = options;
  if (perMinute === 0) return { take: () => undefined, giveBack: () => undefined };
  const costMs = WINDOW_MS / perMinute;
  // For each key, the time at which its bucket is full again. A time in the past means that it is full now.
  const fullAtMs = new Map<string, number>();
  let sweptAtMs = clock.elapsedMs();

  const sweep = (nowMs: number): void => {
    if (nowMs - sweptAtMs < WINDOW_MS) return;
    sweptAtMs = nowMs;
    for (const [key, atMs] of fullAtMs) if (atMs <= nowMs) fullAtMs.delete(key);
  };
  const save = (key: string, atMs: number): void => {
    fullAtMs.set(key, atMs);
    if (fullAtMs.size <= KEYS_MAX) return;
    for (const oldest of fullAtMs.keys()) {
      fullAtMs.delete(oldest);
      return;
    }
  };

  return {
    take: (key) => {
      const nowMs = clock.elapsedMs();
      sweep(nowMs);
      const nextMs = Math.max(fullAtMs.get(key) ?? nowMs, nowMs) + costMs;
      const tooSoonMs = nextMs - nowMs - WINDOW_MS;
      if (tooSoonMs > 0) return Math.max(1, Math.ceil(tooSoonMs / 1000));
      save(key, nextMs);
      return undefined;
    },
    giveBack: (key) => {
      const atMs = fullAtMs.get(key);
      if (atMs !== undefined) fullAtMs.set(key, atMs - costMs);
    },
  };
}
