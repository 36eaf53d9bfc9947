import { assert } from "../base/assert.ts";
import type { Database, DatabasePool } from "./database.ts";
import type { ClientOptions } from "./driver/client.ts";
import { openHosts } from "./driver/hosts.ts";
import { openSessions } from "./driver/sessions.ts";
import { openSharedConnections, type SharedConnections } from "./driver/shared-connections.ts";
import { type Statement, toStatement } from "./driver/statement.ts";
import { ANSWER_GRACE_MS, runSession, runTransaction } from "./driver/transaction.ts";
import { openServerWatch } from "./driver/watch-server.ts";

export interface PoolOptions {
  readonly url: string;
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
  /** How often a connection that waits for an answer asks whether the server still works for it. */
  readonly checkIntervalMs?: number;
}

/** Both for a connection to be made and for one of the pool to become free. */
const CONNECT_TIMEOUT_MS = 5_000;
const STATEMENT_TIMEOUT_MS = 15_000;
const END_TIMEOUT_MS = 5_000;
const CHECK_INTERVAL_MS = 3_000;
const CHECK_TIMEOUT_MS = 3_000;

/**
 * The layer on the driver. Single statements share a few pipelined connections (`shared-connections.ts`). Transactions and
 * sessions have a connection to themselves, from pg-pool, for as long as they last.
 */
export function openPool(options: PoolOptions): DatabasePool {
  const { sharedCount = 2, sessionsMax = 2 } = options;
  const client = withWatch(toClientOptions(options), options.checkIntervalMs ?? CHECK_INTERVAL_MS);
  const shared = openSharedConnections(client, sharedCount);
  const ownSessions = sessionsMax === 0 ? undefined : openSessions(client, sessionsMax);
  const sessions = () => {
    assert(ownSessions !== undefined, "this pool is for single statements only");
    return ownSessions;
  };
  const single = singleStatements(shared);
  let ending: Promise<void> | undefined;
  return {
    ...single,
    transaction: async (work, transactionOptions) =>
      sessions().use((own) => runTransaction(own, work, transactionOptions)),
    session: async (work) => sessions().use((own) => runSession(own, work), { isKept: false }),
    end: (timeoutMs = END_TIMEOUT_MS) => {
      ending ??= Promise.all([shared.end(timeoutMs), ownSessions?.end(timeoutMs)]).then(
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
