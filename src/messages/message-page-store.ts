import type { Database } from "../db/database.ts";
import { joinSql, sql } from "../db/sql.ts";

/** Which messages to list. Messages without an occurrence, because edits moved all of them, are never listed. */
export interface MessageSelection {
  /** The id that the contact has now. */
  readonly contactId?: string;
  readonly groupId?: string;
  /** Bounds of `last_seen_at_ms`, both inclusive. */
  readonly fromMs?: number;
  readonly toMs?: number;
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

export interface CandidatePage {
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
  const { contactId, fromMs, toMs } = selection;
  return joinSql(
    [
      sql`occurrence_count > 0`,
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
