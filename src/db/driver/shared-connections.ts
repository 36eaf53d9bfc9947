import { sleep } from "../../base/sleep.ts";
import { isStalePlan, StoreDownError } from "../store-error.ts";
import { type ClientOptions, openClient, type RunResult, type StoreClient } from "./client.ts";
import type { Statement } from "./statement.ts";

/**
 * A few connections that all single statements share. Statements are sent without waiting for the answers to those
 * before them (pipelining), so a few connections carry many callers. Each statement is a transaction of its own, so one
 * that fails does not disturb its neighbours. If a connection is lost, the statements sent on it fail, and the next
 * statement opens a new connection.
 */
export interface SharedConnections {
  run(statement: Statement): Promise<RunResult>;
  /** Waits for the statements under way, at most for `timeoutMs`. */
  end(timeoutMs: number): Promise<void>;
}

interface Shared {
  /** Sent and not answered. */
  pendingCount: number;
  client: Promise<StoreClient> | undefined;
}

export function openSharedConnections(options: ClientOptions, count: number): SharedConnections {
  const all: readonly Shared[] = Array.from({ length: count }, () => ({
    pendingCount: 0,
    client: undefined,
  }));
  const state = { isEnding: false };

  const open = (shared: Shared): Promise<StoreClient> => {
    const opened = openClient(options);
    // A failed attempt and a connection that is lost while idle are forgotten at once, so the next statement opens another.
    const forget = (): void => {
      if (shared.client === opened) shared.client = undefined;
    };
    opened.then((client) => client.once("error", forget).once("end", forget), forget);
    return opened;
  };
  const runOnce = async (statement: Statement): Promise<RunResult> => {
    if (state.isEnding) throw new StoreDownError("the pool has been closed");
    const shared = leastBusy(all);
    shared.pendingCount += 1;
    shared.client ??= open(shared);
    const opened = shared.client;
    try {
      const client = await opened;
      return await client.run(statement).finally(() => {
        if (!client.isUnusable || shared.client !== opened) return;
        shared.client = undefined;
        void close(opened);
      });
    } finally {
      shared.pendingCount -= 1;
    }
  };
  return {
    run: async (statement) => {
      try {
        return await runOnce(statement);
      } catch (error) {
        // The server did not run it. Without a name it does not depend on what a connection has prepared.
        if (isStalePlan(error)) return runOnce({ text: statement.text, values: statement.values });
        throw error;
      }
    },
    end: async (timeoutMs) => {
      state.isEnding = true;
      const clients = all.flatMap(({ client }) => client ?? []);
      const timer = new AbortController();
      const destroyLate = async (): Promise<void> => {
        await sleep(timeoutMs, timer.signal);
        for (const client of clients) destroy(client);
      };
      await Promise.race([Promise.all(clients.map(close)), destroyLate()]);
      timer.abort();
    },
  };
}

function leastBusy(all: readonly Shared[]): Shared {
  return all.reduce((best, next) => (next.pendingCount < best.pendingCount ? next : best));
}

/** Ends the connection after the answers to what was sent on it. */
async function close(opened: Promise<StoreClient>): Promise<void> {
  const client = await opened.catch(() => undefined);
  await client?.end();
}

function destroy(opened: Promise<StoreClient>): void {
  opened.then(
    (client) => client.destroy(),
    () => undefined,
  );
}
