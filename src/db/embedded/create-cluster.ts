import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { MINUTE_MS, systemClock } from "../../base/clock.ts";
import { OperatorError } from "../../base/errors.ts";
import { type EmbeddedHome, moveIfFirst } from "./home.ts";

export const SUPERUSER = "assay";

/** How the name of a cluster begins until it is whole. The id of the process that makes it follows. */
const UNFINISHED = "store.next-";

/** Older versions did not write their process id into the name, and creating a cluster takes seconds. */
const UNNAMED_AGE_MS = 10 * MINUTE_MS;

/**
 * Makes the cluster and its password under another name, and renames them when they are whole. All of it is flushed to the
 * disk, as initdb does with the cluster: without its password the store would be unusable after a power cut.
 */
export async function createCluster(home: EmbeddedHome, store: string): Promise<void> {
  const next = mkdtempSync(join(home.folder, `${UNFINISHED}${process.pid}-`));
  chmodSync(next, 0o700);
  home.changeOwner(next);
  const passwordFile = join(next, "password");
  writeFileSync(passwordFile, randomBytes(32).toString("base64url"), {
    mode: 0o600,
    flush: true,
  });
  home.changeOwner(passwordFile);
  mkdirSync(join(next, "cluster"), { mode: 0o700 });
  home.changeOwner(join(next, "cluster"));
  const call = home.program("initdb", [
    `--pgdata=${join(next, "cluster")}`,
    `--username=${SUPERUSER}`,
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
    // Ctrl-C must not interrupt initdb. We stop after it is done.
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
      `the embedded PostgreSQL could not create its data folder in ${home.folder}: ` +
        `${exit.error?.message ?? output.join("").trim()}`,
      exit.error,
    );
  }
  flushFolder(next);
  moveIfFirst(next, store);
  flushFolder(home.folder);
  flushFolder(dirname(home.folder));
}

/** After that, the entries of the folder survive a power cut. */
function flushFolder(folder: string): void {
  const handle = openSync(folder, "r");
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

export interface Exit {
  readonly code?: number | null;
  /** Set if the program could not be started. */
  readonly error?: Error;
}

export function exitOf(child: ChildProcess): Promise<Exit> {
  return new Promise((settle) => {
    child.once("close", (code) => settle({ code }));
    child.once("error", (error) => settle({ error }));
  });
}

/** Removes clusters that a kill left unfinished. One that a process is still making stays. */
export function removeUnfinished(folder: string): void {
  const names = readdirSync(folder).filter((name) => name.startsWith(UNFINISHED));
  for (const name of names) {
    const path = join(folder, name);
    if (!isBeingMade(path)) rmSync(path, { recursive: true, force: true });
  }
}

/** `initdb` goes on when the process that started it is killed, and has the folder among its arguments. */
function isBeingMade(path: string): boolean {
  const pid = Number(/store\.next-(\d+)-/.exec(path)?.[1] ?? 0);
  if (pid > 0 ? isAlive(pid) : ageOf(path) < UNNAMED_AGE_MS) return true;
  return listCommandLines().some((line) => line.includes(path));
}

/** Slim containers have no `ps`, and other systems than Linux no /proc. */
function listCommandLines(): readonly string[] {
  if (!existsSync("/proc/self/cmdline")) {
    return spawnSync("ps", ["-A", "-o", "command="], { encoding: "utf8" }).stdout.split("\n");
  }
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return pids.map(readCommandLine);
}

/** From /proc, with NUL between the arguments; empty if the process has ended. */
export function readCommandLine(pid: number | string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    // The process has ended.
    return "";
  }
}

/** This process makes no cluster at the moment, so a folder with its id is left from an earlier one with the same id. */
function isAlive(pid: number): boolean {
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

function ageOf(path: string): number {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats === undefined ? 0 : systemClock.nowMs() - stats.mtimeMs;
}
