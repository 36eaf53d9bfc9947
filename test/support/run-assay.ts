import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { PassThrough } from "node:stream";
import { promisify } from "node:util";
import { createLogger } from "../../src/base/log.ts";
import { runCli } from "../../src/cli/run-cli.ts";
import { type EmbeddedServer, openEmbeddedServer } from "../../src/db/embedded/server.ts";
import { runEnvironment } from "./programs/leftovers.ts";
import { until } from "./test-app.ts";
import type { Lifetime } from "./test-database.ts";
import { copyStore } from "./test-server.ts";

type Environment = Readonly<Record<string, string>>;

export interface Finished {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

export interface RunningAssay {
  readonly child: ChildProcess;
  /** The address of the service. */
  readonly url: string;
  out(): string;
  err(): string;
  /** Resolves when the process has ended by itself, or by a signal of the test. */
  readonly finished: Promise<Finished>;
  /** Sends the signal and waits until the process ends. */
  end(signal: NodeJS.Signals): Promise<Finished>;
}

/** Runs a command of the built program to its end. Of the environment it gets only PATH. */
export async function runAssay(
  args: readonly string[],
  environment: Environment,
): Promise<Finished> {
  const { child, output } = spawnAssay(args, environment);
  const [code] = await once(child, "close");
  return { code: code as number | null, ...output };
}

/**
 * Runs a command inside this process: a second faster, for commands that do not end the process. A store that they open is
 * a server that runs already.
 */
export async function callAssay(
  args: readonly string[],
  environment: Environment = {},
): Promise<Finished> {
  const [out, err] = [new PassThrough(), new PassThrough()];
  const code = await runCli(args, {
    in: new PassThrough(),
    out,
    err,
    environment,
    isInteractive: false,
  });
  return { code, out: String(out.read() ?? ""), err: String(err.read() ?? "") };
}

/** A full demo takes a minute to load, and longer on a busy machine. */
const START_TIMEOUT_MS = 300_000;

/** Starts the service on a free port and waits until it serves. `prefix` is a command that runs it somewhere else. */
export async function startAssay(
  t: Lifetime,
  args: readonly string[],
  environment: Environment,
  prefix: readonly string[] = [],
): Promise<RunningAssay> {
  const { child, output } = spawnAssay(args, { PORT: "0", ...environment }, prefix);
  const finished = once(child, "close").then(([code]) => ({
    code: code as number | null,
    ...output,
  }));
  t.after(async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill("SIGINT");
    await finished;
  });
  const served = () => /serves (?:the demo at )?(http:\S+)/.exec(output.out)?.[1];
  await until(() => served() !== undefined || child.exitCode !== null, START_TIMEOUT_MS);
  const url = served();
  if (url === undefined) throw new Error(`it did not start:\n${output.err}`);
  return {
    child,
    url,
    out: () => output.out,
    err: () => output.err,
    finished,
    end: (signal) => {
      child.kill(signal);
      return finished;
    },
  };
}

export function aFolder(t: Lifetime, place = tmpdir()): string {
  const folder = mkdtempSync(join(place, "assay-data-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/**
 * A data folder whose embedded server was created already, unless the run has none prepared. It is where the server of the
 * tests is, in memory if there is room.
 */
export function aDataDir(t: Lifetime): string {
  const prepared = process.env["ASSAY_TEST_PREPARED_DIR"];
  if (prepared === undefined) return aFolder(t);
  const folder = aFolder(t, dirname(dirname(prepared)));
  copyStore(prepared, folder);
  return folder;
}

/** As `aDataDir`, with its server running until the test ends: commands join it instead of starting and stopping it. */
export async function aServedDataDir(
  t: Lifetime,
): Promise<{ readonly dataDir: string; readonly server: EmbeddedServer }> {
  const held: { server?: EmbeddedServer } = {};
  // Registered first, because the folder may go only when the server has stopped.
  t.after(() => held.server?.release());
  const dataDir = aDataDir(t);
  const server = await openEmbeddedServer({ dataDir, log: createLogger("silent") });
  held.server = server;
  return { dataDir, server };
}

function spawnAssay(
  args: readonly string[],
  environment: Environment,
  prefix: readonly string[] = [],
) {
  const command = [...prefix, process.execPath, "dist/cli/main.js", ...args];
  const child = spawn(command[0] ?? "", command.slice(1), {
    env: { PATH: process.env["PATH"] ?? "", ...runEnvironment(), ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const output = { out: "", err: "" };
  child.stdout.on("data", (chunk: Buffer) => {
    output.out += chunk.toString();
  });
  child.stderr.on("data", (chunk: Buffer) => {
    output.err += chunk.toString();
  });
  return { child, output };
}

const run = promisify(execFile);

/** The files that `npm pack` takes from a checkout. */
export async function listPackage(checkout: string): Promise<readonly string[]> {
  const args = ["pack", "--dry-run", "--json", "--ignore-scripts"];
  const { stdout } = await run("npm", args, { cwd: checkout });
  const [packed] = JSON.parse(stdout) as { files: readonly { path: string }[] }[];
  return packed?.files.map(({ path }) => path) ?? [];
}

/**
 * As `npm install` does it with the packed file, but with the packages that are here already, or others by name. Returns the command's
 * file.
 */
export async function installPackage(
  t: Lifetime,
  others: Readonly<Record<string, string>> = {},
): Promise<string> {
  const packages = join(aFolder(t), "node_modules");
  for (const path of await listPackage(".")) {
    cpSync(path, join(packages, "assay", path), { recursive: true });
  }
  const { dependencies, optionalDependencies, bin } = JSON.parse(
    readFileSync("package.json", "utf8"),
  ) as Record<"dependencies" | "optionalDependencies", object> & { bin: { assay: string } };
  for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
    mkdirSync(dirname(join(packages, name)), { recursive: true });
    symlinkSync(resolve(others[name] ?? join("node_modules", name)), join(packages, name));
  }
  return join(packages, "assay", bin.assay);
}
