import type { DatabasePool } from "../db/database.ts";
import { listCovered } from "../deals/deal-store.ts";
import { type Decided, decideDeal, type NewDecision } from "../deals/decide-deal.ts";
import { markListingsSeen } from "./match-store.ts";

/** Saves what a person decided about a watch, and marks all matches of the watch as seen: also those of its other posts. */
export function decideWatch(pool: DatabasePool, wanted: NewDecision): Promise<Decided> {
  return pool.transaction(async (tx) => {
    const decided = await decideDeal(tx, wanted);
    const ids = await listCovered(tx, decided.deal.listing_id);
    // Last, because it takes the lock of matches.
    await markListingsSeen(tx, ids, wanted.author.nowMs);
    return decided;
  });
}
