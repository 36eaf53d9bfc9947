/**
 * Derives canonical messages from occurrences that were just changed: which message each occurrence belongs to, how
 * often each message occurs, and which messages the listing step must read again.
 *
 * An occurrence belongs to the message of its current version: its newest edit, else the text that was sent. A
 * message that only gained single-fact occurrences is made or extended from these; this is cheap, and the usual case.
 * Any other message is recounted from the store.
 *
 * Invariant: the result depends only on stored occurrences and versions, so deriving twice equals deriving once. A
 * message is locked before it is counted, so the last worker to count it sees all of its occurrences.
 *
 * Example: occurrence AA01 has the text "126610LN 98k" and belongs to message m. An edit to "126610LN 95k" arrives.
 * Its version belongs to message n, so AA01 moves from m to n. Both are recounted (m has no occurrence now, n has
 * one) and queued for the listing step.
 */
import type { Database } from "../db/database.ts";
import { draftMessages, type MessageDraft } from "./message-draft.ts";
import { queueMessages } from "./message-queue-store.ts";
import { extendMessages, lockMessages } from "./message-store.ts";
import type {
  OccurrenceChanges,
  PlacedOccurrence,
  SingleFactOccurrence,
} from "./occurrences/occurrence.ts";
import { countOccurrences } from "./occurrences/rollup.ts";
import { addRollups, recountRollups } from "./occurrences/rollup-store.ts";
import { messageIdOf } from "./occurrences/version.ts";
import { listVersions } from "./occurrences/version-store.ts";
import { type AssignedVersion, type Recount, recountMessages } from "./recount-messages.ts";

/** A hundred thousand years: no limit. */
const ALERT_MS_MAX = 3_155_760_000_000_000;

export interface MessageChanges extends OccurrenceChanges {
  /** The occurrences got another contact. Then a message has moved and leaves an alias; otherwise it was edited. */
  readonly isMerge: boolean;
  /** Messages to derive again although none of their occurrences changed. */
  readonly otherMessageIds?: readonly string[];
  readonly alertLimits?: AlertLimits;
}

/**
 * By occurrence: its message fires alerts only if it was sent at this time or later. Without an entry it fires none.
 */
export type AlertLimits = ReadonlyMap<string, number>;

export async function deriveMessages(tx: Database, changes: MessageChanges): Promise<void> {
  const plan = planMessages(changes, await assignVersions(tx, changes.changed));
  const { recount, gained, drafts } = plan;
  if (recount.messageIds.size + drafts.length === 0) return;
  const newIds = await lockMessages(tx, plan, plan.formerIds);
  const sharedRollups = gained.length === 0 ? [] : await addRollups(tx, countOccurrences(gained));
  const extended = drafts.filter(({ id }) => !newIds.has(id));
  const queuedIds = [...recount.messageIds, ...drafts.map(({ id }) => id)];
  // Sent in this order without waiting for the results. Messages are summed up from their roll-ups.
  await Promise.all([
    sharedRollups.length > 0 ? recountRollups(tx, sharedRollups) : undefined,
    extended.length > 0 ? extendMessages(tx, extended) : undefined,
    recount.messageIds.size > 0 ? recountMessages(tx, changes, recount) : undefined,
    queueMessages(tx, queuedIds, alertTimes(changes, recount)),
  ]);
}

async function assignVersions(
  tx: Database,
  occurrences: readonly PlacedOccurrence[],
): Promise<readonly AssignedVersion[]> {
  if (occurrences.length === 0) return [];
  const versions = await listVersions(
    tx,
    occurrences.map(({ id }) => id),
  );
  return versions.map((version) => ({ ...version, messageId: messageIdOf(version) }));
}

interface Plan {
  /** Contacts by message, for all messages that a version belongs to. They may not be stored yet. */
  readonly contactIds: ReadonlyMap<string, string>;
  /** Messages that may have lost an occurrence or a version. */
  readonly formerIds: readonly string[];
  readonly recount: Recount;
  /** Occurrences whose message needs no recount. */
  readonly gained: readonly SingleFactOccurrence[];
  /** The messages of `gained`. */
  readonly drafts: readonly MessageDraft[];
}

function planMessages(changes: MessageChanges, versions: readonly AssignedVersion[]): Plan {
  const moved = versions.filter((version) => version.canonical_message_id !== version.messageId);
  const contactIds = new Map(versions.map((version) => [version.messageId, version.contact_id]));
  const formerIds = [
    ...[...moved, ...changes.before].flatMap((place) => place.canonical_message_id ?? []),
    ...(changes.otherMessageIds ?? []),
  ];
  const messageIds = new Set([...contactIds.keys(), ...formerIds]);
  const gained = changes.singleFacts.filter(
    ({ canonical_message_id }) => !messageIds.has(canonical_message_id),
  );
  const current = versions.filter(({ is_current }) => is_current).map(toCurrent);
  return {
    contactIds,
    formerIds,
    recount: { messageIds, moved, current },
    gained,
    drafts: draftMessages(gained),
  };
}

function toCurrent({ occurrence_id, messageId, version_at_ms }: AssignedVersion) {
  return { id: occurrence_id, canonical_message_id: messageId, is_edited: version_at_ms > 0 };
}

/** Returns, by message, how much of the alert window was left when one of its events arrived. */
function alertTimes(
  { changed, singleFacts, alertLimits }: MessageChanges,
  { current }: Recount,
): ReadonlyMap<string, number> {
  const sentAt = new Map(
    [...changed, ...singleFacts].map(({ id, sent_at_ms }) => [id, sent_at_ms]),
  );
  const times = new Map<string, number>();
  for (const { id, canonical_message_id } of [...current, ...singleFacts]) {
    const sinceMs = alertLimits?.get(id);
    const sentAtMs = sentAt.get(id);
    if (sinceMs === undefined || sentAtMs === undefined || sentAtMs === null) continue;
    const leftMs = Math.min(sentAtMs - sinceMs, ALERT_MS_MAX);
    if (leftMs >= 0) {
      times.set(canonical_message_id, Math.max(leftMs, times.get(canonical_message_id) ?? 0));
    }
  }
  return times;
}
