import type { Database } from "../db/database.ts";
import {
  findPairs,
  type KnownIdentifier,
  lockIdentifiers,
  pairsOf,
  queueIdentities,
  type SeenIdentity,
  saveNewIdentifiers,
} from "./contact-store.ts";
import { type AlertLimits, deriveMessages } from "./derive-messages.ts";
import type { EditFact, GatewayFact, MessageFact, RevokeFact } from "./gateway-event.ts";
import { saveGroupNames, saveGroups } from "./group-store.ts";
import {
  canonicalMessageIdOf,
  groupIdOf,
  identitySha256,
  occurrenceIdOf,
  sessionIdOf,
  sha256,
} from "./message.ts";
import { type NewVersion, saveVersions } from "./message-store.ts";
import {
  lockOccurrences,
  type OccurrenceNews,
  type OccurrencePlace,
  type SavedOccurrence,
  saveOccurrences,
} from "./occurrence-store.ts";
import { saveSessions } from "./session-store.ts";

type OccurrenceFact = MessageFact | EditFact | RevokeFact;

const DAY_MS = 86_400_000;

/**
 * Joins a batch of facts with what is stored. Several workers do this side by side: each table's rows are locked in the
 * order of their keys, and the tables in the order groups, identifiers, occurrences, messages, sessions, so that nobody
 * waits in a circle.
 */
export async function saveFacts(
  tx: Database,
  facts: readonly GatewayFact[],
  alertLimits: AlertLimits,
): Promise<void> {
  const groups = ofKind(facts, "group");
  const sessions = ofKind(facts, "session");
  const allOccurrences = facts.filter(isOccurrenceFact);
  const groupIds = new Set([...allOccurrences, ...groups].map(({ group }) => group));
  const ignored = groupIds.size === 0 ? new Set<string>() : await saveGroups(tx, [...groupIds]);
  if (groups.length > 0) await saveGroupNames(tx, groups);
  const occurrences = allOccurrences.filter(({ group }) => !ignored.has(groupIdOf(group)));
  const messages = ofKind(occurrences, "message");
  const seen: readonly SeenIdentity[] = [
    ...messages.map(toSeen),
    ...ofKind(facts, "identity").map((fact) => ({ ...fact, isOwn: false })),
    ...sessions
      .filter(({ identifiers }) => identifiers.length > 0)
      .map(({ identifiers, atMs }) => ({ identifiers, atMs, isOwn: true })),
  ];
  const settled = await settleIdentifiers(tx, seen);
  const saved = await saveOccurrenceFacts(tx, occurrences, settled.known, alertLimits);
  await queueNews(tx, { seen, joined: saved.map(toJoined) }, settled);
  const deliveries = messages.flatMap(({ session, sentAtMs }) =>
    session === undefined ? [] : [{ session, sentAtMs }],
  );
  if (sessions.length + deliveries.length > 0) await saveSessions(tx, sessions, deliveries);
}

type Known = ReadonlyMap<string, KnownIdentifier>;

interface Settled {
  readonly known: Known;
  /** Those that nobody had seen before. */
  readonly fresh: ReadonlySet<string>;
}

async function settleIdentifiers(tx: Database, seen: readonly SeenIdentity[]): Promise<Settled> {
  const identifiers = [...new Set(seen.flatMap((identity) => identity.identifiers))];
  if (identifiers.length === 0) return { known: new Map(), fresh: new Set() };
  const toMap = (rows: readonly KnownIdentifier[]) =>
    new Map(rows.map((row) => [row.identifier, row]));
  const known = toMap(await lockIdentifiers(tx, identifiers));
  if (known.size === identifiers.length) return { known, fresh: new Set() };
  await saveNewIdentifiers(tx, seen, known);
  const fresh = new Set(identifiers.filter((identifier) => !known.has(identifier)));
  // Another worker may have been faster with some of them.
  return { known: toMap(await lockIdentifiers(tx, identifiers)), fresh };
}

async function saveOccurrenceFacts(
  tx: Database,
  facts: readonly OccurrenceFact[],
  known: Known,
  alertLimits: AlertLimits,
): Promise<readonly SavedOccurrence[]> {
  if (facts.length === 0) return [];
  const news = joinFacts(facts, known);
  const before = await lockOccurrences(
    tx,
    news.map(({ id }) => id),
  );
  const now = await saveOccurrences(tx, withMessages(news, facts, before));
  const contacts = new Map(now.map((occurrence) => [occurrence.id, occurrence.contact_id]));
  const versions = facts.flatMap((fact) =>
    fact.kind === "revoke" ? [] : [toVersion(fact, contacts)],
  );
  if (versions.length > 0) await saveVersions(tx, versions);
  await deriveMessages(tx, { now, before, isMerge: false, alertLimits });
  return now;
}

/** One row for each occurrence that the facts are about. */
function joinFacts(facts: readonly OccurrenceFact[], known: Known): readonly OccurrenceNews[] {
  const news = new Map<string, OccurrenceNews>();
  for (const fact of facts) {
    const next = toNews(fact, known);
    const last = news.get(next.id);
    news.set(next.id, last === undefined ? next : joinNews(last, next));
  }
  return [...news.values()];
}

function toNews(fact: OccurrenceFact, known: Known): OccurrenceNews {
  const message = fact.kind === "message" ? fact : undefined;
  const [sender] = message?.senderIds ?? [];
  return {
    id: occurrenceIdOf(fact.group, fact.rawId),
    group_id: groupIdOf(fact.group),
    raw_id: fact.rawId,
    sent_at_ms: message?.sentAtMs ?? null,
    sender_ids: message?.senderIds ?? [],
    contact_id: sender === undefined ? null : (known.get(sender)?.contact_id ?? null),
    is_own: message?.isOwn ?? false,
    has_media: message?.hasMedia ?? false,
    is_revoked: fact.kind === "revoke",
    session_ids: message?.session === undefined ? [] : [sessionIdOf(message.session)],
    canonical_message_id: null,
  };
}

/** Most occurrences are new and are spoken of once: those can be stored with their message at once. */
function withMessages(
  news: readonly OccurrenceNews[],
  facts: readonly OccurrenceFact[],
  before: readonly OccurrencePlace[],
): readonly OccurrenceNews[] {
  const known = new Set(before.map(({ id }) => id));
  const spoken = new Map<string, OccurrenceFact[]>();
  for (const fact of facts) {
    const id = occurrenceIdOf(fact.group, fact.rawId);
    spoken.set(id, [...(spoken.get(id) ?? []), fact]);
  }
  return news.map((row) => {
    const [fact, ...more] = spoken.get(row.id) ?? [];
    if (
      known.has(row.id) ||
      more.length > 0 ||
      fact?.kind !== "message" ||
      row.contact_id === null
    ) {
      return row;
    }
    const identity = identitySha256(fact.text) ?? null;
    const message = { contactId: row.contact_id, occurrenceId: row.id, identitySha256: identity };
    return { ...row, canonical_message_id: canonicalMessageIdOf(message) };
  });
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

function toVersion(
  fact: MessageFact | EditFact,
  contacts: ReadonlyMap<string, string | null>,
): NewVersion {
  const occurrenceId = occurrenceIdOf(fact.group, fact.rawId);
  const identity_sha256 = identitySha256(fact.text) ?? null;
  const contactId = fact.kind === "message" ? (contacts.get(occurrenceId) ?? null) : null;
  return {
    occurrence_id: occurrenceId,
    version_at_ms: fact.kind === "edit" ? fact.editedAtMs : 0,
    text_sha256: sha256(fact.text),
    text: fact.text,
    identity_sha256,
    canonical_message_id:
      contactId === null
        ? null
        : canonicalMessageIdOf({ contactId, occurrenceId, identitySha256: identity_sha256 }),
  };
}

interface Sightings {
  readonly seen: readonly SeenIdentity[];
  /** What several sessions said of the sender of one message: only that they are one can be new. */
  readonly joined: readonly SeenIdentity[];
}

/** Queues what the identifiers' rows do not know yet: that two are one, an earlier sight, a newer name, that it is us. */
async function queueNews(
  tx: Database,
  { seen, joined }: Sightings,
  { known, fresh }: Settled,
): Promise<void> {
  const pairs = [...seen, ...joined].flatMap(({ identifiers }) => pairsOf(identifiers));
  const knownPairs = pairs.length === 0 ? new Set<string>() : await findPairs(tx, pairs);
  const isPairNew = ({ identifiers }: SeenIdentity) =>
    pairsOf(identifiers).some((pair) => !knownPairs.has(pair.join(" "))) ||
    (identifiers.length > 1 && identifiers.some((identifier) => fresh.has(identifier)));
  const told = seen.filter(
    (identity) =>
      isPairNew(identity) ||
      identity.identifiers.some((identifier) => tellsMore(identity, known.get(identifier))),
  );
  const news = new Map<string, SeenIdentity>();
  for (const identity of [...told, ...joined.filter(isPairNew)]) {
    const key = JSON.stringify([
      identity.identifiers,
      identity.name,
      identity.isOwn,
      dayOf(identity),
    ]);
    const last = news.get(key);
    if (last === undefined || last.atMs > identity.atMs) news.set(key, identity);
  }
  if (news.size > 0) await queueIdentities(tx, [...news.values()]);
}

function tellsMore(identity: SeenIdentity, known: KnownIdentifier | undefined): boolean {
  if (known === undefined || identity.atMs < known.first_seen_at_ms) return true;
  if (identity.isOwn && !known.is_own) return true;
  if (identity.name === undefined) return false;
  const knownDay = known.named_on_ms ?? -1;
  if (dayOf(identity) !== knownDay) return dayOf(identity) > knownDay;
  return Buffer.compare(Buffer.from(identity.name), Buffer.from(known.name ?? "")) > 0;
}

function dayOf({ atMs }: SeenIdentity): number {
  return atMs - (atMs % DAY_MS);
}

function toSeen(fact: MessageFact): SeenIdentity {
  return {
    identifiers: fact.senderIds,
    atMs: fact.sentAtMs,
    ...(fact.senderName === undefined ? {} : { name: fact.senderName }),
    isOwn: false,
  };
}

/** No evidence of when: whether the pair is news depends on the order, and times must not. */
function toJoined(occurrence: SavedOccurrence): SeenIdentity {
  return { identifiers: occurrence.sender_ids, atMs: Number.MAX_SAFE_INTEGER, isOwn: false };
}

function isOccurrenceFact(fact: GatewayFact): fact is OccurrenceFact {
  return fact.kind === "message" || fact.kind === "edit" || fact.kind === "revoke";
}

function ofKind<Kind extends GatewayFact["kind"]>(facts: readonly GatewayFact[], kind: Kind) {
  return facts.filter((fact): fact is Extract<GatewayFact, { kind: Kind }> => fact.kind === kind);
}
