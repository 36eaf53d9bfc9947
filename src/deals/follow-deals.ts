/**
 * Deals follow their watches. A listing gets another id when contacts merge or a replay reads senders differently, another
 * reference when a person corrects it or a catalogue changes, and leaves with its day. Each time the deal is where its watch is,
 * or says why it is not.
 */
import type { Database } from "../db/database.ts";
import type { MatchedBatch } from "../matching/match-batch.ts";
import type { Move } from "../matching/resource-store.ts";
import {
  beginDeals,
  copyListings,
  detachRemoved,
  findRivals,
  listAliasMoves,
} from "./deal-write-store.ts";
import { moveDeals } from "./decide-deal.ts";

type FollowedBatch = Pick<MatchedBatch, "listingIds" | "listingMoves" | "matchedAtMs">;

/** After listings changed: in the transaction that takes them off the queue, before matches are written. */
export async function followListings(
  tx: Database,
  { listingIds, listingMoves, matchedAtMs }: FollowedBatch,
): Promise<void> {
  const from = listingMoves.map((move) => move.from);
  const ids = [...new Set([...listingIds, ...from, ...listingMoves.map(({ to }) => to)])];
  // Few listings have a deal, and without one no lock is needed. A deal that is made meanwhile keeps its listing as it is.
  if (ids.length === 0 || (await findRivals(tx, ids)).length === 0) return;
  await beginDeals(tx);
  await moveDeals(tx, listingMoves, matchedAtMs);
  await copyListings(tx, ids);
  await detachRemoved(tx, ids);
}

/** At the end of a replay, when every listing is there again that is made. */
export async function settleDeals(
  tx: Database,
  moves: readonly Move[],
  nowMs: number,
): Promise<void> {
  await beginDeals(tx);
  const listingMoves = moves.filter(({ resource }) => resource === "watch_listing");
  await moveDeals(tx, listingMoves, nowMs);
  await moveDeals(tx, await listAliasMoves(tx), nowMs);
  await copyListings(tx, "all");
  await detachRemoved(tx, "all");
}
