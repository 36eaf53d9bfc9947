import { readFileSync } from "node:fs";
import type { Environment } from "../base/setting.ts";

/** Scripts of our own package.json that run the service in the foreground. */
const SCRIPTS: ReadonlySet<string | undefined> = new Set(["start", "assay"]);
const INTERVAL_MS = 500;

/**
 * Resolves when the npm that started this process has ended. Npm does not pass every signal on, and a killed one passes
 * none, so the service would keep its port and its store. Never resolves for a process that npm did not start: a daemon
 * may outlive its parent.
 */
export function npmEnded(environment: Environment): Promise<void> {
  const isOurs =
    environment["npm_package_name"] === "assay" && SCRIPTS.has(environment["npm_lifecycle_event"]);
  if (!isOurs) return new Promise(() => undefined);
  const parent = process.ppid;
  // A shell may stand between npm and us. It lives on when npm is killed, and gets another parent.
  const grandparent = parentOf(parent);
  return new Promise((settle) => {
    const timer = setInterval(() => {
      if (process.ppid === parent && parentOf(parent) === grandparent) return;
      clearInterval(timer);
      settle();
    }, INTERVAL_MS);
    timer.unref();
  });
}

/** Returns undefined where there is no /proc. Then only the end of our own parent is noticed. */
function parentOf(pid: number): number | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name of the program stands in brackets and may contain spaces.
    return Number(text.slice(text.lastIndexOf(")") + 2).split(" ")[1]);
  } catch {
    return undefined;
  }
}
