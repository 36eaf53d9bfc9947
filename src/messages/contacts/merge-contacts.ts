import { type Database, type DatabasePool, LONG_WORK } from "../../db/database.ts";
import { beginStep, takeLock, tryLock } from "../../db/locks.ts";
import { deriveMessages } from "../derive-messages.ts";
import { listMessagesOf } from "../message-store.ts";
import { moveOccurrences } from "../occurrences/occurrence-store.ts";
import { contactIdOf, contactKey } from "./contact.ts";
import {
  applyIdentities,
  type Component,
  loadComponents,
  moveContacts,
  takeIdentities,
} from "./contact-merge-store.ts";

/**
 * Works what was learnt about identifiers into contacts. Contacts are the connected components of all pairs, so the result
 * depends on what was seen and not on when. One process at a time; when a contact gets another key, its messages follow.
 * A dealer with years of messages takes long; with a short bound the same batch would be tried for ever.
 */
export function mergeContacts(
  pool: DatabasePool,
  options: { readonly batchMax: number },
): Promise<{ readonly takenCount: number }> {
  return pool.transaction(async (tx) => {
    await beginStep(tx);
    if (!(await tryLock(tx, "merge"))) return { takenCount: 0 };
    const seen = await takeIdentities(tx, options.batchMax);
    if (seen.length === 0) return { takenCount: 0 };
    await takeLock(tx, "identities");
    await applyIdentities(tx, seen);
    const components = await loadComponents(tx, [
      ...new Set(seen.flatMap(({ identifiers }) => identifiers)),
    ]);
    await settle(tx, components);
    return { takenCount: seen.length };
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
  // Who turns out to be one of us has offered nothing: his messages have no listings.
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
