import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { createConfig, lintFromString } from "@redocly/openapi-core";

test("a strict linter accepts the OpenAPI document", async () => {
  assert.deepEqual(await lint(readFileSync("openapi-v2.json", "utf8")), []);
});

test("the linter reports errors", async () => {
  const document = JSON.parse(readFileSync("openapi-v2.json", "utf8"));
  delete document.paths["/v2/alerts"].get.responses;
  document.components.schemas.Alert.type = "thing";

  const findings = await lint(JSON.stringify(document));

  assert.ok(findings.length >= 2, findings.join("\n"));
});

async function lint(source: string): Promise<readonly string[]> {
  const config = await createConfig({ extends: ["recommended-strict"] });
  const problems = await lintFromString({ source, absoluteRef: "/openapi-v2.json", config });
  return problems.map(({ ruleId, message, location }) => {
    return `${ruleId} at ${location[0]?.pointer}: ${message}`;
  });
}
