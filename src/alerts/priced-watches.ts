/**
 * The matches of all alerts as a dealer reads them: only buys, only what is on offer, best first, and how much all buys are
 * below the market. Prices are those of now, by the headline, and not those of the match.
 *
 * Latest match first, watches are priced in steps until the page is full. Best first, the listings with the latest matches are
 * priced and sorted. Both look at a bounded number of watches.
 */
import { DAY_MS } from "../base/clock.ts";
import { isUuid } from "../base/ids.ts";
import type { Database } from "../db/database.ts";
import { parseCursor, toCursor, toQueryDigest } from "../db/page.ts";
import type { Sql } from "../db/sql.ts";
import { parseFilter } from "../filters/language/filter.ts";
import { compileSql, loadDirectory } from "../filters/sql/compile-sql.ts";
import { type OfferState, offerStateOf } from "../listings/offers.ts";
import { isStale } from "../pricing/cells/cell.ts";
import { findNoBuyReason } from "../pricing/listing-price.ts";
import {
  cutRanked,
  type RankedHeadline,
  rankListings,
  toPosition,
  toRankCursor,
} from "../pricing/rank-asks.ts";
import { type Minima, type Ranking, reaches, toRank } from "../pricing/ranking.ts";
import type { ListingPrices } from "./listing-prices.ts";
import {
  findWatches,
  listMatchedListings,
  listWatches,
  type WatchMatches,
  type WatchPosition,
  type WatchQuery,
} from "./watch-matches.ts";

/** What a row must be, besides what its matches are. */
interface WatchConditions {
  readonly isBuy: boolean | null;
  readonly offerState: OfferState | null;
  readonly minima: Minima;
}

export interface PricedQuery {
  readonly selection: WatchQuery;
  readonly conditions: WatchConditions;
  /** Null: the latest match first. */
  readonly ranking: Ranking | null;
  readonly limit: number;
  readonly cursor?: string;
  /** Identifies all members that select rows, for the cursor. */
  readonly key: readonly unknown[];
}

interface PricedPage {
  readonly watches: readonly WatchMatches[];
  readonly prices: ReadonlyMap<string, ListingPrices>;
  readonly nextCursor?: string;
}

export interface PriceContext {
  readonly nowMs: number;
  readonly describePrices: (
    db: Database,
    listingIds: readonly string[],
  ) => Promise<ReadonlyMap<string, ListingPrices>>;
}

/** Watches that are priced in one step, and for one page. */
const STEP_MAX = 200;
const WALK_MAX = 2_000;
/** The listings with the latest matches that are ranked, and of which a summary is made. */
const RANKED_MAX = 5_000;
/** How far back matches are ranked if the query does not say. */
export const RANKED_DAYS = 30;

/** The member `listing` of a query for the watches of a reference or a contact. Null if both are. */
export async function compileWatched(
  db: Database,
  {
    reference,
    contactId,
  }: { readonly reference: string | null; readonly contactId: string | null },
): Promise<Sql | null> {
  if (reference === null && contactId === null) return null;
  const filter = parseFilter({
    ...(reference === null ? {} : { reference: [reference] }),
    ...(contactId === null ? {} : { contact_ids: [contactId] }),
    include_duplicates: true,
    include_hidden: true,
    include_revoked: true,
  });
  return compileSql(filter, await loadDirectory(db, filter));
}

export async function listPricedWatches(
  db: Database,
  query: PricedQuery,
  context: PriceContext,
): Promise<PricedPage> {
  const digest = toQueryDigest(query.key);
  return query.ranking === null
    ? walkWatches(db, query, { ...context, digest })
    : rankWatches(db, { ...query, ranking: query.ranking }, { ...context, digest });
}

async function walkWatches(
  db: Database,
  { selection, conditions, limit, cursor }: PricedQuery,
  { digest, nowMs, describePrices }: PriceContext & { readonly digest: string },
): Promise<PricedPage> {
  const isFiltered = conditions.isBuy !== null || conditions.offerState !== null;
  const isPlain = !isFiltered && Object.keys(conditions.minima).length === 0;
  const step = isPlain ? limit : Math.min(STEP_MAX, 2 * limit);
  const watches: WatchMatches[] = [];
  const prices = new Map<string, ListingPrices>();
  const toEnd = ({ matched_at_ms, resource_id }: WatchMatches) =>
    toCursor(digest, [matched_at_ms, resource_id]);
  let after = cursor === undefined ? undefined : parseCursor(cursor, digest, toWatchPosition);
  for (let walked = 0; walked < WALK_MAX; walked += step) {
    // One row more than the step holds shows whether there is a next one.
    const page = after === undefined ? { limit: step + 1 } : { limit: step + 1, after };
    const found = await listWatches(db, selection, page);
    const rows = found.slice(0, step);
    const ids = rows.filter(isListing).map(toId);
    // Few matches are buys, and to describe a price takes much longer than to find it.
    const described = conditions.isBuy === true ? await listBuys(db, ids, nowMs) : ids;
    const own = await describePrices(db, described);
    for (const [at, row] of rows.entries()) {
      const price = own.get(row.resource_id);
      if (!isPlain && !isWanted(price, conditions)) continue;
      watches.push(row);
      if (price !== undefined) prices.set(row.resource_id, price);
      const isLast = at === rows.length - 1 && found.length === rows.length;
      if (watches.length === limit && !isLast) return { watches, prices, nextCursor: toEnd(row) };
    }
    const end = rows.at(-1);
    if (end === undefined || found.length === rows.length) return { watches, prices };
    after = { matchedAtMs: end.matched_at_ms, resourceId: end.resource_id };
  }
  return after === undefined
    ? { watches, prices }
    : { watches, prices, nextCursor: toCursor(digest, [after.matchedAtMs, after.resourceId]) };
}

/** Of any age: what makes an ask a buy does not depend on the look-back. */
const BEST_BUYS = { ranking: "profit", minima: {}, isForBuys: true, isOfAnyAge: true } as const;

async function listBuys(
  db: Database,
  ids: readonly string[],
  nowMs: number,
): Promise<readonly string[]> {
  const ranked = await rankListings(db, ids, { ...BEST_BUYS, nowMs });
  return ranked.filter((ask) => isBuy(ask, nowMs)).map(({ listing_id }) => listing_id);
}

function isListing({ resource }: WatchMatches): boolean {
  return resource === "watch_listing";
}

function toId({ resource_id }: WatchMatches): string {
  return resource_id;
}

function toWatchPosition([matchedAtMs, resourceId]: readonly unknown[]): WatchPosition | undefined {
  if (!Number.isSafeInteger(matchedAtMs)) return undefined;
  if (typeof resourceId !== "string" || !isUuid(resourceId)) return undefined;
  return { matchedAtMs: matchedAtMs as number, resourceId };
}

function isWanted(prices: ListingPrices | undefined, conditions: WatchConditions): boolean {
  const { isBuy, offerState, minima } = conditions;
  if (isBuy !== null && (prices?.price?.is_buy ?? false) !== isBuy) return false;
  if (offerState !== null && prices?.offer_state !== offerState) return false;
  if (Object.keys(minima).length === 0) return true;
  const average = prices?.headline?.market_average_eur_minor;
  const landed = prices?.price?.landed_eur_minor;
  if (average === undefined || landed === undefined || prices?.reason === "suspect") return false;
  return reaches(toRank(average, landed), minima);
}

async function rankWatches(
  db: Database,
  { selection, conditions, ranking, limit, cursor }: PricedQuery & { readonly ranking: Ranking },
  { digest, nowMs, describePrices }: PriceContext & { readonly digest: string },
): Promise<PricedPage> {
  const after = cursor === undefined ? undefined : parseCursor(cursor, digest, toPosition);
  const recent = withinRankedDays(selection, nowMs);
  const matched = await listMatchedListings(db, recent, RANKED_MAX);
  const ids = matched.map(({ listing_id }) => listing_id);
  const ranked = await rankListings(db, ids, {
    ranking,
    minima: conditions.minima,
    nowMs,
    isForBuys: conditions.isBuy === true,
    isOfAnyAge: true,
  });
  const wanted = ranked.filter((ask) => {
    if (conditions.isBuy !== null && isBuy(ask, nowMs) !== conditions.isBuy) return false;
    return conditions.offerState === null || stateOf(ask, nowMs) === conditions.offerState;
  });
  const page = cutRanked(wanted, { limit, ...(after === undefined ? {} : { after }) });
  const shownIds = page.positions.map(({ id }) => id);
  const found = await findWatches(db, recent, shownIds);
  const watchOf = new Map(found.map((watch) => [watch.resource_id, watch]));
  return {
    watches: shownIds.flatMap((id) => watchOf.get(id) ?? []),
    prices: await describePrices(db, shownIds),
    ...(page.end === undefined ? {} : { nextCursor: toRankCursor(digest, page.end) }),
  };
}

function withinRankedDays(selection: WatchQuery, nowMs: number): WatchQuery {
  return { ...selection, sinceMs: selection.sinceMs ?? nowMs - RANKED_DAYS * DAY_MS };
}

/** What is ranked is on offer. */
function stateOf({ last_seen_at_ms }: RankedHeadline, nowMs: number): OfferState {
  return offerStateOf({ last_seen_at_ms, is_gone: false, is_replaced: false }, nowMs);
}

function isBuy(ask: RankedHeadline, nowMs: number): boolean {
  const rule = {
    cell: ask,
    market: ask.source_market,
    sendsBuys: ask.buy_signals_enabled,
    isStale: isStale(ask, nowMs),
  };
  return findNoBuyReason(ask.price_eur_minor, rule, stateOf(ask, nowMs)) === undefined;
}

interface WatchSummary {
  readonly matchCount: number;
  readonly buyCount: number;
  /** Of all buys. */
  readonly profitEurMinor: number;
  /** The buy with the highest profit. */
  readonly bestId?: string;
}

/** An ask that was posted in several messages counts once, with its highest profit. */
export async function summarizeWatches(
  db: Database,
  selection: WatchQuery,
  nowMs: number,
): Promise<WatchSummary> {
  const matched = await listMatchedListings(db, withinRankedDays(selection, nowMs), RANKED_MAX);
  const keyOf = new Map(matched.map(({ listing_id, ask_key }) => [listing_id, ask_key]));
  const ranked = await rankListings(db, [...keyOf.keys()], { ...BEST_BUYS, nowMs });
  const buys = new Map<string, RankedHeadline>();
  for (const ask of ranked) {
    const key = keyOf.get(ask.listing_id) ?? ask.listing_id;
    if (!buys.has(key) && isBuy(ask, nowMs)) buys.set(key, ask);
  }
  const [best] = buys.values();
  return {
    matchCount: new Set(keyOf.values()).size,
    buyCount: buys.size,
    profitEurMinor: [...buys.values()].reduce((sum, { profitEurMinor }) => sum + profitEurMinor, 0),
    ...(best === undefined ? {} : { bestId: best.listing_id }),
  };
}
