import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";

/** What one process counts, in the form that Prometheus reads. */
export interface Metrics {
  readonly requestSeconds: Histogram<"method" | "route" | "status">;
  readonly requestsShed: Counter;
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
