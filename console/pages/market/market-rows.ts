/**
 * The rows of one search, by cursor, each with how its ask stands against its cell.
 *
 * The last few searches are kept, so that going back shows the same rows at once, and the scroll offset fits them.
 */
import { type Signal, signal, useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { DealMark, Listing } from "../../../client/assay-client.ts";
import { api, type Failure } from "../../api.ts";
import { noteNames } from "../../filters/clauses.ts";
import type { Filter } from "../../filters/filter.ts";
import type { WatchRow } from "../../parts/watch/verdict.ts";
import { createAttempts } from "../../state/load.ts";
import type { Minimum, Sort } from "./market-state.ts";

export interface Search {
  readonly filter: Filter;
  readonly sort: Sort;
  readonly minimum: Minimum;
}

export interface MarketRow extends WatchRow {
  readonly listing: Listing;
}

interface RowsState {
  readonly rows: readonly MarketRow[];
  /** True once the last page was read. */
  readonly isComplete: boolean;
  readonly failure: Failure | undefined;
}

export interface MarketRows {
  readonly search: Search;
  readonly state: Signal<RowsState>;
  /** Reads the next page, unless one is being read or there is none. */
  readonly loadMore: () => void;
  /** Stops reading and trying again, until `loadMore`. */
  readonly pause: () => void;
}

/** Larger pages need fewer calls, but what arrives at once must be read within a frame. */
export const PAGE_SIZE = 50;
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

export function keyOf({ filter, sort, minimum }: Search): string {
  return JSON.stringify([filter, sort, minimum]);
}

/** As the service takes it. */
export function toRequest({ filter, sort, minimum: { euros, percent } }: Search) {
  return {
    filters: filter,
    sort,
    ...(euros === undefined ? {} : { minimum_profit_eur_minor: Math.round(euros * 100) }),
    ...(percent === undefined ? {} : { minimum_discount_bps: Math.round(percent * 100) }),
  };
}

/** What was decided about a watch stands in its row. */
export function setDeal({ state }: MarketRows, id: string, deal: DealMark | undefined): void {
  const rows = state.peek().rows.map((row) => {
    if (row.listing.id !== id) return row;
    const { deal: _, ...rest } = row;
    return deal === undefined ? rest : { ...rest, deal };
  });
  state.value = { ...state.peek(), rows };
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
      const ids = new Set(known.slice(0, PAGE_SIZE).map(({ listing }) => listing.id));
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
  let cursor: string | undefined;
  // Not a part of the state: nothing shows it, and the table would be rendered for it.
  let isLoading = false;
  const add = ({
    items,
    prices = [],
    next_cursor,
  }: Awaited<ReturnType<typeof api.searchListings>>): void => {
    cursor = next_cursor;
    isLoading = false;
    const added = items.map((listing, at) => ({ ...prices[at], listing }));
    const rows = [...state.peek().rows, ...added];
    noteNames(items.flatMap(namedOwners));
    const isComplete = cursor === undefined || rows.length >= ROWS_MAX;
    state.value = { rows, isComplete, failure: undefined };
    // A ranked page may be empty although there are more.
    if (added.length === 0) loadMore();
  };
  const loadMore = (): void => {
    if (isLoading || state.peek().isComplete) return;
    isLoading = true;
    attempts.begin({
      read: (signal) => {
        const next = cursor === undefined ? {} : { cursor };
        return api.searchListings(
          { ...toRequest(search), limit: PAGE_SIZE, include: ["price"], ...next },
          { signal },
        );
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
  return { search, state, loadMore, pause };
}

function namedOwners({ source, sender }: Listing): readonly (readonly [string, string])[] {
  const { group_ids, group_names } = source;
  const name = sender.display_name ?? sender.phone_number;
  const dealer =
    sender.contact_id === undefined || name === undefined
      ? []
      : [[sender.contact_id, name] as const];
  if (group_ids.length !== group_names.length) return dealer;
  return [...dealer, ...group_ids.map((id, at) => [id, group_names[at] ?? id] as const)];
}
