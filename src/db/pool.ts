import pg from "pg";
import { assert } from "../base/assert.ts";
import { sleep } from "../base/sleep.ts";
import type { Database, DatabasePool } from "./database.ts";
import { type ClientOptions, StoreClient } from "./driver/client.ts";
import { connectToAny, openHosts } from "./driver/hosts.ts";
import { openSharedConnections, type SharedConnections } from "./driver/shared-connections.ts";
import { type Statement, toStatement } from "./driver/statement.ts";
import { ANSWER_GRACE_MS, runSession, runTransaction } from "./driver/transaction.ts";
import { whileServerLives } from "./driver/watch-server.ts";
import { endsConnection, toStoreError } from "./store-error.ts";

export interface PoolOptions {
  readonly url: string;
  /** How many connections plain statements share. */
  readonly sharedCount?: number;
  /** How many transactions and sessions can be under way; further ones wait. */
  readonly sessionsMax?: number;
  /** Shown by the server beside each connection. */
  readonly name: string;
  /** The server cancels a statement that takes longer. */
  readonly statementTimeoutMs?: number;
  /** True for a replica, which takes no writes. */
  readonly isReadOnly?: boolean;
  /** How often long work asks whether its server process is still there. */
  readonly checkIntervalMs?: number;
}

/** Both for a connection to be made and for one of the pool to become free. */
const CONNECT_TIMEOUT_MS = 5_000;
const STATEMENT_TIMEOUT_MS = 15_000;
const END_TIMEOUT_MS = 5_000;
const CHECK_INTERVAL_MS = 5_000;
/** A connection lives an hour, so that what the server keeps for it does not grow for ever. */
const LIFETIME_MAX_S = 3_600;

/**
 * The layer on the driver. Plain statements share a few pipelined connections (`shared-connections.ts`). Transactions and
 * sessions have a connection to themselves, from pg-pool, for as long as they last.
 */
export function openPool(options: PoolOptions): DatabasePool {
  const { sharedCount = 2, sessionsMax = 2 } = options;
  const client = toClientOptions(options);
  const shared = openSharedConnections(client, sharedCount);
  const sessions = sessionsMax === 0 ? undefined : openSessions(client, sessionsMax);
  const single = singleStatements(shared);
  const intervalMs = options.checkIntervalMs ?? CHECK_INTERVAL_MS;
  let ending: Promise<void> | undefined;
  return {
    ...single,
    transaction: (work, transactionOptions) =>
      withClient(sessions, (own) => {
        const run = () => runTransaction(own, work, transactionOptions);
        if (transactionOptions?.statementTimeoutMs === undefined) return run();
        return whileServerLives({ client: own, checks: single, intervalMs }, run);
      }),
    session: (work) => withClient(sessions, (own) => runSession(own, work), { isKept: false }),
    end: (timeoutMs = END_TIMEOUT_MS) => {
      ending ??= Promise.all([shared.end(timeoutMs), sessions?.end(timeoutMs)]).then(
        () => undefined,
      );
      return ending;
    },
  };
}

/** The bounds and the host of connections that are opened one at a time, as the change feed's is. */
export function toClientOptions(options: PoolOptions): ClientOptions {
  const statementTimeoutMs = options.statementTimeoutMs ?? STATEMENT_TIMEOUT_MS;
  return {
    hosts: openHosts(options.url),
    name: options.name,
    connectTimeoutMs: CONNECT_TIMEOUT_MS,
    statementTimeoutMs,
    answerTimeoutMs: statementTimeoutMs + ANSWER_GRACE_MS,
    isReadOnly: options.isReadOnly ?? false,
  };
}

function singleStatements(shared: SharedConnections): Database {
  const run = async (toRun: () => Statement) => shared.run(toRun());
  return {
    query: async <Row>(...given: Parameters<typeof toStatement>) =>
      (await run(() => toStatement(...given))).rows as Row[],
    execute: async (...given) => (await run(() => toStatement(...given))).rowCount ?? 0,
    script: async (text) => {
      await run(() => ({ text, values: [] }));
    },
  };
}

interface Sessions {
  acquire(): Promise<StoreClient>;
  release(client: StoreClient, isLost: boolean): void;
  end(timeoutMs: number): Promise<void>;
}

function openSessions(options: ClientOptions, sessionsMax: number): Sessions {
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
  return {
    acquire: async () => {
      try {
        const client = await connectToAny(options.hosts, () => pool.connect());
        return client as unknown as StoreClient;
      } catch (error) {
        throw toStoreError(error);
      }
    },
    release: (client, isLost) => (client as unknown as pg.PoolClient).release(isLost),
    end: async (timeoutMs) => {
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

async function withClient<Result>(
  sessions: Sessions | undefined,
  work: (client: StoreClient) => Promise<Result>,
  { isKept = true }: { readonly isKept?: boolean } = {},
): Promise<Result> {
  assert(sessions !== undefined, "this pool is for plain statements only");
  const client = await sessions.acquire();
  let isLost = !isKept;
  try {
    return await work(client);
  } catch (error) {
    isLost ||= endsConnection(error);
    throw error;
  } finally {
    sessions.release(client, isLost || client.getTransactionStatus() !== "I");
  }
}
