import type { TestContext } from "node:test";
import { systemClock } from "../../src/base/clock.ts";
import { createLogger } from "../../src/base/log.ts";
import { createMetrics } from "../../src/base/metrics.ts";
import { type FigureOptions, startFigures } from "../../src/operations/watch-figures.ts";
import { until } from "./test-app.ts";

/** Metrics with the figures of a store, which have been read. */
export async function watchFigures(
  t: Pick<TestContext, "after">,
  options: Pick<FigureOptions, "db" | "store">,
): Promise<{ text(): Promise<string> }> {
  const metrics = createMetrics();
  const log = createLogger("silent");
  const figures = startFigures({ ...options, clock: systemClock, log, metrics });
  t.after(() => figures.stop());
  const text = async () => (await metrics.render()).text;
  await until(async () => (await text()).includes("assay_queue_items{"));
  return { text };
}
