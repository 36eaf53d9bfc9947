import type { DatabasePool } from "../../db/database.ts";
import { beginStep } from "../../db/locks.ts";
import { queueOccurrencesMessages } from "../message-queue-store.ts";
import { hasQueuedGroup, saveGroupProgress, takeGroup } from "./group-store.ts";

/**
 * Queues the messages of a group whose name or default currency changed, one page of occurrences at a time. It has a
 * transaction of its own: there may be too many messages for the transaction that changed the group, and its locks
 * could cause a deadlock.
 */
export async function queueGroupMessages(
  pool: DatabasePool,
  options: { readonly batchMax: number; readonly groupId?: string },
): Promise<{ readonly takenCount: number }> {
  // The queue is nearly always empty, and one query costs less than an empty transaction.
  if (!(await hasQueuedGroup(pool))) return { takenCount: 0 };
  return pool.transaction(async (tx) => {
    await beginStep(tx);
    const group = await takeGroup(tx, options.groupId);
    if (group === undefined) return { takenCount: 0 };
    const page = await queueOccurrencesMessages(tx, group, options.batchMax);
    const isDone = page.occurrenceCount < options.batchMax;
    await saveGroupProgress(tx, group.group_id, isDone ? undefined : page.lastRawId);
    return { takenCount: Math.max(page.occurrenceCount, 1) };
  });
}
