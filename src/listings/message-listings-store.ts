import type { Database } from "../db/database.ts";
import { sql } from "../db/sql.ts";

/** Returns the ids of the listings that each message is read as, in the order of the text. A message without listings has no entry. */
export async function findListingIdsOf(
  db: Database,
  messageIds: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const rows = await db.query<{ canonical_message_id: string; ids: readonly string[] }>(sql`
    select canonical_message_id, array_agg(id order by line, ordinal) as ids
      from listing
     where canonical_message_id = any(${messageIds}::uuid[]) and is_found
     group by canonical_message_id
     order by canonical_message_id
     limit ${messageIds.length}`);
  return new Map(rows.map(({ canonical_message_id, ids }) => [canonical_message_id, ids]));
}
