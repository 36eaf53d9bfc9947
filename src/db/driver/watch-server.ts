import { withDeadline } from "../../base/deadline.ts";
import { sleep } from "../../base/sleep.ts";
import type { Database } from "../database.ts";
import { sql } from "../sql.ts";
import type { StoreClient } from "./client.ts";

/** One failed check may be a cut of the connection that checks. */
const FAILURES_MAX = 2;

/**
 * Runs long work on a connection and destroys the connection if its server process is gone. A statement that may take an
 * hour cannot have a short time-out for its answer, and a server that vanishes without a word is not noticed on the
 * connection itself. So other connections ask, every `intervalMs`, whether the server process still exists. If the
 * server cannot be reached, or a new primary does not know the process, the work fails within a few intervals.
 */
export async function whileServerLives<Result>(
  options: {
    readonly client: StoreClient;
    /** Statements here run on other connections. */
    readonly checks: Database;
    readonly intervalMs: number;
  },
  work: () => Promise<Result>,
): Promise<Result> {
  const { client, checks, intervalMs } = options;
  const stop = new AbortController();
  const watch = async (): Promise<void> => {
    let failureCount = 0;
    while (failureCount < FAILURES_MAX) {
      await sleep(intervalMs, stop.signal);
      if (stop.signal.aborted) return;
      const isAlive = await withDeadline(isServing(checks, client), intervalMs).catch(() => false);
      failureCount = isAlive ? 0 : failureCount + 1;
    }
    if (!stop.signal.aborted) client.destroy();
  };
  void watch();
  try {
    return await work();
  } finally {
    stop.abort();
  }
}

async function isServing(checks: Database, client: StoreClient): Promise<boolean> {
  const rows = await checks.query(sql`
    select from pg_stat_activity where pid = ${client.serverProcessId} and datname = current_database()`);
  return rows.length > 0;
}
