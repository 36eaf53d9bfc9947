import type { DatabasePool } from "../../db/database.ts";
import { beginStep } from "../../db/locks.ts";
import { queueOccurrencesMessages } from "../message-queue-store.ts";
import { hasQueuedGroup, saveGroupProgress, takeGroup } from "./group-store.ts";

/**
 * Queues the messages of a group that has another name or default currency, a page of occurrences at a time and in a
 * transaction that holds nothing else: in the one that learnt of it they could be too many, and locks would meet.
 */
export async function queueGroupMessages(
  pool: DatabasePool,
  options: { readonly batchMax: number },
): Promise<{ readonly takenCount: number }> {
  // Hardly ever is there one, and one question costs less than an empty transaction.
  if (!(await hasQueuedGroup(pool))) return { takenCount: 0 };
  return pool.transaction(async (tx) => {
    await beginStep(tx);
    const group = await takeGroup(tx);
    if (group === undefined) return { takenCount: 0 };
    const page = await queueOccurrencesMessages(tx, group, options.batchMax);
    const isDone = page.occurrenceCount < options.batchMax;
    await saveGroupProgress(tx, group.group_id, isDone ? undefined : page.lastRawId);
    return { takenCount: Math.max(page.occurrenceCount, 1) };
  });
}
