import { sleep } from "../../base/sleep.ts";
import { endsConnection, isStalePlan, StoreDownError, toStoreError } from "../store-error.ts";
import { type ClientOptions, StoreClient } from "./client.ts";
import { connectToAny } from "./hosts.ts";
import type { Statement } from "./statement.ts";

/**
 * A few connections that all plain statements share. Statements are sent without waiting for the answers to those
 * before them (pipelining), so a few connections carry many callers. Each statement is a transaction of its own, so one
 * that fails does not disturb its neighbours. A connection that is lost fails what was sent on it, and the next
 * statement opens a new one.
 */
export interface SharedConnections {
  run(statement: Statement): Promise<RunResult>;
  /** Waits for the statements under way, at most for `timeoutMs`. */
  end(timeoutMs: number): Promise<void>;
}

interface RunResult {
  readonly rows: unknown[];
  readonly rowCount: number | null;
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

  const runOnce = async (statement: Statement): Promise<RunResult> => {
    if (state.isEnding) throw new StoreDownError("the pool has been closed");
    const shared = leastBusy(all);
    shared.pendingCount += 1;
    shared.client ??= openClient(options);
    const { client } = shared;
    try {
      return await (await client).query(statement);
    } catch (error) {
      const known = toStoreError(error);
      if (shared.client === client && endsConnection(known)) {
        shared.client = undefined;
        void close(client);
      }
      throw known;
    } finally {
      shared.pendingCount -= 1;
    }
  };
  return {
    run: async (statement) => {
      try {
        return await runOnce(statement);
      } catch (error) {
        // The server did not run it. On a new connection it is prepared anew.
        if (isStalePlan(error)) return runOnce(statement);
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

async function openClient(options: ClientOptions): Promise<StoreClient> {
  return connectToAny(options.hosts, async () => {
    const client = new StoreClient(options);
    await client.connect();
    return client;
  });
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
