import type { Database } from "../../db/database.ts";
import { rowset } from "../../db/rowset.ts";
import { recordset, sql } from "../../db/sql.ts";
import type { Occurrence, StoredVersion, Version } from "./occurrence.ts";

/** A raw id in a group. */
export interface RawKey {
  readonly group_id: string;
  readonly raw_id: string;
}

/** All stored occurrences of these raw ids. */
export async function findOccurrences(
  tx: Database,
  keys: readonly RawKey[],
): Promise<readonly Occurrence[]> {
  return tx.query<Occurrence>(sql`
    select id, group_id, raw_id, second, sent_at_ms, sender_ids, contact_id, is_own, has_media, is_revoked, is_edited,
           session_ids, canonical_message_id
      from occurrence
      join unnest(${keys.map(({ group_id }) => group_id)}::uuid[], ${keys.map(({ raw_id }) => raw_id)}::text[])
           as wanted (group_id, raw_id) using (group_id, raw_id)`);
}

export async function findVersions(
  tx: Database,
  occurrenceIds: readonly string[],
): Promise<readonly StoredVersion[]> {
  return tx.query<StoredVersion>(sql`
    select occurrence_id, version_at_ms, encode(text_sha256, 'hex') as text_sha256,
           encode(identity_sha256, 'hex') as identity_sha256, canonical_message_id
      from message_version
     where occurrence_id = any(${[...occurrenceIds]}::uuid[])`);
}

/** Adds occurrences, or replaces what is stored of them. */
export async function saveOccurrences(
  tx: Database,
  occurrences: readonly Occurrence[],
): Promise<void> {
  await tx.execute(sql`
    insert into occurrence
           (id, group_id, raw_id, second, sent_at_ms, sender_ids, contact_id, is_own, has_media, is_revoked, is_edited,
            session_ids, canonical_message_id)
    select id, group_id, raw_id, second, sent_at_ms, sender_ids, contact_id, is_own, has_media, is_revoked, is_edited,
           session_ids, canonical_message_id
      from ${rowset("derived", occurrences, {
        id: "uuid",
        group_id: "uuid",
        raw_id: "text",
        second: "bigint",
        sent_at_ms: "bigint",
        sender_ids: "text[]",
        contact_id: "uuid",
        is_own: "boolean",
        has_media: "boolean",
        is_revoked: "boolean",
        is_edited: "boolean",
        session_ids: "uuid[]",
        canonical_message_id: "uuid",
      })}
    on conflict (id) do update set
      sent_at_ms = excluded.sent_at_ms, sender_ids = excluded.sender_ids, is_own = excluded.is_own,
      has_media = excluded.has_media, is_revoked = excluded.is_revoked, is_edited = excluded.is_edited,
      session_ids = excluded.session_ids, canonical_message_id = excluded.canonical_message_id`);
}

export async function removeOccurrences(tx: Database, ids: readonly string[]): Promise<void> {
  await tx.execute(sql`delete from occurrence where id = any(${[...ids]}::uuid[])`);
}

export async function addVersions(tx: Database, versions: readonly Version[]): Promise<void> {
  await tx.execute(sql`
    insert into message_version
           (occurrence_id, version_at_ms, text_sha256, text, identity_sha256, canonical_message_id)
    select occurrence_id, version_at_ms, decode(text_sha256, 'hex'), text, decode(identity_sha256, 'hex'),
           canonical_message_id
      from ${rowset("added", versions, {
        occurrence_id: "uuid",
        version_at_ms: "bigint",
        text_sha256: "text",
        text: "text",
        identity_sha256: "text",
        canonical_message_id: "uuid",
      })}`);
}

export async function removeVersions(
  tx: Database,
  versions: readonly StoredVersion[],
): Promise<void> {
  await tx.execute(sql`
    delete from message_version as version
     using ${recordset(versions)}
           as removed (occurrence_id uuid, version_at_ms bigint, text_sha256 text)
     where version.occurrence_id = removed.occurrence_id
       and version.version_at_ms = removed.version_at_ms
       and version.text_sha256 = decode(removed.text_sha256, 'hex')`);
}
