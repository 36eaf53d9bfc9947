import type { TestContext } from "node:test";
import { systemClock } from "../../../src/base/clock.ts";
import { createLogger } from "../../../src/base/log.ts";
import { createMetrics } from "../../../src/base/metrics.ts";
import { type FigureOptions, startFigures } from "../../../src/operations/watch-figures.ts";
import { until } from "../test-app.ts";

/** Reads the text that Prometheus scrapes, and checks it by the rules of `promtool check metrics`, without promtool. */

export interface Metric {
  readonly name: string;
  readonly help: string;
  readonly type: string;
  readonly labels: readonly string[];
}

/** Units that are not the base unit, and abbreviations of any. */
const WRONG_UNITS =
  /_(?:milliseconds|microseconds|nanoseconds|minutes|hours|days|weeks|kilobytes|megabytes|gigabytes|bits|percent|s|ms|us|ns|sec|h|d|b|kb|mb|gb)(?:_|$)/;

const TYPES_IN_NAME = /_(?:counter|gauge|histogram|summary)(?:_|$)/;

/** Finds what an expression of Prometheus names, well enough for our own rules and dashboard. */

interface Selector {
  readonly metric: string;
  readonly matchers: readonly { readonly label: string; readonly value: string }[];
}

const WORDS = new Set(["by", "without", "on", "ignoring", "and", "or", "unless", "bool", "offset"]);

/** The metrics of an expression, each with the labels that it is selected by. */
export function listSelectors(expression: string): readonly Selector[] {
  // What stands in the parentheses of `by` and `on` are labels.
  const text = expression.replaceAll(GROUPING, " ");
  return [...text.matchAll(/([a-zA-Z_]\w*)\s*(\(|\{([^}]*)\})?/g)]
    .filter(([, name = "", after]) => after !== "(" && !WORDS.has(name) && !isInside(text, name))
    .map(([, metric = "", , matchers = ""]) => ({
      metric,
      matchers: [...matchers.matchAll(/(\w+)\s*[!=]=?~?\s*"([^"]*)"/g)].map(
        ([, label = "", value = ""]) => ({ label, value }),
      ),
    }));
}

/** The labels by which an expression groups. */
export function listGroupings(expression: string): readonly string[] {
  return [...expression.matchAll(GROUPING)].flatMap(([, labels = ""]) =>
    labels.split(",").map((label) => label.trim()),
  );
}

const GROUPING = /\b(?:by|without|on|ignoring)\s*\(([^)]*)\)/g;

/** A unit of a duration, such as the m of [5m], or a variable of Grafana. */
function isInside(text: string, name: string): boolean {
  return new RegExp(`\\[[^\\]]*${name}[^\\]]*\\]`).test(text) && !name.startsWith("assay");
}

export function readMetrics(text: string): readonly Metric[] {
  const labels = new Map<string, Set<string>>();
  for (const [, name = "", inside = ""] of text.matchAll(/^(\w+)\{(.*)\} /gm)) {
    const known = labels.get(name) ?? new Set();
    for (const [, label = ""] of inside.matchAll(/(?:^|,)(\w+)="/g)) known.add(label);
    labels.set(name, known);
  }
  return [...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)].map(([, name = "", type = ""]) => ({
    name,
    type,
    help: new RegExp(`^# HELP ${name} (.*)$`, "m").exec(text)?.[1] ?? "",
    labels: namesOfSamples(name, type).flatMap((sample) => [...(labels.get(sample) ?? [])]),
  }));
}

/** The names under which the values of a metric stand. */
export function namesOfSamples(name: string, type: string): readonly string[] {
  return type === "histogram" ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name];
}

/** One line for each rule that a metric breaks. */
export function listMetricProblems(metrics: readonly Metric[]): readonly string[] {
  return metrics.flatMap(({ name, help, type, labels }) => {
    const rules: readonly (readonly [boolean, string])[] = [
      [help === "", "has no help text"],
      [type === "untyped", "has no type"],
      [type === "counter" && !name.endsWith("_total"), "is a counter and does not end in _total"],
      [type !== "counter" && name.endsWith("_total"), "ends in _total and is no counter"],
      [type !== "histogram" && /_(?:bucket|count|sum)$/.test(name), "ends like a histogram"],
      [type !== "histogram" && labels.includes("le"), "has the label le and is no histogram"],
      [type !== "summary" && labels.includes("quantile"), "has the label quantile"],
      [/[A-Z]|:/.test(name) || labels.some((label) => /[A-Z]/.test(label)), "is not in snake_case"],
      [WRONG_UNITS.test(name), "has a unit that is abbreviated or not a base unit"],
      [TYPES_IN_NAME.test(name), "has its type in its name"],
      [metrics.filter((other) => other.name === name).length > 1, "is there twice"],
    ];
    return rules.flatMap(([isBroken, text]) => (isBroken ? [`${name} ${text}`] : []));
  });
}

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
