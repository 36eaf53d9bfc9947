import pg from "pg";

/** The store cannot be reached, or the connection was lost before the answer came. */
export class StoreDownError extends Error {
  /** As Node's own errors of the network have one. */
  readonly code = "STORE_DOWN";

  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = "StoreDownError";
  }
}

/** The server answered a commit with a rollback, because a statement of the transaction had failed. */
export class RolledBackError extends Error {
  constructor() {
    super(
      "the transaction was rolled back: one of its statements failed and the error was not rethrown",
    );
    this.name = "RolledBackError";
  }
}

/**
 * The error that a caller of the driver should see. The driver's errors about a connection have no code and many
 * messages, so everything is a lost connection unless the server itself spoke or a result could not be parsed.
 */
export function toStoreError(error: unknown): unknown {
  if (error instanceof pg.DatabaseError || error instanceof StoreDownError) return error;
  if (error instanceof RangeError || error instanceof SyntaxError || error instanceof TypeError)
    return error;
  return new StoreDownError(`the store cannot be reached: ${messageOf(error)}`, error);
}

/** An error with several causes, such as a name with several addresses, has no message of its own. */
function messageOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return messageOf(error.errors[0]);
  return error instanceof Error ? error.message : String(error);
}

/** A server that takes no writes: it was a primary once, or is becoming a standby. */
const READ_ONLY_CODE = "25006";

/** Returns true if the connection on which this error came must not be used again. */
export function endsConnection(error: unknown): boolean {
  if (!(error instanceof pg.DatabaseError)) return error instanceof StoreDownError;
  if (error.severity === "FATAL" || error.severity === "PANIC") return true;
  return error.code === READ_ONLY_CODE || isStalePlan(error);
}

/**
 * Returns true if the server refused a prepared statement before running it: its result type changed with the schema, or
 * the connection does not know its name. A fresh connection can run it.
 */
export function isStalePlan(error: unknown): boolean {
  const code = codeOf(error);
  return code === "26000" || (code === "0A000" && /cached plan/.test(String(error)));
}

/** Returns true if the store cannot be reached or cannot take work now; false if the statement itself is wrong. */
export function isStoreDown(error: unknown): boolean {
  const code = codeOf(error);
  return code !== undefined && (DOWN_CODES.has(code) || DOWN_CLASSES.test(code));
}

/**
 * Returns true if an item of the batch may be at fault. False if the store is down or busy, or if a statement is wrong, as
 * with another version of the schema: then no item can succeed.
 */
export function isItemFault(error: unknown): boolean {
  if (isTimeout(error)) return true;
  if (isConflict(error) || isStalePlan(error) || isStoreDown(error)) return false;
  return !WRONG_STATEMENT.test(codeOf(error) ?? "");
}

/** Returns true if a statement took too long. */
export function isTimeout(error: unknown): boolean {
  return codeOf(error) === TIMEOUT_CODE;
}

/** Returns true if another transaction held a lock for longer than this one would wait. */
export function isLockTimeout(error: unknown): boolean {
  return codeOf(error) === LOCK_TIMEOUT_CODE;
}

/** Returns true if two transactions got into each other's way; the remedy is to try again. */
export function isConflict(error: unknown): boolean {
  const code = codeOf(error);
  return code === "40P01" || code === "40001";
}

/** Returns true if the server refused a statement because an earlier one of its transaction had failed. */
export function isAborted(error: unknown): boolean {
  return codeOf(error) === "25P02";
}

function codeOf(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | undefined)?.code;
  return typeof code === "string" ? code : undefined;
}

const TIMEOUT_CODE = "57014";
const LOCK_TIMEOUT_CODE = "55P03";
/** An unsupported statement, one with a wrong name, or one that is not allowed. */
const WRONG_STATEMENT = /^(0A|42)/;
/** Of this layer and `withDeadline`; of the server: a statement or lock that took too long, and a read-only standby. */
const DOWN_CODES: ReadonlySet<string> = new Set([
  "STORE_DOWN",
  "ETIMEDOUT",
  TIMEOUT_CODE,
  LOCK_TIMEOUT_CODE,
  READ_ONLY_CODE,
  "25P03",
]);
/** Connections (but not a violation of the protocol, which is our fault), logins, missing databases, resources, shutdown, files. */
const DOWN_CLASSES = /^(08(?!P01)|28|3D|53|57P|58)/;
