import type { Database, DatabasePool } from "./database.ts";
import { type Sql, sql } from "./sql.ts";
import { isStoreDown } from "./store-error.ts";

/**
 * All advisory locks of Assay. PostgreSQL knows them by number only, so this table is the one place that assigns
 * numbers; `test/db/locks.test.ts` compares it with the functions in `schema.sql`.
 *
 * Order, where a transaction takes several: backup, erasure, pipeline, declarations, identities, listings, members, deals,
 * matches.
 */
export const LOCKS = {
  /** Shared by every process that uses the embedded server; the last one takes it alone and stops the server. */
  embeddedServer: 4_170_001,
  /** Taken by the process that changes the schema. */
  migration: 4_170_002,
  /** Shared by every step of the pipeline; taken alone by `replay` and `apply`. */
  pipeline: 4_170_003,
  /** Taken by the one process that merges contacts. */
  merge: 4_170_004,
  /** Taken by the one process that pulls from the gateway. */
  gateway: 4_170_005,
  /** Taken by a transaction that changes listings of any contact; shared by one that has taken the buckets of its contacts. */
  listings: 4_170_006,
  /** Taken by a transaction that writes matches; `take_match_turn` takes it too. */
  matches: 4_170_007,
  /** Shared while events are read; taken alone while contacts are merged. */
  identities: 4_170_008,
  /** Taken by the triggers that number changes of saved filters and rates. */
  filterChanges: 4_170_009,
  /** Taken by the one process that loads the demo market. */
  demo: 4_170_010,
  /** Taken by a transaction that changes what is declared: `apply`, and every write of the API. */
  declarations: 4_170_011,
  /** Shared while listings are matched; taken alone while the members of configurations are selected again. */
  members: 4_170_012,
  /** Taken by the one process that fetches the ECB's rates. */
  rates: 4_170_013,
  /** Taken by the process that writes a backup, and by `replay`, whose truncation would wait for it with all others behind. */
  backup: 4_170_014,
  /** Taken by the one process that removes old messages. */
  retention: 4_170_015,
  /** Taken by the one process that erases persons. */
  erasure: 4_170_016,
  /** Taken by a transaction that writes deals. */
  deals: 4_170_017,
  /** Taken by a transaction that stores a picture and looks for those that look the same. It takes no other lock. */
  looks: 4_170_018,
  /** Taken by the process that sets up the embedded server's role. */
  embeddedSetUp: 4_170_020,
} as const;

type LockName = keyof typeof LOCKS;

/** A request waits less than its own time-out for locks, so it fails while its client still waits. The error is 503. */
const REQUEST_WAIT_MAX_MS = 4_000;

/** For the transaction of a request: without it, a write could take effect after its client was told that it failed. */
export async function limitLockWait(tx: Database): Promise<void> {
  await tx.execute(sql`select set_config('lock_timeout', ${String(REQUEST_WAIT_MAX_MS)}, true)`);
}

/** Waits for the lock and holds it until the transaction ends. */
export async function takeLock(tx: Database, name: LockName): Promise<void> {
  await waitForLock(tx, sql`select pg_advisory_xact_lock(${LOCKS[name]})`);
}

/** Waits until no transaction holds the lock alone, and keeps such transactions waiting until this one ends. */
export async function shareLock(tx: Database, name: LockName): Promise<void> {
  await waitForLock(tx, sql`select pg_advisory_xact_lock_shared(${LOCKS[name]})`);
}

/** Contacts are in the bucket of the first hexadecimal digit of their ids. */
const BUCKETS = 16;

/**
 * Shares the lock of listings and takes up to `max` of its buckets that no other transaction has, at least one. So
 * transactions for different contacts run side by side, and one that takes the lock alone waits for all of them. `first` is
 * tried first; callers that begin at different ones rarely want the same.
 */
export async function takeBuckets(
  tx: Database,
  { first, max = BUCKETS }: { readonly first: number; readonly max?: number },
): Promise<ReadonlySet<number>> {
  await shareLock(tx, "listings");
  const free = await tx.query<{ bucket: number }>(sql`
    select bucket
      from (select (number + ${first}::integer) % ${BUCKETS}::integer as bucket
              from generate_series(0, ${BUCKETS - 1}::integer) as number
            offset 0) as wanted
     where pg_try_advisory_xact_lock(${LOCKS.listings}::integer, bucket)
     limit ${max}::integer`);
  if (free.length > 0) return new Set(free.map(({ bucket }) => bucket));
  const bucket = first % BUCKETS;
  await waitForLock(
    tx,
    sql`select pg_advisory_xact_lock(${LOCKS.listings}::integer, ${bucket}::integer)`,
  );
  return new Set([bucket]);
}

/** Half of the buckets: enough for a full batch, and another worker finds the other half free. */
export const HALF_OF_BUCKETS = BUCKETS / 2;

export function bucketOf(id: string): number {
  return Number.parseInt(id.charAt(0), 16);
}

/** Runs a statement that waits for a lock, and reports how long that took. */
export async function waitForLock(tx: Database, statement: Sql): Promise<void> {
  const startedAtMs = performance.now();
  await tx.execute(statement);
  tx.onLockWait?.(performance.now() - startedAtMs);
}

/** The pool, with transactions that report how long they waited for locks. */
export function withLockTimes(
  pool: DatabasePool,
  onLockWait: (tookMs: number) => void,
): DatabasePool {
  return {
    ...pool,
    transaction: (work, options) => pool.transaction((tx) => work({ ...tx, onLockWait }), options),
  };
}

/** Returns false, without waiting, if another transaction holds the lock. */
export async function tryLock(tx: Database, name: LockName): Promise<boolean> {
  const [row] = await tx.query<{ isOurs: boolean }>(sql`
    select pg_try_advisory_xact_lock(${LOCKS[name]}) as "isOurs"`);
  return row?.isOurs === true;
}

/**
 * Runs `work` while this process holds the lock, on a connection of its own: the lock ends with the process, however that
 * ends. Returns undefined, without waiting, if another process holds it.
 *
 * If that connection is lost, so is the lock, and another process may start while `work` goes on. So it must be safe for
 * two processes to do the work at once; the lock only saves them from doing it twice.
 */
export async function whileLocked<Result>(
  pool: DatabasePool,
  name: LockName,
  work: () => Promise<Result>,
): Promise<{ readonly result: Result } | undefined> {
  return pool.session(async (session) => {
    const [row] = await session.query<{ isOurs: boolean }>(sql`
      select pg_try_advisory_lock(${LOCKS[name]}) as "isOurs"`);
    if (row?.isOurs !== true) return undefined;
    try {
      return { result: await work() };
    } finally {
      await unlock(session, name);
    }
  });
}

/** Unlocks now, not when the server notices that the connection is closed. A lost connection has lost the lock already. */
async function unlock(session: Database, name: LockName): Promise<void> {
  try {
    await session.execute(sql`select pg_advisory_unlock(${LOCKS[name]})`);
  } catch (error) {
    if (!isStoreDown(error)) throw error;
  }
}
