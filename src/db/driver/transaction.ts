import { assert } from "../../base/errors.ts";
import type { Database, Transaction, TransactionOptions } from "../database.ts";
import type { Sql } from "../sql.ts";
import { isAborted, RolledBackError } from "../store-error.ts";
import type { RunResult, StoreClient } from "./client.ts";
import { type Statement, type StatementOptions, toStatement } from "./statement.ts";

/** What the answer may take longer than the statement: the way there and back, and a loaded machine. */
export const ANSWER_GRACE_MS = 3_000;

/**
 * Runs `work` in a transaction on this connection. It commits if `work` resolves and rolls back if it throws. The handle
 * rejects everything after the end, so that a statement that was forgotten cannot run outside of the transaction.
 */
export async function runTransaction<Result>(
  client: StoreClient,
  work: (tx: Transaction) => Promise<Result>,
  { statementTimeoutMs }: TransactionOptions = {},
): Promise<Result> {
  const timeoutMs =
    statementTimeoutMs === undefined ? undefined : statementTimeoutMs + ANSWER_GRACE_MS;
  const run = firstErrorOf((statement) => client.run(statement, timeoutMs));
  // Awaited: if the server cancelled it, the statements behind it would each commit by themselves.
  await run({ text: beginText(statementTimeoutMs) });
  const scope = openScope(run);
  try {
    const result = await work(scope.tx);
    scope.close();
    const { command } = await run({ text: "commit" });
    if (command !== "COMMIT") throw new RolledBackError();
    return result;
  } catch (error) {
    scope.close();
    // The first error is the one to report. A connection on which this fails too is discarded by the caller.
    await run({ text: "rollback" }).catch(() => undefined);
    throw error;
  }
}

/**
 * After an error, the server refuses the statements that were sent behind it. Whichever of these a caller hears of first, it is
 * told the error itself: what to do depends on it, such as to try again after a deadlock. A statement that succeeds shows that a
 * savepoint was rolled back.
 */
function firstErrorOf(send: Run): Run {
  let first: unknown;
  return async (statement) => {
    try {
      const result = await send(statement);
      first = undefined;
      return result;
    } catch (error) {
      if (isAborted(error) && first !== undefined) throw first;
      first = error;
      throw error;
    }
  };
}

function beginText(statementTimeoutMs: number | undefined): string {
  if (statementTimeoutMs === undefined) return "begin";
  return `begin; set local statement_timeout = ${statementTimeoutMs}`;
}

/** Runs `work` with a handle for statements on this connection, outside of a transaction. */
export async function runSession<Result>(
  client: StoreClient,
  work: (db: Database) => Promise<Result>,
): Promise<Result> {
  const { tx, close } = openScope((statement) => client.run(statement));
  try {
    return await work(tx);
  } finally {
    close();
  }
}

type Run = (statement: Pick<Statement, "text"> & Partial<Statement>) => Promise<RunResult>;

interface Scope {
  readonly tx: Transaction;
  close(): void;
}

function openScope(send: Run, depth = 1): Scope {
  let isOpen = true;
  let hasSavepoint = false;
  const run: Run = async (statement) => {
    if (!isOpen) throw new Error("the transaction or session is over; was an await forgotten?");
    return send(statement);
  };
  const tx: Transaction = {
    query: async <Row>(statement: Sql, options?: StatementOptions) =>
      (await run(toStatement(statement, options))).rows as Row[],
    execute: async (statement, options) =>
      (await run(toStatement(statement, options))).rowCount ?? 0,
    script: async (text) => {
      await run({ text });
    },
    savepoint: async (work) => {
      // Two at once would not be nested: a rollback of the first would undo the second.
      assert(!hasSavepoint, "a savepoint is open already; was an await forgotten?");
      hasSavepoint = true;
      try {
        return await runSavepoint(run, work, depth);
      } finally {
        hasSavepoint = false;
      }
    },
  };
  return {
    tx,
    close: () => {
      isOpen = false;
    },
  };
}

async function runSavepoint<Result>(
  run: Run,
  work: (inner: Transaction) => Promise<Result>,
  depth: number,
): Promise<Result> {
  const name = `level_${depth}`;
  await run({ text: `savepoint ${name}` });
  const scope = openScope(run, depth + 1);
  try {
    const result = await work(scope.tx);
    scope.close();
    await run({ text: `release savepoint ${name}` });
    return result;
  } catch (error) {
    scope.close();
    // If this fails too, the transaction is lost as a whole and its next statement says so.
    await run({ text: `rollback to savepoint ${name}; release savepoint ${name}` }).catch(
      () => undefined,
    );
    throw error;
  }
}
