import type { Database } from "./database.ts";
import { LOCKS } from "./locks.ts";
import { type Sql, sql } from "./sql.ts";
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

/**
 * Begins a step of the pipeline. Its commit does not wait for the disk: a crash that loses the commit also loses the
 * removal of the queue entries, so the work is done again. Sequential scans are off because a step only looks rows up by
 * key, and a planner without statistics does not know how many rows there are. In the fresh lane, everything that the
 * transaction queues is fresh.
 */
export async function beginStep(tx: Database, lane?: Lane): Promise<void> {
  await tx.execute(sql`
    select set_config('synchronous_commit', 'off', true), set_config('enable_seqscan', 'off', true),
           set_config('plan_cache_mode', 'force_custom_plan', true),
           set_config('assay.is_fresh', ${lane === "fresh" ? "on" : "off"}, true),
           pg_advisory_xact_lock_shared(${LOCKS.pipeline})`);
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
