// Starts one server for all test files, runs them, and fails if there was nothing to run. Runs compiled, as the test files do.
import { setMaxListeners } from "node:events";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import { run } from "node:test";
import { spec } from "node:test/reporters";
import { fileURLToPath } from "node:url";
import { startTestServer } from "../test-server.ts";
import { beginRun, endLeftovers } from "./leftovers.ts";
// Decides the time of the run, which all of its processes share.
import "../console/shifted-clock.ts";

const SHOWN_MAX = 10;
/** Loading the modules and reading the catalogue takes two seconds of processor time, as long as several files run. */
const FILES_PER_PROCESS = 40;
/**
 * Started first, so that no core is idle while the last file runs. The files of a line share a process, and those of the console a
 * service and a browser. The list at the end of a run shows which files belong here.
 */
const SLOW = [
  "console/market console/reference console/sign-in-page console/buys-looks console/operations console/live console/shell",
  "console/listing console/buys console/notifications console/alerts console/outages console/settings console/start console/other-origins",
  "console/dealers console/desk-tasks console/listing-desk console/market-tasks console/phone console/photos",
  "service/demo-load service/service cli/cli cli/commands/console",
  "service/store-faults",
  "db/driver",
  "messages/convergence messages/lost-events messages/check-window messages/messages",
  "demo/load-demo contract/contract api/v2/stream-events manifest/apply-manifest",
  "privacy/erasure privacy/retention privacy/retention-year extraction/growth",
  "service/scale-out service/crash db/standby db/embedded/server",
  "api/limits/half-sent api/http/frame api/fuzz",
  "service/clock-jumps service/disk-full service/http service/large-events service/metrics service/power-cut service/senders",
];
/** The compiled tests. */
const folder = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const words = process.argv.slice(2);
const files = listTestFiles(folder)
  .filter((file) => words.length === 0 || words.some((word) => nameOf(file).includes(word)))
  .sort((left, right) => rankOf(left) - rankOf(right));
if (files.length === 0) {
  process.stderr.write(`no test file matches ${words.join(" ") || "test/**/*.test.ts"}\n`);
  process.exit(1);
}

// Before the server starts: its start may be interrupted too.
const stopping = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => stopping.abort());
const server = await startTestServer();
// Not the server itself, which this program stops.
beginRun();
process.env["ASSAY_TEST_SERVER_URL"] = server.url;
if (server.preparedDir !== undefined) process.env["ASSAY_TEST_PREPARED_DIR"] = server.preparedDir;
// Each file in progress listens to it, and Node would take more than ten for a leak.
setMaxListeners(0, stopping.signal);
const durations = new Map<string, number>();
const stream = run({
  files: toEntries(),
  // Many tests mostly wait: for a timeout, a restart, a browser.
  concurrency: availableParallelism() * 2,
  signal: stopping.signal,
});
stream.on("test:fail", (test) => {
  process.exitCode = 1;
  addDuration(test);
});
stream.on("test:pass", addDuration);
for await (const chunk of stream.compose<NodeJS.ReadableStream>(new spec())) {
  process.stdout.write(chunk);
}
const leftCount = await endLeftovers();
if (leftCount > 0) {
  process.stdout.write(`ended ${leftCount} processes that tests had started and not stopped\n`);
}
await server.stop();
showSlowest();

/** The name that a person types: the path of the source. */
function nameOf(file: string): string {
  return relative(".", file)
    .replace(/^\.test-build\//, "")
    .replace(/\.js$/, ".ts");
}

/** What runs in a process of its own: files, or modules that import several, whose tests run one after another. */
function toEntries(): string[] {
  const slow = SLOW.map((line) =>
    line.split(" ").flatMap((name) => files.filter((file) => isNameOf(file)(name))),
  );
  const others = files.filter((file) => rankOf(file) === SLOW.length);
  const groups = Array.from({ length: Math.ceil(others.length / FILES_PER_PROCESS) }, (_, at) =>
    others.slice(at * FILES_PER_PROCESS, (at + 1) * FILES_PER_PROCESS),
  );
  const folderOfGroups = join(dirname(folder), "groups");
  mkdirSync(folderOfGroups, { recursive: true });
  return [...slow, ...groups]
    .filter((group) => group.length > 0)
    .map((group, at) => {
      const entry = join(folderOfGroups, `${String(at).padStart(3, "0")}.test.js`);
      writeFileSync(entry, group.map((file) => `import "${file}";\n`).join(""));
      return entry;
    });
}

function addDuration(test: {
  readonly nesting: number;
  readonly file?: string;
  readonly details: { readonly duration_ms: number };
}): void {
  if (test.nesting > 0 || test.file === undefined) return;
  const name = nameOf(resolve(test.file));
  durations.set(name, (durations.get(name) ?? 0) + test.details.duration_ms);
}

function rankOf(file: string): number {
  const at = SLOW.findIndex((line) => line.split(" ").some(isNameOf(file)));
  return at < 0 ? SLOW.length : at;
}

function isNameOf(file: string): (name: string) => boolean {
  return (name) => nameOf(file) === `test/${name}.test.ts`;
}

function listTestFiles(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true })
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return listTestFiles(path);
      return entry.name.endsWith(".test.js") ? [path] : [];
    })
    .sort();
}

function showSlowest(): void {
  const slowest = [...durations].sort(([, left], [, right]) => right - left).slice(0, SHOWN_MAX);
  for (const [name, ms] of slowest) {
    process.stdout.write(`${(ms / 1000).toFixed(1).padStart(7)} s  ${name}\n`);
  }
}
