/** Reads the text that Prometheus scrapes, and checks it by the rules of `promtool check metrics`, without promtool. */

export interface Metric {
  readonly name: string;
  readonly help: string;
  readonly type: string;
  readonly labels: readonly string[];
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

/** Units that are not the base unit, and abbreviations of any. */
const WRONG_UNITS =
  /_(?:milliseconds|microseconds|nanoseconds|minutes|hours|days|weeks|kilobytes|megabytes|gigabytes|bits|percent|s|ms|us|ns|sec|h|d|b|kb|mb|gb)(?:_|$)/;
const TYPES_IN_NAME = /_(?:counter|gauge|histogram|summary)(?:_|$)/;

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
