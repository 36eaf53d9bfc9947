import type { EditFact, GatewayFact, MessageFact, RevokeFact } from "./gateway-event.ts";
import {
  canonicalMessageIdOf,
  groupIdOf,
  identitySha256,
  occurrenceIdOf,
  sessionIdOf,
  sha256,
} from "./message.ts";
import type { NewVersion } from "./message-store.ts";
import type { OccurrenceNews, PlainOccurrence } from "./occurrence-store.ts";

type OccurrenceFact = MessageFact | EditFact | RevokeFact;

/** A fact with the ids that follow from it: hashes, so each is made once. */
export interface NamedFact {
  readonly fact: OccurrenceFact;
  readonly occurrenceId: string;
  readonly groupId: string;
  /** Of its text; null if it has none, or none that counts. */
  readonly identitySha256: string | null;
}

/** All that one batch says of an occurrence. */
export interface SpokenOccurrence {
  readonly news: OccurrenceNews;
  readonly facts: readonly NamedFact[];
}

/** Contacts by identifier. */
export type ContactOf = (identifier: string) => string | undefined;

export function isOccurrenceFact(fact: GatewayFact): fact is OccurrenceFact {
  return fact.kind === "message" || fact.kind === "edit" || fact.kind === "revoke";
}

/** `groupIds` by the gateway's own. */
export function nameFact(fact: OccurrenceFact, groupIds: ReadonlyMap<string, string>): NamedFact {
  return {
    fact,
    occurrenceId: occurrenceIdOf(fact.group, fact.rawId),
    groupId: groupIds.get(fact.group) ?? groupIdOf(fact.group),
    identitySha256: fact.kind === "revoke" ? null : (identitySha256(fact.text) ?? null),
  };
}

/** One for each occurrence that the facts are about. */
export function joinFacts(
  facts: readonly NamedFact[],
  contactOf: ContactOf,
): readonly SpokenOccurrence[] {
  const sessionIds = new Map<string, string>();
  const idOfSession = (session: string): string => {
    const known = sessionIds.get(session) ?? sessionIdOf(session);
    sessionIds.set(session, known);
    return known;
  };
  const spoken = new Map<string, SpokenOccurrence>();
  for (const named of facts) {
    const news = toNews(named, contactOf, idOfSession);
    const last = spoken.get(news.id);
    spoken.set(
      news.id,
      last === undefined
        ? { news, facts: [named] }
        : { news: joinNews(last.news, news), facts: [...last.facts, named] },
    );
  }
  return [...spoken.values()];
}

/**
 * Most occurrences are new and are spoken of once, by their message: what such a one makes is known without reading
 * anything. Undefined: it is not of that kind.
 */
export function toPlain({ news, facts }: SpokenOccurrence): PlainOccurrence | undefined {
  const [named] = facts;
  if (facts.length !== 1 || named?.fact.kind !== "message") return undefined;
  if (news.contact_id === null || news.sent_at_ms === null) return undefined;
  // Member by member: a copy by spreading takes several times as long, and this is done for every message.
  return {
    id: news.id,
    group_id: news.group_id,
    raw_id: news.raw_id,
    sent_at_ms: news.sent_at_ms,
    sender_ids: news.sender_ids,
    contact_id: news.contact_id,
    is_own: news.is_own,
    has_media: news.has_media,
    is_revoked: news.is_revoked,
    session_ids: news.session_ids,
    canonical_message_id: canonicalMessageIdOf({
      contactId: news.contact_id,
      occurrenceId: news.id,
      identitySha256: named.identitySha256,
    }),
    text: named.fact.text,
  };
}

/** The text that a fact gives an occurrence; `messageId` if it is known. */
export function toVersion(named: NamedFact, messageId: string | null): readonly NewVersion[] {
  const { fact, occurrenceId } = named;
  if (fact.kind === "revoke") return [];
  return [
    {
      occurrence_id: occurrenceId,
      version_at_ms: fact.kind === "edit" ? fact.editedAtMs : 0,
      text_sha256: sha256(fact.text),
      text: fact.text,
      identity_sha256: named.identitySha256,
      canonical_message_id: messageId,
    },
  ];
}

function toNews(
  { fact, occurrenceId, groupId }: NamedFact,
  contactOf: ContactOf,
  idOfSession: (session: string) => string,
): OccurrenceNews {
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

function joinNews(left: OccurrenceNews, right: OccurrenceNews): OccurrenceNews {
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
