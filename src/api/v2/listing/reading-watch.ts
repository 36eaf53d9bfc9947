import { sleep } from "../../../base/clock.ts";
import type { ChangeFeed } from "../../../db/changes.ts";
import type { Database } from "../../../db/database.ts";
import { isListingQueued } from "../../../listings/corrections/correction-store.ts";

/** Waits for the worker after a correction. */
interface ReadingWatch {
  /** Returns true once the message of the listing is read, false if that takes too long. */
  wait(listingId: string): Promise<boolean>;
}

/** The rest of a handler's five seconds is for the correction and the answer. */
const WAIT_MAX_MS = 3_000;
/** A NOTIFY can be lost, and a message that is read as before changes no listing, so the queue is also polled. */
const POLL_MS = 250;
/** A busy market changes listings all the time; a waiting request asks no more often than this. */
const PAUSE_MS = 30;

export function createReadingWatch({
  db,
  feed,
}: {
  readonly db: Database;
  readonly feed: ChangeFeed;
}): ReadingWatch {
  const waiting = new Set<AbortController>();
  feed.subscribe("listing", () => {
    for (const alarm of waiting) alarm.abort();
  });
  return {
    wait: async (listingId) => {
      const deadlineMs = performance.now() + WAIT_MAX_MS;
      for (;;) {
        const alarm = new AbortController();
        // Added before the question: a change that commits after it must end the wait.
        waiting.add(alarm);
        try {
          if (!(await isListingQueued(db, listingId))) return true;
          if (performance.now() >= deadlineMs) return false;
          await sleep(PAUSE_MS);
          await sleep(POLL_MS, alarm.signal);
        } finally {
          waiting.delete(alarm);
        }
      }
    },
  };
}
