/**
 * An occurrence is one message in one group, whichever sessions received it. Events report it in pieces: its message
 * (once per session), edits and a revocation, in any order. All pieces of a batch are joined into one update, and the
 * store joins the update with the row that it has.
 *
 * Invariant: joining is commutative, associative and idempotent (earliest time, unions, logical or), so the order of
 * events and their repeats do not matter.
 *
 * Example: session "a" reports AA01 sent at 1000 by phone:447700900120, session "b" reports AA01 sent at 1001 by
 * lid:1999, and a revocation of AA01 follows. The update is: sent_at_ms 1000, sender_ids [lid:1999,
 * phone:447700900120], two session_ids, is_revoked true.
 */
import type { EditFact, GatewayFact, MessageFact, RevokeFact } from "../gateway-event.ts";
import {
  canonicalMessageIdOf,
  groupIdOf,
  identitySha256,
  occurrenceIdOf,
  sessionIdOf,
} from "../message.ts";

/** A fact about a single message. */
export type OccurrenceFact = MessageFact | EditFact | RevokeFact;

/** A fact with the ids that follow from it. They are hashes, so each is computed once. */
export interface FactWithIds {
  readonly fact: OccurrenceFact;
  readonly occurrenceId: string;
  readonly groupId: string;
  /** Hash of its text; null if it has no text, or only characters that do not count. */
  readonly identitySha256: string | null;
}

/** What one batch says about an occurrence, to be joined with what is stored. */
export interface OccurrenceUpdate {
  readonly id: string;
  readonly group_id: string;
  readonly raw_id: string;
  readonly sent_at_ms: number | null;
  readonly sender_ids: readonly string[];
  readonly contact_id: string | null;
  readonly is_own: boolean;
  readonly has_media: boolean;
  readonly is_revoked: boolean;
  readonly session_ids: readonly string[];
}

/** An update and the facts that it was joined from. */
export interface ReportedOccurrence {
  readonly update: OccurrenceUpdate;
  readonly facts: readonly FactWithIds[];
}

/** An occurrence that its batch reports with one message fact and nothing else. */
export interface SingleFactOccurrence extends OccurrenceUpdate {
  readonly sent_at_ms: number;
  readonly contact_id: string;
  readonly canonical_message_id: string;
  readonly text: string;
}

/** Where an occurrence is counted: its message, and the day and group of the roll-up. */
export interface OccurrencePlace {
  readonly id: string;
  readonly group_id: string;
  readonly sent_at_ms: number | null;
  readonly canonical_message_id: string | null;
}

/** A place, and whether the current version of the occurrence is an edit. */
export interface PlacedOccurrence extends OccurrencePlace {
  readonly is_edited: boolean;
}

export interface SavedOccurrence extends PlacedOccurrence {
  readonly sender_ids: readonly string[];
  readonly contact_id: string | null;
}

/** What a batch or a merge did to occurrences; their messages are derived from it. */
export interface OccurrenceChanges<Occurrence extends PlacedOccurrence = PlacedOccurrence> {
  /** Changed occurrences as they are now, locked. New ones are among them, except `singleFacts`. */
  readonly changed: readonly Occurrence[];
  /** Those of them that were stored before, as they were. */
  readonly before: readonly OccurrencePlace[];
  /** New occurrences with one message fact, stored with their message. */
  readonly singleFacts: readonly SingleFactOccurrence[];
}

/** Returns the contact of an identifier. */
export type ContactOf = (identifier: string) => string | undefined;

export function isOccurrenceFact(fact: GatewayFact): fact is OccurrenceFact {
  return fact.kind === "message" || fact.kind === "edit" || fact.kind === "revoke";
}

/** `groupIds` maps the gateway's group ids to ours. */
export function addIds(fact: OccurrenceFact, groupIds: ReadonlyMap<string, string>): FactWithIds {
  return {
    fact,
    occurrenceId: occurrenceIdOf(fact.group, fact.rawId),
    groupId: groupIds.get(fact.group) ?? groupIdOf(fact.group),
    identitySha256: fact.kind === "revoke" ? null : (identitySha256(fact.text) ?? null),
  };
}

/** Returns one item for each occurrence that the facts are about. */
export function joinFacts(
  facts: readonly FactWithIds[],
  contactOf: ContactOf,
): readonly ReportedOccurrence[] {
  const sessionIds = new Map<string, string>();
  const idOfSession = (session: string): string => {
    const id = sessionIds.get(session) ?? sessionIdOf(session);
    sessionIds.set(session, id);
    return id;
  };
  const reported = new Map<string, ReportedOccurrence>();
  for (const fact of facts) {
    const update = toUpdate(fact, contactOf, idOfSession);
    const last = reported.get(update.id);
    reported.set(
      update.id,
      last === undefined
        ? { update, facts: [fact] }
        : { update: joinUpdates(last.update, update), facts: [...last.facts, fact] },
    );
  }
  return [...reported.values()];
}

function toUpdate(
  { fact, occurrenceId, groupId }: FactWithIds,
  contactOf: ContactOf,
  idOfSession: (session: string) => string,
): OccurrenceUpdate {
  const message = fact.kind === "message" ? fact : undefined;
  const [sender] = message?.senderIds ?? [];
  return {
    id: occurrenceId,
    group_id: groupId,
    raw_id: fact.rawId,
    sent_at_ms: message?.sentAtMs ?? null,
    sender_ids: message?.senderIds ?? [],
    contact_id: sender === undefined ? null : (contactOf(sender) ?? null),
    is_own: message?.isOwn ?? false,
    has_media: message?.hasMedia ?? false,
    is_revoked: fact.kind === "revoke",
    session_ids: message?.session === undefined ? [] : [idOfSession(message.session)],
  };
}

function joinUpdates(left: OccurrenceUpdate, right: OccurrenceUpdate): OccurrenceUpdate {
  const times = [left.sent_at_ms, right.sent_at_ms].filter((atMs) => atMs !== null);
  return {
    ...left,
    sent_at_ms: times.length === 0 ? null : Math.min(...times),
    sender_ids: [...new Set([...left.sender_ids, ...right.sender_ids])].sort(),
    contact_id: left.contact_id ?? right.contact_id,
    is_own: left.is_own || right.is_own,
    has_media: left.has_media || right.has_media,
    is_revoked: left.is_revoked || right.is_revoked,
    session_ids: [...new Set([...left.session_ids, ...right.session_ids])].sort(),
  };
}

/**
 * Returns undefined if more than one fact reports the occurrence, or if its one fact is not a message. Most new
 * occurrences are reported once, and everything that follows from such a one is known without reading the store.
 */
export function toSingleFact({
  update,
  facts,
}: ReportedOccurrence): SingleFactOccurrence | undefined {
  const [only] = facts;
  if (facts.length !== 1 || only?.fact.kind !== "message") return undefined;
  if (update.contact_id === null || update.sent_at_ms === null) return undefined;
  // Member by member: copying with a spread takes several times as long, and this runs for every message.
  return {
    id: update.id,
    group_id: update.group_id,
    raw_id: update.raw_id,
    sent_at_ms: update.sent_at_ms,
    sender_ids: update.sender_ids,
    contact_id: update.contact_id,
    is_own: update.is_own,
    has_media: update.has_media,
    is_revoked: update.is_revoked,
    session_ids: update.session_ids,
    canonical_message_id: canonicalMessageIdOf({
      contactId: update.contact_id,
      occurrenceId: update.id,
      identitySha256: only.identitySha256,
    }),
    text: only.fact.text,
  };
}
