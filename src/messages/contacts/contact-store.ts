import type { Database } from "../../db/database.ts";
import { recordset, sql } from "../../db/sql.ts";
import { contactIdOf, contactKey, type Pair, pairOf, phoneOf } from "./contact.ts";

export interface StoredIdentifier {
  readonly identifier: string;
  readonly contact_id: string;
  readonly first_seen_at_ms: number;
  readonly name: string | null;
  readonly named_on_ms: number | null;
  readonly is_own: boolean;
}

/** An identifier, or a pair of one person, that was seen at a time, perhaps with a name. */
export interface Sighting {
  /** One, or a LID and a phone number. */
  readonly identifiers: readonly string[];
  readonly atMs: number;
  readonly name?: string;
  readonly isOwn: boolean;
  readonly evidence: Evidence;
  /** True if an identifier is new or became an admin, so that edits and revocations by it may count now. */
  readonly isNew?: boolean;
}

/**
 * Where a pair was seen. One from a message is withdrawn if no message supports it any more. One that was listed by the
 * gateway, or stated outside of a message, stays. A doubt says that a message no longer supports the pair.
 */
export type Evidence = "message" | "list" | "doubt";

/** A pair and whether it stays whatever messages say. */
export interface SeenPair {
  readonly pair: Pair;
  readonly isListed: boolean;
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
    listPairs(
      sightings.filter(({ identifiers }) => identifiers.some((identifier) => rows.has(identifier))),
    ),
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

/** Returns the pairs that the sightings state. */
export function listPairs(sightings: readonly Sighting[]): readonly SeenPair[] {
  return sightings.flatMap((sighting) => findPair(sighting) ?? []);
}

/** Returns the pair that a sighting states. */
export function findPair({ identifiers, evidence }: Sighting): SeenPair | undefined {
  if (identifiers.length < 2 || evidence === "doubt") return undefined;
  const pair = pairOf(identifiers);
  return pair && { pair, isListed: evidence === "list" };
}

export async function savePairs(tx: Database, pairs: readonly SeenPair[]): Promise<void> {
  const isListed = new Map<string, boolean>();
  for (const seen of pairs) {
    const name = seen.pair.join(" ");
    isListed.set(name, seen.isListed || (isListed.get(name) ?? false));
  }
  const rows = [...isListed]
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([name, is_listed]) => {
      const [lid, phone] = name.split(" ");
      return { lid, phone, is_listed };
    });
  if (rows.length === 0) return;
  await tx.execute(sql`
    insert into contact_pair as stored (left_identifier, right_identifier, is_listed)
    select lid, phone, is_listed
      from ${recordset(rows)} as seen (lid text, phone text, is_listed boolean)
    on conflict (left_identifier, right_identifier) do update
       set is_listed = true where excluded.is_listed and not stored.is_listed`);
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
  const rows = sightings.map(({ identifiers, atMs, name, isOwn, evidence, isNew }) => ({
    identifiers,
    at_ms: atMs,
    name: name ?? null,
    is_own: isOwn,
    evidence,
    is_new: isNew ?? false,
  }));
  await tx.execute(sql`
    insert into identity_queue (identifiers, at_ms, name, is_own, evidence, is_new)
    select identifiers, at_ms, name, is_own, evidence, is_new
      from ${recordset(rows)}
           as seen (identifiers text[], at_ms bigint, name text, is_own boolean, evidence text, is_new boolean)`);
}

/** Returns those of the pairs that are stored, by `lid phone`, and whether they are listed. */
export async function findPairs(
  tx: Database,
  pairs: readonly Pair[],
): Promise<ReadonlyMap<string, boolean>> {
  const rows = await tx.query<{ pair: string; is_listed: boolean }>(sql`
    select left_identifier || ' ' || right_identifier as pair, is_listed
      from contact_pair
      join unnest(${pairs.map(([lid]) => lid)}::text[], ${pairs.map(([, phone]) => phone)}::text[])
           as requested (left_identifier, right_identifier) using (left_identifier, right_identifier)`);
  return new Map(rows.map(({ pair, is_listed }) => [pair, is_listed]));
}

/** Deletes those of the pairs that the gateway never listed. */
export async function removePairs(tx: Database, pairs: readonly Pair[]): Promise<void> {
  await tx.execute(sql`
    delete from contact_pair as stored
     using unnest(${pairs.map(([lid]) => lid)}::text[], ${pairs.map(([, phone]) => phone)}::text[])
           as doubted (lid, phone)
     where stored.left_identifier = doubted.lid and stored.right_identifier = doubted.phone
       and not stored.is_listed`);
}

/** A contact as a member of a group. */
export interface Membership {
  readonly group_id: string;
  readonly contact_id: string;
}

/** Returns those who were ever seen as an admin of the group, as `group contact`. */
export async function findAdmins(
  tx: Database,
  members: readonly Membership[],
): Promise<ReadonlySet<string>> {
  const rows = await tx.query<{ name: string }>(sql`
    select distinct member.group_id || ' ' || member.contact_id as name
      from ${recordset(members)} as member (group_id uuid, contact_id uuid)
      join contact_identifier using (contact_id)
      join group_admin on group_admin.group_id = member.group_id
                      and group_admin.identifier = contact_identifier.identifier`);
  return new Set(rows.map(({ name }) => name));
}

/** Adds admins of groups. Returns the identifiers of those that were not stored. */
export async function saveAdmins(
  tx: Database,
  admins: readonly { readonly group_id: string; readonly identifier: string }[],
): Promise<ReadonlySet<string>> {
  const sorted = admins.toSorted((left, right) =>
    `${left.group_id} ${left.identifier}` < `${right.group_id} ${right.identifier}` ? -1 : 1,
  );
  const rows = await tx.query<{ identifier: string }>(sql`
    insert into group_admin (group_id, identifier)
    select group_id, identifier from ${recordset(sorted)} as seen (group_id uuid, identifier text)
    on conflict do nothing
    returning identifier`);
  return new Set(rows.map(({ identifier }) => identifier));
}
