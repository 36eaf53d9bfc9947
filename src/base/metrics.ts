import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";

/** What one process counts, in the form that Prometheus reads. */
export interface Metrics {
  readonly requestSeconds: Histogram<"method" | "route" | "status">;
  readonly requestsShed: Counter;
  readonly readyAnswers: Counter;
  readonly reads: Counter<"from">;
  readonly webhookEvents: Counter<"result">;
  readonly deliveries: Counter<"result">;
  readonly stepItems: Counter<"step">;
  readonly stepSeconds: Histogram<"step">;
  /** Asked at each reading. */
  addGauge(name: string, help: string, read: () => number): void;
  render(): Promise<{ readonly contentType: string; readonly text: string }>;
}

export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  return {
    requestSeconds: new Histogram({
      name: "assay_http_request_seconds",
      help: "Time from a request's head to the end of its answer.",
      labelNames: ["method", "route", "status"],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
      registers: [registry],
    }),
    requestsShed: new Counter({
      name: "assay_http_requests_shed_total",
      help: "Requests that were answered 503 because of overload.",
      registers: [registry],
    }),
    readyAnswers: new Counter({
      name: "assay_http_ready_answers_total",
      help: "Requests that were answered with bytes that lay ready.",
      registers: [registry],
    }),
    reads: new Counter({
      name: "assay_reads_total",
      help: "Questions of requests to the store, by the server that was asked; counted when there is a replica.",
      labelNames: ["from"],
      registers: [registry],
    }),
    webhookEvents: new Counter({
      name: "assay_webhook_events_total",
      help: "Events that the gateway posted, by what became of the request.",
      labelNames: ["result"],
      registers: [registry],
    }),
    deliveries: new Counter({
      name: "assay_deliveries_total",
      help: "Attempts to send a match to a webhook target, by what became of them.",
      labelNames: ["result"],
      registers: [registry],
    }),
    stepItems: new Counter({
      name: "assay_step_items_total",
      help: "What the steps of the pipeline took.",
      labelNames: ["step"],
      registers: [registry],
    }),
    stepSeconds: new Histogram({
      name: "assay_step_batch_seconds",
      help: "Time of one batch of a step.",
      labelNames: ["step"],
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
      registers: [registry],
    }),
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
    render: async () => ({ contentType: registry.contentType, text: await registry.metrics() }),
  };
}
