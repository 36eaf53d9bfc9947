import { HOUR_MS } from "../base/clock.ts";
import type { Caller } from "../base/shares/caller.ts";
import type { StatementOptions } from "./driver/statement.ts";
import { rawSql, type Sql, sql } from "./sql.ts";

/** What a store function takes: a pool, a session or a transaction. */
export interface Database {
  query<Row = Record<string, unknown>>(statement: Sql, options?: StatementOptions): Promise<Row[]>;
  /** Returns how many rows the statement changed. */
  execute(statement: Sql, options?: StatementOptions): Promise<number>;
  /** Runs SQL text of our own, one or several statements without values. */
  script(text: string): Promise<void>;
  /** For whom the statements run. */
  readonly caller?: Caller | undefined;
  /** Told how long a lock took that `src/db/locks.ts` waited for. */
  readonly onLockWait?: (tookMs: number) => void;
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
  /** The same connections, in the turns and on the budget of a caller. */
  as(caller: Caller | undefined): DatabasePool;
  /** Waits for what is under way, at most for `timeoutMs`, then closes all connections. */
  end(timeoutMs?: number): Promise<void>;
}

const CURSOR = rawSql("rows_in_chunks");

/**
 * The rows of a query in chunks, so that only two chunks are in memory however large the result is: the server reads the
 * next one while the caller works on this one. One cursor at a time in a transaction. The driver's own cursors cannot share
 * a pipelined connection, so this one is made with SQL.
 */
export async function* readInChunks<Row>(
  tx: Database,
  question: Sql,
  chunkSize: number,
): AsyncGenerator<Row[], void, void> {
  const fetchChunk = () => tx.query<Row>(sql`fetch ${rawSql(String(chunkSize))} from ${CURSOR}`);
  // Sent together: one round trip for a small result.
  const [, first] = await Promise.all([
    tx.execute(sql`declare ${CURSOR} no scroll cursor for ${question}`),
    fetchChunk(),
  ]);
  let isFailed = false;
  try {
    for (let rows = first; rows.length > 0; ) {
      const next = rows.length < chunkSize ? Promise.resolve([]) : fetchChunk();
      // A caller that stops reading does not wait for it.
      next.catch(() => undefined);
      yield rows;
      rows = await next;
    }
  } catch (error) {
    isFailed = true;
    throw error;
  } finally {
    // Also if the caller stops reading. After an error the transaction is over, and the cursor with it.
    if (!isFailed) await tx.execute(sql`close ${CURSOR}`);
  }
}
