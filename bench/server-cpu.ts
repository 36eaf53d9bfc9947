// The processor time of a PostgreSQL server on this machine. Linux only.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Database } from "../src/db/database.ts";
import { sql } from "../src/db/sql.ts";

const CLOCK_TICK_MS = 10;

/** The process that starts all others of the server. */
export async function findServerPid(db: Database): Promise<number> {
  const [row] = await db.query<{ folder: string }>(sql`
    select current_setting('data_directory') as folder`);
  return Number(readFileSync(join(row?.folder ?? "", "postmaster.pid"), "utf8").split("\n")[0]);
}

/** Of the server's processes that are running. */
export function serverCpuMs(serverPid: number): number {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => [Number(pid), readStat(pid)] as const)
    .filter(([pid, fields]) => pid === serverPid || Number(fields[1]) === serverPid)
    .reduce(
      (sum, [, fields]) => sum + (Number(fields[11]) + Number(fields[12])) * CLOCK_TICK_MS,
      0,
    );
}

function readStat(pid: string): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  } catch {
    // The process ended in between.
    return [];
  }
}
