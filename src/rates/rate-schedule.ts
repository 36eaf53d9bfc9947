import { DAY_MS, HOUR_MS, MINUTE_MS } from "../base/time.ts";

/** The ECB publishes at about 16:00 in Frankfurt, which is 14:00 or 15:00 UTC. */
const PUBLISHED_AT_MS = 15 * HOUR_MS + 30 * MINUTE_MS;
/** So that not all installations ask at the same moment. */
const SPREAD_MS = 30 * MINUTE_MS;
const RETRY_MIN_MS = MINUTE_MS;
const RETRY_MAX_MS = 6 * HOUR_MS;
/** Nothing is planned further ahead. A later time was stored before the clock was set back. */
const AHEAD_MAX_MS = 2 * DAY_MS;

/** When to fetch next after a fetch that succeeded: once a day, after the ECB has published. `random` is from 0 to 1. */
export function nextFetchAtMs(nowMs: number, random: number): number {
  const today = nowMs - (nowMs % DAY_MS) + PUBLISHED_AT_MS;
  const at = today > nowMs ? today : today + DAY_MS;
  return at + Math.floor(random * SPREAD_MS);
}

/** How long to wait after so many failures in a row: a minute, doubled each time up to six hours, give or take a half. */
export function retryDelayMs(failedCount: number, random: number): number {
  const doubled = RETRY_MIN_MS * 2 ** Math.min(failedCount - 1, 20);
  return Math.floor(Math.min(doubled, RETRY_MAX_MS) * (0.5 + random));
}

export function isFetchDue(nextAtMs: number, nowMs: number): boolean {
  return nextAtMs <= nowMs || nextAtMs > nowMs + AHEAD_MAX_MS;
}

/** Returns true if a working day lies between two days such as `2026-11-13`, so that its rates may be missing. */
export function isDayMissing(latestDay: string, fileDay: string): boolean {
  const endMs = Date.parse(`${fileDay}T00:00:00Z`);
  for (let atMs = Date.parse(`${latestDay}T00:00:00Z`) + DAY_MS; atMs < endMs; atMs += DAY_MS) {
    const weekday = new Date(atMs).getUTCDay();
    if (weekday !== 0 && weekday !== 6) return true;
  }
  return false;
}
