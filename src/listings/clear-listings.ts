import type { Database } from "../db/database.ts";
import { sql } from "../db/sql.ts";

/**
 * Deletes all that was made from messages. The aliases stay: ids that clients have keep working. Corrections stay too,
 * because people made them.
 */
export async function clearListings(tx: Database): Promise<void> {
  await tx.execute(sql`truncate message_extraction, match_queue, listing, corrected_message`);
}
