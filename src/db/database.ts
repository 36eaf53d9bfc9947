import { HOUR_MS } from "../base/time.ts";
import type { StatementOptions } from "./driver/statement.ts";
import type { Sql } from "./sql.ts";

/** What a store function takes: a pool, a session or a transaction. */
export interface Database {
  query<Row = Record<string, unknown>>(statement: Sql, options?: StatementOptions): Promise<Row[]>;
  /** Returns how many rows the statement changed. */
  execute(statement: Sql, options?: StatementOptions): Promise<number>;
  /** Runs SQL text of our own, one or several statements without values. */
  script(text: string): Promise<void>;
}

export interface Transaction extends Database {
  /** A part that can fail by itself: its changes are undone, and the transaction goes on. */
  savepoint<Result>(work: (inner: Transaction) => Promise<Result>): Promise<Result>;
}

export interface TransactionOptions {
  /** For work that may take longer than the pool's statements: the bound of each of its statements. */
  readonly statementTimeoutMs?: number;
}

/** For work that may change every row, or that waits until no step is under way. */
export const LONG_WORK: TransactionOptions = { statementTimeoutMs: HOUR_MS };

export interface DatabasePool extends Database {
  transaction<Result>(
    work: (tx: Transaction) => Promise<Result>,
    options?: TransactionOptions,
  ): Promise<Result>;
  /** A connection for the time of `work`, which is closed afterwards: locks and settings of the session end with it. */
  session<Result>(work: (db: Database) => Promise<Result>): Promise<Result>;
  /** Waits for what is under way, at most for `timeoutMs`, then closes all connections. */
  end(timeoutMs?: number): Promise<void>;
}
