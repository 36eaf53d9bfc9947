import type { Database } from "../db/database.ts";
import type { MatchedBatch, MatchedListing, MatchedMessage } from "../matching/match-batch.ts";
import type { ListingMove, Move } from "../matching/resource-store.ts";
import { findSinceSequences } from "./alert-store.ts";
import { moveDeliveries } from "./deliveries/delivery-store.ts";
import { MESSAGE_CONTEXT, type NewMatch, toMarketContext } from "./match.ts";
import { beginMatches, findMatchedIds, moveMatches } from "./match-store.ts";
import { recordMatches } from "./record-matches.ts";

/**
 * Records what a batch of the matching step matched: first moves the matches and deliveries of resources whose ids
 * changed, then saves the new matches. Call it last in the transaction of the batch.
 */
export async function recordBatch(tx: Database, batch: MatchedBatch): Promise<void> {
  const moves = [...(await selectListingMoves(tx, batch.listingMoves)), ...batch.messageMoves];
  if (moves.length > 0) {
    await beginMatches(tx);
    await moveMatches(tx, moves);
    await moveDeliveries(tx, moves);
  }
  const sinceOf = await findSinceSequences(
    tx,
    batch.listings.flatMap(({ alertIds, cameSequence }) =>
      cameSequence === undefined ? [] : alertIds,
    ),
  );
  const matches = [
    ...batch.listings.flatMap((listing) => toListingMatches(listing, sinceOf)),
    ...batch.messages.flatMap(toMessageMatches),
  ];
  await recordMatches(tx, matches, batch.matchedAtMs);
}

/** Most old ids of present listings have no match any more, so that no lock is needed for them. */
async function selectListingMoves(
  tx: Database,
  moves: readonly ListingMove[],
): Promise<readonly Move[]> {
  const others = moves.filter(({ may_fire }) => !may_fire);
  const matched = await findMatchedIds(
    tx,
    others.map(({ from }) => from),
  );
  return moves.filter(({ may_fire, from }) => may_fire || matched.has(from));
}

/** An alert looks forward only: a listing that arrived before it, and changed since, does not fire it. */
function toListingMatches(
  { shown, facts, market, alertIds, repeatAlertIds, cameSequence }: MatchedListing,
  sinceOf: ReadonlyMap<string, number>,
): readonly NewMatch[] {
  const match_context = toMarketContext(shown, facts, market);
  const hasArrived = (alertId: string) =>
    cameSequence === undefined || cameSequence >= (sinceOf.get(alertId) ?? 0);
  return alertIds.filter(hasArrived).map((alert_id) => ({
    alert_id,
    resource: "watch_listing",
    resource_id: shown.id,
    canonical_message_id: shown.canonical_message_id,
    match_context,
    is_outward: true,
    is_told_once: !repeatAlertIds.has(alert_id),
  }));
}

function toMessageMatches({ id, alertIds }: MatchedMessage): readonly NewMatch[] {
  return alertIds.map((alert_id) => ({
    alert_id,
    resource: "message",
    resource_id: id,
    canonical_message_id: id,
    match_context: MESSAGE_CONTEXT,
    is_outward: true,
  }));
}
