// Starts one server for all test files, runs them, and fails if there was nothing to run. Runs compiled, as the test files do.
import { readdirSync } from "node:fs";
import { availableParallelism } from "node:os";
import { dirname, join, relative } from "node:path";
import { run } from "node:test";
import { spec } from "node:test/reporters";
import { fileURLToPath } from "node:url";
import { startTestServer } from "./test-server.ts";

const SHOWN_MAX = 10;
/** Started first, so that no core is idle while the last file runs. The list at the end of a run says what belongs here. */
const SLOW = [
  "messages/convergence",
  "cli/cli",
  "service/service",
  "service/demo-load",
  "api/v2/stream-events",
  "service/scale-out",
  "manifest/apply-manifest",
  "listings/extraction/growth",
  "messages/messages",
  "api/http/frame",
  "db/embedded/server",
  "service/crash",
  "alerts/races",
  "db/driver",
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
const durations = new Map<string, number>();
const stream = run({
  files,
  concurrency: availableParallelism() + 1,
  signal: stopping.signal,
});
stream.on("test:fail", () => {
  process.exitCode = 1;
});
stream.on("test:complete", ({ name, details }) => {
  if (files.includes(name)) durations.set(nameOf(name), details.duration_ms);
});
for await (const chunk of stream.compose<NodeJS.ReadableStream>(new spec())) {
  process.stdout.write(chunk);
}
await server.stop();
showSlowest();

/** The name that a person types: the path of the source. */
function nameOf(file: string): string {
  return join("test", relative(folder, file)).replace(/\.js$/, ".ts");
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
