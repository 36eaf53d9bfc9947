import pg from "pg";
import { sleep } from "../../base/sleep.ts";
import { StoreDownError, toStoreError } from "../store-error.ts";
import { type ClientOptions, StoreClient } from "./client.ts";
import { connectToAny } from "./hosts.ts";

/** Connections that one caller at a time has to itself, from pg-pool. */
export interface Sessions {
  /** Waits for a free connection. With `isKept: false` the connection is closed after the work. */
  use<Result>(
    work: (client: StoreClient) => Promise<Result>,
    options?: { readonly isKept?: boolean },
  ): Promise<Result>;
  /** Refuses callers that wait, and waits for work in progress for at most `timeoutMs`. */
  end(timeoutMs: number): Promise<void>;
}

/** A connection is replaced after an hour, so that the server's memory for it does not grow without bound. */
const LIFETIME_MAX_S = 3_600;

export function openSessions(options: ClientOptions, sessionsMax: number): Sessions {
  const pool = new pg.Pool({
    ...options,
    Client: StoreClient as never,
    max: sessionsMax,
    connectionTimeoutMillis: options.connectTimeoutMs,
    idleTimeoutMillis: 0,
    maxLifetimeSeconds: LIFETIME_MAX_S,
  });
  // An idle connection was lost. The pool has removed it already.
  pool.on("error", () => undefined);
  const clients = new Set<StoreClient>();
  pool.on("connect", (client) => clients.add(client as unknown as StoreClient));
  pool.on("remove", (client) => clients.delete(client as unknown as StoreClient));
  const queue = openQueue();
  const connect = () => connectToAny(options.hosts, () => pool.connect(), isSlotTimeout);
  return {
    use: async (work, { isKept = true } = {}) => {
      const borrowed = await queue.wait(connect);
      const client = borrowed as unknown as StoreClient;
      try {
        return await work(client);
      } finally {
        const isClean = !client.isUnusable && client.getTransactionStatus() === "I";
        borrowed.release(!isKept || !isClean);
      }
    },
    end: async (timeoutMs) => {
      queue.close();
      const timer = new AbortController();
      const destroyLate = async (): Promise<void> => {
        await sleep(timeoutMs, timer.signal);
        for (const client of clients) client.destroy();
      };
      await Promise.race([pool.end(), destroyLate()]);
      timer.abort();
    },
  };
}

/** All connections stayed in use for too long. Other hosts have no free ones either, because the pool has one limit. */
function isSlotTimeout(error: unknown): boolean {
  return error instanceof Error && error.message === "timeout exceeded when trying to connect";
}

interface Queue {
  wait(connect: () => Promise<pg.PoolClient>): Promise<pg.PoolClient>;
  close(): void;
}

/** Callers that wait for a connection. pg-pool would let them wait on after its end, and even run their work. */
function openQueue(): Queue {
  const waiting = new Set<(error: Error) => void>();
  let isClosed = false;
  const refusal = () => new StoreDownError("the pool has been closed");
  return {
    wait: (connect) =>
      new Promise((resolve, reject) => {
        if (isClosed) {
          reject(refusal());
          return;
        }
        waiting.add(reject);
        connect()
          .then(
            (client) => (isClosed ? client.release(true) : resolve(client)),
            (error: unknown) => reject(toStoreError(error)),
          )
          .finally(() => waiting.delete(reject));
      }),
    close: () => {
      isClosed = true;
      for (const reject of waiting) reject(refusal());
    },
  };
}
