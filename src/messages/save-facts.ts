/**
 * Saves what a batch of events says: about groups, senders, occurrences with their messages, and sessions.
 *
 * Invariant: the result depends on the facts, not on their order, batches or repeats. Each fact is joined with what
 * is stored (earliest time, union of sessions, newest name) and never overwrites it. Several workers do this at the
 * same time. They lock the tables in the order groups, identifiers, occurrences, messages, sessions, and the rows of
 * a table in the order of their keys, so there is no deadlock.
 *
 * Example: sessions "a" and "b" both report message AA01 in a group, "126610LN 98k", "a" from phone:447700900120 and
 * "b" from lid:1999. The result is one occurrence with two sessions, and one canonical message. The pair of
 * identifiers is queued, and `mergeContacts` makes them one contact.
 */
import type { Database } from "../db/database.ts";
import type { Sighting } from "./contacts/contact-store.ts";
import { queueNewSightings, saveIdentifiers } from "./contacts/save-sightings.ts";
import type { AlertLimits } from "./derive-messages.ts";
import type { GatewayFact, MessageFact, SessionFact } from "./gateway-event.ts";
import { saveGroupNames, saveGroups } from "./groups/group-store.ts";
import { groupIdOf } from "./message.ts";
import {
  addIds,
  type FactWithIds,
  isOccurrenceFact,
  type SavedOccurrence,
} from "./occurrences/occurrence.ts";
import { saveOccurrenceFacts } from "./save-occurrence-facts.ts";
import { saveSessions } from "./sessions/session-store.ts";

/** What one event says. */
export interface EventFacts {
  readonly facts: readonly GatewayFact[];
  /** A message fires alerts only if it was sent at this time or later; null if the event fires none. */
  readonly alertSinceMs: number | null;
}

export async function saveFacts(tx: Database, events: readonly EventFacts[]): Promise<void> {
  const facts = events.flatMap((event) => event.facts);
  const sessions = ofKind(facts, "session");
  const groups = await saveGroupFacts(tx, facts);
  const occurrences = listOccurrenceFacts(events, groups);
  const messages = occurrences.facts.flatMap(({ fact }) => (fact.kind === "message" ? [fact] : []));

  const sightings = [
    ...messages.map(toSenderSighting),
    ...ofKind(facts, "identity").map((fact) => ({ ...fact, isOwn: false })),
    ...sessions.filter(({ identifiers }) => identifiers.length > 0).map(toAccountSighting),
  ];
  const identifiers = await saveIdentifiers(tx, sightings);
  const contactOf = (identifier: string) => identifiers.stored.get(identifier)?.contact_id;
  const saved = await saveOccurrenceFacts(tx, occurrences, contactOf);

  await Promise.all([
    queueNewSightings(
      tx,
      { reported: sightings, joined: saved.map(toJoinedSighting) },
      identifiers,
    ),
    saveSessionFacts(tx, sessions, messages),
  ]);
}

interface SavedGroups {
  /** Our group ids by the gateway's. */
  readonly ids: ReadonlyMap<string, string>;
  /** Groups whose messages are stored as raw events only. */
  readonly ignoredIds: ReadonlySet<string>;
}

async function saveGroupFacts(tx: Database, facts: readonly GatewayFact[]): Promise<SavedGroups> {
  const ids = groupIdsOf(facts);
  const ignoredIds = ids.size === 0 ? new Set<string>() : await saveGroups(tx, ids);
  const names = ofKind(facts, "group");
  if (names.length > 0) await saveGroupNames(tx, names);
  return { ids, ignoredIds };
}

function groupIdsOf(facts: readonly GatewayFact[]): ReadonlyMap<string, string> {
  const ids = new Map<string, string>();
  for (const fact of facts) {
    if (fact.kind !== "group" && !isOccurrenceFact(fact)) continue;
    if (!ids.has(fact.group)) ids.set(fact.group, groupIdOf(fact.group));
  }
  return ids;
}

/** Facts of ignored groups are left out. */
function listOccurrenceFacts(
  events: readonly EventFacts[],
  groups: SavedGroups,
): { readonly facts: readonly FactWithIds[]; readonly alertLimits: AlertLimits } {
  const kept: FactWithIds[] = [];
  const alertLimits = new Map<string, number>();
  for (const { facts, alertSinceMs } of events) {
    for (const fact of facts.filter(isOccurrenceFact)) {
      const withIds = addIds(fact, groups.ids);
      if (groups.ignoredIds.has(withIds.groupId)) continue;
      kept.push(withIds);
      if (alertSinceMs === null || fact.kind === "revoke") continue;
      const lastMs = alertLimits.get(withIds.occurrenceId) ?? alertSinceMs;
      alertLimits.set(withIds.occurrenceId, Math.min(lastMs, alertSinceMs));
    }
  }
  return { facts: kept, alertLimits };
}

function toSenderSighting(fact: MessageFact): Sighting {
  const { senderIds: identifiers, sentAtMs: atMs, senderName: name } = fact;
  return name === undefined
    ? { identifiers, atMs, isOwn: false }
    : { identifiers, atMs, name, isOwn: false };
}

function toAccountSighting({ identifiers, atMs }: SessionFact): Sighting {
  return { identifiers, atMs, isOwn: true };
}

/**
 * All identifiers that sessions reported for the sender of one message. The time is the greatest, because this is no
 * evidence of when they were seen: whether it is queued depends on the order of events, and times must not.
 */
function toJoinedSighting({ sender_ids }: SavedOccurrence): Sighting {
  return { identifiers: sender_ids, atMs: Number.MAX_SAFE_INTEGER, isOwn: false };
}

async function saveSessionFacts(
  tx: Database,
  sessions: readonly SessionFact[],
  messages: readonly MessageFact[],
): Promise<void> {
  const reported = messages.flatMap(({ session, sentAtMs }) =>
    session === undefined ? [] : [{ session, sentAtMs }],
  );
  if (sessions.length + reported.length > 0) await saveSessions(tx, sessions, reported);
}

function ofKind<Kind extends GatewayFact["kind"]>(facts: readonly GatewayFact[], kind: Kind) {
  return facts.filter((fact): fact is Extract<GatewayFact, { kind: Kind }> => fact.kind === kind);
}
