import { type Database, type DatabasePool, LONG_WORK } from "../../db/database.ts";
import { beginStep, takeLock, tryLock } from "../../db/locks.ts";
import { deriveMessages } from "../derive-messages.ts";
import { listMessagesOf } from "../message-store.ts";
import { moveOccurrences } from "../occurrences/occurrence-store.ts";
import { contactIdOf, contactKey } from "./contact.ts";
import {
  applySightings,
  type Component,
  loadComponents,
  moveContacts,
  takeSightings,
} from "./contact-merge-store.ts";

/**
 * Merges contacts with the queued sightings. Contacts are the connected components of all pairs, so the result
 * depends on what was seen and not on the order. One process does this at a time. If a contact gets another key, its
 * messages move. The timeout is long, because a dealer may have years of messages; with a short one, the same batch
 * would fail for ever.
 *
 * Example: lid:1999 and phone:447700900120 are contacts c1 and c2. A sighting with both makes them one component with
 * the key phone:447700900120, so c1 becomes an alias of c2, and the occurrences and messages of c1 move to c2.
 */
export function mergeContacts(
  pool: DatabasePool,
  options: { readonly batchMax: number; readonly id?: string },
): Promise<{ readonly takenCount: number }> {
  return pool.transaction(async (tx) => {
    await beginStep(tx);
    if (!(await tryLock(tx, "merge"))) return { takenCount: 0 };
    const sightings = await takeSightings(tx, options);
    if (sightings.length === 0) return { takenCount: 0 };
    await takeLock(tx, "identities");
    await applySightings(tx, sightings);
    const components = await loadComponents(tx, [
      ...new Set(sightings.flatMap(({ identifiers }) => identifiers)),
    ]);
    await settle(tx, components);
    return { takenCount: sightings.length };
  }, LONG_WORK);
}

async function settle(tx: Database, components: readonly Component[]): Promise<void> {
  const contacts = components.map((component) => {
    const key = contactKey(
      component.map((row) => ({ identifier: row.identifier, firstSeenAtMs: row.first_seen_at_ms })),
    );
    return { id: contactIdOf(key), key, component };
  });
  const moves = contacts.flatMap(({ id, component }) =>
    [...new Set(component.map((row) => row.contact_id))]
      .filter((from) => from !== id)
      .map((from) => ({ from, to: id })),
  );
  const ownIds = await moveContacts(tx, contacts, moves);
  // Our own messages have no listings, so the messages of a contact that proves to be ours are derived again.
  const otherMessageIds = ownIds.length === 0 ? [] : await listMessagesOf(tx, ownIds);
  const places = moves.length === 0 ? [] : await moveOccurrences(tx, moves);
  if (places.length + otherMessageIds.length === 0) return;
  await deriveMessages(tx, {
    changed: places,
    before: places,
    singleFacts: [],
    isMerge: true,
    otherMessageIds,
  });
}
