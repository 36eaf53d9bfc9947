import type { Database } from "../db/database.ts";
import { canonicalMessageIdOf } from "./message.ts";
import { moveQueuedAlerts, queueMessages } from "./message-queue-store.ts";
import {
  listVersions,
  lockMessages,
  type RollupKey,
  refreshMessages,
  refreshRollups,
  removeEmptyMessages,
  type StoredVersion,
  saveMessageAliases,
  saveVersionMessages,
} from "./message-store.ts";
import { type HeldOccurrence, type OccurrencePlace, saveHolders } from "./occurrence-store.ts";

const DAY_MS = 86_400_000;
/** A hundred thousand years: for ever. */
const ALERT_MS_MAX = 3_155_760_000_000_000;

export interface Touched {
  /** The occurrences, locked. */
  readonly now: readonly HeldOccurrence[];
  /** Those of them that were there before, as they were. */
  readonly before: readonly OccurrencePlace[];
  /** The contact of the occurrences has changed, so messages moved rather than were edited. */
  readonly isMerge: boolean;
  /** Messages that must be looked at again though none of their occurrences is touched. */
  readonly otherMessageIds?: readonly string[];
  readonly alertLimits?: AlertLimits;
}

/** By occurrence: since when its message must have been sent to fire alerts. Who is not in it fires none. */
export type AlertLimits = ReadonlyMap<string, number>;

/**
 * Works out, for locked occurrences, which version holds each of them, and counts anew the messages that gained or lost
 * one. It reads only what is stored, so it may run twice, and the last to run sees everything.
 */
export async function deriveMessages(tx: Database, touched: Touched): Promise<void> {
  const versions = await listVersions(
    tx,
    touched.now.map(({ id }) => id),
  );
  const others = touched.otherMessageIds ?? [];
  if (versions.length + others.length === 0) return;
  const named = versions.map((version) => ({ ...version, messageId: messageIdOf(version) }));
  const moved = named.filter((version) => version.canonical_message_id !== version.messageId);
  const messages = new Map(named.map((version) => [version.messageId, version.contact_id]));
  const lost = [
    ...[...moved, ...touched.before].flatMap((place) => place.canonical_message_id ?? []),
    ...others,
  ];
  await lockMessages(tx, messages, lost);
  if (moved.length > 0) {
    await saveVersionMessages(
      tx,
      moved.map(({ messageId, ...version }) => ({ ...version, canonical_message_id: messageId })),
    );
  }
  const holders = named
    .filter(({ is_holding }) => is_holding)
    .map((version) => ({
      id: version.occurrence_id,
      canonical_message_id: version.messageId,
      is_edited: version.version_at_ms > 0,
    }));
  const heldNow = new Map(touched.now.map((place) => [place.id, place]));
  const changed = holders.filter(({ id, canonical_message_id, is_edited }) => {
    const held = heldNow.get(id);
    return held?.canonical_message_id !== canonical_message_id || held.is_edited !== is_edited;
  });
  if (changed.length > 0) await saveHolders(tx, changed);
  await refreshRollups(tx, rollupKeys(touched, new Map(holders.map((held) => [held.id, held]))));
  const changedIds = [...new Set([...messages.keys(), ...lost])];
  if (touched.isMerge) await removeEmptyMessages(tx, changedIds);
  await refreshMessages(tx, changedIds);
  await queueMessages(tx, changedIds, alertTimes(touched, holders));
  if (touched.isMerge) {
    const aliases = new Map(
      moved.flatMap(({ canonical_message_id: from, messageId: to }) =>
        from === null ? [] : [[from, { from, to }]],
      ),
    );
    if (aliases.size > 0) {
      await saveMessageAliases(tx, [...aliases.values()]);
      await moveQueuedAlerts(tx, [...aliases.values()]);
    }
  }
}

/** By message: how much of the alert window was left when something of it came. */
function alertTimes(
  touched: Touched,
  holders: readonly { readonly id: string; readonly canonical_message_id: string }[],
): ReadonlyMap<string, number> {
  const sentAt = new Map(touched.now.map(({ id, sent_at_ms }) => [id, sent_at_ms]));
  const times = new Map<string, number>();
  for (const { id, canonical_message_id } of holders) {
    const sinceMs = touched.alertLimits?.get(id);
    const sentAtMs = sentAt.get(id);
    if (sinceMs === undefined || sentAtMs === undefined || sentAtMs === null) continue;
    const leftMs = Math.min(sentAtMs - sinceMs, ALERT_MS_MAX);
    if (leftMs >= 0) {
      times.set(canonical_message_id, Math.max(leftMs, times.get(canonical_message_id) ?? 0));
    }
  }
  return times;
}

function messageIdOf(version: StoredVersion): string {
  return canonicalMessageIdOf({
    contactId: version.contact_id,
    occurrenceId: version.occurrence_id,
    identitySha256: version.identity_sha256,
  });
}

/** Where the occurrences counted before, and where they count now. */
function rollupKeys(
  touched: Touched,
  holders: ReadonlyMap<string, { readonly canonical_message_id: string }>,
): readonly RollupKey[] {
  const places = [
    ...touched.before,
    ...touched.now.map((place) => ({
      ...place,
      canonical_message_id: holders.get(place.id)?.canonical_message_id ?? null,
    })),
  ];
  const keys = new Map<string, RollupKey>();
  for (const { canonical_message_id, group_id, sent_at_ms } of places) {
    if (canonical_message_id === null || sent_at_ms === null) continue;
    const day_start_ms = sent_at_ms - (sent_at_ms % DAY_MS);
    keys.set(`${canonical_message_id} ${day_start_ms} ${group_id}`, {
      canonical_message_id,
      day_start_ms,
      group_id,
    });
  }
  return [...keys.values()];
}
