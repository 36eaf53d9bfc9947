/**
 * Assigns a contact to every identifier of a batch, and queues what is new about senders. Contacts themselves are
 * merged later, by `mergeContacts`, one process at a time.
 *
 * Invariant: whatever the stored identifiers do not show yet is in the queue: a pair that is one person, an earlier
 * time, a newer name, or that an account is ours. What they show already is not queued, so a repeat costs nothing.
 *
 * Example: lid:1999 is stored with contact c1, first seen on 20 August. A message of 21 August names it "Lena" and also
 * has phone:447700900120. The phone number is new and gets contact c1; the sighting is queued, because of the name and
 * because the pair may change the key of c1. When the same sighting comes again after the merge, nothing is queued.
 */
import { dayStartOf } from "../../base/time.ts";
import type { Database } from "../../db/database.ts";
import {
  findPairs,
  lockIdentifiers,
  type Pair,
  pairsOf,
  queueSightings,
  type Sighting,
  type StoredIdentifier,
  saveNewIdentifiers,
} from "./contact-store.ts";

export interface SavedIdentifiers {
  /** By identifier; locked until the transaction ends. */
  readonly stored: ReadonlyMap<string, StoredIdentifier>;
  /** Those that were not stored before this batch. */
  readonly added: ReadonlySet<string>;
}

export async function saveIdentifiers(
  tx: Database,
  sightings: readonly Sighting[],
): Promise<SavedIdentifiers> {
  const identifiers = [...new Set(sightings.flatMap((sighting) => sighting.identifiers))];
  if (identifiers.length === 0) return { stored: new Map(), added: new Set() };
  const before = byIdentifier(await lockIdentifiers(tx, identifiers));
  if (before.size === identifiers.length) return { stored: before, added: new Set() };
  await saveNewIdentifiers(tx, sightings, before);
  const added = new Set(identifiers.filter((identifier) => !before.has(identifier)));
  // Read again: another worker may have stored some of them first, with other contacts.
  return { stored: byIdentifier(await lockIdentifiers(tx, identifiers)), added };
}

function byIdentifier(rows: readonly StoredIdentifier[]): ReadonlyMap<string, StoredIdentifier> {
  return new Map(rows.map((row) => [row.identifier, row]));
}

interface BatchSightings {
  /** One for each fact that names a person. */
  readonly reported: readonly Sighting[];
  /** All identifiers of one sender, collected from several sessions. Only a pair can be new in it. */
  readonly joined: readonly Sighting[];
}

/** Queues the sightings that say more than the stored identifiers do. */
export async function queueNewSightings(
  tx: Database,
  { reported, joined }: BatchSightings,
  { stored, added }: SavedIdentifiers,
): Promise<void> {
  const isUnmerged = ([left, right]: Pair) => {
    const contactId = stored.get(left)?.contact_id;
    return contactId === undefined || contactId !== stored.get(right)?.contact_id;
  };
  const unmerged = [...reported, ...joined]
    .flatMap(({ identifiers }) => pairsOf(identifiers))
    .filter(isUnmerged);
  const storedPairs = unmerged.length === 0 ? new Set<string>() : await findPairs(tx, unmerged);
  const hasNewPair = ({ identifiers }: Sighting) =>
    pairsOf(identifiers).some((pair) => isUnmerged(pair) && !storedPairs.has(pair.join(" "))) ||
    (identifiers.length > 1 && identifiers.some((identifier) => added.has(identifier)));
  const isNew = (sighting: Sighting) =>
    hasNewPair(sighting) ||
    sighting.identifiers.some((identifier) => saysMore(sighting, stored.get(identifier)));
  const queued = keepEarliest([...reported.filter(isNew), ...joined.filter(hasNewPair)]);
  if (queued.length > 0) await queueSightings(tx, queued);
}

function saysMore(sighting: Sighting, stored: StoredIdentifier | undefined): boolean {
  if (stored === undefined || sighting.atMs < stored.first_seen_at_ms) return true;
  if (sighting.isOwn && !stored.is_own) return true;
  if (sighting.name === undefined) return false;
  const day = dayStartOf(sighting.atMs);
  const storedDay = stored.named_on_ms ?? -1;
  if (day !== storedDay) return day > storedDay;
  return Buffer.compare(Buffer.from(sighting.name), Buffer.from(stored.name ?? "")) > 0;
}

/** Sightings that differ only in the time of day become one, the earliest. */
function keepEarliest(sightings: readonly Sighting[]): readonly Sighting[] {
  const earliest = new Map<string, Sighting>();
  for (const sighting of sightings) {
    const { identifiers, name, isOwn, atMs } = sighting;
    const key = JSON.stringify([identifiers, name, isOwn, dayStartOf(atMs)]);
    const last = earliest.get(key);
    if (last === undefined || last.atMs > atMs) earliest.set(key, sighting);
  }
  return [...earliest.values()];
}
