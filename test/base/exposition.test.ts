import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { CONTENT_TYPE, createRegistry } from "../../src/base/exposition.ts";
import { createMetrics } from "../../src/base/metrics.ts";

/** Names as the libraries of Prometheus give them. Dashboards of others use them, so none may go. */
const PROCESS_METRICS =
  `process_cpu_user_seconds_total process_cpu_system_seconds_total process_cpu_seconds_total
  process_start_time_seconds process_resident_memory_bytes process_virtual_memory_bytes process_heap_bytes process_open_fds
  process_max_fds nodejs_eventloop_lag_seconds nodejs_eventloop_lag_min_seconds nodejs_eventloop_lag_max_seconds
  nodejs_eventloop_lag_mean_seconds nodejs_eventloop_lag_stddev_seconds nodejs_eventloop_lag_p50_seconds
  nodejs_eventloop_lag_p90_seconds nodejs_eventloop_lag_p99_seconds nodejs_active_resources nodejs_active_handles
  nodejs_active_requests nodejs_heap_size_total_bytes nodejs_heap_size_used_bytes nodejs_external_memory_bytes
  nodejs_heap_space_size_total_bytes nodejs_heap_space_size_used_bytes nodejs_heap_space_size_available_bytes
  nodejs_version_info nodejs_gc_duration_seconds`.split(/\s+/);

test("the metrics of a process keep the grammar of the format, and have the usual names", async () => {
  const { contentType, text } = await createMetrics().render();
  const families = parseExposition(text);

  assert.equal(contentType, CONTENT_TYPE);
  const names = families.map(({ name }) => name).filter((name) => !name.startsWith("assay_"));
  if (process.platform === "linux") assert.deepEqual(names.toSorted(), PROCESS_METRICS.toSorted());
  const numberOf = (name: string) =>
    families.find((family) => family.name === name)?.samples[0]?.value ?? Number.NaN;
  assert.ok(Math.abs(numberOf("process_start_time_seconds") - Date.now() / 1_000) < 3_600);
  assert.ok(numberOf("process_resident_memory_bytes") > 1e6);
  assert.ok(numberOf("process_cpu_seconds_total") > 0);
});

test("whatever stands in labels and help texts, the text has the same samples when it is read again", () => {
  const value = fc.oneof(
    fc.string({ unit: "grapheme" }),
    fc.stringMatching(/^[\\"\n{},= #a\r\t]{0,12}$/),
  );
  const numbers = fc.oneof(fc.double(), fc.integer());
  fc.assert(
    fc.property(fc.uniqueArray(value, { maxLength: 5 }), value, numbers, (labels, help, number) => {
      const registry = createRegistry();
      const count = registry.countBy("asked_total", ["of", "kind"], help);
      for (const of of labels) count.inc({ of, kind: `"${of}` }, 2);
      registry.addRead({ name: "level", help, type: "gauge" }, () =>
        labels.map((of) => ({ labels: { of }, value: number })),
      );

      const [asked, level] = parseExposition(registry.render());

      assert.deepEqual(asked, {
        name: "asked_total",
        help,
        type: "counter",
        samples: labels.map((of) => ({
          ...sample("asked_total", 2),
          labels: { of, kind: `"${of}` },
        })),
      });
      const shown = Object.is(number, -0) ? 0 : number;
      assert.deepEqual(
        level?.samples,
        labels.map((of) => ({ ...sample("level", shown), labels: { of } })),
      );
    }),
  );
});

test("buckets are cumulative, that of infinity is the count, and a value on a bound is below it", () => {
  const registry = createRegistry();
  const seconds = registry.histogramBy({
    name: "took_seconds",
    help: "Time.",
    labelNames: ["step"],
    buckets: [0.1, 1],
  });
  for (const value of [0.05, 0.1, 0.5, 7]) seconds.observe({ step: "a" }, value);

  const [family] = parseExposition(registry.render());

  const labels = { step: "a" };
  assert.deepEqual(family?.samples, [
    { name: "took_seconds_bucket", labels: { ...labels, le: "0.1" }, value: 2 },
    { name: "took_seconds_bucket", labels: { ...labels, le: "1" }, value: 3 },
    { name: "took_seconds_bucket", labels: { ...labels, le: "+Inf" }, value: 4 },
    { name: "took_seconds_sum", labels, value: 7.65 },
    { name: "took_seconds_count", labels, value: 4 },
  ]);
});

test("a metric without labels has its zero from the start, and one with labels nothing", () => {
  const registry = createRegistry();
  registry.count("plain_total", "Plain.");
  registry.countBy("split_total", ["by"], "Split.");
  registry.histogram({ name: "plain_seconds", help: "Plain.", buckets: [1] });

  const [plain, split, seconds] = parseExposition(registry.render());

  assert.deepEqual(plain?.samples, [sample("plain_total", 0)]);
  assert.deepEqual(split?.samples, []);
  assert.deepEqual(
    seconds?.samples.map(({ value }) => value),
    [0, 0, 0, 0],
  );
});

test("infinities and what is no number are written as the format has them", () => {
  const registry = createRegistry();
  const values = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, Number.NaN, 1e21, 1e-7];
  registry.addRead({ name: "level", help: "Level.", type: "gauge" }, () =>
    values.map((value, at) => ({ labels: { at: String(at) }, value })),
  );

  const text = registry.render();

  const shown = [...text.matchAll(/^level\{.*\} (.*)$/gm)].map(([, number]) => number);
  assert.deepEqual(shown, ["+Inf", "-Inf", "NaN", "1e+21", "1e-7"]);
});

test("a name that is there already, or is none, is a mistake of ours", () => {
  const registry = createRegistry();
  registry.count("asked_total", "Asked.");

  assert.throws(() => registry.count("asked_total", "Asked."), /is there already/);
  assert.throws(() => registry.count("asked total", "Asked."), /is no name of a metric/);
  assert.throws(() => registry.countBy("more_total", ["__by"], "More."), /is no label/);
});

interface ParsedSample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

interface ParsedFamily {
  readonly name: string;
  readonly help: string;
  readonly type: string;
  readonly samples: ParsedSample[];
}

function sample(name: string, value: number): ParsedSample {
  return { name, labels: {}, value };
}

const NAME = "[a-zA-Z_:][a-zA-Z0-9_:]*";
const HELP_LINE = new RegExp(`^# HELP (${NAME}) ((?:[^\\\\\\n]|\\\\\\\\|\\\\n)*)$`);
const TYPE_LINE = new RegExp(`^# TYPE (${NAME}) (counter|gauge|histogram)$`);
const SAMPLE_LINE = new RegExp(`^(${NAME})(?:\\{(.*)\\})? (\\S+)$`, "s");
const PAIR = /^([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^\\"\n]|\\\\|\\"|\\n)*)"(?:,|$)/;
const NUMBER = /^(?:[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?|[+-]Inf|NaN)$/;

/**
 * Reads a text by the published grammar: https://prometheus.io/docs/instrumenting/exposition_formats/#text-format-details. Each metric has
 * its comments once, before its samples, which stand together.
 */
function parseExposition(text: string): readonly ParsedFamily[] {
  assert.ok(text.endsWith("\n"), "the last line ends");
  const families: ParsedFamily[] = [];
  let help: RegExpExecArray | undefined;
  for (const line of text.split("\n")) {
    if (line === "") continue;
    const helped = HELP_LINE.exec(line);
    const typed = TYPE_LINE.exec(line);
    if (helped !== null) help = helped;
    else if (typed !== null) {
      const [, name = "", type = ""] = typed;
      assert.equal(help?.[1], name, "the help text stands before the type");
      assert.ok(!families.some((family) => family.name === name), `${name} is there once`);
      families.push({ name, type, help: toPlain(help?.[2] ?? ""), samples: [] });
    } else addSample(families.at(-1), line);
  }
  return families;
}

function addSample(family: ParsedFamily | undefined, line: string): void {
  const [, name = "", inside = "", value = ""] = SAMPLE_LINE.exec(line) ?? [];
  assert.ok(family !== undefined && name !== "", `no sample: ${line}`);
  const suffixes = family.type === "histogram" ? ["_bucket", "_sum", "_count"] : [""];
  assert.ok(
    suffixes.some((suffix) => name === `${family.name}${suffix}`),
    line,
  );
  assert.match(value, NUMBER);
  const labels = parseLabels(inside);
  const isKnown = ({ name: other, labels: others }: ParsedSample) =>
    other === name && JSON.stringify(others) === JSON.stringify(labels);
  assert.ok(!family.samples.some(isKnown), `twice: ${line}`);
  family.samples.push({ name, labels, value: Number(value.replace("Inf", "Infinity")) });
}

function parseLabels(inside: string): Readonly<Record<string, string>> {
  const labels: Record<string, string> = {};
  for (let rest = inside; rest !== ""; ) {
    const [pair = "", name = "", value = ""] = PAIR.exec(rest) ?? [];
    assert.ok(pair !== "", `no labels: ${rest}`);
    labels[name] = toPlain(value);
    rest = rest.slice(pair.length);
  }
  return labels;
}

function toPlain(text: string): string {
  return text.replaceAll(/\\(["\\n])/g, (_all, sign: string) => (sign === "n" ? "\n" : sign));
}
