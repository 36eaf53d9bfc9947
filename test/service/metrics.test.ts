import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { type TestContext, test } from "node:test";
import { parse } from "yaml";
import { SESSION_HEALTHS } from "../../src/messages/session.ts";
import { STEPS } from "../../src/pipeline/steps.ts";
import {
  listGroupings,
  listMetricProblems,
  listSelectors,
  type Metric,
  namesOfSamples,
  readMetrics,
  watchFigures,
} from "../support/api/metrics.ts";
import { aFolder, startAssay } from "../support/run-assay.ts";
import { openTestDatabase } from "../support/test-database.ts";

/** Labels that Prometheus adds to what it scrapes, and its own metric. */
const SCRAPE_LABELS = ["job", "instance", "le"];
const SCRAPE_METRIC: Metric = { name: "up", help: "", type: "gauge", labels: [] };

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly annotations: Readonly<Record<"summary" | "description" | "runbook", string>>;
}

test("what /metrics says keeps the rules of Prometheus, and rules and dashboard name nothing else", async (t) => {
  const metrics = await scrape(t);

  assert.ok(metrics.length > 50);
  assert.deepEqual(listMetricProblems(metrics), []);
  for (const { alert, expr } of readRules()) checkExpression(alert, expr, metrics);
  for (const { title, expr } of readPanels()) checkExpression(title, expr, metrics);
});

test("the check of names finds what promtool finds", () => {
  const text = `# HELP a_handles_total Handles.
# TYPE a_handles_total gauge
a_handles_total 1
# TYPE b_seconds gauge
b_seconds{quantile="0.5"} 1
# HELP c_ms Time.
# TYPE c_ms counter
c_ms{someLabel="x"} 1`;

  assert.deepEqual(listMetricProblems(readMetrics(text)), [
    "a_handles_total ends in _total and is no counter",
    "b_seconds has no help text",
    "b_seconds has the label quantile",
    "c_ms is a counter and does not end in _total",
    "c_ms is not in snake_case",
    "c_ms has a unit that is abbreviated or not a base unit",
  ]);
});

test("every alert says what is wrong and what to do, and its page has the place it names", () => {
  const rules = readRules();

  assert.ok(rules.length >= 10);
  for (const { alert, annotations } of rules) {
    const { summary = "", description = "", runbook = "" } = annotations;
    assert.ok(summary !== "" && description !== "", `${alert} does not say what to do`);
    const [page = "", anchor] = runbook.split("#");
    assert.ok(existsSync(page), `${alert} names ${page}`);
    if (anchor !== undefined) assert.ok(anchorsOf(page).includes(anchor), `${alert}: ${runbook}`);
  }
});

/** The metrics of a service with all settings that add some, and of an embedded store. */
async function scrape(t: TestContext): Promise<readonly Metric[]> {
  const { url, pool } = await openTestDatabase(t);
  const unreachable = "http://127.0.0.1:9";
  const service = await startAssay(t, ["serve"], {
    DATABASE_URL: url,
    DATABASE_READ_URL: url,
    ASSAY_ALLOW_UNSAFE_STORE: "true",
    ASSAY_WAHA_URL: unreachable,
    ASSAY_WAHA_HMAC_KEY: "key",
    ASSAY_RATES: "ecb",
    ASSAY_RATES_URL: unreachable,
  });
  const embedded = await watchFigures(t, { db: pool, store: { folder: aFolder(t) } });
  const texts = [(await fetch(`${service.url}/metrics`)).text(), embedded.text()];
  const metrics = (await Promise.all(texts)).flatMap(readMetrics);
  return [...new Map(metrics.map((metric) => [metric.name, metric])).values()];
}

function readRules(): readonly Rule[] {
  const file = parse(readFileSync("deploy/prometheus/alerts.yml", "utf8")) as {
    groups: readonly { rules: readonly Rule[] }[];
  };
  return file.groups.flatMap(({ rules }) => rules);
}

function readPanels(): readonly { readonly title: string; readonly expr: string }[] {
  const dashboard = JSON.parse(readFileSync("deploy/grafana/assay.json", "utf8")) as {
    panels: readonly { title: string; targets?: readonly { expr: string }[] }[];
  };
  return dashboard.panels.flatMap(({ title, targets = [] }) =>
    targets.map(({ expr }) => ({ title, expr })),
  );
}

function checkExpression(place: string, expression: string, metrics: readonly Metric[]): void {
  const selectors = listSelectors(expression);
  assert.ok(selectors.length > 0, `${place} selects nothing: ${expression}`);
  for (const { metric: name, matchers } of selectors) {
    const metric = [...metrics, SCRAPE_METRIC].find((candidate) =>
      namesOfSamples(candidate.name, candidate.type).includes(name),
    );
    assert.ok(metric !== undefined, `${place} names ${name}, which /metrics does not have`);
    const labels = [...SCRAPE_LABELS, ...documentedLabels(metric)];
    for (const label of [...matchers.map(({ label }) => label), ...listGroupings(expression)]) {
      assert.ok(labels.includes(label), `${place}: ${name} has no label ${label}`);
    }
    for (const { label, value } of matchers) checkValue(`${place}: ${name}`, label, value);
  }
}

/** A counter that has counted nothing shows no labels, so they are read from the page; another test keeps that true. */
function documentedLabels({ name, labels }: Metric): readonly string[] {
  const row = new RegExp(`^\\| \`${name}\` \\| \\w+ \\|([^|]*)\\|`, "m").exec(operationsPage());
  return [...labels, ...[...(row?.[1] ?? "").matchAll(/`(\w+)`/g)].map(([, label = ""]) => label)];
}

function checkValue(place: string, label: string, value: string): void {
  const known: Readonly<Record<string, readonly string[]>> = {
    step: [...STEPS.map(({ name }) => name), "send deliveries"],
    state: SESSION_HEALTHS,
    result: ["stored", "refused", "failed", "delivered", "retry", "dead", "gone"],
  };
  const values = known[label];
  if (values === undefined) return;
  for (const one of value.split("|")) assert.ok(values.includes(one), `${place} ${label}="${one}"`);
}

function anchorsOf(page: string): readonly string[] {
  return [...readFileSync(page, "utf8").matchAll(/^#+ (.+)$/gm)].map(([, title = ""]) =>
    title
      .toLowerCase()
      .replaceAll(/[^\w\s-]/g, "")
      .replaceAll(" ", "-"),
  );
}

function operationsPage(): string {
  return readFileSync("docs/operations.md", "utf8");
}
