import { foldWord } from "../base/text.ts";
import type { Database } from "../db/database.ts";
import { sql } from "../db/sql.ts";
import { EMPTY_FACTS, type ListingFacts } from "../listings/listing.ts";
import { toSearchText } from "../listings/search-text.ts";
import { groupNamesOf } from "../messages/group-store.ts";

interface MessageRow {
  readonly id: string;
  readonly text: string | null;
  readonly contact_ids: readonly string[];
  readonly canonical_message_ids: readonly string[];
  readonly phone_number: string | null;
  readonly group_ids: readonly string[];
  readonly group_names: readonly string[];
  readonly first_seen_at_ms: number;
  readonly last_seen_at_ms: number;
  readonly occurrence_count: number;
  readonly has_media: boolean;
  readonly is_revoked: boolean;
}

/**
 * What message alerts read of these messages, without our own. A message is read as a listing without a watch. Filters
 * that ask for a watch are rejected when a message alert is saved.
 */
export async function findMessageFacts(
  db: Database,
  ids: readonly string[],
): Promise<readonly ListingFacts[]> {
  const rows = await db.query<MessageRow>(sql`
    select message.id, message.text, contact.phone_number, message.group_ids,
           message.first_seen_at_ms, message.last_seen_at_ms, message.occurrence_count, message.has_media,
           message.is_revoked,
           ${groupNamesOf(sql`message.group_ids`)} as group_names,
           array_remove(array[message.contact_id], null)
             || array(select old_id from contact_alias where contact_id = message.contact_id order by old_id)
             as contact_ids,
           array[message.id]
             || array(select old_id from message_alias where canonical_message_id = message.id order by old_id)
             as canonical_message_ids
      from canonical_message as message
      left join contact on contact.id = message.contact_id
     where message.id = any(${[...ids]}::uuid[]) and not message.is_own and message.first_seen_at_ms is not null
     order by message.id
     limit ${ids.length}`);
  return rows.map(toFacts);
}

function toFacts(row: MessageRow): ListingFacts {
  return {
    ...EMPTY_FACTS,
    id: row.id,
    phone_number: row.phone_number,
    group_ids: row.group_ids,
    group_names_folded: row.group_names.map(foldWord).filter((name) => name !== ""),
    contact_ids: row.contact_ids,
    canonical_message_ids: row.canonical_message_ids,
    message_timestamp_ms: row.first_seen_at_ms,
    last_seen_at_ms: row.last_seen_at_ms,
    has_media: row.has_media,
    // All of its occurrences were edited to another text.
    is_hidden: row.occurrence_count === 0,
    is_revoked: row.is_revoked,
    search_text: toSearchText({ message_text: row.text }),
  };
}
