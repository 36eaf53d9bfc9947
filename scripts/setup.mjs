// Prepares a checkout: installs if the lock file has changed, and builds the program and the tests if the sources have changed.
// Imports Node built-ins only, because it runs before anything is installed.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { buildConsole } from "./build-console.mjs";
import { ensureClientTypes } from "./client-types.mjs";

const NODE_MINIMUM = [20, 11];
/** Includes development packages whatever NODE_ENV says, because the build needs the compiler. */
const NPM_FLAGS = [
  "--include=dev",
  "--include=optional",
  "--no-audit",
  "--no-fund",
  "--loglevel=error",
];
const LOCK_WAIT_MS = 10 * 60_000;
const BUILD_FILES = [
  "package-lock.json",
  "openapi-v2.json",
  "tsconfig.json",
  "tsconfig.client.json",
  "console/tsconfig.json",
  "scripts/build-console.mjs",
  "scripts/client-types.mjs",
  "scripts/setup.mjs",
];
const SOURCE = /\.(?:tsx?|json|css|html|svg|png|webmanifest)$/;
export const root = dirname(dirname(fileURLToPath(import.meta.url)));

export function ensureInstalled() {
  requireNode();
  const stampFile = join(root, "node_modules", ".assay-installed");
  const wanted = `${hashFiles(["package.json", "package-lock.json"])} ${process.platform}-${process.arch}`;
  if (readStamp(stampFile) === wanted) return;
  withLock(() => {
    if (readStamp(stampFile) === wanted) return;
    say("installing packages (once, about half a minute) …");
    runNpm(["ci"]);
    writeFileSync(stampFile, wanted);
  });
}

/** The program that users and process tests run. */
export function ensureBuilt() {
  ensureClientTypes(root);
  ensureCompiled({
    folder: "dist",
    sources: ["src", "client", "console", "drawing"],
    compile: (next) => {
      bundle({
        entries: ["src/cli/main.ts", "src/media/shrink-child.ts"],
        base: "src",
        folder: next,
      });
      compileClient(join(next, "client"));
      buildConsole({ root, folder: join(next, "console") });
    },
  });
}

/** The tests and what they import, as JavaScript: compiling each file in each of a hundred processes takes a minute. */
export function ensureTestsBuilt() {
  ensureCompiled({
    folder: ".test-build",
    sources: ["src", "client", "console", "drawing", "test", "bench"],
    compile: (next) => {
      const entries = listFiles(join(root, "test")).filter((file) => file.endsWith(".ts"));
      bundle({ entries, base: ".", folder: next });
    },
  });
}

function ensureCompiled({ folder, sources, compile }) {
  const stampFile = join(root, folder, ".assay-built");
  const files = sources
    .flatMap((source) => listFiles(join(root, source)))
    .filter((file) => SOURCE.test(file))
    .map((file) => relative(root, file));
  const wanted = hashFiles([...BUILD_FILES, ...files]);
  if (readStamp(stampFile) === wanted) return;
  withLock(() => {
    if (readStamp(stampFile) === wanted) return;
    say("building …");
    const next = join(root, `${folder}.next`);
    rmSync(next, { recursive: true, force: true });
    compile(next);
    writeFileSync(join(next, ".assay-built"), wanted);
    rmSync(join(root, folder), { recursive: true, force: true });
    renameSync(next, join(root, folder));
  });
}

/**
 * Bundles our modules and typebox, which are a thousand small files: a command starts in half the time. What entries share
 * goes to `chunks/`, as deep below the folder as the file that finds `migrations/` by its own place. Checks no types:
 * `npm test` does.
 */
function bundle({ entries, base, folder }) {
  const { buildSync } = createRequire(import.meta.url)("esbuild");
  const packages = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const external = Object.keys({ ...packages.dependencies, ...packages.devDependencies });
  buildSync({
    absWorkingDir: root,
    entryPoints: entries,
    outbase: base,
    outdir: folder,
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: `node${NODE_MINIMUM.join(".")}`,
    external: external.filter((name) => name !== "typebox"),
    chunkNames: "chunks/[name]-[hash]",
    sourcemap: true,
    sourcesContent: false,
    logLevel: "warning",
  });
}

/** The client is a library: its modules stay as they are, with their types. */
function compileClient(folder) {
  const tsc = join(root, "node_modules", "typescript", "bin", "tsc");
  run(process.execPath, [tsc, "-p", "tsconfig.client.json", "--noCheck", "--outDir", folder]);
}

/** Runs a program in the checkout, with its output on standard error. Exits if it fails. */
export function run(command, args, env = process.env) {
  const result = spawnSync(command, args, { cwd: root, stdio: ["inherit", 2, 2], env });
  if (result.error) fail(`${command} could not be started: ${result.error.message}`);
  if (result.status !== 0) fail(`"${[command, ...args].join(" ")}" failed; see its output above.`);
}

export function runNpm(args) {
  const npm = npmCommand();
  run(npm.command, [...npm.args, ...args, ...NPM_FLAGS]);
}

/** Returns the npm that runs this script, or else the npm in PATH, so that `node scripts/assay.mjs` works too. */
function npmCommand() {
  const script = process.env.npm_execpath;
  if (script?.endsWith(".js") && existsSync(script)) {
    return { command: process.execPath, args: [script] };
  }
  return { command: "npm", args: [] };
}

function requireNode() {
  const [major, minor] = process.versions.node.split(".").map(Number);
  const [wantedMajor, wantedMinor] = NODE_MINIMUM;
  if (major > wantedMajor || (major === wantedMajor && minor >= wantedMinor)) return;
  fail(`Assay needs Node ${NODE_MINIMUM.join(".")} or newer; this is ${process.versions.node}.`);
}

// The lock is a folder, because creating one is atomic on every file system. The pid inside shows whether its owner
// still runs.
function withLock(work) {
  const lock = join(root, ".setup-lock");
  const deadline = Date.now() + LOCK_WAIT_MS;
  while (!tryLock(lock)) {
    if (Date.now() > deadline)
      fail(`another installation or build holds the lock ${lock}; delete it if none is running.`);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
  }
  try {
    work();
  } finally {
    rmSync(lock, { recursive: true, force: true });
  }
}

function tryLock(lock) {
  try {
    mkdirSync(lock);
    writeFileSync(join(lock, "pid"), String(process.pid));
    return true;
  } catch (error) {
    if (error.code !== "EEXIST") fail(`cannot write to ${root}: ${error.message}`);
  }
  const holder = Number(readStamp(join(lock, "pid")));
  const ageMs = Date.now() - (statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
  const isAbandoned = holder > 0 ? !isAlive(holder) : ageMs > 5_000;
  if (isAbandoned) rmSync(lock, { recursive: true, force: true });
  return false;
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === "EPERM";
  }
}

function readStamp(file) {
  return existsSync(file) ? readFileSync(file, "utf8") : undefined;
}

function hashFiles(files) {
  const hash = createHash("sha256");
  for (const file of files) hash.update(`${file}\0`).update(readFileSync(join(root, file)));
  return hash.digest("hex");
}

export function listFiles(folder) {
  return readdirSync(folder)
    .sort()
    .map((name) => join(folder, name))
    .flatMap((path) => (statSync(path).isDirectory() ? listFiles(path) : [path]));
}

function say(text) {
  process.stderr.write(`assay: ${text}\n`);
}

function fail(text) {
  say(text);
  process.exit(1);
}
