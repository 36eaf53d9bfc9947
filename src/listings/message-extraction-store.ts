import type { Database } from "../db/database.ts";
import { rowset, type Sql, sql } from "../db/sql.ts";
import { insertMissingMessages } from "../messages/message-queue-store.ts";
import type { SourceMessage } from "./message-reading.ts";

/** The messages with all that extraction reads. Deleted messages are left out. */
export async function findSourceMessages(
  tx: Database,
  ids: readonly string[],
): Promise<readonly SourceMessage[]> {
  return tx.query<SourceMessage>(sql`
    select message.id, message.contact_id, message.text, message.first_seen_at_ms, message.last_seen_at_ms,
           message.occurrence_count, message.group_ids, message.has_media, message.is_revoked,
           message.is_own or coalesce(source.is_own, false) or coalesce(contact.is_own, false) as is_own,
           contact.phone_number, market_group.default_currency
      from canonical_message as message
      left join occurrence as source on source.id = message.source_occurrence_id
      left join contact on contact.id = message.contact_id
      left join market_group on market_group.id = source.group_id
     where message.id = any(${ids}::uuid[])
     order by message.id`);
}

/** From the ids of deleted messages to the ids of the messages that replaced them. */
export async function findMessageAliases(
  tx: Database,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await tx.query<{ old_id: string; canonical_message_id: string }>(sql`
    select old_id, canonical_message_id from message_alias where old_id = any(${ids}::uuid[])`);
  return new Map(rows.map((row) => [row.old_id, row.canonical_message_id]));
}

/** The version and catalogue with which a message was read. Another reader may find other listings. */
export interface Reader {
  readonly extraction_version: number;
  readonly catalogue_sha256: string;
}

export interface MessageExtraction extends Reader {
  readonly canonical_message_id: string;
  readonly outcome: string;
}

export async function findExtractions(
  tx: Database,
  messageIds: readonly string[],
): Promise<ReadonlyMap<string, MessageExtraction>> {
  const rows = await tx.query<MessageExtraction>(sql`
    select canonical_message_id, extraction_version, catalogue_sha256, outcome
      from message_extraction
     where canonical_message_id = any(${messageIds}::uuid[])`);
  return new Map(rows.map((row) => [row.canonical_message_id, row]));
}

export async function saveExtractions(
  tx: Database,
  extractions: readonly MessageExtraction[],
): Promise<void> {
  await tx.execute(sql`
    insert into message_extraction (canonical_message_id, extraction_version, catalogue_sha256, outcome)
    select canonical_message_id, extraction_version, catalogue_sha256, outcome
      from ${rowset("extraction", extractions, {
        canonical_message_id: "uuid",
        extraction_version: "integer",
        catalogue_sha256: "text",
        outcome: "text",
      })}
     order by canonical_message_id
    on conflict (canonical_message_id) do update set
      extraction_version = excluded.extraction_version, catalogue_sha256 = excluded.catalogue_sha256,
      outcome = excluded.outcome`);
}

export async function removeExtractions(
  tx: Database,
  messageIds: readonly string[],
): Promise<void> {
  await tx.execute(
    sql`delete from message_extraction where canonical_message_id = any(${messageIds}::uuid[])`,
  );
}

/** Counting stops here: a log line needs no exact number above it. */
export const COUNT_MAX = 100_000;

/** How many messages were last read by another reader and are not queued; at most `COUNT_MAX`. */
export async function countOutdatedMessages(db: Database, reader: Reader): Promise<number> {
  const [row] = await db.query<{ count: number }>(sql`
    select count(*) as count
      from (select
              from message_extraction as extraction
             where ${isOutdated(reader)}
               and not exists (select from message_queue as queued
                                where queued.canonical_message_id = extraction.canonical_message_id)
             limit ${COUNT_MAX}) as outdated`);
  return row?.count ?? 0;
}

export async function countFailedMessages(db: Database): Promise<number> {
  const [row] = await db.query<{ count: number }>(sql`
    select count(*) as count
      from (select from message_extraction where outcome = 'failed' limit ${COUNT_MAX}) as failed`);
  return row?.count ?? 0;
}

/** Two comparisons instead of `<>`, because each is a range of the index and `<>` would read all of it. */
function isOutdated({ extraction_version, catalogue_sha256 }: Reader): Sql {
  const reader = sql`(${extraction_version}::integer, ${catalogue_sha256}::text)`;
  return sql`
    ((extraction_version, catalogue_sha256) < ${reader} or (extraction_version, catalogue_sha256) > ${reader})`;
}

interface QueuedPage {
  /** The next page starts after this message; undefined on the last page. */
  readonly lastId: string | undefined;
  readonly queuedCount: number;
}

/** Queues the messages of one page that `reader` has not read; without a reader all of the page. */
export async function queueOutdatedMessages(
  tx: Database,
  page: { readonly reader?: Reader; readonly afterId: string | undefined; readonly limit: number },
): Promise<QueuedPage> {
  const start = page.afterId === undefined ? sql`true` : sql`message.id > ${page.afterId}`;
  const isWanted =
    page.reader === undefined
      ? sql`true`
      : sql`not exists (
             select from message_extraction
              where canonical_message_id = page.id
                and extraction_version = ${page.reader.extraction_version}
                and catalogue_sha256 = ${page.reader.catalogue_sha256})`;
  const [row] = await tx.query<{
    last_id: string | null;
    page_size: number;
    queued_count: number;
  }>(sql`
    with page as materialized (
      select message.id from canonical_message as message where ${start} order by message.id limit ${page.limit}
    ), queued as (
      ${insertMissingMessages(sql`select id from page where ${isWanted}`)}
    )
    select (select id from page order by id desc limit 1) as last_id,
           (select count(*) from page) as page_size, (select count(*) from queued) as queued_count`);
  const isLast = row === undefined || row.page_size < page.limit;
  return {
    lastId: isLast ? undefined : (row.last_id ?? undefined),
    queuedCount: row?.queued_count ?? 0,
  };
}
