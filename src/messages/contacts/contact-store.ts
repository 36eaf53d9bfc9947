import type { Database } from "../../db/database.ts";
import { recordset, sql } from "../../db/sql.ts";
import { contactIdOf, contactKey, phoneOf } from "./contact.ts";

export interface StoredIdentifier {
  readonly identifier: string;
  readonly contact_id: string;
  readonly first_seen_at_ms: number;
  readonly name: string | null;
  readonly named_on_ms: number | null;
  readonly is_own: boolean;
}

/** Identifiers that were seen as one person, at a time, perhaps with a name. */
export interface Sighting {
  readonly identifiers: readonly string[];
  readonly atMs: number;
  readonly name?: string;
  readonly isOwn: boolean;
}

/** Returns the stored identifiers and locks them: their contacts cannot be merged until the transaction ends. */
export async function lockIdentifiers(
  tx: Database,
  identifiers: readonly string[],
): Promise<readonly StoredIdentifier[]> {
  return tx.query<StoredIdentifier>(sql`
    select identifier, contact_id, first_seen_at_ms, name, named_on_ms, is_own
      from contact_identifier
     where identifier = any(${[...identifiers]}::text[])
     order by identifier
       for key share`);
}

/**
 * Stores the new identifiers, each with a contact: that of an identifier it was seen with, else a new one. The pairs
 * are stored too, so that identifiers of one contact are always in one component.
 */
export async function saveNewIdentifiers(
  tx: Database,
  sightings: readonly Sighting[],
  stored: ReadonlyMap<string, StoredIdentifier>,
): Promise<void> {
  const { contacts, rows } = assignContacts(sightings, stored);
  if (rows.size === 0) return;
  await saveContacts(
    tx,
    [...contacts].map(([id, key]) => ({ id, key, display_name: null, is_own: false })),
  );
  const sorted = [...rows.values()].toSorted((a, b) => (a.identifier < b.identifier ? -1 : 1));
  await tx.execute(sql`
    insert into contact_identifier (identifier, contact_id, first_seen_at_ms)
    select identifier, contact_id, at_ms
      from ${recordset(sorted)} as added (identifier text, contact_id uuid, at_ms bigint)
    on conflict (identifier) do nothing`);
  await savePairs(
    tx,
    sightings
      .filter(({ identifiers }) => identifiers.some((identifier) => rows.has(identifier)))
      .flatMap(({ identifiers }) => pairsOf(identifiers)),
  );
}

interface NewIdentifier {
  readonly identifier: string;
  readonly contact_id: string;
  readonly at_ms: number;
}

interface Assignment {
  /** Keys of new contacts by id. */
  readonly contacts: ReadonlyMap<string, string>;
  /** New identifiers with their contact. */
  readonly rows: ReadonlyMap<string, NewIdentifier>;
}

function assignContacts(
  sightings: readonly Sighting[],
  stored: ReadonlyMap<string, StoredIdentifier>,
): Assignment {
  const firstSeen = firstSeenTimes(sightings);
  const contacts = new Map<string, string>();
  const rows = new Map<string, NewIdentifier>();
  const contactOf = (identifier: string) =>
    stored.get(identifier)?.contact_id ?? rows.get(identifier)?.contact_id;
  // Sightings with the most identifiers first, so that most contacts get their final key at once and need no merge.
  for (const { identifiers } of sightings.toSorted(
    (a, b) => b.identifiers.length - a.identifiers.length,
  )) {
    const added = identifiers
      .filter((identifier) => contactOf(identifier) === undefined)
      .map((identifier) => ({ identifier, firstSeenAtMs: firstSeen.get(identifier) ?? 0 }));
    if (added.length === 0) continue;
    const sharedId = identifiers.map(contactOf).find((contactId) => contactId !== undefined);
    const key = contactKey(added);
    const contact_id = sharedId ?? contactIdOf(key);
    if (sharedId === undefined) contacts.set(contact_id, key);
    for (const { identifier, firstSeenAtMs } of added) {
      rows.set(identifier, { identifier, contact_id, at_ms: firstSeenAtMs });
    }
  }
  return { contacts, rows };
}

function firstSeenTimes(sightings: readonly Sighting[]): ReadonlyMap<string, number> {
  const times = new Map<string, number>();
  for (const { identifiers, atMs } of sightings) {
    for (const identifier of identifiers) {
      times.set(identifier, Math.min(times.get(identifier) ?? atMs, atMs));
    }
  }
  return times;
}

/** Returns pairs that connect all identifiers, in order. */
export function pairsOf(identifiers: readonly string[]): readonly Pair[] {
  const sorted = identifiers.toSorted();
  return sorted.slice(1).map((right, at) => [sorted[at] ?? "", right] as const);
}

export type Pair = readonly [string, string];

export async function savePairs(tx: Database, pairs: readonly Pair[]): Promise<void> {
  const sorted = pairs.toSorted(([a, b], [c, d]) => (`${a} ${b}` < `${c} ${d}` ? -1 : 1));
  await tx.execute(sql`
    insert into contact_pair (left_identifier, right_identifier)
    select left_identifier, right_identifier
      from unnest(${sorted.map(([left]) => left)}::text[], ${sorted.map(([, right]) => right)}::text[])
           as seen (left_identifier, right_identifier)
    on conflict do nothing`);
}

interface ContactRow {
  readonly id: string;
  readonly key: string;
  readonly display_name: string | null;
  readonly is_own: boolean;
}

async function saveContacts(tx: Database, contacts: readonly ContactRow[]): Promise<void> {
  const rows = contacts
    .map((contact) => ({ ...contact, phone_number: phoneOf(contact.key) ?? null }))
    .toSorted((left, right) => (left.id < right.id ? -1 : 1));
  await tx.execute(sql`
    insert into contact (id, key, phone_number, display_name, is_own)
    select id, key, phone_number, display_name, is_own
      from ${recordset(rows)}
           as added (id uuid, key text, phone_number text, display_name text, is_own boolean)
    on conflict (id) do nothing`);
}

/** Queues the sightings for `mergeContacts`. */
export async function queueSightings(tx: Database, sightings: readonly Sighting[]): Promise<void> {
  const rows = sightings.map(({ identifiers, atMs, name, isOwn }) => ({
    identifiers,
    at_ms: atMs,
    name: name ?? null,
    is_own: isOwn,
  }));
  await tx.execute(sql`
    insert into identity_queue (identifiers, at_ms, name, is_own)
    select identifiers, at_ms, name, is_own
      from ${recordset(rows)}
           as seen (identifiers text[], at_ms bigint, name text, is_own boolean)`);
}

/** Returns those of the pairs that are stored, each as `left right`. */
export async function findPairs(
  tx: Database,
  pairs: readonly Pair[],
): Promise<ReadonlySet<string>> {
  const rows = await tx.query<{ pair: string }>(sql`
    select left_identifier || ' ' || right_identifier as pair
      from contact_pair
      join unnest(${pairs.map(([left]) => left)}::text[], ${pairs.map(([, right]) => right)}::text[])
           as requested (left_identifier, right_identifier) using (left_identifier, right_identifier)`);
  return new Set(rows.map(({ pair }) => pair));
}
