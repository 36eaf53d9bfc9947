import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { systemClock } from "../../base/clock.ts";
import { MINUTE_MS } from "../../base/time.ts";

/** How the name of a cluster begins until it is whole. The id of the process that makes it follows. */
export const UNFINISHED = "store.next-";

/** Older versions did not write their process id into the name, and creating a cluster takes seconds. */
const UNNAMED_AGE_MS = 10 * MINUTE_MS;

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
  return pids.map((pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, "utf8");
    } catch {
      // The process has ended.
      return "";
    }
  });
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
