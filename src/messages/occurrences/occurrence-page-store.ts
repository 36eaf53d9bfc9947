import type { Database } from "../../db/database.ts";
import { sql } from "../../db/sql.ts";

/** One post of a message. */
export interface OccurrenceRow {
  readonly id: string;
  readonly group_id: string;
  readonly group_name: string | null;
  readonly sent_at_ms: number;
  readonly session_ids: readonly string[];
  readonly has_media: boolean;
  readonly is_own: boolean;
  readonly is_edited: boolean;
  readonly is_revoked: boolean;
}

export interface OccurrencePosition {
  readonly sentAtMs: number;
  readonly id: string;
}

/** One page of the posts of a message, newest first, ties by id. The cost grows with the posts of this message. */
export async function listOccurrences(
  db: Database,
  messageId: string,
  page: { readonly after?: OccurrencePosition; readonly limit: number },
): Promise<readonly OccurrenceRow[]> {
  const { after } = page;
  return db.query<OccurrenceRow>(sql`
    select occurrence.id, occurrence.group_id, market_group.name as group_name, occurrence.sent_at_ms,
           occurrence.session_ids, occurrence.has_media, occurrence.is_own, occurrence.is_edited, occurrence.is_revoked
      from occurrence
      left join market_group on market_group.id = occurrence.group_id
     where occurrence.canonical_message_id = ${messageId}
       and ${
         after === undefined
           ? sql`true`
           : sql`(occurrence.sent_at_ms < ${after.sentAtMs}
                  or (occurrence.sent_at_ms = ${after.sentAtMs} and occurrence.id > ${after.id}))`
       }
     order by occurrence.sent_at_ms desc, occurrence.id
     limit ${page.limit}`);
}
