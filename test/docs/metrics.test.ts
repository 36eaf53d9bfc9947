import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { createMetrics } from "../../src/base/metrics.ts";

/*
 * The registry itself says which metrics `createMetrics` makes. Others are added elsewhere, some of them only if a replica
 * is set, so they are found in the sources. Two tests make sure that this finds all of them: only `base/metrics.ts` can
 * make a metric, and every call of `addGauge`, `addGaugeBy` and `addCounter` has its name and label written out.
 */
const METRICS_FILE = join("src", "base", "metrics.ts");
const PROCESS_FILE = join("src", "base", "process-metrics.ts");
const sources = listFiles("src").map((file) => ({ file, text: readFileSync(file, "utf8") }));
const addCalls = sources.flatMap(({ file, text }) =>
  file === METRICS_FILE
    ? []
    : [...text.matchAll(/\badd(Gauge|GaugeBy|Counter)\(\s*("\w+")?(?:,\s*"(\w+)")?/g)].map(
        ([, kind, name, label = ""]) => ({
          file,
          name,
          type: kind === "Counter" ? "counter" : "gauge",
          labels: kind === "GaugeBy" ? [label] : [],
        }),
      ),
);

interface MetricRow {
  readonly name: string;
  readonly type: string;
  readonly labels: readonly string[];
}

test("only base/metrics.ts and what it calls can make a metric", () => {
  const importing = sources.filter(({ text }) => text.includes('/exposition.ts"'));

  assert.deepEqual(importing.map(({ file }) => file).toSorted(), [METRICS_FILE, PROCESS_FILE]);
});

test("every gauge is added under a name and a label that are written out", () => {
  const unnamed = addCalls.filter(({ name, labels }) => name === undefined || labels.includes(""));

  assert.ok(addCalls.length > 0, "no call of addGauge was found in src/");
  assert.deepEqual(unnamed, []);
});

test("the table of docs/operations.md lists every metric, with its type and labels, and no other", async () => {
  const documented = listDocumentedMetrics();
  const registered = await listRegisteredMetrics();
  const names = (metrics: readonly MetricRow[]) => metrics.map(({ name }) => name);
  const missing = names(registered).filter((name) => !names(documented).includes(name));
  const stale = names(documented).filter((name) => !names(registered).includes(name));

  assert.deepEqual(missing, [], `docs/operations.md does not list ${missing.join(", ")}`);
  assert.deepEqual(
    stale,
    [],
    `no code registers ${stale.join(", ")}, which docs/operations.md lists`,
  );
  assert.deepEqual(sorted(documented), sorted(registered));
});

function listDocumentedMetrics(): readonly MetricRow[] {
  const page = readFileSync("docs/operations.md", "utf8");
  const rows = [...page.matchAll(/^\| `(assay_\w+)` \| (\w+) \|([^|]*)\|/gm)];
  return rows.map(([, name = "", type = "", labels = ""]) => ({
    name,
    type,
    labels: [...labels.matchAll(/`(\w+)`/g)].map(([, label = ""]) => label),
  }));
}

async function listRegisteredMetrics(): Promise<readonly MetricRow[]> {
  const metrics = createMetrics();
  const { text } = await metrics.render();
  const labelsOf = new Map(
    Object.values(metrics)
      .filter((value) => typeof value === "object")
      .map(({ name, labelNames }) => [name, labelNames]),
  );
  const own = [...text.matchAll(/^# TYPE (assay_\w+) (\w+)$/gm)];
  const rows = own.map(([, name = "", type = ""]) => ({ name, type, labels: labelsOf.get(name) }));
  const added = addCalls.map(({ name = "", type, labels }) => ({
    name: name.slice(1, -1),
    type,
    labels,
  }));
  return [...rows, ...added].map(({ name, type, labels }) => {
    assert.ok(labels !== undefined, `${name} is registered but is no member of Metrics`);
    return { name, type, labels };
  });
}

function sorted(metrics: readonly MetricRow[]): readonly MetricRow[] {
  return metrics.toSorted((left, right) => (left.name < right.name ? -1 : 1));
}

function listFiles(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts"))
    .map((file) => join(folder, file));
}
