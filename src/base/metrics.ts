import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";

/**
 * The metrics of one process, in the Prometheus format. The part that counts with a label sets each of its values to 0 at the start:
 * Prometheus sees no increase from nothing to the first value.
 */
export interface Metrics {
  readonly requestSeconds: Histogram<"method" | "route" | "status">;
  readonly requestsShed: Counter;
  readonly connectionsDropped: Counter;
  readonly readyAnswers: Counter;
  readonly reads: Counter<"from">;
  readonly webhookEvents: Counter<"result">;
  readonly deliveries: Counter<"result">;
  readonly mediaPictures: Counter<"result">;
  readonly stepItems: Counter<"step">;
  readonly stepSeconds: Histogram<"step">;
  readonly stepFailures: Counter<"step">;
  readonly stepLockSeconds: Histogram<"step">;
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

/** Sums of other metrics of the library. Prometheus can sum itself, and takes a name that ends like this for a counter. */
const SUMS = [
  "nodejs_active_handles_total",
  "nodejs_active_requests_total",
  "nodejs_active_resources_total",
];

export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  for (const name of SUMS) registry.removeSingleMetric(name);
  return {
    requestSeconds: new Histogram({
      name: "assay_http_request_seconds",
      help: "Time from the head of a request to the end of its response.",
      labelNames: ["method", "route", "status"],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
      registers: [registry],
    }),
    requestsShed: new Counter({
      name: "assay_http_requests_shed_total",
      help: "Requests answered with 503 because of overload.",
      registers: [registry],
    }),
    connectionsDropped: new Counter({
      name: "assay_http_connections_dropped_total",
      help: "Connections closed to make room for new ones, because they had sent no valid token or event.",
      registers: [registry],
    }),
    readyAnswers: new Counter({
      name: "assay_http_ready_answers_total",
      help: "Requests answered from the response cache, without building a response.",
      registers: [registry],
    }),
    reads: new Counter({
      name: "assay_reads_total",
      help: "Database reads of requests, by server. Counted only if there is a replica.",
      labelNames: ["from"],
      registers: [registry],
    }),
    webhookEvents: new Counter({
      name: "assay_webhook_events_total",
      help: "Events that the gateway posted, by result.",
      labelNames: ["result"],
      registers: [registry],
    }),
    deliveries: new Counter({
      name: "assay_deliveries_total",
      help: "Attempts to send a match to a webhook target, by result.",
      labelNames: ["result"],
      registers: [registry],
    }),
    mediaPictures: new Counter({
      name: "assay_media_pictures_total",
      help: "Attempts to fetch a picture, by result.",
      labelNames: ["result"],
      registers: [registry],
    }),
    intakeSeconds: new Histogram({
      name: "assay_intake_commit_seconds",
      help: "Time to commit a batch of events, with the wait for a synchronous standby.",
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
      registers: [registry],
    }),
    ...stepMetricsOf(registry),
    ...gaugesOf(registry),
    render: async () => ({ contentType: registry.contentType, text: await registry.metrics() }),
  };
}

function stepMetricsOf(
  registry: Registry,
): Pick<Metrics, "stepItems" | "stepSeconds" | "stepFailures" | "stepLockSeconds"> {
  return {
    stepItems: new Counter({
      name: "assay_step_items_total",
      help: "Items that the steps of the pipeline processed.",
      labelNames: ["step"],
      registers: [registry],
    }),
    stepSeconds: new Histogram({
      name: "assay_step_batch_seconds",
      help: "Duration of one batch of a step.",
      labelNames: ["step"],
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
      registers: [registry],
    }),
    stepFailures: new Counter({
      name: "assay_step_failures_total",
      help: "Batches of a step that failed as a whole; the step tries again.",
      labelNames: ["step"],
      registers: [registry],
    }),
    stepLockSeconds: new Histogram({
      name: "assay_step_lock_seconds",
      help: "Time that a step waited for a lock which one worker at a time holds.",
      labelNames: ["step"],
      buckets: [0.001, 0.005, 0.025, 0.1, 0.5, 1, 2.5, 5, 10],
      registers: [registry],
    }),
  };
}

function gaugesOf(registry: Registry): Pick<Metrics, "addGauge" | "addGaugeBy" | "addCounter"> {
  return {
    addCounter: (name, help, read) => {
      new Counter({
        name,
        help,
        registers: [registry],
        collect() {
          this.reset();
          this.inc(read());
        },
      });
    },
    addGauge: (name, help, read) => {
      new Gauge({
        name,
        help,
        registers: [registry],
        collect() {
          this.set(read());
        },
      });
    },
    addGaugeBy: (name, label, help, read) => {
      new Gauge({
        name,
        help,
        labelNames: [label],
        registers: [registry],
        collect() {
          this.reset();
          for (const [value, count] of read()) this.set({ [label]: value }, count);
        },
      });
    },
  };
}
