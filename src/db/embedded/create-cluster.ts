import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  chmodSync,
  closeSync,
  fsyncSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { OperatorError } from "../../base/errors.ts";
import type { EmbeddedHome } from "./account.ts";
import { moveIfFirst } from "./binaries.ts";
import { UNFINISHED } from "./remove-unfinished.ts";

export const SUPERUSER = "assay";

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
