import type { Database } from "../db/database.ts";
import { recordset } from "../db/row.ts";

/** A text that an occurrence had; 0 for what was not an edit. */
export interface NewVersion {
  readonly occurrence_id: string;
  readonly version_at_ms: number;
  readonly text_sha256: string;
  readonly text: string;
  readonly identity_sha256: string | null;
  /** If the contact is known. */
  readonly canonical_message_id: string | null;
}

export interface StoredVersion {
  readonly occurrence_id: string;
  readonly version_at_ms: number;
  readonly text_sha256: string;
  readonly identity_sha256: string | null;
  readonly canonical_message_id: string | null;
  /** The occurrence's own. */
  readonly contact_id: string;
  /** Whether it holds its occurrence: the newest edit, else the non-empty text; ties by text bytewise. */
  readonly is_holding: boolean;
}

export async function saveVersions(tx: Database, versions: readonly NewVersion[]): Promise<void> {
  await tx`
    insert into message_version
           (occurrence_id, version_at_ms, text_sha256, text, identity_sha256, canonical_message_id)
    select occurrence_id, version_at_ms, decode(text_sha256, 'hex'), text, decode(identity_sha256, 'hex'),
           canonical_message_id
      from ${recordset(tx, versions)} as news
           (occurrence_id uuid, version_at_ms bigint, text_sha256 text, text text, identity_sha256 text,
            canonical_message_id uuid)
    on conflict do nothing`;
}

/** All versions of those occurrences of which the message itself has come. */
export async function listVersions(
  tx: Database,
  occurrenceIds: readonly string[],
): Promise<readonly StoredVersion[]> {
  return tx<StoredVersion[]>`
    select version.occurrence_id, version.version_at_ms, encode(version.text_sha256, 'hex') as text_sha256,
           encode(version.identity_sha256, 'hex') as identity_sha256, version.canonical_message_id,
           occurrence.contact_id,
           row_number() over (partition by version.occurrence_id
                              order by version.version_at_ms desc, version.text desc) = 1 as is_holding
      from message_version as version
      join occurrence on occurrence.id = version.occurrence_id
     where version.occurrence_id = any(${[...occurrenceIds]}::uuid[])
       and occurrence.sent_at_ms is not null and occurrence.contact_id is not null`;
}

export async function saveVersionMessages(
  tx: Database,
  versions: readonly Pick<
    StoredVersion,
    "occurrence_id" | "version_at_ms" | "text_sha256" | "canonical_message_id"
  >[],
): Promise<void> {
  await tx`
    update message_version as version
       set canonical_message_id = said.canonical_message_id
      from ${recordset(tx, versions)}
           as said (occurrence_id uuid, version_at_ms bigint, text_sha256 text, canonical_message_id uuid)
     where version.occurrence_id = said.occurrence_id
       and version.version_at_ms = said.version_at_ms
       and version.text_sha256 = decode(said.text_sha256, 'hex')`;
}

/** Makes the messages known, each with its contact, and locks them and the others until the transaction ends. */
export async function lockMessages(
  tx: Database,
  made: ReadonlyMap<string, string>,
  others: readonly string[],
): Promise<void> {
  const ids = [...made.keys()].sort();
  await tx`
    insert into canonical_message (id, contact_id)
    select id, contact_id
      from unnest(${ids}::uuid[], ${ids.map((id) => made.get(id) ?? "")}::uuid[]) as made (id, contact_id)
    on conflict (id) do nothing`;
  await tx`
    select id
      from canonical_message
     where id = any(${[...ids, ...others]}::uuid[])
     order by id
       for update`;
}

/** A message, a UTC day and a group. */
export interface RollupKey {
  readonly canonical_message_id: string;
  readonly day_start_ms: number;
  readonly group_id: string;
}

const DAY_MS = 86_400_000;

/** Counts those roll-ups anew from their occurrences. The messages must be locked. */
export async function refreshRollups(tx: Database, keys: readonly RollupKey[]): Promise<void> {
  const touched = tx`${recordset(tx, keys)}
    as touched (canonical_message_id uuid, day_start_ms bigint, group_id uuid)`;
  const isIn = tx`
    occurrence.canonical_message_id = touched.canonical_message_id
    and occurrence.group_id = touched.group_id
    and occurrence.sent_at_ms >= touched.day_start_ms
    and occurrence.sent_at_ms < touched.day_start_ms + ${DAY_MS}`;
  await tx`
    delete from occurrence_rollup as rollup
     using ${touched}
     where rollup.canonical_message_id = touched.canonical_message_id
       and rollup.day_start_ms = touched.day_start_ms
       and rollup.group_id = touched.group_id
       and not exists (select from occurrence where ${isIn})`;
  await tx`
    insert into occurrence_rollup
           (canonical_message_id, day_start_ms, group_id, occurrence_count, edited_count, revoked_count,
            media_count, own_count, first_seen_at_ms, last_seen_at_ms, live_first_seen_at_ms,
            live_last_seen_at_ms, session_ids)
    select touched.canonical_message_id, touched.day_start_ms, touched.group_id, counted.*,
           array(select distinct unnest(occurrence.session_ids) from occurrence where ${isIn} order by 1)
      from ${touched}
     cross join lateral (
        select count(*), count(*) filter (where is_edited), count(*) filter (where is_revoked),
               count(*) filter (where has_media), count(*) filter (where is_own),
               min(sent_at_ms), max(sent_at_ms),
               min(sent_at_ms) filter (where not is_revoked), max(sent_at_ms) filter (where not is_revoked)
          from occurrence
         where ${isIn}
        having count(*) > 0
      ) as counted
    on conflict (canonical_message_id, day_start_ms, group_id) do update set
      occurrence_count = excluded.occurrence_count, edited_count = excluded.edited_count,
      revoked_count = excluded.revoked_count, media_count = excluded.media_count,
      own_count = excluded.own_count, first_seen_at_ms = excluded.first_seen_at_ms,
      last_seen_at_ms = excluded.last_seen_at_ms, live_first_seen_at_ms = excluded.live_first_seen_at_ms,
      live_last_seen_at_ms = excluded.live_last_seen_at_ms, session_ids = excluded.session_ids`;
}

/** Removes those of which no version is left, because they went to another contact. */
export async function removeEmptyMessages(tx: Database, ids: readonly string[]): Promise<void> {
  await tx`
    delete from canonical_message as message
     where message.id = any(${[...ids]}::uuid[])
       and not exists (select from message_version where canonical_message_id = message.id)`;
}

export async function listMessagesOf(
  tx: Database,
  contactIds: readonly string[],
): Promise<readonly string[]> {
  const rows = await tx<{ id: string }[]>`
    select id from canonical_message where contact_id = any(${[...contactIds]}::uuid[]) order by id`;
  return rows.map(({ id }) => id);
}

/** Sums the messages up from their roll-ups. */
export async function refreshMessages(tx: Database, ids: readonly string[]): Promise<void> {
  await tx`
    update canonical_message as message
       set (contact_id, source_occurrence_id, text, first_seen_at_ms, last_seen_at_ms, occurrence_count, group_ids,
            is_own, has_media, is_revoked) = (
         select source.contact_id, source.id,
                (select text from message_version
                  where occurrence_id = source.id and canonical_message_id = message.id
                  order by version_at_ms desc, text desc
                  limit 1),
                coalesce(total.first_at, source.sent_at_ms), coalesce(total.last_at, source.sent_at_ms),
                coalesce(total.live_count, 0), coalesce(total.groups, '{}'), coalesce(total.is_own, false),
                coalesce(total.has_media, false), coalesce(total.is_revoked, false)
           from ${sourceOf(tx)} as source
           left join (${totalOf(tx)}) as total on true)
     where message.id = any(${[...ids]}::uuid[])`;
}

/** The earliest occurrence, by time, group and raw id; if edits took them all, the earliest that ever had the text. */
function sourceOf(tx: Database) {
  return tx`(
    (select occurrence.id, occurrence.contact_id, occurrence.sent_at_ms, 0 as rank
       from (select group_id, first_seen_at_ms
               from occurrence_rollup
              where canonical_message_id = message.id
              order by first_seen_at_ms, group_id
              limit 1) as first
       join occurrence
         on occurrence.canonical_message_id = message.id
        and occurrence.group_id = first.group_id
        and occurrence.sent_at_ms = first.first_seen_at_ms
      order by occurrence.raw_id
      limit 1)
    union all
    (select occurrence.id, occurrence.contact_id, occurrence.sent_at_ms, 1 as rank
       from message_version as version
       join occurrence on occurrence.id = version.occurrence_id
      where version.canonical_message_id = message.id
        and not exists (select from occurrence_rollup where canonical_message_id = message.id)
      order by occurrence.sent_at_ms, occurrence.group_id, occurrence.raw_id
      limit 1)
    order by rank
    limit 1)`;
}

function totalOf(tx: Database) {
  return tx`
    select coalesce(min(live_first_seen_at_ms), min(first_seen_at_ms)) as first_at,
           coalesce(max(live_last_seen_at_ms), max(last_seen_at_ms)) as last_at,
           case when sum(occurrence_count) = sum(revoked_count) then sum(occurrence_count)
                else sum(occurrence_count - revoked_count) end::integer as live_count,
           case when sum(occurrence_count) = sum(revoked_count)
                then array_agg(distinct group_id order by group_id)
                else array_agg(distinct group_id order by group_id)
                     filter (where occurrence_count > revoked_count) end as groups,
           sum(own_count) > 0 as is_own, sum(media_count) > 0 as has_media,
           sum(occurrence_count) = sum(revoked_count) as is_revoked
      from occurrence_rollup
     where canonical_message_id = message.id
    having count(*) > 0`;
}

/** Ids that were handed out lead to what they became; also those that led to one of them before. */
export async function saveMessageAliases(
  tx: Database,
  aliases: readonly { readonly from: string; readonly to: string }[],
): Promise<void> {
  const pairs = tx`unnest(${aliases.map(({ from }) => from)}::uuid[], ${aliases.map(({ to }) => to)}::uuid[])
                   as moved (old_id, new_id)`;
  await tx`
    update message_alias set canonical_message_id = moved.new_id
      from ${pairs} where message_alias.canonical_message_id = moved.old_id`;
  await tx`
    insert into message_alias (old_id, canonical_message_id)
    select old_id, new_id from ${pairs}
    on conflict (old_id) do update set canonical_message_id = excluded.canonical_message_id`;
  // An id that is in use again leads to itself.
  await tx`delete from message_alias using ${pairs} where message_alias.old_id = moved.new_id`;
}
