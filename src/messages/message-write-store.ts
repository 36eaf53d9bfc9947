/**
 * Canonical messages: one text by one contact, in all groups and on all days.
 *
 * Invariant: a message is the sum of its roll-ups. Revoked occurrences count only if all are revoked. Its source,
 * whose text it shows, is its earliest occurrence by time, group, raw id and id. If edits moved all occurrences
 * elsewhere, the message stays with count 0, and its source is the earliest occurrence that ever had the text.
 *
 * Example: dealer c posts "126610LN 98k" in g1 on 20 August at 09:00 and in g2 on 21 August, and revokes the first.
 * The message has first_seen and last_seen on 21 August, occurrence_count 1, group_ids [g2], and the text of the post
 * in g1.
 */
import type { Database } from "../db/database.ts";
import { recordset, rowset, type Sql, sql } from "../db/sql.ts";

export interface MessageDraft {
  readonly id: string;
  readonly contact_id: string | null;
  /** The earliest occurrence: the message shows its text. */
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

/** Messages that may not be stored yet. */
interface NewMessages {
  /** Contacts by message. Such a message is added without counts, which the caller calculates. */
  readonly contactIds: ReadonlyMap<string, string | null>;
  readonly drafts: readonly MessageDraft[];
}

/**
 * Adds the messages that are not stored yet, and locks all of them and `others` until the transaction ends. Returns
 * the ids that it added; one that was added from a draft is complete. To avoid deadlocks, all are added before any is
 * locked, both in the order of ids. One that another worker deletes in between, because its last post left, is added again.
 */
export async function lockMessages(
  tx: Database,
  { contactIds, drafts }: NewMessages,
  others: readonly string[],
): Promise<ReadonlySet<string>> {
  const newIds = new Set<string>();
  let missing: readonly MessageRow[] = [
    ...drafts,
    ...[...contactIds].map(([id, contact_id]) => ({ id, contact_id })),
  ].sort((left, right) => (left.id < right.id ? -1 : 1));
  let wantedIds = [...missing.map(({ id }) => id), ...others];
  while (wantedIds.length > 0) {
    if (missing.length > 0) for (const id of await addMessages(tx, missing)) newIds.add(id);
    const lockedIds = await lockStored(
      tx,
      wantedIds.filter((id) => !newIds.has(id)),
    );
    missing = missing.filter(({ id }) => !newIds.has(id) && !lockedIds.has(id));
    wantedIds = missing.map(({ id }) => id);
  }
  return newIds;
}

type MessageRow = Pick<MessageDraft, "id" | "contact_id"> & Partial<MessageDraft>;

async function addMessages(tx: Database, rows: readonly MessageRow[]): Promise<readonly string[]> {
  const added = await tx.query<{ id: string }>(sql`
    insert into canonical_message
           (id, contact_id, source_occurrence_id, text, first_seen_at_ms, last_seen_at_ms, occurrence_count,
            group_ids, is_own, has_media)
    select id, contact_id, source_occurrence_id, text, first_seen_at_ms, last_seen_at_ms,
           coalesce(occurrence_count, 0), coalesce(group_ids, '{}'), coalesce(is_own, false),
           coalesce(has_media, false)
      from ${rowset("made", rows, {
        id: "uuid",
        contact_id: "uuid",
        source_occurrence_id: "uuid",
        text: "text",
        first_seen_at_ms: "bigint",
        last_seen_at_ms: "bigint",
        occurrence_count: "integer",
        group_ids: "uuid[]",
        is_own: "boolean",
        has_media: "boolean",
      })}
    on conflict (id) do nothing
    returning id`);
  return added.map(({ id }) => id);
}

async function lockStored(tx: Database, ids: readonly string[]): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set();
  const locked = await tx.query<{ id: string }>(sql`
    select id
      from canonical_message
     where id = any(${ids}::uuid[])
     order by id
       for update`);
  return new Set(locked.map(({ id }) => id));
}

/**
 * Sums stored messages up from their roll-ups after they gained new occurrences, and nothing else changed. The text and
 * its source change only if a new occurrence is earlier. The messages must be locked.
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
      join canonical_message as stored on stored.id = draft.id
      left join occurrence as source on source.id = stored.source_occurrence_id
     cross join lateral (${totalOf(sql`draft.id`)}) as total
     cross join lateral (
        select stored.occurrence_count = 0
               or (draft.source_sent_at_ms, draft.source_group_id, draft.source_raw_id, draft.source_occurrence_id)
                  < (source.sent_at_ms, source.group_id, source.raw_id, source.id) as is_source
      ) as test
     where message.id = draft.id`);
}

/** Calculates the messages from their roll-ups and versions. The messages must be locked. */
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

/** The first part finds the earliest occurrence; the second, if there is none, the earliest that ever had the text. */
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
      order by occurrence.raw_id, occurrence.id
      limit 1)
    union all
    (select occurrence.id, occurrence.contact_id, occurrence.sent_at_ms, 1 as rank
       from message_version as version
       join occurrence on occurrence.id = version.occurrence_id
      where version.canonical_message_id = message.id
        and not exists (select from occurrence_rollup where canonical_message_id = message.id)
      order by occurrence.sent_at_ms, occurrence.group_id, occurrence.raw_id, occurrence.id
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

/** Deletes the messages that have no version left, because all belong to other messages now. Returns their ids. */
export async function removeEmptyMessages(
  tx: Database,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await tx.query<{ id: string }>(sql`
    delete from canonical_message as message
     where message.id = any(${[...ids]}::uuid[])
       and not exists (select from message_version where canonical_message_id = message.id)
    returning id`);
  return new Set(rows.map(({ id }) => id));
}

/** Makes old ids lead to new ones. Aliases that led to an old id are changed too. */
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
  // An id that is in use again is not an alias any more.
  await tx.execute(
    sql`delete from message_alias using ${pairs} where message_alias.old_id = moved.new_id`,
  );
}

/** Deletes the aliases of those messages that do not exist any more. */
export async function removeAliasesTo(tx: Database, ids: readonly string[]): Promise<void> {
  await tx.execute(sql`
    delete from message_alias as alias
     where alias.canonical_message_id = any(${[...ids]}::uuid[])
       and not exists (select from canonical_message where id = alias.canonical_message_id)`);
}
