/**
 * A bucket for each key, which limits a rate. It holds `size` and refills evenly by `perSecond`, so a caller may use all of
 * it in one burst and then continues at the steady rate.
 *
 * What is known beforehand is taken: a request that does not fit is refused. What is known only afterwards, such as the work
 * that a request was, is spent: the bucket may then be below empty, and the key waits until it is not.
 *
 * Example: 60 fit, and one comes back each second. A caller takes 60 at once; the 61st take returns 1, the seconds to wait. It
 * spends 5 more: then it waits for 5 seconds.
 */
import type { Clock } from "../clock.ts";

export interface Buckets {
  /** Takes from the bucket. Returns the seconds to wait, and takes nothing, if it does not hold so much. */
  take(key: string, amount?: number): number | undefined;
  /** Undoes a `take`. */
  giveBack(key: string, amount?: number): void;
  /** Takes more than the bucket may hold. */
  spend(key: string, amount: number): void;
  /** Returns the seconds until the bucket is no longer below empty; undefined if it is not. */
  findWait(key: string): number | undefined;
}

interface BucketOptions {
  readonly size: number;
  /** 0: there is no limit. */
  readonly perSecond: number;
  readonly clock: Pick<Clock, "elapsedMs">;
}

/** Bounds the memory. The key that was used least recently is forgotten, which means that its bucket is full. */
const KEYS_MAX = 20_000;
const SWEPT_EVERY_MS = 60_000;

const NO_LIMIT: Buckets = {
  take: () => undefined,
  giveBack: () => undefined,
  spend: () => undefined,
  findWait: () => undefined,
};

export function createBuckets({ size, perSecond, clock }: BucketOptions): Buckets {
  if (perSecond === 0) return NO_LIMIT;
  const msEach = 1_000 / perSecond;
  const emptyMs = size * msEach;
  // For each key, the time at which its bucket is full again. A time in the past means that it is full now.
  const fullAtMs = new Map<string, number>();
  let sweptAtMs = clock.elapsedMs();

  const sweep = (nowMs: number): void => {
    if (nowMs - sweptAtMs < SWEPT_EVERY_MS) return;
    sweptAtMs = nowMs;
    for (const [key, atMs] of fullAtMs) if (atMs <= nowMs) fullAtMs.delete(key);
  };
  const save = (key: string, atMs: number): void => {
    fullAtMs.delete(key);
    fullAtMs.set(key, atMs);
    if (fullAtMs.size <= KEYS_MAX) return;
    for (const oldest of fullAtMs.keys()) {
      fullAtMs.delete(oldest);
      return;
    }
  };
  const after = (key: string, amount: number, nowMs: number): number =>
    Math.max(fullAtMs.get(key) ?? nowMs, nowMs) + amount * msEach;

  return {
    take: (key, amount = 1) => {
      const nowMs = clock.elapsedMs();
      sweep(nowMs);
      const nextMs = after(key, amount, nowMs);
      const tooSoonMs = nextMs - nowMs - emptyMs;
      if (tooSoonMs > 0) return toSeconds(tooSoonMs);
      save(key, nextMs);
      return undefined;
    },
    giveBack: (key, amount = 1) => {
      const atMs = fullAtMs.get(key);
      if (atMs !== undefined) fullAtMs.set(key, atMs - amount * msEach);
    },
    spend: (key, amount) => {
      const nowMs = clock.elapsedMs();
      sweep(nowMs);
      save(key, after(key, amount, nowMs));
    },
    findWait: (key) => {
      const belowMs = (fullAtMs.get(key) ?? 0) - clock.elapsedMs() - emptyMs;
      return belowMs > 0 ? toSeconds(belowMs) : undefined;
    },
  };
}

/** Buckets for requests: one minute of them fits. */
export function createMinuteBuckets(options: {
  readonly perMinute: number;
  readonly clock: Pick<Clock, "elapsedMs">;
}): Buckets {
  const { perMinute, clock } = options;
  return createBuckets({ size: perMinute, perSecond: perMinute / 60, clock });
}

function toSeconds(ms: number): number {
  return Math.max(1, Math.ceil(ms / 1_000));
}
