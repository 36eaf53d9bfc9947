// Starts one server for all test files, runs them, and fails if there was nothing to run. Runs compiled, as the test files do.
import { setMaxListeners } from "node:events";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import { run } from "node:test";
import { spec } from "node:test/reporters";
import { fileURLToPath } from "node:url";
import { startTestServer } from "./test-server.ts";

const SHOWN_MAX = 10;
/** Loading the modules takes a second of processor time, as long as many files run. */
const FILES_PER_PROCESS = 12;
/**
 * Started first and each in a process of its own, so that no core is idle while the last file runs. The list at the end of a
 * run shows which files belong here.
 */
const SLOW = [
  "console/market",
  "console/alerts",
  "console/shell",
  "console/live",
  "console/sign-in-page",
  "console/outages",
  "console/settings",
  "console/reference",
  "console/operations",
  "console/start",
  "console/other-origins",
  "console/listing",
  "console/buys",
  "console/notifications",
  "messages/convergence",
  "service/store-faults",
  "db/driver",
  "cli/cli",
  "service/service",
  "service/demo-load",
  "demo/load-demo",
  "api/v2/stream-events",
  "service/scale-out",
  "manifest/apply-manifest",
  "listings/extraction/growth",
  "messages/messages",
  "api/http/frame",
  "db/embedded/server",
  "service/crash",
  "alerts/races",
  "api/fuzz",
];
const folder = dirname(dirname(fileURLToPath(import.meta.url)));
const words = process.argv.slice(2);
const files = listTestFiles(folder)
  .filter((file) => words.length === 0 || words.some((word) => nameOf(file).includes(word)))
  .sort((left, right) => rankOf(left) - rankOf(right));
if (files.length === 0) {
  process.stderr.write(`no test file matches ${words.join(" ") || "test/**/*.test.ts"}\n`);
  process.exit(1);
}

const server = await startTestServer();
process.env["ASSAY_TEST_SERVER_URL"] = server.url;
if (server.preparedDir !== undefined) process.env["ASSAY_TEST_PREPARED_DIR"] = server.preparedDir;
const stopping = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => stopping.abort());
// Each file in progress listens to it, and Node would take more than ten for a leak.
setMaxListeners(0, stopping.signal);
const durations = new Map<string, number>();
const stream = run({
  files: words.length > 0 ? [...files] : toEntries(),
  concurrency: availableParallelism() + 1,
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
await server.stop();
showSlowest();

/** The name that a person types: the path of the source. */
function nameOf(file: string): string {
  return relative(".", file)
    .replace(/^\.test-build\//, "")
    .replace(/\.js$/, ".ts");
}

/** Slow files as they are, the others in groups: modules that import several of them, whose tests run one after another. */
function toEntries(): string[] {
  const slow = files.filter((file) => rankOf(file) < SLOW.length);
  const others = files.slice(slow.length);
  const groups = join(dirname(folder), "groups");
  mkdirSync(groups, { recursive: true });
  const entries: string[] = [];
  for (let at = 0; at < others.length; at += FILES_PER_PROCESS) {
    const entry = join(groups, `${String(at).padStart(3, "0")}.test.js`);
    const imports = others.slice(at, at + FILES_PER_PROCESS).map((file) => `import "${file}";\n`);
    writeFileSync(entry, imports.join(""));
    entries.push(entry);
  }
  return [...slow, ...entries];
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
  const at = SLOW.findIndex((name) => nameOf(file) === `test/${name}.test.ts`);
  return at < 0 ? SLOW.length : at;
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
