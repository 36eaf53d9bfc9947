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
import { dayStartOf } from "../../base/clock.ts";
import type { Database } from "../../db/database.ts";
import { findPair, listPairs, type SeenPair, type Sighting } from "./contact.ts";
import {
  findPairs,
  lockIdentifiers,
  queueSightings,
  type StoredIdentifier,
} from "./contact-store.ts";
import { saveNewIdentifiers } from "./contact-write-store.ts";

interface SavedIdentifiers {
  /** By identifier; locked until the transaction ends. */
  readonly stored: ReadonlyMap<string, StoredIdentifier>;
  /** Those that were not stored before this batch. */
  readonly added: ReadonlySet<string>;
}

/** Adds the identifiers of the sightings that are not stored. Returns these and, where stored, the `others`. */
export async function saveIdentifiers(
  tx: Database,
  sightings: readonly Sighting[],
  others: readonly string[],
): Promise<SavedIdentifiers> {
  const seen = new Set(sightings.flatMap((sighting) => sighting.identifiers));
  const identifiers = [...new Set([...seen, ...others])];
  if (identifiers.length === 0) return { stored: new Map(), added: new Set() };
  const before = byIdentifier(await lockIdentifiers(tx, identifiers));
  const added = new Set([...seen].filter((identifier) => !before.has(identifier)));
  if (added.size === 0) return { stored: before, added };
  await saveNewIdentifiers(tx, sightings, before);
  // Read again: another worker may have stored some of them first, with other contacts.
  return { stored: byIdentifier(await lockIdentifiers(tx, identifiers)), added };
}

function byIdentifier(rows: readonly StoredIdentifier[]): ReadonlyMap<string, StoredIdentifier> {
  return new Map(rows.map((row) => [row.identifier, row]));
}

/** Queues the sightings that say more than what is stored. */
export async function queueNewSightings(
  tx: Database,
  sightings: readonly Sighting[],
  { stored, added }: SavedIdentifiers,
): Promise<void> {
  const pairs = [
    ...new Map(listPairs(sightings).map(({ pair }) => [pair.join(" "), pair])).values(),
  ];
  const storedPairs = pairs.length === 0 ? new Map() : await findPairs(tx, pairs);
  const isNewPair = (seen: SeenPair | undefined) => {
    if (seen === undefined) return false;
    const { pair, isListed } = seen;
    if (pair.some((identifier) => added.has(identifier))) return true;
    const [lid, phone] = pair.map((identifier) => stored.get(identifier)?.contact_id);
    if (lid === undefined || lid !== phone) return true;
    const isStoredListed = storedPairs.get(pair.join(" "));
    return isStoredListed === undefined || (isListed && !isStoredListed);
  };
  const isNew = (sighting: Sighting) =>
    sighting.evidence === "doubt" ||
    sighting.isNew === true ||
    isNewPair(findPair(sighting)) ||
    sighting.identifiers.some((identifier) => saysMore(sighting, stored.get(identifier)));
  const queued = keepEarliest(
    sightings
      .map((sighting) =>
        sighting.identifiers.some((identifier) => added.has(identifier))
          ? { ...sighting, isNew: true }
          : sighting,
      )
      .filter(isNew),
  );
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
    const { identifiers, name, isOwn, evidence, isNew, atMs } = sighting;
    const key = JSON.stringify([identifiers, name, isOwn, evidence, isNew, dayStartOf(atMs)]);
    const last = earliest.get(key);
    if (last === undefined || last.atMs > atMs) earliest.set(key, sighting);
  }
  return [...earliest.values()];
}
