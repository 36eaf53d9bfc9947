import type { Transaction } from "../db/database.ts";
import { removeRawEvents, takeOldEvents } from "../intake/old-event-store.ts";
import { hasOldReports } from "../messages/occurrences/reported-message-store.ts";
import { readRawEvent } from "../messages/read-raw-event.ts";
import { EVENT_KEPT_MS } from "../messages/retention/event-age.ts";
import { keepEvidence } from "../messages/retention/kept-evidence-store.ts";
import { listEvidence } from "../messages/save-facts.ts";

/**
 * Deletes raw events whose messages have left, at most `batchMax`, and keeps what they said about senders. Returns how many
 * it deleted. What they said about groups, admins and sessions stays in the tables of these, which a replay then leaves as
 * they are.
 *
 * Reports leave first: two events may prove a pair only together, and a replay between their deletions would lose it.
 */
export async function removeOldEvents(
  tx: Transaction,
  { floorMs, batchMax }: { readonly floorMs: number; readonly batchMax: number },
): Promise<number> {
  if (await hasOldReports(tx, floorMs)) return 0;
  const receivedBeforeMs = floorMs - EVENT_KEPT_MS;
  const events = await takeOldEvents(tx, { floorMs, receivedBeforeMs, batchMax });
  if (events.length === 0) return 0;
  const received = events.map((event) => {
    const reading = readRawEvent(event);
    return {
      facts: reading.kind === "facts" ? reading.facts : [],
      receivedAtMs: event.received_at_ms,
      alertSinceMs: null,
      isHeard: false,
    };
  });
  await keepEvidence(tx, await listEvidence(tx, received));
  return removeRawEvents(
    tx,
    events.map(({ id }) => id),
  );
}
