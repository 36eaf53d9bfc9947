/**
 * Metrics and their text for Prometheus, in the format 0.0.4: for each metric two comment lines and a line for each combination of label
 * values. Values are counted here, or read when the text is made.
 *
 * Invariants: names are valid and there once; what stands in a label or a help text cannot end its line; buckets are cumulative.
 */
import { assert } from "./errors.ts";

export const CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

type Labels<Label extends string> = Readonly<Record<Label, string>>;

interface Described {
  readonly name: string;
  readonly labelNames: readonly string[];
}

export interface Count extends Described {
  inc(by?: number): void;
}

export interface LabelledCount<Label extends string> extends Described {
  inc(labels: Labels<Label>, by?: number): void;
}

export interface Histogram extends Described {
  observe(value: number): void;
}

export interface LabelledHistogram<Label extends string> extends Described {
  observe(labels: Labels<Label>, value: number): void;
}

export interface Sample {
  readonly labels: Labels<string>;
  readonly value: number;
}

interface HistogramOptions<Label extends string> {
  readonly name: string;
  readonly help: string;
  readonly labelNames?: readonly Label[];
  /** Upper bounds, ascending. That of infinity is added. */
  readonly buckets: readonly number[];
}

interface ReadOptions {
  readonly name: string;
  readonly help: string;
  readonly type: "counter" | "gauge";
}

export interface Registry {
  count(name: string, help: string): Count;
  countBy<Label extends string>(
    name: string,
    labelNames: readonly Label[],
    help: string,
  ): LabelledCount<Label>;
  histogram(options: HistogramOptions<never>): Histogram;
  histogramBy<Label extends string>(
    options: HistogramOptions<Label> & { readonly labelNames: readonly Label[] },
  ): LabelledHistogram<Label>;
  /** `read` is called for each text, and returns all samples. */
  addRead(options: ReadOptions, read: () => readonly Sample[]): void;
  /** `prepare` is called before the values of a text are read. */
  beforeRender(prepare: () => void): void;
  render(): string;
}

interface Family {
  readonly name: string;
  readonly help: string;
  readonly type: string;
  lines(): readonly string[];
}

const METRIC_NAME = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/;
const LABEL_NAME = /^(?!__)[a-zA-Z_][a-zA-Z0-9_]*$/;

export function createRegistry(): Registry {
  const families = new Map<string, Family>();
  const preparations: (() => void)[] = [];
  const add = (family: Family, labelNames: readonly string[] = []): void => {
    assert(METRIC_NAME.test(family.name), `${family.name} is no name of a metric`);
    for (const label of labelNames) assert(LABEL_NAME.test(label), `${label} is no label`);
    assert(!families.has(family.name), `${family.name} is there already`);
    families.set(family.name, family);
  };
  const addCount = (name: string, help: string, labelNames: readonly string[]) => {
    const values = openValues(labelNames, () => ({ value: 0 }));
    const lines = () => values.all().map(([text, { value }]) => toLine(name, text, value));
    add({ name, help, type: "counter", lines }, labelNames);
    return (labels: Labels<string>, by: number) => {
      values.at(labels).value += by;
    };
  };
  const addHistogram = (options: HistogramOptions<string>) => {
    const { name, help, buckets, labelNames = [] } = options;
    const values = openValues(labelNames, () => ({
      counts: new Array<number>(buckets.length + 1).fill(0),
      sum: 0,
    }));
    const lines = () =>
      values.all().flatMap(([text, value]) => toHistogramLines({ name, buckets }, text, value));
    add({ name, help, type: "histogram", lines }, [...labelNames, "le"]);
    return (labels: Labels<string>, value: number) => {
      const found = values.at(labels);
      const at = buckets.findIndex((bound) => value <= bound);
      const bucket = at < 0 ? buckets.length : at;
      found.counts[bucket] = (found.counts[bucket] ?? 0) + 1;
      found.sum += value;
    };
  };
  return {
    count: (name, help) => {
      const inc = addCount(name, help, []);
      return { name, labelNames: [], inc: (by = 1) => inc({}, by) };
    },
    countBy: (name, labelNames, help) => {
      const inc = addCount(name, help, labelNames);
      return { name, labelNames, inc: (labels, by = 1) => inc(labels, by) };
    },
    histogram: (options) => {
      const observe = addHistogram(options);
      return { name: options.name, labelNames: [], observe: (value) => observe({}, value) };
    },
    histogramBy: (options) => ({ ...options, observe: addHistogram(options) }),
    addRead: ({ name, help, type }, read) => {
      const lines = () =>
        read().map(({ labels, value }) => toLine(name, toLabelText(labels), value));
      add({ name, help, type, lines });
    },
    beforeRender: (prepare) => preparations.push(prepare),
    render: () => {
      for (const prepare of preparations) prepare();
      return [...families.values()].map(renderFamily).join("\n");
    },
  };
}

function renderFamily({ name, help, type, lines }: Family): string {
  const comments = [`# HELP ${name} ${escapeText(help)}`, `# TYPE ${name} ${type}`];
  return `${[...comments, ...lines()].join("\n")}\n`;
}

/** The values of a metric by its labels. One without labels has its value from the start. */
function openValues<Value>(labelNames: readonly string[], create: () => Value) {
  const values = new Map<string, Value>();
  const at = (labels: Labels<string>): Value => {
    const text = toLabelText(labels, labelNames);
    const known = values.get(text);
    if (known !== undefined) return known;
    const made = create();
    values.set(text, made);
    return made;
  };
  if (labelNames.length === 0) at({});
  return { at, all: () => [...values] };
}

/** Returns for example `route="/v2/me",status="200"`. */
function toLabelText(
  labels: Labels<string>,
  names: readonly string[] = Object.keys(labels),
): string {
  let text = "";
  for (const name of names) {
    const value = labels[name];
    assert(value !== undefined, `the label ${name} has no value`);
    text += `${text === "" ? "" : ","}${name}="${escapeLabel(value)}"`;
  }
  return text;
}

function toHistogramLines(
  { name, buckets }: { readonly name: string; readonly buckets: readonly number[] },
  text: string,
  { counts, sum }: { readonly counts: readonly number[]; readonly sum: number },
): readonly string[] {
  const before = text === "" ? "" : `${text},`;
  let count = 0;
  const lines = counts.map((own, at) => {
    count += own;
    const bound = toNumberText(buckets[at] ?? Number.POSITIVE_INFINITY);
    return toLine(`${name}_bucket`, `${before}le="${bound}"`, count);
  });
  return [...lines, toLine(`${name}_sum`, text, sum), toLine(`${name}_count`, text, count)];
}

function toLine(name: string, labels: string, value: number): string {
  return `${name}${labels === "" ? "" : `{${labels}}`} ${toNumberText(value)}`;
}

function toNumberText(value: number): string {
  if (value === Number.POSITIVE_INFINITY) return "+Inf";
  return value === Number.NEGATIVE_INFINITY ? "-Inf" : String(value);
}

function escapeText(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n");
}

function escapeLabel(value: string): string {
  return /[\\"\n]/.test(value) ? escapeText(value).replaceAll('"', '\\"') : value;
}
