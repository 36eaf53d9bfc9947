/**
 * Saves what a batch of events says: about groups, senders, occurrences with their messages, and sessions.
 *
 * Invariant: the result depends on the facts, not on their order, batches or repeats. Each fact is joined with what
 * is stored (earliest time, union of sessions, newest name) and never overwrites it. Several workers do this at the
 * same time. They lock the tables in the order groups, carried edits, reported messages, identifiers, messages,
 * sessions, and the rows of a table in the order of their keys, so there is no deadlock.
 *
 * Example: sessions "a" and "b" both report message AA01 in a group, "126610LN 98k", "a" from phone:447700900120 and
 * "b" from lid:1999. The result is one occurrence with two sessions, and one canonical message. The pair of
 * identifiers is queued, and `mergeContacts` makes them one contact.
 */
import type { Database } from "../db/database.ts";
import { ALL_MEMBERS, pairOf, type Sighting } from "./contacts/contact.ts";
import { saveAdmins } from "./contacts/contact-write-store.ts";
import { queueNewSightings, saveIdentifiers } from "./contacts/save-sightings.ts";
import { deriveMessages, withAdmins } from "./derive-messages.ts";
import { type AdminFact, boundTime, type GatewayFact, type SessionFact } from "./gateway-event.ts";
import { saveGroupNames, saveGroups } from "./group-store.ts";
import { groupIdOf } from "./message.ts";
import { deriveOccurrences, pairsIn } from "./occurrences/derive-occurrences.ts";
import {
  groupFacts,
  identifiersIn,
  isOccurrenceFact,
  type OccurrenceFact,
  type ReceivedFact,
  rawName,
  reportedMessageIdOf,
} from "./occurrences/report.ts";
import {
  saveReports,
  type TouchedMessage,
  takeCarriedEdits,
} from "./occurrences/reported-message-store.ts";
import { type DerivedMessage, saveDerived } from "./occurrences/save-occurrences.ts";
import { type SentMessage, saveSessions } from "./session-store.ts";

/** What one event says. */
interface EventFacts {
  readonly facts: readonly GatewayFact[];
  readonly receivedAtMs: number;
  /** A message fires alerts only if it was sent at this time or later; null if the event fires none. */
  readonly alertSinceMs: number | null;
  /** Its receipt counts as a receipt of the message. */
  readonly isHeard: boolean;
}

export async function saveFacts(tx: Database, received: readonly EventFacts[]): Promise<void> {
  const events = received.map(boundTimes);
  const facts = events.flatMap((event) => event.facts);
  const groups = await saveGroupFacts(tx, facts);
  const reported = await withCarriedEdits(tx, listReceived(events, groups));
  const touched = await saveReports(tx, groupFacts(reported));

  const changedAdminIds = await saveAdminFacts(tx, ofKind(facts, "admin"), groups);
  const sightings = listSightings(facts, { reported, touched, changedAdminIds });
  const messages = touched.map(({ message }) => message);
  const identifiers = await saveIdentifiers(tx, sightings, messages.flatMap(identifiersIn));
  const identities = await withAdmins(
    tx,
    messages,
    (identifier) => identifiers.stored.get(identifier)?.contact_id,
  );
  const derived = touched.map(({ message, before }) => ({
    group_id: message.group_id,
    raw_id: message.raw_id,
    isNew: before === undefined,
    occurrences: deriveOccurrences(message, identities),
  }));
  const changes = await saveDerived(tx, derived);
  const alertLimits = limitAlerts(reported, touched, derived);
  const opened = derived.flatMap(({ occurrences }, at) =>
    hasOpened(touched[at]) ? occurrences.filter(({ id }) => alertLimits.has(id)) : [],
  );

  await Promise.all([
    deriveMessages(tx, { ...changes, alertLimits, opened }),
    queueNewSightings(tx, sightings, identifiers),
    saveSessionFacts(tx, ofKind(facts, "session"), [
      ...listSentMessages(reported),
      ...events.flatMap((event) => listHeardMessages(event, groups)),
    ]),
  ]);
}

/** Returns what events that leave said about senders. The pairs that their messages proved are kept with the reports. */
export async function listEvidence(
  tx: Database,
  received: readonly EventFacts[],
): Promise<readonly Sighting[]> {
  const events = received.map(boundTimes);
  const facts = events.flatMap((event) => event.facts);
  const reported = listReceived(events, await saveGroupFacts(tx, facts));
  return listSightings(facts, { reported, touched: [], changedAdminIds: [] });
}

/** A message keeps its time as sent, because that identifies it. See `deriveOccurrences` for how it is bounded. */
function boundTimes(event: EventFacts): EventFacts {
  if (!event.facts.some((fact) => latestOf(fact) > event.receivedAtMs)) return event;
  return { ...event, facts: event.facts.map((fact) => boundFact(fact, event.receivedAtMs)) };
}

function latestOf(fact: GatewayFact): number {
  if (isBoundLater(fact)) return 0;
  if (fact.kind === "edit") return fact.editedAtMs;
  if (fact.kind === "admin") return fact.atMs ?? Number.POSITIVE_INFINITY;
  return fact.kind === "session" && fact.status !== undefined
    ? Math.max(fact.atMs, fact.status.atMs)
    : fact.atMs;
}

/** Facts that keep their time until a report is made of them, and those without one. */
function isBoundLater(
  fact: GatewayFact,
): fact is Extract<GatewayFact, { kind: "message" | "revoke" | "check" | "heard" }> {
  return ["message", "revoke", "check", "heard"].includes(fact.kind);
}

function boundFact(fact: GatewayFact, receivedAtMs: number): GatewayFact {
  const bound = (atMs: number) => boundTime(atMs, receivedAtMs);
  if (isBoundLater(fact)) return fact;
  if (fact.kind === "edit") return { ...fact, editedAtMs: bound(fact.editedAtMs) };
  // One without a time is of the moment of its receipt.
  if (fact.kind === "admin") return { ...fact, atMs: bound(fact.atMs ?? receivedAtMs) };
  if (fact.kind !== "session" || fact.status === undefined) {
    return { ...fact, atMs: bound(fact.atMs) };
  }
  const status = { ...fact.status, atMs: bound(fact.status.atMs) };
  return { ...fact, atMs: bound(fact.atMs), status };
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
    const group = fact.kind === "session" || fact.kind === "identity" ? undefined : fact.group;
    if (group !== undefined && !ids.has(group)) ids.set(group, groupIdOf(group));
  }
  return ids;
}

/** Facts of ignored groups are left out. */
function listReceived(events: readonly EventFacts[], groups: SavedGroups): readonly ReceivedFact[] {
  return events.flatMap(({ facts, ...received }) =>
    facts.filter(isOccurrenceFact).flatMap((fact) => {
      const groupId = groupIdIn(groups, fact);
      return groups.ignoredIds.has(groupId) ? [] : [{ fact, groupId, ...received }];
    }),
  );
}

/** An edit that waited for its message when a replay began has the alert window of before. */
async function withCarriedEdits(
  tx: Database,
  reported: readonly ReceivedFact[],
): Promise<readonly ReceivedFact[]> {
  const isReplayed = ({ fact, alertSinceMs }: ReceivedFact) =>
    fact.kind === "edit" && alertSinceMs === null;
  const idOf = ({ groupId, fact }: ReceivedFact) => reportedMessageIdOf(groupId, fact.rawId);
  const ids = reported.filter(isReplayed).map(idOf);
  if (ids.length === 0) return reported;
  const windows = await takeCarriedEdits(tx, ids);
  return reported.map((item) =>
    isReplayed(item) ? { ...item, alertSinceMs: windows.get(idOf(item)) ?? null } : item,
  );
}

function groupIdIn({ ids }: SavedGroups, { group }: OccurrenceFact | AdminFact): string {
  return ids.get(group) ?? groupIdOf(group);
}

/** By occurrence: since when its message may fire alerts, see `deriveMessages`. A revocation or a check fires none. */
function limitAlerts(
  reported: readonly ReceivedFact[],
  touched: readonly TouchedMessage[],
  derived: readonly DerivedMessage[],
): ReadonlyMap<string, number> {
  const limits = new Map<string, number>();
  const add = (name: string, sinceMs: number | null | undefined): void => {
    if (sinceMs != null) limits.set(name, Math.min(limits.get(name) ?? sinceMs, sinceMs));
  };
  for (const { fact, groupId, alertSinceMs } of reported) {
    if (fact.kind === "message" || fact.kind === "edit")
      add(rawName(groupId, fact.rawId), alertSinceMs);
  }
  for (const { message, before } of touched) {
    add(rawName(message.group_id, message.raw_id), before?.edit_alert_since_ms);
  }
  return new Map(
    derived.flatMap(({ group_id, raw_id, occurrences }) => {
      const limit = limits.get(rawName(group_id, raw_id));
      return limit === undefined ? [] : occurrences.map((row) => [row.id, limit] as const);
    }),
  );
}

/**
 * True if the message was heard for the first time, or earlier than was known: fresh events are read before others, so an
 * earlier receipt can come later. Then it may fire alerts, even if the event says nothing else that is new.
 */
function hasOpened(touched: TouchedMessage | undefined): boolean {
  if (touched?.before === undefined || touched.message.heard_at_ms === null) return false;
  return touched.message.heard_at_ms < (touched.before.heard_at_ms ?? Number.POSITIVE_INFINITY);
}

/** Returns the identifiers whose rights may have changed. */
async function saveAdminFacts(
  tx: Database,
  facts: readonly AdminFact[],
  groups: SavedGroups,
): Promise<readonly string[]> {
  const rows = facts.flatMap((fact) => {
    const { identifiers, isAdmin, wasAdmin, atMs = 0 } = fact;
    const group_id = groupIdIn(groups, fact);
    return (identifiers.length === 0 ? [ALL_MEMBERS] : identifiers).flatMap((identifier) => [
      { group_id, identifier, at_ms: atMs, is_admin: isAdmin },
      ...(wasAdmin ? [{ group_id, identifier, at_ms: atMs - 1, is_admin: true }] : []),
    ]);
  });
  return rows.length === 0 ? [] : saveAdmins(tx, rows);
}

interface SightingSources {
  readonly reported: readonly ReceivedFact[];
  readonly touched: readonly TouchedMessage[];
  readonly changedAdminIds: readonly string[];
}

function listSightings(
  facts: readonly GatewayFact[],
  { reported, touched, changedAdminIds }: SightingSources,
): readonly Sighting[] {
  const onlyReports = new Set(
    touched
      .filter(({ message }) => message.reports.length === 1)
      .map(({ message }) => rawName(message.group_id, message.raw_id)),
  );
  return [
    ...reported.flatMap((received) => listSenderSightings(received, onlyReports)),
    ...touched.flatMap(listPairSightings),
    ...ofKind(facts, "identity").map(
      ({ identifiers, atMs }) => ({ identifiers, atMs, isOwn: false, evidence: "list" }) as const,
    ),
    ...ofKind(facts, "admin")
      .filter(({ isAdmin, wasAdmin }) => isAdmin || wasAdmin)
      .flatMap(({ identifiers, atMs = 0 }) =>
        identifiers.map((identifier) => toListSighting(identifier, atMs)),
      ),
    // No evidence of when they were seen: it only says that what they revoked is derived again.
    ...changedAdminIds.map((identifier) => ({
      ...toListSighting(identifier, Number.MAX_SAFE_INTEGER),
      isNew: true,
    })),
    ...ofKind(facts, "session")
      .filter(({ identifiers }) => identifiers.length > 0)
      .flatMap(listAccountSightings),
  ];
}

function toListSighting(identifier: string, atMs: number): Sighting {
  return { identifiers: [identifier], atMs, isOwn: false, evidence: "list" };
}

/**
 * Each identifier of a sender by itself: whether they are a pair depends on all reports of the message. If this is the only
 * one, they are. The author of an edit or a revocation counts only as a pair, which such an event proves by itself.
 */
function listSenderSightings(
  { fact, groupId, receivedAtMs }: ReceivedFact,
  onlyReports: ReadonlySet<string>,
): readonly Sighting[] {
  if (fact.kind !== "message") {
    const atMs = fact.kind === "edit" ? fact.editedAtMs : receivedAtMs;
    return fact.authorIds.length < 2
      ? []
      : [{ identifiers: fact.authorIds, atMs, isOwn: false, evidence: "list" }];
  }
  const atMs = boundTime(fact.sentAtMs, receivedAtMs);
  const { senderName: name } = fact;
  const isPair = fact.senderIds.length > 1 && onlyReports.has(rawName(groupId, fact.rawId));
  const seen = isPair ? [fact.senderIds] : fact.senderIds.map((identifier) => [identifier]);
  return seen.map((identifiers) => ({
    identifiers,
    atMs,
    isOwn: false,
    evidence: "message",
    ...(name === undefined ? {} : { name }),
  }));
}

/**
 * The pairs that several reports of a message prove now, and those that it no longer proves. The time is the greatest, because this is no
 * evidence of when they were seen: whether it is queued depends on the order of events, and times must not.
 */
function listPairSightings({ message, before }: TouchedMessage): readonly Sighting[] {
  if (message.reports.length === 1) return [];
  const now = pairsIn(message);
  const names = new Set(now.map((pair) => pair.join(" ")));
  const lost =
    before === undefined ? [] : pairsIn(before).filter((pair) => !names.has(pair.join(" ")));
  const toSighting = (identifiers: readonly string[], evidence: "message" | "doubt") => ({
    identifiers,
    atMs: Number.MAX_SAFE_INTEGER,
    isOwn: false,
    evidence,
  });
  return [
    ...now.map((pair) => toSighting(pair, "message")),
    ...lost.map((pair) => toSighting(pair, "doubt")),
  ];
}

function listAccountSightings({ identifiers, atMs }: SessionFact): readonly Sighting[] {
  const seen = pairOf(identifiers) === undefined ? identifiers.map((id) => [id]) : [identifiers];
  return seen.map((ids) => ({ identifiers: ids, atMs, isOwn: true, evidence: "list" }));
}

function listSentMessages(reported: readonly ReceivedFact[]): readonly SentMessage[] {
  return reported.flatMap(({ fact, receivedAtMs }) =>
    fact.kind === "message" && fact.session !== undefined
      ? [{ session: fact.session, sentAtMs: boundTime(fact.sentAtMs, receivedAtMs) }]
      : [],
  );
}

/** The same of messages that were erased. */
function listHeardMessages(
  { facts, receivedAtMs }: EventFacts,
  groups: SavedGroups,
): readonly SentMessage[] {
  return facts.flatMap((fact) => {
    if (fact.kind !== "heard" || fact.session === undefined || fact.sentAtMs === undefined)
      return [];
    if (groups.ignoredIds.has(groups.ids.get(fact.group ?? "") ?? "")) return [];
    return [{ session: fact.session, sentAtMs: boundTime(fact.sentAtMs, receivedAtMs) }];
  });
}

async function saveSessionFacts(
  tx: Database,
  sessions: readonly SessionFact[],
  messages: readonly SentMessage[],
): Promise<void> {
  if (sessions.length + messages.length > 0) await saveSessions(tx, sessions, messages);
}

function ofKind<Kind extends GatewayFact["kind"]>(facts: readonly GatewayFact[], kind: Kind) {
  return facts.filter((fact): fact is Extract<GatewayFact, { kind: Kind }> => fact.kind === kind);
}
