/**
 * The rows of one search: pages by cursor, and for each page one call that tells how its asks stand against their cells.
 *
 * The last few searches are kept, so that going back shows the same rows at once, and the scroll offset fits them.
 */
import { type Signal, signal, useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Listing } from "../../../client/assay-client.ts";
import { api, type Failure } from "../../api.ts";
import { noteGroupNames } from "../../filters/clauses.ts";
import type { Filter } from "../../filters/filter.ts";
import { createAttempts } from "../../state/load.ts";
import { PRICES_MAX, type Prices, readPrices } from "../../state/prices.ts";
import type { Sort } from "./market-state.ts";

export interface Search {
  readonly filter: Filter;
  readonly sort: Sort;
}

interface RowsState {
  readonly rows: readonly Listing[];
  /** True once the last page was read. */
  readonly isComplete: boolean;
  readonly failure: Failure | undefined;
}

export interface MarketRows {
  readonly search: Search;
  readonly state: Signal<RowsState>;
  /** One map per page of rows, because a copy of all for each page would cost more and more. */
  readonly prices: Signal<readonly Prices[]>;
  /** Reads the next page, unless one is being read or there is none. */
  readonly loadMore: () => void;
  /** Stops reading and trying again, until `loadMore`. */
  readonly pause: () => void;
}

/** Larger pages need fewer calls, but what arrives at once must be read within a frame. One call for prices takes a page. */
export const PAGE_SIZE = PRICES_MAX / 2;
/** A reader who scrolls further is better served by a filter or the export. */
const ROWS_MAX = 20_000;
const KEPT_MAX = 4;
/** One page by its index is cheap, and a dealer does not miss fifteen seconds. */
const LOOK_MS = 15_000;

const kept = new Map<string, MarketRows>();

/** The rows as they were read before, or a search that has not begun. */
export function findRows(search: Search): MarketRows {
  const key = keyOf(search);
  const rows = kept.get(key) ?? createRows(search);
  kept.delete(key);
  kept.set(key, rows);
  const [oldest] = kept.keys();
  if (kept.size > KEPT_MAX && oldest !== undefined) kept.delete(oldest);
  return rows;
}

/** Forgets the rows, so that the next `findRows` reads them again. */
export function forgetRows(search: Search): void {
  kept.delete(keyOf(search));
}

export function keyOf({ filter, sort }: Search): string {
  return JSON.stringify([filter, sort]);
}

/** Which page a row is in. Only the last one is shorter than the others. */
export function pageOf(at: number): number {
  return Math.floor(at / PAGE_SIZE);
}

/** How many listings came since the rows were read. Only for the newest first: in another order they are not on top. */
export function useFreshCount(rows: MarketRows): number {
  const count = useSignal(0);
  useEffect(() => {
    count.value = 0;
    if (rows.search.sort !== "newest") return undefined;
    const running = new AbortController();
    const look = async (): Promise<void> => {
      const known = rows.state.peek().rows;
      if (document.hidden || (known.length === 0 && !rows.state.peek().isComplete)) return;
      const { items } = await api.searchListings(
        { filters: rows.search.filter, limit: PAGE_SIZE },
        { signal: running.signal },
      );
      const ids = new Set(known.slice(0, PAGE_SIZE).map(({ id }) => id));
      const firstKnown = items.findIndex(({ id }) => ids.has(id));
      count.value = firstKnown < 0 ? items.length : firstKnown;
    };
    // The state of the connection is shown elsewhere; the next look may succeed.
    const timer = setInterval(() => look().catch(() => undefined), LOOK_MS);
    return () => {
      clearInterval(timer);
      running.abort();
    };
  }, [rows, count]);
  return count.value;
}

function createRows(search: Search): MarketRows {
  const state = signal<RowsState>({ rows: [], isComplete: false, failure: undefined });
  const prices = signal<readonly Prices[]>([]);
  let cursor: string | undefined;
  // Not a part of the state: nothing shows it, and the table would be rendered for it.
  let isLoading = false;
  const add = (page: Awaited<ReturnType<typeof api.searchListings>>): void => {
    cursor = page.next_cursor;
    isLoading = false;
    const rows = [...state.value.rows, ...page.items];
    noteGroupNames(page.items.flatMap(namedGroups));
    state.value = {
      rows,
      isComplete: cursor === undefined || rows.length >= ROWS_MAX,
      failure: undefined,
    };
    const at = pageOf(rows.length - 1);
    readPrices(page.items)
      .then((found) => {
        prices.value = Object.assign([...prices.value], { [at]: found });
      })
      .catch(reportError);
  };
  const loadMore = (): void => {
    if (isLoading || state.peek().isComplete) return;
    isLoading = true;
    attempts.begin({
      read: (signal) => {
        const next = cursor === undefined ? {} : { cursor };
        const { filter, sort } = search;
        return api.searchListings({ filters: filter, sort, limit: PAGE_SIZE, ...next }, { signal });
      },
      done: add,
      failed: (failure) => {
        isLoading = false;
        state.value = { ...state.value, failure };
      },
    });
  };
  const attempts = createAttempts(loadMore);
  const pause = (): void => {
    attempts.stop();
    isLoading = false;
  };
  return { search, state, prices, loadMore, pause };
}

function namedGroups({ source }: Listing): readonly (readonly [string, string])[] {
  const { group_ids, group_names } = source;
  if (group_ids.length !== group_names.length) return [];
  return group_ids.map((id, at) => [id, group_names[at] ?? id] as const);
}
