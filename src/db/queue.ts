import type { Database } from "./database.ts";
import { LOCKS, waitForLock } from "./locks.ts";
import { rawSql, type Sql, sql } from "./sql.ts";
import { isItemFault, isTimeout } from "./store-error.ts";

/**
 * Queues have two lanes. What the gateway sends now is fresh; imports, replays, re-extractions and everything else that can
 * wait are the backlog. A worker takes fresh items first, so a buy is not behind a hundred thousand old messages.
 *
 * Invariant: what a step queues while it works on fresh items is fresh too (`beginStep`, and `is_fresh_work()` in the
 * schema). A row that is queued in both lanes is fresh.
 */
export type Lane = "fresh" | "backlog";

/** The rows of a queue that belong to the lane; without a lane, all of them. */
export function isInLane(lane: Lane | undefined): Sql {
  if (lane === undefined) return sql`true`;
  return lane === "fresh" ? sql`is_fresh` : sql`not is_fresh`;
}

/** Much longer than a step calculates without a statement. */
const STEP_IDLE_MAX_MS = 10_000;

/**
 * `own`: the server plans each statement of the step again, for the values that it has. `kept`: it plans each once for a
 * connection, which costs a small batch less than half. Then every row is looked up by key, whatever the planner thought of the
 * tables when there was nothing in them. So a step with kept plans must not join two long lists, which have no key.
 */
type Plans = "own" | "kept";

/**
 * Begins a step of the pipeline. Its commit does not wait for the disk: a crash that loses the commit also loses the
 * removal of the queue entries, so the work is done again. Sequential scans are off because a step only looks rows up by
 * key, and a planner without statistics does not know how many rows there are. In the fresh lane, everything that the
 * transaction queues is fresh. A machine that vanishes closes no connection, so the server ends the transaction, and with it the
 * locks for which all other workers wait.
 */
export async function beginStep(tx: Database, lane?: Lane, plans: Plans = "own"): Promise<void> {
  const isKept = plans === "kept";
  const mayJoinLists = isKept ? "off" : "on";
  const begin = sql`
    select set_config('synchronous_commit', 'off', true), set_config('enable_seqscan', 'off', true),
           set_config('plan_cache_mode', ${isKept ? "force_generic_plan" : "force_custom_plan"}, true),
           set_config('enable_hashjoin', ${mayJoinLists}, true), set_config('enable_mergejoin', ${mayJoinLists}, true),
           set_config('idle_in_transaction_session_timeout', ${String(STEP_IDLE_MAX_MS)}, true),
           set_config('assay.is_fresh', ${lane === "fresh" ? "on" : "off"}, true),
           pg_advisory_xact_lock_shared(${LOCKS.pipeline})`;
  await waitForLock(tx, begin);
}

/** Called now and then by a step that calculates for long: other work gets its turn, and the server hears that the step lives. */
export async function continueStep(tx: Database): Promise<void> {
  await tx.execute(sql`select`);
}

/** The items of a queue that are wanted at once. */
interface Wanted {
  readonly batchMax: number;
  readonly lane?: Lane;
}

interface QueueDeclaration {
  readonly table: string;
  /** The column by which an item is known. */
  readonly key: string;
  /** The column that says in which order items were queued. */
  readonly number: string;
  /** A queue without lanes is read as one. */
  readonly hasLanes: boolean;
  /** Selects the row of an item, if the key alone would not be found by an index. */
  readonly isItem?: (key: string) => Sql;
  /** `on conflict …`: what becomes of a row that is put back although its item was queued again. */
  readonly onConflict?: Sql;
  /** Columns that rows lack that an older release set aside. */
  readonly defaults?: object;
}

/** What every queue can do. How items are queued and taken off belongs to the owner of the table. */
export interface Queue {
  /** The keys of the first items, also those that another worker has locked. */
  list(db: Database, wanted: Wanted): Promise<readonly string[]>;
  /** Takes an item off the queue without processing it. Returns its row; undefined if it is no longer queued. */
  remove(tx: Database, key: string): Promise<object | undefined>;
  /** Puts a row back. */
  restore(tx: Database, row: object): Promise<void>;
  /** The number of the latest item; 0 if none is queued. */
  last(db: Database): Promise<number>;
  /** Returns true if an item with this number or a lower one is queued or being processed. */
  isUpTo(db: Database, last: number): Promise<boolean>;
}

export function declareQueue(declared: QueueDeclaration): Queue {
  const [table, key, number] = [declared.table, declared.key, declared.number].map((name) =>
    rawSql(name),
  ) as [Sql, Sql, Sql];
  const isItem = declared.isItem ?? ((id: string) => sql`${key} = ${id}`);
  const onConflict = declared.onConflict ?? sql`on conflict do nothing`;
  return {
    list: async (db, { batchMax, lane }) => {
      const where = declared.hasLanes ? isInLane(lane) : sql`true`;
      const rows = await db.query<{ key: string }>(sql`
        select ${key}::text as key from ${table} where ${where} order by ${number} limit ${batchMax}`);
      return rows.map((row) => row.key);
    },
    remove: async (tx, id) => {
      const [removed] = await tx.query<{ row: object }>(sql`
        delete from ${table} where ${isItem(id)} returning to_jsonb(${table}) as row`);
      return removed?.row;
    },
    restore: async (tx, row) => {
      const whole = JSON.stringify({ ...declared.defaults, ...row });
      await tx.execute(sql`
        insert into ${table} as queued overriding system value
        select * from jsonb_populate_record(null::${table}, ${whole}::jsonb)
        ${onConflict}`);
    },
    last: async (db) => {
      const [row] = await db.query<{ last: number | null }>(
        sql`select max(${number}) as last from ${table}`,
      );
      return row?.last ?? 0;
    },
    isUpTo: async (db, last) => {
      const rows = await db.query(sql`select from ${table} where ${number} <= ${last} limit 1`);
      return rows.length > 0;
    },
  };
}

/** After so many time-outs the store is probably slow, and the rest stays queued. */
const TIMEOUTS_MAX = 2;

type Report = { readonly takenCount: number };

interface SingleWork<Key> {
  run(key: Key): Promise<Report>;
  /** Takes the item off its queue and stores the reason. */
  setAside(key: Key, error: unknown): Promise<Report>;
}

/**
 * Processes the items of a batch that failed, each on its own, and sets the failing ones aside. Throws if the store is down
 * or a statement is wrong, because then no item is at fault.
 *
 * A time-out can be the fault of the item or of a slow store. It counts as the item's fault only if another item of the
 * batch succeeded. Otherwise the time-out is thrown, and the item stays queued.
 */
export async function runOneByOne<Key>(
  keys: readonly Key[],
  work: SingleWork<Key>,
): Promise<Report> {
  const late: { readonly key: Key; readonly error: unknown }[] = [];
  let takenCount = 0;
  for (const key of keys) {
    if (late.length === TIMEOUTS_MAX) break;
    try {
      takenCount += (await work.run(key)).takenCount;
    } catch (error) {
      if (!isItemFault(error)) throw error;
      if (isTimeout(error)) late.push({ key, error });
      else takenCount += (await work.setAside(key, error)).takenCount;
    }
  }
  const [first] = late;
  if (first !== undefined && takenCount === 0) throw first.error;
  for (const { key, error } of late) takenCount += (await work.setAside(key, error)).takenCount;
  return { takenCount };
}
