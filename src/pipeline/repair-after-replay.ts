import { moveDeliveries } from "../alerts/deliveries/delivery-store.ts";
import { hasAnchors, takeMoves } from "../alerts/match-anchor-store.ts";
import { beginMatches, moveMatches } from "../alerts/match-store.ts";
import { type DatabasePool, LONG_WORK } from "../db/database.ts";
import { beginStep } from "../db/locks.ts";
import { removeVoidListingAliases, saveListingAliases } from "../listings/listing-write-store.ts";
import { removeVoidAliases } from "../messages/clear-messages.ts";
import { dropCarriedAlerts } from "../messages/message-queue-store.ts";
import { saveMessageAliases } from "../messages/message-store.ts";
import { isRebuilding } from "../pricing/cells/rebuild-store.ts";

/**
 * Finishes a replay once the market is rebuilt, so everything that it queued is processed: matches move to the listings and messages that took the
 * place of theirs, old ids lead to these, and aliases that lead nowhere are deleted.
 *
 * Example: an earlier version took two dealers for one, because they used the same raw id. The replay separates them, and
 * the second dealer's listing has a new id. The match of that listing moves there, and its old id becomes an alias.
 */
export async function repairAfterReplay(pool: DatabasePool): Promise<void> {
  if (!(await hasAnchors(pool))) return;
  await pool.transaction(async (tx) => {
    await beginStep(tx);
    if (await isRebuilding(tx)) return;
    const moves = await takeMoves(tx);
    const listings = moves.filter(({ resource }) => resource === "watch_listing");
    const messages = moves.filter(({ resource }) => resource === "message");
    if (listings.length > 0) await saveListingAliases(tx, listings);
    if (messages.length > 0) await saveMessageAliases(tx, messages);
    await removeVoidListingAliases(tx);
    await removeVoidAliases(tx);
    await dropCarriedAlerts(tx);
    if (moves.length === 0) return;
    await beginMatches(tx);
    await moveMatches(tx, moves);
    await moveDeliveries(tx, moves);
  }, LONG_WORK);
}
