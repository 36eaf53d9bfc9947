import {
  CONTENT_TYPE,
  type Count,
  createRegistry,
  type Histogram,
  type LabelledCount,
  type LabelledHistogram,
  type Registry,
} from "./exposition.ts";
import { addProcessMetrics } from "./process-metrics.ts";

/**
 * The metrics of one process, in the Prometheus format. The part that counts with a label sets each of its values to 0 at the start:
 * Prometheus sees no increase from nothing to the first value.
 */
export interface Metrics {
  readonly requestSeconds: LabelledHistogram<"method" | "route" | "status">;
  readonly requestsShed: Count;
  readonly connectionsDropped: Count;
  readonly readyAnswers: Count;
  readonly reads: LabelledCount<"from">;
  readonly webhookEvents: LabelledCount<"result">;
  readonly deliveries: LabelledCount<"result">;
  readonly mediaPictures: LabelledCount<"result">;
  readonly stepItems: LabelledCount<"step">;
  readonly stepSeconds: LabelledHistogram<"step">;
  readonly stepFailures: LabelledCount<"step">;
  readonly stepLockSeconds: LabelledHistogram<"step">;
  readonly intakeSeconds: Histogram;
  /** Calls `read` on every scrape. */
  addGauge(name: string, help: string, read: () => number): void;
  /** A gauge with one label: `read` returns a value for each value of the label. */
  addGaugeBy(name: string, label: string, help: string, read: () => GaugeValues): void;
  /** Calls `read` on every scrape. It returns the whole count since the start. */
  addCounter(name: string, help: string, read: () => number): void;
  render(): Promise<{ readonly contentType: string; readonly text: string }>;
}

/** Values by the value of a label. */
export type GaugeValues = ReadonlyMap<string, number>;

export function createMetrics(): Metrics {
  const registry = createRegistry();
  addProcessMetrics(registry);
  return {
    requestSeconds: registry.histogramBy({
      name: "assay_http_request_seconds",
      help: "Time from the head of a request to the end of its response.",
      labelNames: ["method", "route", "status"],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    }),
    requestsShed: registry.count(
      "assay_http_requests_shed_total",
      "Requests answered with 503 because of overload.",
    ),
    connectionsDropped: registry.count(
      "assay_http_connections_dropped_total",
      "Connections closed to make room for new ones, because they had sent no valid token or event.",
    ),
    readyAnswers: registry.count(
      "assay_http_ready_answers_total",
      "Requests answered from the response cache, without building a response.",
    ),
    reads: registry.countBy(
      "assay_reads_total",
      ["from"],
      "Database reads of requests, by server. Counted only if there is a replica.",
    ),
    webhookEvents: registry.countBy(
      "assay_webhook_events_total",
      ["result"],
      "Events that the gateway posted, by result.",
    ),
    deliveries: registry.countBy(
      "assay_deliveries_total",
      ["result"],
      "Attempts to send a match to a webhook target, by result.",
    ),
    mediaPictures: registry.countBy(
      "assay_media_pictures_total",
      ["result"],
      "Attempts to fetch a picture, by result.",
    ),
    intakeSeconds: registry.histogram({
      name: "assay_intake_commit_seconds",
      help: "Time to commit a batch of events, with the wait for a synchronous standby.",
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    }),
    ...stepMetricsOf(registry),
    ...gaugesOf(registry),
    render: async () => ({ contentType: CONTENT_TYPE, text: registry.render() }),
  };
}

function stepMetricsOf(
  registry: Registry,
): Pick<Metrics, "stepItems" | "stepSeconds" | "stepFailures" | "stepLockSeconds"> {
  return {
    stepItems: registry.countBy(
      "assay_step_items_total",
      ["step"],
      "Items that the steps of the pipeline processed.",
    ),
    stepSeconds: registry.histogramBy({
      name: "assay_step_batch_seconds",
      help: "Duration of one batch of a step.",
      labelNames: ["step"],
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    }),
    stepFailures: registry.countBy(
      "assay_step_failures_total",
      ["step"],
      "Batches of a step that failed as a whole; the step tries again.",
    ),
    stepLockSeconds: registry.histogramBy({
      name: "assay_step_lock_seconds",
      help: "Time that a step waited for a lock which one worker at a time holds.",
      labelNames: ["step"],
      buckets: [0.001, 0.005, 0.025, 0.1, 0.5, 1, 2.5, 5, 10],
    }),
  };
}

function gaugesOf(registry: Registry): Pick<Metrics, "addGauge" | "addGaugeBy" | "addCounter"> {
  return {
    addCounter: (name, help, read) =>
      registry.addRead({ name, help, type: "counter" }, () => [{ labels: {}, value: read() }]),
    addGauge: (name, help, read) =>
      registry.addRead({ name, help, type: "gauge" }, () => [{ labels: {}, value: read() }]),
    addGaugeBy: (name, label, help, read) =>
      registry.addRead({ name, help, type: "gauge" }, () =>
        [...read()].map(([of, value]) => ({ labels: { [label]: of }, value })),
      ),
  };
}
