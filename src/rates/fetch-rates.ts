import type { Clock } from "../base/clock.ts";
import type { Logger } from "../base/log.ts";
import type { Metrics } from "../base/metrics.ts";
import { sleep } from "../base/sleep.ts";
import { cutText } from "../base/text.ts";
import { SECOND_MS } from "../base/time.ts";
import { type DatabasePool, LONG_WORK, type Transaction } from "../db/database.ts";
import { whileLocked } from "../db/locks.ts";
import { downloadEcbRates } from "./download-ecb.ts";
import { areRatesNew, type NewFxRate } from "./fx-store.ts";
import { findRateFetch, type RateFetch, saveRateFetch } from "./rate-fetch-store.ts";
import { isDayMissing, isFetchDue, nextFetchAtMs, retryDelayMs } from "./rate-schedule.ts";

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

function latestOf(rates: readonly NewFxRate[], other: string | null): string | null {
  return rates.reduce<string | null>(
    (latest, { day }) => (latest === null || day > latest ? day : latest),
    other,
  );
}

/** `fetch` says only that it failed; the cause says why. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  return cause instanceof Error ? `${error.message}: ${cause.message}` : error.message;
}
