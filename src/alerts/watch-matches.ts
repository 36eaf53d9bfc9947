import { assert } from "../base/errors.ts";
import { groupBy } from "../base/group-by.ts";
import { isUuid } from "../base/ids.ts";
import type { Database } from "../db/database.ts";
import { parseCursor, toCursor, toQueryDigest } from "../db/page.ts";
import { dropNulls } from "../db/row.ts";
import type { Match } from "./match.ts";
import {
  countUnseenWatches,
  listWatchMatches,
  type WatchMatchRow,
  type WatchPosition,
  type WatchQuery,
} from "./watch-match-store.ts";

/** A watch or message, with its matches. */
interface WatchMatches {
  readonly resource: Match["resource"];
  readonly resource_id: string;
  /** Of the latest match. */
  readonly matched_at_ms: number;
  /** When the last of the matches was marked as seen; absent as long as one is not. */
  readonly seen_at_ms?: number;
  /** True if no match was sent. */
  readonly is_shadow: boolean;
  readonly matches: readonly {
    readonly alert: { readonly id: string; readonly name: string };
    readonly match: Match;
  }[];
}

interface WatchPage {
  readonly items: readonly WatchMatches[];
  readonly nextCursor?: string;
  readonly unseenCount: number;
}

export async function listWatches(
  db: Database,
  query: WatchQuery,
  page: { readonly cursor?: string; readonly limit: number },
): Promise<WatchPage> {
  const { strategy, alertId, isUnseenOnly, includesShadow } = query;
  const digest = toQueryDigest([strategy, alertId, isUnseenOnly, includesShadow]);
  const after =
    page.cursor === undefined ? undefined : parseCursor(page.cursor, digest, toPosition);
  // One row more than the page holds shows whether there is a next page.
  const limit = page.limit + 1;
  const rows = await listWatchMatches(
    db,
    query,
    after === undefined ? { limit } : { limit, after },
  );
  const watches = [...groupBy(rows, (row) => `${row.resource} ${row.resource_id}`).values()];
  const items = watches.slice(0, page.limit).map(toWatch);
  const last = items.at(-1);
  return {
    items,
    unseenCount: await countUnseenWatches(db, query),
    ...(watches.length > items.length && last !== undefined
      ? { nextCursor: toCursor(digest, [last.matched_at_ms, last.resource_id]) }
      : {}),
  };
}

function toWatch(rows: readonly WatchMatchRow[]): WatchMatches {
  const [first] = rows;
  assert(first !== undefined, "a watch of the list has a match");
  const seen = rows.flatMap(({ seen_at_ms }) => seen_at_ms ?? []);
  return {
    resource: first.resource,
    resource_id: first.resource_id,
    matched_at_ms: first.latest_at_ms,
    ...(seen.length < rows.length ? {} : { seen_at_ms: Math.max(...seen) }),
    is_shadow: !rows.some(({ is_outward }) => is_outward),
    matches: rows.map(({ alert_name, is_outward: _, latest_at_ms: __, ...match }) => ({
      alert: { id: match.alert_id, name: alert_name },
      match: dropNulls(match),
    })),
  };
}

function toPosition([matchedAtMs, resourceId]: readonly unknown[]): WatchPosition | undefined {
  if (!Number.isSafeInteger(matchedAtMs)) return undefined;
  if (typeof resourceId !== "string" || !isUuid(resourceId)) return undefined;
  return { matchedAtMs: matchedAtMs as number, resourceId };
}
