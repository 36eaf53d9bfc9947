import { spawn, spawnSync } from "node:child_process";
import { createHmac } from "node:crypto";
import { once } from "node:events";
import {
  closeSync,
  existsSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { totalmem } from "node:os";
import { join } from "node:path";
import { sleep } from "../../base/clock.ts";
import { OperatorError } from "../../base/errors.ts";
import type { Logger } from "../../base/log.ts";
import {
  createCluster,
  type Exit,
  exitOf,
  readCommandLine,
  removeUnfinished,
  SUPERUSER,
} from "./create-cluster.ts";
import { checkOwner, closeToOthers, type EmbeddedHome } from "./home.ts";

/** The files of one embedded server. */
export interface Cluster {
  readonly folder: string;
  readonly pidFile: string;
  readonly portFile: string;
  readonly logFile: string;
  /** The superuser, for set-up only. */
  readonly user: string;
  readonly password: string;
  /** Of the role that Assay works with; see `service-role.ts`. */
  readonly servicePassword: string;
}

export interface RunningServer {
  readonly pid: number;
  readonly port: number;
}

const LOG_BYTES_MAX = 4 * 1024 * 1024;
const STOP_TIMEOUT_MS = 60_000;
const POLL_MS = 10;

const MEGABYTE = 1024 * 1024;

/** PostgreSQL's own default. */
const BUFFERS_MIN = 128 * MEGABYTE;
/** More helps little, because the operating system caches the files too. */
const BUFFERS_MAX = 1024 * MEGABYTE;

/** Passed on every start, so that they take precedence over postgresql.conf. */
const SETTINGS: Readonly<Record<string, string>> = {
  listen_addresses: "127.0.0.1",
  unix_socket_directories: "",
  fsync: "on",
  synchronous_commit: "on",
  full_page_writes: "on",
  max_connections: "100",
  shared_buffers: toSharedBuffers(availableMemory()),
  // With the default of 1 GB, a replay of a million messages makes a checkpoint three times a minute, and each page is logged as
  // a whole again after it.
  max_wal_size: "4GB",
  // Our queries are short. Compiling them costs more than it saves.
  jit: "off",
  random_page_cost: "1.1",
  // After an import, plans are bad until the server has gathered statistics. By default it looks once a minute.
  autovacuum_naptime: "15s",
  // Frees the locks of a client that disappeared during a statement.
  client_connection_check_interval: "10s",
  timezone: "UTC",
  log_timezone: "UTC",
  // Errors must not write the values of a row to the log, because they can be private messages.
  log_error_verbosity: "terse",
  log_min_error_statement: "panic",
};

/** Creates the cluster if there is none. If several processes do so at once, the first one wins. */
export async function ensureCluster(home: EmbeddedHome, log: Logger): Promise<Cluster> {
  const store = join(home.folder, "store");
  const folder = join(store, "cluster");
  removeUnfinished(home.folder);
  if (!hasCluster(home)) {
    log.info("creating the data folder of the embedded PostgreSQL");
    await createCluster(home, store);
  }
  checkOwner(folder, home.uid);
  closeToOthers(store);
  closeToOthers(join(store, "password"));
  checkVersion(folder, home);
  const password = readPassword(join(store, "password"));
  return {
    folder,
    pidFile: join(folder, "postmaster.pid"),
    portFile: join(store, "port"),
    logFile: join(store, "server.log"),
    user: SUPERUSER,
    password,
    servicePassword: servicePasswordOf(password),
  };
}

export function hasCluster(home: EmbeddedHome): boolean {
  return existsSync(join(home.folder, "store", "cluster", "PG_VERSION"));
}

/** Returns the running server of this cluster, which may not be ready yet. Removes a pid file that a crash left behind. */
export function findRunningServer(cluster: Cluster): RunningServer | undefined {
  const lines = readPidFile(cluster);
  // The file is missing, or PostgreSQL is still writing it.
  if (lines === undefined || lines.length < 2) return undefined;
  const server = { pid: Number(lines[0]), port: Number(lines[3]) };
  if (server.pid > 0 && isServerOf(cluster, server.pid)) {
    return server.port > 0 ? server : undefined;
  }
  rmSync(cluster.pidFile, { force: true });
  return undefined;
}

/**
 * Returns when the server is ready. Returns undefined if the caller should try again: another process was faster, the
 * shared memory of the old server is not free yet, or the wanted port is in use.
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
    // Its own process group, so that Ctrl-C reaches only us. We stop the server when we no longer need it.
    detached: true,
    stdio: ["ignore", logHandle, logHandle],
  });
  closeSync(logHandle);
  const exit = exitOf(child);
  while (!isReady(cluster, child.pid)) {
    const ended = await Promise.race([exit, sleep(POLL_MS)]);
    if (ended !== undefined) return throwUnlessTemporary(cluster, ended);
  }
  child.unref();
  writeFileSync(cluster.portFile, String(port), { mode: 0o600 });
  return { pid: child.pid ?? 0, port };
}

/** Fast shutdown: rolls back open transactions and writes a checkpoint, so that the next start needs no recovery. */
export async function stopServer(cluster: Cluster, server: RunningServer): Promise<void> {
  if (!isServerOf(cluster, server.pid)) return;
  process.kill(server.pid, "SIGINT");
  const deadlineMs = performance.now() + STOP_TIMEOUT_MS;
  while (isServerOf(cluster, server.pid)) {
    if (performance.now() > deadlineMs) {
      throw new OperatorError(
        `PostgreSQL (pid ${server.pid}) does not stop; see ${cluster.logFile}`,
      );
    }
    await sleep(POLL_MS);
  }
}

/** An eighth of the memory for the server's page cache: the indexes of a large market are much larger than its default. */
export function toSharedBuffers(memoryBytes: number): string {
  const bytes = Math.min(Math.max(memoryBytes / 8, BUFFERS_MIN), BUFFERS_MAX);
  return `${Math.floor(bytes / MEGABYTE)}MB`;
}

/** The memory of the machine, or the limit of the container if that is lower. */
export function availableMemory(): number {
  const limit = process.constrainedMemory();
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem();
}

function checkVersion(folder: string, { binaries }: EmbeddedHome): void {
  const found = readFileSync(join(folder, "PG_VERSION"), "utf8").trim();
  if (Number(found) === binaries.major) return;
  const remedy = "or move the data as described in docs/operations.md (Upgrading)";
  throw new OperatorError(
    binaries.isGiven
      ? `${folder} was created by PostgreSQL ${found}, but ASSAY_POSTGRES_BIN (${binaries.bin}) is PostgreSQL ${binaries.version}; ` +
          `set it to the programs of PostgreSQL ${found}, ${remedy}`
      : `${folder} was created by PostgreSQL ${found}, but this version of Assay contains PostgreSQL ${binaries.major}; ` +
          `run the version of Assay that created it, set ASSAY_POSTGRES_BIN to the programs of PostgreSQL ${found}, ${remedy}`,
  );
}

function readPassword(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (cause) {
    throw new OperatorError(`cannot read ${file}; run Assay as the owner of the folder`, cause);
  }
}

/** Follows from the superuser's password, which cannot be calculated from it. So an older data folder has one too. */
function servicePasswordOf(password: string): string {
  return createHmac("sha256", password).update("assay_service").digest("base64url");
}

/** Returns true if the process is the server of this cluster. A stale pid may now belong to another program. */
function isServerOf(cluster: Cluster, pid: number): boolean {
  const commandLine = existsSync("/proc/self/cmdline")
    ? readCommandLine(pid)
    : spawnSync("ps", ["-o", "command=", "-p", String(pid)], { encoding: "utf8" }).stdout;
  const words = commandLine.split(/[\0\n]/);
  // `ps` prints one line with spaces. /proc separates the arguments with NUL.
  return words.includes(cluster.folder) || commandLine.includes(` -D ${cluster.folder} `);
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

/** Throws if a new attempt would fail too. */
function throwUnlessTemporary(cluster: Cluster, exit: Exit): undefined {
  if (exit.error !== undefined) {
    throw new OperatorError(
      `the embedded PostgreSQL cannot be started: ${exit.error.message}`,
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

// Prefers the port of the last start, so that other processes find the server after a restart.
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
    // Another program uses this port.
    return undefined;
  } finally {
    probe.close();
  }
}

function openLog(file: string): number {
  if (existsSync(file) && statSync(file).size > LOG_BYTES_MAX) renameSync(file, `${file}.1`);
  return openSync(file, "a", 0o600);
}
