import { type Clock, DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS, sleep } from "../base/clock.ts";
import type { Logger } from "../base/log.ts";
import type { Metrics } from "../base/metrics.ts";
import { cutText } from "../base/text.ts";
import { type DatabasePool, LONG_WORK, type Transaction } from "../db/database.ts";
import { whileLocked } from "../db/locks.ts";
import { downloadEcbRates } from "./ecb-rates.ts";
import { areRatesNew, type NewFxRate } from "./fx-store.ts";
import { findRateFetch, type RateFetch, saveRateFetch } from "./rate-fetch-store.ts";

interface RateFetchOptions {
  readonly pool: DatabasePool;
  readonly clock: Clock;
  readonly log: Logger;
  /** The folder with the ECB's files. */
  readonly url: string;
  /** Saves the rates with the prices that depend on them, and returns what changed. It belongs to a folder below this one. */
  readonly changeRates: (
    tx: Transaction,
    rates: readonly NewFxRate[],
    source: "ecb",
  ) => Promise<readonly unknown[]>;
  readonly signal?: AbortSignal;
  /** Smaller in tests. */
  readonly timeoutMs?: number;
}

interface RateFetcher {
  stop(): Promise<void>;
}

const POLL_MS = 30 * SECOND_MS;
const ERROR_LENGTH_MAX = 300;

/**
 * Fetches the ECB's rates once a day. What is due is in the store, so any number of processes may run this, and a restart
 * asks for nothing that is not due.
 */
export function startRateFetch(
  options: RateFetchOptions & { readonly metrics: Metrics },
): RateFetcher {
  const { pool, clock, log, metrics } = options;
  const stop = new AbortController();
  let state: RateFetch | undefined;
  metrics.addGauge(
    "assay_rates_age_seconds",
    "Time since the latest day of the ECB's rates began; -1 if none were fetched.",
    () => (state?.latest_day == null ? -1 : ageSeconds(state.latest_day, clock.nowMs())),
  );
  metrics.addGauge(
    "assay_rates_failures",
    "Attempts in a row to fetch the ECB's rates that failed.",
    () => state?.failed_count ?? 0,
  );
  const run = async (): Promise<void> => {
    while (!stop.signal.aborted) {
      try {
        await fetchDueRates({ ...options, signal: stop.signal });
        state = await findRateFetch(pool);
      } catch (error) {
        log.warn({ err: error }, "cannot look for due exchange rates");
      }
      await sleep(POLL_MS, stop.signal);
    }
  };
  const running = run();
  return {
    stop: async () => {
      stop.abort();
      await running;
    },
  };
}

function ageSeconds(day: string, nowMs: number): number {
  return Math.max(0, (nowMs - Date.parse(`${day}T00:00:00Z`)) / SECOND_MS);
}

/** Fetches and saves the rates if that is due and no other process does it. A failure is stored and retried later. */
export async function fetchDueRates(options: RateFetchOptions): Promise<void> {
  const { pool, clock } = options;
  const isDue = async () => isFetchDue((await findRateFetch(pool)).next_at_ms, clock.nowMs());
  if (!(await isDue())) return;
  await whileLocked(pool, "rates", async () => {
    // Another process may have fetched them while this one looked.
    if (await isDue()) await fetchOnce(options);
  });
}

async function fetchOnce(options: RateFetchOptions): Promise<void> {
  const { pool, clock, log, signal } = options;
  const before = await findRateFetch(pool);
  try {
    const rates = await download(before.latest_day, options);
    const fetched: RateFetch = {
      fetched_at_ms: clock.nowMs(),
      latest_day: latestOf(rates, before.latest_day),
      failed_count: 0,
      failing_since_ms: null,
      last_error: null,
      next_at_ms: nextFetchAtMs(clock.nowMs(), Math.random()),
    };
    const changedCount = await saveRates(options, rates, fetched);
    log.info({ changedCount, latestDay: fetched.latest_day }, "fetched the ECB's rates");
  } catch (error) {
    // A service that stops is no failure of the server.
    if (signal?.aborted === true) return;
    const failedCount = before.failed_count + 1;
    const nowMs = clock.nowMs();
    const delayMs = retryDelayMs(failedCount, Math.random());
    await saveRateFetch(pool, {
      ...before,
      failed_count: failedCount,
      failing_since_ms: before.failing_since_ms ?? nowMs,
      last_error: cutText(describe(error), ERROR_LENGTH_MAX),
      next_at_ms: nowMs + delayMs,
    });
    log.warn({ err: error, failedCount, delayMs }, "cannot fetch the ECB's rates; retrying later");
  }
}

/** The latest day, and all days if one in between may be missing. */
async function download(
  latestDay: string | null,
  options: RateFetchOptions,
): Promise<readonly NewFxRate[]> {
  const { clock } = options;
  const from = { ...options, nowMs: clock.nowMs() };
  const latest = await downloadEcbRates("eurofxref.zip", from);
  const fileDay = latestOf(latest, null);
  const isComplete = latestDay !== null && (fileDay === null || !isDayMissing(latestDay, fileDay));
  if (isComplete) return latest;
  return [...(await downloadEcbRates("eurofxref-hist.zip", from)), ...latest];
}

function latestOf(rates: readonly NewFxRate[], other: string | null): string | null {
  return rates.reduce<string | null>(
    (latest, { day }) => (latest === null || day > latest ? day : latest),
    other,
  );
}

/** Steps stop for as long as prices change, so that is done only if a rate is new. Returns how many rates changed. */
async function saveRates(
  { pool, changeRates }: RateFetchOptions,
  rates: readonly NewFxRate[],
  fetched: RateFetch,
): Promise<number> {
  if (!(await areRatesNew(pool, rates, "ecb"))) {
    await saveRateFetch(pool, fetched);
    return 0;
  }
  return pool.transaction(async (tx) => {
    const changed = await changeRates(tx, rates, "ecb");
    await saveRateFetch(tx, fetched);
    return changed.length;
  }, LONG_WORK);
}

/** `fetch` says only that it failed; the cause says why. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  return cause instanceof Error ? `${error.message}: ${cause.message}` : error.message;
}

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
