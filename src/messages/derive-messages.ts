import type { Database } from "../db/database.ts";
import { draftMessages } from "./draft-messages.ts";
import { canonicalMessageIdOf } from "./message.ts";
import { moveQueuedAlerts, queueMessages } from "./message-queue-store.ts";
import {
  extendMessages,
  listVersions,
  lockMessages,
  refreshMessages,
  removeEmptyMessages,
  type StoredVersion,
  saveMessageAliases,
  saveVersionMessages,
} from "./message-store.ts";
import {
  type HeldOccurrence,
  type OccurrencePlace,
  type PlainOccurrence,
  saveHolders,
} from "./occurrence-store.ts";
import {
  addRollups,
  countOccurrences,
  type RollupKey,
  recountRollups,
  removeEmptyRollups,
  rollupKeyOf,
  rollupName,
} from "./rollup-store.ts";

/** A hundred thousand years: for ever. */
const ALERT_MS_MAX = 3_155_760_000_000_000;

export interface Touched {
  /** Occurrences of which something changed, locked. */
  readonly now: readonly HeldOccurrence[];
  /** Those of them that were there before, as they were. */
  readonly before: readonly OccurrencePlace[];
  /** New occurrences with one text each, of which nothing else is stored. */
  readonly plain: readonly PlainOccurrence[];
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
 * one. It reads only what is stored, so it may run twice, and the last to run sees everything. Messages that gained
 * plain occurrences and nothing else are counted from those, as far as nothing was stored of them.
 */
export async function deriveMessages(tx: Database, touched: Touched): Promise<void> {
  const named = await nameVersions(tx, touched.now);
  const moved = named.filter((version) => version.canonical_message_id !== version.messageId);
  const bare = new Map(named.map((version) => [version.messageId, version.contact_id]));
  const lost = [
    ...[...moved, ...touched.before].flatMap((place) => place.canonical_message_id ?? []),
    ...(touched.otherMessageIds ?? []),
  ];
  const changed = new Set([...bare.keys(), ...lost]);
  const plain = touched.plain.filter((place) => !changed.has(place.canonical_message_id));
  const drafts = draftMessages(plain);
  if (changed.size + drafts.length === 0) return;
  const made = await lockMessages(tx, { bare, drafts }, lost);
  const holders = toHolders(named);
  const repeated = plain.length === 0 ? [] : await addRollups(tx, countOccurrences(plain));
  const extended = drafts.filter(({ id }) => !made.has(id));
  const queued = [...changed, ...drafts.map(({ id }) => id)];
  // Sent in this order without waiting for each other's answers: the messages read the roll-ups.
  await Promise.all([
    repeated.length > 0 ? recountRollups(tx, repeated) : undefined,
    extended.length > 0 ? extendMessages(tx, extended) : undefined,
    changed.size > 0 ? refreshChanged(tx, touched, { moved, holders, changed }) : undefined,
    queueMessages(tx, queued, alertTimes(touched, [...holders, ...touched.plain])),
  ]);
}

type NamedVersion = StoredVersion & { readonly messageId: string };

interface Holder {
  readonly id: string;
  readonly canonical_message_id: string;
  readonly is_edited: boolean;
}

interface Changed {
  /** Versions that belong to another message than before. */
  readonly moved: readonly NamedVersion[];
  readonly holders: readonly Holder[];
  /** Messages of which more changed than that they gained plain occurrences. */
  readonly changed: ReadonlySet<string>;
}

async function nameVersions(
  tx: Database,
  occurrences: readonly HeldOccurrence[],
): Promise<readonly NamedVersion[]> {
  if (occurrences.length === 0) return [];
  const versions = await listVersions(
    tx,
    occurrences.map(({ id }) => id),
  );
  return versions.map((version) => ({ ...version, messageId: messageIdOf(version) }));
}

async function refreshChanged(
  tx: Database,
  touched: Touched,
  { moved, holders, changed }: Changed,
): Promise<void> {
  if (moved.length > 0) {
    await saveVersionMessages(
      tx,
      moved.map(({ messageId, ...version }) => ({ ...version, canonical_message_id: messageId })),
    );
  }
  const heldNow = new Map(touched.now.map((place) => [place.id, place]));
  const moves = holders.filter(({ id, canonical_message_id, is_edited }) => {
    const held = heldNow.get(id);
    return held?.canonical_message_id !== canonical_message_id || held.is_edited !== is_edited;
  });
  if (moves.length > 0) await saveHolders(tx, moves);
  const keys = rollupKeys(touched, { holders, changed });
  await removeEmptyRollups(tx, keys);
  await recountRollups(tx, keys);
  if (touched.isMerge) await removeEmptyMessages(tx, [...changed]);
  await refreshMessages(tx, [...changed]);
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

function toHolders(named: readonly NamedVersion[]): readonly Holder[] {
  return named
    .filter(({ is_holding }) => is_holding)
    .map((version) => ({
      id: version.occurrence_id,
      canonical_message_id: version.messageId,
      is_edited: version.version_at_ms > 0,
    }));
}

/** By message: how much of the alert window was left when something of it came. */
function alertTimes(
  touched: Touched,
  holders: readonly { readonly id: string; readonly canonical_message_id: string }[],
): ReadonlyMap<string, number> {
  const sentAt = new Map(
    [...touched.now, ...touched.plain].map(({ id, sent_at_ms }) => [id, sent_at_ms]),
  );
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

/** Where the occurrences counted before, and where they count now; plain ones if their message changed otherwise too. */
function rollupKeys(
  touched: Touched,
  { holders, changed }: Pick<Changed, "holders" | "changed">,
): readonly RollupKey[] {
  const heldBy = new Map(holders.map((held) => [held.id, held.canonical_message_id]));
  const places = [
    ...touched.before,
    ...touched.now.map((place) => ({
      ...place,
      canonical_message_id: heldBy.get(place.id) ?? null,
    })),
    ...touched.plain.filter((place) => changed.has(place.canonical_message_id)),
  ];
  const keys = new Map<string, RollupKey>();
  for (const { canonical_message_id, group_id, sent_at_ms } of places) {
    if (canonical_message_id === null || sent_at_ms === null) continue;
    const key = rollupKeyOf({ canonical_message_id, group_id, sent_at_ms });
    keys.set(rollupName(key), key);
  }
  return [...keys.values()];
}
