/**
 * Takes erased persons out of events when they are read: the facts about them, and what the body has of them.
 *
 * Invariant: what remains is a pure function of the facts and of what was erased. Every reader of raw events uses it, so a
 * replay, an import and a restored store end without the person too.
 *
 * Example: phone:447700900120 was erased. The gateway's list says that lid:1999 is the same person. That fact is dropped, and
 * lid:1999 is linked: the caller erases it as well, with the messages that it sent before.
 */
import type { Database } from "../../db/database.ts";
import { type RawEvent, replaceBodies } from "../../intake/raw-event-store.ts";
import { nameIdentifier } from "../contacts/contact.ts";
import { lockIdentifiers } from "../contacts/contact-store.ts";
import type { GatewayFact, HeardFact, MessageFact, Reading, RevokeFact } from "../gateway-event.ts";
import { eraseInChatExport, eraseInWaha, identifiersInBody } from "../gateways/payload-erasure.ts";
import { groupIdOf } from "../message.ts";
import { isOccurrenceFact, secondOf } from "../occurrences/report.ts";
import { readRawEvent } from "../read-raw-event.ts";
import {
  addDroppedEvents,
  adminSubject,
  findErased,
  messageSubject,
  parseNameSubject,
  queueErasures,
  rememberErased,
  sightingSubject,
} from "./erased-store.ts";
import { findOwnNames } from "./person-store.ts";

interface ReadEvent {
  readonly event: Pick<RawEvent, "id" | "gateway" | "body">;
  readonly reading: Reading;
}

interface SiftedFacts {
  /** What remains, with a `heard` for each fact that was dropped. */
  readonly facts: readonly GatewayFact[];
  readonly dropped: readonly GatewayFact[];
  /** Subjects to remember, because they lead to the erased person. */
  readonly remembered: readonly string[];
  /** Subjects of which something may be stored: other identifiers of the person, and his messages. */
  readonly linked: readonly string[];
}

/** An event that has something of an erased person. */
export interface SiftedEvent extends SiftedFacts {
  readonly id: number;
  /** The body without the person; null if none of it can be kept. */
  readonly body: Buffer | null;
  /** False if the body must stay in quarantine. */
  readonly isReadable: boolean;
}

type IsErased = (subject: string) => boolean;

/** Reads events without what they have of erased persons. The caller saves what was `sifted` with them. */
export async function readWithoutErased<Event extends ReadEvent["event"]>(
  tx: Database,
  key: Buffer | undefined,
  events: readonly Event[],
): Promise<{
  readonly read: readonly { readonly event: Event; readonly reading: Reading }[];
  readonly sifted: readonly SiftedEvent[];
}> {
  const read = events.map((event) => ({ event, reading: readRawEvent(event) }));
  // Nothing was ever erased.
  if (key === undefined) return { read, sifted: [] };
  const sifted = await siftEvents(tx, read, { key });
  const left = new Map(sifted.map((event) => [event.id, event]));
  return {
    read: read.map(({ event, reading }) => ({
      event,
      reading: withoutSifted(reading, left.get(event.id)),
    })),
    sifted,
  };
}

/** An event in quarantine stays there if it cannot be read without the person either. */
function withoutSifted(reading: Reading, sifted: SiftedEvent | undefined): Reading {
  if (sifted === undefined || (reading.kind === "quarantined" && !sifted.isReadable))
    return reading;
  return { kind: "facts", facts: sifted.facts, isPrivate: reading.isPrivate };
}

/** Saves what was taken out of events that arrived: new bodies, what leads to the persons, and how many events there were. */
export async function saveSifted(
  tx: Database,
  key: Buffer | undefined,
  { sifted, nowMs }: { readonly sifted: readonly SiftedEvent[]; readonly nowMs: number },
): Promise<void> {
  if (key === undefined || sifted.length === 0) return;
  await replaceBodies(tx, sifted);
  await noteDropped(tx, key, sifted);
  await addDroppedEvents(tx, sifted.length, nowMs);
}

/**
 * Returns those of the events that have something of an erased person, without it. `planned` has subjects that count as erased, for
 * an erasure that is only tried.
 */
export async function siftEvents(
  db: Database,
  events: readonly ReadEvent[],
  known: { readonly key: Buffer | undefined; readonly planned?: ReadonlySet<string> },
): Promise<readonly SiftedEvent[]> {
  const stored = events.filter(({ event, reading }) => event.body !== null && !reading.isPrivate);
  const subjects = stored.map((item) => ({ item, subjects: subjectsIn(item) }));
  const wanted = subjects.flatMap((entry) => [...entry.subjects]);
  const erased = new Set(known.key === undefined ? [] : await findErased(db, known.key, wanted));
  for (const subject of wanted) if (known.planned?.has(subject) === true) erased.add(subject);
  if (erased.size === 0) return [];
  return subjects
    .filter((entry) => [...entry.subjects].some((subject) => erased.has(subject)))
    .flatMap(({ item }) => siftEvent(item, erased));
}

function subjectsIn({ event, reading }: ReadEvent): ReadonlySet<string> {
  const subjects = new Set(factsOf(reading).flatMap(subjectsOf));
  if (event.gateway !== "waha" || event.body === null) return subjects;
  for (const identifier of identifiersInBody(event.body)) subjects.add(identifier);
  return subjects;
}

function siftEvent(item: ReadEvent, erased: ReadonlySet<string>): readonly SiftedEvent[] {
  const { event, reading } = item;
  const facts = factsOf(reading);
  const isErased = (subject: string): boolean => erased.has(subject);
  const sifted = siftFacts(facts, isErased) ?? { facts, dropped: [], remembered: [], linked: [] };
  const body = eraseBody(item, sifted, isErased);
  if (body === undefined) return [];
  const isReadable = readRawEvent({ ...event, body }).kind === "facts";
  return [{ id: event.id, body, isReadable, ...sifted }];
}

function eraseBody(
  { event, reading }: ReadEvent,
  sifted: SiftedFacts,
  isErased: (subject: string) => boolean,
): Buffer | null | undefined {
  if (event.body === null) return undefined;
  if (event.gateway === "chat") {
    if (sifted.dropped.length === 0) return undefined;
    const heard = sifted.facts.filter((fact) => fact.kind === "heard");
    return eraseInChatExport(event.body, heard);
  }
  const isHisMessage = factsOf(reading)
    .filter(isOccurrenceFact)
    .some(({ group, rawId }) => isErased(messageSubject(groupIdOf(group), rawId)));
  try {
    return eraseInWaha(event.body, { ...sifted, isHisMessage, isErased });
  } catch (error) {
    // Nested too deeply to be searched.
    if (error instanceof RangeError) return null;
    throw error;
  }
}

function factsOf(reading: Reading): readonly GatewayFact[] {
  return reading.kind === "facts" ? reading.facts : [];
}

/** Returns the subjects that decide whether a fact is dropped. */
function subjectsOf(fact: GatewayFact): readonly string[] {
  const identifiers = identifiersOf(fact);
  if (!isOccurrenceFact(fact)) return identifiers;
  const groupId = groupIdOf(fact.group);
  const subjects = [...identifiers, messageSubject(groupId, fact.rawId)];
  if (fact.kind === "message") return [...subjects, sightingOf(fact)];
  return fact.kind === "revoke"
    ? [...subjects, ...identifiers.map((identifier) => adminSubject(groupId, identifier))]
    : subjects;
}

/** Returns undefined if nothing is dropped. */
function siftFacts(facts: readonly GatewayFact[], isErased: IsErased): SiftedFacts | undefined {
  const kept: GatewayFact[] = [];
  const dropped: GatewayFact[] = [];
  for (const fact of facts) {
    if (!isDropped(fact, isErased)) kept.push(fact);
    else if (isOfAdmin(fact, isErased)) kept.push({ ...fact, authorIds: [] });
    else dropped.push(fact);
  }
  const isSame = kept.length === facts.length && kept.every((fact, at) => fact === facts[at]);
  if (isSame) return undefined;
  const others = facts.filter((fact) => isDropped(fact, isErased));
  return {
    facts: [...kept, ...dropped.flatMap(toHeard)],
    dropped,
    remembered: others.flatMap((fact) => trailOf(fact)),
    linked: others.flatMap((fact) => [
      ...identifiersOf(fact),
      ...namesOf(fact),
      ...messageOf(fact),
    ]),
  };
}

/** Returns that something came, without what it was and from whom. */
function toHeard(fact: GatewayFact): readonly HeardFact[] {
  if (fact.kind === "admin") return [{ kind: "heard", group: fact.group }];
  if (!isOccurrenceFact(fact)) return [];
  if (fact.kind !== "message") return [{ kind: "heard", group: fact.group }];
  const { group, session, sentAtMs } = fact;
  return [{ kind: "heard", group, sentAtMs, ...(session === undefined ? {} : { session }) }];
}

function isDropped(fact: GatewayFact, isErased: IsErased): boolean {
  const identifiers = identifiersOf(fact);
  if (identifiers.some(isErased)) return true;
  if (!isOccurrenceFact(fact)) return false;
  if (identifiers.length === 0) return isErased(messageSubject(groupIdOf(fact.group), fact.rawId));
  return fact.kind === "message" && isErased(sightingOf(fact));
}

/** True for a revocation by an erased admin of a message that is not his: it counts, without its author. */
function isOfAdmin(fact: GatewayFact, isErased: IsErased): fact is RevokeFact {
  if (fact.kind !== "revoke") return false;
  const groupId = groupIdOf(fact.group);
  if (isErased(messageSubject(groupId, fact.rawId))) return false;
  return fact.authorIds.some((identifier) => isErased(adminSubject(groupId, identifier)));
}

/** Our own accounts are not erased, so those of a session are left out. */
function identifiersOf(fact: GatewayFact): readonly string[] {
  switch (fact.kind) {
    case "message":
      return fact.senderIds;
    case "edit":
    case "revoke":
    case "check":
      return fact.authorIds;
    case "identity":
    case "admin":
      return fact.identifiers;
    default:
      return [];
  }
}

function sightingOf(fact: MessageFact): string {
  const { rawId, text } = fact;
  return sightingSubject({ groupId: groupIdOf(fact.group), rawId, second: secondOf(fact), text });
}

function trailOf(fact: GatewayFact): readonly string[] {
  if (fact.kind === "admin") {
    if (!fact.isAdmin && fact.wasAdmin === undefined) return [];
    const groupId = groupIdOf(fact.group);
    return fact.identifiers.map((identifier) => adminSubject(groupId, identifier));
  }
  return fact.kind === "message" ? [...messageOf(fact), sightingOf(fact)] : [];
}

function messageOf(fact: GatewayFact): readonly string[] {
  return fact.kind === "message" ? [messageSubject(groupIdOf(fact.group), fact.rawId)] : [];
}

function namesOf(fact: GatewayFact): readonly string[] {
  return fact.kind === "message" && fact.senderName !== undefined
    ? [nameIdentifier(fact.group, fact.senderName)]
    : [];
}

/**
 * Remembers what leads to the erased persons of these events, and queues what may be stored of them under another identifier. What
 * another worker stores at this moment is found too: the queue is worked through when no event is being read.
 */
export async function noteDropped(
  tx: Database,
  key: Buffer,
  sifted: readonly SiftedFacts[],
): Promise<void> {
  const linked = [...new Set(sifted.flatMap((event) => event.linked))];
  const known = await findErased(tx, key, linked);
  const added = linked.filter((subject) => !known.has(subject));
  const names = added.flatMap((subject) => parseNameSubject(subject) ?? []);
  const contacts = names.length === 0 ? [] : await lockIdentifiers(tx, linked);
  const ownNames = await findOwnNames(
    tx,
    names,
    contacts.map(({ contact_id }) => contact_id),
  );
  await rememberErased(
    tx,
    key,
    sifted.flatMap((event) => event.remembered),
  );
  const others = added.filter((subject) => parseNameSubject(subject) === undefined);
  await queueErasures(tx, [...others, ...ownNames]);
}
