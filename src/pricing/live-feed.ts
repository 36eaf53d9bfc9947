import { isUuid } from "../base/ids.ts";
import type { Database } from "../db/database.ts";
import { parseCursor, toCursor, toQueryDigest } from "../db/page.ts";
import { type Sql, sql } from "../db/sql.ts";
import { parseFilter } from "../filters/language/filter.ts";
import { compileSql, loadDirectory } from "../filters/sql/compile-sql.ts";
import { lookbackStartMs } from "./cells/calculate-cells.ts";
import { IS_PRICEABLE } from "./cells/refresh-store.ts";
import { findLongestLookback } from "./configurations/profile-store.ts";
import {
  CANDIDATE_COLUMNS,
  HEADLINE,
  HEADLINE_ASK_COLUMNS,
  type HeadlineAsk,
  isOffered,
} from "./headline-store.ts";
import { type Minima, rankAsk, reaches } from "./ranking.ts";

/**
 * Walks the asks of the market, last seen first, and picks those on offer below the average of their headline. How many asks there are
 * between two such asks is not known, so a walk has an end: after `listingsMax` listings the page ends, even if it is not full,
 * and the next page continues there. So the cost of a page is bounded, and all pages together have every ask once.
 *
 * Example (limit 2): the asks are 9 (below), 10, 10, 8 (below), 10, 7 (below). The first page has 9 and 8, its cursor points
 * to 8. The second page has 7 and no cursor, because the walk came to the end.
 */

interface FeedSearch {
  readonly filters: unknown;
  readonly minima: Minima;
  readonly limit: number;
  readonly cursor?: string;
  readonly nowMs: number;
  /** Smaller in tests. */
  readonly walk?: Walk;
}

interface Walk {
  /** Listings of one step at most. The first steps are shorter, because most pages are full soon. */
  readonly chunkCount: number;
  readonly listingsMax: number;
}

interface FeedPage {
  readonly ids: readonly string[];
  /** Absent on the last page. */
  readonly nextCursor?: string;
}

/** The first step looks at so many listings for each item of the page; each other step at so many times as many. */
const FIRST_FACTOR = 4;

/** Takes about a third of a second on a market of a million listings. */
const WALK: Walk = { chunkCount: 1_000, listingsMax: 10_000 };

export async function searchLiveFeed(db: Database, search: FeedSearch): Promise<FeedPage> {
  const filter = parseFilter(search.filters);
  const { nowMs, walk = WALK } = search;
  const minima = toFeedMinima(search.minima);
  const { minimumProfitEurMinor, minimumDiscountBps } = search.minima;
  const digest = toQueryDigest([minimumProfitEurMinor, minimumDiscountBps, filter.clauses]);
  let after =
    search.cursor === undefined ? undefined : parseCursor(search.cursor, digest, toPosition);
  const where = compileSql(filter, await loadDirectory(db, filter));
  // No ask that is older than the longest look-back is in the feed.
  const sinceMs = lookbackStartMs((await findLongestLookback(db))?.lookback_days ?? 0, nowMs);
  const ids: string[] = [];
  const toCursorAfter = (place: FeedPosition | undefined) =>
    toCursor(digest, [place?.last_seen_at_ms, place?.listing_id]);
  let walked = 0;
  let count = Math.min(walk.chunkCount, FIRST_FACTOR * search.limit);
  while (walked < walk.listingsMax) {
    const chunk = { where, count, nowMs, sinceMs };
    const stretch = await listFeedAsks(db, after === undefined ? chunk : { ...chunk, after });
    for (const ask of stretch.asks) {
      if (!isFarBelow(ask, minima)) continue;
      ids.push(ask.listing_id);
      if (ids.length === search.limit) return { ids, nextCursor: toCursorAfter(ask) };
    }
    if (stretch.count < count) return { ids };
    after = stretch.end;
    walked += count;
    count = Math.min(walk.chunkCount, FIRST_FACTOR * count);
  }
  return { ids, nextCursor: toCursorAfter(after) };
}

/** The feed has no losses. */
export function toFeedMinima({ minimumProfitEurMinor = 0, ...minima }: Minima): Minima {
  return { ...minima, minimumProfitEurMinor: Math.max(1, minimumProfitEurMinor) };
}

/** Whether the ask is far enough below its market, and not suspect. */
function isFarBelow(ask: HeadlineAsk, minima: Minima): boolean {
  const rank = rankAsk(ask.price_eur_minor, ask.source_market, ask);
  return rank !== undefined && reaches(rank, minima);
}

function toPosition([last_seen_at_ms, listing_id]: readonly unknown[]): FeedPosition | undefined {
  if (!Number.isSafeInteger(last_seen_at_ms)) return undefined;
  if (typeof listing_id !== "string" || !isUuid(listing_id)) return undefined;
  return { last_seen_at_ms: last_seen_at_ms as number, listing_id };
}

/** A place in the order of the feed: last seen first, then by id. */
interface FeedPosition {
  readonly last_seen_at_ms: number;
  readonly listing_id: string;
}

/** Some listings of the walk. */
interface FeedStretch {
  /** In the order of the feed. */
  readonly asks: readonly HeadlineAsk[];
  /** How many listings were looked at, with or without a cell. */
  readonly count: number;
  /** The last of them. */
  readonly end?: FeedPosition;
}

type FeedRow = (HeadlineAsk | (FeedPosition & { readonly configuration_id: null })) & {
  readonly count: number;
};

interface FeedChunk {
  /** A condition on the table `listing`. */
  readonly where: Sql;
  /** No listing that was last seen earlier. */
  readonly sinceMs: number;
  readonly after?: FeedPosition;
  readonly count: number;
  readonly nowMs: number;
}

/**
 * The next listings that `where` selects, latest first, with the headlines above their asks. The ask as written is compared,
 * which is never above the comparable ask, so the caller compares again. Most listings have no such headline and stay in the
 * store, except the last one, which is the place to go on from.
 */
async function listFeedAsks(
  db: Database,
  { where, sinceMs, after, count, nowMs }: FeedChunk,
): Promise<FeedStretch> {
  const start =
    after === undefined
      ? sql`true`
      : sql`listing.last_seen_at_ms <= ${after.last_seen_at_ms}::bigint
            and (listing.last_seen_at_ms < ${after.last_seen_at_ms}::bigint or listing.id > ${after.listing_id})`;
  const statement = sql`
    with candidate as materialized (
      select ${CANDIDATE_COLUMNS}
        from listing
       where ${where} and ${IS_PRICEABLE} and ${start}
         and listing.last_seen_at_ms >= ${sinceMs}::bigint
       order by listing.last_seen_at_ms desc, listing.id
       limit ${count}
    ),
    closing as (
      select id, count(*) over () as count
        from candidate
       order by last_seen_at_ms, id desc
       limit 1
    )
    select closing.count, ${HEADLINE_ASK_COLUMNS}
      from candidate
     cross join closing
      left join ${HEADLINE}
        on cell.market_average_eur_minor > candidate.price_eur_minor and ${isOffered(nowMs)}
     where cell.configuration_id is not null or candidate.id = closing.id
     order by candidate.last_seen_at_ms desc, candidate.id`;
  const rows = await db.query<FeedRow>(statement, { isStatic: false });
  const end = rows.at(-1);
  return end === undefined
    ? { asks: [], count: 0 }
    : { asks: rows.filter(hasCell), count: end.count, end };
}

function hasCell(row: FeedRow): row is HeadlineAsk & { readonly count: number } {
  return row.configuration_id !== null;
}
