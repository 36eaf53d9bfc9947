import type { Database } from "../db/database.ts";
import { sql } from "../db/sql.ts";

/**
 * Deletes what follows from listings. Fresh listings stay fresh: the replay makes them again with the same ids, and a buy
 * whose price was not calculated yet fires once the market is rebuilt.
 */
export async function clearMatching(tx: Database): Promise<void> {
  await tx.execute(sql`truncate listing_model`);
}
