// `npm test`: everything that must hold before a change lands, in the order in which a failure is cheapest to find.
//   npm test                       all of it
//   npm test -- test/api           only the test files whose path contains one of the words
//   npm run test:long              with the long forms of property, crash and fuzz tests
//   npm run generate               writes the generated files anew
//   npm run generate:examples      asks the demo anew and writes docs/api-examples.md
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { ensureBuilt, ensureInstalled, root } from "./setup.mjs";

const flags = process.argv.slice(2).filter((word) => word.startsWith("--"));
const words = process.argv.slice(2).filter((word) => !word.startsWith("--"));
const unknown = flags.filter((flag) => !["--long", "--generate", "--examples"].includes(flag));
if (unknown.length > 0) {
  process.stderr.write(`unknown flag ${unknown.join(" ")}; known: --long --generate --examples\n`);
  process.exit(2);
}

ensureInstalled();
ensureBuilt();
const bin = (name) => join(root, "node_modules", ".bin", name);
const tsx = ["--import", "tsx"];
const tests = ["tests", process.execPath, [...tsx, "test/support/run-tests.ts", ...words]];
const all = [
  ["types", bin("tsc"), ["--noEmit"]],
  ["lint", bin("biome"), ["check", "--error-on-warnings"]],
  ["dead code", bin("knip"), []],
  ["generated files", process.execPath, [...tsx, "test/support/generate.ts", "--compare"]],
  tests,
];
const generate = [["generate", process.execPath, [...tsx, "test/support/generate.ts", "--write"]]];
const examples = [
  ["examples", process.execPath, [...tsx, "test/support/run-tests.ts", "test/contract/contract"]],
];
const chosen = words.length > 0 ? [tests] : all;
const steps = flags.includes("--generate")
  ? generate
  : flags.includes("--examples")
    ? examples
    : chosen;

const env = {
  ...process.env,
  ...(flags.includes("--long") ? { ASSAY_TEST_LONG: "1" } : {}),
  ...(flags.includes("--examples") ? { ASSAY_TEST_WRITE: "1" } : {}),
};
for (const [name, command, args] of steps) {
  const startedAtMs = Date.now();
  process.stdout.write(`— ${name}\n`);
  const result = spawnSync(command, args, { cwd: root, stdio: "inherit", env });
  if (result.status !== 0) {
    process.stdout.write(`— ${name} FAILED\n`);
    process.exit(result.status ?? 1);
  }
  process.stdout.write(`— ${name} ok (${((Date.now() - startedAtMs) / 1000).toFixed(1)} s)\n`);
}
