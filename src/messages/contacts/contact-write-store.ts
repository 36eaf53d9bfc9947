import { dayStartOf } from "../../base/clock.ts";
import type { Database } from "../../db/database.ts";
import { recordset, type Sql, sql } from "../../db/sql.ts";
import {
  ALL_MEMBERS,
  contactIdOf,
  contactKey,
  listPairs,
  type Pair,
  phoneOf,
  type SeenPair,
  type Sighting,
  toNameWords,
} from "./contact.ts";
import type { Component, StoredIdentifier } from "./contact-store.ts";

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
  const madeIds = await saveContacts(
    tx,
    [...contacts].map(([id, key]) => ({ id, key, display_name: null, is_own: false })),
  );
  const sorted = [...rows.values()].toSorted((a, b) => (a.identifier < b.identifier ? -1 : 1));
  const saved = await tx.query<{ contact_id: string }>(sql`
    insert into contact_identifier (identifier, contact_id, first_seen_at_ms)
    select identifier, contact_id, at_ms
      from ${recordset(sorted)} as added (identifier text, contact_id uuid, at_ms bigint)
    on conflict (identifier) do nothing
    returning contact_id`);
  const usedIds = new Set(saved.map(({ contact_id }) => contact_id));
  const unusedIds = madeIds.filter((id) => !usedIds.has(id));
  // Another batch has stored the identifier meanwhile, with a contact of its own.
  if (unusedIds.length > 0)
    await tx.execute(sql`delete from contact where id = any(${unusedIds}::uuid[])`);
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

interface ContactRow {
  readonly id: string;
  readonly key: string;
  readonly display_name: string | null;
  readonly is_own: boolean;
}

/** Returns the ids of those that were not there. */
async function saveContacts(
  tx: Database,
  contacts: readonly ContactRow[],
): Promise<readonly string[]> {
  const rows = contacts
    .map((contact) => ({ ...contact, phone_number: phoneOf(contact.key) ?? null }))
    .toSorted((left, right) => (left.id < right.id ? -1 : 1));
  const made = await tx.query<{ id: string }>(sql`
    insert into contact (id, key, phone_number, display_name, is_own)
    select id, key, phone_number, display_name, is_own
      from ${recordset(rows)}
           as added (id uuid, key text, phone_number text, display_name text, is_own boolean)
    on conflict (id) do nothing
    returning id`);
  return made.map(({ id }) => id);
}

async function savePairs(tx: Database, pairs: readonly SeenPair[]): Promise<void> {
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

/** Deletes those of the pairs that the gateway never listed. */
export async function removePairs(tx: Database, pairs: readonly Pair[]): Promise<void> {
  await tx.execute(sql`
    delete from contact_pair as stored
     using unnest(${pairs.map(([lid]) => lid)}::text[], ${pairs.map(([, phone]) => phone)}::text[])
           as doubted (lid, phone)
     where stored.left_identifier = doubted.lid and stored.right_identifier = doubted.phone
       and not stored.is_listed`);
}

/** What was said of a member at a time; of `ALL_MEMBERS`, that those who are not named are no admins. */
export interface AdminRow {
  readonly group_id: string;
  readonly identifier: string;
  readonly at_ms: number;
  readonly is_admin: boolean;
}

/**
 * Adds who is an admin since when; if two say otherwise of one time, he is none. Returns the stored identifiers whose rights
 * may have changed.
 */
export async function saveAdmins(
  tx: Database,
  rows: readonly AdminRow[],
): Promise<readonly string[]> {
  const changed = await tx.query<{ identifier: string }>(sql`
    with changed as (
      insert into group_admin as stored (group_id, identifier, at_ms, is_admin)
      select group_id, identifier, at_ms, bool_and(is_admin)
        from ${recordset(rows)} as said (group_id uuid, identifier text collate "C", at_ms bigint, is_admin boolean)
       group by group_id, identifier, at_ms
       order by group_id, identifier, at_ms
      on conflict (group_id, identifier, at_ms) do update set is_admin = false
       where stored.is_admin and not excluded.is_admin
      returning group_id, identifier
    )
    select identifier
      from contact_identifier
     where identifier in (
        select identifier from changed
        union
        select member.identifier
          from group_admin as member
          join changed using (group_id)
         where changed.identifier = ${ALL_MEMBERS} and member.is_admin)
     order by identifier`);
  return changed.map(({ identifier }) => identifier);
}

/** Adds new identifiers and pairs, and joins times, names and ownership with what is stored. */
export async function applySightings(tx: Database, sightings: readonly Sighting[]): Promise<void> {
  const rows = sightings
    .flatMap(({ identifiers, atMs, name, isOwn }) =>
      identifiers.map((identifier) => ({
        identifier,
        contact_id: contactIdOf(identifier),
        at_ms: atMs,
        name: name ?? null,
        name_words: name === undefined ? null : toNameWords(name),
        named_on_ms: name === undefined ? null : dayStartOf(atMs),
        is_own: isOwn,
      })),
    )
    .toSorted((left, right) => (left.identifier < right.identifier ? -1 : 1));
  await savePairs(tx, listPairs(sightings));
  const reported = sql`${recordset(rows)} as reported
    (identifier text collate "C", contact_id uuid, at_ms bigint, name text collate "C", name_words text,
     named_on_ms bigint, is_own boolean)`;
  await tx.execute(sql`
    insert into contact_identifier (identifier, contact_id, first_seen_at_ms)
    select distinct on (identifier) identifier, contact_id, at_ms from ${reported} order by identifier, at_ms
    on conflict (identifier) do nothing`);
  await tx.execute(sql`
    select identifier from contact_identifier
     where identifier = any(${rows.map(({ identifier }) => identifier)}::text[])
     order by identifier
       for update`);
  await tx.execute(sql`
    update contact_identifier as stored
       set first_seen_at_ms = joined.first_at_ms, is_own = joined.is_own, name = joined.name,
           name_words = joined.name_words, named_on_ms = joined.named_on_ms
      from (select known.identifier, least(known.first_seen_at_ms, said.at_ms) as first_at_ms,
                   known.is_own or said.is_own as is_own,
                   case when is_newer then said.name else known.name end as name,
                   case when is_newer then said.name_words else known.name_words end as name_words,
                   case when is_newer then said.named_on_ms else known.named_on_ms end as named_on_ms
              from (select identifier, min(at_ms) as at_ms, bool_or(is_own) as is_own,
                           ${newest(sql`name`)} as name, ${newest(sql`name_words`)} as name_words,
                           ${newest(sql`named_on_ms`)} as named_on_ms
                      from ${reported}
                     group by identifier) as said
              join contact_identifier as known using (identifier)
             cross join lateral (
                select said.name is not null
                       and (coalesce(known.named_on_ms, -1), coalesce(known.name, '') collate "C")
                           < (said.named_on_ms, said.name) as is_newer
              ) as test
             where said.at_ms < known.first_seen_at_ms or (said.is_own and not known.is_own) or is_newer) as joined
     where stored.identifier = joined.identifier`);
}

/** The value beside the latest name that was reported. */
const newest = (column: Sql): Sql =>
  sql`(array_agg(${column} order by named_on_ms desc, name desc) filter (where name is not null))[1]`;

/** Names of one statement. */
const FOLDED_MAX = 1_000;

/** Folds the names that an earlier version stored without their words. */
export async function foldStoredNames(db: Database): Promise<void> {
  for (;;) {
    const rows = await db.query<{ identifier: string; name: string }>(sql`
      select identifier, name
        from contact_identifier
       where name is not null and name_words is null
       order by identifier
       limit ${FOLDED_MAX}`);
    if (rows.length === 0) return;
    const folded = rows.map((row) => ({ ...row, name_words: toNameWords(row.name) }));
    await db.execute(sql`
      update contact_identifier as stored
         set name_words = folded.name_words
        from ${recordset(folded)} as folded (identifier text collate "C", name text, name_words text)
       where stored.identifier = folded.identifier and stored.name = folded.name`);
  }
}

export interface SettledContact {
  readonly id: string;
  readonly key: string;
  readonly component: Component;
}

/**
 * Assigns each component its contact. The contacts `from` are deleted, and their ids become aliases of `to`. Returns
 * the contacts of which it became known that they are ours, or are not.
 */
export async function moveContacts(
  tx: Database,
  contacts: readonly SettledContact[],
  moves: readonly { readonly from: string; readonly to: string }[],
): Promise<readonly string[]> {
  const rows = contacts.map(({ id, key, component }) => ({
    id,
    key,
    phone_number: phoneOf(key) ?? null,
    display_name: newestName(component),
    is_own: component.some((row) => row.is_own),
  }));
  const before = await tx.query<{ id: string; is_own: boolean }>(sql`
    select id, is_own from contact where id = any(${rows.map(({ id }) => id)}::uuid[])`);
  const wasOwn = new Map(before.map(({ id, is_own }) => [id, is_own]));
  await tx.execute(sql`
    insert into contact (id, key, phone_number, display_name, is_own)
    select id, key, phone_number, display_name, is_own
      from ${recordset(rows)}
           as settled (id uuid, key text, phone_number text, display_name text, is_own boolean)
     order by id
    on conflict (id) do update set display_name = excluded.display_name, is_own = excluded.is_own
     where (contact.display_name, contact.is_own) is distinct from (excluded.display_name, excluded.is_own)`);
  const owners = contacts.flatMap(({ id, component }) =>
    component.map(({ identifier }) => ({ identifier, contact_id: id })),
  );
  await tx.execute(sql`
    update contact_identifier set contact_id = owner.contact_id
      from ${recordset(owners)} as owner (identifier text, contact_id uuid)
     where contact_identifier.identifier = owner.identifier
       and contact_identifier.contact_id <> owner.contact_id`);
  await tx.execute(sql`
    delete from contact_alias where old_id = any(${rows.map(({ id }) => id)}::uuid[])`);
  if (moves.length > 0) await replaceContacts(tx, moves);
  return rows.filter(({ id, is_own }) => is_own !== (wasOwn.get(id) ?? false)).map(({ id }) => id);
}

async function replaceContacts(
  tx: Database,
  moves: readonly { readonly from: string; readonly to: string }[],
): Promise<void> {
  const pairs = sql`unnest(${moves.map(({ from }) => from)}::uuid[], ${moves.map(({ to }) => to)}::uuid[])
                   as moved (old_id, new_id)`;
  await tx.execute(sql`
    update contact_alias set contact_id = moved.new_id
      from ${pairs} where contact_alias.contact_id = moved.old_id`);
  await tx.execute(sql`
    insert into contact_alias (old_id, contact_id) select old_id, new_id from ${pairs}
    on conflict (old_id) do update set contact_id = excluded.contact_id`);
  await tx.execute(sql`delete from contact using ${pairs} where contact.id = moved.old_id`);
}

function newestName(component: Component): string | null {
  const named = component.flatMap(({ name, named_on_ms }) =>
    name === null ? [] : [{ name, atMs: named_on_ms ?? 0 }],
  );
  const [newest] = named.toSorted((left, right) =>
    left.atMs === right.atMs
      ? Buffer.compare(Buffer.from(right.name), Buffer.from(left.name))
      : right.atMs - left.atMs,
  );
  return newest?.name ?? null;
}
