/**
 * Drops the facts about erased persons.
 *
 * Invariant: a pure function of the facts and of what was erased. Every reader of raw events uses it, so a replay, an import and a
 * restored store end without the person too.
 *
 * Example: phone:447700900120 was erased. The gateway's list says that lid:1999 is the same person. That fact is dropped, and
 * lid:1999 is linked: the caller erases it as well, with the messages that it sent before.
 */
import { nameIdentifier } from "../contacts/contact.ts";
import type { GatewayFact, HeardFact, MessageFact, RevokeFact } from "../gateway-event.ts";
import { groupIdOf } from "../message.ts";
import { isOccurrenceFact, secondOf } from "../occurrences/report.ts";
import { adminSubject, messageSubject, sightingSubject } from "./subject.ts";

export interface SiftedFacts {
  /** What remains, with a `heard` for each fact that was dropped. */
  readonly facts: readonly GatewayFact[];
  readonly dropped: readonly GatewayFact[];
  /** Subjects to remember, because they lead to the erased person. */
  readonly remembered: readonly string[];
  /** Subjects of which something may be stored: other identifiers of the person, and his messages. */
  readonly linked: readonly string[];
}

type IsErased = (subject: string) => boolean;

/** Returns the subjects that decide whether a fact is dropped. */
export function subjectsOf(fact: GatewayFact): readonly string[] {
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
export function siftFacts(
  facts: readonly GatewayFact[],
  isErased: IsErased,
): SiftedFacts | undefined {
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
