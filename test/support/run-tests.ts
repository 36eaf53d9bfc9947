// Starts one server for all test files, runs them, and fails when there was nothing to run.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { startTestServer } from "./test-server.ts";

const words = process.argv.slice(2);
const files = listTestFiles("test").filter(
  (file) => words.length === 0 || words.some((word) => file.includes(word)),
);
if (files.length === 0) {
  process.stderr.write(`no test file matches ${words.join(" ") || "test/**/*.test.ts"}\n`);
  process.exit(1);
}

const server = await startTestServer();
const concurrency = Math.max(2, availableParallelism());
const child = spawn(
  process.execPath,
  [
    ...["--import", "tsx", "--test", "--test-reporter=spec"],
    `--test-concurrency=${concurrency}`,
    ...files,
  ],
  { stdio: "inherit", env: { ...process.env, ASSAY_TEST_SERVER_URL: server.url } },
);
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => child.kill(signal));
const [code] = await once(child, "exit");
await server.stop();
process.exitCode = typeof code === "number" ? code : 1;

function listTestFiles(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true })
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return listTestFiles(path);
      return entry.name.endsWith(".test.ts") ? [path] : [];
    })
    .sort();
}
