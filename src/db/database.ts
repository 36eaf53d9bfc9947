import postgres from "postgres";
import { assert } from "../base/assert.ts";
import { OperatorError } from "../base/errors.ts";

interface Types extends Record<string, postgres.PostgresType> {
  bigint: postgres.PostgresType<number>;
}
interface TypeMap {
  [name: string]: unknown;
  bigint: number;
}

/** What a store function takes: the pool, or a transaction of it. */
export type Database = postgres.ISql<TypeMap>;
/** A transaction in which a part may fail by itself. */
export type Transaction = postgres.TransactionSql<TypeMap>;
/** A piece of SQL with its values bound, to be set into a query. */
export type SqlFragment = postgres.Fragment;
/** The pool itself. */
export type DatabasePool = postgres.Sql<TypeMap>;

export interface PoolOptions {
  readonly url: string;
  readonly connectionsMax: number;
  /** Shown by the server beside each connection. */
  readonly name: string;
  /** The longest that one statement may take; 0 for no bound, for migrations and other long work. */
  readonly statementTimeoutMs?: number;
  /** Closes a connection on which nothing was heard for so long; longer than any statement may take. */
  readonly silenceMaxMs?: number;
  /** For a replica, which takes no writes. */
  readonly isReadOnly?: boolean;
  readonly onNotify?: (channel: string, payload: string) => void;
}

const CONNECT_TIMEOUT_S = 5;
const STATEMENT_TIMEOUT_MS = 30_000;
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 60_000;
const VERSION_MINIMUM = 150_000;

export function openPool(options: PoolOptions): DatabasePool {
  return postgres<Types>(options.url, {
    max: options.connectionsMax,
    connect_timeout: CONNECT_TIMEOUT_S,
    // The driver's own goes up to 20 s, which is how long a request would wait after the store is back.
    backoff: (retries: number) => Math.min(0.05 * 2 ** retries, 1),
    onnotice: () => undefined,
    ...(options.onNotify === undefined ? {} : { onnotify: options.onNotify, max_lifetime: null }),
    ...(options.silenceMaxMs === undefined ? {} : { silence_timeout: options.silenceMaxMs }),
    // Of several hosts the one that takes writes, so that a fail-over is found by itself.
    ...(options.isReadOnly === true ? {} : { target_session_attrs: "read-write" as const }),
    connection: {
      application_name: options.name,
      statement_timeout: options.statementTimeoutMs ?? STATEMENT_TIMEOUT_MS,
      idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
    },
    types: { bigint: { to: 20, from: [20], serialize: String, parse: toSafeInteger } },
  }) as unknown as DatabasePool;
}

/** Refuses a server on which an acknowledged event could be lost, or that is too old for our SQL. */
export async function checkServer(
  db: Database,
  options: { readonly isUnsafeStoreAllowed: boolean },
): Promise<void> {
  const [row] = await db<{ version: number; encoding: string; unsafe: string[] }[]>`
    select current_setting('server_version_num')::int as version,
           current_setting('server_encoding') as encoding,
           coalesce(array_agg(name order by name) filter (where setting = 'off'), '{}') as unsafe
      from pg_settings
     where name in ('fsync', 'synchronous_commit', 'full_page_writes')`;
  assert(row !== undefined, "an aggregate gives one row");
  if (row.version < VERSION_MINIMUM) {
    const major = Math.floor(row.version / 10_000);
    throw new OperatorError(`the server is PostgreSQL ${major}; Assay needs 15 or newer`);
  }
  if (row.encoding !== "UTF8") {
    throw new OperatorError(`the database's encoding is ${row.encoding}; Assay needs UTF8`);
  }
  if (row.unsafe.length > 0 && !options.isUnsafeStoreAllowed) {
    throw new OperatorError(
      `the server runs with ${row.unsafe.join(" and ")} off, so a power cut would lose acknowledged events; ` +
        "turn it on, or set ASSAY_ALLOW_UNSAFE_STORE=true if you accept that",
    );
  }
}

/** Whether an error says that the store cannot be reached or cannot take work now, and not that a query is wrong. */
export function isStoreDown(error: unknown): boolean {
  const code = (error as { code?: unknown } | undefined)?.code;
  return typeof code === "string" && (DOWN_CODES.has(code) || /^(08|53|57P)/.test(code));
}

/** Whether the store refused a value (and not the statement): data exceptions, constraints, limits. */
export function isBadData(error: unknown): boolean {
  const code = (error as { code?: unknown } | undefined)?.code;
  return typeof code === "string" && /^(22|23|54)/.test(code);
}

/** Whether two transactions got into each other's way, so that trying again is all there is to do. */
export function isConflict(error: unknown): boolean {
  const code = (error as { code?: unknown } | undefined)?.code;
  return code === "40P01" || code === "40001";
}

/** Of the driver and the network; of the server: a statement or lock that took too long, and a read-only standby. */
const DOWN_CODES: ReadonlySet<string> = new Set([
  "CONNECTION_CLOSED",
  "CONNECTION_ENDED",
  "CONNECTION_DESTROYED",
  "CONNECT_TIMEOUT",
  "ECONNREFUSED",
  "ECONNRESET",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EPIPE",
  "ETIMEDOUT",
  "57014",
  "55P03",
  "25006",
  "25P03",
]);

// Our bigints are milliseconds, minor units and counts: all far below 2^53.
function toSafeInteger(text: string): number {
  const value = Number(text);
  assert(Number.isSafeInteger(value), "a bigint from the store is beyond 2^53");
  return value;
}
