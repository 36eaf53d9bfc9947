import type { Clock } from "../base/clock.ts";
import type { Database } from "../db/database.ts";
import type { FilterIndex } from "../filters/index/filter-index.ts";
import type { ListingFacts } from "../listings/listing.ts";
import { findListingFacts } from "../listings/listing-store.ts";
import {
  type MatchRequest,
  type Resource,
  takeMatchRequests,
  type WantedRequests,
} from "../listings/match-queue-store.ts";
import { findFresh, saveFresh } from "./fresh-resource-store.ts";
import { type Membership, type SourceMarket, saveMemberships } from "./membership-store.ts";
import {
  findListingMoves,
  findMessageFacts,
  findMessageMoves,
  findShownListings,
  type ListingMove,
  type Move,
  type ShownListing,
} from "./resource-store.ts";

/**
 * Takes a batch of changed listings and messages and evaluates all saved filters for each of them. It saves which
 * configurations the listings are members of, queues these for calculation, and returns which alerts matched. The caller
 * records the matches in the same transaction.
 *
 * Invariant: the log of saved filters is read to its end after the batch is taken. So a filter that was committed before a
 * listing was queued is always evaluated for it.
 *
 * Example: listing L matches configuration C, source view EU and alert A. L becomes an EU member of C, C is queued in
 * `refresh_queue`, and the result names A for L if L is still within its alert window.
 */

export interface MatchOptions extends WantedRequests {
  readonly clock: Clock;
  readonly index: FilterIndex;
}

/** A listing within its alert window, and the alerts whose filters match it. */
export interface MatchedListing {
  readonly shown: ShownListing;
  readonly facts: ListingFacts;
  /** Undefined if no source view matches. */
  readonly market: SourceMarket | undefined;
  readonly alertIds: readonly string[];
  /** Of the alerts, those that also match repeats of an ask. */
  readonly repeatAlertIds: ReadonlySet<string>;
  /** When it arrived, in the numbers of `alert.since_sequence`; undefined if it arrives now. */
  readonly cameSequence: number | undefined;
}

/** A message within its alert window, and the message alerts that match it. */
export interface MatchedMessage {
  readonly id: string;
  readonly alertIds: readonly string[];
  /** As of a listing. */
  readonly cameSequence: number | undefined;
}

export interface MatchedBatch {
  readonly takenCount: number;
  readonly matchedAtMs: number;
  readonly listings: readonly MatchedListing[];
  readonly messages: readonly MatchedMessage[];
  /** All listings that changed, deleted ones too. */
  readonly listingIds: readonly string[];
  readonly listingMoves: readonly ListingMove[];
  readonly messageMoves: readonly Move[];
}

/** Returns undefined if nothing is queued. */
export async function matchBatch(
  tx: Database,
  { clock, index, ...wanted }: MatchOptions,
): Promise<MatchedBatch | undefined> {
  const requests = await takeMatchRequests(tx, wanted);
  if (requests.length === 0) return undefined;
  await index.catchUp(tx);
  const matchedAtMs = clock.nowMs();
  const ofKind = (kind: string) => requests.filter(({ resource }) => resource === kind);
  return {
    takenCount: requests.length,
    matchedAtMs,
    ...(await matchListings(tx, ofKind("watch_listing"), { index, nowMs: matchedAtMs })),
    ...(await matchMessages(tx, ofKind("message"), { index, nowMs: matchedAtMs })),
  };
}

async function matchListings(
  tx: Database,
  requests: readonly MatchRequest[],
  { index, nowMs }: { readonly index: FilterIndex; readonly nowMs: number },
): Promise<Pick<MatchedBatch, "listings" | "listingIds" | "listingMoves">> {
  if (requests.length === 0) return { listings: [], listingIds: [], listingMoves: [] };
  const ids = requests.map(({ resource_id }) => resource_id);
  const facts = await findListingFacts(tx, ids);
  const moves = await findListingMoves(tx, partition(ids, facts));
  const alertMs = alertTimes(requests, moves);
  // The replacement of a deleted listing may be in another batch. This one only evaluates its alerts.
  const replacements = await findMissing(moves, facts, (newIds) => findListingFacts(tx, newIds));
  const evaluated = [...facts, ...replacements].map((listing) => evaluate(listing, index));
  const taken = new Set(ids);
  await saveMemberships(
    tx,
    ids,
    evaluated.filter(({ listing }) => taken.has(listing.id)).flatMap(toMemberships),
    nowMs,
  );
  const fresh = toFresh(
    evaluated.map(({ listing }) => listing.id),
    { alertMs, nowMs },
  );
  const keeping = keepingIds(requests);
  const isKeeping = ({ listing, alertIds }: Evaluated) =>
    keeping.has(listing.id) && !alertMs.has(listing.id) && alertIds.length > 0;
  const kept = evaluated.filter(isKeeping).map(({ listing }) => listing.id);
  const arrivals = await findArrivals(tx, kept, { resource: "watch_listing", moves, nowMs });
  await saveFresh(tx, "watch_listing", { fresh, moves }, nowMs);
  const matched = evaluated.filter(({ listing, alertIds }) => {
    const mayFire = alertMs.has(listing.id) || arrivals.has(listing.id);
    return mayFire && alertIds.length > 0;
  });
  return {
    listings: await toMatchedListings(tx, matched, { index, arrivals }),
    listingIds: ids,
    listingMoves: moves,
  };
}

/** Those of the resources whose alert window is open, as they arrive now. */
function toFresh(
  ids: readonly string[],
  { alertMs, nowMs }: { readonly alertMs: ReadonlyMap<string, number>; readonly nowMs: number },
) {
  return ids.flatMap((resource_id) => {
    const leftMs = alertMs.get(resource_id);
    return leftMs === undefined
      ? []
      : [{ resource_id, until_ms: nowMs + leftMs, came_sequence: null }];
  });
}

/** The resources that are matched within the window in which they arrived. */
function keepingIds(requests: readonly MatchRequest[]): ReadonlySet<string> {
  return new Set(
    requests.filter((request) => request.keeps_window).map(({ resource_id }) => resource_id),
  );
}

/**
 * By listing or message: when it arrived, if it is still fresh. It changed in something that filters read, such as the name of
 * its group or the number of its sender, and that may come after the message as well as before it. So it is matched as if it
 * had arrived like this.
 */
async function findArrivals(
  tx: Database,
  ids: readonly string[],
  {
    resource,
    moves,
    nowMs,
  }: { readonly resource: Resource; readonly moves: readonly Move[]; readonly nowMs: number },
): Promise<ReadonlyMap<string, number>> {
  const wanted = new Set(ids);
  const formerIds = new Map(
    moves.flatMap(({ from, to }) => (wanted.has(to) ? [[from, to] as const] : [])),
  );
  const rows = await findFresh(tx, resource, [...ids, ...formerIds.keys()], nowMs);
  const arrivals = new Map<string, number>();
  for (const { resource_id, came_sequence } of rows) {
    const id = formerIds.get(resource_id) ?? resource_id;
    arrivals.set(id, Math.max(came_sequence, arrivals.get(id) ?? 0));
  }
  return arrivals;
}

/** A listing and the owners of the saved filters that match it. */
interface Evaluated {
  readonly listing: ListingFacts;
  readonly configurationIds: readonly string[];
  readonly alertIds: readonly string[];
  readonly market: SourceMarket | undefined;
}

function evaluate(listing: ListingFacts, index: FilterIndex): Evaluated {
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

function toMemberships({ listing, configurationIds, market }: Evaluated): readonly Membership[] {
  if (market === undefined) return [];
  return configurationIds.map((configuration_id) => ({
    listing_id: listing.id,
    configuration_id,
    source_market: market,
    year: listing.year,
    condition_bucket: listing.condition?.toLowerCase() ?? null,
    price_eur_minor: listing.price_eur_minor,
  }));
}

async function toMatchedListings(
  tx: Database,
  matched: readonly Evaluated[],
  of: { readonly index: FilterIndex; readonly arrivals: ReadonlyMap<string, number> },
): Promise<readonly MatchedListing[]> {
  if (matched.length === 0) return [];
  const shownById = await findShownListings(
    tx,
    matched.map(({ listing }) => listing.id),
  );
  return matched.flatMap(({ listing, alertIds, market }) => {
    const shown = shownById.get(listing.id);
    // It was deleted since it was read. The transaction that deleted it has queued it again.
    if (shown === undefined) return [];
    const repeat = evaluate({ ...listing, is_duplicate: true }, of.index);
    return [
      {
        shown,
        facts: listing,
        market,
        alertIds,
        repeatAlertIds: new Set(repeat.alertIds),
        cameSequence: of.arrivals.get(listing.id),
      },
    ];
  });
}

async function matchMessages(
  tx: Database,
  requests: readonly MatchRequest[],
  { index, nowMs }: { readonly index: FilterIndex; readonly nowMs: number },
): Promise<Pick<MatchedBatch, "messages" | "messageMoves">> {
  if (requests.length === 0) return { messages: [], messageMoves: [] };
  const ids = requests.map(({ resource_id }) => resource_id);
  const facts = await findMessageFacts(tx, ids);
  const moves = await findMessageMoves(tx, partition(ids, facts).gone);
  const alertMs = alertTimes(requests, moves);
  const replacements = await findMissing(moves, facts, (newIds) => findMessageFacts(tx, newIds));
  const present = [...facts, ...replacements];
  const presentIds = present.map(({ id }) => id);
  const keeping = new Set([...keepingIds(requests), ...moves.map(({ to }) => to)]);
  const kept = presentIds.filter((id) => keeping.has(id) && !alertMs.has(id));
  const arrivals = await findArrivals(tx, kept, { resource: "message", moves, nowMs });
  await saveFresh(tx, "message", { fresh: toFresh(presentIds, { alertMs, nowMs }), moves }, nowMs);
  const messages = present
    .filter(({ id }) => alertMs.has(id) || arrivals.has(id))
    .map((message) => ({
      id: message.id,
      alertIds: messageAlertsOf(message, index),
      cameSequence: arrivals.get(message.id),
    }));
  return { messages, messageMoves: moves };
}

function messageAlertsOf(message: ListingFacts, index: FilterIndex): readonly string[] {
  return index
    .match(message)
    .flatMap(({ owner_kind, owner_id }) => (owner_kind === "message_alert" ? [owner_id] : []));
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

/** What is left of the alert windows, by id. A replacement inherits the window of the deleted resource. */
function alertTimes(
  requests: readonly MatchRequest[],
  moves: readonly Move[],
): ReadonlyMap<string, number> {
  const moveOf = new Map(moves.map(({ from, to }) => [from, to]));
  const times = new Map<string, number>();
  for (const { resource_id, alert_ms } of requests) {
    if (alert_ms === null) continue;
    const id = moveOf.get(resource_id) ?? resource_id;
    times.set(id, Math.max(alert_ms, times.get(id) ?? 0));
  }
  return times;
}
