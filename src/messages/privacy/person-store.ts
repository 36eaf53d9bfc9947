import type { Database } from "../../db/database.ts";
import { recordset, sql } from "../../db/sql.ts";
import { contactIdOf, nameIdentifier, pairOf } from "../contacts/contact.ts";
import { eraseContactNotes } from "../contacts/contact-note-store.ts";
import { loadComponents } from "../contacts/contact-store.ts";
import { exportedGroup } from "../gateways/chat-export.ts";
import { adminSubject } from "./erased-store.ts";
import { removeKept } from "./retention-store.ts";

/** All that belongs to one contact, as far as it is known. */
export interface Person {
  readonly identifiers: readonly string[];
  /** Empty if nothing is stored about the person. */
  readonly contactIds: readonly string[];
  /** It is an account of ours. */
  readonly isOwn: boolean;
}

/** Pairs that wait to be merged count too. */
export async function findPerson(db: Database, identifier: string): Promise<Person> {
  let identifiers: readonly string[] = [];
  let found: readonly string[] = [identifier];
  let rows: Awaited<ReturnType<typeof loadComponents>>[number] = [];
  while (found.length > identifiers.length) {
    identifiers = found;
    rows = (await loadComponents(db, identifiers)).flat();
    const queued = await db.query<{ identifiers: string[] }>(sql`
      select identifiers from identity_queue
       where identifiers && ${[...identifiers]}::text[] and evidence <> 'doubt'`);
    const pairs = queued.flatMap((row) => pairOf(row.identifiers) ?? []);
    found = [...new Set([...identifiers, ...rows.map((row) => row.identifier), ...pairs])].sort();
  }
  return {
    identifiers,
    contactIds: [...new Set(rows.map((row) => row.contact_id))],
    isOwn: rows.some((row) => row.is_own),
  };
}

/** Returns the identifier of a contact, also by an id from before contacts merged. */
export async function findIdentifierOf(
  db: Database,
  contactId: string,
): Promise<string | undefined> {
  const [row] = await db.query<{ identifier: string }>(sql`
    select identifier from contact_identifier
     where contact_id = coalesce((select contact_id from contact_alias where old_id = ${contactId}), ${contactId})
     order by identifier
     limit 1`);
  return row?.identifier;
}

/** Returns the subjects of the groups of which one of the identifiers was ever an admin. */
export async function findAdminSubjects(
  db: Database,
  identifiers: readonly string[],
): Promise<readonly string[]> {
  const rows = await db.query<{ group_id: string }>(sql`
    select distinct group_id from group_admin
     where is_admin and identifier = any(${[...identifiers]}::text[])
     order by group_id`);
  return rows.flatMap(({ group_id }) =>
    identifiers.map((identifier) => adminSubject(group_id, identifier)),
  );
}

/** A name in a group of a gateway. */
interface NameInGroup {
  readonly group: string;
  readonly name: string;
}

/** Returns the names of the contacts in each group where they posted. */
export async function listNames(
  db: Database,
  contactIds: readonly string[],
): Promise<readonly NameInGroup[]> {
  return db.query<NameInGroup>(sql`
    select distinct market_group.gateway_group_id as "group", identifier.name
      from contact_identifier as identifier
      join occurrence on occurrence.contact_id = identifier.contact_id
      join market_group on market_group.id = occurrence.group_id
     where identifier.contact_id = any(${[...contactIds]}::uuid[]) and identifier.name is not null`);
}

/**
 * An exported chat knows a sender by name only. Returns the identifiers of these names there, except where another contact in the
 * group has the same name: a name must not erase another person.
 */
export async function findOwnNames(
  db: Database,
  names: readonly NameInGroup[],
  contactIds: readonly string[],
): Promise<readonly string[]> {
  if (names.length === 0) return [];
  const rows = await db.query<NameInGroup & { group_name: string | null }>(sql`
    select wanted.group, wanted.name, market_group.name as group_name
      from ${recordset(names)} as wanted ("group" text, name text)
      join market_group on market_group.gateway_group_id = wanted.group
     where not exists (
             select from contact
              where contact.display_name = wanted.name and contact.key not like 'name:%'
                and contact.id <> all(${[...contactIds]}::uuid[])
                and exists (select from occurrence
                             where occurrence.contact_id = contact.id and occurrence.group_id = market_group.id))`);
  return rows.flatMap(({ group, name, group_name }) => [
    nameIdentifier(group, name),
    ...(group_name === null ? [] : [nameIdentifier(exportedGroup(group_name), name)]),
  ]);
}

/** Deletes who the person is. Everything that he sent must be erased before. */
export async function removePerson(
  tx: Database,
  { identifiers, contactIds }: Person,
): Promise<void> {
  const names = [...identifiers];
  const ids = [...contactIds];
  await tx.execute(sql`delete from identity_queue where identifiers && ${names}::text[]`);
  await tx.execute(sql`delete from group_admin where identifier = any(${names}::text[])`);
  await tx.execute(sql`
    delete from contact_pair
     where left_identifier = any(${names}::text[]) or right_identifier = any(${names}::text[])`);
  await tx.execute(sql`delete from contact_identifier where identifier = any(${names}::text[])`);
  await tx.execute(sql`
    delete from contact_alias where contact_id = any(${ids}::uuid[]) or old_id = any(${ids}::uuid[])`);
  await tx.execute(sql`
    delete from contact
     where id = any(${ids}::uuid[])
        or (id = any(${names.map(contactIdOf)}::uuid[])
            and not exists (select from contact_identifier as other where other.contact_id = contact.id))`);
  await eraseContactNotes(tx, names);
  await removeKept(tx, names);
}

export async function countOccurrencesOf(
  db: Database,
  contactIds: readonly string[],
): Promise<number> {
  const [row] = await db.query<{ count: number }>(sql`
    select count(*) as count from occurrence where contact_id = any(${[...contactIds]}::uuid[])`);
  return row?.count ?? 0;
}
