import { type DatabasePool, LONG_WORK } from "../db/database.ts";
import { takeLock } from "../db/locks.ts";
import { type Alerting, clearQuarantine, requeueRawEvents } from "../intake/raw-event-store.ts";
import { clearListings } from "../listings/clear-listings.ts";
import { clearMatching } from "../matching/clear-matching.ts";
import { clearMessages } from "../messages/clear-messages.ts";
import { beginRebuild } from "../pricing/cells/rebuild-store.ts";
import { clearSetAsideItems } from "./set-aside-store.ts";

/**
 * Queues raw events again and returns how many. Without `fromMs` it first deletes everything that was made from them, and
 * keeps what is declared. With `fromMs` it queues only what was received since then and deletes nothing, which changes
 * nothing unless a step has changed.
 */
export function requestReplay(
  pool: DatabasePool,
  options: { readonly fromMs?: number; readonly alerting: Alerting },
): Promise<number> {
  return pool.transaction(async (tx) => {
    await takeLock(tx, "pipeline");
    if (options.fromMs === undefined) {
      await beginRebuild(tx);
      await clearQuarantine(tx);
      await clearMessages(tx);
      await clearListings(tx);
      await clearMatching(tx);
      await clearSetAsideItems(tx);
    }
    return requeueRawEvents(tx, options.fromMs ?? 0, options.alerting);
  }, LONG_WORK);
}
