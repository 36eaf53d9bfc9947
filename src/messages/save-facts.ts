import { dayStartOf } from "../base/time.ts";
import type { Database } from "../db/database.ts";
import {
  findPairs,
  type KnownIdentifier,
  lockIdentifiers,
  pairsOf,
  queueIdentities,
  type SeenIdentity,
  saveNewIdentifiers,
} from "./contacts/contact-store.ts";
import { type AlertLimits, deriveMessages } from "./derive-messages.ts";
import type { GatewayFact, MessageFact } from "./gateway-event.ts";
import { saveGroupNames, saveGroups } from "./groups/group-store.ts";
import {
  isOccurrenceFact,
  joinFacts,
  type NamedFact,
  nameFact,
  toPlain,
  toVersion,
} from "./join-facts.ts";
import { canonicalMessageIdOf, groupIdOf } from "./message.ts";
import { type NewVersion, saveVersions } from "./message-store.ts";
import {
  addOccurrences,
  lockOccurrences,
  type OccurrenceNews,
  type PlainOccurrence,
  type SavedOccurrence,
  saveOccurrences,
} from "./occurrence-store.ts";
import { saveSessions } from "./sessions/session-store.ts";

/** What one event says. */
export interface Arrival {
  readonly facts: readonly GatewayFact[];
  /** Since when a message that it is about must have been sent to fire alerts; null: it fires none. */
  readonly alertSinceMs: number | null;
}

/**
 * Joins a batch of facts with what is stored. Several workers do this side by side: each table's rows are locked in the
 * order of their keys, and the tables in the order groups, identifiers, occurrences, messages, sessions, so that nobody
 * waits in a circle.
 */
export async function saveFacts(tx: Database, arrivals: readonly Arrival[]): Promise<void> {
  const facts = arrivals.flatMap((arrival) => arrival.facts);
  const groups = ofKind(facts, "group");
  const sessions = ofKind(facts, "session");
  const groupIds = idsOfGroups(facts);
  const ignored = groupIds.size === 0 ? new Set<string>() : await saveGroups(tx, groupIds);
  if (groups.length > 0) await saveGroupNames(tx, groups);
  const { occurrences, alertLimits } = nameArrivals(arrivals, groupIds, ignored);
  const messages = occurrences.flatMap(({ fact }) => (fact.kind === "message" ? [fact] : []));
  const seen: readonly SeenIdentity[] = [
    ...messages.map(toSeen),
    ...ofKind(facts, "identity").map((fact) => ({ ...fact, isOwn: false })),
    ...sessions
      .filter(({ identifiers }) => identifiers.length > 0)
      .map(({ identifiers, atMs }) => ({ identifiers, atMs, isOwn: true })),
  ];
  const settled = await settleIdentifiers(tx, seen);
  const saved = await saveOccurrenceFacts(tx, occurrences, settled.known, alertLimits);
  const deliveries = messages.flatMap(({ session, sentAtMs }) =>
    session === undefined ? [] : [{ session, sentAtMs }],
  );
  await Promise.all([
    queueNews(tx, { seen, joined: saved.map(toJoined) }, settled),
    sessions.length + deliveries.length > 0 ? saveSessions(tx, sessions, deliveries) : undefined,
  ]);
}

/** Our ids of the groups that the facts are about, by the gateway's. */
function idsOfGroups(facts: readonly GatewayFact[]): ReadonlyMap<string, string> {
  const ids = new Map<string, string>();
  for (const fact of facts) {
    if (fact.kind !== "group" && !isOccurrenceFact(fact)) continue;
    if (!ids.has(fact.group)) ids.set(fact.group, groupIdOf(fact.group));
  }
  return ids;
}

function nameArrivals(
  arrivals: readonly Arrival[],
  groupIds: ReadonlyMap<string, string>,
  ignored: ReadonlySet<string>,
): { readonly occurrences: readonly NamedFact[]; readonly alertLimits: AlertLimits } {
  const occurrences: NamedFact[] = [];
  const alertLimits = new Map<string, number>();
  for (const { facts, alertSinceMs } of arrivals) {
    for (const fact of facts) {
      if (!isOccurrenceFact(fact)) continue;
      const named = nameFact(fact, groupIds);
      if (ignored.has(named.groupId)) continue;
      occurrences.push(named);
      if (alertSinceMs === null || fact.kind === "revoke") continue;
      const last = alertLimits.get(named.occurrenceId) ?? alertSinceMs;
      alertLimits.set(named.occurrenceId, Math.min(last, alertSinceMs));
    }
  }
  return { occurrences, alertLimits };
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

/** Gives the occurrences of whose senders more may have become known than the facts themselves say. */
async function saveOccurrenceFacts(
  tx: Database,
  facts: readonly NamedFact[],
  known: Known,
  alertLimits: AlertLimits,
): Promise<readonly Senders[]> {
  if (facts.length === 0) return [];
  const spoken = joinFacts(facts, (identifier) => known.get(identifier)?.contact_id);
  const found = await lockOccurrences(
    tx,
    spoken.map(({ news }) => news.id),
  );
  const isKnown = new Set(found.map(({ id }) => id));
  const fresh = spoken
    .filter(({ news }) => !isKnown.has(news.id))
    .map((occurrence) => ({ occurrence, plain: toPlain(occurrence) }));
  const added =
    fresh.length === 0
      ? new Set<string>()
      : await addOccurrences(
          tx,
          fresh.map(({ occurrence, plain }) => plain ?? occurrence.news),
        );
  // What was there before, and what another worker was faster with: that too counted somewhere until now.
  const others = spoken.filter(({ news }) => !added.has(news.id)).map(({ news }) => news);
  const late = others.filter(({ id }) => !isKnown.has(id)).map(({ id }) => id);
  const before = late.length === 0 ? found : [...found, ...(await lockOccurrences(tx, late))];
  const saved = others.length === 0 ? [] : await saveOccurrences(tx, others);
  const mine = fresh.filter(({ occurrence }) => added.has(occurrence.news.id));
  const plain = mine.flatMap((made) => made.plain ?? []);
  const told = mine.filter((made) => made.plain === undefined).map(({ occurrence }) => occurrence);
  const now = [...saved, ...told.map(({ news }) => toHeld(news))];
  const versions = toVersions(facts, now, plain);
  // One connection works through what it is sent in order, so nobody need wait for an answer that he does not read.
  await Promise.all([
    versions.length > 0 ? saveVersions(tx, versions) : undefined,
    deriveMessages(tx, { now, before, plain, isMerge: false, alertLimits }),
  ]);
  return now;
}

type Senders = Pick<SavedOccurrence, "sender_ids">;

/** As it was stored just now. */
function toHeld(news: OccurrenceNews): SavedOccurrence {
  return { ...news, canonical_message_id: null, is_edited: false };
}

function toVersions(
  facts: readonly NamedFact[],
  now: readonly SavedOccurrence[],
  plain: readonly PlainOccurrence[],
): readonly NewVersion[] {
  const messageIds = new Map(plain.map((place) => [place.id, place.canonical_message_id]));
  const contacts = new Map(now.map((occurrence) => [occurrence.id, occurrence.contact_id]));
  return facts.flatMap((named) => {
    const messageId = messageIds.get(named.occurrenceId);
    if (messageId !== undefined) return toVersion(named, messageId);
    const contactId = contacts.get(named.occurrenceId) ?? null;
    return toVersion(
      named,
      contactId === null || named.fact.kind !== "message"
        ? null
        : canonicalMessageIdOf({ ...named, contactId }),
    );
  });
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
  // Identifiers of one contact are one already, whichever pairs have made them so.
  const isSettled = ([left, right]: readonly [string, string]) => {
    const contactId = known.get(left)?.contact_id;
    return contactId !== undefined && contactId === known.get(right)?.contact_id;
  };
  const pairs = [...seen, ...joined]
    .flatMap(({ identifiers }) => pairsOf(identifiers))
    .filter((pair) => !isSettled(pair));
  const knownPairs = pairs.length === 0 ? new Set<string>() : await findPairs(tx, pairs);
  const isPairNew = ({ identifiers }: SeenIdentity) =>
    pairsOf(identifiers).some((pair) => !isSettled(pair) && !knownPairs.has(pair.join(" "))) ||
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
  return dayStartOf(atMs);
}

function toSeen(fact: MessageFact): SeenIdentity {
  const { senderIds: identifiers, sentAtMs: atMs, senderName: name } = fact;
  return name === undefined
    ? { identifiers, atMs, isOwn: false }
    : { identifiers, atMs, name, isOwn: false };
}

/** No evidence of when: whether the pair is news depends on the order, and times must not. */
function toJoined(occurrence: Senders): SeenIdentity {
  return { identifiers: occurrence.sender_ids, atMs: Number.MAX_SAFE_INTEGER, isOwn: false };
}

function ofKind<Kind extends GatewayFact["kind"]>(facts: readonly GatewayFact[], kind: Kind) {
  return facts.filter((fact): fact is Extract<GatewayFact, { kind: Kind }> => fact.kind === kind);
}
