import type { Clock } from "../base/clock.ts";
import type { DatabasePool } from "../db/database.ts";
import { beginStep, takeLock } from "../db/locks.ts";
import { takeMembers } from "../matching/member-queue-store.ts";
import { rebuildMembers } from "../matching/rebuild-members.ts";
import { queueRefreshes } from "../matching/refresh-queue-store.ts";

/**
 * Selects the members of queued configurations again and queues these for calculation. Meanwhile nothing is matched: a
 * batch that began before the filter changed could otherwise save members of the old filter afterwards.
 */
export function rebuildQueuedMembers(
  pool: DatabasePool,
  options: { readonly batchMax: number; readonly clock: Clock; readonly configurationId?: string },
): Promise<{ readonly takenCount: number }> {
  return pool.transaction(async (tx) => {
    await beginStep(tx);
    const ids = await takeMembers(tx, options);
    if (ids.length === 0) return { takenCount: 0 };
    await takeLock(tx, "members");
    await rebuildMembers(tx, ids);
    await queueRefreshes(tx, ids, options.clock.nowMs());
    return { takenCount: ids.length };
  });
}
