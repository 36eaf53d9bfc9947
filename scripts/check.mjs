// `npm test`: everything that must hold before a change lands. The checks run one after another beside the tests; the
// run fails if any of them does.
//   npm test                       all of it
//   npm test -- test/api           only the test files whose path contains one of the words
//   npm run test:long              with the long forms of property, crash and fuzz tests, then on Node 20, 22 and 24
//   npm run generate               writes the generated files anew
//   npm run examples               asks the demo and writes docs/api-examples.md
//   npm run icons                  draws the console's icons from console/icon.svg
//   npm run pictures               takes the pictures of the README on a new demo
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { ensureClientTypes } from "./client-types.mjs";
import { installOtherNodes } from "./other-nodes.mjs";
import { installOtherPostgres } from "./other-postgres.mjs";
import { ensureBuilt, ensureInstalled, ensureTestsBuilt, root } from "./setup.mjs";

const flags = process.argv.slice(2).filter((word) => word.startsWith("--"));
const words = process.argv.slice(2).filter((word) => !word.startsWith("--"));
const FLAGS = ["--long", "--generate", "--examples", "--icons", "--pictures"];
const unknown = flags.filter((flag) => !FLAGS.includes(flag));
if (unknown.length > 0) {
  process.stderr.write(`unknown flag ${unknown.join(" ")}; known: ${FLAGS.join(" ")}\n`);
  process.exit(2);
}

ensureInstalled();
ensureBuilt();
ensureTestsBuilt();
const running = new Set();
for (const signal of ["SIGINT", "SIGTERM"]) {
  process.on(signal, () => {
    for (const child of running) child.kill(signal);
  });
}
const results = (await Promise.all(chooseSequences().map(runSequence))).flat();
if (flags.includes("--generate")) ensureClientTypes(root);
for (const { name, isOk, seconds } of results) {
  process.stdout.write(`— ${name} ${isOk ? "ok" : "FAILED"} (${seconds} s)\n`);
}
process.exitCode = results.every(({ isOk }) => isOk) ? 0 : 1;

/** The sequences run at the same time, the steps of a sequence one after another. */
function chooseSequences() {
  const bin = (name) => join(root, "node_modules", ".bin", name);
  const writing = { env: { ASSAY_TEST_WRITE: "1" } };
  if (flags.includes("--generate")) {
    const files = ["test/contract/generated-files", "test/corpus/readings"];
    return [[compiled("generate", ["run-tests", ...files], writing)]];
  }
  if (flags.includes("--icons")) return [[compiled("icons", ["draw-icons"])]];
  if (flags.includes("--pictures")) return [[compiled("pictures", ["take-pictures"])]];
  if (flags.includes("--examples")) {
    return [[compiled("examples", ["run-tests", "test/contract/contract"], writing)]];
  }
  const tests = listTestSteps();
  if (words.length > 0) return [tests];
  const checks = [
    { name: "lint", command: bin("biome"), args: ["check", "--error-on-warnings"] },
    { name: "dead code", command: bin("knip"), args: [] },
    {
      name: "code that only tests use",
      command: bin("knip"),
      args: ["--production", "--config", "knip.production.json"],
    },
    // The tests need the other cores, and several checkers would each repeat a part of the work.
    { name: "types", command: bin("tsc"), args: ["--noEmit", "--singleThreaded"] },
    { name: "types of the console", command: bin("tsc"), args: ["-p", "console/tsconfig.json"] },
  ];
  return [tests, checks.map((check) => ({ ...check, isBuffered: true }))];
}

function listTestSteps() {
  const args = ["run-tests", ...words];
  if (!flags.includes("--long")) return [compiled("tests", args)];
  installOtherPostgres();
  return [
    compiled("tests, long", args, { env: { ASSAY_TEST_LONG: "1" } }),
    ...installOtherNodes().map(({ version, command }) =>
      compiled(`tests on Node ${version}`, args, { command }),
    ),
  ];
}

function compiled(name, [program, ...args], { env = {}, command = process.execPath } = {}) {
  const file = join(".test-build", "test", "support", "programs", `${program}.js`);
  return { name, command, args: ["--enable-source-maps", file, ...args], env };
}

async function runSequence(steps) {
  const results = [];
  for (const step of steps) results.push(await runStep(step));
  return results;
}

/** The output of a buffered step is shown when it ends, so that it does not mix with that of the tests. */
async function runStep({ name, command, args, env = {}, isBuffered = false }) {
  const startedAtMs = performance.now();
  const stdio = isBuffered ? ["ignore", "pipe", "pipe"] : "inherit";
  const child = spawn(command, args, { cwd: root, stdio, env: { ...process.env, ...env } });
  running.add(child);
  const output = [];
  child.stdout?.on("data", (chunk) => output.push(chunk));
  child.stderr?.on("data", (chunk) => output.push(chunk));
  const [code] = await once(child, "close");
  running.delete(child);
  const isOk = code === 0;
  if (isBuffered && !isOk) process.stdout.write(`— ${name} FAILED\n${Buffer.concat(output)}`);
  return { name, isOk, seconds: ((performance.now() - startedAtMs) / 1000).toFixed(1) };
}
