import { type Clock, SECOND_MS, sleep } from "../base/clock.ts";
import type { Logger } from "../base/log.ts";
import type { GaugeValues, Metrics } from "../base/metrics.ts";
import type { Database } from "../db/database.ts";
import type { Hosts } from "../db/driver/hosts.ts";
import { describeStandbyProblem, type Standbys } from "../db/standbys.ts";
import type { QueueState } from "./operations-store.ts";
import { findStoreFigures, type StoreFigures } from "./store-figures.ts";

export interface FigureOptions {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly store: { readonly folder?: string; readonly hosts?: Pick<Hosts, "urls"> };
}

interface FigureWatch {
  stop(): Promise<void>;
}

/** Prometheus usually asks every 15 seconds or more. */
const PERIOD_MS = 10 * SECOND_MS;

interface State {
  figures: StoreFigures | undefined;
  /** When they were read, on the clock that never jumps. */
  readAtMs: number;
}

/**
 * Reads the figures of the store again and again, for the metrics: a scrape never waits for the store, and is answered while the store
 * is down. Then the figures stay what they were, and `assay_figures_age_seconds` grows.
 */
export function startFigures(options: FigureOptions): FigureWatch {
  const { db, clock, log, store } = options;
  const stop = new AbortController();
  const state: State = { figures: undefined, readAtMs: clock.elapsedMs() };
  addPipelineGauges(options, state);
  addMarketGauges(options, state);
  addStoreGauges(options, state);
  const noteStandbys = createStandbyLog(options);
  const run = async (): Promise<void> => {
    while (!stop.signal.aborted) {
      try {
        state.figures = await findStoreFigures(db, { nowMs: clock.nowMs(), folder: store.folder });
        state.readAtMs = clock.elapsedMs();
        noteStandbys(state.figures.standbys);
      } catch (error) {
        log.warn({ err: error }, "cannot read the figures for the metrics; trying again");
      }
      await sleep(PERIOD_MS, stop.signal);
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

/** Logs when events begin or cease to be on one machine only. The start has logged what it found. */
function createStandbyLog({ log, store }: FigureOptions): (standbys: Standbys) => void {
  const hostCount = store.hosts?.urls.length ?? 1;
  let hadStandby = false;
  let isFirst = true;
  let last: string | undefined;
  return (standbys) => {
    hadStandby ||= standbys.connected > 0;
    const problem = describeStandbyProblem(standbys, { hostCount, hadStandby });
    if (problem !== undefined && problem !== last && !isFirst) log.warn(problem);
    if (problem === undefined && last !== undefined) log.info("a commit waits for a standby again");
    last = problem;
    isFirst = false;
  };
}

function addPipelineGauges({ metrics, clock }: FigureOptions, state: State): void {
  metrics.addGaugeBy(
    "assay_queue_items",
    "step",
    "Items that wait for a step, counted up to 100,000.",
    () => byStep(state, ({ depth }) => depth),
  );
  metrics.addGaugeBy(
    "assay_queue_age_seconds",
    "step",
    "How long the first item has waited for a step; 0 if none waits.",
    () => byStep(state, ({ oldest_age_ms: ageMs }) => (ageMs ?? 0) / SECOND_MS),
  );
  metrics.addGauge(
    "assay_quarantined_events",
    "Events in quarantine.",
    from(state, ({ quarantinedCount }) => quarantinedCount),
  );
  metrics.addGauge(
    "assay_quarantine_age_seconds",
    "Time since the first event came into quarantine, without events of an unknown kind; 0 if there is none.",
    from(state, ({ quarantinedSinceMs: sinceMs }) =>
      sinceMs === null ? 0 : Math.max(0, clock.nowMs() - sinceMs) / SECOND_MS,
    ),
  );
  metrics.addGauge(
    "assay_set_aside_items",
    "Items of the pipeline that failed and wait for another attempt.",
    from(state, ({ setAsideCount }) => setAsideCount),
  );
  metrics.addGauge(
    "assay_failed_extractions",
    "Messages whose extraction failed; they keep the listings that they had.",
    from(state, ({ failedExtractionCount }) => failedExtractionCount),
  );
  metrics.addGauge(
    "assay_erased_events",
    "Events of erased persons that came again and were dropped, in whole or in part.",
    from(state, ({ droppedCount }) => droppedCount),
  );
}

function addMarketGauges({ metrics }: FigureOptions, state: State): void {
  metrics.addGaugeBy(
    "assay_sessions",
    "state",
    "Sessions of the gateway, by health.",
    () => state.figures?.sessions ?? new Map(),
  );
  metrics.addGauge(
    "assay_match_lag_p50_seconds",
    "Median time from a message to its match, of the latest 1,000 matches of the last day.",
    from(state, ({ lag }) => (lag.p50_ms ?? 0) / SECOND_MS),
  );
  metrics.addGauge(
    "assay_match_lag_p99_seconds",
    "99th percentile of the time from a message to its match, of the latest 1,000 matches of the last day.",
    from(state, ({ lag }) => (lag.p99_ms ?? 0) / SECOND_MS),
  );
  metrics.addGauge(
    "assay_configurations",
    "Price configurations.",
    from(state, ({ configurationCount }) => configurationCount),
  );
  metrics.addGauge(
    "assay_stale_configurations",
    "Price configurations whose prices are not calculated yet, or are too old.",
    from(state, ({ staleCount }) => staleCount),
  );
}

function addStoreGauges({ metrics, clock, store }: FigureOptions, state: State): void {
  metrics.addGauge(
    "assay_figures_age_seconds",
    "Time since the figures of the store were last read.",
    () => (clock.elapsedMs() - state.readAtMs) / SECOND_MS,
  );
  metrics.addGauge(
    "assay_store_bytes",
    "Size of the database.",
    from(state, ({ storeBytes }) => storeBytes),
  );
  metrics.addGauge(
    "assay_store_standbys",
    "Standbys that receive the log of the store's server.",
    from(state, ({ standbys }) => standbys.connected),
  );
  metrics.addGauge(
    "assay_store_is_synchronous",
    "Whether a commit waits for a standby: 1 or 0.",
    from(state, ({ standbys }) => (standbys.isSynchronous ? 1 : 0)),
  );
  if (store.folder === undefined) return;
  metrics.addGauge(
    "assay_disk_bytes",
    "Size of the disk of the embedded store.",
    from(state, ({ disk }) => disk?.bytes),
  );
  metrics.addGauge(
    "assay_disk_free_bytes",
    "Free space on the disk of the embedded store.",
    from(state, ({ disk }) => disk?.freeBytes),
  );
}

/** NaN before the first reading: Prometheus compares it with nothing, so no alert fires at a start. */
function from(state: State, pick: (figures: StoreFigures) => number | undefined): () => number {
  return () => (state.figures === undefined ? undefined : pick(state.figures)) ?? Number.NaN;
}

function byStep(state: State, pick: (queue: QueueState) => number): GaugeValues {
  return new Map(state.figures?.queues.map((queue) => [queue.step, pick(queue)]) ?? []);
}
