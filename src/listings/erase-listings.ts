import type { Database } from "../db/database.ts";
import { takeLock } from "../db/locks.ts";
import type { Catalogue } from "../extraction/catalogue/catalogue.ts";
import { takeMessages } from "../messages/message-queue-store.ts";
import { readerOf } from "./extract-listings.ts";
import { saveReadings } from "./save-readings.ts";

/**
 * Deletes the listings of deleted messages at once, as the step would do later: until then an alert could fire for them. The messages
 * are queued.
 */
export async function eraseListings(
  tx: Database,
  messageIds: readonly string[],
  { catalogue, nowMs }: { readonly catalogue: Catalogue; readonly nowMs: number },
): Promise<void> {
  const queued = await takeMessages(tx, { ids: messageIds });
  await takeLock(tx, "listings");
  const batch = { queued, messages: [], movedTo: new Map(), readings: new Map() };
  await saveReadings(tx, batch, { reader: readerOf(catalogue), nowMs });
}
