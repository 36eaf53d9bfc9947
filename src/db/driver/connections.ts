/**
 * The two kinds of connections of a pool: a few that all single statements share, and those that a transaction or a session
 * has to itself.
 */
import pg from "pg";
import { sleep } from "../../base/clock.ts";
import { isStalePlan, isTimeout, StoreDownError, toStoreError } from "../store-error.ts";
import { type ClientOptions, openClient, type RunResult, StoreClient } from "./client.ts";
import { connectToAny } from "./hosts.ts";
import type { Statement } from "./statement.ts";

/**
 * A few connections that all single statements share. Statements are sent without waiting for the answers to those
 * before them (pipelining), so a few connections carry many callers. Each statement is a transaction of its own, so one
 * that fails does not disturb its neighbours. If a connection is lost, the statements sent on it fail, and the next
 * statement opens a new connection.
 */
export interface SharedConnections {
  run(statement: Statement, bounds?: RunBounds): Promise<RunResult>;
  /** Waits for the statements under way, at most for `timeoutMs`. */
  end(timeoutMs: number): Promise<void>;
}

interface RunBounds {
  /** A statement without an answer at this time, on the clock of `performance.now()`, is cancelled. */
  readonly untilMs?: number | undefined;
  /** The number of the connection that is used. Default: the one with the fewest statements. */
  readonly lane?: number | undefined;
}

/** The server may act on a cancellation some time after it has taken it. */
const CANCELLED_WITHIN_MS = 1_000;

/** A statement that was sent. */
interface Sent {
  isLate: boolean;
  isCancelled: boolean;
}

interface Shared {
  /** Not answered, in their order. The server works on the first one. */
  readonly sent: Sent[];
  cancellingCount: number;
  client: Promise<StoreClient> | undefined;
}

export function openSharedConnections(options: ClientOptions, count: number): SharedConnections {
  const all: readonly Shared[] = Array.from({ length: count }, () => ({
    sent: [],
    cancellingCount: 0,
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
  const cancelHead = (shared: Shared, client: StoreClient): void => {
    const [head] = shared.sent;
    if (head?.isLate !== true || head.isCancelled) return;
    head.isCancelled = true;
    shared.cancellingCount += 1;
    void cancel(client.serverProcessId, options).finally(() => {
      const timer = setTimeout(() => {
        shared.cancellingCount -= 1;
      }, CANCELLED_WITHIN_MS);
      timer.unref();
    });
  };
  const runOnce = async (
    statement: Statement,
    { untilMs, lane }: RunBounds,
  ): Promise<RunResult> => {
    if (state.isEnding) throw new StoreDownError("the pool has been closed");
    const shared = (lane === undefined ? undefined : all[lane]) ?? leastBusy(all);
    const sent: Sent = { isLate: false, isCancelled: false };
    shared.sent.push(sent);
    shared.client ??= open(shared);
    const opened = shared.client;
    let timer: NodeJS.Timeout | undefined;
    try {
      const client = await opened;
      if (untilMs !== undefined) {
        const late = (): void => {
          sent.isLate = true;
          cancelHead(shared, client);
        };
        timer = setTimeout(late, Math.max(0, untilMs - performance.now()));
      }
      return await client.run(statement).finally(() => {
        forgetSent(shared, sent);
        cancelHead(shared, client);
        if (!client.isUnusable || shared.client !== opened) return;
        shared.client = undefined;
        void close(opened);
      });
    } catch (error) {
      // The cancellation was for the statement before it, which had just ended. What this one did is undone.
      const isMistaken = isTimeout(error) && !sent.isLate && shared.cancellingCount > 0;
      if (isMistaken) return runOnce(statement, { untilMs, lane });
      throw error;
    } finally {
      clearTimeout(timer);
      forgetSent(shared, sent);
    }
  };
  return {
    run: async (statement, bounds = {}) => {
      try {
        return await runOnce(statement, bounds);
      } catch (error) {
        const { text, values } = statement;
        // The server did not run it. Without a name it does not depend on what a connection has prepared.
        if (isStalePlan(error)) return runOnce({ text, values }, bounds);
        throw error;
      }
    },
    end: async (timeoutMs) => {
      state.isEnding = true;
      const clients = all.flatMap(({ client }) => client ?? []);
      await endWithin(timeoutMs, Promise.all(clients.map(close)), () => {
        for (const client of clients) destroy(client);
      });
    },
  };
}

function forgetSent({ sent }: Shared, statement: Sent): void {
  const at = sent.indexOf(statement);
  if (at >= 0) sent.splice(at, 1);
}

/** Asks the server, over a connection of its own, to cancel what a process of it works on. */
async function cancel(processId: number, options: ClientOptions): Promise<void> {
  let client: StoreClient | undefined;
  try {
    client = await openClient({ ...options, name: `${options.name} cancel` });
    await client.run({ text: "select pg_cancel_backend($1)", values: [processId] });
  } catch {
    // The server's own time-out ends the statement.
    return;
  } finally {
    client?.destroy();
  }
}

function leastBusy(all: readonly Shared[]): Shared {
  return all.reduce((best, next) => (next.sent.length < best.sent.length ? next : best));
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

/** Connections that one caller at a time has to itself, from pg-pool. */
interface Sessions {
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
      await endWithin(timeoutMs, pool.end(), () => {
        for (const client of clients) client.destroy();
      });
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

/** Waits for the end, at most for `timeoutMs`, then destroys the connections that are left. */
async function endWithin(
  timeoutMs: number,
  ended: Promise<unknown>,
  destroyAll: () => void,
): Promise<void> {
  const timer = new AbortController();
  const destroyLate = async (): Promise<void> => {
    await sleep(timeoutMs, timer.signal);
    destroyAll();
  };
  await Promise.race([ended, destroyLate()]);
  timer.abort();
}
