import type { Database } from "../db/database.ts";
import { joinSql, type Sql, sql } from "../db/sql.ts";
import { canonicalMessageIdOf } from "./message.ts";

export interface NamedGroup {
  readonly id: string;
  readonly name: string | null;
}

/** A canonical message with its sender and groups. */
export interface MessageOverview {
  readonly id: string;
  readonly text: string | null;
  readonly is_text_cut: boolean;
  readonly contact_id: string | null;
  readonly phone_number: string | null;
  readonly display_name: string | null;
  readonly groups: readonly NamedGroup[];
  readonly first_seen_at_ms: number | null;
  readonly last_seen_at_ms: number | null;
  readonly occurrence_count: number;
  readonly has_media: boolean;
  readonly is_own: boolean;
  readonly is_revoked: boolean;
}

/** Returns the messages by id; texts are cut to `textLengthMax` characters. An id without a message has no entry. */
export async function findMessageOverviews(
  db: Database,
  ids: readonly string[],
  { textLengthMax }: { readonly textLengthMax: number },
): Promise<ReadonlyMap<string, MessageOverview>> {
  const rows = await db.query<MessageOverview>(sql`
    select message.id, left(message.text, ${textLengthMax}) as text,
           coalesce(char_length(message.text) > ${textLengthMax}, false) as is_text_cut,
           message.contact_id, contact.phone_number, contact.display_name,
           (select coalesce(jsonb_agg(jsonb_build_object('id', wanted.id, 'name', market_group.name)
                                      order by market_group.name, wanted.id), '[]')
              from unnest(message.group_ids) as wanted (id)
              left join market_group on market_group.id = wanted.id) as groups,
           message.first_seen_at_ms, message.last_seen_at_ms, message.occurrence_count, message.has_media,
           message.is_own or coalesce(contact.is_own, false) as is_own, message.is_revoked
      from canonical_message as message
      left join contact on contact.id = message.contact_id
     where message.id = any(${ids}::uuid[])
     order by message.id
     limit ${ids.length}`);
  return new Map(rows.map((row) => [row.id, row]));
}

/** Returns the id itself, or the id that the message has now; undefined if there is no such message. */
export async function findCurrentMessageId(db: Database, id: string): Promise<string | undefined> {
  const [row] = await db.query<{ id: string }>(sql`
    select id from canonical_message where id = ${id}
    union all
    select message.id
      from message_alias
      join canonical_message as message on message.id = message_alias.canonical_message_id
     where message_alias.old_id = ${id}
     limit 1`);
  return row?.id;
}

/** Which messages to list. Messages without an occurrence, because edits moved all of them, are never listed. */
export interface MessageSelection {
  /** The id that the contact has now. */
  readonly contactId?: string;
  readonly groupId?: string;
  /** Bounds of `last_seen_at_ms`, both inclusive. */
  readonly fromMs?: number;
  readonly toMs?: number;
  /** Selects the ids of the only messages that are looked at, at most some ten thousand. */
  readonly among?: Sql;
}

export interface MessagePosition {
  readonly lastSeenAtMs: number;
  readonly id: string;
}

/** A listed message. */
export interface MessageCandidate extends MessagePosition {
  /** Undefined unless texts were asked for. */
  readonly text?: string;
}

interface CandidatePage {
  readonly candidates: readonly MessageCandidate[];
  readonly examinedCount: number;
  /** The last message that was examined, whether or not it is in the group; absent if there are no more. */
  readonly examinedTo?: MessagePosition;
}

interface PageRow {
  readonly id: string;
  readonly last_seen_at_ms: number;
  readonly text: string | null;
  readonly is_in_group: boolean;
  readonly examined_count: number;
  readonly has_more: boolean;
}

/** How many bytes of text a page reads, unless its first text alone is larger. A thousand usual texts have a tenth of it. */
const PAGE_BYTES_MAX = 4 * 1024 * 1024;

/**
 * Examines the next messages, newest first, ties by id, and returns those in the group. Contact and time are looked up in
 * an index. A group is not: an index on `group_ids` would cost every message, so the caller bounds how many are examined. A
 * page with texts can end earlier.
 */
export async function listCandidates(
  db: Database,
  selection: MessageSelection,
  page: {
    readonly after?: MessagePosition;
    readonly examinedMax: number;
    readonly withTexts: boolean;
  },
): Promise<CandidatePage> {
  const rows = await db.query<PageRow>(sql`
    with walked as materialized (
      select id, last_seen_at_ms, text, group_ids
        from canonical_message
       where ${whereOf(selection, page.after)}
       order by last_seen_at_ms desc, id
       limit ${page.examinedMax}
    ), examined as materialized (
      select id, last_seen_at_ms, text, group_ids
        -- The length is known without reading the text.
        from (select walked.*, coalesce(octet_length(text), 0) as bytes,
                     sum(coalesce(octet_length(text), 0)) over (order by last_seen_at_ms desc, id) as total_bytes
                from walked) as measured
       where ${page.withTexts ? sql`total_bytes <= ${PAGE_BYTES_MAX} or total_bytes = bytes` : sql`true`}
    ), judged as (
      select id, last_seen_at_ms, text,
             ${selection.groupId === undefined ? sql`true` : sql`${selection.groupId}::uuid = any(group_ids)`} as is_in_group,
             row_number() over (order by last_seen_at_ms, id desc) = 1 as is_last
        from examined
    ), counted as (
      select (select count(*) from walked) as walked_count, (select count(*) from examined) as examined_count
    )
    select id, last_seen_at_ms, ${page.withTexts ? sql`case when is_in_group then text end` : sql`null`} as text,
           is_in_group, examined_count,
           walked_count = ${page.examinedMax} or examined_count < walked_count as has_more
      from judged, counted
     where is_in_group or is_last
     order by last_seen_at_ms desc, id
     limit ${page.examinedMax}`);
  const last = rows.at(-1);
  return {
    candidates: rows.filter(({ is_in_group }) => is_in_group).map(toCandidate),
    examinedCount: last?.examined_count ?? 0,
    ...(last?.has_more === true ? { examinedTo: toCandidate(last) } : {}),
  };
}

function whereOf(selection: MessageSelection, after: MessagePosition | undefined) {
  const { contactId, fromMs, toMs, among } = selection;
  return joinSql(
    [
      sql`occurrence_count > 0`,
      // As an array the selection is made once, and the messages are looked up by it.
      ...(among === undefined ? [] : [sql`id = any(array(${among}))`]),
      ...(contactId === undefined ? [] : [sql`contact_id = ${contactId}`]),
      ...(fromMs === undefined ? [] : [sql`last_seen_at_ms >= ${fromMs}`]),
      ...(toMs === undefined ? [] : [sql`last_seen_at_ms <= ${toMs}`]),
      ...(after === undefined
        ? []
        : [
            // The first condition is implied by the second one, but only the first one is looked up in the index.
            sql`last_seen_at_ms <= ${after.lastSeenAtMs}`,
            sql`(last_seen_at_ms < ${after.lastSeenAtMs} or id > ${after.id})`,
          ]),
    ],
    " and ",
  );
}

function toCandidate({ id, last_seen_at_ms, text }: PageRow): MessageCandidate {
  return { id, lastSeenAtMs: last_seen_at_ms, ...(text === null ? {} : { text }) };
}

/** Contacts and groups are read in pages of this size. A page takes about 20 ms. */
const OWNERS_MAX = 5_000;

/**
 * The ids of all messages with this text, by any contact. A message's id follows from its contact and its text, so this
 * asks for the id that the text has with each contact. An index on texts would cost more: every message would pay for it,
 * and only corrections ask.
 */
export async function findMessagesOfText(
  db: Database,
  identitySha256: string,
): Promise<readonly string[]> {
  const found: string[] = [];
  for (const kind of ["contact", "market_group"] as const) {
    let afterId: string | undefined;
    do {
      const owners = await listOwners(db, kind, afterId);
      const ids = owners.map((id) =>
        canonicalMessageIdOf({
          contactId: kind === "contact" ? id : null,
          groupId: id,
          occurrenceId: id,
          identitySha256,
        }),
      );
      const rows = await db.query<{ id: string }>(sql`
        select id from canonical_message where id = any(${ids}::uuid[]) order by id limit ${OWNERS_MAX}`);
      found.push(...rows.map(({ id }) => id));
      afterId = owners.length < OWNERS_MAX ? undefined : owners.at(-1);
    } while (afterId !== undefined);
  }
  return found;
}

/** If the sender of a message is unknown, its id follows from its group instead. */
async function listOwners(
  db: Database,
  kind: "contact" | "market_group",
  afterId: string | undefined,
): Promise<readonly string[]> {
  const start = afterId === undefined ? sql`true` : sql`id > ${afterId}`;
  const rows = await db.query<{ id: string }>(
    kind === "contact"
      ? sql`select id from contact where ${start} order by id limit ${OWNERS_MAX}`
      : sql`select id from market_group where ${start} order by id limit ${OWNERS_MAX}`,
  );
  return rows.map(({ id }) => id);
}

export async function listMessagesOf(
  tx: Database,
  contactIds: readonly string[],
): Promise<readonly string[]> {
  const rows = await tx.query<{ id: string }>(sql`
    select id from canonical_message where contact_id = any(${[...contactIds]}::uuid[]) order by id`);
  return rows.map(({ id }) => id);
}

/** The ids under which these messages were known before contacts merged. */
export async function listFormerIds(
  db: Database,
  ids: readonly string[],
): Promise<readonly string[]> {
  const rows = await db.query<{ old_id: string }>(sql`
    select old_id from message_alias where canonical_message_id = any(${[...ids]}::uuid[]) order by old_id`);
  return rows.map(({ old_id }) => old_id);
}

/** Returns those of the ids that are of no message. */
export async function findMissingMessages(
  tx: Database,
  ids: readonly string[],
): Promise<readonly string[]> {
  const wanted = [...new Set(ids)];
  const rows = await tx.query<{ id: string }>(sql`
    select id from unnest(${wanted}::uuid[]) as wanted (id)
     where not exists (select from canonical_message where id = wanted.id)`);
  return rows.map(({ id }) => id);
}

/** Returns when the newest message was sent; undefined if there is none. */
export async function findNewestMessageMs(db: Database): Promise<number | undefined> {
  const [row] = await db.query<{ at: number }>(sql`
    select last_seen_at_ms as at from canonical_message
     where occurrence_count > 0
     order by last_seen_at_ms desc, id
     limit 1`);
  return row?.at;
}
