/**
 * What a desk says about a dealer: a note, and whether he is blocked. Contacts are made again by merges and replays, so it is
 * stored for each of his identifiers. A contact is blocked if one of its identifiers is, and has the latest of their notes.
 */
import { AppError } from "../../base/errors.ts";
import type { Database } from "../../db/database.ts";
import { dropNulls, type Present } from "../../db/row.ts";
import { type Sql, sql } from "../../db/sql.ts";
import type { Author } from "../../people/activity.ts";
import { recordActivity } from "../../people/activity-store.ts";
import { findCurrentContactId } from "./contact-store.ts";

interface ContactNoteRow {
  readonly note: string | null;
  readonly is_blocked: boolean;
}

export type ContactNote = Present<ContactNoteRow>;

/** True if the contact is blocked. The few blocked ones are read once per statement. */
export function isBlockedContact(contactId: Sql): Sql {
  return sql`
    coalesce(${contactId} = any(array(select contact_identifier.contact_id
                                        from contact_note
                                        join contact_identifier using (identifier)
                                       where contact_note.is_blocked)), false)`;
}

/** By contact. One without a note that is not blocked has no entry. */
export async function findContactNotes(
  db: Database,
  contactIds: readonly string[],
): Promise<ReadonlyMap<string, ContactNote>> {
  if (contactIds.length === 0) return new Map();
  const rows = await db.query<ContactNoteRow & { readonly contact_id: string }>(sql`
    select own.contact_id, bool_or(contact_note.is_blocked) as is_blocked,
           (array_agg(contact_note.note order by contact_note.updated_at_ms desc, contact_note.identifier)
              filter (where contact_note.note is not null))[1] as note
      from contact_identifier as own
      join contact_note using (identifier)
     where own.contact_id = any(${contactIds}::uuid[])
     group by own.contact_id
     order by own.contact_id
     limit ${contactIds.length}`);
  return new Map(rows.map(({ contact_id, ...note }) => [contact_id, dropNulls(note)]));
}

/**
 * Changes what is said about a contact, for all of its identifiers. A member that is left out stays as it is. The id may be one
 * from before a merge.
 */
export async function changeContactNote(
  tx: Database,
  requestedId: string,
  { note, isBlocked, author, isExpected }: NewContactNote,
): Promise<void> {
  const { contactId, names } = await lockContact(tx, requestedId);
  const last = await findLastNote(tx, contactId);
  if (isExpected?.(last.version) === false) {
    const when = last.version === 0 ? "" : ` at ${new Date(last.version).toISOString()}`;
    throw new AppError(
      "precondition_failed",
      `${last.by ?? "someone"} was first${when}; read the contact, then send its ETag as If-Match`,
    );
  }
  const before = (await findContactNotes(tx, [contactId])).get(contactId) ?? { is_blocked: false };
  const text = note === undefined ? before.note : note || undefined;
  const after = {
    ...(text === undefined ? {} : { note: text }),
    is_blocked: isBlocked ?? before.is_blocked,
  };
  // The same again, such as after a lost answer, changes nothing.
  if (after.note === before.note && after.is_blocked === before.is_blocked) return;
  if (text === undefined && !after.is_blocked) await eraseContactNotes(tx, names);
  else
    await tx.execute(sql`
      insert into contact_note (identifier, note, is_blocked, updated_by, updated_at_ms)
      select identifier, ${text ?? null}, ${after.is_blocked}, ${author.name},
             ${Math.max(author.nowMs, last.version + 1)}::bigint
        from unnest(${names}::text[]) as identifier
       order by identifier
      on conflict (identifier) do update
         set note = excluded.note, is_blocked = excluded.is_blocked, updated_by = excluded.updated_by,
             updated_at_ms = excluded.updated_at_ms`);
  const object = { kind: "contact", id: contactId } as const;
  await recordActivity(tx, author, [{ action: "changed", object, before, after, contactId }]);
}

/** The lock may wait for a merge that moves the identifiers to another contact, and that one may be merged too. */
const LOCKS_MAX = 5;

/** Merges and other changes wait until the transaction ends, so no identifier is missed. */
async function lockContact(
  tx: Database,
  requestedId: string,
): Promise<{ readonly contactId: string; readonly names: readonly string[] }> {
  for (let attempt = 0; attempt < LOCKS_MAX; attempt += 1) {
    const contactId = await findCurrentContactId(tx, requestedId);
    if (contactId === undefined) break;
    const rows = await tx.query<{ identifier: string }>(sql`
      select identifier from contact_identifier where contact_id = ${contactId} order by identifier
         for no key update`);
    if (rows.length > 0) return { contactId, names: rows.map(({ identifier }) => identifier) };
  }
  throw new AppError("contact_not_found", "there is no contact with this id now; find it again");
}

/** When a person last said something about a contact, which is the version of what is said. 0 if nothing is. */
export async function findLastNote(
  db: Database,
  contactId: string,
): Promise<{ readonly version: number; readonly by?: string }> {
  const [row] = await db.query<{ updated_at_ms: number; updated_by: string | null }>(sql`
    select contact_note.updated_at_ms, contact_note.updated_by
      from contact_identifier as own
      join contact_note using (identifier)
     where own.contact_id = ${contactId}
     order by contact_note.updated_at_ms desc, contact_note.identifier
     limit 1`);
  if (row === undefined) return { version: 0 };
  const { updated_at_ms: version, updated_by: by } = row;
  return by === null ? { version } : { version, by };
}

interface NewContactNote {
  /** Empty removes it. */
  readonly note?: string | undefined;
  readonly isBlocked?: boolean | undefined;
  readonly author: Author;
  /** The condition of the caller on the version that it has read. */
  readonly isExpected?: (version: number) => boolean;
}

export async function eraseContactNotes(
  tx: Database,
  identifiers: readonly string[],
): Promise<void> {
  await tx.execute(sql`
    delete from contact_note where identifier = any(${[...identifiers]}::text[])`);
}
