import type { DatabasePool } from "../db/database.ts";
import { limitLockWait } from "../db/locks.ts";
import { sql } from "../db/sql.ts";
import { beginMatches } from "./match-store.ts";

/** The last millisecond of the year 9999: an alert that is muted without an end. */
export const MUTED_FOREVER_MS = 253_402_300_799_999;

/**
 * Mutes an alert until a time; null ends it. Returns false if there is no such alert. Under the lock of matches, so that
 * every match that commits after this was decided by it, and no match before.
 */
export async function muteAlert(
  pool: DatabasePool,
  id: string,
  untilMs: number | null,
): Promise<boolean> {
  return pool.transaction(async (tx) => {
    await limitLockWait(tx);
    await beginMatches(tx);
    const rows = await tx.query(sql`
      update alert set muted_until_ms = ${untilMs} where id = ${id} returning id`);
    return rows.length > 0;
  });
}
