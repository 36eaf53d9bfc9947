import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { createConfig, lintFromString } from "@redocly/openapi-core";
import { MEMBERS } from "../../src/filters/language/members.ts";
import { listOperations, readContract } from "../support/api/api-examples.ts";

test("a strict linter accepts the OpenAPI document", async () => {
  assert.deepEqual(await lint(readFileSync("openapi-v2.json", "utf8")), []);
});

test("every request and response has a name that reads well", () => {
  const contract = readContract();

  const unnamed = listOperations(contract).flatMap(({ operation }) =>
    [operation.requestBody, ...Object.values(operation.responses)]
      .map((part) => part?.content?.["application/json"]?.schema)
      .filter((schema) => schema !== undefined && schema.$ref === undefined)
      .map(() => operation.operationId),
  );

  assert.deepEqual(unnamed, []);
  for (const name of Object.keys(contract.components.schemas))
    assert.match(name, /^[A-Z][A-Za-z]+$/);
});

test("every body and every parameter that a request needs has an example", () => {
  const missing = listOperations().flatMap(({ method, path, operation }) => {
    const media = operation.requestBody?.content["application/json"];
    const needed = (operation.parameters ?? []).filter(({ required }) => required === true);
    return [
      ...(operation.requestBody !== undefined && media?.example === undefined ? ["body"] : []),
      ...needed.filter(({ example }) => example === undefined).map(({ name }) => name),
    ].map((part) => `${method} ${path}: ${part}`);
  });

  assert.deepEqual(missing, []);
});

test("`filters` of every request has all members, with a description and an example", () => {
  const { schemas } = JSON.parse(readFileSync("openapi-v2.json", "utf8")).components;
  const requests = Object.keys(schemas).filter((name) => schemas[name].properties?.filters);

  const { properties, required, additionalProperties } = schemas.Filters;

  assert.deepEqual(Object.keys(properties), [...MEMBERS.keys()]);
  assert.equal(required, undefined);
  assert.equal(additionalProperties, true);
  for (const [name, { description, examples }] of Object.entries<SchemaText>(properties)) {
    assert.ok(description !== undefined && examples?.length === 1, name);
  }
  for (const name of requests.filter((name) => name.endsWith("Request"))) {
    const { filters } = schemas[name].properties;
    assert.equal((filters.anyOf?.[0] ?? filters).$ref, "#/components/schemas/Filters", name);
  }
});

test("a response without a body is declared without one", () => {
  for (const { path, operation } of listOperations()) {
    assert.equal(operation.responses["204"]?.content, undefined, path);
    assert.equal(operation.responses["202"]?.content, undefined, path);
  }
});

test("the linter reports errors", async () => {
  const document = JSON.parse(readFileSync("openapi-v2.json", "utf8"));
  delete document.paths["/v2/alerts"].get.responses;
  document.components.schemas.Alert.type = "thing";

  const findings = await lint(JSON.stringify(document));

  assert.ok(findings.length >= 2, findings.join("\n"));
});

interface SchemaText {
  readonly description?: string;
  readonly examples?: readonly unknown[];
}

async function lint(source: string): Promise<readonly string[]> {
  const config = await createConfig({ extends: ["recommended-strict"] });
  const problems = await lintFromString({ source, absoluteRef: "/openapi-v2.json", config });
  return problems.map(({ ruleId, message, location }) => {
    return `${ruleId} at ${location[0]?.pointer}: ${message}`;
  });
}
