import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { OperatorError } from "../../base/errors.ts";
import type { Logger } from "../../base/log.ts";
import { sleep } from "../../base/sleep.ts";
import { type EmbeddedHome, refuseOtherOwner } from "./account.ts";
import { moveIfFirst } from "./binaries.ts";

/** The files of one embedded server. */
export interface Cluster {
  readonly folder: string;
  readonly pidFile: string;
  readonly portFile: string;
  readonly logFile: string;
  readonly user: string;
  readonly password: string;
}

export interface RunningServer {
  readonly pid: number;
  readonly port: number;
}

const USER = "assay";
const LOG_BYTES_MAX = 4 * 1024 * 1024;
const STOP_TIMEOUT_MS = 60_000;
const POLL_MS = 10;

/** What the server is started with, each time, so that this list and not a file decides. */
const SETTINGS: Readonly<Record<string, string>> = {
  listen_addresses: "127.0.0.1",
  unix_socket_directories: "",
  fsync: "on",
  synchronous_commit: "on",
  full_page_writes: "on",
  max_connections: "100",
  // The market's queries are short; compiling them costs more than it saves.
  jit: "off",
  random_page_cost: "1.1",
  // Frees the locks of a client that vanished in the middle of a statement.
  client_connection_check_interval: "10s",
  timezone: "UTC",
  log_timezone: "UTC",
  // A refused row's values are other people's messages: they stay out of the log.
  log_error_verbosity: "terse",
  log_min_error_statement: "panic",
};

/** Makes the cluster if there is none; of several processes that do so at once the first one wins. */
export async function ensureCluster(home: EmbeddedHome, log: Logger): Promise<Cluster> {
  const store = join(home.folder, "store");
  const folder = join(store, "cluster");
  if (!existsSync(join(folder, "PG_VERSION"))) {
    log.info("making the embedded PostgreSQL's data folder");
    await initialize(home, store);
  }
  refuseOtherOwner(folder, home.uid);
  refuseOtherVersion(folder, home.binaries.major);
  return {
    folder,
    pidFile: join(folder, "postmaster.pid"),
    portFile: join(store, "port"),
    logFile: join(store, "server.log"),
    user: USER,
    password: readPassword(join(store, "password")),
  };
}

/** The live server of this cluster, ready or not; a pid file that a crash left behind is removed. */
export function findRunningServer(cluster: Cluster): RunningServer | undefined {
  const lines = readPidFile(cluster);
  // Absent, or just being written.
  if (lines === undefined || lines.length < 2) return undefined;
  const server = { pid: Number(lines[0]), port: Number(lines[3]) };
  if (server.pid > 0 && isServerOf(cluster, server.pid)) {
    return server.port > 0 ? server : undefined;
  }
  rmSync(cluster.pidFile, { force: true });
  return undefined;
}

/**
 * Gives undefined when another process was faster, the old server's memory is not free yet, or the port that it must
 * have is taken: try again.
 */
export async function startServer(
  home: EmbeddedHome,
  cluster: Cluster,
  wantedPort?: number,
): Promise<RunningServer | undefined> {
  const port = wantedPort === undefined ? await choosePort(cluster) : await tryListen(wantedPort);
  if (port === undefined) return undefined;
  const settings = Object.entries({ ...SETTINGS, port: String(port) });
  const args = [
    "-D",
    cluster.folder,
    ...settings.flatMap(([name, value]) => ["-c", `${name}=${value}`]),
  ];
  const call = home.program("postgres", args);
  const logHandle = openLog(cluster.logFile);
  const child = spawn(call.command, call.args, {
    ...call.account,
    cwd: "/",
    // A process group of its own: Ctrl-C is for us, and we stop the server when we are done with it.
    detached: true,
    stdio: ["ignore", logHandle, logHandle],
  });
  closeSync(logHandle);
  const exit = exitOf(child);
  while (!isReady(cluster, child.pid)) {
    const ended = await Promise.race([exit, sleep(POLL_MS)]);
    if (ended !== undefined) return explainExit(cluster, ended);
  }
  child.unref();
  writeFileSync(cluster.portFile, String(port), { mode: 0o600 });
  return { pid: child.pid ?? 0, port };
}

/** Fast shutdown: open transactions are rolled back, a checkpoint is written, nothing has to be recovered later. */
export async function stopServer(cluster: Cluster, server: RunningServer): Promise<void> {
  if (!isServerOf(cluster, server.pid)) return;
  process.kill(server.pid, "SIGINT");
  const deadlineMs = performance.now() + STOP_TIMEOUT_MS;
  while (isServerOf(cluster, server.pid)) {
    if (performance.now() > deadlineMs) {
      throw new OperatorError(`the embedded PostgreSQL (pid ${server.pid}) does not stop`);
    }
    await sleep(POLL_MS);
  }
}

async function initialize(home: EmbeddedHome, store: string): Promise<void> {
  const next = mkdtempSync(join(home.folder, "store.next-"));
  chmodSync(next, 0o700);
  home.own(next);
  const passwordFile = join(next, "password");
  writeFileSync(passwordFile, randomBytes(32).toString("base64url"), { mode: 0o600 });
  home.own(passwordFile);
  mkdirSync(join(next, "cluster"), { mode: 0o700 });
  home.own(join(next, "cluster"));
  const call = home.program("initdb", [
    `--pgdata=${join(next, "cluster")}`,
    `--username=${USER}`,
    `--pwfile=${passwordFile}`,
    "--auth=scram-sha-256",
    "--encoding=UTF8",
    "--locale=C",
    "--data-checksums",
    "--no-instructions",
  ]);
  const child = spawn(call.command, call.args, {
    ...call.account,
    cwd: "/",
    // Ctrl-C is for us; we stop once the folder is made.
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const output: string[] = [];
  child.stdout.on("data", (chunk: Buffer) => output.push(chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => output.push(chunk.toString()));
  const exit = await exitOf(child);
  if (exit.code !== 0) {
    rmSync(next, { recursive: true, force: true });
    throw new OperatorError(
      `the embedded PostgreSQL could not make its data folder below ${home.folder}: ` +
        `${exit.error?.message ?? output.join("").trim()}`,
      exit.error,
    );
  }
  moveIfFirst(next, store);
}

function refuseOtherVersion(folder: string, major: number): void {
  const found = readFileSync(join(folder, "PG_VERSION"), "utf8").trim();
  if (Number(found) === major) return;
  throw new OperatorError(
    `${folder} was made by PostgreSQL ${found}, and this Assay brings PostgreSQL ${major}; ` +
      "run the Assay that made it, or move the data over as docs/operations.md tells (Upgrading)",
  );
}

function readPassword(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (cause) {
    throw new OperatorError(`cannot read ${file}: run as the user who owns the data folder`, cause);
  }
}

/** Whether that process is the server of this cluster, and not another one that got the number of a dead one. */
function isServerOf(cluster: Cluster, pid: number): boolean {
  const commandLine = existsSync("/proc/self/cmdline")
    ? readCommandLine(`/proc/${pid}/cmdline`)
    : spawnSync("ps", ["-o", "command=", "-p", String(pid)], { encoding: "utf8" }).stdout;
  const words = commandLine.split(/[\0\n]/);
  // `ps` gives one line with blanks, /proc the words one by one.
  return words.includes(cluster.folder) || commandLine.includes(` -D ${cluster.folder} `);
}

function readCommandLine(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    // The process is gone, which is the answer.
    return "";
  }
}

function isReady(cluster: Cluster, pid: number | undefined): boolean {
  const lines = readPidFile(cluster) ?? [];
  return Number(lines[0]) === pid && /^(ready|standby)\s*$/.test(lines[7] ?? "");
}

function readPidFile(cluster: Cluster): readonly string[] | undefined {
  try {
    return readFileSync(cluster.pidFile, "utf8").split("\n");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

interface Exit {
  readonly code?: number | null;
  /** The program could not be run at all. */
  readonly error?: Error;
}

function exitOf(child: ChildProcess): Promise<Exit> {
  return new Promise((settle) => {
    child.once("close", (code) => settle({ code }));
    child.once("error", (error) => settle({ error }));
  });
}

function explainExit(cluster: Cluster, exit: Exit): undefined {
  if (exit.error !== undefined) {
    throw new OperatorError(
      `the embedded PostgreSQL cannot run: ${exit.error.message}`,
      exit.error,
    );
  }
  const tail = readFileSync(cluster.logFile, "utf8").slice(-2000);
  if (findRunningServer(cluster) !== undefined) return undefined;
  if (/pre-existing shared memory block|is another postmaster/.test(tail)) return undefined;
  if (/could not bind|Address already in use/.test(tail)) {
    rmSync(cluster.portFile, { force: true });
    return undefined;
  }
  throw new OperatorError(
    `the embedded PostgreSQL did not start; the end of ${cluster.logFile}:\n${tail.trim()}`,
  );
}

// The port of the last time, so that open connections find a server that was started again.
async function choosePort(cluster: Cluster): Promise<number> {
  const last = existsSync(cluster.portFile) ? Number(readFileSync(cluster.portFile, "utf8")) : 0;
  const port = (await tryListen(last)) ?? (await tryListen(0));
  if (port === undefined) throw new OperatorError("there is no free port on 127.0.0.1");
  return port;
}

async function tryListen(port: number): Promise<number | undefined> {
  const probe = createServer();
  try {
    probe.listen({ port, host: "127.0.0.1", exclusive: true });
    await once(probe, "listening");
    const address = probe.address();
    return typeof address === "object" && address !== null ? address.port : undefined;
  } catch {
    // Taken by another program.
    return undefined;
  } finally {
    probe.close();
  }
}

function openLog(file: string): number {
  if (existsSync(file) && statSync(file).size > LOG_BYTES_MAX) renameSync(file, `${file}.1`);
  return openSync(file, "a", 0o600);
}
