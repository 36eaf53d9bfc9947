import { type Database, type DatabasePool, LONG_WORK } from "../../db/database.ts";
import { takeLock, tryLock } from "../../db/locks.ts";
import { beginStep } from "../../db/queue.ts";
import { deriveMessages, deriveReportedMessages, hasSupport } from "../derive-messages.ts";
import { listMessagesOf } from "../message-store.ts";
import { contactIdOf, contactKey, type Pair, pairOf, type Sighting } from "./contact.ts";
import {
  type Component,
  findPairs,
  loadComponents,
  lockIdentifiers,
  takeSightings,
} from "./contact-store.ts";
import {
  applySightings,
  moveContacts,
  removePairs,
  type SettledContact,
} from "./contact-write-store.ts";

/**
 * Merges contacts with the queued sightings. Contacts are the connected components of all pairs, so the result
 * depends on what was seen and not on the order. One process does this at a time. If an identifier gets another
 * contact, its occurrences are derived again. The timeout is long, because a dealer may have years of messages; with a
 * short one, the same batch would fail for ever.
 *
 * Example: lid:1999 and phone:447700900120 are contacts c1 and c2. A sighting with both makes them one component with
 * the key phone:447700900120, so c1 becomes an alias of c2, and the occurrences and messages of c1 move to c2. If it
 * turns out that two persons used the raw id that proved the pair, the pair is withdrawn, and c1 and c2 are two
 * contacts again.
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
    await applySightings(
      tx,
      sightings.filter(({ evidence }) => evidence !== "doubt"),
    );
    // A sighting on its own may have been set aside for long, so its pair is doubted too.
    const doubts =
      options.id === undefined ? sightings.filter(isDoubt) : sightings.filter(isFromMessage);
    await withdrawPairs(tx, listPairsOf(doubts));
    const components = await loadComponents(tx, [
      ...new Set(sightings.flatMap(({ identifiers }) => identifiers)),
    ]);
    const newIds = sightings.flatMap(({ identifiers, isNew }) =>
      isNew === true ? identifiers : [],
    );
    await settle(tx, components, new Set(newIds));
    return { takenCount: sightings.length };
  }, LONG_WORK);
}

function isDoubt({ evidence }: Sighting): boolean {
  return evidence === "doubt";
}

function isFromMessage({ evidence }: Sighting): boolean {
  return evidence !== "list";
}

function listPairsOf(sightings: readonly Sighting[]): readonly Pair[] {
  return sightings.flatMap(({ identifiers }) => {
    const pair = pairOf(identifiers);
    return pair === undefined ? [] : [pair];
  });
}

/** Removes the pairs that neither the gateway nor any message supports. */
async function withdrawPairs(tx: Database, doubts: readonly Pair[]): Promise<void> {
  if (doubts.length === 0) return;
  const stored = await findPairs(tx, doubts);
  const withdrawn: Pair[] = [];
  for (const pair of doubts) {
    if (stored.get(pair.join(" ")) !== false) continue;
    const contactIds = (await lockIdentifiers(tx, pair)).map(({ contact_id }) => contact_id);
    if (!(await hasSupport(tx, pair, contactIds))) withdrawn.push(pair);
  }
  if (withdrawn.length > 0) await removePairs(tx, withdrawn);
}

async function settle(
  tx: Database,
  components: readonly Component[],
  newIds: ReadonlySet<string>,
): Promise<void> {
  const contacts = components.map(toContact);
  const former = contacts.flatMap(({ id, component }) =>
    component
      .filter(({ contact_id }) => contact_id !== id)
      .map(({ contact_id: from }) => ({ from, to: id })),
  );
  const liveIds = new Set(contacts.map(({ id }) => id));
  // A contact that was split may live on with another of its identifiers.
  const moves = [...new Map(former.map((move) => [move.from, move])).values()].filter(
    ({ from }) => !liveIds.has(from),
  );
  const ownIds = await moveContacts(tx, contacts, moves);
  // Whose edits and revocations may count for other messages now. A contact that was split may have lost the rights of an admin.
  const lostIds = new Set(former.map(({ from }) => from));
  const changed = contacts.filter(
    ({ id, component }) =>
      lostIds.has(id) ||
      component.some((row) => row.contact_id !== id || newIds.has(row.identifier)),
  );
  await deriveReportedMessages(tx, {
    contactIds: former.map(({ from }) => from),
    authorIds: changed.flatMap(({ component }) => component.map(({ identifier }) => identifier)),
  });
  // Our own messages have no listings, so the messages of a contact that proves to be ours are derived again.
  const otherMessageIds = ownIds.length === 0 ? [] : await listMessagesOf(tx, ownIds);
  if (otherMessageIds.length > 0) await deriveMessages(tx, { ...NO_CHANGES, otherMessageIds });
}

const NO_CHANGES = {
  plain: [],
  changed: [],
  before: [],
  contactIds: new Map<string, string>(),
  formerIds: [],
  moves: [],
};

function toContact(component: Component): SettledContact {
  const key = contactKey(
    component.map((row) => ({ identifier: row.identifier, firstSeenAtMs: row.first_seen_at_ms })),
  );
  return { id: contactIdOf(key), key, component };
}
