import type { DatabasePool } from "../db/database.ts";
import { beginStep } from "../db/queue.ts";
import { queueOutdatedMessages, type Reader } from "./message-extraction-store.ts";

const PAGE_MAX = 5_000;

/**
 * Queues the messages that `reader` has not read; without a reader all messages. Returns how many it queued. Each page is
 * a transaction of its own, so locks are short and an interrupted call loses nothing that it has queued.
 */
export async function requestReextraction(
  pool: DatabasePool,
  options: { readonly reader?: Reader; readonly onPage?: (queuedCount: number) => void } = {},
): Promise<number> {
  let queuedCount = 0;
  let afterId: string | undefined;
  do {
    const start = { ...options, afterId, limit: PAGE_MAX };
    const page = await pool.transaction(async (tx) => {
      await beginStep(tx);
      return queueOutdatedMessages(tx, start);
    });
    queuedCount += page.queuedCount;
    options.onPage?.(page.queuedCount);
    afterId = page.lastId;
  } while (afterId !== undefined);
  return queuedCount;
}
