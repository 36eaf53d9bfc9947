import { StoreDownError, toStoreError } from "../store-error.ts";
import type { ServerWatch, WatchedConnection } from "./answer-timer.ts";
import { type ClientOptions, openClient, type StoreClient } from "./client.ts";

/** A process that has just become idle may have sent an answer that is on its way. */
const IDLE_MS = 1_000;

/** Watches the connections of a pool over a new connection for each question, because an old one may be lost too. */
export function openServerWatch(options: ClientOptions, intervalMs: number): ServerWatch {
  const connections = new Set<WatchedConnection>();
  // One question at a time answers all connections that wait, however many they are.
  let asking: Promise<WorkingProcesses> | undefined;
  return {
    intervalMs,
    isWorking: async (processId) => {
      asking ??= listWorking(options).finally(() => {
        asking = undefined;
      });
      return (await asking).has(processId);
    },
    add: (connection) => connections.add(connection),
    remove: (connection) => connections.delete(connection),
    closeIdle: () => {
      for (const connection of connections) if (connection.isIdle) connection.destroy();
    },
  };
}

interface WorkingProcesses {
  has(processId: number): boolean;
}

async function listWorking(options: ClientOptions): Promise<WorkingProcesses> {
  let client: StoreClient | undefined;
  try {
    client = await openClient(options);
    // There is no state if the server does not track it.
    const { rows } = await client.run({
      text: `
        select pid
          from pg_stat_activity
         where datname = current_database()
           and (state is null or state not like 'idle%' or state_change > clock_timestamp() - $1 * interval '1 ms')`,
      values: [IDLE_MS],
    });
    return new Set((rows as { pid: number }[]).map(({ pid }) => pid));
  } catch (error) {
    // A server that refuses the question, because all its connections are taken, is still there.
    const isThere = !(toStoreError(error) instanceof StoreDownError);
    return { has: () => isThere };
  } finally {
    client?.destroy();
  }
}
