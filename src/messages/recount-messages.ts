/**
 * Recounts messages from the store, after some of their occurrences moved, changed or were merged into another
 * contact.
 *
 * Invariant: the order of the steps. Versions and occurrences are assigned to their messages first, roll-ups are
 * counted from occurrences, and messages are summed up from roll-ups. The messages are locked by the caller.
 *
 * Example: occurrence AA01 of 20 August in group g moved from message m to n. The roll-up (m, 20 August, g) is
 * deleted if nothing else is counted there, (n, 20 August, g) is counted, then m and n are summed up. If a merge of
 * contacts moved it, m is deleted when no version is left in it, and its id becomes an alias of n.
 */
import type { Database } from "../db/database.ts";
import { moveQueuedAlerts } from "./message-queue-store.ts";
import { refreshMessages, removeEmptyMessages, saveMessageAliases } from "./message-store.ts";
import type {
  OccurrenceChanges,
  OccurrencePlace,
  PlacedOccurrence,
} from "./occurrences/occurrence.ts";
import { saveCurrentMessages } from "./occurrences/occurrence-store.ts";
import { type RollupKey, rollupKeyOf, rollupName } from "./occurrences/rollup.ts";
import { recountRollups, removeEmptyRollups } from "./occurrences/rollup-store.ts";
import type { StoredVersion } from "./occurrences/version.ts";
import { saveVersionMessages } from "./occurrences/version-store.ts";

/** A version and the message that it belongs to now. `canonical_message_id` is the stored one. */
export type AssignedVersion = StoredVersion & { readonly messageId: string };

export interface Recount {
  readonly messageIds: ReadonlySet<string>;
  /** Versions that belong to another message than the stored one. */
  readonly moved: readonly AssignedVersion[];
  /** The occurrences as their current versions place them. */
  readonly current: readonly CurrentPlace[];
}

interface CurrentPlace {
  readonly id: string;
  readonly canonical_message_id: string;
  readonly is_edited: boolean;
}

type Changes = OccurrenceChanges & { readonly isMerge: boolean };

export async function recountMessages(
  tx: Database,
  changes: Changes,
  recount: Recount,
): Promise<void> {
  const messageIds = [...recount.messageIds];
  if (recount.moved.length > 0) await saveVersionMessages(tx, recount.moved.map(toStoredVersion));
  const placed = listNewPlaces(changes.changed, recount.current);
  if (placed.length > 0) await saveCurrentMessages(tx, placed);
  const keys = listRollupKeys(changes, recount);
  await removeEmptyRollups(tx, keys);
  await recountRollups(tx, keys);
  if (changes.isMerge) await removeEmptyMessages(tx, messageIds);
  await refreshMessages(tx, messageIds);
  if (changes.isMerge) await saveAliases(tx, recount.moved);
}

function toStoredVersion({ messageId, ...version }: AssignedVersion): StoredVersion {
  return { ...version, canonical_message_id: messageId };
}

/** Returns those that are stored with another message or another kind of version. */
function listNewPlaces(
  changed: readonly PlacedOccurrence[],
  current: readonly CurrentPlace[],
): readonly CurrentPlace[] {
  const stored = new Map(changed.map((occurrence) => [occurrence.id, occurrence]));
  return current.filter(({ id, canonical_message_id, is_edited }) => {
    const last = stored.get(id);
    return last?.canonical_message_id !== canonical_message_id || last.is_edited !== is_edited;
  });
}

/** Returns where the occurrences were counted before, and where they are counted now. */
function listRollupKeys(changes: Changes, recount: Recount): readonly RollupKey[] {
  const messageOf = new Map(recount.current.map((place) => [place.id, place.canonical_message_id]));
  const places: readonly OccurrencePlace[] = [
    ...changes.before,
    ...changes.changed.map((occurrence) => ({
      ...occurrence,
      canonical_message_id: messageOf.get(occurrence.id) ?? null,
    })),
    ...changes.singleFacts.filter(({ canonical_message_id }) =>
      recount.messageIds.has(canonical_message_id),
    ),
  ];
  const keys = new Map<string, RollupKey>();
  for (const { canonical_message_id, group_id, sent_at_ms } of places) {
    if (canonical_message_id === null || sent_at_ms === null) continue;
    const key = rollupKeyOf({ canonical_message_id, group_id, sent_at_ms });
    keys.set(rollupName(key), key);
  }
  return [...keys.values()];
}

/** Old message ids lead to the new ones, and alerts that were still due are due for the new ones. */
async function saveAliases(tx: Database, moved: readonly AssignedVersion[]): Promise<void> {
  const aliases = new Map(
    moved.flatMap(({ canonical_message_id: from, messageId: to }) =>
      from === null ? [] : [[from, { from, to }]],
    ),
  );
  if (aliases.size === 0) return;
  await saveMessageAliases(tx, [...aliases.values()]);
  await moveQueuedAlerts(tx, [...aliases.values()]);
}
