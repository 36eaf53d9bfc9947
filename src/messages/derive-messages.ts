/**
 * Derives canonical messages from occurrences that were just changed: how often each message occurs, and which messages
 * the listing step must read again.
 *
 * A message that only gained plain occurrences is made or extended from these, and so are its roll-ups; this is cheap, and
 * the usual case. Any other message is recounted from the store: roll-ups are counted from occurrences, and messages are
 * summed up from roll-ups.
 *
 * Invariant: the result depends only on stored occurrences and versions, so deriving twice equals deriving once. A
 * message is locked before it is counted, so the last worker to count it sees all of its occurrences.
 *
 * Example: occurrence AA01 of 20 August in group g has the text "126610LN 98k" and belongs to message m. An edit to
 * "126610LN 95k" arrives, so it belongs to message n now. The roll-up (m, 20 August, g) is deleted if nothing else is
 * counted there, (n, 20 August, g) is counted, then m and n are summed up and queued for the listing step. Had AA01 moved
 * because contacts merged, no version would be left in m: m would be deleted, and its id would become an alias of n.
 */
import type { Database } from "../db/database.ts";
import { draftMessages } from "./message-draft.ts";
import { moveQueuedAlerts, queueMessages } from "./message-queue-store.ts";
import {
  extendMessages,
  lockMessages,
  refreshMessages,
  removeEmptyMessages,
  saveMessageAliases,
} from "./message-store.ts";
import type { MessageMove, OccurrenceChanges, OccurrencePlace } from "./occurrences/occurrence.ts";
import { countOccurrences, type RollupKey, rollupKeyOf, rollupName } from "./occurrences/rollup.ts";
import { addToRollups, recountRollups, removeEmptyRollups } from "./occurrences/rollup-store.ts";

/** A hundred thousand years: no limit. */
const ALERT_MS_MAX = 3_155_760_000_000_000;

export interface MessageChanges extends OccurrenceChanges {
  /** Messages to derive again although none of their occurrences changed. */
  readonly otherMessageIds?: readonly string[];
  readonly alertLimits?: AlertLimits;
  /** Occurrences that may fire alerts from now on, changed or not. */
  readonly opened?: readonly OccurrencePlace[];
}

/**
 * By occurrence: its message fires alerts only if it was sent at this time or later. Without an entry it fires none.
 */
type AlertLimits = ReadonlyMap<string, number>;

export async function deriveMessages(tx: Database, changes: MessageChanges): Promise<void> {
  const formerIds = [
    ...changes.before.map((place) => place.canonical_message_id),
    ...changes.formerIds,
    ...(changes.otherMessageIds ?? []),
  ];
  const recountedIds = new Set([...changes.contactIds.keys(), ...formerIds]);
  const gained = changes.plain.filter((row) => !recountedIds.has(row.canonical_message_id));
  const drafts = draftMessages(gained);
  const openedIds = new Set((changes.opened ?? []).map((place) => place.canonical_message_id));
  const windows = { alertMs: alertTimes(changes), openedIds };
  if (recountedIds.size + drafts.length === 0) {
    if (openedIds.size > 0) await queueMessages(tx, [...openedIds], windows);
    return;
  }
  const newIds = await lockMessages(tx, { contactIds: changes.contactIds, drafts }, formerIds);
  const extended = drafts.filter(({ id }) => !newIds.has(id));
  const queuedIds = [...recountedIds, ...drafts.map(({ id }) => id), ...openedIds];
  // Sent in this order without waiting for the results. Messages are summed up from their roll-ups.
  await Promise.all([
    gained.length > 0 ? addToRollups(tx, countOccurrences(gained)) : undefined,
    extended.length > 0 ? extendMessages(tx, extended) : undefined,
    recountedIds.size > 0 ? recountMessages(tx, changes, [...recountedIds]) : undefined,
    queueMessages(tx, queuedIds, windows),
  ]);
  if (changes.moves.length > 0) await moveQueuedAlerts(tx, changes.moves);
}

async function recountMessages(
  tx: Database,
  changes: MessageChanges,
  messageIds: readonly string[],
): Promise<void> {
  const keys = listRollupKeys(changes, new Set(messageIds));
  await removeEmptyRollups(tx, keys);
  await recountRollups(tx, keys);
  const removedIds = await removeEmptyMessages(tx, messageIds);
  await refreshMessages(tx, messageIds);
  const aliases = distinctMoves(changes.moves.filter(({ from }) => removedIds.has(from)));
  if (aliases.length > 0) await saveMessageAliases(tx, aliases);
}

/** Returns where the occurrences were counted before, and where they are counted now. */
function listRollupKeys(
  { before, changed, plain }: MessageChanges,
  messageIds: ReadonlySet<string>,
): readonly RollupKey[] {
  const places: readonly OccurrencePlace[] = [
    ...before,
    ...changed,
    ...plain.filter((row) => messageIds.has(row.canonical_message_id)),
  ];
  return [...new Map(places.map(rollupKeyOf).map((key) => [rollupName(key), key])).values()];
}

/** All versions of a message have one text, so they move to one message, unless they have different senders now. */
function distinctMoves(moves: readonly MessageMove[]): readonly MessageMove[] {
  const sorted = moves.toSorted((left, right) => (left.to < right.to ? 1 : -1));
  return [...new Map(sorted.map((move) => [move.from, move])).values()];
}

/** Returns, by message, how much of the alert window was left when one of its events arrived. */
function alertTimes(changes: MessageChanges): ReadonlyMap<string, number> {
  const { changed, plain, opened = [], alertLimits } = changes;
  const times = new Map<string, number>();
  for (const { id, canonical_message_id, sent_at_ms } of [...changed, ...plain, ...opened]) {
    const sinceMs = alertLimits?.get(id);
    if (sinceMs === undefined) continue;
    const leftMs = Math.min(sent_at_ms - sinceMs, ALERT_MS_MAX);
    if (leftMs >= 0) {
      times.set(canonical_message_id, Math.max(leftMs, times.get(canonical_message_id) ?? 0));
    }
  }
  return times;
}
