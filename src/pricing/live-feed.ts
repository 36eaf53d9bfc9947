import { groupBy } from "../base/group-by.ts";
import { isUuid } from "../base/ids.ts";
import type { Database } from "../db/database.ts";
import { parseCursor, toCursor, toQueryDigest } from "../db/page.ts";
import { parseFilter } from "../filters/language/filter.ts";
import { compileSql } from "../filters/sql/compile-sql.ts";
import { loadDirectory } from "../filters/sql/directory-store.ts";
import { hkMarkupOf } from "./cells/cell.ts";
import { isSuspect } from "./cells/plausible-range.ts";
import {
  type FeedAsk,
  type FeedPosition,
  findLongestLookbackMs,
  listFeedAsks,
} from "./live-feed-store.ts";
import { toComparableAsk } from "./thresholds.ts";

/**
 * Walks the asks of the market, last seen first, and picks those below the average of a cell. How many asks there are
 * between two such asks is not known, so a walk has an end: after `listingsMax` listings the page ends, even if it is not full,
 * and the next page continues there. So the cost of a page is bounded, and all pages together have every ask once.
 *
 * Example (limit 2): the asks are 9 (below), 10, 10, 8 (below), 10, 7 (below). The first page has 9 and 8, its cursor points
 * to 8. The second page has 7 and no cursor, because the walk came to the end.
 */

interface FeedSearch {
  readonly filters: unknown;
  readonly minimumProfitEurMinor: number;
  readonly minimumDiscountBps: number;
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

export interface FeedItem {
  readonly listing_id: string;
  /** Of the cells that the ask lies below, the one with the highest profit, then the lower id. */
  readonly configuration_id: string;
}

interface FeedPage {
  readonly items: readonly FeedItem[];
  /** Absent on the last page. */
  readonly nextCursor?: string;
}

const BPS = 10_000n;
/** The first step looks at so many listings for each item of the page; each other step at so many times as many. */
const FIRST_FACTOR = 4;
/** Takes about a third of a second on a market of a million listings. */
const WALK: Walk = { chunkCount: 1_000, listingsMax: 10_000 };

export async function searchLiveFeed(db: Database, search: FeedSearch): Promise<FeedPage> {
  const filter = parseFilter(search.filters);
  const { minimumProfitEurMinor, minimumDiscountBps, nowMs, walk = WALK } = search;
  const digest = toQueryDigest([minimumProfitEurMinor, minimumDiscountBps, filter.clauses]);
  let after =
    search.cursor === undefined ? undefined : parseCursor(search.cursor, digest, toPosition);
  const where = compileSql(filter, await loadDirectory(db, filter));
  const sinceMs = nowMs - (await findLongestLookbackMs(db));
  const items: FeedItem[] = [];
  const toCursorAfter = (place: FeedPosition | undefined) =>
    toCursor(digest, [place?.last_seen_at_ms, place?.listing_id]);
  let walked = 0;
  let count = Math.min(walk.chunkCount, FIRST_FACTOR * search.limit);
  while (walked < walk.listingsMax) {
    const chunk = { where, count, nowMs, sinceMs };
    const stretch = await listFeedAsks(db, after === undefined ? chunk : { ...chunk, after });
    for (const cells of groupBy(stretch.asks, ({ listing_id }) => listing_id).values()) {
      const best = findBest(cells, search);
      if (best === undefined) continue;
      items.push(best);
      if (items.length === search.limit) return { items, nextCursor: toCursorAfter(cells[0]) };
    }
    if (stretch.count < count) return { items };
    after = stretch.end;
    walked += count;
    count = Math.min(walk.chunkCount, FIRST_FACTOR * count);
  }
  return { items, nextCursor: toCursorAfter(after) };
}

/** Of the cells that the ask is far enough below, and not suspect in, the one with the highest profit. */
function findBest(cells: readonly FeedAsk[], search: FeedSearch): FeedItem | undefined {
  const profits = cells.flatMap((cell) => {
    const { comparableAskEurMinor: ask } = toComparableAsk(
      cell.price_eur_minor,
      cell.source_market,
      hkMarkupOf(cell),
    );
    const average = cell.market_average_eur_minor;
    const profit = average - ask;
    if (profit <= 0 || profit < search.minimumProfitEurMinor || isSuspect(ask, cell)) return [];
    const isNearer = BigInt(profit) * BPS < BigInt(average) * BigInt(search.minimumDiscountBps);
    return isNearer ? [] : [{ profit, item: cell }];
  });
  return profits.sort(
    (left, right) =>
      right.profit - left.profit ||
      (left.item.configuration_id < right.item.configuration_id ? -1 : 1),
  )[0]?.item;
}

function toPosition([last_seen_at_ms, listing_id]: readonly unknown[]): FeedPosition | undefined {
  if (!Number.isSafeInteger(last_seen_at_ms)) return undefined;
  if (typeof listing_id !== "string" || !isUuid(listing_id)) return undefined;
  return { last_seen_at_ms: last_seen_at_ms as number, listing_id };
}
