import type { Database } from "../../db/database.ts";
import { recordset, sql } from "../../db/sql.ts";
import type { NewVersion, StoredVersion } from "./version.ts";

/** Adds the versions that are not stored yet. */
export async function saveVersions(tx: Database, versions: readonly NewVersion[]): Promise<void> {
  await tx.execute(sql`
    insert into message_version
           (occurrence_id, version_at_ms, text_sha256, text, identity_sha256, canonical_message_id)
    select occurrence_id, version_at_ms, decode(text_sha256, 'hex'), text, decode(identity_sha256, 'hex'),
           canonical_message_id
      from ${recordset(versions)} as added
           (occurrence_id uuid, version_at_ms bigint, text_sha256 text, text text, identity_sha256 text,
            canonical_message_id uuid)
    on conflict do nothing`);
}

/** Returns all versions of those occurrences whose message has arrived. Before that, an edit has no sender. */
export async function listVersions(
  tx: Database,
  occurrenceIds: readonly string[],
): Promise<readonly StoredVersion[]> {
  return tx.query<StoredVersion>(sql`
    select version.occurrence_id, version.version_at_ms, encode(version.text_sha256, 'hex') as text_sha256,
           encode(version.identity_sha256, 'hex') as identity_sha256, version.canonical_message_id,
           occurrence.contact_id,
           row_number() over (partition by version.occurrence_id
                              order by version.version_at_ms desc, version.text desc) = 1 as is_current
      from message_version as version
      join occurrence on occurrence.id = version.occurrence_id
     where version.occurrence_id = any(${[...occurrenceIds]}::uuid[])
       and occurrence.sent_at_ms is not null and occurrence.contact_id is not null`);
}

/** Assigns the versions to their messages. */
export async function saveVersionMessages(
  tx: Database,
  versions: readonly Pick<
    StoredVersion,
    "occurrence_id" | "version_at_ms" | "text_sha256" | "canonical_message_id"
  >[],
): Promise<void> {
  await tx.execute(sql`
    update message_version as version
       set canonical_message_id = moved.canonical_message_id
      from ${recordset(versions)}
           as moved (occurrence_id uuid, version_at_ms bigint, text_sha256 text, canonical_message_id uuid)
     where version.occurrence_id = moved.occurrence_id
       and version.version_at_ms = moved.version_at_ms
       and version.text_sha256 = decode(moved.text_sha256, 'hex')`);
}
