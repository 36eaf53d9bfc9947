import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { parse, parseAllDocuments } from "yaml";
import { describeSettings } from "../../src/base/config.ts";
import { borrowTestApp } from "../support/shared-store.ts";

interface Labels {
  readonly app: string;
  readonly role: string;
}

const PROBES = ["startupProbe", "livenessProbe", "readinessProbe"] as const;

interface Probe {
  readonly httpGet: { readonly path: string; readonly port: string };
}

interface Container extends Readonly<Record<(typeof PROBES)[number], Probe>> {
  readonly args: readonly string[];
  readonly env: readonly { readonly name: string; readonly value: string }[];
  readonly ports: readonly { readonly name: string; readonly containerPort: number }[];
}

interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly selector: Partial<Labels> & { readonly matchLabels?: Labels };
    readonly template: {
      readonly metadata: { readonly labels: Labels };
      readonly spec: { readonly containers: readonly Container[] };
    };
  };
}

const FOLDER = "deploy/kubernetes";
const manifests = parseAllDocuments(readFileSync(`${FOLDER}/assay.yaml`, "utf8")).map(
  (document) => document.toJS() as Manifest,
);
const deployments = manifests.filter(({ kind }) => kind === "Deployment");

test("there is a deployment of each role with a disruption budget, and every selector finds one", () => {
  const labels = deployments.map(({ spec }) => spec.template.metadata.labels);
  const selectors = manifests.map(({ spec }) => spec.selector.matchLabels ?? spec.selector);
  const budgets = manifests.filter(({ kind }) => kind === "PodDisruptionBudget");

  assert.deepEqual(
    labels.map(({ role }) => role),
    ["api", "worker"],
  );
  for (const selector of selectors) {
    assert.ok(labels.some((own) => own.app === selector.app && own.role === selector.role));
  }
  assert.deepEqual(
    budgets.map(({ spec }) => spec.selector.matchLabels?.role),
    ["api", "worker"],
  );
  const { resources } = parse(readFileSync(`${FOLDER}/kustomization.yaml`, "utf8"));
  assert.deepEqual(resources, ["assay.yaml"]);
});

test("every setting of the manifests exists, and every probe asks a path that answers", async (t) => {
  const { app } = await borrowTestApp(t);
  const settings = describeSettings();

  for (const { metadata, spec } of deployments) {
    const [container] = spec.template.spec.containers;
    assert.ok(container !== undefined, metadata.name);
    for (const { name } of container.env) {
      assert.ok(settings.includes(name.replace(/_FILE$/, "")), name);
    }
    for (const probe of PROBES) {
      const { path, port }: Probe["httpGet"] = container[probe].httpGet;
      assert.equal((await app.inject(path)).statusCode, 200, path);
      assert.ok(container.ports.some(({ name }) => name === port));
    }
    assert.notEqual(
      container.livenessProbe.httpGet.path,
      "/health/ready",
      "an outage ends nothing",
    );
  }
});
