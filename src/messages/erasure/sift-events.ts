import type { Database } from "../../db/database.ts";
import type { RawEvent } from "../../intake/raw-event-store.ts";
import type { GatewayFact, Reading } from "../gateway-event.ts";
import { eraseInChatExport } from "../gateways/chat-erasure.ts";
import { eraseInWaha, identifiersInBody } from "../gateways/waha-erasure.ts";
import { groupIdOf } from "../message.ts";
import { isOccurrenceFact } from "../occurrences/report.ts";
import { readRawEvent } from "../read-raw-event.ts";
import { findErased } from "./erased-store.ts";
import { type SiftedFacts, siftFacts, subjectsOf } from "./sift-facts.ts";
import { messageSubject } from "./subject.ts";

export interface ReadEvent {
  readonly event: Pick<RawEvent, "id" | "gateway" | "body">;
  readonly reading: Reading;
}

/** An event that has something of an erased person. */
export interface SiftedEvent extends SiftedFacts {
  readonly id: number;
  /** The body without the person; null if none of it can be kept. */
  readonly body: Buffer | null;
  /** False if the body must stay in quarantine. */
  readonly isReadable: boolean;
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
