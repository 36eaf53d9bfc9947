import type { Clock } from "../base/clock.ts";
import type { Database, DatabasePool } from "../db/database.ts";
import { beginStep } from "../db/locks.ts";
import type { FilterIndex } from "../filters/index/filter-index.ts";
import type { ListingFacts } from "../listings/listing.ts";
import { findListingFacts } from "../listings/listing-store.ts";
import {
  findListingMoves,
  findMatchedListings,
  findMessageMoves,
  type Membership,
  type QueuedResource,
  saveMemberships,
  saveNews,
  takeMatchQueue,
} from "../matching/match-queue-store.ts";
import { findMessageFacts } from "../matching/message-facts-store.ts";
import type { SourceMarket } from "../pricing/thresholds.ts";
import { moveDeliveries } from "./deliveries/delivery-store.ts";
import { MESSAGE_CONTEXT, type Move, type NewMatch, toMarketContext } from "./match.ts";
import { beginMatches, moveMatches } from "./match-store.ts";
import { recordMatches } from "./record-matches.ts";

export interface MatchOptions {
  readonly batchMax: number;
  readonly clock: Clock;
  readonly index: FilterIndex;
}

/**
 * Holds listings and messages that changed against all saved filters: in which configurations a listing lies, and which
 * alerts match. One batch, one transaction. The log of filters is read to its end after the batch was taken, so that a
 * filter that was committed before a listing came is always there.
 */
export function matchListings(
  pool: DatabasePool,
  options: MatchOptions,
): Promise<{ readonly takenCount: number }> {
  return pool.transaction(async (tx) => {
    await beginStep(tx);
    const queued = await takeMatchQueue(tx, options.batchMax);
    if (queued.length === 0) return { takenCount: 0 };
    await options.index.catchUp(tx);
    const nowMs = options.clock.nowMs();
    const ofListings = await matchQueuedListings(tx, queued, { ...options, nowMs });
    const ofMessages = await matchQueuedMessages(tx, queued, options.index);
    const moves = [...ofListings.moves, ...ofMessages.moves];
    const matches = [...ofListings.matches, ...ofMessages.matches];
    if (moves.length > 0) {
      await beginMatches(tx);
      await moveMatches(tx, moves);
      await moveDeliveries(tx, moves);
    }
    await recordMatches(tx, matches, nowMs);
    return { takenCount: queued.length };
  });
}

interface Outcome {
  readonly matches: readonly NewMatch[];
  readonly moves: readonly Move[];
}

async function matchQueuedListings(
  tx: Database,
  queued: readonly QueuedResource[],
  { index, nowMs }: { readonly index: FilterIndex; readonly nowMs: number },
): Promise<Outcome> {
  const taken = queued.filter(({ resource }) => resource === "watch_listing");
  if (taken.length === 0) return { matches: [], moves: [] };
  const ids = taken.map(({ resource_id }) => resource_id);
  const facts = await findListingFacts(tx, ids);
  const { present, gone } = partition(ids, facts);
  const moves = await findListingMoves(tx, { present, gone });
  const alertMs = alertTimes(taken, moves);
  // What a listing became may stand in another batch; here it is only held against alerts, in place of the old one.
  const became = await findMissing(moves, facts, (newIds) => findListingFacts(tx, newIds));
  const readings = [...facts, ...became].map((listing) => readListing(listing, index));
  const own = new Set(ids);
  await saveMemberships(
    tx,
    ids,
    readings.filter(({ listing }) => own.has(listing.id)).flatMap(toMemberships),
    nowMs,
  );
  const news = readings.flatMap(({ listing }) => {
    const leftMs = alertMs.get(listing.id);
    return leftMs === undefined ? [] : [{ listing_id: listing.id, until_ms: nowMs + leftMs }];
  });
  await saveNews(tx, news, moves, nowMs);
  const fresh = readings.filter(
    ({ listing, alertIds }) => alertMs.has(listing.id) && alertIds.length > 0,
  );
  return { matches: await toListingMatches(tx, fresh), moves };
}

/** What the saved filters say of a listing. */
interface Reading {
  readonly listing: ListingFacts;
  readonly configurationIds: readonly string[];
  readonly alertIds: readonly string[];
  readonly market: SourceMarket | undefined;
}

function readListing(listing: ListingFacts, index: FilterIndex): Reading {
  const owners = index.match(listing);
  const idsOf = (kind: string) =>
    owners.flatMap(({ owner_kind, owner_id }) => (owner_kind === kind ? [owner_id] : []));
  const isIn = (kind: string) => owners.some(({ owner_kind }) => owner_kind === kind);
  return {
    listing,
    configurationIds: idsOf("configuration"),
    alertIds: idsOf("alert"),
    market: isIn("view_eu") ? "EU" : isIn("view_hk") ? "HK" : undefined,
  };
}

function toMemberships({ listing, configurationIds, market }: Reading): readonly Membership[] {
  if (market === undefined) return [];
  return configurationIds.map((configuration_id) => ({
    listing_id: listing.id,
    configuration_id,
    source_market: market,
  }));
}

async function toListingMatches(
  tx: Database,
  readings: readonly Reading[],
): Promise<readonly NewMatch[]> {
  if (readings.length === 0) return [];
  const shown = await findMatchedListings(
    tx,
    readings.map(({ listing }) => listing.id),
  );
  return readings.flatMap(({ listing, alertIds, market }) => {
    const own = shown.get(listing.id);
    // It went while we read; whoever took it away has queued it again.
    if (own === undefined) return [];
    const match_context = toMarketContext(own, listing, market);
    return alertIds.map((alert_id) => ({
      alert_id,
      resource: "watch_listing" as const,
      resource_id: listing.id,
      canonical_message_id: own.canonical_message_id,
      match_context,
      is_outward: true,
    }));
  });
}

async function matchQueuedMessages(
  tx: Database,
  queued: readonly QueuedResource[],
  index: FilterIndex,
): Promise<Outcome> {
  const taken = queued.filter(({ resource }) => resource === "message");
  if (taken.length === 0) return { matches: [], moves: [] };
  const ids = taken.map(({ resource_id }) => resource_id);
  const facts = await findMessageFacts(tx, ids);
  const moves = await findMessageMoves(tx, partition(ids, facts).gone);
  const alertMs = alertTimes(taken, moves);
  const became = await findMissing(moves, facts, (newIds) => findMessageFacts(tx, newIds));
  const matches = [...facts, ...became]
    .filter(({ id }) => alertMs.has(id))
    .flatMap((message) =>
      index
        .match(message)
        .filter(({ owner_kind }) => owner_kind === "message_alert")
        .map(({ owner_id }) => ({
          alert_id: owner_id,
          resource: "message" as const,
          resource_id: message.id,
          canonical_message_id: message.id,
          match_context: MESSAGE_CONTEXT,
          is_outward: true,
        })),
    );
  return { matches, moves };
}

function partition(ids: readonly string[], facts: readonly ListingFacts[]) {
  const present = new Set(facts.map(({ id }) => id));
  return { present: [...present], gone: ids.filter((id) => !present.has(id)) };
}

async function findMissing(
  moves: readonly Move[],
  facts: readonly ListingFacts[],
  findFacts: (ids: readonly string[]) => Promise<readonly ListingFacts[]>,
): Promise<readonly ListingFacts[]> {
  const present = new Set(facts.map(({ id }) => id));
  const missing = [...new Set(moves.map(({ to }) => to))].filter((id) => !present.has(id));
  return missing.length === 0 ? [] : findFacts(missing);
}

/** By id: for how long it may fire alerts. What became of another one has its time too. */
function alertTimes(
  taken: readonly QueuedResource[],
  moves: readonly Move[],
): ReadonlyMap<string, number> {
  const moveOf = new Map(moves.map(({ from, to }) => [from, to]));
  const times = new Map<string, number>();
  for (const { resource_id, alert_ms } of taken) {
    if (alert_ms === null) continue;
    const id = moveOf.get(resource_id) ?? resource_id;
    times.set(id, Math.max(alert_ms, times.get(id) ?? 0));
  }
  return times;
}
