import type { Database } from "../db/database.ts";
import { recordset, type Sql, sql } from "../db/sql.ts";

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
  await tx.execute(sql`
    insert into message_version
           (occurrence_id, version_at_ms, text_sha256, text, identity_sha256, canonical_message_id)
    select occurrence_id, version_at_ms, decode(text_sha256, 'hex'), text, decode(identity_sha256, 'hex'),
           canonical_message_id
      from ${recordset(versions)} as news
           (occurrence_id uuid, version_at_ms bigint, text_sha256 text, text text, identity_sha256 text,
            canonical_message_id uuid)
    on conflict do nothing`);
}

/** All versions of those occurrences of which the message itself has come. */
export async function listVersions(
  tx: Database,
  occurrenceIds: readonly string[],
): Promise<readonly StoredVersion[]> {
  return tx.query<StoredVersion>(sql`
    select version.occurrence_id, version.version_at_ms, encode(version.text_sha256, 'hex') as text_sha256,
           encode(version.identity_sha256, 'hex') as identity_sha256, version.canonical_message_id,
           occurrence.contact_id,
           row_number() over (partition by version.occurrence_id
                              order by version.version_at_ms desc, version.text desc) = 1 as is_holding
      from message_version as version
      join occurrence on occurrence.id = version.occurrence_id
     where version.occurrence_id = any(${[...occurrenceIds]}::uuid[])
       and occurrence.sent_at_ms is not null and occurrence.contact_id is not null`);
}

export async function saveVersionMessages(
  tx: Database,
  versions: readonly Pick<
    StoredVersion,
    "occurrence_id" | "version_at_ms" | "text_sha256" | "canonical_message_id"
  >[],
): Promise<void> {
  await tx.execute(sql`
    update message_version as version
       set canonical_message_id = said.canonical_message_id
      from ${recordset(versions)}
           as said (occurrence_id uuid, version_at_ms bigint, text_sha256 text, canonical_message_id uuid)
     where version.occurrence_id = said.occurrence_id
       and version.version_at_ms = said.version_at_ms
       and version.text_sha256 = decode(said.text_sha256, 'hex')`);
}

/** A message as new occurrences make it, if they are all that it has. */
export interface MessageDraft {
  readonly id: string;
  readonly contact_id: string;
  readonly source_occurrence_id: string;
  readonly source_group_id: string;
  readonly source_raw_id: string;
  readonly source_sent_at_ms: number;
  readonly text: string;
  readonly first_seen_at_ms: number;
  readonly last_seen_at_ms: number;
  readonly occurrence_count: number;
  readonly group_ids: readonly string[];
  readonly is_own: boolean;
  readonly has_media: boolean;
}

/** What is made of messages that need not be there yet. */
export interface NewMessages {
  /** Contact by id: to be counted afterwards. */
  readonly bare: ReadonlyMap<string, string>;
  readonly drafts: readonly MessageDraft[];
}

/**
 * Makes the messages known, and locks them and the others until the transaction ends. Gives the ids of those that are
 * new; a new one with a draft is finished. All are made before any is locked, each in the order of ids.
 */
export async function lockMessages(
  tx: Database,
  { bare, drafts }: NewMessages,
  others: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = [...drafts, ...[...bare].map(([id, contact_id]) => ({ id, contact_id }))].sort(
    (left, right) => (left.id < right.id ? -1 : 1),
  );
  const made = await tx.query<{ id: string }>(sql`
    insert into canonical_message
           (id, contact_id, source_occurrence_id, text, first_seen_at_ms, last_seen_at_ms, occurrence_count,
            group_ids, is_own, has_media)
    select id, contact_id, source_occurrence_id, text, first_seen_at_ms, last_seen_at_ms,
           coalesce(occurrence_count, 0), coalesce(group_ids, '{}'), coalesce(is_own, false),
           coalesce(has_media, false)
      from ${recordset(rows)} as made
           (id uuid, contact_id uuid, source_occurrence_id uuid, text text, first_seen_at_ms bigint,
            last_seen_at_ms bigint, occurrence_count integer, group_ids uuid[], is_own boolean, has_media boolean)
    on conflict (id) do nothing
    returning id`);
  const isNew = new Set(made.map(({ id }) => id));
  const known = [...rows.map(({ id }) => id), ...others].filter((id) => !isNew.has(id));
  if (known.length > 0) {
    await tx.execute(sql`
      select id
        from canonical_message
       where id = any(${known}::uuid[])
       order by id
         for update`);
  }
  return isNew;
}

/**
 * Sums messages up from their roll-ups after new occurrences came to them and nothing else changed: the text and its
 * source stay, unless one of the new ones is earlier. The messages must be locked.
 */
export async function extendMessages(tx: Database, drafts: readonly MessageDraft[]): Promise<void> {
  await tx.execute(sql`
    update canonical_message as message
       set source_occurrence_id = case when is_source then draft.source_occurrence_id
                                       else message.source_occurrence_id end,
           text = case when is_source then draft.text else message.text end,
           first_seen_at_ms = total.first_at, last_seen_at_ms = total.last_at,
           occurrence_count = total.live_count, group_ids = total.groups, is_own = total.is_own,
           has_media = total.has_media, is_revoked = total.is_revoked
      from ${recordset(drafts)} as draft
           (id uuid, source_occurrence_id uuid, source_group_id uuid, source_raw_id text collate "C",
            source_sent_at_ms bigint, text text)
      join canonical_message as known on known.id = draft.id
      left join occurrence as source on source.id = known.source_occurrence_id
     cross join lateral (${totalOf(sql`draft.id`)}) as total
     cross join lateral (
        select known.occurrence_count = 0
               or (draft.source_sent_at_ms, draft.source_group_id, draft.source_raw_id)
                  < (source.sent_at_ms, source.group_id, source.raw_id) as is_source
      ) as test
     where message.id = draft.id`);
}

/** Removes those of which no version is left, because they went to another contact. */
export async function removeEmptyMessages(tx: Database, ids: readonly string[]): Promise<void> {
  await tx.execute(sql`
    with gone as (
      delete from canonical_message as message
       where message.id = any(${[...ids]}::uuid[])
         and not exists (select from message_version where canonical_message_id = message.id)
      returning id
    )
    delete from occurrence_rollup using gone where canonical_message_id = gone.id`);
}

export async function listMessagesOf(
  tx: Database,
  contactIds: readonly string[],
): Promise<readonly string[]> {
  const rows = await tx.query<{ id: string }>(sql`
    select id from canonical_message where contact_id = any(${[...contactIds]}::uuid[]) order by id`);
  return rows.map(({ id }) => id);
}

/** Sums the messages up from their roll-ups. */
export async function refreshMessages(tx: Database, ids: readonly string[]): Promise<void> {
  await tx.execute(sql`
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
           from ${sourceOf()} as source
           left join (${totalOf(sql`message.id`)}) as total on true)
     where message.id = any(${[...ids]}::uuid[])`);
}

/** The earliest occurrence, by time, group and raw id; if edits took them all, the earliest that ever had the text. */
function sourceOf() {
  return sql`(
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

function totalOf(messageId: Sql) {
  return sql`
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
     where canonical_message_id = ${messageId}
    having count(*) > 0`;
}

/** Ids that were handed out lead to what they became; also those that led to one of them before. */
export async function saveMessageAliases(
  tx: Database,
  aliases: readonly { readonly from: string; readonly to: string }[],
): Promise<void> {
  const pairs = sql`unnest(${aliases.map(({ from }) => from)}::uuid[], ${aliases.map(({ to }) => to)}::uuid[])
                   as moved (old_id, new_id)`;
  await tx.execute(sql`
    update message_alias set canonical_message_id = moved.new_id
      from ${pairs} where message_alias.canonical_message_id = moved.old_id`);
  await tx.execute(sql`
    insert into message_alias (old_id, canonical_message_id)
    select old_id, new_id from ${pairs}
    on conflict (old_id) do update set canonical_message_id = excluded.canonical_message_id`);
  // An id that is in use again leads to itself.
  await tx.execute(
    sql`delete from message_alias using ${pairs} where message_alias.old_id = moved.new_id`,
  );
}
