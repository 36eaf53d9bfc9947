import { recordBatch } from "../alerts/record-batch.ts";
import type { DatabasePool } from "../db/database.ts";
import { beginStep, shareLock } from "../db/locks.ts";
import { type MatchOptions, matchBatch } from "../matching/match-batch.ts";

/** Matches a batch and records its matches, in one transaction: a listing leaves the queue with its matches. */
export function matchListings(
  pool: DatabasePool,
  options: MatchOptions,
): Promise<{ readonly takenCount: number }> {
  return pool.transaction(async (tx) => {
    await beginStep(tx, options.lane);
    await shareLock(tx, "members");
    const batch = await matchBatch(tx, options);
    if (batch === undefined) return { takenCount: 0 };
    await recordBatch(tx, batch);
    return { takenCount: batch.takenCount };
  });
}
