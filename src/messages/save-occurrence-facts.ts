/**
 * Saves the occurrences and versions of a batch, and derives their messages.
 *
 * An occurrence is in one of three cases. It is stored already: the update is joined with its row. It is new, and one
 * message fact is all that the batch says about it: its row is inserted complete, with its message. It is new, and
 * there is more, such as an edit: it is inserted, and its message is derived from its versions.
 *
 * Invariant: another worker may insert an occurrence after we looked for it. `addOccurrences` then leaves it out, and
 * it is treated as stored.
 *
 * Example: the batch has message AA01, message AA02 with an edit, and a revocation of AA03, which is stored
 * already. AA01 is a single-fact occurrence. AA02 and AA03 are `changed`, and `before` has AA03 as it was.
 */
import type { Database } from "../db/database.ts";
import { type AlertLimits, deriveMessages } from "./derive-messages.ts";
import { canonicalMessageIdOf } from "./message.ts";
import {
  type ContactOf,
  type FactWithIds,
  joinFacts,
  type OccurrenceChanges,
  type OccurrenceUpdate,
  type ReportedOccurrence,
  type SavedOccurrence,
  toSingleFact,
} from "./occurrences/occurrence.ts";
import {
  addOccurrences,
  lockOccurrences,
  saveOccurrences,
} from "./occurrences/occurrence-store.ts";
import { type NewVersion, toVersion } from "./occurrences/version.ts";
import { saveVersions } from "./occurrences/version-store.ts";

/** Returns the occurrences whose senders may have more identifiers than the facts of this batch say. */
export async function saveOccurrenceFacts(
  tx: Database,
  { facts, alertLimits }: { facts: readonly FactWithIds[]; alertLimits: AlertLimits },
  contactOf: ContactOf,
): Promise<readonly SavedOccurrence[]> {
  if (facts.length === 0) return [];
  const occurrences = await addOrJoin(tx, joinFacts(facts, contactOf));
  const versions = toVersions(facts, occurrences);
  // A connection runs queries in the order in which they were sent, so the versions are stored before they are listed.
  await Promise.all([
    versions.length > 0 ? saveVersions(tx, versions) : undefined,
    deriveMessages(tx, { ...occurrences, isMerge: false, alertLimits }),
  ]);
  return occurrences.changed;
}

async function addOrJoin(
  tx: Database,
  reported: readonly ReportedOccurrence[],
): Promise<OccurrenceChanges<SavedOccurrence>> {
  const found = await lockOccurrences(tx, idsOf(reported));
  const foundIds = new Set(found.map(({ id }) => id));
  const missing = reported
    .filter(({ update }) => !foundIds.has(update.id))
    .map((occurrence) => ({ ...occurrence, singleFact: toSingleFact(occurrence) }));
  const addedIds =
    missing.length === 0
      ? new Set<string>()
      : await addOccurrences(
          tx,
          missing.map(({ update, singleFact }) => singleFact ?? update),
        );

  const existing = reported.filter(({ update }) => !addedIds.has(update.id));
  // Another worker inserted these since we looked. They may already be counted in a message too.
  const addedByOthers = existing.filter(({ update }) => !foundIds.has(update.id));
  const foundLater =
    addedByOthers.length === 0 ? [] : await lockOccurrences(tx, idsOf(addedByOthers));
  const joined =
    existing.length === 0
      ? []
      : await saveOccurrences(
          tx,
          existing.map(({ update }) => update),
        );

  const added = missing.filter(({ update }) => addedIds.has(update.id));
  return {
    changed: [
      ...joined,
      ...added.flatMap(({ update, singleFact }) => (singleFact ? [] : [toSaved(update)])),
    ],
    before: [...found, ...foundLater],
    singleFacts: added.flatMap(({ singleFact }) => singleFact ?? []),
  };
}

function idsOf(reported: readonly ReportedOccurrence[]): readonly string[] {
  return reported.map(({ update }) => update.id);
}

/** The row of an occurrence that was just inserted, and whose message is not derived yet. */
function toSaved(update: OccurrenceUpdate): SavedOccurrence {
  return { ...update, canonical_message_id: null, is_edited: false };
}

/** The message id is set where it is known. `deriveMessages` sets it for edits. */
function toVersions(
  facts: readonly FactWithIds[],
  { changed, singleFacts }: OccurrenceChanges<SavedOccurrence>,
): readonly NewVersion[] {
  const messageIds = new Map(singleFacts.map((place) => [place.id, place.canonical_message_id]));
  const contactIds = new Map(changed.map((occurrence) => [occurrence.id, occurrence.contact_id]));
  const messageIdOf = (fact: FactWithIds): string | null => {
    const contactId = contactIds.get(fact.occurrenceId) ?? null;
    if (contactId === null || fact.fact.kind !== "message") return null;
    return canonicalMessageIdOf({ ...fact, contactId });
  };
  return facts.flatMap(
    (fact) => toVersion(fact, messageIds.get(fact.occurrenceId) ?? messageIdOf(fact)) ?? [],
  );
}
