import { sleep } from "../../base/sleep.ts";
import { StoreDownError, toStoreError } from "../store-error.ts";
import { type ClientOptions, StoreClient } from "./client.ts";

/** A single failed check may be a lost packet. */
const FAILURES_MAX = 2;

/**
 * Runs long work on a connection and destroys the connection if its server process is gone. A statement that may take an
 * hour cannot have a short time-out for its answer, and a server that vanishes without a word is not noticed on the
 * connection itself. So a new connection asks, every `intervalMs`, whether the server process still exists. If the
 * server cannot be reached, or a new primary does not know the process, the work fails within a few intervals.
 */
export async function whileServerLives<Result>(
  options: {
    readonly client: StoreClient;
    /** For the connections that check. */
    readonly checks: ClientOptions;
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
      const isAlive = await isServing(checks, client.serverProcessId);
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

async function isServing(options: ClientOptions, processId: number): Promise<boolean> {
  const client = new StoreClient(options);
  try {
    await client.connect();
    const { rows } = await client.run({
      text: "select from pg_stat_activity where pid = $1 and datname = current_database()",
      values: [processId],
    });
    return rows.length > 0;
  } catch (error) {
    // A server that refuses the check, because all its connections are taken, is still there.
    return !(toStoreError(error) instanceof StoreDownError);
  } finally {
    client.destroy();
  }
}
