import type { Database } from "../db/database.ts";
import { sql } from "../db/sql.ts";

/**
 * Deletes what follows from listings. No listing stays fresh: prices that are calculated while a replay rebuilds the
 * market must not fire alerts.
 */
export async function clearMatching(tx: Database): Promise<void> {
  await tx.execute(sql`truncate listing_model, fresh_listing`);
}
