import { isUuid } from "../base/ids.ts";
import type { Database } from "../db/database.ts";
import { parseCursor, toCursor, toQueryDigest } from "../db/page.ts";
import type { Sql } from "../db/sql.ts";
import { type Filter, parseFilter } from "../filters/language/filter.ts";
import { compileSearch } from "../filters/sql/compile-sql.ts";
import { namesFewListings } from "../filters/sql/search-listings.ts";
import { lookbackStartMs } from "./cells/calculate-cells.ts";
import { findLongestLookback } from "./configurations/profile-store.ts";
import { findHeadlineAsks, type HeadlineAsk } from "./headline-store.ts";
import { createMerge, type RankedMember } from "./merge-cells.ts";
import {
  comparePositions,
  type Minima,
  positionOf,
  type Rank,
  type Ranking,
  type RankPosition,
  rankAsk,
  reaches,
} from "./ranking.ts";
import { compileCells, listFew } from "./ranking-store.ts";

/**
 * The asks on offer with a headline that was seen within its look-back, best first. There are two ways to the same order. If the
 * filter names few listings, these are read and sorted. Otherwise the cells of the market are merged, and each member is checked:
 * it must be on offer, selected by the filter, and its cell the headline. A walk has an end: after `listingsMax` members the page
 * ends, even if it is not full, and the next page continues there.
 *
 * Example: a filter for one dealer selects 40 listings, which are sorted. A filter for dealers in Hong Kong selects a tenth of the
 * market: the best 500 members of all cells are checked until the page has 50 of them.
 */

interface RankSearch {
  readonly filters: unknown;
  /** What a cursor belongs to, if the filter may have other members on the next page; the filter otherwise. */
  readonly cursorOf?: unknown;
  readonly ranking: Ranking;
  readonly minima: Minima;
  readonly limit: number;
  readonly cursor?: string;
  readonly nowMs: number;
  /** Smaller in tests. */
  readonly walk?: Walk;
}

interface Walk {
  /** A filter that selects no more listings than this is sorted. */
  readonly fewMax: number;
  /** Members of one step at most. */
  readonly chunkCount: number;
  readonly listingsMax: number;
}

interface RankedPage {
  readonly ids: readonly string[];
  /** Absent on the last page. */
  readonly nextCursor?: string;
}

/** An ask with its place in the order. */
export interface RankedHeadline extends HeadlineAsk, Rank {
  readonly position: RankPosition;
}

/** Each bound takes about a quarter of a second on a market of a million listings. */
const WALK: Walk = { fewMax: 2_000, chunkCount: 1_000, listingsMax: 5_000 };
/** The first step looks at so many members for each item of the page: some are old, some of another headline. */
const FACTOR = 3;
/** Each other step looks at so many times as many as the one before. */
const GROWTH = 2;

export async function rankAsks(db: Database, search: RankSearch): Promise<RankedPage> {
  const filter = parseFilter(search.filters);
  const { minimumProfitEurMinor, minimumDiscountBps } = search.minima;
  const digest = toQueryDigest([
    search.ranking,
    minimumProfitEurMinor,
    minimumDiscountBps,
    search.cursorOf ?? filter.clauses,
  ]);
  const after =
    search.cursor === undefined ? undefined : parseCursor(search.cursor, digest, toPosition);
  const where = await compileSearch(db, filter);
  const walk = { ...search, filter, where, walk: search.walk ?? WALK };
  const place = after === undefined ? {} : { after };
  const { positions, end } =
    (await rankFew(db, { ...walk, ...place })) ?? (await rankCells(db, { ...walk, ...place }));
  return {
    ids: positions.map(({ id }) => id),
    ...(end === undefined ? {} : { nextCursor: toRankCursor(digest, end) }),
  };
}

export function toRankCursor(digest: string, { value, profitEurMinor, id }: RankPosition): string {
  return toCursor(digest, [value, profitEurMinor, id]);
}

export function toPosition([value, profit, id]: readonly unknown[]): RankPosition | undefined {
  if (!Number.isSafeInteger(value) || !Number.isSafeInteger(profit)) return undefined;
  if (typeof id !== "string" || !isUuid(id)) return undefined;
  return { value: value as number, profitEurMinor: profit as number, id: id.toLowerCase() };
}

interface Ranked {
  readonly positions: readonly RankPosition[];
  /** After which place the next page begins; absent if there is none. */
  readonly end?: RankPosition;
}

interface PreparedSearch extends RankSearch {
  readonly filter: Filter;
  readonly where: Sql;
  readonly walk: Walk;
  readonly after?: RankPosition;
}

/** Undefined if the filter selects many listings, or may do so. */
async function rankFew(db: Database, search: PreparedSearch): Promise<Ranked | undefined> {
  const { filter, where, after, limit, walk, nowMs } = search;
  if (!namesFewListings(filter)) return undefined;
  // No ask that is older than the longest look-back is ranked.
  const sinceMs = lookbackStartMs((await findLongestLookback(db))?.lookback_days ?? 0, nowMs);
  const ids = await listFew(db, { where, sinceMs }, walk.fewMax + 1);
  if (ids.length > walk.fewMax) return undefined;
  const asks = await rankListings(db, ids, search);
  return cutRanked(asks, { limit, ...(after === undefined ? {} : { after }) });
}

/** The page of a list that is sorted. */
export function cutRanked(
  asks: readonly RankedHeadline[],
  { after, limit }: { readonly after?: RankPosition; readonly limit: number },
): Ranked {
  const rest = asks
    .map(({ position }) => position)
    .filter((position) => after === undefined || comparePositions(position, after) > 0);
  return toPage(rest, limit);
}

function toPage(positions: readonly RankPosition[], limit: number): Ranked {
  const shown = positions.slice(0, limit);
  const last = shown.at(-1);
  if (positions.length === shown.length || last === undefined) return { positions: shown };
  return { positions: shown, end: last };
}

/**
 * Of these listings, those that are ranked, best first. `isForBuys` leaves out most of what is no buy, `isOfAnyAge` ranks also what
 * was last seen before its look-back.
 */
export async function rankListings(
  db: Database,
  listingIds: readonly string[],
  search: Pick<RankSearch, "ranking" | "minima" | "nowMs"> & {
    readonly isForBuys?: boolean;
    readonly isOfAnyAge?: boolean;
  },
): Promise<readonly RankedHeadline[]> {
  const { ranking, minima, nowMs, isForBuys = false, isOfAnyAge = false } = search;
  const asks = await findHeadlineAsks(db, listingIds, { nowMs, isForBuys, isOfAnyAge });
  return asks
    .flatMap((ask) => {
      const rank = rankAsk(ask.price_eur_minor, ask.source_market, ask);
      if (rank === undefined || !reaches(rank, minima)) return [];
      return [{ ...ask, ...rank, position: positionOf(ask.listing_id, rank, ranking) }];
    })
    .sort((left, right) => comparePositions(left.position, right.position));
}

async function rankCells(db: Database, search: PreparedSearch): Promise<Ranked> {
  const { ranking, minima, limit, walk, after } = search;
  const where = await compileCells(db, search.filter);
  const { minimumProfitEurMinor: profit = 0, minimumDiscountBps: bps = 0 } = minima;
  const merge = createMerge(db, {
    ranking,
    minima,
    cells: { ranking, where, boundMin: ranking === "profit" ? profit : bps },
    cellCount: limit,
    ...(after === undefined ? {} : { after }),
  });
  const found: RankPosition[] = [];
  let walked = 0;
  let count = Math.min(walk.chunkCount, FACTOR * limit);
  let end: RankPosition | undefined;
  while (walked < walk.listingsMax) {
    const members = await merge.take(count);
    if (members.length === 0) return { positions: found };
    found.push(...(await selectHeadlines(db, members, search)));
    // One more than the page holds shows that there is a next page.
    if (found.length > limit) return toPage(found, limit);
    end = members.at(-1);
    walked += members.length;
    count = Math.min(walk.chunkCount, GROWTH * count);
  }
  return { positions: found, ...(end === undefined ? {} : { end }) };
}

/** Of the members, those whose cell is the headline of an ask that the filter selects, in the same order. */
async function selectHeadlines(
  db: Database,
  members: readonly RankedMember[],
  { where, ranking, nowMs }: PreparedSearch,
): Promise<readonly RankPosition[]> {
  const ids = members.map(({ id }) => id);
  const asks = await findHeadlineAsks(db, ids, { where, nowMs });
  const askOf = new Map(asks.map((ask) => [ask.listing_id, ask]));
  return members.filter((member) => {
    const ask = askOf.get(member.id);
    if (ask === undefined || ask.configuration_id !== member.configurationId) return false;
    // An ask or a cell that has just changed stands elsewhere.
    const rank = rankAsk(ask.price_eur_minor, ask.source_market, ask);
    return (
      rank !== undefined && comparePositions(positionOf(member.id, rank, ranking), member) === 0
    );
  });
}
