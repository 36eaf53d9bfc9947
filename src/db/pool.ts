import { assert } from "../base/errors.ts";
import type { Caller } from "../base/shares/caller.ts";
import { createSingleFlight } from "../base/single-flight.ts";
import { boundBy, type CallerLine, createCallerLine, NO_LINE } from "./caller-line.ts";
import type { Database, DatabasePool } from "./database.ts";
import type { ServerWatch, WatchedConnection } from "./driver/answer-timer.ts";
import { type ClientOptions, openClient, type StoreClient } from "./driver/client.ts";
import {
  openSessions,
  openSharedConnections,
  type SharedConnections,
} from "./driver/connections.ts";
import { type Hosts, openHosts } from "./driver/hosts.ts";
import { type Statement, toStatement } from "./driver/statement.ts";
import { ANSWER_GRACE_MS, runSession, runTransaction } from "./driver/transaction.ts";
import { StoreDownError, toStoreError } from "./store-error.ts";

export interface PoolOptions {
  /** The pools of a store share its hosts. */
  readonly url: string | Hosts;
  /** How many connections single statements share. */
  readonly sharedCount?: number;
  /** How many transactions and sessions can be under way; further ones wait. */
  readonly sessionsMax?: number;
  /** Shown by the server beside each connection. */
  readonly name: string;
  /** The server cancels a statement that takes longer. */
  readonly statementTimeoutMs?: number;
  /** True for a replica, which takes no writes. */
  readonly isReadOnly?: boolean;
  /** True if callers wait for their turn, so that none of them can fill the connections. */
  readonly isFair?: boolean;
  /** How often a connection that waits for an answer asks whether the server still works for it. */
  readonly checkIntervalMs?: number;
}

/** Both for a connection to be made and for one of the pool to become free. */
const CONNECT_TIMEOUT_MS = 5_000;
const STATEMENT_TIMEOUT_MS = 15_000;
const END_TIMEOUT_MS = 5_000;
/** Many rows also take the process time to make an answer of. */
const SHORT_ROWS = 20;
const CHECK_INTERVAL_MS = 3_000;
const CHECK_TIMEOUT_MS = 3_000;
/** A process that has just become idle may have sent an answer that is on its way. */
const IDLE_MS = 1_000;

/**
 * The layer on the driver. Single statements share a few pipelined connections. Transactions and sessions have a connection
 * to themselves, from pg-pool, for as long as they last.
 */
export function openPool(options: PoolOptions): DatabasePool {
  const { sharedCount = 2, sessionsMax = 2, isFair = false } = options;
  const client = withWatch(toClientOptions(options), options.checkIntervalMs ?? CHECK_INTERVAL_MS);
  const shared = openSharedConnections(client, sharedCount);
  const ownSessions = sessionsMax === 0 ? undefined : openSessions(client, sessionsMax);
  const sessions = () => {
    assert(ownSessions !== undefined, "this pool is for single statements only");
    return ownSessions;
  };
  const line = isFair ? createCallerLine(sharedCount, "reads") : NO_LINE;
  const sessionLine = isFair ? createCallerLine(Math.max(1, sessionsMax), "writes") : NO_LINE;
  let ending: Promise<void> | undefined;
  const end = (timeoutMs = END_TIMEOUT_MS): Promise<void> => {
    ending ??= Promise.all([shared.end(timeoutMs), ownSessions?.end(timeoutMs)]).then(
      () => undefined,
    );
    return ending;
  };
  const as = (caller: Caller | undefined): DatabasePool => ({
    ...singleStatements(shared, line, caller),
    caller,
    transaction: (work, transactionOptions) =>
      sessionLine.run(caller, async (untilMs) =>
        sessions().use((own) =>
          runTransaction(
            own,
            work,
            boundBy(untilMs, transactionOptions, client.statementTimeoutMs),
          ),
        ),
      ),
    session: (work) =>
      sessionLine.run(caller, async () =>
        sessions().use((own) => runSession(own, work), { isKept: false }),
      ),
    as,
    end,
  });
  return as(undefined);
}

/** The bounds and the host of connections that are opened one at a time, as the change feed's is. */
export function toClientOptions(options: PoolOptions): ClientOptions {
  const statementTimeoutMs = options.statementTimeoutMs ?? STATEMENT_TIMEOUT_MS;
  return {
    hosts: typeof options.url === "string" ? openHosts(options.url) : options.url,
    name: options.name,
    connectTimeoutMs: CONNECT_TIMEOUT_MS,
    statementTimeoutMs,
    answerTimeoutMs: statementTimeoutMs + ANSWER_GRACE_MS,
    isReadOnly: options.isReadOnly ?? false,
  };
}

function singleStatements(
  shared: SharedConnections,
  line: CallerLine,
  caller: Caller | undefined,
): Database {
  const run = async (toRun: () => Statement) => {
    const statement = toRun();
    return line.run(
      caller,
      (untilMs, lane) => shared.run(statement, { untilMs, lane }),
      ({ rows }) => rows.length <= SHORT_ROWS,
    );
  };
  return {
    query: async <Row>(...given: Parameters<typeof toStatement>) =>
      (await run(() => toStatement(...given))).rows as Row[],
    execute: async (...given) => (await run(() => toStatement(...given))).rowCount ?? 0,
    script: async (text) => {
      await run(() => ({ text, values: [] }));
    },
  };
}

/** The watch shares the hosts: it asks the one that the connections go to. */
function withWatch(client: ClientOptions, intervalMs: number): ClientOptions {
  const questions = {
    ...client,
    name: `${client.name} watch`,
    connectTimeoutMs: CHECK_TIMEOUT_MS,
    statementTimeoutMs: CHECK_TIMEOUT_MS,
    answerTimeoutMs: CHECK_TIMEOUT_MS,
  };
  return { ...client, watch: openServerWatch(questions, intervalMs) };
}

/** Watches the connections of a pool over a new connection for each question, because an old one may be lost too. */
function openServerWatch(options: ClientOptions, intervalMs: number): ServerWatch {
  const connections = new Set<WatchedConnection>();
  // One question at a time answers all connections that wait, however many they are.
  const flight = createSingleFlight();
  return {
    intervalMs,
    isWorking: async (processId) =>
      (await flight.share("working", () => listWorking(options))).has(processId),
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
