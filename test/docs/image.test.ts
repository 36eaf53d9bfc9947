import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

const dockerfile = readFileSync("Dockerfile", "utf8");

test("the image runs the major version of PostgreSQL that npm packs, so that a volume fits both", () => {
  const { optionalDependencies } = JSON.parse(readFileSync("package.json", "utf8"));
  const packed = Object.values<string>(optionalDependencies).map(
    (version) => version.split(".")[0],
  );

  const [, major] = /^ARG POSTGRES_MAJOR=(\d+)$/m.exec(dockerfile) ?? [];

  assert.deepEqual([...new Set(packed)], [major]);
  assert.match(dockerfile, /ASSAY_POSTGRES_BIN=\/usr\/lib\/postgresql\/\$\{POSTGRES_MAJOR\}\/bin/);
});

test("the image and compose start from the same recommended Node", () => {
  const [, image] = /^ARG NODE_IMAGE=(\S+)$/m.exec(dockerfile) ?? [];
  const compose = readFileSync("deploy/compose/compose.yaml", "utf8");

  assert.equal(image, "node:24-bookworm-slim");
  assert.ok(compose.includes(`:-${image}}`));
});
